"""Whatever is done on cases and in whatever order: their rows, their columns, the counters and the alerts agree."""

import random
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction

from config.tests.outils.clients import acteur_de
from discussions.conversation import repondre
from echeances import services as dates
from echeances.entretien import dater_les_dossiers_ouverts, rappeler_les_dates
from echeances.models import Delai, Echeance
from guests.fusion.retour import RetourImpossible, annuler
from guests.models import AuditFusion
from guests.suppression import effacer_les_dossiers
from guests.tests.fabriques import fusionner, session_invitee
from signalements import services
from signalements.compteurs.recompte import ecarts
from signalements.models import AlerteDeDossier, Signalement
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques
from signalements.vocabulaire import ALERTES_DE_DATE, JOURS_AVANT
from socle.domaine.temps import jour_du_campus
from socle.erreurs import ErreurMetier

pytestmark = pytest.mark.django_db
LUNDI = datetime(2026, 3, 2, 10, tzinfo=UTC)
PAS = 60


class Monde:
    """Two readers of the team, an account, a guest who merges into it; each method that has no underscore is an act."""

    def __init__(self, hasard, horloge, etudiante, gestionnaire, admin):
        self._de, self._horloge, self._maintenant = hasard, horloge, LUNDI
        self._etudiante, self._equipe, self._admin = etudiante, [gestionnaire, admin], admin
        self._session = session_invitee("+243812345699")

    def _un(self):
        vivants = list(Signalement.objects.vivants().order_by("pk"))
        return self._de.choice(vivants) if vivants else None

    def _acteur(self):
        return acteur_de(self._de.choice(self._equipe))

    def _jour(self):
        return jour_du_campus() + timedelta(days=self._de.randrange(-3, 120))

    def signaler(self):
        qui = self._etudiante if self._session.date_fusion or self._de.random() < 0.5 else self._session
        memes = list(Signalement.objects.order_by("pk").values_list("reference", flat=True))
        reference = self._de.choice(memes) if memes and qui is self._session else None
        type_ = self._de.choice(["VOL", "AUTRE"])
        fabriques.signalement(
            acteur_de(qui),
            titre=str(self._de.random()),
            type=type_,
            mode_identification="IDENTIFIE",
            reference=reference,
        )

    def repondre(self):
        retour = self._de.random() < 0.3
        repondre(acteur=self._acteur(), dossier=self._un(), contenu=str(self._de.random()), retour=retour)

    def ecrire(self):
        dossier = self._un()
        auteur = dossier.compte or dossier.invite
        repondre(acteur=acteur_de(auteur), dossier=dossier, contenu=str(self._de.random()))

    def prevoir(self):
        dates.ouvrir_un_entretien(signalement=self._un(), acteur=self._acteur(), pour_le=self._jour())

    def tenir(self):
        if ouvertes := list(Echeance.objects.ouvertes().order_by("pk")):
            dates.faire(echeance=self._de.choice(ouvertes), acteur=self._acteur())

    def prolonger(self):
        dates.prolonger(signalement=self._un(), acteur=self._acteur(), pour_le=self._jour(), motif="Encore.")

    def mener(self):
        statut = self._de.choice(["EN_COURS", "TRAITE", "CLOTURE"])
        services.changer_statut(signalement=self._un(), statut=statut, acteur=self._acteur())

    def reserver(self):
        ecartes = [self._equipe[0].pk] if self._de.random() < 0.5 else []
        changer_lecteurs(signalement=self._un(), acteur=acteur_de(self._admin), ecartes=ecartes)

    def choisir(self):
        dates.choisir(acteur=acteur_de(self._admin), accepte=self._de.random() < 0.7)

    def nommer_un_delai(self):
        Delai.objects.update_or_create(
            nature="AUTRE", libelle="une visite", type="VOL", defaults={"nombre": 2, "unite": "JOURS", "actif": True}
        )

    def attendre(self):
        self._maintenant += self._de.choice([timedelta(minutes=2), timedelta(days=1), timedelta(days=9)])
        self._horloge.move_to(self._maintenant, tick=False)

    def rappeler(self):
        dater_les_dossiers_ouverts()
        rappeler_les_dates()

    def joindre(self):
        self._session.refresh_from_db()
        if self._session.date_fusion is None:
            fusionner(self._session, self._etudiante)

    def separer(self):
        with suppress(AuditFusion.DoesNotExist, RetourImpossible):
            annuler(AuditFusion.objects.get(date_annulation=None))
        self._session.refresh_from_db()

    def effacer(self):
        if self._de.random() < 0.2:
            effacer_les_dossiers([self._un().pk], parmi=Signalement.objects.all())


def exiger_l_accord(*, rappeles):
    assert ecarts() == {}
    aujourd_hui = jour_du_campus()
    for dossier in Signalement.objects.vivants():
        vus = (dossier.echeances, dossier.prochaine_echeance)
        dates.tenir(dossier)
        assert (dossier.echeances, dossier.prochaine_echeance) == vus
        ouvertes = set(AlerteDeDossier.objects.ouvertes().filter(signalement=dossier).values_list("nature", flat=True))
        proche, passee = ALERTES_DE_DATE
        jour = dossier.prochaine_echeance
        assert passee not in ouvertes or (jour is not None and jour < aujourd_hui)
        assert passee in ouvertes or not rappeles or jour is None or jour >= aujourd_hui
        assert proche not in ouvertes or (jour is not None and jour <= aujourd_hui + JOURS_AVANT)
    assert not Echeance.objects.filter(faite_le__isnull=False, rappel_le__isnull=False).exists()


@pytest.mark.longue
@pytest.mark.parametrize("graine", range(6))
def test_tout_s_accorde_apres_chaque_acte(graine, time_machine, etudiante, gestionnaire, admin):
    time_machine.move_to(LUNDI, tick=False)
    monde = Monde(random.Random(graine), time_machine, etudiante, gestionnaire, admin)
    actes = [*sorted(nom for nom in vars(Monde) if not nom.startswith("_")), "signaler", "attendre", "rappeler"]
    faits = []
    for _rang in range(PAS):
        faits.append(monde._de.choice(actes) if Signalement.objects.exists() else "signaler")
        with suppress(ErreurMetier), transaction.atomic():
            getattr(monde, faits[-1])()
        try:
            exiger_l_accord(rappeles=faits[-1] == "rappeler")
        except AssertionError:
            pytest.fail(" ".join(faits))

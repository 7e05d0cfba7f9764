"""Each prepared read is its plain queryset, on the demonstration's data and whatever values it is run with."""

import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from inspect import signature
from io import StringIO
from typing import Any, get_type_hints
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import connection, models
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Compte, Invitation, Session
from accounts.tests.outils import munir
from calendrier.models import EvenementCampus
from discussions.models import Arriere, Discussion, Releve
from espace.triage import Part
from forum.models import Poste
from guests.models import SessionInvitee
from signalements.alertes import lever
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs
from signalements.vocabulaire import Axe, NatureAlerte
from socle.domaine.acteurs import Acteur, ActeurCompte, ActeurInvite
from socle.domaine.droits import Droit
from socle.moteur.lectures import PREPAREES, LecturePreparee, LectureRemplie, ensemble

pytestmark = pytest.mark.longue

TEXTES = ["", "NOUVEAU", "PUBLIE", "HARCELEMENT", "%s", "%%", "' OR 1=1 --", "$1", "é\n", "x" * 300]


def acteurs() -> list[Acteur]:
    comptes = [ActeurCompte(compte=compte) for compte in Compte.objects.order_by("email")[:6]]
    invites = [ActeurInvite(invite=invite) for invite in SessionInvitee.objects.order_by("pk")[:4]]
    return [*comptes, *invites, ActeurCompte(compte=Compte(type_utilisateur="INCONNU"))]


def cles() -> list[UUID]:
    modeles = (Signalement, Discussion, Poste, EvenementCampus, Session, Compte)
    return [uuid4(), *(pk for m in modeles for pk in m._default_manager.values_list("pk", flat=True)[:15])]


class Hasard:
    """Values for the arguments of a read, drawn from what exists and from what does not."""

    def __init__(self, graine: int) -> None:
        self.de = random.Random(graine)
        self.acteurs, self.cles = acteurs(), cles()
        session = Session.objects.create(compte=self.acteurs[0].compte, date_expiration=timezone.now())
        self.connues = {
            "empreinte": ["", *SessionInvitee.objects.values_list("guest_id_empreinte", flat=True)],
            "email": ["", *Compte.objects.values_list("email", flat=True)[:5]],
            "session": [session.pk, uuid4()],
            "compte": [session.compte_id, uuid4()],
            # A period ends after it begins: the form sees to that.
            "debut": [timezone.now() - timedelta(days=n) for n in (400, 10)],
            "fin": [timezone.now() + timedelta(days=n) for n in (0, 30)],
            "par": [("statut",), ("type", "jour"), ("axe",)],
            "colonnes": [("statut",), ("priorite", "mode_identification", "type")],
            "statut__in": [None, ("NOUVEAU",), ("NOUVEAU", "TRAITE")],
        }

    def valeurs(self, lecture: LecturePreparee[Any]) -> dict[str, Any]:
        types = get_type_hints(lecture.ecrire)
        noms = list(signature(lecture.ecrire).parameters)
        # Filters that are all given find nothing.
        absence = 0.4 if len(noms) < 6 else 0.85
        return {nom: self.valeur(nom, str(types[nom]), absence) for nom in noms}

    def valeur(self, nom: str, type_: str, absence: float) -> Any:
        if "None" in type_ and self.de.random() < absence:
            return None
        if nom in self.connues:
            return self.de.choice(self.connues[nom])
        possibles: dict[str, Any] = {
            "Acteur": self.acteurs,
            "list": [[], self.cles[:1], self.cles],
            "UUID": self.cles,
            "Part": list(Part),
            "datetime": [timezone.now() - timedelta(days=n) for n in (-30, 0, 10, 400)]
            + [datetime.min.replace(tzinfo=UTC)],
            "date": [date.today() - timedelta(days=n) for n in (-3, 0, 10, 400)],
            "Axe": list(Axe),
            "bool": [True, False],
            "int": [0, 1, 7, 10_000],
            "str": TEXTES,
        }
        return self.de.choice(next(liste for mot, liste in possibles.items() if mot in type_))


def etat(ligne: Any) -> Any:
    """All that was read into a row, joined rows included."""
    if not isinstance(ligne, models.Model):
        return ligne
    colonnes = {nom: valeur for nom, valeur in vars(ligne).items() if not nom.startswith("_")}
    listes = {nom: [etat(un) for un in valeur] for nom, valeur in colonnes.items() if isinstance(valeur, list)}
    joints = {
        nom: etat(joint)
        for nom, joint in ligne._state.fields_cache.items()
        if not (isinstance(joint, models.Model) and nom in ("signalement", "discussion"))
    }
    return {**colonnes, **listes, "joints": joints, "neuve": ligne._state.adding, "base": ligne._state.db}


def etats(demande: LectureRemplie, lignes: Any) -> list[Any]:
    lus = [etat(ligne) for ligne in lignes]
    return lus if demande.queryset().ordered else sorted(lus, key=repr)


def comparer(demande: LectureRemplie) -> int:
    """Compare each way to run the read with the queryset; return how many rows it has."""
    vraies = etats(demande, demande.queryset())
    assert etats(demande, demande.lignes()) == vraies
    assert demande.nombre() == len(vraies)
    assert ensemble(demande.combien(2), demande.combien()) == [[min(len(vraies), 2)], [len(vraies)]]
    if demande.queryset().ordered:
        premiere = demande.premiere()
        assert (None if premiere is None else etat(premiere)) == next(iter(vraies), None)
        for debut, taille in ((0, 2), (1, 2), (len(vraies), 5)):
            assert [etat(ligne) for ligne in demande.tranche(debut, taille)] == vraies[debut : debut + taille]
        ensembles = ensemble(demande.quelques(1, 2), demande.combien())
        assert [[etat(ligne) for ligne in ensembles[0]], ensembles[1]] == [vraies[1:3], [len(vraies)]]
    with CaptureQueriesContext(connection):  # through Django's cursors
        assert etats(demande, demande.lignes()) == vraies
    return len(vraies)


@pytest.mark.django_db
def test_chaque_lecture_preparee_est_la_requete_telle_qu_on_l_ecrit(settings):
    settings.EMBARQUE = True
    call_command("seed_demo", stdout=StringIO())
    dans_une_semaine, par = timezone.now() + timedelta(days=7), Compte.objects.first()
    Invitation.objects.create(email="nouvelle@campus.example", expire_le=dans_une_semaine, invitee_par=par)
    reserve = Signalement.objects.filter(absorbe_par=None).first()
    admis = [acteur.compte.pk for acteur in acteurs() if acteur.peut(Droit.SIGNALEMENTS_TRAITER)]
    changer_lecteurs(signalement=reserve, acteur=next(a for a in acteurs() if a.compte.pk in admis), admis=admis)
    munir(Compte.objects.order_by("email").first())
    fini = Signalement.objects.filter(absorbe_par=None, ouvert_a="TOUS").resolus().first()
    lever(fini, NatureAlerte.MESSAGE_APRES_CLOTURE, uuid4())
    for acteur in (un for un in acteurs() if un.peut(Droit.DISCUSSIONS_CONSULTER_TOUTES)):
        Compte.objects.filter(pk=acteur.compte.pk).update(equipe_depuis=timezone.now() - timedelta(days=900))
        Releve.objects.create(compte=acteur.compte, jusqu_a=timezone.now())
    Arriere.objects.reprendre(Discussion.objects.vivants())
    hasard, lues = Hasard(20_261_122), Counter[str]()

    for lecture in PREPAREES:
        nom = f"{lecture.ecrire.__module__}.{lecture.ecrire.__name__}"
        for essai in range(400):  # past 25, until one has found a row: few keys are of what the read is about
            if essai >= 25 and lues[nom]:
                break
            lues[nom] += comparer(lecture(**hasard.valeurs(lecture)))

    assert [nom for nom, nombre in lues.items() if not nombre] == []

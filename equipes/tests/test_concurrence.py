"""Two acts at once on who reads a case: whichever comes first, nobody holds or reads what they may not."""

import pytest

from accounts.services.comptes import modifier_preferences
from accounts.tests import fabriques as comptes
from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de
from equipes.models import MembreDEquipe
from equipes.services import equipes as services
from equipes.tests import fabriques as equipes
from signalements import ecarts
from signalements.erreurs import DernierLecteur
from signalements.lecteurs import Acces
from signalements.models import Signalement
from signalements.reserve import changer_equipe
from signalements.services import assigner, changer_statut
from signalements.tests import fabriques
from socle.erreurs import ChampsInvalides, Introuvable
from socle.taches.tests.outils import faire_les_taches

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
FOIS = 6


def essayer(acte, *refus):
    """The act, whose refusals of these kinds are an outcome."""

    def agir():
        try:
            acte()
        except refus as une:
            return type(une)
        return None

    return agir


def courir(*actes):
    """Outcomes of these acts, started at once; none of them an error."""
    rendus = ensemble(actes)
    assert [un for un in rendus if isinstance(un, Exception)] == []
    return rendus


def relu(cle):
    return Signalement.objects.get(pk=cle)


def est_lisible_de_qui_le_traite(dossier):
    return dossier.gestionnaire_id is None or Acces.de(dossier).admet(dossier.gestionnaire_id)


@pytest.mark.parametrize("_fois", range(FOIS))
def test_ecartee_et_chargee_du_dossier_en_meme_temps_elle_ne_le_garde_pas(etudiante, gestionnaire, admin, _fois):
    modifier_preferences(compte=gestionnaire, parait_au_portail=True)
    cle = fabriques.signalement(acteur_de(etudiante)).pk

    courir(
        *[
            lambda: ecarts.ne_pas_montrer(
                signalement=relu(cle), acteur=acteur_de(etudiante), ne_pas_montrer_a=[gestionnaire.pk]
            ),
            essayer(
                lambda: assigner(signalement=relu(cle), gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin)),
                ChampsInvalides,
            ),
        ]
    )

    assert relu(cle).gestionnaire is None
    assert not Acces.de(relu(cle)).admet(gestionnaire.pk)


@pytest.mark.parametrize("_fois", range(FOIS))
def test_deplace_et_traite_en_meme_temps_rien_n_est_fait_apres_le_depart(etudiante, gestionnaire, admin, _fois):
    cle = fabriques.signalement(acteur_de(etudiante)).pk
    ailleurs = equipes.equipe(comptes.gestionnaire(email="nadia@campus.test"))
    deplacer = {"equipe_id": ailleurs.pk, "motif": "La sienne.", "acteur": acteur_de(admin)}

    _, refus = courir(
        *[
            lambda: changer_equipe(signalement=relu(cle), **deplacer),
            essayer(
                lambda: changer_statut(signalement=relu(cle), statut="TRAITE", acteur=acteur_de(gestionnaire)),
                Introuvable,
            ),
        ]
    )

    types = list(relu(cle).timeline.order_by("date_creation").values_list("type", flat=True))
    assert types in (["CREATION", "EQUIPE"], ["CREATION", "STATUT", "EQUIPE"])
    assert (refus is Introuvable) == ("STATUT" not in types)
    assert (relu(cle).statut == "TRAITE") == ("STATUT" in types)


@pytest.mark.parametrize("_fois", range(FOIS))
def test_retiree_de_l_equipe_pendant_qu_une_regle_lui_donne_un_dossier(etudiante, gestionnaire, admin, _fois):
    equipe = equipes.equipe(gestionnaire, comptes.gestionnaire(email="nadia@campus.test"))
    equipes.regle(equipe, gestionnaire=gestionnaire)

    courir(
        *[
            lambda: services.retirer(equipe=equipe, compte_id=gestionnaire.pk, acteur=acteur_de(admin)),
            lambda: fabriques.signalement(acteur_de(etudiante)),
        ]
    )
    faire_les_taches()  # a case that had come before is given back

    (dossier,) = Signalement.objects.all()
    assert not MembreDEquipe.objects.filter(compte=gestionnaire).exists()
    assert (dossier.equipe, est_lisible_de_qui_le_traite(dossier)) == (equipe, True)


@pytest.mark.parametrize("_fois", range(FOIS))
def test_les_deux_derniers_lecteurs_ne_s_en_retirent_pas_ensemble(etudiante, gestionnaire, admin, _fois):
    cle = fabriques.signalement(acteur_de(etudiante)).pk

    rendus = courir(
        *[
            essayer(lambda qui=qui: ecarts.se_retirer(signalement=relu(cle), acteur=acteur_de(qui)), DernierLecteur)
            for qui in (gestionnaire, admin)
        ]
    )

    assert sorted(str(un) for un in rendus) == sorted([str(DernierLecteur), "None"])
    assert Acces.de(relu(cle)).lecteurs().count() == 1

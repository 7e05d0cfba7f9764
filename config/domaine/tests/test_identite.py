import pytest

from config.domaine.acteurs import Acteur
from config.domaine.identite import id_montre, nom_montre
from config.tests.outils import acteur_de
from signalements.models import EntreeTimeline
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("mode", ["IDENTIFIE", "ANONYME"])
@pytest.mark.parametrize("proprietaire", ["etudiante", "invite"])
@pytest.mark.parametrize("spectateur", ["proprietaire", "gestionnaire", "personne"])
def test_qui_voit_qui(personne, gestionnaire, mode, proprietaire, spectateur):
    qui = personne(proprietaire)
    dossier = fabriques.signalement(acteur_de(qui), mode_identification=mode)
    vu_par = {"proprietaire": acteur_de(qui), "gestionnaire": acteur_de(gestionnaire), "personne": None}[spectateur]

    montre = id_montre(dossier, vu_par=vu_par, dossier=dossier)
    nom = nom_montre(dossier, vu_par=vu_par, dossier=dossier)

    vrai = str(getattr(qui, "guest_id", None) or qui.pk)
    est_montre = spectateur == "proprietaire" or (proprietaire == "etudiante" and mode == "IDENTIFIE")
    assert (montre == vrai) == est_montre
    assert nom == ("Invité" if proprietaire == "invite" else "Awa Diop" if est_montre else "Anonyme")


def test_le_pseudonyme_d_un_dossier_ne_depend_pas_de_qui_le_possede(etudiante, invite):
    dossier = fabriques.signalement(acteur_de(invite))
    avant = id_montre(dossier, vu_par=None, dossier=dossier)
    dossier.compte, dossier.invite = etudiante, None

    apres = id_montre(dossier, vu_par=None, dossier=dossier)

    assert avant == apres


def test_le_pseudonyme_ne_relie_pas_deux_dossiers_anonymes(etudiante):
    dossiers = [fabriques.signalement(acteur_de(etudiante), mode_identification="ANONYME") for _ in range(2)]

    montres = {id_montre(d, vu_par=None, dossier=d) for d in dossiers}

    assert len(montres) == 2


def test_l_equipe_garde_son_nom_dans_un_dossier_anonyme(gestionnaire, invite):
    dossier = fabriques.signalement(acteur_de(invite))
    entree = EntreeTimeline(signalement=dossier, compte=gestionnaire, type="STATUT")

    assert id_montre(entree, vu_par=None, dossier=dossier) == str(gestionnaire.pk)


def test_un_acteur_est_exactement_un(etudiante, invite):
    for faux in ({}, {"compte": etudiante, "invite": invite}):
        with pytest.raises(ValueError, match="exactement un"):
            Acteur(**faux)

import pytest

from config.domaine.acteurs import Acteur
from config.domaine.identite import fusion_montree, id_montre, nom_montre, source_montree
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


@pytest.mark.parametrize(
    ("mode", "source", "nom", "est_fusionne"),
    [
        ("ANONYME", "GUEST", "Invité", False),
        ("PSEUDONYME", "GUEST", "Invité", False),
        ("identifie", "GUEST", "Invité", False),
        ("IDENTIFIE", "AUTH_USER", "Awa Diop", True),
    ],
)
def test_un_dossier_rattache_qui_se_cache_garde_le_visage_de_l_invite(
    etudiante, gestionnaire, invite, mode, source, nom, est_fusionne
):
    dossier = fabriques.signalement(acteur_de(invite), mode_identification=mode)
    dossier.compte, dossier.invite, dossier.fusionne_de = etudiante, None, invite
    ecrit_apres = EntreeTimeline(signalement=dossier, compte=etudiante, type="CREATION")

    for vu_par in (None, acteur_de(gestionnaire)):
        visages = [
            (source_montree(ligne, **vue), nom_montre(ligne, **vue))
            for ligne in (dossier, ecrit_apres)
            for vue in ({"vu_par": vu_par, "dossier": dossier},)
        ]
        assert visages == [(source, nom)] * 2
        assert fusion_montree(dossier, vu_par=vu_par, dossier=dossier) is est_fusionne
    a_soi = {"vu_par": acteur_de(etudiante), "dossier": dossier}
    assert (source_montree(dossier, **a_soi), nom_montre(dossier, **a_soi)) == ("AUTH_USER", "Awa Diop")
    assert fusion_montree(dossier, **a_soi)


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

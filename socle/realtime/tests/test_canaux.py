import pytest

from socle.domaine.acteurs import ActeurCompte
from socle.domaine.droits import Role
from socle.realtime.canaux import audiences, canal, groupe, oublier
from socle.realtime.tests.fabriques import compte
from socle.realtime.vocabulaire import CONTROLE

ETUDIANTE = ActeurCompte(compte=compte())
GESTIONNAIRE = ActeurCompte(compte=compte(Role.GESTIONNAIRE))
CLE = "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"


@pytest.mark.parametrize(
    ("acteur", "nom", "attendues"),
    [
        (ETUDIANTE, f"essai:{CLE}", ["PUBLIC"]),
        (GESTIONNAIRE, f"essai:{CLE}", ["PUBLIC", "PERSONNEL"]),
        (GESTIONNAIRE, "equipe", ["PUBLIC", "PERSONNEL"]),
        (ETUDIANTE, "equipe", []),
        (ETUDIANTE, f"prive:{CLE}", []),
    ],
)
def test_une_regle_dit_qui_entend_quoi(canaux_d_essai, acteur, nom, attendues):
    assert audiences(acteur, nom) == attendues


@pytest.mark.parametrize(
    "nom",
    ["", "essai", "essai:", "essai:12", f"essai:{CLE.upper()}x", f"essai:{CLE}:{CLE}", f"essai:{{{CLE}}}", "essai:\x00",
     f"essai:{CLE.replace('-', '')}", f"equipe:{CLE}", "equipe:", "inconnu", f"inconnu:{CLE}", CONTROLE],
)  # fmt: skip
def test_un_canal_inconnu_ou_mal_forme_est_refuse(canaux_d_essai, nom):
    assert audiences(GESTIONNAIRE, nom) == []


def test_une_cle_mal_formee_n_atteint_pas_la_regle():
    vues = []
    canal("curieux")(lambda acteur, cle: vues.append(cle) or ["PUBLIC"])

    audiences(ETUDIANTE, "curieux:pas-un-uuid")
    oublier("curieux")

    assert vues == []


def test_un_nom_de_canal_n_est_pris_qu_une_fois(canaux_d_essai):
    with pytest.raises(ValueError, match="essai"):
        canal("essai")(lambda acteur, cle: [])


def test_le_canal_de_controle_ne_peut_pas_avoir_de_regle():
    with pytest.raises(ValueError, match="_controle"):
        canal(CONTROLE, cle=False)(lambda acteur, cle: [])


def test_un_nom_de_groupe_ne_contient_pas_de_deux_points():
    assert groupe(f"essai:{CLE}") == f"canal.essai.{CLE}"

"""A text pasted from a word processor or a PDF is taken as it reads, in every field of the portal."""

import pytest

from config.tests.outils.typographie import ordinaire
from discussions.models import Message
from portail.tests.outils import le_dossier

pytestmark = pytest.mark.django_db
COLLE = "Il m'attend\x0bchaque soir.\x0cEt le har\xadcèlement\x92 continue\x00.\u2028Voilà\x85fin"
LU = "Il m'attend\nchaque soir.\nEt le harcèlement continue.\nVoilà\nfin"


def test_un_recit_colle_arrive_avec_ses_lignes(visiteuse):
    assert visiteuse.envoyer("/ecrire/faits/", {"type": "VOL", "description": COLLE}).status_code == 303
    details = {"lieu_incident": "Amphi\tB\x0b2", "auteur_presume": "Un\xad homme\r\n", "description_temoins": COLLE}
    assert visiteuse.envoyer("/ecrire/details/", details).status_code == 303
    assert visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol\x0cau local"}).headers["Location"] == "/recu/"

    dossier = le_dossier()
    assert (dossier.description, dossier.description_temoins) == (LU, LU)
    assert (dossier.titre, dossier.lieu_incident, dossier.auteur_presume) == ("Vol au local", "Amphi B 2", "Un homme")


def test_une_reponse_collee_arrive_aussi(visiteuse):
    visiteuse.signaler()

    assert visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": COLLE}).status_code == 303

    assert Message.objects.get().contenu == LU


def test_ce_qui_ne_montre_rien_n_est_pas_un_recit(visiteuse):
    refus = visiteuse.envoyer("/ecrire/faits/", {"type": "VOL", "description": "\xad\x0c\x00\x0b"})

    assert refus.status_code == 422
    assert "Dites en quelques mots ce qui s'est passé." in ordinaire(refus.content.decode())


def test_l_api_refuse_encore_ces_caracteres(api, etudiante):
    corps = {"titre": "Vol", "description": "Un\x0bdeux", "type": "VOL"}

    refus = api(etudiante).post("/api/v1/signalements", corps)

    assert (refus.status_code, refus.json()["details"][0]["code"]) == (422, "control")

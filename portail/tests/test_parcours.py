"""A report from the front door to the answer, as a browser without JavaScript makes it."""

import pytest

from config.tests.outils import acteur_de
from discussions.services import ecrire, ouvrir
from portail.tests.outils import DETAILS, FAITS, la_session, le_dossier, six_mots

pytestmark = pytest.mark.django_db


def test_signaler_partir_revenir_lire_la_reponse_et_repondre(visiteuse, gestionnaire):
    assert "/ecrire/" in visiteuse.lire("/")
    code = visiteuse.signaler()
    dossier = le_dossier()
    assert len(code.split()) == 6
    assert dossier.reference in visiteuse.lire("/recu/")
    assert (dossier.description, dossier.lieu_incident, dossier.type) == (
        FAITS["description"],
        "Amphi B",
        "HARCELEMENT",
    )
    assert (dossier.mode_identification, dossier.invite, la_session().telephone) == ("ANONYME", la_session(), None)
    assert f"{dossier.date_incident:%d/%m/%Y}" == "03/11/2026"
    visiteuse.get("/quitter/")
    assert visiteuse.get("/dossiers/").status_code == 401

    discussion = ouvrir(acteur=acteur_de(gestionnaire), titre="Suivi", signalement_id=dossier.pk)
    ecrire(acteur=acteur_de(gestionnaire), discussion=discussion, contenu="Nous vous lisons. Êtes-vous en sécurité ?")
    retour = visiteuse.revenir(code)

    assert (retour.status_code, retour.headers["Location"]) == (303, "/dossiers/")
    assert "1 nouveau message" in visiteuse.lire("/dossiers/")
    page = visiteuse.lire("/dossiers/1/")
    assert "Êtes-vous en sécurité ?" in page
    assert "Reçu, pas encore pris en charge" in page
    assert gestionnaire.nom in page  # a message of staff is signed
    assert visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Oui, merci."}).status_code == 303
    assert [m.contenu for m in discussion.messages.order_by("numero_sequence")][1:] == ["Oui, merci."]
    assert "nouveau message" not in visiteuse.lire("/dossiers/")


def test_chaque_etape_garde_ce_qui_fut_ecrit(visiteuse):
    visiteuse.remplir(telephone="+33 6 39 98 00 99")

    assert FAITS["description"] in visiteuse.lire("/ecrire/faits/")
    assert 'value="HARCELEMENT" autocomplete="off" id="id_type_0" checked' in visiteuse.lire("/ecrire/faits/").replace(
        "required ", ""
    )
    assert 'value="Amphi B"' in visiteuse.lire("/ecrire/details/")
    assert 'value="+33 6 39 98 00 99"' in visiteuse.lire("/ecrire/numero/")
    relire = visiteuse.lire("/ecrire/verifier/")
    assert FAITS["description"] in relire
    assert "3/11/2026" in relire
    assert 'value="Harcèlement"' in relire
    assert DETAILS["lieu_incident"] in relire


def test_un_numero_donne_se_garde_chiffre_et_ne_se_montre_pas(visiteuse):
    visiteuse.remplir(telephone="+33 6 39 98 00 99")
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert la_session().telephone == "+33639980099"
    for adresse in ("/recu/", "/dossiers/", "/dossiers/1/", "/acces/"):
        assert "0099" not in visiteuse.lire(adresse).replace(" ", "")


def test_le_meme_envoi_deux_fois_ne_fait_qu_un_dossier_et_mene_au_meme_recu(visiteuse):
    visiteuse.remplir()
    brouillon = visiteuse.cookies["brouillon"].value
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})
    premier = six_mots(visiteuse.lire("/recu/"))

    visiteuse.cookies["brouillon"] = brouillon  # the answer was lost: the browser still holds the draft
    del visiteuse.cookies["espace"]
    encore = visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert (encore.status_code, encore.headers["Location"]) == (303, "/recu/")
    assert six_mots(visiteuse.lire("/recu/")) == premier
    assert len(premier.split()) == 6
    assert le_dossier().titre == "Vol"


def test_ecrire_a_propos_d_autre_chose_reste_dans_le_meme_espace(visiteuse):
    code = visiteuse.signaler()
    premiere = visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": "Autre chose."})
    details = visiteuse.envoyer("/ecrire/details/", DETAILS)
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Encore"})

    assert (premiere.status_code, details.headers["Location"]) == (303, "/ecrire/verifier/")
    assert la_session().code_retour is not None
    page = visiteuse.lire("/dossiers/")
    assert page.index("Encore") < page.index("Harcèlement")
    assert "Autre chose." in visiteuse.lire("/dossiers/2/")
    assert code.split()[0] in visiteuse.lire("/recu/")


def test_un_type_que_l_exploitant_a_ajoute_se_dit_en_mots(visiteuse, settings):
    settings.VOCABULAIRES = {**settings.VOCABULAIRES, "type_signalement": ["VOL", "ACCIDENT_DE_LABO"]}

    page = visiteuse.lire("/ecrire/faits/")

    assert "Un vol" in page
    assert "Accident de labo" in page
    assert "Du harcèlement" not in page

"""« Mon compte » in the workspace: the portal's blocks (`portail/tests/test_mon_compte.py`), in its own frame."""

import time

import pytest

from accounts.authentication import ATTENTE_SECONDES, MOT_DE_PASSE_DONNE
from accounts.models import DemandeAdresse, Session
from accounts.services.sessions import connecter
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import munir
from config.tests.outils import acteur_de
from espace.tests.outils import LISTE, Equipiere, texte_de
from signalements.tests.fabriques import signalement
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte

pytestmark = pytest.mark.django_db
URL = "/equipe/compte/"
NEUF = "Baobab-penché-sur-le-fleuve-77"


def acte(nom, /, **champs):
    """What the form of this act posts."""
    return {"acte": nom, **{f"{nom}-{champ}": valeur for champ, valeur in champs.items()}}


@pytest.fixture
def recente(elle):
    """The manager's browser, its password just given."""
    elle.envoyer(URL, acte("prouver", mot_de_passe=MOT_DE_PASSE))
    return elle


def ailleurs(compte):
    return connecter(email=compte.email, mot_de_passe=MOT_DE_PASSE, adresse="192.0.2.7", appareil="Ma tablette").session


def test_elle_est_a_sa_place_dans_le_menu_et_mene_a_la_connexion_en_deux_etapes(elle):
    page = elle.lire(URL)

    assert f'<a href="{URL}" aria-current="page">' in page
    assert 'href="/equipe/second-facteur/"' in page.partition("<main")[2]
    assert f'<a href="{URL}" aria-current="page">' in elle.lire("/equipe/second-facteur/")
    assert f'href="{URL}"' in elle.lire("/admin/")


def test_elle_mene_a_l_administration_qui_n_a_plus_de_place_dans_la_barre_d_un_telephone(elle, admin):
    lien = '<p><a href="/admin/">Administration</a></p>'

    assert (lien in Equipiere(admin).lire(URL), lien in elle.lire(URL)) == (True, False)


def test_qui_n_est_pas_de_l_equipe_n_y_entre_pas(equipiere, etudiante):
    assert equipiere(etudiante).get(URL).status_code == 403
    assert Equipiere().get(URL).headers["Location"].startswith("/admin/login/")


def test_elle_ne_dit_rien_d_un_dossier(elle, gestionnaire, etudiante):
    sien = signalement(acteur_de(etudiante), gestionnaire=gestionnaire)

    assert sien.titre not in elle.lire(URL)


def test_sans_mot_de_passe_recent_elle_ne_montre_ni_ne_ferme_aucun_appareil(elle, gestionnaire):
    autre = ailleurs(gestionnaire)

    page = elle.lire(URL)
    refus = elle.envoyer(URL, {"acte": "fermer", "session_id": str(autre.pk)})

    assert "Ma tablette" not in page
    assert refus.status_code == 401
    assert Session.objects.actives().count() == 1


def test_le_mot_de_passe_les_montre_et_un_faux_non(elle, gestionnaire):
    ailleurs(gestionnaire)

    faux = elle.envoyer(URL, acte("prouver", mot_de_passe="faux"))
    assert (faux.status_code, "Ma tablette" in texte_de(faux)) == (422, False)
    elle.envoyer(URL, acte("prouver", mot_de_passe=MOT_DE_PASSE))

    assert "Ma tablette" in elle.lire(URL)
    session = elle.session
    session[MOT_DE_PASSE_DONNE] = time.time() - ATTENTE_SECONDES - 1
    session.save()
    assert "Ma tablette" not in elle.lire(URL)


def test_fermer_un_appareil_est_au_registre_comme_une_deconnexion(recente, gestionnaire):
    autre = ailleurs(gestionnaire)

    fait = recente.envoyer(URL, {"acte": "fermer", "session_id": str(autre.pk)})

    assert fait.headers["Location"] == f"{URL}?fait=fermer#fait"
    assert not Session.objects.actives().exists()
    assert Trace.objects.filter(acte=Acte.DECONNEXION, acteur=gestionnaire.pk).count() == 1


@pytest.mark.parametrize("nom", ["ailleurs", "mot_de_passe"])
def test_tout_se_ferme_ailleurs_et_ce_navigateur_reste(recente, gestionnaire, nom):
    autre = Equipiere(gestionnaire)
    ailleurs(gestionnaire)
    cle = recente.session.session_key

    fait = recente.envoyer(
        URL,
        {"acte": "ailleurs"}
        if nom == "ailleurs"
        else acte(nom, ancien_mot_de_passe=MOT_DE_PASSE, nouveau_mot_de_passe=NEUF),
    )

    assert fait.headers["Location"] == f"{URL}?fait={nom}#fait"
    assert recente.lire(LISTE)
    assert recente.session.session_key != cle
    assert autre.get(LISTE).status_code == 302
    assert not Session.objects.actives().exists()
    gestionnaire.refresh_from_db()
    assert gestionnaire.check_password(NEUF if nom == "mot_de_passe" else MOT_DE_PASSE)


def test_qui_est_entre_par_un_code_le_reste(gestionnaire, settings):
    """Its session still counts as having proved its second factor, which the service asks for."""
    settings.STAFF_OTP_REQUIRED = True
    application, _codes = munir(gestionnaire)
    elle = Equipiere()
    elle.envoyer("/admin/login/", {"username": gestionnaire.email, "password": MOT_DE_PASSE, "next": URL})
    assert elle.envoyer("/equipe/connexion/", {"otp": application.code()}).headers["Location"] == URL

    elle.envoyer(URL, acte("mot_de_passe", ancien_mot_de_passe=MOT_DE_PASSE, nouveau_mot_de_passe=NEUF))

    assert elle.lire(LISTE)


def test_qui_doit_s_enroler_y_est_mene_d_abord(elle, settings):
    settings.STAFF_OTP_REQUIRED = True

    assert elle.get(URL).headers["Location"] == "/equipe/second-facteur/"


def test_changer_de_nom_et_demander_une_adresse_sont_au_registre(elle, gestionnaire):
    elle.envoyer(URL, acte("vous", prenom="Nadia", nom="Benali-Roy", langue="fr"))
    elle.envoyer(URL, acte("adresse", email="nadia@ailleurs.test", mot_de_passe=MOT_DE_PASSE))

    champs = [trace.details["champs"] for trace in Trace.objects.filter(acte=Acte.SON_COMPTE_MODIFIE).order_by("date")]
    assert champs == [["nom", "prenom"], ["email_en_attente"]]
    assert DemandeAdresse.objects.en_attente().get().par == gestionnaire


def test_l_administration_elle_meme_confirme_son_adresse(equipiere, admin):
    """Who may change anybody's at once by the API asks for the password here, as everybody."""
    elle = equipiere(admin)

    refus = elle.envoyer(URL, acte("adresse", email="rose@ailleurs.test", mot_de_passe="faux"))
    assert (refus.status_code, DemandeAdresse.objects.count()) == (422, 0)
    elle.envoyer(URL, acte("adresse", email="rose@ailleurs.test", mot_de_passe=MOT_DE_PASSE))

    assert DemandeAdresse.objects.en_attente().get().email == "rose@ailleurs.test"


def test_ses_donnees_sont_au_registre(recente, gestionnaire):
    reponse = recente.envoyer(URL, {"acte": "donnees"})

    assert (reponse.status_code, reponse.headers["Content-Type"]) == (200, "application/zip")
    assert b"".join(reponse.streaming_content).startswith(b"PK")
    assert Trace.objects.filter(acte=Acte.DONNEES_EXPORTEES, acteur=gestionnaire.pk).exists()

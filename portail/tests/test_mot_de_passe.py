"""From the pages of the campus, which one shows around, one's cases ask for the password again."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from accounts.models import Session
from accounts.tests.fabriques import MOT_DE_PASSE
from config.serveur import identites
from config.tests.outils import acteur_de
from discussions.models import Message
from portail.models import Acces, Brouillon
from portail.tests.outils import FAITS, cle_de, texte_de
from resources.models import Fichier
from signalements.models import Signalement
from socle.domaine.limites import Taux
from socle.realtime.auth import DemandeDeSocket

pytestmark = pytest.mark.django_db
PREUVE = "/compte/preuve/"
TITRE = "Un titre que personne d'autre ne lit"


def vieillir(duree=timedelta(minutes=10, seconds=1)):
    """As if the password had been given that long ago, all of it in use since."""
    Acces.objects.update(date_creation=timezone.now() - duree)


@pytest.fixture
def elle(visiteuse, etudiante):
    """A student with a case of her own, signed in."""
    visiteuse.se_connecter(etudiante)
    visiteuse.ecrire_en_son_nom(TITRE)
    return visiteuse


@pytest.fixture
def du_campus(elle):
    """She has shown the page of the campus to somebody, minutes after she signed in."""
    vieillir()
    elle.lire("/campus/")
    return elle


def test_qui_reste_sur_ses_dossiers_n_est_jamais_interrompu(elle):
    vieillir(timedelta(hours=3))

    assert TITRE in elle.lire("/dossiers/")
    assert elle.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour."}).status_code == 303


def test_le_mot_de_passe_donne_a_l_instant_suffit(elle):
    elle.lire("/campus/")

    assert TITRE in elle.lire("/dossiers/")
    vieillir()
    assert TITRE in elle.lire("/dossiers/1/")  # since, she has stayed there
    elle.lire("/campus/")
    assert elle.get("/dossiers/1/").status_code == 303


LUES = ["/dossiers/", "/dossiers/1/", "/dossiers/1/fichier/", "/recu/", "/rattacher/apercu/", "/rattacher/fait/"]


@pytest.mark.parametrize("adresse", LUES)
def test_du_campus_un_dossier_demande_le_mot_de_passe(du_campus, adresse):
    mene = du_campus.get(adresse)

    assert (mene.status_code, mene.headers["Location"]) == (303, f"{PREUVE}?retour={adresse}")
    assert mene.headers["Cache-Control"] == "no-store"
    page = du_campus.lire(mene.headers["Location"])
    assert TITRE not in page
    ouvert = du_campus.envoyer(PREUVE, {"mot_de_passe": MOT_DE_PASSE, "retour": adresse, **cle_de(page)})
    assert (ouvert.status_code, ouvert.headers["Location"]) == (303, adresse)
    assert du_campus.get(adresse).headers.get("Location", "") != mene.headers["Location"]


@pytest.mark.parametrize("adresse", ["/ecrire/faits/", "/ecrire/details/", "/ecrire/verifier/"])
def test_un_recit_commence_se_montre_apres_le_mot_de_passe_et_rien_n_est_perdu(elle, adresse):
    """Written before the campus was shown around, or begun from there: what is posted is kept first."""
    vieillir()
    elle.lire("/campus/")
    assert elle.lire("/ecrire/")
    assert 'name="description"' in elle.lire("/ecrire/faits/")
    assert elle.envoyer("/ecrire/faits/", FAITS).headers["Location"] == "/ecrire/details/"

    mene = elle.get(adresse)

    assert (mene.status_code, mene.headers["Location"]) == (303, f"{PREUVE}?retour={adresse}")
    elle.envoyer(PREUVE, {"mot_de_passe": MOT_DE_PASSE, "retour": adresse})
    assert elle.get(adresse).status_code == 200
    assert FAITS["description"] in elle.lire("/ecrire/faits/")


def test_ce_qui_se_tapait_seulement_ne_se_dit_ni_ne_s_efface_sans_le_mot_de_passe(elle):
    elle.envoyer("/ecrire/faits/", {**FAITS, "garder": "1"})
    vieillir()
    elle.lire("/campus/")

    mene = elle.get("/ecrire/faits/")
    assert (mene.status_code, mene.headers["Location"]) == (303, f"{PREUVE}?retour=/ecrire/faits/")
    assert elle.envoyer("/ecrire/faits/", {"reprendre": "non"}).headers["Location"] == mene.headers["Location"]
    assert Brouillon.objects.filter(date_envoi=None).count() == 1


def test_relire_ni_envoyer_ne_se_postent_sans_le_mot_de_passe(elle):
    elle.remplir()
    vieillir()
    elle.lire("/campus/")
    avant = Signalement.objects.count()

    for champs in ({"titre": "x"}, {"titre": "x", "version": "x"}, {"titre": "x", "vers": "nulle part"}):
        mene = elle.envoyer("/ecrire/verifier/", champs)
        assert (mene.status_code, mene.headers["Location"]) == (303, f"{PREUVE}?retour=/ecrire/verifier/")
    assert Signalement.objects.count() == avant
    assert elle.envoyer("/ecrire/verifier/", {"titre": "x", "vers": "avant"}).status_code == 303


def test_qu_un_espace_attende_ne_se_dit_pas_du_campus(visiteuse, etudiante):
    visiteuse.signaler("Un titre à moi")
    visiteuse.passer_au_compte(etudiante)
    vieillir()
    visiteuse.lire("/campus/")

    mene = visiteuse.get("/acces/")

    assert (mene.status_code, mene.headers["Location"]) == (303, f"{PREUVE}?retour=/acces/")
    assert "Un texte commencé et pas envoyé s'efface en fermant." in visiteuse.lire("/acces/terminer/")


def test_une_page_du_campus_ne_montre_ni_ne_compte_de_dossier(du_campus):
    page = du_campus.lire("/campus/")

    assert TITRE not in page
    assert "SIG-" not in page
    assert 'class="nb"' not in page
    assert "nouveau message" not in page


def test_un_texte_envoye_de_la_revient_apres_le_mot_de_passe(du_campus):
    demande = du_campus.envoyer("/dossiers/1/repondre/", {"contenu": "Il est revenu hier."})

    page = texte_de(demande)
    assert demande.status_code == 401
    assert "Il est revenu hier." in page
    assert TITRE not in page
    assert Message.objects.count() == 0
    champs = {"texte": "Il est revenu hier.", "rang": "1", "pour": du_campus.montre(1), **cle_de(page)}
    faux = texte_de(du_campus.envoyer(PREUVE, {"mot_de_passe": "faux", **champs}))
    assert "Il est revenu hier." in faux
    assert "faux" not in faux.replace("essais faux", "").replace("champ faux", "")
    repris = texte_de(du_campus.envoyer(PREUVE, {"mot_de_passe": MOT_DE_PASSE, **champs}))
    assert 'action="/dossiers/1/repondre/"' in repris
    assert "Il est revenu hier." in repris
    assert du_campus.envoyer("/dossiers/1/repondre/", {"contenu": "Il est revenu hier."}).status_code == 303


def test_ni_donnees_ni_fichier_sans_le_mot_de_passe(du_campus):
    donnees = du_campus.envoyer("/acces/donnees/")
    pour = f"1-{du_campus.montre(1).replace('-', '')}"
    envoi = {"pour": pour, "fichiers": SimpleUploadedFile("un.txt", b"Un.")}
    envoye = du_campus.envoyer("/fichiers/envoyer/", envoi)

    assert donnees.headers["Location"] == f"{PREUVE}?retour=/acces/donnees/"
    assert envoye.status_code == 303
    assert envoye.headers["Location"].startswith(PREUVE)
    assert Fichier.objects.count() == 0


def test_une_page_ouverte_avant_ne_se_tient_plus_a_jour_et_reste(du_campus):
    """428: none of the statuses on which its script leaves the screen, what is being typed with it."""
    lue = du_campus.get("/dossiers/1/", headers={"X-Direct": "1"})

    assert (lue.status_code, lue.content) == (428, b"")


def test_ses_sockets_ni_ses_envois_ne_s_ouvrent(du_campus, settings):
    jeton = du_campus.cookies["espace"].value
    entetes = [(b"cookie", f"espace={jeton}".encode()), (b"origin", settings.PUBLIC_URL.encode())]
    scope = {"path": "/fichiers/envoyer/", "headers": entetes, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80)}
    demande = DemandeDeSocket(scope=scope, parametres={"portail": "1"})

    refusee, envoi = identites.identifier([demande])[0], identites.televerse(scope)
    Acces.objects.update(date_campus=None)

    assert type(refusee).__name__ == "IdentiteRefusee"
    assert envoi is None
    assert type(identites.identifier([demande])[0]).__name__ == "Identite"
    assert identites.televerse(scope) is not None


@pytest.mark.parametrize("tape", ["", "faux"])
def test_un_mot_de_passe_faux_n_ouvre_rien(du_campus, tape):
    refus = du_campus.envoyer(PREUVE, {"mot_de_passe": tape, "retour": "/dossiers/"})

    assert refus.status_code == 422
    assert 'name="retour" value="/dossiers/"' in texte_de(refus)
    assert du_campus.get("/dossiers/").status_code == 303


def test_au_cinquieme_faux_l_espace_se_ferme_ici(du_campus):
    statuts = [du_campus.envoyer(PREUVE, {"mot_de_passe": f"faux {n}"}).status_code for n in range(5)]

    assert statuts == [422, 422, 422, 422, 401]
    assert Acces.objects.filter(date_fin=None).count() == 0
    assert Session.objects.filter(date_fin=None).count() == 0
    assert du_campus.get("/dossiers/").status_code == 401


def test_quatre_faux_puis_le_bon_recommencent_le_compte(du_campus):
    for _tour in range(2):
        for numero in range(4):
            du_campus.envoyer(PREUVE, {"mot_de_passe": f"faux {numero}"})
        assert du_campus.envoyer(PREUVE, {"mot_de_passe": MOT_DE_PASSE}).status_code == 303


def test_les_essais_se_comptent_comme_a_la_connexion(du_campus, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "login": Taux(2, 60)}
    for numero in range(2):
        du_campus.envoyer(PREUVE, {"mot_de_passe": f"faux {numero}"})

    refus = du_campus.envoyer(PREUVE, {"mot_de_passe": MOT_DE_PASSE})

    assert refus.status_code == 429
    assert int(refus.headers["Retry-After"]) > 0
    assert du_campus.get("/dossiers/").status_code == 303


@pytest.mark.parametrize(
    "ailleurs",
    [
        *("https://ailleurs.example/", "//ailleurs.example/dossiers/", "/\\ailleurs.example", "/dossiers/\n/"),
        *("dossiers/", "/quitter/", "/campus/", "/acces/terminer/", "/admin/", "/dossiers/" + "1" * 600),
        *("/dossiers/é/", "javascript:0"),
    ],
)
def test_la_page_ne_mene_qu_aux_dossiers(du_campus, ailleurs):
    mene = du_campus.envoyer(PREUVE, {"mot_de_passe": MOT_DE_PASSE, "retour": ailleurs})

    assert (mene.status_code, mene.headers["Location"]) == (303, "/dossiers/")


def test_recharger_la_reponse_ne_redonne_pas_le_mot_de_passe(du_campus, monkeypatch):
    """The browser keeps what was posted: sent again later, by whoever holds it, it proves nothing."""
    page = du_campus.lire(PREUVE)
    champs = {"mot_de_passe": MOT_DE_PASSE, **cle_de(page)}
    assert du_campus.envoyer(PREUVE, champs).status_code == 303
    monkeypatch.setattr("socle.pages.servies.secondes_depuis", lambda cle: 3600.0)
    vieillir()
    Acces.objects.update(date_mot_de_passe=timezone.now() - timedelta(minutes=11))
    du_campus.lire("/campus/")

    du_campus.envoyer(PREUVE, champs)

    assert du_campus.get("/dossiers/").status_code == 303


def test_un_espace_sans_compte_ne_la_rencontre_jamais(visiteuse):
    visiteuse.signaler()
    vieillir()
    assert visiteuse.get("/campus/").status_code == 403

    assert visiteuse.lire("/dossiers/1/")
    assert visiteuse.get(PREUVE).headers["Location"] == "/dossiers/"
    assert visiteuse.envoyer(PREUVE, {"mot_de_passe": "x"}).headers["Location"] == "/dossiers/"


def test_la_marque_est_d_un_compte_seul(elle, etudiante):
    assert Acces.objects.get().date_campus is None
    assert acteur_de(etudiante).compte == etudiante
    elle.lire("/campus/")

    assert Acces.objects.get().date_campus is not None

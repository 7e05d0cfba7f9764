"""« Mon compte » at the portal: its blocks, and what it keeps from whoever holds an open browser."""

import re
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Compte, DemandeAdresse, Preferences, Session
from accounts.services.adresses import confirmer
from accounts.services.comptes import changer_son_adresse
from accounts.services.sessions import connecter, fermer, renouveler
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de
from portail.models import Acces
from portail.tests.outils import Visiteuse, texte_de
from portail.vocabulaire import ESSAIS, PREUVE
from signalements.tests.fabriques import signalement
from socle.audit.models import Trace
from socle.domaine.limites import Taux
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
URL = "/compte/"
AUTRE = "awa.privee@ailleurs.test"
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
TELEPHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36"
NEUF = "Baobab-penché-sur-le-fleuve-77"
RESERVES = ("garder_adresse", "fermer", "ailleurs", "donnees")


@pytest.fixture
def elle(visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)
    return visiteuse


def acte(nom, /, **champs):
    """What the form of this act posts."""
    return {"acte": nom, **{f"{nom}-{champ}": valeur for champ, valeur in champs.items()}}


def vieillir(duree=PREUVE + timedelta(seconds=1)):
    """As if the password had been given that long ago, all of it in use since."""
    Acces.objects.update(date_creation=timezone.now() - duree, date_mot_de_passe=None)


def ailleurs(compte, agent=TELEPHONE, **ou):
    """A session of the same account, on another device."""
    return connecter(email=compte.email, mot_de_passe=MOT_DE_PASSE, adresse="192.0.2.7", agent=agent, **ou).session


# --- Who enters -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["etudiante", "gestionnaire", "admin"])
def test_tout_compte_y_trouve_ses_blocs(visiteuse, personne, role):
    visiteuse.se_connecter(personne(role))

    page = visiteuse.lire(URL)

    assert "<title>Espace · Campus</title>" in page
    for titre in ("Vous", "Adresse e-mail", "Mot de passe", "Appareils connectés", "Mes données"):
        assert f">{titre}</h2>" in page
    assert (">Connexion en deux étapes</h2>" in page) == (role != "etudiante")


def test_sans_compte_ouvert_on_est_mene_a_la_connexion_et_de_la_ici(visiteuse, etudiante):
    mene = visiteuse.get(URL)
    assert (mene.status_code, mene.headers["Location"]) == (303, "/compte/connexion/?retour=/compte/")

    entree = visiteuse.se_connecter(etudiante, retour=URL)

    assert (entree.status_code, entree.headers["Location"]) == (303, URL)
    assert Visiteuse().envoyer(URL, acte("vous")).status_code == 401


def test_un_espace_sans_compte_est_mene_a_son_acces(visiteuse):
    visiteuse.signaler()

    for reponse in (visiteuse.get(URL), visiteuse.envoyer(URL, acte("ailleurs"))):
        assert (reponse.status_code, reponse.headers["Location"]) == (303, "/acces/")


def test_le_campus_ferme_elle_est_encore_la(elle, settings):
    settings.CALENDRIER_PAGES = settings.FORUM_PAGES = settings.BIBLIOTHEQUE_PAGES = False

    page = elle.lire(URL)
    assert 'href="/campus/' not in page
    assert "E-mails du campus" not in page


def test_les_e_mails_d_une_salle_fermee_ne_s_offrent_pas_et_leur_choix_reste(elle, etudiante, settings):
    settings.FORUM_PAGES = False
    Preferences.objects.update_or_create(compte=etudiante, defaults={"avis_publications": True})
    page = elle.lire(URL)
    assert ("Mes événements" in page, "Mes publications" in page) == (True, False)

    caches = dict(re.findall(r'<input type="hidden" name="(du_campus-[a-z_]+)" value="([^"]*)"', page))
    elle.envoyer(URL, {"acte": "du_campus", "du_campus-avis_evenements": "on", **caches})

    preferences = Preferences.objects.get(compte=etudiante)
    assert (preferences.avis_evenements, preferences.avis_publications) == (True, True)


def test_elle_et_l_acces_se_menent_l_une_a_l_autre_et_rien_n_est_deux_fois(elle):
    acces, compte = elle.lire("/acces/"), elle.lire(URL)

    assert f'href="{URL}"' in acces
    assert 'href="/acces/"' in compte
    for deux_fois in ("/acces/ailleurs/", "/acces/donnees/"):
        assert deux_fois not in acces + compte
    assert f'href="{URL}"' in elle.lire("/campus/")


def test_elle_ne_dit_rien_d_un_dossier(elle, etudiante):
    sien = signalement(acteur_de(etudiante), titre="Un titre à moi")

    page = elle.lire(URL)

    assert sien.titre not in page
    assert sien.reference not in page


def test_de_la_ses_dossiers_redemandent_le_mot_de_passe(elle):
    elle.ecrire_en_son_nom("Un titre à moi")
    elle.lire(URL)
    vieillir()

    elle.lire(URL)

    assert elle.get("/dossiers/").headers["Location"] == "/compte/preuve/?retour=/dossiers/"


# --- Whoever holds the open browser, minutes later --------------------------------------------------------------------


@pytest.fixture
def plus_tard(elle, etudiante):
    """Her browser, minutes after she signed in: an address waits, and another device is open."""
    ailleurs(etudiante)
    elle.envoyer(URL, acte("adresse", email=AUTRE, mot_de_passe=MOT_DE_PASSE))
    vieillir()
    return elle


def test_plus_tard_rien_ne_dit_ses_appareils_ni_l_adresse_qui_attend(plus_tard):
    page = plus_tard.lire(URL)

    assert AUTRE not in page
    assert "Chrome, Android" not in page
    assert "Une autre attend d'être confirmée." in page
    assert "Télécharger mes données" not in page


@pytest.mark.parametrize("nom", RESERVES)
def test_plus_tard_un_acte_demande_d_abord_le_mot_de_passe(plus_tard, etudiante, nom):
    autre = Session.objects.get(appareil="Chrome, Android")
    avant = list(Session.objects.values()), list(DemandeAdresse.objects.values())

    refus = plus_tard.envoyer(URL, {"acte": nom, "session_id": str(autre.pk)})

    assert refus.status_code == 401
    assert "Écrivez votre mot de passe." in texte_de(refus)
    assert (list(Session.objects.values()), list(DemandeAdresse.objects.values())) == avant


def test_le_mot_de_passe_montre_le_reste(plus_tard):
    mene = plus_tard.envoyer(URL, acte("prouver", mot_de_passe=MOT_DE_PASSE))

    assert (mene.status_code, mene.headers["Location"]) == (303, f"{URL}#securite")
    page = plus_tard.lire(URL)
    assert AUTRE in page
    assert "Chrome, Android" in page


def test_au_cinquieme_mot_de_passe_faux_l_espace_se_ferme(plus_tard):
    statuts = [plus_tard.envoyer(URL, acte("prouver", mot_de_passe="faux")).status_code for _essai in range(ESSAIS)]

    assert statuts == [422] * (ESSAIS - 1) + [401]
    assert plus_tard.get(URL).status_code == 303


@pytest.mark.parametrize(
    ("nom", "champs"),
    [
        ("adresse", {"email": AUTRE, "mot_de_passe": "faux"}),
        ("mot_de_passe", {"ancien_mot_de_passe": "faux", "nouveau_mot_de_passe": NEUF}),
    ],
)
def test_un_mot_de_passe_faux_ne_change_rien_et_ne_revient_pas(elle, etudiante, nom, champs):
    refus = elle.envoyer(URL, acte(nom, **champs))

    assert refus.status_code == 422
    page = texte_de(refus)
    assert "Ce n'est pas votre mot de passe actuel." in page
    assert 'value="faux"' not in page
    assert NEUF not in page
    assert (AUTRE in page) == (nom == "adresse")
    etudiante.refresh_from_db()
    assert etudiante.check_password(MOT_DE_PASSE)
    assert not DemandeAdresse.objects.exists()


def test_les_mots_de_passe_faux_se_comptent(elle, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "login": Taux(2, 900)}
    essai = acte("adresse", email=AUTRE, mot_de_passe="faux")

    statuts = [elle.envoyer(URL, essai) for _fois in range(3)]

    assert [un.status_code for un in statuts] == [422, 422, 429]
    assert int(statuts[2].headers["Retry-After"]) > 0
    assert AUTRE in texte_de(statuts[2])


# --- Vous -------------------------------------------------------------------------------------------------------------


def test_changer_de_nom_et_de_langue(elle, etudiante):
    fait = elle.envoyer(URL, acte("vous", prenom="Awa", nom="N'Diaye", langue="en"))

    assert (fait.status_code, fait.headers["Location"]) == (303, f"{URL}?fait=vous#fait")
    etudiante.refresh_from_db()
    assert etudiante.nom_complet == "Awa N'Diaye"
    assert Preferences.langue_de(etudiante) == "en"
    assert '<html lang="en">' in elle.lire(f"{URL}?fait=vous")
    assert not LogEntry.objects.exists()
    assert not Trace.objects.exists()


@pytest.mark.parametrize(
    ("champs", "dit"),
    [
        ({"prenom": "  "}, "Écrivez votre prénom."),
        ({"nom": ""}, "Écrivez votre nom."),
        ({"nom": "x" * 256}, "Rien n'a été coupé."),
        ({"langue": "de"}, "Choisissez une langue."),
    ],
)
def test_un_nom_refuse_revient_comme_il_fut_tape(elle, etudiante, champs, dit):
    refus = elle.envoyer(URL, acte("vous", **{"prenom": "Awa", "nom": "Tapé", "langue": "fr", **champs}))

    page = texte_de(refus)
    assert (refus.status_code, dit in page, page.count("<title>Erreur :")) == (422, True, 1)
    assert champs.get("nom", "Tapé") in page
    assert Compte.objects.get(pk=etudiante.pk).nom == etudiante.nom
    assert not Preferences.objects.exists()


# --- Adresse ----------------------------------------------------------------------------------------------------------


def test_une_adresse_attend_son_lien_puis_compte(elle, etudiante):
    fait = elle.envoyer(URL, acte("adresse", email=AUTRE.upper(), mot_de_passe=MOT_DE_PASSE))

    assert fait.headers["Location"] == f"{URL}?fait=adresse#fait"
    assert f"<bdi>{AUTRE}</bdi> attend d'être confirmée" in elle.lire(URL)
    assert Compte.objects.get(pk=etudiante.pk).email == etudiante.email
    faire_les_taches()
    assert sorted(lettre.to[0] for lettre in mail.outbox) == sorted([AUTRE, etudiante.email])
    (a_l_ancienne,) = [lettre.body for lettre in mail.outbox if lettre.to == [etudiante.email]]
    assert AUTRE not in a_l_ancienne
    assert "avec votre mot de passe" in a_l_ancienne
    assert "administration demande" not in a_l_ancienne

    confirmer(token=DemandeAdresse.objects.get().jeton)

    assert Compte.objects.get(pk=etudiante.pk).email == AUTRE
    assert "attend d'être confirmée" not in elle.lire(URL)
    assert not Trace.objects.filter(acteur=etudiante.pk).exists()  # the register is of the team


def test_annuler_eteint_le_lien_deux_fois_aussi(elle):
    elle.envoyer(URL, acte("adresse", email=AUTRE, mot_de_passe=MOT_DE_PASSE))

    faits = [elle.envoyer(URL, {"acte": "garder_adresse"}).headers["Location"] for _fois in range(2)]

    assert faits == [f"{URL}?fait=adresse_gardee#fait"] * 2
    assert not DemandeAdresse.objects.en_attente().exists()


def test_l_adresse_de_quelqu_un_d_autre_est_refusee(elle, gestionnaire):
    refus = elle.envoyer(URL, acte("adresse", email=gestionnaire.email, mot_de_passe=MOT_DE_PASSE))

    assert refus.status_code == 409
    assert "Un compte existe déjà avec cette adresse e-mail." in texte_de(refus)
    assert not DemandeAdresse.objects.exists()


def test_la_sienne_dit_qu_elle_reste(elle, etudiante):
    fait = elle.envoyer(URL, acte("adresse", email=etudiante.email, mot_de_passe=MOT_DE_PASSE))

    assert fait.headers["Location"] == f"{URL}?fait=adresse_gardee#fait"
    assert mail.outbox == []


def test_les_adresses_demandees_ont_une_limite(elle, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "address_change": Taux(2, 86400)}

    statuts = [
        elle.envoyer(URL, acte("adresse", email=f"a{n}@ailleurs.test", mot_de_passe=MOT_DE_PASSE)).status_code
        for n in range(3)
    ]

    assert statuts == [303, 303, 429]
    assert DemandeAdresse.objects.en_attente().get().email == "a1@ailleurs.test"


def test_sans_e_mails_la_nouvelle_compte_aussitot(elle, etudiante, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

    fait = elle.envoyer(URL, acte("adresse", email=AUTRE, mot_de_passe=MOT_DE_PASSE))

    assert fait.headers["Location"] == f"{URL}?fait=adresse_changee#fait"
    etudiante.refresh_from_db()
    assert (etudiante.email, etudiante.email_verifie) == (AUTRE, False)
    assert LogEntry.objects.count() == 1  # an erasure must know by which address it named her


# --- Mot de passe -----------------------------------------------------------------------------------------------------


def test_changer_de_mot_de_passe_ferme_ailleurs_et_pas_ici(elle, etudiante):
    autre = ailleurs(etudiante)

    fait = elle.envoyer(URL, acte("mot_de_passe", ancien_mot_de_passe=MOT_DE_PASSE, nouveau_mot_de_passe=NEUF))

    assert fait.headers["Location"] == f"{URL}?fait=mot_de_passe#fait"
    assert "Votre mot de passe est changé." in elle.lire(f"{URL}?fait=mot_de_passe")
    etudiante.refresh_from_db()
    assert etudiante.check_password(NEUF)
    autre.refresh_from_db()
    assert autre.date_fin is not None


def test_un_mot_de_passe_trop_simple_dit_pourquoi(elle):
    refus = elle.envoyer(URL, acte("mot_de_passe", ancien_mot_de_passe=MOT_DE_PASSE, nouveau_mot_de_passe="court"))

    assert refus.status_code == 422
    assert 'aria-invalid="true"' in texte_de(refus)


# --- Appareils --------------------------------------------------------------------------------------------------------


def test_chaque_appareil_se_dit_en_mots_et_au_jour(visiteuse, etudiante):
    visiteuse.defaults["HTTP_USER_AGENT"] = AGENT
    visiteuse.se_connecter(etudiante)
    autre = ailleurs(etudiante)
    Session.objects.filter(pk=autre.pk).update(date_creation=timezone.now() - timedelta(days=3))
    ailleurs(etudiante, appareil="Ma tablette")

    lus = visiteuse.lire(URL).partition('id="appareils-titre"')[2].partition("</ul>")[0]

    assert lus.index("Firefox, Linux") < lus.index("Celui-ci") < lus.index("Ma tablette") < lus.index("Chrome, Android")
    assert lus.count("Vu le") == 2
    assert ":" not in lus.partition("Vu le")[2].partition("</span>")[0]  # no hour


def test_fermer_un_appareil_ferme_celui_la_et_lui_seul(elle, etudiante):
    l_un, l_autre = ailleurs(etudiante), ailleurs(etudiante)

    faits = [elle.envoyer(URL, {"acte": "fermer", "session_id": str(l_un.pk)}) for _fois in range(2)]

    assert [fait.headers["Location"] for fait in faits] == [f"{URL}?fait=fermer#fait"] * 2
    assert set(Session.objects.actives()) == {l_autre, Session.objects.get(appareil="")}


@pytest.mark.parametrize("qui", ["autrui", "celle_ci", "rien", "pas_un_id"])
def test_fermer_ne_ferme_ni_autrui_ni_celui_ci(elle, etudiante, gestionnaire, qui):
    autrui = ailleurs(gestionnaire)
    visees = {"autrui": autrui.pk, "celle_ci": Session.objects.get(compte=etudiante).pk, "rien": "", "pas_un_id": "x"}

    elle.envoyer(URL, {"acte": "fermer", "session_id": str(visees[qui])})

    assert Session.objects.actives().count() == 2


def test_tout_fermer_ailleurs_laisse_celui_ci(elle, etudiante):
    ailleurs(etudiante)

    fait = elle.envoyer(URL, {"acte": "ailleurs"})

    assert fait.headers["Location"] == f"{URL}?fait=ailleurs#fait"
    assert Session.objects.actives().count() == 1
    assert elle.lire(URL)


def test_un_appareil_et_neuf_coutent_autant(elle, etudiante):
    ailleurs(etudiante)
    elle.lire(URL)
    with CaptureQueriesContext(connection) as avec_un:
        elle.lire(URL)
    for _fois in range(8):
        ailleurs(etudiante)

    with CaptureQueriesContext(connection) as avec_neuf:
        assert elle.lire(URL).count("Chrome, Android</bdi>") == 9

    assert len(avec_un) == len(avec_neuf)


# --- Mes données ------------------------------------------------------------------------------------------------------


def test_ses_donnees_se_telechargent(elle):
    reponse = elle.envoyer(URL, {"acte": "donnees"})

    assert (reponse.status_code, reponse.headers["Content-Type"]) == (200, "application/zip")
    assert b"".join(reponse.streaming_content).startswith(b"PK")


def test_un_acte_inconnu_ne_fait_rien(elle):
    assert elle.envoyer(URL, {"acte": "x"}).headers["Location"] == URL


# --- Two at once ------------------------------------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_de_huit_adresses_demandees_a_la_fois_une_seule_attend(etudiante):
    def demander(n):
        changer_son_adresse(acteur=acteur_de(etudiante), email=f"a{n}@ailleurs.test", mot_de_passe=MOT_DE_PASSE)

    assert ensemble([partial(demander, n) for n in range(8)]) == [None] * 8
    assert DemandeAdresse.objects.count() == 8
    assert DemandeAdresse.objects.en_attente().count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_une_session_fermee_pendant_qu_elle_se_renouvelle_ne_rouvre_rien(etudiante):
    ouverte = connecter(email=etudiante.email, mot_de_passe=MOT_DE_PASSE, adresse="192.0.2.7")
    actes = [
        partial(fermer, acteur=acteur_de(etudiante), session_id=ouverte.session_id),
        partial(renouveler, jeton=ouverte.refresh_token),
    ]

    fermee, _renouvelee = ensemble(actes)
    # Renewed first, it is another session by then: the page shows that one.
    for une in Session.objects.actives():
        fermer(acteur=acteur_de(etudiante), session_id=une.pk)

    assert fermee is None
    assert not Session.objects.actives().exists()

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Compte, DemandeMotDePasse, Invitation
from accounts.services import mot_de_passe_oublie
from accounts.tests import fabriques
from accounts.tests.outils import AUTH, jeton_recu, se_connecter, statut_du_jeton
from config.tests.outils import ClientApi
from config.tests.outils.typographie import ordinaire
from socle.domaine.limites import Taux
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
NOUVEAU = "Baobab-penché-77"
ACCUEIL = "/"
PAGES = ["/reinitialisation", "/invitation"]
OUBLI = "/mot-de-passe-oublie"


@pytest.fixture
def liens(etudiante, admin):
    """The living token of each page."""
    mot_de_passe_oublie.demander(email=etudiante.email)
    invitation = fabriques.invitation(admin, email="ines@campus.test")
    return {"/reinitialisation": DemandeMotDePasse.objects.get().jeton, "/invitation": invitation.jeton}


def formulaire(page, jeton, mot_de_passe=NOUVEAU):
    if page == "/reinitialisation":
        return {"token": jeton, "nouveau_mot_de_passe": mot_de_passe}
    return {"token": jeton, "nom": "Lukusa", "prenom": "Inès", "mot_de_passe": mot_de_passe}


@pytest.mark.parametrize("page", PAGES)
def test_un_lien_vivant_ouvre_un_formulaire(client, liens, page):
    reponse = client.get(page, {"token": liens[page]})

    texte = ordinaire(reponse.content.decode())
    email = "awa@campus.test" if page == "/reinitialisation" else "ines@campus.test"
    assert reponse.status_code == 200
    assert '<html lang="fr">' in texte
    assert "8 caractères au moins." in texte
    assert f"<strong>{email}</strong>" in texte
    assert f'value="{liens[page]}"' in texte
    assert 'type="password"' in texte


@pytest.mark.parametrize("chemin", [*PAGES, OUBLI, "/rien-ici"])
def test_l_onglet_dit_le_nom_du_service(client, settings, chemin):
    settings.PORTAIL_NOM = "Écoute"

    assert " · Écoute</title>" in client.get(chemin, headers={"accept": "text/html"}).content.decode()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("jeton", [None, "", "n-importe-quoi", "a:b", "é" * 600, "a\x00b"])
def test_un_lien_mort_le_dit_et_dit_quoi_faire(client, liens, page, jeton):
    reponse = client.get(page, {} if jeton is None else {"token": jeton})

    assert reponse.status_code == 404
    assert "Ce lien est incomplet" in reponse.content.decode()
    assert "<form" not in reponse.content.decode()


@pytest.mark.parametrize("page", PAGES)
def test_le_lien_d_une_page_n_ouvre_pas_l_autre(client, liens, page):
    l_autre = next(chemin for chemin in PAGES if chemin != page)

    assert client.get(page, {"token": liens[l_autre]}).status_code == 404


def test_la_page_change_le_mot_de_passe_une_seule_fois(client, etudiante, liens):
    session = se_connecter(etudiante).json()["data"]
    donnees = formulaire("/reinitialisation", liens["/reinitialisation"])

    premiere, seconde = (client.post("/reinitialisation", donnees) for _rang in range(2))

    assert (premiere.status_code, seconde.status_code) == (200, 404)
    assert "Votre mot de passe est changé." in premiere.content.decode()
    assert statut_du_jeton(session["token"]) == 401
    assert se_connecter(etudiante, motDePasse=NOUVEAU).status_code == 200


def test_la_page_d_invitation_cree_le_compte_invite(client, liens):
    reponse = client.post("/invitation", formulaire("/invitation", liens["/invitation"]))

    compte = Compte.objects.get(email="ines@campus.test")
    assert (reponse.status_code, compte.type_utilisateur) == (200, "GESTIONNAIRE")
    assert "Votre compte est créé." in reponse.content.decode()
    assert Invitation.objects.get().statut == "ACCEPTED"


def test_la_page_d_invitation_cite_le_mot_aussi_apres_un_refus(client, admin):
    invitation = fabriques.invitation(admin, mot="Bienvenue !\n<b>Lis</b> https://ici.test")
    refusee = {**formulaire("/invitation", invitation.jeton), "mot_de_passe": "court"}

    pages = [client.get("/invitation", {"token": invitation.jeton}), client.post("/invitation", refusee)]

    cite = '<blockquote class="dit" dir="auto">Bienvenue !\n&lt;b&gt;Lis&lt;/b&gt; https://ici.test</blockquote>'
    for page in pages:
        texte = page.content.decode()
        assert f"<bdi>{admin.nom_complet}</bdi> vous écrit\u00a0:" in texte
        assert cite in texte
        assert "ici.test" not in "".join(re.findall(r"href=\S+", texte))


def test_sans_mot_ni_avec_un_lien_mort_la_page_ne_nomme_qui_que_ce_soit(client, admin, liens):
    retiree = fabriques.invitation(admin, mot="Bienvenue !", statut="REVOKED")

    pages = [client.get("/invitation", {"token": jeton}) for jeton in (liens["/invitation"], retiree.jeton)]

    assert [page.status_code for page in pages] == [200, 404]
    morte = ordinaire(pages[1].content.decode())
    assert "Cette invitation n'est plus valable :" in morte
    assert "elle a été remplacée ou retirée" in morte
    assert 'href="/compte/connexion/"' in morte.partition("<main")[2]
    assert 'href="/equipe/dossiers/"' in morte.partition("<main")[2]
    for page in pages:
        for absent in (admin.nom_complet, "Bienvenue", "vous écrit"):
            assert absent not in page.content.decode()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("role", "mene_a_l_espace"), [("UTILISATEUR", False), ("GESTIONNAIRE", True), ("ADMIN_SYSTEME", True)]
)
def test_a_la_fin_chacun_apprend_ou_se_connecter(client, etudiante, liens, page, role, mene_a_l_espace):
    Compte.objects.filter(pk=etudiante.pk).update(type_utilisateur=role)
    Invitation.objects.update(type_utilisateur=role)

    texte = ordinaire(client.post(page, formulaire(page, liens[page])).content.decode())

    email = "awa@campus.test" if page == "/reinitialisation" else "ines@campus.test"
    assert ('href="/equipe/dossiers/"' in texte) is mene_a_l_espace
    assert (f"là où vous utilisez ce service, avec l'adresse {email}" in texte) is not mene_a_l_espace
    assert ('href="/compte/connexion/"' in texte) is not mene_a_l_espace


@pytest.mark.parametrize("page", PAGES)
def test_sans_portail_la_fin_n_y_mene_pas(client, liens, settings, page):
    settings.PORTAIL_ENABLED = False
    Invitation.objects.update(type_utilisateur="UTILISATEUR")

    texte = client.post(page, formulaire(page, liens[page])).content.decode()

    assert "là où vous utilisez ce service" in texte
    assert "/compte/connexion/" not in texte


def test_une_adresse_envoyee_a_la_page_d_invitation_ne_compte_pas(client, liens):
    donnees = {**formulaire("/invitation", liens["/invitation"]), "email": "pirate@campus.test"}

    client.post("/invitation", {**donnees, "type_utilisateur": "ADMIN_SYSTEME"})

    assert not Compte.objects.filter(email="pirate@campus.test").exists()
    assert Compte.objects.get(email="ines@campus.test").type_utilisateur == "GESTIONNAIRE"


def test_une_invitee_qui_a_deja_un_compte_l_apprend(client, liens):
    fabriques.compte(email="ines@campus.test")

    reponse = client.post("/invitation", formulaire("/invitation", liens["/invitation"]))

    assert reponse.status_code == 200
    assert "Un compte existe déjà" in reponse.content.decode()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("langue", "raison"),
    [("fr", "Ce mot de passe est trop court"), ("en", "This password is too short")],
)
def test_un_mot_de_passe_faible_dit_pourquoi_dans_la_langue_demandee(client, etudiante, liens, page, langue, raison):
    donnees = formulaire(page, liens[page], "Cour7!x")

    reponse = client.post(page, donnees, headers={"Accept-Language": langue})

    texte = reponse.content.decode()
    assert raison in texte
    assert f'<html lang="{langue}">' in texte
    assert "Cour7!x" not in texte
    etudiante.refresh_from_db()
    assert not etudiante.check_password("Cour7!x")
    assert not Compte.objects.filter(email="ines@campus.test").exists()


@pytest.mark.parametrize("page", PAGES)
def test_l_anglais_est_servi_a_qui_le_demande(client, liens, page):
    texte = client.get(page, {"token": liens[page]}, headers={"Accept-Language": "en"}).content.decode()

    assert '<html lang="en">' in texte
    assert "password" in texte.partition("<main")[2].lower()
    assert "mot de passe" not in texte.lower()


@pytest.mark.parametrize("page", PAGES)
def test_un_formulaire_incomplet_revient_avec_ses_raisons(client, liens, page):
    reponse = client.post(page, {"token": liens[page]})

    assert reponse.status_code == 200
    assert 'role="alert"' in reponse.content.decode()


def test_une_page_dit_d_un_coup_tout_ce_qui_est_a_corriger(client, liens):
    donnees = formulaire("/invitation", liens["/invitation"], "Lukusa12") | {"prenom": ""}

    texte = client.post("/invitation", donnees).content.decode()

    assert "Ce champ est obligatoire." in texte
    assert "trop semblable" in texte
    assert "<title>Erreur\u00a0: " in texte
    assert "autofocus" not in texte  # the list of what is wrong takes the focus
    liste = texte.partition('class="resume" role="alert" tabindex="-1"')[2].partition("</div>")[0]
    assert re.findall(r'href="#(\w+)"', liste) == ["id_prenom", "id_mot_de_passe"]
    assert texte.count('class="erreur" id="id_mot_de_passe_error"') == 1
    assert not Compte.objects.filter(email="ines@campus.test").exists()


@pytest.mark.parametrize("page", PAGES)
def test_le_jeton_de_formulaire_est_exige(liens, page):
    client = Client(enforce_csrf_checks=True)

    reponse = client.post(page, formulaire(page, liens[page]))

    assert reponse.status_code == 403
    assert DemandeMotDePasse.objects.filter(date_utilisation__isnull=True).exists()
    assert Invitation.objects.get().statut == "PENDING"


@pytest.mark.parametrize("page", PAGES)
def test_le_formulaire_de_la_page_passe_sa_propre_garde(liens, page):
    client = Client(enforce_csrf_checks=True)
    texte = client.get(page, {"token": liens[page]}).content.decode()
    garde = texte.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]

    reponse = client.post(page, {**formulaire(page, liens[page]), "csrfmiddlewaretoken": garde})

    assert (reponse.status_code, 'class="fait"' in reponse.content.decode()) == (200, True)


@pytest.mark.parametrize("page", PAGES)
def test_le_lien_ne_sort_ni_par_le_referent_ni_par_un_cache_ni_par_un_cadre(client, liens, page):
    reponse = client.get(page, {"token": liens[page]})

    assert reponse["Referrer-Policy"] == "same-origin"
    assert "no-store" in reponse["Cache-Control"]
    assert reponse["X-Frame-Options"] == "DENY"
    assert "default-src 'self'" in reponse["Content-Security-Policy"]
    assert "http" not in reponse.content.decode().replace("http-equiv", "")


def test_un_nom_qui_ne_montre_rien_est_redemande_et_celui_qui_deborde_tient_sur_sa_ligne(client, liens):
    bonnes = formulaire("/invitation", liens["/invitation"])

    refus = client.post("/invitation", {**bonnes, "nom": "\u3164\u200b"})
    assert refus.context["form"].errors.keys() == {"nom"}
    assert not Compte.objects.filter(email="ines@campus.test").exists()
    client.post("/invitation", {**bonnes, "nom": "Ka\u202enza", "prenom": "Nadia\u2067"})
    compte = Compte.objects.get(email="ines@campus.test")
    assert (compte.nom, compte.prenom) == ("Kanza", "Nadia\u2067\u2069")


def test_une_invitation_expiree_pendant_la_saisie_ne_cree_rien(client, liens):
    Invitation.objects.update(expire_le=timezone.now())

    reponse = client.post("/invitation", formulaire("/invitation", liens["/invitation"]))

    assert reponse.status_code == 404
    assert not Compte.objects.filter(email="ines@campus.test").exists()


# --- A forgotten password -------------------------------------------------------------------------------------------


def oublier(email, client=None, **extra):
    return (client or Client()).post(OUBLI, {"email": email}, **extra)


def test_la_connexion_de_l_equipe_mene_a_la_page(client):
    assert f'href="{OUBLI}"' in client.get("/admin/login/").content.decode()
    assert 'type="email"' in client.get(OUBLI).content.decode()


def test_un_lien_mort_mene_a_un_autre_quand_il_se_demande(client):
    textes = {page: client.get(page).content.decode() for page in PAGES}

    assert {page: f'href="{OUBLI}"' in texte for page, texte in textes.items()} == {
        "/reinitialisation": True,
        "/invitation": False,  # it is for somebody else to give
    }


def test_la_page_envoie_le_lien_qui_change_le_mot_de_passe(client, etudiante, mailoutbox):
    oublier("  AWA@campus.test ", client)
    faire_les_taches()

    (message,) = mailoutbox
    reponse = client.post("/reinitialisation", formulaire("/reinitialisation", jeton_recu(message)))
    assert (message.to, reponse.status_code) == (["awa@campus.test"], 200)
    assert se_connecter(etudiante, motDePasse=NOUVEAU).status_code == 200


def test_une_adresse_connue_une_inconnue_et_une_close_ont_la_meme_reponse_et_le_meme_cout(etudiante, mailoutbox):
    fabriques.compte(email="close@campus.test", est_actif=False)
    reponses, couts = [], []
    for email in ("awa@campus.test", "personne@campus.test", "close@campus.test"):
        with CaptureQueriesContext(connection) as requetes:
            reponses.append(oublier(email))
        couts.append([r["sql"].split(" ", 1)[0] for r in requetes])
    faire_les_taches()

    assert [reponse.status_code for reponse in reponses] == [200] * 3
    assert "Si un compte existe à cette adresse" in reponses[0].content.decode()
    assert len({reponse.content for reponse in reponses}) == 1
    assert couts[0] == couts[1] == couts[2]
    assert [message.to for message in mailoutbox] == [["awa@campus.test"]]


@pytest.mark.parametrize("email", ["", "pas une adresse", "a\x00b@campus.test", "a" * 300 + "@campus.test"])
def test_une_adresse_illisible_revient_avec_sa_raison_et_ne_demande_rien(db, email):
    reponse = oublier(email)

    assert (reponse.status_code, 'role="alert"' in reponse.content.decode()) == (200, True)
    assert not DemandeMotDePasse.objects.exists()


@pytest.mark.parametrize(
    ("portee", "seconde"),
    [("forgot_password_account", "awa@campus.test"), ("forgot_password_address", "lea@campus.test")],
)
def test_la_page_et_l_api_comptent_ensemble_dans_les_limites(etudiante, settings, portee, seconde):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, portee: Taux(1, 3600)}
    assert ClientApi().post(f"{AUTH}forgot-password", {"email": "awa@campus.test"}).status_code == 200

    refusee = oublier(seconde)

    assert (refusee.status_code, "Trop de tentatives" in refusee.content.decode()) == (429, True)
    assert 0 < int(refusee["Retry-After"]) <= 3600
    assert DemandeMotDePasse.objects.count() == 1


def test_la_demande_exige_le_jeton_de_formulaire(etudiante):
    assert oublier(etudiante.email, Client(enforce_csrf_checks=True)).status_code == 403
    assert not DemandeMotDePasse.objects.exists()


def test_la_page_parle_anglais_a_qui_le_demande(db):
    texte = oublier("x@campus.test", headers={"Accept-Language": "en"}).content.decode()

    assert '<html lang="en">' in texte
    assert "If an account exists" in texte


# --- The front door -------------------------------------------------------------------------------------------------


def test_sans_portail_l_accueil_mene_a_la_documentation_et_a_l_espace_de_l_equipe(client, settings):
    settings.PORTAIL_ENABLED = False

    texte = client.get(ACCUEIL).content.decode()

    assert 'href="/api/v1/docs"' in texte
    assert 'href="/admin/"' in texte


# --- Links as mail programs and people hand them on -----------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    "tel_que_recu",
    ["{}.", "{})", "<{}>", "{}>", "«\u00a0{}\u00a0»", '"{}"', "{},", "{}\u200b", "{}%3E", "{} "],
)
def test_un_lien_recopie_avec_ce_qui_l_entoure_ouvre(client, liens, page, tel_que_recu):
    assert client.get(page, {"token": tel_que_recu.format(liens[page])}).status_code == 200


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("fois", [1, 2])
def test_un_lien_encode_une_fois_de_plus_ouvre(client, liens, page, fois):
    jeton = liens[page]
    for _fois in range(fois):
        jeton = jeton.replace("%", "%25").replace(":", "%3A")

    assert client.get(page, {"token": jeton}).status_code == 200


def test_un_jeton_recopie_sert_a_l_api_aussi(client, etudiante, liens):
    corps = {"token": f"{liens['/reinitialisation']}.", "nouveauMotDePasse": NOUVEAU}

    assert ClientApi().post(f"{AUTH}reset-password", corps).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_un_lien_coupe_se_dit_incomplet_et_un_lien_servi_se_dit_servi(client, liens, page):
    coupe = client.get(page, {"token": liens[page][:-5]})
    client.post(page, formulaire(page, liens[page]))
    servi = client.get(page, {"token": liens[page]})

    assert (coupe.status_code, servi.status_code) == (404, 404)
    assert "Ce lien est incomplet" in coupe.content.decode()
    assert "il a déjà servi" not in coupe.content.decode()
    assert "a déjà servi" in servi.content.decode()


@pytest.mark.parametrize("page", PAGES)
def test_un_navigateur_sait_pour_quel_compte_il_garde_le_mot_de_passe(client, liens, page):
    email = "awa@campus.test" if page == "/reinitialisation" else "ines@campus.test"

    assert f'autocomplete="username" value="{email}"' in client.get(page, {"token": liens[page]}).content.decode()


def test_aucune_absence_ne_repond_a_nos_e_mails(etudiante, admin, mailoutbox):
    mot_de_passe_oublie.demander(email=etudiante.email)
    fabriques.invitation(admin, email="ines@campus.test")
    faire_les_taches()

    assert mailoutbox
    for message in mailoutbox:
        entetes = message.message()
        assert (entetes["Auto-Submitted"], entetes["X-Auto-Response-Suppress"]) == ("auto-generated", "All")

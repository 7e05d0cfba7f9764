import html
import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.contrib import admin as site_admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.erreurs import TientEncore
from accounts.models import Compte, Session
from accounts.site import QUE_FAIRE, que_faire
from accounts.tests import fabriques
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import AUTH, entrer, se_connecter, statut_du_jeton
from config.tests.outils import acteur_de
from echeances.models import Delai, JourFerme
from equipes.tests import fabriques as equipes
from forum.tests import fabriques as forum
from reponses.tests import fabriques as reponses
from resources.tests import fabriques as resources
from signalements.services import assigner
from socle.domaine.droits import Role
from socle.domaine.limites import Taux
from stats.tests import fabriques as exports

pytestmark = pytest.mark.django_db
COMPTES = "/admin/accounts/compte/"
NOUVEAU = "Baobab-penché-77"


def est_entre(client):
    return client.get("/admin/").status_code == 200


def messages(reponse):
    return [(message.level_tag, str(message)) for message in reponse.context["messages"]]


def formulaire(compte, **champs):
    return {
        "email": compte.email,
        "prenom": compte.prenom,
        "nom": compte.nom,
        "type_utilisateur": compte.type_utilisateur,
        "telephone": compte.telephone,
        "bureau_genre_id": compte.bureau_genre_id,
        **champs,
    }


def agir(client, action, *comptes, **champs):
    donnees = {"action": action, "_selected_action": [str(c.pk) for c in comptes], **champs}
    return client.post(COMPTES, donnees, follow=True, headers={"Accept-Language": "fr"})


def desactiver(client, *comptes):
    """What the page of confirmation sends."""
    return agir(client, "desactiver", *comptes, confirme="oui")


# --- Who enters -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("persona", "entre"), [("etudiante", False), ("gestionnaire", True), ("admin", True)])
def test_l_equipe_seule_entre(personne, persona, entre):
    assert est_entre(entrer(personne(persona).email)) is entre


def test_une_mauvaise_entree_se_dit_en_une_phrase_la_meme_pour_tous(admin, etudiante):
    essais = ((admin.email, "faux"), ("inconnue@campus.test", MOT_DE_PASSE), (etudiante.email, MOT_DE_PASSE))

    refus = [Client().post("/admin/login/", {"username": qui, "password": mot}) for qui, mot in essais]

    dites = [reponse.context["form"].non_field_errors() for reponse in refus]
    assert dites == [["E-mail ou mot de passe incorrect, ou compte qui n'est pas de l'équipe."]] * 3


@pytest.mark.parametrize("portail", [True, False])
def test_la_porte_a_une_issue_et_l_autre_langue(settings, admin, portail):
    settings.PORTAIL_ENABLED = portail
    client = Client(headers={"Accept-Language": "fr"})
    page = client.get("/admin/login/?next=/equipe/membres/").content.decode()

    autre = client.post("/admin/login/", {"vers": "en", "next": "/equipe/membres/"})

    assert (page.count('href="/"') >= 2) is portail
    assert 'href="/admin/"' not in page  # it leads to itself
    assert autre.headers["Location"] == "/admin/login/?next=%2Fequipe%2Fmembres%2F"
    anglais = client.get(autre.headers["Location"]).content.decode()
    assert '<html lang="en">' in anglais
    assert "Sign in" in anglais
    assert not re.search(r"[Ll]og in|Forgotten your", anglais)
    dehors = client.post("/admin/login/", {"vers": "en", "next": "//ailleurs.test"})
    assert dehors.headers["Location"].endswith("?next=%2Fadmin%2F")
    assert est_entre(entrer(admin.email))


@pytest.mark.parametrize(
    ("email", "mot_de_passe"),
    [
        ("rose@campus.test", "faux"),
        ("inconnue@campus.test", MOT_DE_PASSE),
        ("rose@campus.test", ""),
        ("a\x00b", "a\x00b"),
        ("x" * 300, "y" * 3000),
    ],
)
def test_une_mauvaise_entree_reste_a_la_porte(admin, email, mot_de_passe):
    assert not est_entre(entrer(email, mot_de_passe))


def test_la_casse_de_l_adresse_ne_compte_pas(admin):
    assert est_entre(entrer(" ROSE@campus.test "))


def test_un_compte_desactive_n_entre_pas_et_ne_reste_pas(admin, gestionnaire):
    dedans = entrer(gestionnaire.email)
    Compte.objects.filter(pk=gestionnaire.pk).update(est_actif=False)

    assert not est_entre(dedans)
    assert not est_entre(entrer(gestionnaire.email))


@pytest.mark.parametrize("cle", ['"\\000aaaaaaaaaaaaaaaa"', "é" * 20, "'; --", ""])
def test_un_cookie_qu_aucune_session_ne_peut_avoir_n_en_ouvre_aucune(db, cle):
    reponse = Client().get("/admin/", HTTP_COOKIE=f"sessionid={cle}")

    assert (reponse.status_code, reponse.url) == (302, "/admin/login/?next=/admin/")


def test_changer_de_mot_de_passe_fait_sortir(admin, gestionnaire, api):
    dedans = entrer(gestionnaire.email)

    api(admin).put(f"/api/v1/comptes/{gestionnaire.pk}/reset-password", {"nouveauMotDePasse": NOUVEAU})

    assert not est_entre(dedans)


def test_reactiver_ne_rend_pas_les_cookies_d_avant(admin, gestionnaire, api):
    dedans = entrer(gestionnaire.email)

    for acte in ("deactivate", "reactivate"):
        api(admin).put(f"/api/v1/comptes/{gestionnaire.pk}/{acte}")

    assert not est_entre(dedans)
    assert est_entre(entrer(gestionnaire.email))


def test_un_role_perdu_fait_sortir(admin, gestionnaire):
    dedans = entrer(gestionnaire.email)
    Compte.objects.filter(pk=gestionnaire.pk).update(type_utilisateur=Role.UTILISATEUR)

    assert not est_entre(dedans)


class TestEchecsLimites:
    @pytest.fixture(autouse=True)
    def _limites(self, settings):
        settings.THROTTLE_ENABLED = True
        settings.THROTTLES = {**settings.THROTTLES, "login": Taux(3, 86_400)}

    def test_apres_trop_d_echecs_meme_le_bon_mot_de_passe_attend(self, admin):
        for _rang in range(3):
            entrer(admin.email, "faux")

        assert not est_entre(entrer(admin.email))
        assert est_entre(entrer(admin.email, REMOTE_ADDR="10.0.0.9"))

    def test_l_espace_de_l_equipe_et_l_api_partagent_leur_compte(self, admin, api):
        for _rang in range(2):
            entrer(admin.email, "faux")
        api(None).post(f"{AUTH}login", {"email": admin.email, "motDePasse": "faux"})

        assert not est_entre(entrer(admin.email))
        assert se_connecter(admin).status_code == 429

    def test_la_page_dit_combien_attendre_et_rien_du_mot_de_passe(self, admin):
        donnees = {"username": admin.email, "password": "faux"}

        refus = [Client().post("/admin/login/", donnees, headers={"Accept-Language": "fr"}) for _rang in range(4)]

        texte = html.unescape(refus[-1].content.decode())
        assert [r.status_code for r in refus] == [200, 200, 200, 429]
        assert int(refus[-1]["Retry-After"]) > 0
        assert "Trop de tentatives. Réessayez dans" in texte
        assert texte.count('<div class="resume"') == 1
        assert "mot de passe corrects" not in texte

    def test_un_mot_de_passe_essaye_sur_beaucoup_de_comptes_attend(self, admin, etudiante, settings):
        settings.THROTTLES = {**settings.THROTTLES, "login_address": Taux(3, 86_400)}
        for email in ("un@campus.test", etudiante.email, "deux@campus.test"):
            entrer(email, "faux")

        assert not est_entre(entrer(admin.email))
        assert se_connecter(admin).status_code == 429
        assert est_entre(entrer(admin.email, REMOTE_ADDR="10.0.0.9"))


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_sortir_se_dit_et_mene_a_l_entree_de_l_espace(personne, persona):
    client = entrer(personne(persona).email)

    sortie = client.post("/admin/logout/", headers={"Accept-Language": "fr"})

    page = html.unescape(sortie.content.decode())
    assert "<h1>Vous êtes déconnecté·e</h1>" in page
    assert re.findall(r'<a [^>]*href="([^"]*)"', page) == ["/admin/login/?next=/equipe/dossiers/"]
    assert not est_entre(client)


def test_l_entree_exige_le_jeton_de_formulaire(admin):
    client = Client(enforce_csrf_checks=True)

    assert client.post("/admin/login/", {"username": admin.email, "password": MOT_DE_PASSE}).status_code == 403


# --- What each sees -------------------------------------------------------------------------------------------------


def pages_de(modele, objet):
    nom = f"admin:{modele._meta.app_label}_{modele._meta.model_name}"
    return {
        reverse(f"{nom}_changelist"),
        f"{reverse(f'{nom}_changelist')}?q=a",
        reverse(f"{nom}_change", args=[objet.pk]),
        reverse(f"{nom}_history", args=[objet.pk]),
    }


@pytest.fixture
def tout(admin, etudiante, signalement, signalement_invite, participation):
    """A row in every table of the admin site that can have one by now."""
    fabriques.invitation(admin)
    forum.commentaire(acteur_de(admin), forum.poste(acteur_de(etudiante), par=acteur_de(admin)))
    forum.demande(acteur_de(admin), forum.poste(acteur_de(etudiante), par=acteur_de(admin)))
    forum.mot("crétin")
    resources.faq()
    resources.contact()
    reponses.modele()
    reponses.orientation()
    Delai.objects.create(nature="RETOUR", nombre=3, unite="MOIS")
    JourFerme.objects.create(jour="2026-12-24")
    equipes.regle(equipes.equipe(admin))
    resources.ressource(admin, file_id=resources.fichier(acteur_de(admin)).pk)
    exports.export(admin)
    LogEntry.objects.log_actions(admin.pk, [etudiante], CHANGE, "")
    se_connecter(etudiante)
    Client().post(f"{AUTH}forgot-password", {"email": etudiante.email}, content_type="application/json")


@pytest.mark.parametrize("langue", ["fr", "en"])
def test_toutes_les_pages_s_ouvrent_a_l_administration(admin, tout, langue):
    client = entrer(admin.email)
    pages = {"/admin/"}
    for modele in site_admin.site._registry:
        assert modele.objects.exists(), modele
        pages |= pages_de(modele, modele.objects.first())

    statuts = {page: client.get(page, headers={"Accept-Language": langue}).status_code for page in sorted(pages)}

    assert {page: statut for page, statut in statuts.items() if statut != 200} == {}


@pytest.mark.parametrize("modele", [Compte, Session, fabriques.Invitation])
def test_un_gestionnaire_ne_touche_jamais_aux_comptes(gestionnaire, tout, modele):
    client = entrer(gestionnaire.email)

    for page in pages_de(modele, modele.objects.first()):
        assert client.get(page).status_code == 403, page
    assert "accounts" not in client.get("/admin/").content.decode()


def test_un_gestionnaire_n_agit_pas_sur_un_compte_par_une_requete_forgee(gestionnaire, etudiante):
    client = entrer(gestionnaire.email)

    action = agir(client, "desactiver", etudiante)
    champs = formulaire(gestionnaire, type_utilisateur=Role.ADMIN_SYSTEME)
    change = client.post(f"{COMPTES}{gestionnaire.pk}/change/", champs)

    etudiante.refresh_from_db()
    gestionnaire.refresh_from_db()
    assert (action.status_code, change.status_code) == (403, 403)
    assert (etudiante.est_actif, gestionnaire.type_utilisateur) == (True, "GESTIONNAIRE")


@pytest.mark.parametrize("chemin", ["add/", "{pk}/delete/"])
def test_un_compte_ne_s_ajoute_ni_ne_s_efface_ici(admin, etudiante, chemin):
    client = entrer(admin.email)

    assert client.get(COMPTES + chemin.format(pk=etudiante.pk)).status_code == 403


def test_aucun_mot_de_passe_hache_n_est_montre(admin):
    texte = entrer(admin.email).get(f"{COMPTES}{admin.pk}/change/").content.decode()

    assert admin.password not in texte
    assert "md5$" not in texte


# --- What it changes ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("sans_confirmation")
def test_changer_un_compte_passe_par_le_meme_service(admin, etudiante):
    client = entrer(admin.email)
    champs = formulaire(etudiante, email="Eva@Campus.test", nom="N'Diaye", type_utilisateur=Role.GESTIONNAIRE)

    client.post(f"{COMPTES}{etudiante.pk}/change/", champs)

    etudiante.refresh_from_db()
    assert (etudiante.email, etudiante.type_utilisateur) == ("eva@campus.test", "GESTIONNAIRE")
    assert Compte.objects.cherches("n'diaye").get() == etudiante
    assert LogEntry.objects.get().object_id == str(etudiante.pk)


def test_qui_n_a_pas_demande_d_autre_adresse_n_en_montre_pas(admin, etudiante):
    page = entrer(admin.email).get(f"{COMPTES}{etudiante.pk}/change/").content.decode()

    assert '<div class="readonly">-</div>' in page
    assert '<div class="readonly">None</div>' not in page


def test_une_adresse_prise_est_refusee_par_le_formulaire(admin, etudiante, autre_etudiante):
    client = entrer(admin.email)

    reponse = client.post(f"{COMPTES}{etudiante.pk}/change/", formulaire(etudiante, email="LEA@campus.test"))

    etudiante.refresh_from_db()
    assert (reponse.status_code, etudiante.email) == (200, "awa@campus.test")
    assert "errorlist" in reponse.content.decode()


def test_retrograder_le_dernier_admin_dit_pourquoi_et_ne_pretend_rien(admin):
    client = entrer(admin.email)
    champs = formulaire(admin, type_utilisateur=Role.GESTIONNAIRE)

    reponse = client.post(f"{COMPTES}{admin.pk}/change/", champs, follow=True)

    admin.refresh_from_db()
    (message,) = messages(reponse)
    assert message[0] == "error"
    assert "dernier administrateur actif" in message[1]
    assert admin.type_utilisateur == "ADMIN_SYSTEME"
    assert not LogEntry.objects.exists()


def test_desactiver_par_l_action_termine_les_sessions_et_se_note(admin, etudiante, evenements):
    jeton = se_connecter(etudiante).json()["data"]["token"]
    client = entrer(admin.email)

    with evenements() as recus:
        desactiver(client, etudiante)

    etudiante.refresh_from_db()
    assert (etudiante.est_actif, statut_du_jeton(jeton)) == (False, 401)
    assert [e["type"] for e in recus] == ["user_deactivated"] * 2 + ["fermer_sockets"] * 2
    assert LogEntry.objects.get().object_id == str(etudiante.pk)


def test_desactiver_le_dernier_admin_par_l_action_dit_pourquoi(admin, etudiante):
    client = entrer(admin.email)

    reponse = desactiver(client, admin, etudiante)

    admin.refresh_from_db()
    etudiante.refresh_from_db()
    refus, faites = messages(reponse)
    assert refus[0] == "error"
    assert "Rose Kabila : Vous ne pouvez pas désactiver" in refus[1]
    assert faites == ("info", "1 ligne traitée.")
    assert (admin.est_actif, etudiante.est_actif) == (True, False)


@pytest.mark.parametrize(("role", "suite"), [(Role.GESTIONNAIRE, "/admin/"), (Role.UTILISATEUR, "/")])
def test_qui_quitte_son_role_arrive_sur_une_page_qui_lui_est_ouverte(admin, role, suite):
    fabriques.admin(prenom="Léa", nom="Moreau")
    client = entrer(admin.email)

    reponse = client.post(f"{COMPTES}{admin.pk}/change/", formulaire(admin, type_utilisateur=role))

    assert (reponse.status_code, reponse.headers["Location"]) == (302, suite)
    page = client.get(suite, headers={"Accept-Language": "fr"})
    assert page.status_code == 200
    if suite == "/admin/":
        role_dit = "Votre rôle est changé : Gestionnaire. Les comptes ne vous sont plus ouverts."
        assert messages(page) == [("success", role_dit)]


def test_qui_change_le_role_d_autrui_reste_ou_la_page_menait(admin, gestionnaire):
    reponse = entrer(admin.email).post(
        f"{COMPTES}{gestionnaire.pk}/change/", formulaire(gestionnaire, type_utilisateur=Role.UTILISATEUR)
    )

    assert reponse.headers["Location"] == COMPTES


def test_une_page_refusee_a_une_issue(gestionnaire):
    refus = entrer(gestionnaire.email).get(COMPTES)

    assert refus.status_code == 403
    assert re.findall(r'class="bouton[^"]*" href="([^"]*)"', refus.content.decode()) == ["/equipe/dossiers/", "/admin/"]


@pytest.fixture
def dossier_de_paul(gestionnaire, signalement, admin):
    assigner(signalement=signalement, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))
    return signalement


def test_desactiver_se_confirme_et_rien_n_est_fait_avant(admin, etudiante, autre_etudiante):
    client = entrer(admin.email)

    page = agir(client, "desactiver", etudiante, autre_etudiante)

    texte = html.unescape(page.content.decode())
    assert "Seront désactivés (2)" in texte
    assert texte.count('name="_selected_action"') == 2
    assert Compte.objects.filter(est_actif=True).count() == 3
    assert "s'il en est au nom de ces personnes, ils y restent" in texte


def test_qui_tient_des_dossiers_mene_a_sa_page_et_ne_se_desactive_pas_d_ici(
    admin, gestionnaire, etudiante, dossier_de_paul
):
    client = entrer(admin.email)

    page = agir(client, "desactiver", gestionnaire, etudiante)
    forcee = desactiver(client, gestionnaire)

    texte = html.unescape(page.content.decode())
    assert "dossiers ouverts à son nom, parmi ceux que vous lisez : 1" in texte
    assert f'href="/equipe/membres/{gestionnaire.pk}/"' in texte
    assert re.findall(r'name="_selected_action" value="([^"]*)"', texte) == [str(etudiante.pk)]
    refus, faites = messages(forcee)
    assert refus == ("error", f"Paul Ilunga : {TientEncore.message}")
    assert faites == ("info", "0 ligne traitée.")
    gestionnaire.refresh_from_db()
    dossier_de_paul.refresh_from_db()
    assert (gestionnaire.est_actif, dossier_de_paul.gestionnaire) == (True, gestionnaire)


def test_qui_tient_des_dossiers_sans_etre_de_l_equipe_mene_a_leur_liste(admin, gestionnaire, dossier_de_paul):
    Compte.objects.filter(pk=gestionnaire.pk).update(type_utilisateur=Role.UTILISATEUR)

    texte = html.unescape(agir(entrer(admin.email), "desactiver", gestionnaire).content.decode())

    assert f'href="/equipe/dossiers/?vue=ouverts&gestionnaireId={gestionnaire.pk}"' in texte.replace("&amp;", "&")


def test_la_confirmation_dit_de_soi_et_des_comptes_deja_desactives_ce_qu_il_en_est(admin, etudiante):
    Compte.objects.filter(pk=etudiante.pk).update(est_actif=False)

    texte = html.unescape(agir(entrer(admin.email), "desactiver", admin, etudiante).content.decode())

    assert "Aucun des comptes choisis ne peut être désactivé d'ici." in texte
    assert "un autre administrateur seul peut le désactiver" in texte
    assert "Sont déjà désactivés (1)" in texte
    assert 'name="confirme"' not in texte


def test_les_comptes_ne_se_desactivent_pas_par_plus_d_une_page(admin, etudiante, autre_etudiante, monkeypatch):
    monkeypatch.setattr("accounts.admin.A_LA_FOIS", 1)

    reponse = desactiver(entrer(admin.email), etudiante, autre_etudiante)

    assert messages(reponse) == [("error", "Choisissez au plus 1 comptes.")]
    assert not Compte.objects.filter(est_actif=False).exists()


def test_la_confirmation_coute_autant_pour_un_compte_et_pour_neuf(admin, django_assert_max_num_queries):
    client = entrer(admin.email)
    neuf = [fabriques.compte() for _rang in range(9)]

    for choisis in (neuf[:1], neuf):
        with django_assert_max_num_queries(7):
            assert agir(client, "desactiver", *choisis).status_code == 200


def test_reactiver_par_l_action(admin, etudiante):
    Compte.objects.filter(pk=etudiante.pk).update(est_actif=False)

    agir(entrer(admin.email), "reactiver", etudiante)

    assert se_connecter(etudiante).status_code == 200


def test_une_liste_demande_que_faire_de_ce_qui_est_choisi(admin):
    page = entrer(admin.email).get("/admin/accounts/compte/", headers={"Accept-Language": "fr"}).content.decode()

    assert '<option value="" selected>Que faire\u202f?</option>' in page
    assert "---------" not in page


def test_le_mot_de_passe_se_change_sur_mon_compte(admin):
    page = entrer(admin.email).get("/admin/password_change/")

    assert (page.status_code, page.headers["Location"]) == (302, "/equipe/compte/#mot-de-passe-titre")


def test_changer_son_mot_de_passe_ici_termine_ses_autres_sessions(admin):
    jeton = se_connecter(admin).json()["data"]["token"]
    client = entrer(admin.email)
    champs = {"old_password": MOT_DE_PASSE, "new_password1": NOUVEAU, "new_password2": NOUVEAU}

    client.post("/admin/password_change/", champs)

    admin.refresh_from_db()
    assert admin.check_password(NOUVEAU)
    assert est_entre(client)
    assert statut_du_jeton(jeton) == 401


@pytest.mark.parametrize("moment", ["2026-03-04T00:00:01Z", "2026-03-04T23:59:59Z"])
def test_les_connexions_se_montrent_au_jour_pres(admin, etudiante, moment, settings, time_machine):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Pacific/Auckland")
    time_machine.move_to(datetime.fromisoformat(moment), tick=False)
    se_connecter(etudiante)
    pages = [COMPTES, f"{COMPTES}{etudiante.pk}/change/"]
    pages += ["/admin/accounts/session/", f"/admin/accounts/session/{Session.objects.get().pk}/change/"]
    client = entrer(admin.email)

    textes = [client.get(page, headers={"Accept-Language": "fr"}).content.decode() for page in pages]

    for texte in textes:
        assert re.search(r"4 mars 2026\s*<", texte)
        assert not re.search(r"mars 2026 \d", texte)


def test_entrer_par_la_page_date_la_derniere_connexion(gestionnaire, time_machine):
    entrer(gestionnaire.email, "faux")
    gestionnaire.refresh_from_db()
    jamais = gestionnaire.derniere_connexion
    time_machine.move_to("2026-03-04T10:00:00Z", tick=False)

    entrer(gestionnaire.email)

    gestionnaire.refresh_from_db()
    assert (jamais, gestionnaire.derniere_connexion) == (None, timezone.now())


@pytest.mark.parametrize(
    ("page", "tris"),
    [(COMPTES, {"email", "type_utilisateur", "est_actif"}), ("/admin/accounts/session/", {"appareil", "localisation"})],
)
def test_aucun_tri_ne_dit_l_ordre_des_connexions(admin, etudiante, page, tris):
    se_connecter(etudiante)
    client = entrer(admin.email)

    listes = [client.get(f"{page}?o={rang}").context["cl"] for rang in range(1, 8)]

    champs = {str(champ).lstrip("-") for liste in listes for champ in liste.queryset.query.order_by}
    assert champs >= tris
    assert {champ for champ in champs if "date" in champ or "connexion" in champ} == {"date_creation"}  # the default


def test_la_liste_des_comptes_se_cherche_sans_accents(admin, etudiante):
    fabriques.compte(nom="Éboué", prenom="Zoé")

    texte = entrer(admin.email).get(f"{COMPTES}?q=ÉBOUE").content.decode()

    assert "Zoé Éboué" in texte
    assert "Awa Diop" not in texte


@pytest.mark.postgres
def test_une_recherche_est_servie_par_l_index(rf):
    """`icontains` folds the column to upper case, which no index holds."""
    cherchees = [page for page in site_admin.site._registry.values() if "recherche" in " ".join(page.search_fields)]

    sans_index = [
        str(page.model)
        for page in cherchees
        if "UPPER" in str(page.get_search_results(rf.get("/"), page.model._default_manager.all(), "Été")[0].query)
    ]

    assert len(cherchees) >= 10
    assert sans_index == []


def test_la_liste_des_comptes_coute_autant_pour_un_et_pour_neuf(admin, django_assert_max_num_queries):
    client = entrer(admin.email)

    with django_assert_max_num_queries(7):
        client.get(COMPTES)
    for _rang in range(8):
        fabriques.compte()
    with django_assert_max_num_queries(7):
        assert client.get(COMPTES).status_code == 200


def test_une_invitation_expiree_se_montre_expiree(admin):
    fabriques.invitation(admin)
    fabriques.Invitation.objects.update(expire_le=timezone.now())

    texte = entrer(admin.email).get("/admin/accounts/invitation/").content.decode()

    assert '<td class="field-statut_montre">Expirée</td>' in texte
    assert ">Statut<" in texte


def test_le_mot_d_une_invitation_se_lit_tel_quel(admin):
    invitation = fabriques.invitation(admin, mot="Bienvenue !\n<b>Inès</b>")

    texte = entrer(admin.email).get(f"/admin/accounts/invitation/{invitation.pk}/change/").content.decode()

    assert "Bienvenue !<br>&lt;b&gt;Inès&lt;/b&gt;" in texte


# --- The first page, and the journal --------------------------------------------------------------------------------


def sections_de(client):
    sections = client.get("/admin/", headers={"Accept-Language": "fr"}).context["app_list"]
    return {str(section["name"]): [str(table["name"]) for table in section["models"]] for section in sections}


def test_la_premiere_page_range_le_travail_de_l_administration(admin):
    sections = sections_de(entrer(admin.email))

    assert list(sections) == [
        "Forum",
        "Calendrier",
        "Réponses et orientations",
        "Délais et échéances",
        "Équipes",
        "Aide, ressources et fichiers",
        "Sessions invitées",
        "Comptes",
        "Statistiques",
        "Administration",
    ]
    assert sections["Aide, ressources et fichiers"] == [
        "Questions fréquentes",
        "Contacts d'urgence",
        "Ressources",
        "Fichiers",
    ]
    assert sections["Comptes"] == ["Comptes", "Invitations", "Sessions"]
    assert [nom for nom, tables in sections.items() if not tables] == []


def faire_de(client):
    """What the first page has one do: group -> tables."""
    groupes = client.get("/admin/", headers={"Accept-Language": "fr"}).context["que_faire"]
    return {str(titre): [str(table["name"]) for table, _phrase in tables] for titre, tables in groupes}


def test_la_premiere_page_dit_que_faire(admin):
    client = entrer(admin.email)

    assert faire_de(client) == {
        "Répondre aux questions": ["Questions fréquentes", "Contacts d'urgence", "Réponses types", "Orientations"],
        "Tenir les délais": ["Délais", "Jours de fermeture"],
        "Animer le campus": [
            "Événements",
            "Participations",
            "À relire",
            "Publications",
            "Commentaires",
            "Mots surveillés",
        ],
        "Documents": ["Ressources", "Fichiers", "Exports"],
        "Comptes et sécurité": [
            *("Comptes", "Équipes", "Règles de routage"),
            *("Invitations", "Sessions", "Sessions invitées", "Entrées d’historique"),
        ],
    }
    page = html.unescape(client.get("/admin/").content.decode())
    assert "Tenir à jour les numéros que l’on appelle en danger." in page
    assert '<a href="/admin/resources/faq/add/">' in page


def test_la_premiere_page_n_offre_que_ce_que_l_on_peut_ouvrir(gestionnaire):
    client = entrer(gestionnaire.email)
    page = client.get("/admin/").content.decode()
    offertes = re.findall(r'href="(/admin/[a-z]+/[a-z]+/(?:add/)?)"', page)

    assert "Comptes et sécurité" not in faire_de(client)
    assert len(offertes) > 5
    assert {adresse: client.get(adresse).status_code for adresse in offertes} == dict.fromkeys(offertes, 200)


def test_chaque_table_de_l_administration_a_sa_phrase():
    nommees = [nom for _titre, phrases in QUE_FAIRE for nom in phrases]

    assert sorted(nommees) == sorted(modele._meta.label for modele in site_admin.site._registry)


def test_une_table_sans_phrase_reste_sur_la_premiere_page():
    table = {"object_name": "Neuve", "name": "Neuves", "admin_url": "/admin/x/neuve/"}

    assert que_faire([{"app_label": "x", "models": [table]}]) == [("Autres", [(table, "")])]


def test_le_journal_dit_qui_a_change_quoi(admin, etudiante):
    client = entrer(admin.email)
    desactiver(client, etudiante)
    faq = resources.faq(question="À retirer ?")
    client.post(f"/admin/resources/faq/{faq.pk}/delete/", {"post": "yes"})

    liste = client.get("/admin/admin/logentry/").content.decode()
    page = client.get(f"/admin/admin/logentry/{LogEntry.objects.order_by('-id')[0].pk}/change/").content.decode()

    assert "Rose Kabila" in liste
    assert "Awa Diop" in liste
    assert "À retirer ?" in page
    assert "L'équipe." in html.unescape(page)


def test_un_gestionnaire_ne_lit_pas_le_journal(admin, etudiante, gestionnaire):
    LogEntry.objects.log_actions(admin.pk, [etudiante], CHANGE, "")

    for page in pages_de(LogEntry, LogEntry.objects.get()):
        assert entrer(gestionnaire.email).get(page).status_code == 403, page


@pytest.mark.parametrize("comment", ["regex", "iregex", "contains", "gt"])
def test_une_recherche_que_la_page_n_offre_pas_est_refusee(admin, comment):
    navigateur = entrer(admin.email)
    filtres = {nom: site for nom, site in site_admin.site._registry.items() if site.list_filter}

    statuts = {
        modele._meta.label: navigateur.get(
            reverse(f"admin:{modele._meta.app_label}_{modele._meta.model_name}_changelist"),
            {f"{getattr(site.list_filter[0], 'parameter_name', site.list_filter[0])}__{comment}": "("},
        ).status_code
        for modele, site in filtres.items()
    }

    assert set(statuts.values()) == {400}, statuts

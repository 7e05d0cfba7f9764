from datetime import UTC, datetime

import pytest

from accounts.models import Compte, Session
from accounts.services import comptes
from accounts.tests import fabriques
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import renouveler, se_connecter, statut_du_jeton
from config.tests.outils import acteur_de, champs_refuses, client_de
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.limites import Taux
from socle.erreurs import ErreurMetier, PermissionRefusee

pytestmark = pytest.mark.django_db
URL = "/api/v1/comptes/"
NOUVEAU = "Baobab-penché-77"
CORPS = {
    "email": "Ines@Campus.test",
    "motDePasse": NOUVEAU,
    "nom": "Lukusa",
    "prenom": "Inès",
    "typeUtilisateur": "GESTIONNAIRE",
}
ENTIER = {
    "id",
    "email",
    "emailEnAttente",
    "nom",
    "prenom",
    "typeUtilisateur",
    "telephone",
    "bureauGenreId",
    "estActif",
    "emailVerifie",
    "dateCreation",
    "dateModification",
    "derniereConnexion",
}


@pytest.mark.parametrize(
    ("methode", "chemin", "statuts"),
    [
        ("get", "me", (401, 401, 200, 200, 200)),
        ("put", "me", (401, 401, 200, 200, 200)),
        ("get", "", (401, 401, 403, 200, 200)),
        ("post", "", (401, 401, 403, 403, 422)),
        ("get", "{autre}", (401, 401, 200, 200, 200)),
        ("put", "{autre}", (401, 401, 403, 403, 200)),
        ("put", "{autre}/reset-password", (401, 401, 403, 403, 422)),
        ("put", "{autre}/deactivate", (401, 401, 403, 403, 200)),
        ("put", "{autre}/reactivate", (401, 401, 403, 403, 200)),
        ("put", "{inconnu}", (401, 401, 404, 404, 404)),
        ("put", "{inconnu}/deactivate", (401, 401, 403, 403, 404)),
        ("get", "pas-un-uuid", (404, 404, 404, 404, 404)),
        ("delete", "{autre}", (405, 405, 405, 405, 405)),
    ],
)
def test_qui_peut_quoi_sur_les_comptes(client_de_personne, autre_etudiante, methode, chemin, statuts):
    inconnu = "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"
    url = URL + chemin.format(autre=autre_etudiante.pk, inconnu=inconnu)
    personae = ("anonyme", "invite", "etudiante", "gestionnaire", "admin")

    recus = tuple(getattr(client_de_personne(p), methode)(url, *([{}] if methode != "get" else [])) for p in personae)

    assert tuple(r.status_code for r in recus) == statuts


# --- One's own ------------------------------------------------------------------------------------------------------


def test_mon_profil_est_mon_compte_entier(api, etudiante):
    recu = api(etudiante).get(f"{URL}me").json()["data"]

    assert recu.keys() == ENTIER
    assert (recu["id"], recu["telephone"], recu["bureauGenreId"]) == (str(etudiante.pk), None, None)


@pytest.mark.parametrize("chemin", ["me", "{soi}"])
def test_modifier_ne_change_que_les_champs_presents(api, etudiante, chemin):
    url = URL + chemin.format(soi=etudiante.pk)
    api(etudiante).put(url, {"telephone": "\u206800243\u202f812\u202f345\u202f621\u2069", "bureauGenreId": "bg-7"})

    recu = api(etudiante).put(url, {"nom": " Ndiaye ", "id": "x", "estActif": False}).json()["data"]

    assert (recu["nom"], recu["prenom"], recu["estActif"]) == ("Ndiaye", "Awa", True)
    assert (recu["telephone"], recu["bureauGenreId"]) == ("+243812345621", "bg-7")


@pytest.mark.parametrize("vide", [None, ""])
def test_null_efface_le_telephone_et_le_bureau(api, etudiante, vide):
    api(etudiante).put(f"{URL}me", {"telephone": "+243812345621", "bureauGenreId": "bg-7"})

    recu = api(etudiante).put(f"{URL}me", {"telephone": vide, "bureauGenreId": vide}).json()["data"]

    assert (recu["telephone"], recu["bureauGenreId"]) == (None, None)


@pytest.mark.parametrize(
    ("champ", "valeur"),
    [
        ("nom", None),
        ("prenom", ""),
        ("nom", 3),
        ("telephone", "12"),
        ("telephone", "0812345621"),
        ("bureauGenreId", "x" * 65),
        ("prenom", "x" * 256),
        ("email", None),
        ("typeUtilisateur", "CHEF"),
        ("typeUtilisateur", "SUPERVISEUR"),
    ],
)
def test_une_valeur_refusee_est_nommee_et_ne_change_rien(api, admin, champ, valeur):
    assert champs_refuses(api(admin).put(f"{URL}me", {"bureauGenreId": "bg-7", champ: valeur})) == {champ}

    admin.refresh_from_db()
    assert admin.bureau_genre_id == ""


@pytest.mark.parametrize(
    ("champ", "meme", "autre"),
    [("email", "AWA@campus.test", "eva@campus.test"), ("typeUtilisateur", "UTILISATEUR", "ADMIN_SYSTEME")],
)
def test_l_adresse_et_le_role_ne_sont_refuses_que_s_ils_changent(api, etudiante, champ, meme, autre):
    client = api(etudiante)

    pareil = client.put(f"{URL}me", {"nom": "Ndiaye", champ: meme})
    change = client.put(f"{URL}me", {"nom": "Sow", champ: autre})

    etudiante.refresh_from_db()
    assert (pareil.status_code, change.status_code) == (200, 403)
    assert (etudiante.nom, etudiante.email, etudiante.type_utilisateur) == ("Ndiaye", "awa@campus.test", "UTILISATEUR")


def test_un_gestionnaire_ne_se_nomme_pas_administrateur(api, gestionnaire):
    assert api(gestionnaire).put(f"{URL}me", {"typeUtilisateur": "ADMIN_SYSTEME"}).status_code == 403


@pytest.mark.usefixtures("sans_confirmation")
def test_l_administration_change_l_adresse_et_le_role(api, admin, etudiante):
    corps = {"email": " Eva@Campus.test", "typeUtilisateur": "GESTIONNAIRE"}

    recu = api(admin).put(f"{URL}{etudiante.pk}", corps).json()["data"]

    assert (recu["email"], recu["typeUtilisateur"]) == ("eva@campus.test", "GESTIONNAIRE")
    assert api(admin).get(f"{URL}?search=eva@campus").json()["data"]["total"] == 1


def test_changer_pour_une_adresse_deja_prise_est_refuse(api, admin, etudiante, autre_etudiante):
    reponse = api(admin).put(f"{URL}{etudiante.pk}", {"email": "LEA@campus.test"})

    assert (reponse.status_code, reponse.json()["code"]) == (409, "EMAIL_ALREADY_USED")


def test_un_changement_de_role_vaut_des_la_requete_suivante(api, admin, etudiante):
    client = api(etudiante)

    api(admin).put(f"{URL}{etudiante.pk}", {"typeUtilisateur": "GESTIONNAIRE"})

    assert client.get(URL).status_code == 200


# --- Others ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("persona", "cles"),
    [
        ("etudiante", {"id", "nom", "prenom", "typeUtilisateur"}),
        ("autre_etudiante", ENTIER),
        ("gestionnaire", ENTIER),
        ("admin", ENTIER),
    ],
)
def test_autrui_ne_voit_qu_une_carte(client_de_personne, autre_etudiante, persona, cles):
    recu = client_de_personne(persona).get(f"{URL}{autre_etudiante.pk}").json()["data"]

    assert recu.keys() == cles


CONNEXION = datetime(2026, 3, 4, 21, 47, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("persona", "attendu"),
    [
        ("autre_etudiante", "2026-03-04T21:47:05.000Z"),
        ("gestionnaire", None),
        ("admin", "2026-03-04T00:00:00.000Z"),
    ],
)
def test_la_derniere_connexion_d_autrui_est_au_jour_pres_et_pour_l_administration(
    client_de_personne, autre_etudiante, persona, attendu
):
    client = client_de_personne(persona)
    Compte.objects.filter(pk=autre_etudiante.pk).update(derniere_connexion=CONNEXION)

    recu = client.get(f"{URL}{autre_etudiante.pk}").json()["data"]

    assert recu["derniereConnexion"] == attendu


def test_la_liste_ne_dit_pas_davantage_la_derniere_connexion(api, admin, gestionnaire, etudiante):
    clients = [api(gestionnaire), api(admin)]
    Compte.objects.filter(pk=etudiante.pk).update(derniere_connexion=CONNEXION)

    lus = [c.get(f"{URL}?search=awa").json()["data"]["items"][0]["derniereConnexion"] for c in clients]

    assert lus == [None, "2026-03-04T00:00:00.000Z"]


@pytest.mark.usefixtures("sans_confirmation")
def test_changer_l_adresse_demande_de_la_prouver_de_nouveau(api, admin, etudiante):
    Compte.objects.filter(pk=etudiante.pk).update(email_verifie=True)
    url = f"{URL}{etudiante.pk}"

    garde = api(admin).put(url, {"nom": "Ndiaye", "email": "AWA@campus.test"}).json()["data"]["emailVerifie"]
    perdu = api(admin).put(url, {"email": "eva@campus.test"}).json()["data"]["emailVerifie"]

    assert (garde, perdu) == (True, False)


@pytest.mark.parametrize("persona", ["etudiante", "admin"])
def test_personne_ne_se_declare_verifie(client_de_personne, personne, persona):
    client_de_personne(persona).put(f"{URL}me", {"emailVerifie": True})

    assert not Compte.objects.get(pk=personne(persona).pk).email_verifie


def test_la_carte_ne_laisse_rien_de_plus_a_lire(api, etudiante, gestionnaire):
    brut = api(etudiante).get(f"{URL}{gestionnaire.pk}").content.decode()

    assert "paul@campus.test" not in brut
    assert "argon2" not in brut
    assert "md5" not in brut


def test_creer_un_compte_donne_le_role_demande_et_tait_le_mot_de_passe(api, admin):
    reponse = api(admin).post(URL, {**CORPS, "telephone": "+243812345621", "bureauGenreId": "bg-7"})

    recu = reponse.json()["data"]
    assert (reponse.status_code, recu["email"], recu["typeUtilisateur"]) == (201, "ines@campus.test", "GESTIONNAIRE")
    assert (recu["telephone"], recu["bureauGenreId"]) == ("+243812345621", "bg-7")
    assert NOUVEAU not in reponse.content.decode()
    assert se_connecter(Compte.objects.get(email="ines@campus.test"), motDePasse=NOUVEAU).status_code == 200


@pytest.mark.parametrize("champ", ["email", "motDePasse", "nom", "prenom", "typeUtilisateur"])
def test_creer_un_compte_demande_ses_champs(api, admin, champ):
    corps = {cle: valeur for cle, valeur in CORPS.items() if cle != champ}

    assert champs_refuses(api(admin).post(URL, corps)) == {champ}


def test_creer_un_compte_apprend_d_un_coup_tout_ce_qui_est_a_corriger(api, admin):
    faux = {"email": "ines", "typeUtilisateur": "CHEF", "telephone": "12", "motDePasse": CORPS["nom"] * 3}

    reponse = api(admin).post(URL, {**CORPS, "nom": CORPS["nom"] * 3, **faux})

    assert champs_refuses(reponse) == faux.keys()
    assert not Compte.objects.filter(nom=CORPS["nom"] * 3).exists()


def test_un_role_inconnu_est_refuse_avec_ceux_qui_sont_admis(api, admin):
    reponse = api(admin).post(URL, {**CORPS, "typeUtilisateur": "CHEF"})

    assert champs_refuses(reponse) == {"typeUtilisateur"}
    assert "UTILISATEUR, GESTIONNAIRE, ADMIN_SYSTEME" in reponse.json()["details"][0]["message"]


def test_creer_sous_une_adresse_prise_est_refuse(api, admin, etudiante):
    reponse = api(admin).post(URL, {**CORPS, "email": "AWA@campus.test"})

    assert (reponse.status_code, reponse.json()["code"]) == (409, "EMAIL_ALREADY_USED")
    assert reponse.json()["message"] == "Un compte existe déjà avec cette adresse e-mail."  # nothing of theirs to open


# --- The list -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("filtre", "attendus"),
    [
        ("search=moreau", ["lea"]),
        ("search=LÉA", ["lea"]),
        ("search=lea+moreau", ["lea"]),
        ("search=MOREAU+lea", ["lea"]),
        ("search=campus.test", ["zineb", "lea", "awa", "paul"]),
        ("search=%25", []),
        ("search=_", []),
        ("typeUtilisateur=GESTIONNAIRE", ["paul"]),
        ("typeUtilisateur=ADMIN_SYSTEME", []),
        ("estActif=false", ["zineb"]),
        ("estActif=true", ["lea", "awa", "paul"]),
        ("estActif=true&search=awa", ["awa"]),
    ],
)
def test_la_liste_se_filtre(api, gestionnaire, etudiante, autre_etudiante, filtre, attendus):
    fabriques.compte(email="zineb@campus.test", est_actif=False)

    items = api(gestionnaire).get(f"{URL}?{filtre}").json()["data"]["items"]

    assert [compte["email"].partition("@")[0] for compte in items] == attendus


@pytest.mark.parametrize("filtre", ["estActif=1", "estActif=oui", "typeUtilisateur=CHEF", "search=%00", "page=-1"])
def test_un_filtre_invalide_est_nomme(api, gestionnaire, filtre):
    assert champs_refuses(api(gestionnaire).get(f"{URL}?{filtre}")) == {filtre.partition("=")[0]}


def test_un_compte_et_neuf_coutent_autant_de_requetes(api, gestionnaire, django_assert_num_queries):
    client = api(gestionnaire)

    with django_assert_num_queries(3):
        client.get(URL)
    for _rang in range(8):
        fabriques.compte()
    with django_assert_num_queries(3):
        assert client.get(URL).json()["data"]["total"] == 9


# --- Activity -------------------------------------------------------------------------------------------------------


def test_desactiver_termine_les_sessions_et_ferme_la_porte(api, admin, etudiante):
    session = se_connecter(etudiante).json()["data"]

    reponse = api(admin).put(f"{URL}{etudiante.pk}/deactivate")

    assert (reponse.status_code, reponse.json()["data"]) == (200, None)
    assert statut_du_jeton(session["token"]) == 401
    assert renouveler(session["refreshToken"]).status_code == 401
    assert not Session.objects.filter(compte=etudiante, date_fin__isnull=True).exists()


def test_desactiver_deux_fois_n_annonce_qu_une_fois(api, admin, etudiante, evenements):
    api(admin).put(f"{URL}{etudiante.pk}/deactivate")

    with evenements() as recus:
        reponse = api(admin).put(f"{URL}{etudiante.pk}/deactivate")

    assert (reponse.status_code, recus) == (200, [])


def test_reactiver_rend_la_connexion_mais_pas_les_sessions(api, admin, etudiante):
    session = se_connecter(etudiante).json()["data"]
    api(admin).put(f"{URL}{etudiante.pk}/deactivate")

    reponse = api(admin).put(f"{URL}{etudiante.pk}/reactivate")

    assert reponse.status_code == 200
    assert statut_du_jeton(session["token"]) == 401
    assert se_connecter(etudiante).status_code == 200


def test_personne_ne_se_desactive(api, admin):
    fabriques.admin()

    reponse = api(admin).put(f"{URL}{admin.pk}/deactivate")

    admin.refresh_from_db()
    assert (reponse.status_code, reponse.json()["code"], admin.est_actif) == (409, "CONFLICT", True)


def test_le_dernier_admin_actif_n_est_pas_retrograde(api, admin):
    fabriques.admin(est_actif=False)

    reponse = api(admin).put(f"{URL}{admin.pk}", {"typeUtilisateur": "GESTIONNAIRE", "nom": "Autre"})

    admin.refresh_from_db()
    assert (reponse.status_code, reponse.json()["code"]) == (409, "LAST_ADMIN")
    assert (admin.type_utilisateur, admin.nom) == ("ADMIN_SYSTEME", "Kabila")


def test_un_admin_qui_n_est_pas_le_dernier_est_retrograde(api, admin):
    fabriques.admin()

    assert api(admin).put(f"{URL}{admin.pk}", {"typeUtilisateur": "UTILISATEUR"}).status_code == 200


def test_le_dernier_admin_actif_n_est_pas_desactive(admin):
    autre = fabriques.admin()
    Compte.objects.filter(pk=autre.pk).update(est_actif=False)

    with pytest.raises(ErreurMetier, match="LAST_ADMIN"):
        comptes.desactiver(compte=admin, acteur=ActeurCompte(compte=autre))

    admin.refresh_from_db()
    assert admin.est_actif


# --- Passwords ------------------------------------------------------------------------------------------------------


def changer(jeton, **champs):
    corps = {"ancienMotDePasse": MOT_DE_PASSE, "nouveauMotDePasse": NOUVEAU, **champs}
    return client_de(None).put(f"{URL}me/password", corps, headers={"Authorization": f"Bearer {jeton}"})


def test_changer_mon_mot_de_passe_garde_ma_session_et_termine_les_autres(etudiante):
    ici, ailleurs = (se_connecter(etudiante).json()["data"] for _rang in range(2))

    reponse = changer(ici["token"])

    assert (reponse.status_code, reponse.json()["data"]) == (200, None)
    assert (statut_du_jeton(ici["token"]), statut_du_jeton(ailleurs["token"])) == (200, 401)
    assert renouveler(ailleurs["refreshToken"]).status_code == 401
    assert se_connecter(etudiante, motDePasse=NOUVEAU).status_code == 200


@pytest.mark.parametrize("nouveau", ["court", "awa@campus.test", "", "x" * 1025])
def test_un_changement_apprend_d_un_coup_tout_ce_qui_est_a_corriger(etudiante, nouveau):
    ici = se_connecter(etudiante).json()["data"]

    reponse = changer(ici["token"], ancienMotDePasse="faux", nouveauMotDePasse=nouveau)

    assert champs_refuses(reponse) == {"ancienMotDePasse", "nouveauMotDePasse"}
    assert se_connecter(etudiante).status_code == 200


def test_un_nouveau_mot_de_passe_mal_forme_ne_donne_pas_d_essais_de_plus(etudiante, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "login": Taux(3, 86_400)}
    ici = se_connecter(etudiante).json()["data"]

    statuts = [changer(ici["token"], ancienMotDePasse="faux", nouveauMotDePasse="").status_code for _rang in range(4)]

    assert statuts == [422, 422, 422, 429]
    assert changer(ici["token"]).status_code == 429


@pytest.mark.parametrize(
    ("champs", "refuse"),
    [
        ({"ancienMotDePasse": "faux"}, "ancienMotDePasse"),
        ({"ancienMotDePasse": None}, "ancienMotDePasse"),
        ({"nouveauMotDePasse": "court"}, "nouveauMotDePasse"),
        ({"nouveauMotDePasse": "awa@campus.test"}, "nouveauMotDePasse"),
    ],
)
def test_un_changement_refuse_ne_termine_rien(etudiante, champs, refuse):
    ici, ailleurs = (se_connecter(etudiante).json()["data"] for _rang in range(2))

    assert champs_refuses(changer(ici["token"], **champs)) == {refuse}

    assert (statut_du_jeton(ici["token"]), statut_du_jeton(ailleurs["token"])) == (200, 200)
    assert se_connecter(etudiante).status_code == 200


def test_imposer_un_mot_de_passe_termine_toutes_les_sessions(api, admin, etudiante):
    session = se_connecter(etudiante).json()["data"]

    faible = api(admin).put(f"{URL}{etudiante.pk}/reset-password", {"nouveauMotDePasse": "court"})
    reponse = api(admin).put(f"{URL}{etudiante.pk}/reset-password", {"nouveauMotDePasse": NOUVEAU})

    assert champs_refuses(faible) == {"nouveauMotDePasse"}
    assert (reponse.status_code, statut_du_jeton(session["token"])) == (200, 401)
    assert se_connecter(etudiante, motDePasse=NOUVEAU).status_code == 200


@pytest.mark.parametrize(
    ("champ", "valeur"), [("email", "pas une adresse"), ("email", 5), ("typeUtilisateur", "CHEF"), ("email", "")]
)
def test_ce_qui_est_a_l_administration_est_refuse_avant_d_etre_lu(etudiante, champ, valeur):
    """Not 422: nobody is told how to write what they may not send."""
    assert client_de(etudiante).put("/api/v1/comptes/me", {champ: valeur}).status_code == 403


@pytest.mark.parametrize("champs", [{"email": "autre@campus.test"}, {"type_utilisateur": "ADMIN_SYSTEME"}])
def test_personne_ne_change_son_adresse_ni_son_role_par_quelque_chemin(etudiante, gestionnaire, champs):
    for qui in (etudiante, gestionnaire):
        with pytest.raises(PermissionRefusee):
            comptes.modifier(compte=qui, acteur=acteur_de(qui), **champs)

        avant = (qui.email, qui.type_utilisateur)
        qui.refresh_from_db()
        assert (qui.email, qui.type_utilisateur) == avant


def test_sans_son_ancien_mot_de_passe_lisible_rien_n_est_compte_comme_un_essai(etudiante, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "login": Taux(1, 3600)}
    url, corps = "/api/v1/comptes/me/password", {"ancienMotDePasse": 5, "nouveauMotDePasse": NOUVEAU}

    refus = [client_de(etudiante).put(url, corps) for _fois in range(3)]

    dits = [[(un["field"], un["code"]) for un in refuse.json()["details"]] for refuse in refus]
    assert dits == [[("ancienMotDePasse", "invalid")]] * 3


@pytest.mark.parametrize("champs", [{}, {"type_utilisateur": "ADMIN_SYSTEME", "est_actif": False}])
def test_qui_n_est_pas_un_administrateur_en_fonction_n_en_est_pas_le_dernier(champs):
    """A service that has none yet, or none any more, can still be put right on the machine."""
    comptes._garder_un_admin(fabriques.compte(**champs))

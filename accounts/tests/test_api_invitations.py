from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.utils import timezone, translation
from django_tasks_db.models import DBTaskResult

from accounts.models import Invitation, Preferences
from accounts.tests import fabriques
from accounts.tests.outils import AUTH, jeton_recu, lien_recu
from config.tests.outils.typographie import ordinaire
from socle.audit.models import Trace
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
URL = "/api/v1/comptes/invitations"
CORPS = {"email": "Ines@Campus.test", "typeUtilisateur": "GESTIONNAIRE"}


def accepter(api, jeton, email="ines@campus.test"):
    corps = {"email": email, "motDePasse": "Baobab-penché-77", "nom": "Lukusa", "prenom": "Inès"}
    return api(None).post(f"{AUTH}signup", {**corps, "invitationToken": jeton})


@pytest.mark.parametrize(
    ("methode", "chemin", "statuts"),
    [
        ("get", "", (401, 401, 403, 403, 200)),
        ("post", "", (401, 401, 403, 403, 422)),
        ("post", "/{id}/renvoyer", (401, 401, 403, 403, 200)),
        ("delete", "/{id}", (401, 401, 403, 403, 204)),
        ("delete", "/{inconnu}", (401, 401, 403, 403, 404)),
        ("post", "/{inconnu}/renvoyer", (401, 401, 403, 403, 404)),
        ("delete", "/pas-un-uuid", (404, 404, 404, 404, 404)),
    ],
)
def test_qui_peut_quoi_sur_les_invitations(client_de_personne, admin, methode, chemin, statuts):
    inconnu = "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"
    url = URL + chemin.format(id=fabriques.invitation(admin).pk, inconnu=inconnu)
    personae = ("anonyme", "invite", "etudiante", "gestionnaire", "admin")

    recus = tuple(getattr(client_de_personne(p), methode)(url, *([{}] if methode == "post" else [])) for p in personae)

    assert tuple(r.status_code for r in recus) == statuts


def test_inviter_repond_l_invitation_en_attente(api, admin):
    reponse = api(admin).post(URL, CORPS)

    invitation = Invitation.objects.get()
    recu = reponse.json()["data"]
    assert reponse.status_code == 201
    assert (recu["invitationId"], recu["email"], recu["statut"]) == (str(invitation.pk), "ines@campus.test", "PENDING")
    assert recu["expireLe"].endswith("Z")
    assert abs(invitation.expire_le - timezone.now() - timedelta(days=7)) < timedelta(seconds=5)
    assert invitation.jeton not in reponse.content.decode()


@pytest.mark.parametrize(
    ("champ", "valeur"), [("email", None), ("email", "x"), ("typeUtilisateur", None), ("typeUtilisateur", "CHEF")]
)
def test_une_invitation_mal_formee_est_refusee(api, admin, champ, valeur, mailoutbox):
    reponse = api(admin).post(URL, {**CORPS, champ: valeur})

    assert reponse.status_code == 422
    assert reponse.json()["details"][0]["field"] == champ
    assert not Invitation.objects.exists()


def test_reinviter_revoque_la_precedente(api, admin):
    premiere = api(admin).post(URL, CORPS).json()["data"]

    seconde = api(admin).post(URL, {**CORPS, "email": "INES@campus.test"}).json()["data"]

    statuts = {str(i.pk): i.statut for i in Invitation.objects.all()}
    assert statuts == {premiere["invitationId"]: "REVOKED", seconde["invitationId"]: "PENDING"}


def test_une_adresse_qui_a_un_compte_n_est_pas_invitee(api, admin, etudiante, mailoutbox):
    reponse = api(admin).post(URL, {**CORPS, "email": "AWA@campus.test"})
    faire_les_taches()

    assert (reponse.status_code, reponse.json()["code"]) == (409, "EMAIL_ALREADY_USED")
    assert (Invitation.objects.count(), mailoutbox) == (0, [])


def test_le_courriel_porte_un_lien_qui_sert(api, admin, mailoutbox, settings):
    settings.INVITATION_URL = "https://front.campus.test/bienvenue"
    api(admin).post(URL, CORPS)

    faire_les_taches()

    (message,) = mailoutbox
    html, type_ = message.alternatives[0]
    assert (message.to, type_) == (["ines@campus.test"], "text/html")
    assert message.subject == "Votre invitation au service de signalement du campus"
    assert lien_recu(message).startswith("https://front.campus.test/bienvenue?token=")
    assert lien_recu(message) in html
    for texte in (message.body, html):
        assert "Vous êtes invité·e" in texte
        assert "Gestionnaire" in texte
        assert "(UTC) et ne sert qu'une fois." in ordinaire(texte)
    assert accepter(api, jeton_recu(message)).status_code == 201


@pytest.mark.parametrize(
    ("choisie", "demandee", "recue"),
    [("fr", "en", "fr"), ("en", "fr", "en"), (None, "en", "en"), (None, "fr", "fr"), (None, "de", "fr")],
)
@pytest.mark.parametrize("acte", ["inviter", "renvoyer"])
def test_le_courriel_est_dans_la_langue_de_qui_l_envoie(api, admin, mailoutbox, choisie, demandee, recue, acte):
    if choisie:
        Preferences.objects.create(compte=admin, langue=choisie)
    url = URL if acte == "inviter" else f"{URL}/{fabriques.invitation(admin).pk}/renvoyer"

    api(admin).post(url, CORPS if acte == "inviter" else {}, headers={"Accept-Language": demandee})
    translation.activate("fr")  # the worker knows no request
    faire_les_taches()

    (message,) = mailoutbox
    html, _type = message.alternatives[0]
    attendus = {
        "fr": ["Votre invitation", "Vous êtes invité·e", "Gestionnaire"],
        "en": ["Your invitation", "You are invited", "Manager"],
    }
    assert message.subject.startswith(attendus[recue][0])
    assert f'<html lang="{recue}">' in html
    for texte in (message.body, html):
        assert all(mot in texte for mot in attendus[recue][1:]), texte


def test_qui_renvoie_donne_sa_langue(api, admin, mailoutbox):
    collegue = fabriques.admin()
    Preferences.objects.create(compte=collegue, langue="en")
    invitation = api(admin).post(URL, CORPS).json()["data"]

    api(collegue).post(f"{URL}/{invitation['invitationId']}/renvoyer")
    faire_les_taches()

    assert mailoutbox[-1].subject.startswith("Your invitation")


@pytest.mark.parametrize("sort", ["révoquée", "expirée", "acceptée"])
def test_une_invitation_close_avant_l_envoi_ne_part_pas(api, admin, mailoutbox, sort):
    recue = api(admin).post(URL, CORPS).json()["data"]
    match sort:
        case "révoquée":
            api(admin).delete(f"{URL}/{recue['invitationId']}")
        case "expirée":
            Invitation.objects.update(expire_le=timezone.now())
        case "acceptée":
            accepter(api, Invitation.objects.get().jeton)

    faire_les_taches()

    assert mailoutbox == []


def test_renvoyer_donne_une_nouvelle_date_et_tue_le_lien_precedent(api, admin, mailoutbox):
    invitation = api(admin).post(URL, CORPS).json()["data"]
    faire_les_taches()
    Invitation.objects.update(expire_le=timezone.now() + timedelta(hours=1))

    reponse = api(admin).post(f"{URL}/{invitation['invitationId']}/renvoyer")
    faire_les_taches()

    ancien, nouveau = (jeton_recu(message) for message in mailoutbox)
    assert (reponse.status_code, reponse.json()["data"]["invitationId"]) == (200, invitation["invitationId"])
    assert Invitation.objects.get().expire_le > timezone.now() + timedelta(days=6)
    assert accepter(api, ancien).status_code == 422
    assert accepter(api, nouveau).status_code == 201


def test_renvoyer_rend_vivante_une_invitation_expiree(api, admin):
    invitation = fabriques.invitation(admin, expire_le=timezone.now() - timedelta(days=1))

    recu = api(admin).post(f"{URL}/{invitation.pk}/renvoyer").json()["data"]

    assert recu["statut"] == "PENDING"


@pytest.mark.parametrize("statut", ["ACCEPTED", "REVOKED", "EXPIRED"])
def test_une_invitation_close_ne_se_renvoie_pas(api, admin, statut, mailoutbox):
    invitation = fabriques.invitation(admin, statut=statut)

    reponse = api(admin).post(f"{URL}/{invitation.pk}/renvoyer")
    faire_les_taches()

    assert (reponse.status_code, reponse.json()["code"], mailoutbox) == (409, "CONFLICT", [])


def test_revoquer_est_rejouable_et_tue_le_lien(api, admin):
    invitation = fabriques.invitation(admin, email="ines@campus.test")

    statuts = [api(admin).delete(f"{URL}/{invitation.pk}").status_code for _rang in range(2)]

    assert statuts == [204, 204]
    assert Invitation.objects.get().statut == "REVOKED"
    assert accepter(api, invitation.jeton).status_code == 422


def test_une_invitation_acceptee_ne_se_revoque_plus(api, admin):
    invitation = fabriques.invitation(admin, email="ines@campus.test")
    accepter(api, invitation.jeton)

    assert api(admin).delete(f"{URL}/{invitation.pk}").status_code == 409


@pytest.mark.parametrize(
    ("statut", "attendus"),
    [
        ("PENDING", {"attend"}),
        ("EXPIRED", {"passee", "expiree"}),
        ("REVOKED", {"revoquee"}),
        ("ACCEPTED", {"acceptee"}),
    ],
)
def test_la_liste_se_filtre_par_le_statut_montre(api, admin, statut, attendus):
    hier = timezone.now() - timedelta(days=1)
    fabriques.invitation(admin, email="attend@campus.test")
    fabriques.invitation(admin, email="passee@campus.test", expire_le=hier)
    fabriques.invitation(admin, email="expiree@campus.test", statut="EXPIRED")
    fabriques.invitation(admin, email="revoquee@campus.test", statut="REVOKED", expire_le=hier)
    fabriques.invitation(admin, email="acceptee@campus.test", statut="ACCEPTED", expire_le=hier)

    items = api(admin).get(f"{URL}?statut={statut}").json()["data"]["items"]

    assert {i["email"].partition("@")[0] for i in items} == attendus
    assert {i["statut"] for i in items} == {statut}


def test_un_statut_inconnu_est_refuse(api, admin):
    assert api(admin).get(f"{URL}?statut=EN_ATTENTE").status_code == 422


@pytest.mark.postgres
def test_l_invitation_d_une_adresse_se_trouve_par_l_index(db):
    with connection.cursor() as curseur:
        curseur.execute("SET LOCAL enable_seqscan = off")

    plan = Invitation.objects.en_attente().ouvertes_pour("ines@campus.test").explain()

    assert "invitation_en_attente_unique" in plan


def test_une_invitation_et_neuf_coutent_autant_de_requetes(api, admin, django_assert_num_queries):
    client = api(admin)
    fabriques.invitation(admin)

    with django_assert_num_queries(3):
        client.get(URL)
    for _rang in range(8):
        fabriques.invitation(admin)
    with django_assert_num_queries(3):
        assert client.get(URL).json()["data"]["total"] == 9


# --- The word that goes with it


MOT = "Chère Inès,\n\nnous t'attendons lundi : viens ?"


def test_un_mot_est_rendu_a_l_administration_et_reste_quand_on_renvoie(api, admin):
    client = api(admin)

    creee = client.post(URL, {**CORPS, "mot": f"  {MOT}\r\n".replace("\n\n", "\r\n\r\n")}).json()["data"]
    renvoyee = client.post(f"{URL}/{creee['invitationId']}/renvoyer").json()["data"]

    (listee,) = client.get(URL).json()["data"]["items"]
    assert [une["mot"] for une in (creee, renvoyee, listee)] == [MOT] * 3


@pytest.mark.parametrize("sans", [{}, {"mot": ""}, {"mot": None}, {"mot": " \n\u200b\u3164"}])
def test_un_mot_se_laisse_de_cote(api, admin, sans, mailoutbox):
    recue = api(admin).post(URL, {**CORPS, **sans}).json()["data"]
    faire_les_taches()

    (message,) = mailoutbox
    assert (recue["mot"], Invitation.objects.get().mot) == (None, "")
    assert "vous écrit" not in message.body + message.alternatives[0][0]
    assert admin.nom_complet not in message.body + message.alternatives[0][0]


@pytest.mark.parametrize(
    ("mot", "code"),
    [
        ("x" * 301, "max_length"),
        ("x" * 100_000, "max_length"),
        ("a\x00b", "control"),
        ("\x1b[2J", "control"),
        (7, "invalid"),
    ],
)
def test_un_mot_refuse_est_nomme_et_n_invite_personne(api, admin, mailoutbox, mot, code):
    reponse = api(admin).post(URL, {**CORPS, "mot": mot})
    faire_les_taches()

    assert reponse.status_code == 422
    assert [(un["field"], un["code"]) for un in reponse.json()["details"]] == [("mot", code)]
    assert (Invitation.objects.count(), mailoutbox) == (0, [])


def test_trois_cents_caracteres_sont_un_mot(api, admin):
    assert api(admin).post(URL, {**CORPS, "mot": "é" * 300}).json()["data"]["mot"] == "é" * 300


def test_le_courriel_cite_le_mot_a_chaque_envoi_sous_le_nom_de_qui_l_a_ecrit(api, admin, mailoutbox):
    creee = api(admin).post(URL, {**CORPS, "mot": MOT}).json()["data"]
    faire_les_taches()
    api(fabriques.admin(prenom="Une", nom="Collègue")).post(f"{URL}/{creee['invitationId']}/renvoyer")
    faire_les_taches()

    assert len(mailoutbox) == 2
    for message in mailoutbox:
        assert (
            f"\n{admin.nom_complet} vous écrit\u00a0:\n> Chère Inès,\n> \n> nous t'attendons lundi : viens ?\n\n"
            in message.body
        )
        assert "<br><br>nous t&#x27;attendons lundi : viens ?</blockquote>" in message.alternatives[0][0]
        assert "Collègue" not in message.body


def test_un_mot_ne_garde_pas_l_identifiant_d_une_session_et_n_est_ni_au_journal_ni_dans_une_tache(api, admin, invite):
    creee = api(admin).post(URL, {**CORPS, "mot": f"Voir {invite.guest_id}, canari."}).json()["data"]
    api(admin).delete(f"{URL}/{creee['invitationId']}")

    assert creee["mot"] == Invitation.objects.get().mot == "Voir [identifiant masqué], canari."
    for modele in (LogEntry, DBTaskResult, Trace):
        assert modele.objects.exists()
        assert "canari" not in str(list(modele.objects.values()))

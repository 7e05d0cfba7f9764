from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.contrib.admin.models import LogEntry
from django.db.models import Case, Value, When

from accounts.tests.outils import entrer
from guests.models import SessionInvitee
from guests.tests.fabriques import fusionner, session_invitee
from guests.tests.outils import ecritures

pytestmark = pytest.mark.django_db
SESSIONS = "/admin/guests/sessioninvitee/"


def agir(client, action, *sessions, **champs):
    donnees = {"action": action, "_selected_action": [str(s.pk) for s in sessions], **champs}
    return client.post(SESSIONS, donnees, follow=True)


def desactiver(client, *sessions):
    return agir(client, "desactiver_sessions", *sessions, motif="Menaces répétées.")


def messages(reponse):
    return [(message.level_tag, str(message)) for message in reponse.context["messages"]]


@pytest.mark.parametrize(("persona", "statut"), [("gestionnaire", 403), ("admin", 200)])
def test_un_administrateur_seul_voit_les_sessions_invitees(personne, persona, statut, invite):
    client = entrer(personne(persona).email)

    accueil = client.get("/admin/")

    assert ("guests" in [app["app_label"] for app in accueil.context["app_list"]]) is (statut == 200)
    for chemin in ("", f"{invite.pk}/change/", f"{invite.pk}/history/", "?statut=ACTIVE", "?q=a"):
        assert client.get(SESSIONS + chemin).status_code == statut, chemin


def test_une_session_montre_son_etat_son_jour_et_rien_qui_mene_a_un_dossier(
    admin, etudiante, invite, autre_invite, signalement_invite, settings
):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Africa/Kinshasa")
    ouverte, vue = (datetime(2026, 3, 1, heure, 47, tzinfo=UTC) for heure in (9, 10))
    dates = {"date_creation": ouverte, "date_modification": vue, "date_derniere_activite": vue, "jour": ouverte.date()}
    SessionInvitee.objects.update(**dates)
    fusionner(invite, etudiante)
    SessionInvitee.objects.update(date_fusion=Case(When(pk=invite.pk, then=Value(vue))))
    client = entrer(admin.email)

    pages = [client.get(SESSIONS + chemin) for chemin in ("", f"{invite.pk}/change/", f"{invite.pk}/history/")]

    liste, detail, _histoire = textes = [page.content.decode() for page in pages]
    for texte in (liste, detail):
        assert "Rattachée à un compte" in texte
        assert "1 mars 2026" in texte
        assert "+243*******21" in texte
    interdits = [":47", "Diop", etudiante.email, str(etudiante.pk), signalement_invite.reference]
    interdits += [str(signalement_invite.pk), str(invite.guest_id), invite.guest_id_empreinte]
    assert [interdit for interdit in interdits for texte in textes if interdit in texte] == []


def test_l_ordre_des_sessions_d_un_jour_ne_dit_pas_leur_heure(admin, invite):
    """By day, then by a random key, whatever order is asked for."""
    sessions = [invite, *(session_invitee() for _rang in range(7))]
    for rang, session in enumerate(sorted(sessions, key=lambda s: s.pk)):
        moment = datetime(2026, 3, 2, (rang * 5) % 8, 0, tzinfo=UTC)
        SessionInvitee.objects.filter(pk=session.pk).update(date_creation=moment, jour=moment.date())
    veille = session_invitee()
    SessionInvitee.objects.filter(pk=veille.pk).update(jour=date(2026, 3, 1))
    client = entrer(admin.email)

    listes = [client.get(f"{SESSIONS}?{question}").context["cl"] for question in ("", "o=4", "o=-4", "o=1.2.3")]

    ce_jour = [[s.pk for s in liste.result_list if s.pk != veille.pk] for liste in listes]
    assert ce_jour == [sorted(s.pk for s in sessions)] * 4
    assert listes[0].result_list[8] == veille


@pytest.mark.parametrize(
    "question",
    [
        "fusionnee_dans__email=awa@campus.test",
        "date_creation__gte=2026-03-01",
        "date_derniere_activite__isnull=False",
        "date_fusion__isnull=False",
        "guest_id_empreinte__startswith=a",
        "_to_field=guest_id_empreinte",
        "jour__gte=2026-03-01",
    ],
)
def test_une_question_forgee_n_apprend_rien(admin, invite, question):
    client = entrer(admin.email)

    assert client.get(f"{SESSIONS}?{question}").status_code == 400


def test_le_jour_d_une_session_est_celui_du_campus(settings, db):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Pacific/Kiritimati")

    assert session_invitee().jour == datetime.now(ZoneInfo("Pacific/Kiritimati")).date()


def test_une_etudiante_n_y_entre_pas(etudiante, invite):
    client = entrer(etudiante.email)

    assert client.get(SESSIONS).status_code == 302
    assert desactiver(client, invite).redirect_chain
    assert SessionInvitee.objects.get().statut == "ACTIVE"


def test_un_gestionnaire_ne_desactive_personne(gestionnaire, invite):
    assert desactiver(entrer(gestionnaire.email), invite).status_code == 403
    assert SessionInvitee.objects.get().statut == "ACTIVE"


def test_un_administrateur_desactive_une_session_par_l_action(api, admin, invite, autre_invite):
    client = entrer(admin.email)

    reponse = desactiver(client, invite)

    assert messages(reponse) == [("info", "1 ligne traitée.")]
    assert api(invite).get("/api/v1/guest/suivi").json()["code"] == "GUEST_SESSION_INVALID"
    assert api(autre_invite).get("/api/v1/guest/suivi").status_code == 200


def test_un_administrateur_retablit_une_session_par_l_action(api, admin, invite):
    client = entrer(admin.email)
    desactiver(client, invite)

    agir(client, "retablir_sessions", invite, motif="Une erreur de personne.")

    assert api(invite).get("/api/v1/guest/suivi").status_code == 200
    histoire = client.get(f"{SESSIONS}{invite.pk}/history/").content.decode()
    dits = (admin.email, "Désactivée", "Menaces répétées.", "Active", "Une erreur de personne.")
    assert [dit for dit in dits if dit not in histoire] == []


def test_desactiver_demande_d_abord_le_motif(admin, invite, autre_invite):
    client = entrer(admin.email)

    pages = [
        agir(client, "desactiver_sessions", invite, autre_invite, **champs)
        for champs in ({}, {"motif": " "}, {"motif": "a\x0bb"}, {"motif": "x" * 20_001})
    ]

    for page in pages:
        assert page.status_code == 200
        texte = page.content.decode()
        assert all(attendu in texte for attendu in ("Motif", str(invite), str(autre_invite), "desactiver_sessions"))
    assert [bool(page.context["formulaire"].errors) for page in pages] == [False, True, True, True]
    assert {s.statut for s in SessionInvitee.objects.all()} == {"ACTIVE"}
    assert not LogEntry.objects.exists()


def test_plus_d_une_page_de_sessions_a_la_fois_est_refusee(admin, invite):
    SessionInvitee.objects.bulk_create(
        SessionInvitee(guest_id_empreinte=str(rang), telephone="+243812345621") for rang in range(100)
    )

    reponse = agir(entrer(admin.email), "desactiver_sessions", *SessionInvitee.objects.all(), motif="Toutes.")

    assert messages(reponse) == [("error", "Choisissez au plus 100 sessions.")]
    assert not SessionInvitee.objects.filter(statut="DISABLED").exists()


def test_la_liste_annonce_la_decision_sans_dire_quelle_session(admin, invite, evenements):
    client = entrer(admin.email)

    with evenements() as recus:
        desactiver(client, invite)

    fermeture, alerte = recus
    assert (fermeture["type"], fermeture["payload"]) == ("fermer_sockets", {"invites": [str(invite.pk)]})
    message = "Rose Kabila a désactivé une session invitée. Le motif est au journal."
    assert (alerte["type"], alerte["canal"], alerte["payload"]["message"]) == ("system_alert", "admin", message)


def test_une_session_rattachee_reste_rattachee_et_les_autres_sont_desactivees(admin, etudiante, invite, autre_invite):
    fusionner(invite, etudiante)

    recus = messages(desactiver(entrer(admin.email), invite, autre_invite))

    assert [niveau for niveau, _texte in recus] == ["error", "info"]
    assert "rattachée à un compte" in recus[0][1]
    assert {s.pk: s.statut for s in SessionInvitee.objects.all()} == {invite.pk: "MERGED", autre_invite.pk: "DISABLED"}


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
@pytest.mark.parametrize("chemin", ["add/", "{pk}/delete/"])
def test_personne_n_ajoute_ni_n_efface_une_session(personne, invite, persona, chemin):
    client = entrer(personne(persona).email)

    assert client.get(SESSIONS + chemin.format(pk=invite.pk)).status_code == 403


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_une_requete_forgee_ne_change_pas_une_session(personne, invite, persona):
    client = entrer(personne(persona).email)

    reponse = client.post(f"{SESSIONS}{invite.pk}/change/", {"statut": "MERGED", "telephone": "+33612345678"})

    assert reponse.status_code == 403
    assert (SessionInvitee.objects.get().statut, SessionInvitee.objects.get().telephone) == ("ACTIVE", "+243812345621")


def test_ni_l_identifiant_ni_le_numero_ne_sont_montres(admin, invite, signalement_invite):
    client = entrer(admin.email)
    desactiver(client, invite)

    pages = ["/admin/", SESSIONS, f"{SESSIONS}{invite.pk}/change/", f"{SESSIONS}{invite.pk}/history/"]
    texte = "\n".join(client.get(page).content.decode() for page in pages).lower()

    assert "+243*******21" in texte
    secrets = ("812345621", invite.guest_id_empreinte, *ecritures(invite.guest_id))
    assert [secret for secret in secrets if secret in texte] == []


def test_une_session_et_neuf_coutent_autant_de_requetes(admin, invite, django_assert_max_num_queries, api):
    client = entrer(admin.email)

    with django_assert_max_num_queries(6):
        client.get(SESSIONS)
    for _rang in range(8):
        api(None).post("/api/v1/guest/sessions", {"telephone": "+243812345621"})
    with django_assert_max_num_queries(6):
        assert client.get(SESSIONS).context["cl"].result_count == 9

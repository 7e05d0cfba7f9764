import pytest

from accounts.tests.outils import entrer
from guests.models import SessionInvitee
from guests.tests.fabriques import fusionner
from guests.tests.outils import ecritures

pytestmark = pytest.mark.django_db
SESSIONS = "/admin/guests/sessioninvitee/"


def desactiver(client, *sessions):
    donnees = {"action": "desactiver_sessions", "_selected_action": [str(s.pk) for s in sessions]}
    return client.post(SESSIONS, donnees, follow=True)


def messages(reponse):
    return [(message.level_tag, str(message)) for message in reponse.context["messages"]]


def test_un_gestionnaire_voit_la_vie_du_campus_et_les_sessions_invitees_mais_aucun_compte(gestionnaire, invite):
    client = entrer(gestionnaire.email)

    accueil = client.get("/admin/")

    sections = [app["app_label"] for app in accueil.context["app_list"]]
    assert "guests" in sections
    assert not {"accounts", "admin"} & set(sections)
    for chemin in ("", f"{invite.pk}/change/", f"{invite.pk}/history/", "?statut=ACTIVE", "?q=a"):
        assert client.get(SESSIONS + chemin).status_code == 200, chemin


def test_une_etudiante_n_y_entre_pas(etudiante, invite):
    client = entrer(etudiante.email)

    assert client.get(SESSIONS).status_code == 302
    assert desactiver(client, invite).redirect_chain
    assert SessionInvitee.objects.get().statut == "ACTIVE"


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_l_equipe_desactive_une_session_par_l_action(api, personne, persona, invite, autre_invite):
    client = entrer(personne(persona).email)

    reponse = desactiver(client, invite)

    assert messages(reponse) == [("info", "1 session désactivée.")]
    assert api(invite).get("/api/v1/guest/suivi").json()["code"] == "GUEST_SESSION_INVALID"
    assert api(autre_invite).get("/api/v1/guest/suivi").status_code == 200
    assert client.get(f"{SESSIONS}{invite.pk}/history/").context["action_list"].paginator.count == 1


def test_une_session_rattachee_reste_rattachee_et_les_autres_sont_desactivees(
    gestionnaire, etudiante, invite, autre_invite
):
    fusionner(invite, etudiante)

    recus = messages(desactiver(entrer(gestionnaire.email), invite, autre_invite))

    assert [niveau for niveau, _texte in recus] == ["error", "info"]
    assert "déjà rattachée" in recus[0][1]
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


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_ni_l_identifiant_ni_le_numero_ne_sont_montres(api, personne, persona, invite, signalement_invite):
    client = entrer(personne(persona).email)
    desactiver(client, invite)

    pages = ["/admin/", SESSIONS, f"{SESSIONS}{invite.pk}/change/", f"{SESSIONS}{invite.pk}/history/"]
    texte = "\n".join(client.get(page).content.decode() for page in pages).lower()

    assert "+243*******21" in texte
    secrets = ("812345621", invite.guest_id_empreinte, *ecritures(invite.guest_id))
    assert [secret for secret in secrets if secret in texte] == []


def test_une_session_et_neuf_coutent_autant_de_requetes(gestionnaire, invite, django_assert_max_num_queries, api):
    client = entrer(gestionnaire.email)

    with django_assert_max_num_queries(6):
        client.get(SESSIONS)
    for _rang in range(8):
        api(None).post("/api/v1/guest/sessions", {"telephone": "+243812345621"})
    with django_assert_max_num_queries(6):
        assert client.get(SESSIONS).context["cl"].result_count == 9

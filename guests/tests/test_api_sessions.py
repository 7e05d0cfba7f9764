from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.core.cache import cache
from django.utils import timezone

from config.tests.outils import champs_refuses
from guests.models import SessionInvitee
from guests.services import session_de
from guests.tests.fabriques import desactiver, fusionner
from guests.tests.outils import colonne, ecritures, tout_ce_qui_est_stocke
from socle.domaine.chiffrement import empreinte
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db
URL = "/api/v1/guest/sessions"
SIGNALEMENTS = "/api/v1/signalements/"
CORPS = {"titre": "Remarques", "description": "Devant l'amphi.", "type": "HARCELEMENT"}
INCONNU = "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"


# --- Opening --------------------------------------------------------------------------------------------------------


def test_ouvrir_une_session_repond_son_identifiant(api):
    reponse = api(None).post(URL, {"telephone": "+243812345621", "deviceFingerprint": "appareil-7"})

    recu = reponse.json()["data"]
    assert (reponse.status_code, recu["statut"]) == (201, "ACTIVE")
    assert UUID(recu["guestId"]).version == 4
    assert recu["createdAt"].endswith("Z")
    assert "812345621" not in reponse.content.decode()
    assert "appareil-7" not in reponse.content.decode()


@pytest.mark.parametrize(
    ("ecrit", "stocke"),
    [
        ("+243812345621", "+243812345621"),
        (" +243 812 345 621 ", "+243812345621"),
        ("+243-812-345-621", "+243812345621"),
        ("+33 (0)6 12 34 56 78", "+33612345678"),
        ("+1 (202) 555-0143", "+12025550143"),
    ],
)
def test_un_numero_s_ecrit_de_plusieurs_facons(api, ecrit, stocke):
    assert api(None).post(URL, {"telephone": ecrit}).status_code == 201

    assert SessionInvitee.objects.get().telephone == stocke


def test_l_appareil_n_est_pas_garde_et_le_telephone_l_est_chiffre_seulement(api):
    """Neither as it came nor as a hash: nobody reads them."""
    api(None).post(URL, {"telephone": "+243812345621", "deviceFingerprint": "appareil-7"})

    stocke = tout_ce_qui_est_stocke()
    marques = [("telephone", "+243812345621"), ("appareil", "appareil-7")]
    interdits = [texte for espece, valeur in marques for texte in (valeur, empreinte(espece, valeur))]
    assert [interdit for interdit in interdits if interdit in stocke] == []
    assert SessionInvitee.objects.get().telephone == "+243812345621"


def test_un_numero_national_se_lit_dans_la_region_du_reglage(api, settings):
    sans = api(None).post(URL, {"telephone": "0812345621"})
    settings.PHONE_DEFAULT_REGION = "CD"

    avec = api(None).post(URL, {"telephone": "0812345621"})

    assert (sans.status_code, avec.status_code) == (422, 201)
    assert SessionInvitee.objects.get().telephone == "+243812345621"


@pytest.mark.parametrize(
    "corps",
    [
        {},
        {"telephone": None},
        {"telephone": ""},
        {"telephone": 243812345621},
        {"telephone": "+243"},
        {"telephone": "bonjour"},
        {"telephone": "+2438123456219999999"},
        {"telephone": "+24381234\x005621"},
        {"telephone": "+" + "2" * 64},
        {"telephone": ["+243812345621"]},
    ],
)
def test_un_numero_illisible_est_refuse(api, corps):
    assert champs_refuses(api(None).post(URL, corps)) == {"telephone"}
    assert not SessionInvitee.objects.exists()


@pytest.mark.parametrize("empreinte", [3, "x" * 1025, "a\x00b"])
def test_une_empreinte_d_appareil_illisible_est_refusee(api, empreinte):
    corps = {"telephone": "+243812345621", "deviceFingerprint": empreinte}

    assert champs_refuses(api(None).post(URL, corps)) == {"deviceFingerprint"}


def test_un_numero_n_ouvre_jamais_une_session_existante(api, invite):
    corps = {"telephone": "+243812345621", "deviceFingerprint": "appareil-7", "guestId": str(invite.guest_id)}

    recus = [api(None).post(URL, corps).json()["data"]["guestId"] for _rang in range(2)]

    assert len({*recus, str(invite.guest_id)}) == 3
    assert SessionInvitee.objects.count() == 3


def test_le_numero_est_chiffre_et_montre_masque(api, invite):
    reponse = api(None).get(f"{URL}/{invite.guest_id}")

    assert reponse.json()["data"]["telephoneMasked"] == "+243*******21"
    assert "812345621" not in colonne("telephone", invite)
    assert "812345621" not in tout_ce_qui_est_stocke()


def test_deux_sessions_d_un_meme_numero_n_ont_pas_le_meme_chiffre(api):
    for _rang in range(2):
        api(None).post(URL, {"telephone": "+243812345621"})

    un, deux = (colonne("telephone", session) for session in SessionInvitee.objects.all())
    assert un != deux


def test_l_identifiant_n_est_nulle_part_dans_la_base(api, gestionnaire):
    guest_id = UUID(api(None).post(URL, {"telephone": "+243812345621"}).json()["data"]["guestId"])
    invite = session_de(guest_id)
    dossier = api(invite).post(SIGNALEMENTS, CORPS).json()["data"]
    api(invite).get("/api/v1/guest/suivi")
    api(invite).get(f"{SIGNALEMENTS}guest/me?guestId={guest_id}")
    api(None).patch(f"{URL}/{guest_id}/telephone", {"telephone": "+243898765432"})
    api(gestionnaire).put(f"{SIGNALEMENTS}{dossier['id']}/statut", {"statut": "TRAITE"})

    stocke = tout_ce_qui_est_stocke()

    assert dossier["reference"].lower() in stocke
    assert not [ecriture for ecriture in ecritures(guest_id) if ecriture in stocke]


def test_l_identifiant_n_est_pas_dans_les_journaux(api, caplog):
    guest_id = UUID(api(None).post(URL, {"telephone": "+243812345621"}).json()["data"]["guestId"])
    invite = session_de(guest_id)

    for url in (f"{URL}/{guest_id}", "/api/v1/guest/suivi", f"{SIGNALEMENTS}guest/me?guestId={guest_id}"):
        api(invite).get(url)
    api(None).patch(f"{URL}/{guest_id}/telephone", {})

    journal = "\n".join(str(vars(ligne)) for ligne in caplog.records if ligne.name.startswith("campus"))
    assert "guest/sessions" in journal
    assert str(guest_id) not in journal
    assert guest_id.hex not in journal
    assert "812345621" not in journal


# --- Reading and changing the phone ---------------------------------------------------------------------------------


@pytest.mark.parametrize("etat", ["ACTIVE", "DISABLED", "MERGED"])
def test_une_session_se_lit_dans_tous_ses_etats(api, invite, etudiante, etat):
    if etat == "DISABLED":
        desactiver(invite)
    if etat == "MERGED":
        fusionner(invite, etudiante)

    reponse = api(None).get(f"{URL}/{invite.guest_id}")

    recu = reponse.json()["data"]
    assert (reponse.status_code, recu["statut"]) == (200, etat)
    assert recu.keys() == {"guestId", "statut", "telephoneMasked", "lastSeenAt"}
    assert recu["guestId"] == str(invite.guest_id)


@pytest.mark.parametrize("autre", [INCONNU, "pas-un-uuid", "%00", "{pk}", "é"])
@pytest.mark.parametrize("methode", ["get", "patch"])
def test_un_identifiant_inconnu_ou_mal_forme_est_introuvable(api, invite, methode, autre):
    chemin = f"{URL}/{autre.format(pk=invite.pk)}" + ("/telephone" if methode == "patch" else "")

    reponse = getattr(api(None), methode)(chemin, *([{"telephone": "+243898765432"}] if methode == "patch" else []))

    assert (reponse.status_code, reponse.json()["code"]) == (404, "GUEST_SESSION_NOT_FOUND")
    assert reponse.json()["message"].startswith("GUEST_SESSION_NOT_FOUND: ")


def test_changer_de_numero_repond_le_nouveau_masque(api, invite):
    avant = colonne("telephone", invite)

    reponse = api(None).patch(f"{URL}/{invite.guest_id}/telephone", {"telephone": "+33 6 12 34 56 78"})

    recu = reponse.json()["data"]
    assert reponse.status_code == 200
    assert (recu["guestId"], recu["telephoneMasked"]) == (str(invite.guest_id), "+33*******78")
    assert recu["updatedAt"].endswith("Z")
    assert api(None).get(f"{URL}/{invite.guest_id}").json()["data"]["telephoneMasked"] == "+33*******78"
    assert colonne("telephone", invite) != avant


@pytest.mark.parametrize("corps", [{}, {"telephone": None}, {"telephone": "12"}, {"telephone": ""}])
def test_un_nouveau_numero_illisible_ne_change_rien(api, invite, corps):
    assert champs_refuses(api(None).patch(f"{URL}/{invite.guest_id}/telephone", corps)) == {"telephone"}

    assert SessionInvitee.objects.get().telephone == "+243812345621"


@pytest.mark.parametrize(
    ("etat", "attendu"), [("MERGED", (409, "GUEST_SESSION_MERGED")), ("DISABLED", (403, "GUEST_SESSION_INVALID"))]
)
def test_une_session_close_ne_change_plus_de_numero(api, invite, etudiante, etat, attendu):
    desactiver(invite) if etat == "DISABLED" else fusionner(invite, etudiante)

    reponse = api(None).patch(f"{URL}/{invite.guest_id}/telephone", {"telephone": "+243898765432"})

    assert (reponse.status_code, reponse.json()["code"]) == attendu
    assert reponse.json()["message"].startswith(f"{attendu[1]}: ")
    assert SessionInvitee.objects.get().telephone == "+243812345621"


# --- Last seen ------------------------------------------------------------------------------------------------------


@pytest.fixture
def vue_il_y_a():
    def poser(**duree):
        vue = timezone.now() - timedelta(**duree)
        SessionInvitee.objects.update(date_derniere_activite=vue)
        return vue

    return poser


@pytest.mark.parametrize(("secondes", "bouge"), [(50, False), (70, True)])
def test_la_derniere_visite_bouge_au_plus_une_fois_par_minute(api, invite, vue_il_y_a, secondes, bouge):
    avant = vue_il_y_a(seconds=secondes)

    api(invite).get("/api/v1/guest/suivi")

    assert (SessionInvitee.objects.get().date_derniere_activite > avant) is bouge


def test_lire_la_session_ne_bouge_pas_la_derniere_visite(api, invite, vue_il_y_a):
    avant = vue_il_y_a(days=2)

    api(invite).get(f"{URL}/{invite.guest_id}")

    assert SessionInvitee.objects.get().date_derniere_activite == avant


def test_une_visite_toute_recente_ne_coute_aucune_ecriture(api, invite, signalement_invite, django_assert_num_queries):
    client = api(invite)

    with django_assert_num_queries(4) as requetes:
        client.get("/api/v1/guest/suivi")

    assert {requete["sql"].split()[0] for requete in requetes} == {"SELECT"}


# --- Flag and stages ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ouvert", "etape", "statuts"),
    [
        (False, "merge", (403, 403, 403, 403, 403, 403)),
        (True, "read", (403, 200, 403, 200, 200, 403)),
        (True, "create", (201, 200, 200, 200, 200, 201)),
        (True, "merge", (201, 200, 200, 200, 200, 201)),
    ],
)
def test_le_mode_invite_s_ouvre_par_etapes(api, invite, settings, ouvert, etape, statuts):
    settings.GUEST_MODE_ENABLED, settings.GUEST_MODE_STAGE = ouvert, etape
    elle, telephone = api(invite), {"telephone": "+243898765432"}

    recus = [
        api(None).post(URL, telephone),
        api(None).get(f"{URL}/{invite.guest_id}"),
        api(None).patch(f"{URL}/{invite.guest_id}/telephone", telephone),
        elle.get("/api/v1/guest/suivi"),
        elle.get(f"{SIGNALEMENTS}guest/me"),
        elle.post(SIGNALEMENTS, CORPS),
    ]

    assert tuple(r.status_code for r in recus) == statuts
    for refus in (r.json() for r in recus if r.status_code == 403):
        assert refus["code"] == "GUEST_MODE_DISABLED"
        assert refus["message"].startswith("GUEST_MODE_DISABLED: ")


def test_le_mode_invite_ferme_laisse_les_comptes_travailler(api, etudiante, settings):
    settings.GUEST_MODE_ENABLED = False

    assert api(etudiante).post(SIGNALEMENTS, CORPS).status_code == 201


def test_le_mode_invite_ferme_ne_dit_pas_si_une_session_existe(api, invite, settings):
    settings.GUEST_MODE_ENABLED = False

    connue, inconnue = (api(None).get(f"{URL}/{guest_id}") for guest_id in (invite.guest_id, INCONNU))

    assert connue.status_code == inconnue.status_code == 403
    assert connue.json()["message"] == inconnue.json()["message"]


@pytest.mark.parametrize(("ouvert", "etape"), [(False, "merge"), (True, "read")])
def test_la_configuration_publique_dit_ce_qui_est_ouvert(api, settings, ouvert, etape):
    settings.GUEST_MODE_ENABLED, settings.GUEST_MODE_STAGE = ouvert, etape

    recu = api(None).get("/api/v1/config").json()["data"]

    assert (recu["guestModeEnabled"], recu["guestModeStage"]) == (ouvert, etape)


# --- Limits ---------------------------------------------------------------------------------------------------------


class TestLimites:
    @pytest.fixture(autouse=True)
    def _limites(self, settings):
        settings.THROTTLE_ENABLED = True
        taux = dict.fromkeys(("guest_session_address", "guest_unknown"), Taux(3, 86_400))
        settings.THROTTLES = {**settings.THROTTLES, **taux}

    def ouvrir(self, api, telephone, **extra):
        return api(None).post(URL, {"telephone": telephone}, **extra)

    def test_les_sessions_d_une_adresse_sont_limitees(self, api):
        statuts = [self.ouvrir(api, f"+24381234562{n}").status_code for n in range(3)]

        reponse = self.ouvrir(api, "+243812345629")

        assert statuts == [201] * 3
        assert (reponse.status_code, reponse.json()["code"]) == (429, "RATE_LIMITED")
        assert int(reponse["Retry-After"]) > 0
        assert self.ouvrir(api, "+243812345629", REMOTE_ADDR="10.0.0.9").status_code == 201

    def test_un_numero_n_est_compte_nulle_part_et_sa_session_le_montre_masque(self, api, settings):
        """Behind a shared address nobody learns whether a number was used, and its owner is not shut out."""
        settings.THROTTLES = {**settings.THROTTLES, "guest_session_address": Taux(100, 60)}

        ouvertes = [self.ouvrir(api, "+243 812 345 621") for _fois in range(70)]
        autre = self.ouvrir(api, "+243812345622")

        assert {une.status_code for une in [*ouvertes, autre]} == {201}
        lue = api(None).get(f"{URL}/{ouvertes[-1].json()['data']['guestId']}").json()["data"]
        assert lue["telephoneMasked"] == "+243*******21"
        assert {*map(str, ouvertes[-1].headers)} == {*map(str, autre.headers)}
        assert {une.telephone for une in SessionInvitee.objects.all()} == {"+243812345621", "+243812345622"}

    def test_changer_de_numero_n_est_compte_par_aucun(self, api, settings):
        settings.THROTTLES = {**settings.THROTTLES, "guest_session_address": Taux(100, 60)}
        session = self.ouvrir(api, "+243812345620").json()["data"]

        for _fois in range(70):
            change = api(None).patch(f"{URL}/{session['guestId']}/telephone", {"telephone": "+243812345621"})

            assert change.status_code == 200
        assert self.ouvrir(api, "+243898765432", REMOTE_ADDR="10.0.0.8").status_code == 201

    def test_passe_la_limite_un_identifiant_connu_sert_encore(self, api, invite):
        inconnus = [api(None).get(f"{URL}/{uuid4()}").status_code for _rang in range(2)]
        inconnus += [appeler(api, "get", "/api/v1/guest/suivi", guest=uuid4()).status_code for _rang in range(3)]

        assert inconnus == [404, 404, 404, 429, 429]
        assert api(None).get(f"{URL}/{INCONNU}").status_code == 429
        assert api(None).get(f"{URL}/{INCONNU}", REMOTE_ADDR="10.0.0.9").status_code == 404
        assert api(None).get(f"{URL}/{invite.guest_id}").status_code == 200
        assert api(invite).get("/api/v1/guest/suivi").status_code == 200

    def test_les_compteurs_ne_portent_ni_numero_ni_identifiant(self, api, invite, monkeypatch):
        cles = []
        monkeypatch.setattr(cache, "incr", lambda cle, pas=1: cles.append(cle) or 1)
        self.ouvrir(api, "+243812345621")
        api(None).get(f"{URL}/{uuid4()}")
        api(invite).get("/api/v1/guest/suivi")

        assert len(cles) >= 4
        secrets = ("812345621", *ecritures(invite.guest_id))
        assert not [cle for cle in cles if any(secret in cle for secret in secrets)]


# --- X-Guest-Id -----------------------------------------------------------------------------------------------------

PARTAGEES = [("get", f"{SIGNALEMENTS}{INCONNU}"), ("post", SIGNALEMENTS)]
INVITEES = [("get", f"{SIGNALEMENTS}guest/me"), ("get", "/api/v1/guest/suivi"), ("get", "/api/v1/guest/suivi/SIG-X")]


def appeler(api, methode, url, **entetes):
    noms = {"guest": "X-Guest-Id", "bearer": "Authorization"}
    valeurs = {noms[nom]: str(valeur) for nom, valeur in entetes.items() if valeur is not None}
    return api(None).envoyer(methode, url, CORPS if methode == "post" else None, headers=valeurs)


@pytest.mark.parametrize(("methode", "url"), PARTAGEES + INVITEES)
@pytest.mark.parametrize(
    ("presente", "attendu"),
    [
        ("pas-un-uuid", (403, "GUEST_SESSION_INVALID")),
        ("x" * 36, (403, "GUEST_SESSION_INVALID")),
        ("{hex}", (403, "GUEST_SESSION_INVALID")),
        (INCONNU, (404, "GUEST_SESSION_NOT_FOUND")),
        ("{pk}", (404, "GUEST_SESSION_NOT_FOUND")),
        ("{desactive}", (403, "GUEST_SESSION_INVALID")),
        ("{fusionne}", (409, "GUEST_SESSION_MERGED")),
    ],
)
def test_un_identifiant_qui_ne_vaut_rien_dit_pourquoi(
    api, invite, autre_invite, etudiante, methode, url, presente, attendu
):
    if presente == "{desactive}":
        desactiver(invite)
    if presente == "{fusionne}":
        fusionner(autre_invite, etudiante)
    noms = {"hex": invite.guest_id.hex, "pk": invite.pk}
    guest_id = presente.format(**noms, desactive=invite.guest_id, fusionne=autre_invite.guest_id)

    reponse = appeler(api, methode, url, guest=guest_id)

    assert (reponse.status_code, reponse.json()["code"]) == attendu
    assert reponse.json()["message"].startswith(f"{attendu[1]}: ")


@pytest.mark.parametrize("ecriture", [str, lambda g: str(g).upper(), lambda g: f" {g} "])
def test_la_casse_de_l_identifiant_ne_compte_pas(api, invite, ecriture):
    assert appeler(api, "get", "/api/v1/guest/suivi", guest=ecriture(invite.guest_id)).status_code == 200


@pytest.mark.parametrize(("methode", "url"), PARTAGEES)
def test_un_mauvais_jeton_l_emporte_sur_un_bon_identifiant(api, invite, methode, url):
    reponse = appeler(api, methode, url, guest=invite.guest_id, bearer="Bearer n-importe-quoi")

    assert (reponse.status_code, reponse.json()["code"]) == (401, "TOKEN_INVALID")


def test_un_bon_jeton_l_emporte_sur_l_identifiant(api, invite, etudiante):
    bearer = f"Bearer {api(etudiante).jeton}"

    recu = appeler(api, "post", SIGNALEMENTS, guest=invite.guest_id, bearer=bearer).json()["data"]
    malgre = appeler(api, "post", SIGNALEMENTS, guest="pas-un-uuid", bearer=bearer)

    assert (recu["sourceActeur"], recu["acteurId"]) == ("AUTH_USER", str(etudiante.pk))
    assert malgre.status_code == 201


@pytest.mark.parametrize(("methode", "url"), INVITEES)
@pytest.mark.parametrize(
    ("guest", "bearer", "statuts"),
    [
        ("bon", "bon", (200, 404)),
        ("bon", "mauvais", (200, 404)),
        ("inconnu", "bon", (404,)),
        (None, "bon", (403,)),
        (None, "mauvais", (401,)),
        (None, None, (401,)),
    ],
)
def test_sur_une_route_d_invite_l_identifiant_seul_decide(api, invite, etudiante, methode, url, guest, bearer, statuts):
    ids = {"bon": invite.guest_id, "inconnu": INCONNU, None: None}
    jetons = {"bon": f"Bearer {api(etudiante).jeton}", "mauvais": "Bearer x", None: None}

    reponse = appeler(api, methode, url, guest=ids[guest], bearer=jetons[bearer])

    attendus = [s for s in statuts if len(statuts) == 1 or (s == 404) == url.endswith("SIG-X")]
    assert [reponse.status_code] == attendus


@pytest.mark.parametrize("url", ["/api/v1/comptes/me", "/api/v1/preferences/", f"{SIGNALEMENTS}me"])
def test_une_route_de_compte_ne_connait_pas_les_invites(api, invite, url):
    assert api(invite).get(url).status_code == 401


@pytest.mark.parametrize("presente", ["bon", "pas-un-uuid", "inconnu"])
def test_une_route_publique_ignore_l_identifiant(api, invite, presente):
    guest_id = {"bon": invite.guest_id, "inconnu": INCONNU}.get(presente, presente)

    assert appeler(api, "get", f"{URL}/{invite.guest_id}", guest=guest_id).status_code == 200


def test_une_requete_d_invite_se_verifie_en_une_lecture(api, invite, django_assert_num_queries):
    with django_assert_num_queries(1):
        api(invite).get("/api/v1/guest/suivi?page=-1")

"""A guest id that is malformed, unknown, or beside another credential."""

from uuid import UUID

import pytest

from config.tests.outils import ClientApi
from config.tests.outils.scene import Scene

pytestmark = pytest.mark.django_db

SUIVI = "/api/v1/guest/suivi"


@pytest.mark.parametrize(
    ("valeur", "statut", "code"),
    [
        ("x", 403, "GUEST_SESSION_INVALID"),
        ("5f0c2a9e6a7c4c7e9f6b0a1b2c3d4e5f", 403, "GUEST_SESSION_INVALID"),
        ("5f0c2a9e-6a7c-4c7e-9f6b 0a1b2c3d4e5f", 403, "GUEST_SESSION_INVALID"),
        ("5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5g", 403, "GUEST_SESSION_INVALID"),
        ("-" * 36, 403, "GUEST_SESSION_INVALID"),
        ("{5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f}", 403, "GUEST_SESSION_INVALID"),
        ("null", 403, "GUEST_SESSION_INVALID"),
        ("é" * 36, 403, "GUEST_SESSION_INVALID"),
        ("a" * 10_240, 403, "GUEST_SESSION_INVALID"),
        ("00000000-0000-0000-0000-000000000000", 404, "GUEST_SESSION_NOT_FOUND"),
        ("5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f", 404, "GUEST_SESSION_NOT_FOUND"),
        ("", 401, "AUTH_REQUIRED"),
        ("   ", 401, "AUTH_REQUIRED"),
    ],
    ids=lambda valeur: str(valeur)[:40],
)
def test_un_identifiant_invite_qui_n_ouvre_rien_est_refuse(valeur, statut, code):
    reponse = ClientApi().get(SUIVI, headers={"X-Guest-Id": valeur})

    assert (reponse.status_code, reponse.json()["code"]) == (statut, code)


@pytest.mark.parametrize("ecrire", [str, lambda i: f"  {i} ", lambda i: str(i).upper()])
def test_un_bon_identifiant_invite_se_lit_en_capitales_et_entre_des_espaces(ecrire):
    guest_id = UUID(Scene().guest_id("guest_owner"))

    assert ClientApi().get(SUIVI, headers={"X-Guest-Id": ecrire(guest_id)}).status_code == 200


def test_ce_qui_n_est_pas_le_secret_d_un_invite_n_ouvre_pas_son_dossier():
    scene = Scene()
    dossier, invite = scene.signalement_de_l_invite, scene.guest_owner

    statuts = [
        ClientApi(guest_id=autre).get(f"/api/v1/signalements/{dossier.pk}").status_code
        for autre in (invite.pk, dossier.pk, invite.guest_id_empreinte[:36])
    ]

    assert statuts == [404, 404, 403]

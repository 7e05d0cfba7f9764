"""A statement that a constraint refuses goes whole into PostgreSQL's log: an address is looked up before it is sent."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.tests import fabriques
from accounts.tests.outils import AUTH, entrer

pytestmark = pytest.mark.django_db
PRISE = "lea@campus.test"
CORPS = {"email": PRISE, "motDePasse": "Baobab-penché-77", "nom": "Lukusa", "prenom": "Inès"}


def par_l_espace(admin, compte):
    noms = ("prenom", "nom", "type_utilisateur", "telephone", "bureau_genre_id")
    champs = {nom: getattr(compte, nom) for nom in noms}
    entrer(admin.email).post(f"/admin/accounts/compte/{compte.pk}/change/", {**champs, "email": PRISE})


def par_la_machine():
    with pytest.raises(CommandError):
        call_command("createsuperuser", "--noinput", email=PRISE.upper(), nom="Kalala", prenom="Jo", verbosity=0)


ACTES = {
    "signup": lambda api, admin, compte: api(None).post(f"{AUTH}signup", CORPS),
    "signup invité": lambda api, admin, compte: api(None).post(
        f"{AUTH}signup", {**CORPS, "invitationToken": fabriques.invitation(admin, email=PRISE).jeton}
    ),
    "créer": lambda api, admin, compte: api(admin).post(
        "/api/v1/comptes/", {**CORPS, "typeUtilisateur": "UTILISATEUR"}
    ),
    "modifier": lambda api, admin, compte: api(admin).put(f"/api/v1/comptes/{compte.pk}", {"email": PRISE}),
    "inviter": lambda api, admin, compte: api(admin).post(
        "/api/v1/comptes/invitations", {"email": PRISE, "typeUtilisateur": "GESTIONNAIRE"}
    ),
    "espace de l'équipe": lambda api, admin, compte: par_l_espace(admin, compte),
    "createsuperuser": lambda api, admin, compte: par_la_machine(),
}


@pytest.mark.parametrize("acte", ACTES)
def test_une_adresse_prise_est_refusee_avant_d_etre_ecrite(api, admin, etudiante, autre_etudiante, monkeypatch, acte):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", CORPS["motDePasse"])
    refusees = []

    def surveiller(executer, sql, params, many, context):
        try:
            return executer(sql, params, many, context)
        except Exception:
            refusees.append(sql)
            raise

    with connection.execute_wrapper(surveiller):
        ACTES[acte](api, admin, etudiante)

    etudiante.refresh_from_db()
    assert (refusees, etudiante.email) == ([], "awa@campus.test")

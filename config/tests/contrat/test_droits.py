"""The table of rights decides, alone: each right taken away closes what it names, and nothing else."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from django.urls import resolve

from accounts.models import Compte
from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de, client_de
from config.tests.outils.scene import HTTP, WS_EXISTANTS, Ligne, Scene, exemple_de, nom_de_canal, statut_de
from discussions.services import marquer_lus
from discussions.tests import fabriques as discussions
from guests.tests.fabriques import session_invitee
from signalements.tests import fabriques as signalements
from socle.api.operations import Operation
from socle.domaine import droits
from socle.domaine.acteurs import Acteur, ActeurCompte, ActeurInvite
from socle.domaine.droits import DROITS, DROITS_INVITE, PERMISSIONS_ADMIN, Droit, Role
from socle.moteur.lectures import PREPAREES
from socle.realtime.canaux import PERSONNEL, PUBLIC, audiences

pytestmark = [pytest.mark.django_db, pytest.mark.longue]
Retirer = Callable[[Droit], AbstractContextManager[None]]

D_AUTRUI = "{signalement_id}", "{alert_id}"
SANS_LIRE = ("/lecteurs", "/equipe", "/ouverture")  # on a case that an administrator does not read
# What a right closes beside the operations that name it: the door of what is somebody else's.
PORTES = {
    Droit.SIGNALEMENTS_CONSULTER_TOUS: lambda ligne: (
        (any(nom in ligne.chemin for nom in D_AUTRUI) and not ligne.chemin.endswith(SANS_LIRE))
        or ligne.chemin == "/api/v1/evenements"
    ),
    Droit.DISCUSSIONS_CONSULTER_TOUTES: lambda ligne: "{discussion_id}" in ligne.chemin,
    Droit.DISCUSSIONS_PARTICIPER_A_TOUTES: lambda ligne: (
        "{discussion_id}" in ligne.chemin and (ligne.methode == "POST" or ligne.chemin.endswith("/lus"))
    ),
    Droit.FICHIERS_CONSULTER_TOUS: lambda ligne: (ligne.methode, ligne.chemin) == ("GET", "/api/v1/fichiers/{file_id}"),
    Droit.FICHIERS_SUPPRIMER_TOUS: lambda ligne: (
        (ligne.methode, ligne.chemin) == ("DELETE", "/api/v1/fichiers/{file_id}")
    ),
    Droit.RESSOURCES_SUPPRIMER_TOUTES: lambda ligne: (
        (ligne.methode, ligne.chemin) == ("DELETE", "/api/v1/ressources/{resource_id}")
    ),
    Droit.FORUM_SUPPRIMER_TOUT: lambda ligne: (
        ligne.methode == "DELETE" and "{poste_id}" in ligne.chemin and not ligne.chemin.endswith("/epingle")
    ),
    Droit.EQUIPES_GERER: lambda ligne: "/membres" in ligne.chemin,
    Droit.COMPTES_MODIFIER: lambda ligne: (ligne.methode, ligne.chemin) == ("PUT", "/api/v1/comptes/{compte_id}"),
    Droit.STATS_CONSULTER_EXPORTS: lambda ligne: (
        (ligne.methode, ligne.chemin) == ("GET", "/api/v1/stats/exports/{export_id}")
    ),
}
CANAUX = {
    "admin": {Droit.SERVICE_SURVEILLER},
    "signalements": {Droit.SIGNALEMENTS_CONSULTER_TOUS, Droit.SIGNALEMENTS_LIRE_EN_EQUIPE},
    "signalement": {Droit.SIGNALEMENTS_CONSULTER_TOUS},
    "discussion": {Droit.DISCUSSIONS_CONSULTER_TOUTES},
    "poste": {Droit.FORUM_PARTICIPER},
    "calendriers": {Droit.CALENDRIER_CONSULTER},
    "dashboard": {Droit.STATS_CONSULTER_GLOBALES, Droit.SIGNALEMENTS_CONSULTER_TOUS},
}
# Rights that change what an answer says, or open a page, and refuse no route of the API to an administrator.
SANS_ROUTE = {
    Droit.COMPTES_CONSULTER_CONNEXIONS,  # one field
    Droit.ESPACE_ADMINISTRER,
    Droit.RESSOURCES_AJOUTER_TOUJOURS,  # where a setting keeps the library to the team
    Droit.STATS_CONSULTER_DE_TOUTES_LES_EQUIPES,  # the numbers of the same routes
}
ADMIS = [ligne for ligne in HTTP if ligne.attendu[0] == "2"]
DE_L_ADMIN = [ligne for ligne in ADMIS if ligne.acteur == "admin"]
DE_L_INVITE = [ligne for ligne in ADMIS if ligne.acteur == "guest_owner"]
CANAUX_DE_L_ADMIN = [ligne for ligne in WS_EXISTANTS if ligne.acteur == "admin" and ligne.attendu == "connected"]


def operation_servie(ligne: Ligne) -> Operation | None:
    """The operation of this row; none for what is no view of ours."""
    vue = resolve(exemple_de(ligne.chemin)).func
    operations = getattr(getattr(vue, "cls", None), "operations", {})
    return operations[vue.actions[ligne.methode.lower()]] if operations else None


def droit_de(ligne: Ligne) -> Droit | None:
    """The right that it names."""
    servie = operation_servie(ligne)
    return servie and servie.droit


class Demandes:
    """Which rights have been asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.vues: set[Droit] = set()
        for lecture in PREPAREES:
            lecture.oublier()  # a right is asked for as a statement is written, and not as it is run again
        for espece in (ActeurCompte, ActeurInvite):
            monkeypatch.setattr(espece, "peut", self.noter(espece.peut))

    def noter(self, peut: Callable[[Acteur, Droit], bool]) -> Callable[[Acteur, Droit], bool]:
        return lambda acteur, droit: (self.vues.add(droit), peut(acteur, droit))[1]


def fermes_par(ligne: Ligne, candidats: set[Droit], retirer: Retirer) -> set[Droit]:
    fermes = set()
    for droit in candidats:
        with retirer(droit):
            if statut_de(ligne) in ("403", "404"):
                fermes.add(droit)
    return fermes


@pytest.mark.parametrize("ligne", DE_L_ADMIN, ids=str)
def test_un_droit_retire_ferme_exactement_ce_qu_il_nomme(monkeypatch, ligne):
    demandes = Demandes(monkeypatch)
    assert statut_de(ligne) == ligne.attendu

    fermes = fermes_par(ligne, set(demandes.vues), sans_droit_pour(monkeypatch, Role.ADMIN_SYSTEME))

    assert fermes == {droit_de(ligne), *(droit for droit, ferme in PORTES.items() if ferme(ligne))} - {None}


@pytest.mark.parametrize("ligne", DE_L_INVITE, ids=str)
def test_les_invites_ont_leurs_propres_droits(monkeypatch, ligne):
    demandes = Demandes(monkeypatch)
    assert statut_de(ligne) == ligne.attendu

    fermes = fermes_par(ligne, set(demandes.vues), sans_droit_d_invite(monkeypatch))

    servie = operation_servie(ligne)
    assert fermes == ({servie.droit} if servie and servie.accepte_invite else set())


@pytest.mark.parametrize("ligne", CANAUX_DE_L_ADMIN, ids=str)
def test_un_droit_retire_ferme_les_canaux_qu_il_nomme(monkeypatch, ligne):
    scene = Scene()
    canal = scene.canal(ligne).rpartition("/")[2]
    acteur = acteur_de(scene.admin)
    retirer = sans_droit_pour(monkeypatch, Role.ADMIN_SYSTEME)
    assert audiences(acteur, canal)

    fermes = set()
    for droit in DROITS[Role.ADMIN_SYSTEME]:
        with retirer(droit):
            if not audiences(acteur, canal):
                fermes.add(droit)

    assert fermes == {Droit.EVENEMENTS_ECOUTER} | CANAUX.get(nom_de_canal(ligne), set())


def test_chaque_droit_ouvre_quelque_chose():
    nommes = {droit_de(ligne) for ligne in HTTP} | set(PORTES) | set(PERMISSIONS_ADMIN.values())
    nommes |= {droit for canal in CANAUX.values() for droit in canal} | {Droit.EVENEMENTS_ECOUTER}

    assert set(Droit) - nommes == SANS_ROUTE


def test_chaque_droit_est_a_quelqu_un():
    assert frozenset().union(*DROITS.values()) == set(Droit)
    assert DROITS[Role.UTILISATEUR] >= DROITS_INVITE


# --- A role is right by its rights alone ------------------------------------------------------------------------------


@pytest.fixture
def lecteur(monkeypatch) -> Any:
    """Somebody who reads every report, and nothing more: not of the team."""
    siens = DROITS[Role.UTILISATEUR] | {Droit.SIGNALEMENTS_CONSULTER_TOUS}
    monkeypatch.setitem(droits.DROITS, Role.GESTIONNAIRE, siens)
    return comptes.compte(email="lectrice@campus.test", type_utilisateur=Role.GESTIONNAIRE)


def test_les_non_lus_de_qui_lit_tous_les_dossiers_sont_les_siens(lecteur, etudiante, admin):
    dossier = signalements.signalement(acteur_de(etudiante))
    discussion = discussions.discussion(acteur_de(etudiante), signalement=dossier)
    for auteur in (etudiante, admin):
        discussions.message(acteur_de(auteur), discussion)

    def compter():
        return client_de(lecteur).get(f"/api/v1/signalements/{dossier.pk}").json()["data"]["messagesNonLusCount"]

    assert compter() == 2
    marquer_lus(acteur=acteur_de(etudiante), discussion=discussion)
    assert compter() == 2


def test_lire_tous_les_dossiers_n_est_pas_etre_de_l_equipe(lecteur):
    dossier = signalements.signalement(acteur_de(session_invitee("+243812345621")), mode_identification="ANONYME")
    client = client_de(lecteur)

    lu = client.get(f"/api/v1/signalements/{dossier.pk}").json()["data"]
    ouverte = client.post("/api/v1/discussions/", {"titre": "Qui êtes-vous ?", "signalementId": str(dossier.pk)})

    assert (lu["reference"], lu["gestionnaireId"], lu["referenceDeclaree"]) == (dossier.reference, None, None)
    assert ouverte.status_code == 403
    assert client.post(f"/api/v1/signalements/{dossier.pk}/notes", {"contenu": "Non."}).status_code == 403
    assert lecteur not in Compte.objects.equipe_active()
    assert not lecteur.is_staff
    assert audiences(acteur_de(lecteur), f"signalement:{dossier.pk}") == [PUBLIC]
    assert audiences(acteur_de(lecteur), "signalements") == []


def test_lire_toutes_les_discussions_n_est_pas_y_ecrire(lecteur, monkeypatch):
    monkeypatch.setitem(
        droits.DROITS,
        Role.GESTIONNAIRE,
        DROITS[Role.GESTIONNAIRE] | {Droit.DISCUSSIONS_CONSULTER_TOUTES},
    )
    proprietaire = comptes.compte(email="awa@campus.test")
    fil = discussions.discussion(acteur_de(proprietaire))
    discussions.message(acteur_de(proprietaire), fil)
    client = client_de(lecteur)

    statuts = [
        client.get(f"/api/v1/discussions/{fil.pk}/messages").status_code,
        client.post(f"/api/v1/discussions/{fil.pk}/messages", {"contenu": "Bonjour."}).status_code,
        client.envoyer("PUT", f"/api/v1/discussions/{fil.pk}/messages/lus").status_code,
    ]

    assert statuts == [200, 403, 403]
    assert not fil.messages.filter(est_lu=True).exists()


def test_qui_a_les_droits_de_l_equipe_en_est(lecteur, monkeypatch):
    de_l_equipe = {Droit.SIGNALEMENTS_LIRE_EN_EQUIPE, Droit.SIGNALEMENTS_TRAITER, Droit.ESPACE_ENTRER}
    monkeypatch.setitem(droits.DROITS, Role.GESTIONNAIRE, DROITS[Role.GESTIONNAIRE] | de_l_equipe)
    dossier = signalements.signalement(acteur_de(session_invitee("+243812345621")))

    assert lecteur in Compte.objects.equipe_active()
    assert lecteur.is_staff
    assert audiences(acteur_de(lecteur), f"signalement:{dossier.pk}") == [PUBLIC, PERSONNEL]
    assert audiences(acteur_de(lecteur), "signalements") == [PUBLIC, PERSONNEL]


# --- Taking away ------------------------------------------------------------------------------------------------------


def sans_droit_pour(monkeypatch: pytest.MonkeyPatch, role: Role) -> Retirer:
    @contextmanager
    def retirer(droit: Droit) -> Iterator[None]:
        with monkeypatch.context() as la:
            la.setitem(droits.DROITS, role, DROITS[role] - {droit})
            yield

    return retirer


def sans_droit_d_invite(monkeypatch: pytest.MonkeyPatch) -> Retirer:
    @contextmanager
    def retirer(droit: Droit) -> Iterator[None]:
        with monkeypatch.context() as la:
            la.setattr("socle.domaine.acteurs.DROITS_INVITE", DROITS_INVITE - {droit})
            yield

    return retirer

"""A creation asked for twice under one Idempotency-Key is made once; operations come from the document."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from accounts.tests.fabriques import MOT_DE_PASSE
from config.tests.outils.hostiles import OPERATIONS, Appel, Operation, contenu_de_la_base, par_operation
from config.tests.outils.scene import NOMS, exemple_de
from resources.tests import fabriques as fichiers
from socle.idempotence.models import CleUtilisee
from socle.realtime.models import Evenement

pytestmark = pytest.mark.django_db
CLE = "f3b1c2d4-essai"
ENTETE = {"Idempotency-Key": CLE}
# What is drawn at each reading: links that open for an hour.
LIENS = ("url", "publicUrl", "downloadUrl")


def declaree(operation: Operation) -> Any:
    vue = resolve(exemple_de(operation.chemin)).func
    return vue.cls.operations[vue.actions[operation.methode.lower()]]


def honore(operation: Operation) -> bool:
    parametres = operation.description.get("parameters", [])
    return any(p["name"] == "Idempotency-Key" and not p.get("required") for p in parametres)


AVEC_CLE = [operation for operation in OPERATIONS if honore(operation)]
AVEC_CORPS = [operation for operation in AVEC_CLE if "requestBody" in operation.description]
CREATIONS = [o for o in OPERATIONS if o.methode == "POST" and {"201", "202"} & o.description["responses"].keys()]


class Creer(Appel):
    """One creation by who is let in furthest, with a body of its own each time: a file is read once."""

    def __call__(self, cle: str | None = CLE, **autres: Any) -> Any:
        corps = self.scene.corps(self.operation.methode, self.operation.chemin, self.operation.acteur)
        entetes = {} if cle is None else {"Idempotency-Key": cle}
        return self.envoyer({**corps, **autres} if corps is not None else None, headers=entetes)


def donnees(reponse: Any) -> dict[str, Any]:
    return {nom: valeur for nom, valeur in reponse.json()["data"].items() if nom not in LIENS}


def tout() -> tuple[Any, ...]:
    """Every row, event and stored file."""
    return contenu_de_la_base(), Evenement.objects.count(), fichiers.stockes("local")


def est_rejouee(reponse: Any) -> bool:
    return reponse.headers.get("Idempotency-Replayed") == "true"


def verifier_refus(reponse: Any, statut: int, code: str) -> None:
    assert (reponse.status_code, reponse.json()["code"]) == (statut, code), reponse.content


# --- What the document says -----------------------------------------------------------------------------------------


def test_les_creations_sont_celles_que_l_on_croit():
    assert len(AVEC_CLE) == 17
    assert len(CREATIONS) == 25


@par_operation(CREATIONS)
def test_une_creation_honore_la_cle_ou_dit_qu_elle_l_ignore(operation):
    """And declares which with an attribute of its operation, one or the other."""
    decrite = declaree(operation)
    ignore = "`Idempotency-Key` est ignoré : " in operation.description.get("description", "")

    assert (decrite.relire is not None, bool(decrite.sans_cle)) in ((True, False), (False, True))
    assert (honore(operation), ignore) == (decrite.relire is not None, bool(decrite.sans_cle))


@par_operation([operation for operation in OPERATIONS if operation not in CREATIONS])
def test_ce_qui_ne_cree_rien_n_en_parle_pas(operation):
    assert (declaree_ou_rien(operation), honore(operation)) == (None, False)


def declaree_ou_rien(operation: Operation) -> Any:
    vue = resolve(exemple_de(operation.chemin)).func
    return declaree(operation).relire if hasattr(vue, "actions") else None


@par_operation(AVEC_CLE)
def test_qui_honore_la_cle_connait_qui_appelle_et_decrit_ses_reponses(operation):
    reponses = operation.description["responses"]

    assert declaree(operation).exige_un_acteur
    assert {"400", "409", "422"} <= reponses.keys()
    assert "Idempotency-Replayed" in reponses["201"]["headers"]


@pytest.mark.parametrize(
    ("chemin", "corps"),
    [
        ("/api/v1/guest/sessions", {"telephone": "+243899999999"}),
        (
            "/api/v1/auth/signup",
            {"email": "ruth@campus.test", "motDePasse": MOT_DE_PASSE, **NOMS},
        ),
    ],
)
def test_la_ou_personne_n_est_connu_la_cle_est_ignoree(api, chemin, corps):
    statuts = [api(None).post(chemin, corps, headers=ENTETE).status_code for _fois in range(2)]

    assert statuts in ([201, 201], [201, 409])
    assert not CleUtilisee.objects.exists()


def test_un_compte_cree_pour_quelqu_un_ne_laisse_rien_de_son_mot_de_passe(api, admin):
    corps = {"email": "ruth@campus.test", "motDePasse": MOT_DE_PASSE, "typeUtilisateur": "GESTIONNAIRE", **NOMS}

    statuts = [api(admin).post("/api/v1/comptes/", corps, headers=ENTETE).status_code for _fois in range(2)]

    assert statuts == [201, 409]
    assert not CleUtilisee.objects.exists()


# --- Once -----------------------------------------------------------------------------------------------------------


@par_operation(AVEC_CLE)
def test_la_meme_demande_sous_la_meme_cle_n_est_faite_qu_une_fois(operation):
    creer = Creer(operation)
    premiere = creer()
    apres = tout()

    rejouees = [creer(), creer(f" {CLE} "), creer()]

    assert (premiere.status_code, est_rejouee(premiere)) == (201, False), premiere.content
    assert [(r.status_code, est_rejouee(r)) for r in rejouees] == [(201, True)] * 3
    assert [donnees(r) for r in rejouees] == [donnees(premiere)] * 3
    assert {r.json()["message"] for r in rejouees} == {premiere.json()["message"]}
    assert tout() == apres


@par_operation(AVEC_CLE)
def test_sans_cle_rien_ne_change_et_rien_n_est_garde(operation):
    creer = Creer(operation)

    with CaptureQueriesContext(connection) as requetes:
        reponse = creer(None)

    assert (reponse.status_code, est_rejouee(reponse)) == (201, False)
    assert [r["sql"] for r in requetes if "idempotence_" in r["sql"]] == []
    assert not CleUtilisee.objects.exists()


@par_operation(AVEC_CLE)
def test_deux_cles_sont_deux_demandes(operation):
    creer = Creer(operation)
    # One of each person: said again as without a key.
    seconde = {"inscription": 409, "reactions": 200}.get(operation.chemin.rpartition("/")[2], 201)

    reponses = [creer("une"), creer("une autre")]

    assert [(r.status_code, est_rejouee(r)) for r in reponses] == [(201, False), (seconde, False)]


@par_operation([o for o in AVEC_CLE if not o.chemin.endswith("/flux")])  # where the second takes the place of the first
def test_de_deux_creations_chacune_se_rejoue(operation):
    creer = Creer(operation)
    faites = {cle: faite for cle in ("une", "une autre") if (faite := creer(cle)).status_code == 201}

    rejouees = {cle: creer(cle) for cle in faites}

    assert "une" in rejouees
    assert all(est_rejouee(un) for un in rejouees.values())
    # An invitation is revoked by the next one to the same address.
    assert [donnees(un) | {"statut": ""} for un in rejouees.values()] == [
        donnees(un) | {"statut": ""} for un in faites.values()
    ]


@par_operation(AVEC_CLE)
def test_une_demande_garde_deux_empreintes_et_rien_de_lisible(operation):
    creer = Creer(operation)

    creer()

    utilisee = CleUtilisee.objects.values().get()
    assert (len(utilisee["cle"]), len(utilisee["demande"])) == (64, 64)
    assert CLE not in str(utilisee)


# --- Another request under the same key -----------------------------------------------------------------------------


@par_operation(AVEC_CORPS)
def test_un_autre_corps_sous_la_meme_cle_est_refuse(operation):
    creer = Creer(operation)
    creer()
    apres = tout()

    reponse = creer(champInconnu="autre")

    verifier_refus(reponse, 422, "IDEMPOTENCY_KEY_REUSED")
    assert CLE not in reponse.content.decode()
    assert tout() == apres


@par_operation(AVEC_CLE)
def test_une_autre_route_sous_la_meme_cle_est_refusee(operation):
    creer = Creer(operation)
    ailleurs = "/api/v1/postes" if operation.chemin == "/api/v1/discussions" else "/api/v1/discussions"
    creer()
    apres = tout()

    reponse = creer.client.post(ailleurs, {"titre": "Suites", "contenu": "x"}, headers=ENTETE)

    verifier_refus(reponse, 422, "IDEMPOTENCY_KEY_REUSED")
    assert tout() == apres


# --- What is no more there ------------------------------------------------------------------------------------------


@par_operation(AVEC_CLE)
def test_ce_qui_n_est_plus_est_un_409_et_jamais_une_seconde_ligne(operation):
    creer = Creer(operation)
    creer()
    CleUtilisee.objects.update(objet=uuid4())
    apres = tout()

    reponse = creer()

    verifier_refus(reponse, 409, "IDEMPOTENCY_RESULT_GONE")
    assert tout() == apres


# --- Refusals -------------------------------------------------------------------------------------------------------


@par_operation(AVEC_CLE)
def test_une_cle_illisible_est_un_400_et_rien_n_est_fait(operation):
    creer = Creer(operation)
    avant = tout()

    for cle in ("", "   ", "a" * 256, "a\tb", "a\x7fb", "a\xa0b", "\xad"):
        verifier_refus(creer(cle), 400, "IDEMPOTENCY_KEY_INVALID")

    assert tout() == avant


@par_operation(AVEC_CORPS)
def test_une_demande_refusee_ne_depense_pas_la_cle(operation):
    creer = Creer(operation)
    avant = tout()
    refusee = creer.envoyer(b"[", headers=ENTETE)
    assert refusee.status_code in (400, 415)
    if operation.forme:
        champ = next(iter(operation.forme["properties"]))
        refusee = creer(**{champ: {"a": [{}]}})
        assert refusee.status_code == 422
    assert tout() == avant

    acceptee = creer()

    assert (acceptee.status_code, est_rejouee(acceptee)) == (201, False)

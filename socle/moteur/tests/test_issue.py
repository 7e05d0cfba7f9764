"""A transaction whose end is not heard in time: committed, left, or not known; and what is answered."""

from collections.abc import Callable, Iterator
from contextvars import copy_context
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import OperationalError, connection, transaction

from accounts.models import Compte
from socle.api.exceptions import en_refus
from socle.domaine.provenance import requete_courante
from socle.erreurs import ErreurMetier, ResultatInconnu
from socle.moteur import delais
from socle.moteur.delais import echeance, fixer_echeance, reste, suivre
from socle.moteur.ecritures import inserer
from socle.moteur.issue import IssueInconnue
from socle.moteur.postgresql import base
from socle.moteur.postgresql.base import ConnexionBornee
from socle.realtime.models import Evenement

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def a_la_fin() -> Iterator[Callable[[str], None]]:
    """Have the server run this at the commit of a transaction that holds an event."""

    def poser(instruction: str) -> None:
        with connection.cursor() as curseur:
            curseur.execute(
                f"CREATE FUNCTION a_la_fin() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN {instruction}; RETURN NULL; END $$"
            )
            curseur.execute(
                "CREATE CONSTRAINT TRIGGER a_la_fin AFTER INSERT ON realtime_evenement DEFERRABLE INITIALLY DEFERRED "
                "FOR EACH ROW EXECUTE FUNCTION a_la_fin()"
            )

    yield poser
    connection.close()
    with connection.cursor() as curseur:
        curseur.execute("DROP FUNCTION a_la_fin() CASCADE")


@pytest.fixture
def gele(monkeypatch: pytest.MonkeyPatch) -> None:
    """What asks the server to leave comes once it has committed, as from a process that was stopped meanwhile."""
    monkeypatch.setattr(ConnexionBornee, "_annuler", lambda _connexion: None)


def neuf() -> Compte:
    return Compte(email=f"{uuid4()}@campus.test", nom="Diop", prenom="Awa", password="!")


def ecrire(compte: Compte, apres: list[str]) -> None:
    with transaction.atomic():
        transaction.on_commit(lambda: apres.append("faite"))
        Evenement.objects.create(type="essai", canal="equipe", payload={})
        inserer(compte)


def existe(compte: Compte) -> bool:
    connection.close()
    return Compte.objects.filter(pk=compte.pk).exists()


def refus_de(panne: BaseException, methode: str = "POST") -> ErreurMetier:
    jeton = requete_courante.set(SimpleNamespace(method=methode))
    try:
        return en_refus(panne)  # type: ignore[arg-type]
    finally:
        requete_courante.reset(jeton)


def test_ce_que_le_serveur_a_valide_apres_l_echeance_est_fait(a_la_fin, gele):
    a_la_fin("PERFORM pg_sleep(0.6)")
    compte, apres = neuf(), []

    with echeance(0.2):
        ecrire(compte, apres)

    assert apres == ["faite"]
    assert existe(compte)


def test_ce_que_le_serveur_a_laisse_est_une_panne_ordinaire(a_la_fin):
    a_la_fin("PERFORM pg_sleep(5)")
    compte, apres = neuf(), []

    with pytest.raises(OperationalError) as panne, echeance(0.2):
        ecrire(compte, apres)

    assert refus_de(panne.value).code == "SERVICE_UNAVAILABLE"
    assert (apres, existe(compte)) == ([], False)


def test_un_serveur_qui_ne_dit_rien_de_la_fin_laisse_ne_pas_savoir(a_la_fin, gele, monkeypatch):
    a_la_fin("PERFORM pg_sleep(1)")
    monkeypatch.setattr(base, "VERDICT_SECONDES", 0.1)

    with pytest.raises(OperationalError) as panne, echeance(0.2):
        ecrire(neuf(), [])

    assert isinstance(panne.value.__cause__, IssueInconnue)
    refus = refus_de(panne.value)
    assert (refus.code, refus.statut_http, refus.attente) == ("RESULT_UNKNOWN", 503, None)


def test_une_connexion_perdue_dans_la_fin_laisse_ne_pas_savoir(a_la_fin):
    a_la_fin("PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5)")

    with pytest.raises(OperationalError) as panne:
        ecrire(neuf(), [])

    assert refus_de(panne.value).code == "RESULT_UNKNOWN"


def test_une_base_partie_pour_de_bon_dans_la_fin_laisse_ne_pas_savoir(a_la_fin, monkeypatch):
    """Django then opens a connection to leave the transaction: that this fails is not what is to be answered."""
    a_la_fin("PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5)")

    def jouer() -> str:
        suivre()
        with pytest.raises(OperationalError) as panne:
            ecrire(neuf(), [])
        assert not isinstance(panne.value.__cause__, IssueInconnue)
        return refus_de(panne.value).code

    with monkeypatch.context() as absente:
        absente.setattr(connection, "get_new_connection", _refuser)
        assert copy_context().run(jouer) == "RESULT_UNKNOWN"


def _refuser(_parametres: Any) -> Any:
    raise psycopg.OperationalError("connection refused")


def test_une_connexion_perdue_avant_la_fin_se_sait():
    compte = neuf()
    with pytest.raises(OperationalError) as panne, transaction.atomic():
        compte.save()
        with connection.cursor() as curseur:
            curseur.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    assert refus_de(panne.value).code == "SERVICE_UNAVAILABLE"
    assert not existe(compte)


@pytest.mark.parametrize(("methode", "code"), [("POST", "RESULT_UNKNOWN"), ("GET", "SERVICE_UNAVAILABLE")])
def test_la_base_absente_apres_ce_qu_elle_a_valide(methode, code):
    """The row is there, and could not be read again to be answered; a read that fails may be asked for again."""

    def jouer() -> str:
        suivre()
        ecrire(neuf(), [])
        return refus_de(OperationalError("absente"), methode).code

    assert copy_context().run(jouer) == code


def test_avant_toute_fin_une_panne_est_une_panne():
    def jouer() -> str:
        suivre()
        return refus_de(OperationalError("absente")).code

    assert copy_context().run(jouer) == "SERVICE_UNAVAILABLE"


def test_ce_qui_est_valide_trop_tard_se_relit_pour_etre_repondu():
    def jouer() -> tuple[float, float]:
        suivre()
        fixer_echeance(-10)
        avant = reste(60)
        compte = neuf()
        ecrire(compte, [])
        Compte.objects.get(pk=compte.pk)
        return avant, reste(60)

    avant, apres = copy_context().run(jouer)

    assert (avant, apres > 1) == (0.1, True)


def test_un_refus_ne_conseille_pas_de_recommencer_sans_cle():
    dit: Any = str(ResultatInconnu().message)

    assert "Idempotency-Key" in dit
    assert "Réessayez" not in dit
    assert "Idempotency-Key" not in str(ResultatInconnu().message_de_page)
    assert delais._APRES_SECONDES + delais.REQUETE_SECONDES < delais.REPONSE_SECONDES

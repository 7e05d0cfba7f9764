"""What a refusal says to somebody who reads a page."""

from collections.abc import Iterator

import pytest

from config.serveur.pont import Filet
from config.serveur.tests.boucle import PONT, appeler, portee
from portail.pages.page import PHRASES
from socle.erreurs import ErreurMetier, RequeteMalformee, ResultatInconnu, TypeDeContenuRefuse

SANS_CORPS = [{"type": "http.request", "body": b""}]
PAGES = ["/ecrire/faits/", "/equipe/dossiers/"]


def toutes(classe: type[ErreurMetier] = ErreurMetier) -> Iterator[type[ErreurMetier]]:
    yield classe
    for fille in classe.__subclasses__():
        yield from toutes(fille)


@pytest.mark.parametrize(
    "classe", sorted(set(toutes()), key=lambda une: une.__qualname__), ids=lambda une: une.__name__
)
def test_aucun_refus_ne_parle_de_json_sur_une_page(classe):
    refus = classe.__new__(classe)
    refus.message = getattr(classe, "message", "")

    assert "json" not in str(refus.message_de_page).lower()


def test_un_message_choisi_pour_ce_refus_reste_le_sien():
    assert str(RequeteMalformee("Cet hôte n'est pas servi ici.").message_de_page) == "Cet hôte n'est pas servi ici."


@pytest.mark.parametrize("chemin", PAGES)
@pytest.mark.parametrize("refus", [RequeteMalformee, TypeDeContenuRefuse, ResultatInconnu])
async def test_un_refus_d_avant_la_vue_est_une_page(chemin, refus):
    async def refuser(scope, receive, send):
        raise refus

    envoyes = await appeler(
        Filet(refuser, PONT.dans_la_boucle), portee(chemin, headers=[(b"host", b"testserver")]), list(SANS_CORPS)
    )

    page = envoyes[1]["body"].decode()
    assert (envoyes[0]["status"], envoyes[1]["body"][:15].lower()) == (refus.statut_http, b"<!doctype html>")
    assert "json" not in page.lower()


def test_le_portail_dit_ou_regarder_quand_on_ne_sait_pas():
    assert "Regardez votre dossier" in str(PHRASES[ResultatInconnu.code])

"""`creation`: a transaction like another, which an Idempotency-Key makes happen once."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from config.tests.outils import acteur_de
from socle.erreurs import CleReutilisee
from socle.idempotence.creation import CreationDemandee, DejaFaite, creation, sous
from socle.idempotence.models import CleUtilisee

pytestmark = pytest.mark.django_db


class Ligne:
    def __init__(self) -> None:
        self.pk = uuid4()


@creation
def faire() -> Ligne:
    assert connection.in_atomic_block
    return Ligne()


@creation
def faire_ou_trouver(ligne: Ligne) -> tuple[Ligne, bool]:
    return ligne, False


@creation
def en_composer() -> tuple[Any, ...]:
    """What it calls is part of it: one key, one row."""
    composee = Ligne()
    composee.parties = [faire(), faire()]
    return composee, True


@pytest.fixture
def demande(etudiante):
    return CreationDemandee.de(acteur_de(etudiante), "une-cle", "POST /ici\n{}")


def test_sans_cle_c_est_une_transaction_et_rien_d_autre(etudiante, django_assert_num_queries):
    with django_assert_num_queries(2):  # a savepoint, inside the transaction of the test
        faire()

    assert not CleUtilisee.objects.exists()


def test_sous_une_cle_la_ligne_est_retenue(demande):
    with sous(demande):
        ligne = faire()

    utilisee = demande.deja_faite()
    assert (utilisee.objet, utilisee.est_nouveau) == (ligne.pk, True)


def test_ce_qui_etait_deja_la_est_retenu_comme_tel(demande):
    ligne = Ligne()

    with sous(demande):
        faire_ou_trouver(ligne)

    utilisee = demande.deja_faite()
    assert (utilisee.objet, utilisee.est_nouveau) == (ligne.pk, False)


def test_la_meme_cle_une_seconde_fois_n_est_ni_reussite_ni_echec(demande):
    with sous(demande):
        premiere = faire()

    with sous(demande), pytest.raises(DejaFaite):
        faire()

    assert not issubclass(DejaFaite, Exception)  # what counts failures leaves it alone
    assert demande.deja_faite().objet == premiere.pk


def test_ce_qu_un_service_en_appelle_est_compris(demande):
    with sous(demande):
        composee, _nouvelle = en_composer()

    assert CleUtilisee.objects.get().objet == composee.pk


def test_un_echec_ne_retient_rien(demande):
    @creation
    def echouer() -> Ligne:
        raise RuntimeError

    with sous(demande), pytest.raises(RuntimeError):
        echouer()

    assert demande.deja_faite() is None
    with sous(demande):
        faire()
    assert demande.deja_faite() is not None


def test_une_autre_demande_sous_la_meme_cle_est_refusee(demande, etudiante, autre_etudiante):
    with sous(demande):
        faire()

    with pytest.raises(CleReutilisee):
        CreationDemandee.de(acteur_de(etudiante), "une-cle", "POST /la\n{}").deja_faite()
    assert CreationDemandee.de(acteur_de(autre_etudiante), "une-cle", "POST /la\n{}").deja_faite() is None
    assert CreationDemandee.de(acteur_de(etudiante), "une-autre", "POST /la\n{}").deja_faite() is None


def test_la_cle_cesse_avec_son_bloc(demande):
    with sous(demande):
        pass

    faire()

    assert not CleUtilisee.objects.exists()

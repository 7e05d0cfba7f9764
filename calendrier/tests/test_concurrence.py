"""Storms on real connections: 25 at a time, since a database has few, each doing its share without pause.

A witness reads all along, as anybody could: what is committed is right at every moment, not only at the end.
"""

import random
import threading
from contextlib import contextmanager

import pytest
from django.db import connection

from accounts.tests import fabriques as comptes
from accounts.tests.outils import ensemble
from calendrier import services
from calendrier.erreurs import DejaInscrit
from calendrier.models import EvenementCampus, FluxCalendrier, Participation
from calendrier.tests import fabriques
from calendrier.tests.outils import en_ordre, verifier_les_places
from socle.erreurs import Conflit, Introuvable

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
FILS = 25
_VU = """
    SELECT e.nb_confirmes, e.nb_max_participants,
        count(*) FILTER (WHERE p.statut = 'CONFIRMED'), count(*) FILTER (WHERE p.statut = 'WAITLISTED')
    FROM calendrier_evenementcampus e JOIN calendrier_participation p ON p.evenement_id = e.id
    WHERE e.id = %s GROUP BY e.id
"""


@pytest.fixture
def dix_places(gestionnaire):
    return fabriques.evenement(gestionnaire, nb_max_participants=10)


def gens(nombre):
    return [comptes.compte() for _rang in range(nombre)]


def frais(evenement):
    return EvenementCampus.objects.get(pk=evenement.pk)


def inscrire(evenement, compte):
    return services.inscrire(evenement=frais(evenement), compte=compte)


def partir(evenement, compte):
    services.desinscrire(evenement=frais(evenement), compte=compte)


def echecs(rendus):
    return [rendu for rendu in rendus if isinstance(rendu, Exception)]


def defauts(vu):
    """What is wrong with one state of an event, in one snapshot."""
    annonces, limite, tenus, attendent = vu
    return {
        "compte faux": annonces != tenus,
        "trop de confirmés": limite is not None and tenus > limite,
        "place libre à côté d'une attente": attendent > 0 and (limite is None or tenus < limite),
    }


@contextmanager
def temoin(evenement):
    """Reads again and again while the block runs; nothing wrong may be seen, not once."""
    fini, vus, faux = threading.Event(), [], []

    def regarder():
        while not fini.wait(0.002):
            with connection.cursor() as curseur:
                curseur.execute(_VU, [evenement.pk])
                vu = curseur.fetchone()
            vus.append(vu)
            if vu and any(defauts(vu).values()):
                faux.append(vu)

    def courir():
        try:
            regarder()
        finally:
            connection.close()

    fil = threading.Thread(target=courir)
    fil.start()
    try:
        yield
    finally:
        fini.set()
        fil.join()
    assert faux == []
    assert len(set(vus)) > 3  # it did see the storm pass
    verifier_les_places()


def test_deux_cents_inscriptions_a_la_fois_pour_dix_places(dix_places):
    foule = gens(200)
    parts = [foule[rang::FILS] for rang in range(FILS)]

    with temoin(dix_places):
        rendus = ensemble([lambda part=part: [inscrire(dix_places, qui) for qui in part] for part in parts])

    assert echecs(rendus) == []
    assert len(en_ordre(dix_places, "CONFIRMED")) == 10
    assert len(en_ordre(dix_places, "WAITLISTED")) == 190
    dates = list(Participation.objects.order_by("date_inscription", "id").values_list("statut", flat=True))
    assert dates == ["CONFIRMED"] * 10 + ["WAITLISTED"] * 190


def test_quatre_personnes_partent_et_reviennent_cinquante_fois(dix_places):
    foule = gens(16)
    for qui in foule:
        inscrire(dix_places, qui)

    def tourner(qui):
        for _tour in range(50):
            partir(dix_places, qui)
            inscrire(dix_places, qui)

    with temoin(dix_places):
        rendus = ensemble([lambda qui=qui: tourner(qui) for qui in foule[8:12]])

    assert echecs(rendus) == []
    assert len(en_ordre(dix_places, "CONFIRMED")) == 10
    assert len(en_ordre(dix_places, "WAITLISTED")) == 6


def test_l_equipe_et_les_gens_agissent_ensemble(dix_places):
    foule = gens(16)
    for qui in foule[:12]:
        inscrire(dix_places, qui)
    hasard = random.Random(7)

    def limiter():
        for places in hasard.choices([4, 6, 10, 12, None], k=15):
            with _refus_attendus():
                services.modifier(evenement=frais(dix_places), nb_max_participants=places)

    def juger():
        for _tour in range(15):
            une = hasard.choice(list(Participation.objects.filter(evenement=dix_places)))
            with _refus_attendus():
                services.changer_statut(participation=une, statut=hasard.choice(["PENDING", "CONFIRMED", "CANCELLED"]))

    def hesiter(qui):
        for _tour in range(8):
            with _refus_attendus():
                hasard.choice([inscrire, partir])(dix_places, qui)

    with temoin(dix_places):
        rendus = ensemble([limiter, juger, juger, *[lambda qui=qui: hesiter(qui) for qui in foule]])

    assert echecs(rendus) == []


@contextmanager
def _refus_attendus():
    """The refusals that the state of the moment may bring."""
    try:
        yield
    except (Conflit, Introuvable):
        return


def test_la_meme_personne_huit_fois_a_la_fois_n_est_inscrite_qu_une_fois(dix_places, etudiante):
    rendus = ensemble([lambda: inscrire(dix_places, etudiante)] * 8)

    assert sum(isinstance(rendu, Participation) for rendu in rendus) == 1
    assert sum(isinstance(rendu, DejaInscrit) for rendu in rendus) == 7
    verifier_les_places()


def test_deux_departs_a_la_fois_ne_liberent_qu_une_place(dix_places, etudiante):
    inscrire(dix_places, etudiante)

    rendus = ensemble([lambda: partir(dix_places, etudiante)] * 6)

    assert len(echecs(rendus)) == 5
    verifier_les_places()


def test_s_inscrire_pendant_une_annulation_est_prevenu_ou_refuse(dix_places, evenements):
    foule = gens(12)

    with evenements() as recus:
        rendus = ensemble(
            [
                *[lambda qui=qui: inscrire(dix_places, qui) for qui in foule[:6]],
                lambda: services.annuler(evenement=frais(dix_places)),
                lambda: services.annuler(evenement=frais(dix_places)),
                *[lambda qui=qui: inscrire(dix_places, qui) for qui in foule[6:]],
            ]
        )

    inscrits = {f"user:{rendu.compte_id}" for rendu in rendus if isinstance(rendu, Participation)}
    prevenus = [e["canal"] for e in recus if e["type"] == "event_cancelled"]
    assert {getattr(echec, "code", echec) for echec in echecs(rendus)} <= {"EVENT_CANCELLED"}
    assert sorted(prevenus) == sorted([*inscrits, "calendriers"])


def test_demander_plusieurs_adresses_a_la_fois_n_en_laisse_qu_une(etudiante):
    rendus = ensemble([lambda: services.ouvrir_flux(compte=etudiante)] * 8)

    assert [str(rendu) for rendu in echecs(rendus)] == []
    assert FluxCalendrier.objects.count() == 1

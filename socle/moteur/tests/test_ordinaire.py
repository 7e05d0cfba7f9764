"""The ordinary engine reads what the prepared reads do, and writes with Django's own signals."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.signals import post_save
from django.test.utils import CaptureQueriesContext

from accounts.tests.fabriques import compte as utilisateur
from config.tests.outils import acteur_de
from discussions.lectures import non_lus
from discussions.tests import fabriques as discussions
from guests.models import SessionInvitee
from guests.tests.fabriques import session_invitee
from signalements.lectures import les_siens
from signalements.models import Signalement
from signalements.tests.fabriques import signalement
from socle.erreurs import Introuvable
from socle.moteur import ordinaire
from socle.moteur.ecritures import verrouiller_ligne
from socle.moteur.lectures import LectureRemplie, Passage

pytestmark = pytest.mark.django_db


def des_deux_facons(passage: Passage) -> tuple[list[Any], list[Any]]:
    lignes = passage.demande.queryset()
    return passage.demande._lire(passage), ordinaire.lire(lignes, passage.variante, passage.debut or 0)


@pytest.fixture
def siens() -> LectureRemplie:
    acteur = acteur_de(utilisateur())
    for _rang in range(5):
        signalement(acteur)
    return les_siens(acteur)


def test_chaque_variante_lit_la_meme_chose(siens):
    passages = [
        siens.toutes(),
        siens.une(),
        siens.quelques(0, 2),
        siens.quelques(2, 2),
        siens.combien(),
        siens.combien(3),
    ]

    for passage in passages:
        prepare, ordinairement = des_deux_facons(passage)
        assert prepare == ordinairement != []


def test_une_somme_est_la_meme(gestionnaire, etudiante):
    dossier = signalement(acteur_de(etudiante))
    for _rang in range(3):
        discussions.message(acteur_de(etudiante), discussions.discussion(acteur_de(etudiante), "Suites", dossier))
    lecture = non_lus(acteur_de(gestionnaire))

    for taille, attendu in ((None, 3), (2, 2)):
        assert des_deux_facons(lecture.somme(taille)) == ([attendu], [attendu])


def test_une_insertion_envoie_les_signaux_de_django_et_compte_ce_qui_entre():
    deja = session_invitee()
    neuve = SessionInvitee(guest_id_empreinte="n" * 64)
    double = SessionInvitee(guest_id_empreinte=deja.guest_id_empreinte)
    vues: list[Any] = []

    def noter(instance: Any, created: bool, **_: Any) -> None:
        vues.append((instance.pk, created))

    post_save.connect(noter, SessionInvitee)
    try:
        assert ordinaire.inserer([neuve], sauf_conflit=False) == 1
    finally:
        post_save.disconnect(noter, SessionInvitee)

    assert vues == [(neuve.pk, True)]
    assert ordinaire.inserer([double], sauf_conflit=True) == 0
    with pytest.raises(IntegrityError):
        ordinaire.inserer([double], sauf_conflit=False)


def test_un_verrou_relit_la_ligne_et_refuse_celle_qui_n_y_est_plus(etudiante):
    dossier = signalement(acteur_de(etudiante))
    type(dossier).objects.filter(pk=dossier.pk).update(lieu_incident="ailleurs")

    with CaptureQueriesContext(connection) as requetes:
        ordinaire.verrouiller(dossier, type(dossier).A_VERROUILLER)
    assert (dossier.lieu_incident, len(requetes)) == ("ailleurs", 1)

    with pytest.raises(Introuvable):
        ordinaire.verrouiller(dossier, ~type(dossier).A_VERROUILLER)


def test_une_ligne_dont_on_n_a_que_la_cle_s_ecrit_une_fois_verrouillee(etudiante):
    """By either engine: an insertion of Django's would find the row there."""
    cle = signalement(acteur_de(etudiante)).pk
    for verrouiller in (verrouiller_ligne, lambda une: ordinaire.verrouiller(une, type(une).A_VERROUILLER)):
        dossier = Signalement(pk=cle)
        with transaction.atomic():
            verrouiller(dossier)
            dossier.lieu_incident += "."
            dossier.save(update_fields=["lieu_incident"])

    assert Signalement.objects.get(pk=cle).lieu_incident.endswith("..")

"""Another application's receivers hear what happens, each act once; of Django's own, what `save` writes."""

from collections import Counter

import pytest
from django.db.models.signals import post_save

from config.tests.outils import acteur_de
from discussions import signals as des_discussions
from discussions.models import Message
from discussions.tests.fabriques import discussion, message
from signalements import services
from signalements import signals as des_signalements
from signalements.models import Signalement
from signalements.tests.fabriques import signalement
from socle.moteur.choix import ORDINAIRE

pytestmark = pytest.mark.django_db
NOMMES = {
    "signalement_cree": des_signalements.signalement_cree,
    "statut_modifie": des_signalements.statut_modifie,
    "signalement_assigne": des_signalements.signalement_assigne,
    "note_ajoutee": des_signalements.note_ajoutee,
    "discussion_ouverte": des_discussions.discussion_ouverte,
    "message_ecrit": des_discussions.message_ecrit,
}


@pytest.fixture
def entendus():
    """What receivers of a foreign application have heard."""
    compte, receveurs = Counter(), []
    for nom, signal in NOMMES.items():

        def entendre(nom=nom, **_dit):
            compte[nom] += 1

        signal.connect(entendre)
        receveurs.append((signal, entendre))
    yield compte
    for signal, entendre in receveurs:
        signal.disconnect(entendre)


@pytest.fixture
def enregistres():
    """The rows that Django says to have saved, by their class, and whether they were new."""
    compte = Counter()

    def noter(sender, created, **_dit):
        compte[sender, created] += 1

    post_save.connect(noter)
    yield compte
    post_save.disconnect(noter)


def test_une_application_etrangere_entend_chaque_acte_une_fois(entendus, etudiante, gestionnaire):
    auteur, equipe = acteur_de(etudiante), acteur_de(gestionnaire)

    dossier = signalement(auteur)
    services.assigner(signalement=dossier, acteur=equipe, gestionnaire_id=gestionnaire.pk)
    services.changer_statut(signalement=dossier, acteur=equipe, statut="EN_COURS")
    services.ajouter_note(signalement=dossier, acteur=equipe, contenu="Vu.")
    message(auteur, discussion(auteur, signalement=dossier))

    assert entendus == dict.fromkeys(NOMMES, 1)


@pytest.mark.skipif(ORDINAIRE, reason="le moteur ordinaire écrit par save()")
def test_les_insertions_preparees_n_envoient_pas_post_save(enregistres, etudiante):
    auteur = acteur_de(etudiante)
    dossier = signalement(auteur)
    message(auteur, discussion(auteur, signalement=dossier))
    assert (enregistres[Signalement, True], enregistres[Message, True]) == (0, 0)

    dossier.save()
    assert enregistres[Signalement, False] == 1

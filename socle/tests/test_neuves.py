"""A row made by its mould is the one that its model makes."""

from datetime import datetime
from uuid import UUID

import pytest
from django.db.models.signals import post_init

from accounts.models import Compte
from discussions.models import Discussion, Message
from guests.models import SessionInvitee
from signalements.models import EntreeTimeline, Signalement
from socle.domaine.ecritures import neuve


def colonnes(ligne):
    """What the row holds; keys and moments that are new each time by their kind."""
    genres = {"id": UUID, "date_creation": datetime, "date_modification": datetime, "date_derniere_activite": datetime}
    return {
        nom: isinstance(valeur, genres[nom]) if nom in genres else valeur
        for nom, valeur in vars(ligne).items()
        if nom != "_state"
    }


COMPTE = Compte(email="awa@campus.example", nom="Diop", prenom="Awa")
INVITE = SessionInvitee(guest_id_empreinte="e" * 64)
DOSSIER = Signalement(compte=COMPTE, titre="Un titre", description="Des faits", type="HARCELEMENT")


@pytest.mark.parametrize(
    ("modele", "valeurs"),
    [
        (Signalement, {"invite": INVITE, "compte": None, "titre": "Un titre", "pieces_jointes": ["a"]}),
        (Signalement, {"gestionnaire_id": COMPTE.pk}),
        (EntreeTimeline, {"signalement": DOSSIER, "type": "CREATION", "compte": COMPTE}),
        (Discussion, {"titre": "Suivi", "signalement": None, "invite": INVITE}),
        (Message, {"numero_sequence": 3, "contenu": "Bonjour", "compte": COMPTE, "id": INVITE.pk}),
        (SessionInvitee, {"guest_id_empreinte": "e" * 64, "telephone": "+237699000001"}),
    ],
)
def test_elle_est_celle_que_fait_son_modele(modele, valeurs):
    notre, sienne = neuve(modele, **valeurs), modele(**valeurs)
    assert type(notre) is modele
    assert colonnes(notre) == colonnes(sienne)
    assert notre._state.fields_cache == getattr(sienne._state, "fields_cache", {})
    assert notre._state.adding


def test_deux_ne_partagent_rien():
    une, autre = neuve(Signalement), neuve(Signalement)
    une.pieces_jointes.append("a")
    assert autre.pieces_jointes == []
    assert une.pk != autre.pk
    assert une._state.fields_cache is not autre._state.fields_cache


def test_un_nom_qui_n_est_pas_une_colonne_se_refuse():
    with pytest.raises(TypeError, match="titree"):
        neuve(Signalement, titree="Un titre")


def test_qui_suit_les_lignes_de_son_modele_voit_celle_la():
    vues = []

    def suivre(sender, instance, **kwargs):
        vues.append((sender, vars(instance)["titre"]))

    post_init.connect(suivre, sender=Signalement)
    try:
        neuve(Signalement, titre="Un titre")
    finally:
        post_init.disconnect(suivre, sender=Signalement)
    assert vues == [(Signalement, "Un titre")]

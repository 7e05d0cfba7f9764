from typing import Any

from rest_framework import serializers

from signalements.vocabulaire import Priorite, Statut
from socle.api.serializers import ChampDate, SortieSimple
from socle.domaine.canonique import StatutCanonique
from stats.vocabulaire import Portee


class Nombres(serializers.DictField):
    """Counts by value, with every value of a closed vocabulary, 0 included; words and whole numbers, so shown as is."""

    child = serializers.IntegerField()
    tel_quel = dict


class Duree(serializers.FloatField):
    """Hours, null where there is nothing to measure."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, help_text="En heures.", **options)


class TableauDeBord(SortieSimple):
    portee = serializers.ChoiceField(choices=Portee.choices)
    total_signalements = serializers.IntegerField()
    par_statut = Nombres()
    par_statut_canonique = Nombres()
    par_priorite = Nombres()
    par_type = Nombres()
    nouveaux7_jours = serializers.IntegerField()
    ouverts = serializers.IntegerField()
    resolus = serializers.IntegerField()
    taux_resolution = serializers.FloatField(help_text="De 0 à 1.")
    delai_moyen_resolution = Duree()
    messages_non_lus = serializers.IntegerField()
    evenements_a_venir = serializers.IntegerField()
    postes_a_moderer = serializers.IntegerField(required=False, help_text="Équipe seule.")
    invitations_en_attente = serializers.IntegerField(required=False, help_text="ADMIN_SYSTEME seul.")


class Mois(SortieSimple):
    mois = serializers.CharField(help_text="AAAA-MM.")
    total = serializers.IntegerField(help_text="Créés ce mois-là.")
    resolus = serializers.IntegerField(help_text="De ceux-ci, aujourd'hui TRAITE ou CLOTURE.")


class Statistiques(SortieSimple):
    portee = serializers.ChoiceField(choices=Portee.choices)
    total = serializers.IntegerField()
    par_statut = Nombres()
    par_type = Nombres()
    par_priorite = Nombres()
    par_mode_identification = Nombres()
    par_source_acteur = Nombres()
    par_mois = Mois(many=True)
    delai_moyen_resolution = Duree()


class Delai(SortieSimple):
    """Promised days of one nature, by whether they are kept."""

    nature = serializers.CharField(help_text="ACCUSE, RETOUR, ENTRETIEN ou AUTRE.")
    tenues = serializers.IntegerField(help_text="Le jour promis, ou avant.")
    tardives = serializers.IntegerField(help_text="Après le jour promis, ou prolongées après lui, tenues ou non.")
    en_retard = serializers.IntegerField(help_text="Le jour est passé, ce n'est pas fait.")
    en_cours = serializers.IntegerField(help_text="Le jour n'est pas passé.")
    part_tenue = serializers.FloatField(allow_null=True, help_text="De 0 à 1, de celles dont on sait ; nul : aucune.")


class Charge(SortieSimple):
    gestionnaire_id = serializers.UUIDField()
    nom = serializers.CharField()
    prenom = serializers.CharField()
    assignes = serializers.IntegerField(help_text="Tous ceux qui lui sont confiés.")
    en_cours = serializers.IntegerField(help_text="De ceux-ci, les ouverts : ni TRAITE ni CLOTURE.")
    resolus = serializers.IntegerField(help_text="De ceux-ci, TRAITE ou CLOTURE.")
    delai_moyen_resolution = Duree()


class CasRecent(SortieSimple):
    id = serializers.UUIDField()
    reference = serializers.CharField()
    titre = serializers.CharField()
    type = serializers.CharField()
    statut = serializers.ChoiceField(choices=Statut.choices)
    statut_canonique = serializers.ChoiceField(choices=StatutCanonique.choices)
    priorite = serializers.ChoiceField(choices=Priorite.choices)
    date_creation = ChampDate()
    date_modification = ChampDate()


class Categorie(SortieSimple):
    categorie = serializers.CharField()
    total = serializers.IntegerField()
    pourcentage = serializers.FloatField(help_text="De 0 à 100.")


class Creations(SortieSimple):
    date = serializers.DateField()
    total = serializers.IntegerField()


class Resolutions(SortieSimple):
    date = serializers.DateField()
    resolus = serializers.IntegerField()
    delai_moyen_resolution = Duree()


class ActionRapide(SortieSimple):
    id = serializers.CharField()
    libelle = serializers.CharField()
    methode = serializers.ChoiceField(choices=["GET", "POST"])
    lien = serializers.CharField()
    compteur = serializers.IntegerField(allow_null=True)


class AlerteEcartee(SortieSimple):
    id = serializers.UUIDField()
    dismissed = serializers.BooleanField()


class Invitations(SortieSimple):
    """The number of pending invitations, under two names."""

    invitationsEnAttente = serializers.IntegerField()
    pendingInvitations = serializers.IntegerField()

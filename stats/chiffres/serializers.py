from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from signalements.serializers import DU_DOSSIER
from signalements.vocabulaire import Priorite, Statut
from socle.api.mots import NOM, PRENOM, SON_COMPTE
from socle.api.serializers import ChampDate, SortieSimple
from socle.domaine.canonique import StatutCanonique
from stats.vocabulaire import Portee

PORTEE = _("Ce que comptent ces nombres : PERSONNELLE, les siens ; EQUIPE, ceux que l'on lit ; GLOBALE, tous.")
TOTAL = _("Combien de signalements, sous les filtres demandés.")
PAR_STATUT = _("Le nombre de signalements de chaque statut, 0 compris.")
PAR_PRIORITE = _("Le nombre de signalements de chaque priorité, 0 compris.")
PAR_TYPE = _("Le nombre de signalements de chaque type, 0 compris pour ceux que l'on connaît ; AUTRE réunit les rares.")
PREMIER_JOUR = _("Le premier jour de la période, à l'heure du campus.")


class Nombres(serializers.DictField):
    """Counts by value, with every value of a closed vocabulary, 0 included; words and whole numbers, so shown as is."""

    child = serializers.IntegerField()
    tel_quel = dict


DUREE = _("En heures, de la création à la résolution, en moyenne ; null où rien n'est résolu.")


class Duree(serializers.FloatField):
    """Hours, null where there is nothing to measure."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, help_text=DUREE, **options)


class TableauDeBord(SortieSimple):
    portee = serializers.ChoiceField(choices=Portee.choices, help_text=PORTEE)
    total_signalements = serializers.IntegerField(help_text=TOTAL)
    par_statut = Nombres(help_text=PAR_STATUT)
    par_statut_canonique = Nombres(help_text=_("Le nombre de signalements de chaque statut canonique, 0 compris."))
    par_priorite = Nombres(help_text=PAR_PRIORITE)
    par_type = Nombres(help_text=PAR_TYPE)
    nouveaux7_jours = serializers.IntegerField(
        help_text=_("Ceux qui furent créés aujourd'hui et les six jours d'avant, quelle que soit la période.")
    )
    ouverts = serializers.IntegerField(help_text=_("Ceux qui ne sont ni TRAITE ni CLOTURE."))
    resolus = serializers.IntegerField(help_text=_("Ceux qui sont aujourd'hui TRAITE ou CLOTURE."))
    taux_resolution = serializers.FloatField(
        help_text=_("La part de ceux qui sont résolus, de 0 à 1 ; 0 sans signalement.")
    )
    delai_moyen_resolution = Duree()
    messages_non_lus = serializers.IntegerField(
        help_text=_("Les messages que l'appelant n'a pas lus, quel que soit l'état du dossier.")
    )
    evenements_a_venir = serializers.IntegerField(help_text=_("Les événements publiés qui n'ont pas commencé."))
    postes_a_moderer = serializers.IntegerField(required=False, help_text=_("Équipe seule."))
    invitations_en_attente = serializers.IntegerField(required=False, help_text=_("ADMIN_SYSTEME seul."))


class Mois(SortieSimple):
    mois = serializers.CharField(help_text=_("AAAA-MM."))
    total = serializers.IntegerField(help_text=_("Créés ce mois-là."))
    resolus = serializers.IntegerField(help_text=_("De ceux-ci, aujourd'hui TRAITE ou CLOTURE."))


class Statistiques(SortieSimple):
    portee = serializers.ChoiceField(choices=Portee.choices, help_text=PORTEE)
    total = serializers.IntegerField(help_text=TOTAL)
    par_statut = Nombres(help_text=PAR_STATUT)
    par_type = Nombres(help_text=PAR_TYPE)
    par_priorite = Nombres(help_text=PAR_PRIORITE)
    par_mode_identification = Nombres(
        help_text=_("Le nombre de signalements de chaque `modeIdentification`, 0 compris pour ceux que l'on connaît.")
    )
    par_source_acteur = Nombres(
        help_text=_("Le nombre de signalements d'un compte (AUTH_USER) et d'une session invitée (GUEST).")
    )
    par_mois = Mois(many=True, help_text=_("Une entrée par mois de création, du premier au dernier."))
    delai_moyen_resolution = Duree()


class Delai(SortieSimple):
    """Promised days of one nature, by whether they are kept."""

    nature = serializers.CharField(help_text=_("ACCUSE, RETOUR, ENTRETIEN ou AUTRE."))
    tenues = serializers.IntegerField(help_text=_("Le jour promis, ou avant."))
    tardives = serializers.IntegerField(help_text=_("Après le jour promis, ou prolongées après lui, tenues ou non."))
    en_retard = serializers.IntegerField(help_text=_("Le jour est passé, ce n'est pas fait."))
    en_cours = serializers.IntegerField(help_text=_("Le jour n'est pas passé."))
    part_tenue = serializers.FloatField(
        allow_null=True, help_text=_("De 0 à 1, de celles dont on sait ; nul : aucune.")
    )


class Charge(SortieSimple):
    gestionnaire_id = serializers.UUIDField(help_text=SON_COMPTE)
    nom = serializers.CharField(help_text=NOM)
    prenom = serializers.CharField(help_text=PRENOM)
    assignes = serializers.IntegerField(help_text=_("Tous ceux qui lui sont confiés."))
    en_cours = serializers.IntegerField(help_text=_("De ceux-ci, les ouverts : ni TRAITE ni CLOTURE."))
    resolus = serializers.IntegerField(help_text=_("De ceux-ci, TRAITE ou CLOTURE."))
    delai_moyen_resolution = Duree()


class CasRecent(SortieSimple):
    id = serializers.UUIDField()
    reference = serializers.CharField()
    titre = serializers.CharField(help_text=DU_DOSSIER["titre"])
    type = serializers.CharField(help_text=DU_DOSSIER["type"])
    statut = serializers.ChoiceField(choices=Statut.choices, help_text=DU_DOSSIER["statut"])
    statut_canonique = serializers.ChoiceField(choices=StatutCanonique.choices)
    priorite = serializers.ChoiceField(choices=Priorite.choices, help_text=DU_DOSSIER["priorite"])
    date_creation = ChampDate()
    date_modification = ChampDate()


class Categorie(SortieSimple):
    categorie = serializers.CharField(
        help_text=_("Un type de signalement ; AUTRE réunit aussi ceux qui sont trop rares.")
    )
    total = serializers.IntegerField(help_text=_("Combien de signalements sont de ce type."))
    pourcentage = serializers.FloatField(help_text=_("La part de ce type, de 0 à 100."))


class Creations(SortieSimple):
    date = serializers.DateField(help_text=PREMIER_JOUR)
    total = serializers.IntegerField(help_text=_("Combien de signalements furent créés dans cette période."))


class Resolutions(SortieSimple):
    date = serializers.DateField(help_text=PREMIER_JOUR)
    resolus = serializers.IntegerField(
        help_text=_("Combien de signalements, résolus aujourd'hui, le sont depuis cette période.")
    )
    delai_moyen_resolution = Duree()


class ActionRapide(SortieSimple):
    id = serializers.CharField(help_text=_("Un mot stable, comme `alertes` ou `inviter`."))
    libelle = serializers.CharField(help_text=_("Ce que l'action fait, à montrer, dans la langue de la requête."))
    methode = serializers.ChoiceField(choices=["GET", "POST"], help_text=_("La méthode HTTP de `lien`."))
    lien = serializers.CharField(help_text=_("Le chemin de l'opération, paramètres compris."))
    compteur = serializers.IntegerField(
        allow_null=True, help_text=_("Combien d'éléments attendent ; null où rien ne se compte.")
    )


class AlerteEcartee(SortieSimple):
    id = serializers.UUIDField(help_text=_("L'`id` de l'alerte du chemin."))
    dismissed = serializers.BooleanField(help_text=_("Toujours true."))


class Invitations(SortieSimple):
    """The number of pending invitations, under two names."""

    invitationsEnAttente = serializers.IntegerField(
        help_text=_("Combien d'invitations sont PENDING et n'ont pas expiré.")
    )
    pendingInvitations = serializers.IntegerField(help_text=_("Le même nombre que `invitationsEnAttente`."))

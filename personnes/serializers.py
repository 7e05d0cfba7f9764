"""The wire shapes of an export, where no route shows the same: without the guest id, nor any link or key."""

from typing import Any

from rest_framework import serializers

from accounts.models import Session
from avis.models import AdresseInvitee
from calendrier.models import FluxCalendrier, Participation
from forum.models import DemandeDeRelecture
from guests.models import AuditFusion, SessionInvitee
from resources.models import Fichier, Ressource
from socle.api.serializers import ChampDate, Sortie, SortieSimple


class SessionInviteeExportee(Sortie):
    telephone_masked = serializers.CharField(source="telephone_masque", allow_null=True)
    last_seen_at = ChampDate(source="date_derniere_activite")
    created_at = ChampDate(source="date_creation")

    class Meta:
        model = SessionInvitee
        fields = ("statut", "telephone_masked", "last_seen_at", "created_at")


class AdresseExportee(Sortie):
    email_masked = serializers.CharField(source="masquee", allow_null=True)

    class Meta:
        model = AdresseInvitee
        fields = ("email_masked", "langue", "date_demande", "date_confirmation")


class ConnexionExportee(Sortie):
    class Meta:
        model = Session
        fields = ("appareil", "localisation", "date_creation", "date_expiration")


class InscriptionExportee(Sortie):
    evenement_id = serializers.UUIDField()
    evenement_titre = serializers.CharField(source="evenement.titre")
    evenement_debut = ChampDate(source="evenement.date_debut")
    statut = serializers.CharField(source="statut_montre")

    class Meta:
        model = Participation
        fields = (
            "evenement_id",
            "evenement_titre",
            "evenement_debut",
            "statut",
            "date_inscription",
            "date_modification",
        )


class AbonnementExporte(Sortie):
    class Meta:
        model = FluxCalendrier
        fields = ("date_creation",)


class RessourceExportee(Sortie):
    class Meta:
        model = Ressource
        fields = ("id", "titre", "description", "categorie", "date_creation", "date_modification")


class DemandeDeRelectureExportee(Sortie):
    """Without its end: whoever asks is not told what was decided."""

    poste_id = serializers.UUIDField()
    commentaire_id = serializers.UUIDField(allow_null=True)

    class Meta:
        model = DemandeDeRelecture
        fields = ("id", "poste_id", "commentaire_id", "motif", "date_creation")


class PersonneAEcarter(SortieSimple):
    """Somebody of the staff whom the person does not want to read one of their cases."""

    signalement_id = serializers.UUIDField()
    nom = serializers.CharField(source="compte.nom")
    prenom = serializers.CharField(source="compte.prenom")


class PlaceExportee(SortieSimple):
    """A team whose cases the person reads, or waits to; who decided is a colleague's, and not here."""

    equipe = serializers.CharField(source="equipe.nom")
    accepte_le = ChampDate(allow_null=True)
    date_creation = ChampDate()


class RattachementExporte(Sortie):
    migrated_counts = serializers.SerializerMethodField()

    class Meta:
        model = AuditFusion
        fields = ("migrated_counts", "date_creation", "date_annulation")

    def get_migrated_counts(self, fusion: AuditFusion) -> Any:
        return fusion.resume["migratedCounts"]


class FichierExporte(Sortie):
    file_name = serializers.SerializerMethodField()
    mime_type = serializers.CharField(source="type_mime")
    size_bytes = serializers.IntegerField(source="taille")

    class Meta:
        model = Fichier
        fields = ("id", "file_name", "mime_type", "size_bytes", "metadonnees_retirees", "date_creation")

    def get_file_name(self, fichier: Fichier) -> str:
        return fichier.nom_pour(self.vu_par)

"""What people write is stored without the id of a guest session."""

import pytest
from django.apps import apps
from django.db.models import CharField, JSONField, TextField

pytestmark = pytest.mark.django_db

# Texts that hold no guest id, and why: words of a list, tokens and addresses that their field refuses with one, what
# is drawn, hashed, encrypted, or made of columns that are masked.
SANS_GUEST_ID = {
    "accounts.Compte": {"password", "type_utilisateur", "telephone", "recherche", "noms_portes"},
    "accounts.Invitation": {"email", "type_utilisateur", "statut", "langue"},
    "accounts.DemandeAdresse": {"email", "ancienne"},
    "accounts.Preferences": {"langue", "avis"},
    "accounts.Session": {"motif_fin", "provenance"},
    "accounts.SecondFacteur": {"secret", "codes"},
    # `details`: criteria, which are masked before they are noted.
    "audit.Sceau": {"traces", "precedent", "empreinte"},
    "audit.Trace": {"acte", "role", "sorte", "adresse", "requete", "details"},
    "avis.AdresseInvitee": {"adresse", "langue"},
    "avis.Avis": {"nature"},
    "avis.Cadence": {"adresse_refusee"},
    "calendrier.EvenementCampus": {"type", "public_cible", "statut", "recherche"},
    "calendrier.Participation": {"statut"},
    "discussions.Message": {"type", "pieces_jointes"},
    "echeances.Delai": {"nature", "type", "unite"},
    "echeances.Echeance": {"nature"},
    "equipes.RegleDeRoutage": {"types", "bureaux"},
    "forum.Commentaire": {"recherche"},
    "forum.Moderation": {"avant", "apres"},
    "forum.MotSurveille": {"forme"},
    "forum.Poste": {"categorie", "pieces_jointes", "statut", "recherche"},
    "forum.Reaction": {"type"},
    "guests.AuditFusion": {"cle_empreinte", "cle", "resume", "retour"},
    "guests.SessionInvitee": {
        "guest_id_empreinte",
        "statut",
        "telephone",
    },
    "homonymes.Homonyme": {"decision"},
    "idempotence.CleUtilisee": {"cle", "demande"},
    "portail.Acces": {"jeton_empreinte", "code_scelle"},
    "portail.AncienCode": {"empreinte"},
    "portail.Brouillon": {"jeton_empreinte", "contenu_scelle"},
    "portail.CodeRetour": {"empreinte"},
    "realtime.CanalEfface": {"canal", "audience"},
    "realtime.Evenement": {"masque", "type", "canal", "audience", "payload"},
    "reponses.AccuseAutomatique": {"texte_fr", "texte_en"},  # of texts that are masked
    "reponses.ModeleDeReponse": {"type", "statut", "recherche"},
    "reponses.Orientation": {"type", "recherche"},
    "resources.Attache": {"sorte"},
    "resources.ContactUrgence": {"langue", "recherche"},
    "resources.Faq": {"categorie", "langue", "recherche"},
    "resources.Fichier": {"portee", "type_mime", "seau", "cle", "recherche"},
    "resources.Ressource": {"categorie", "titre_tri", "recherche"},
    "signalements.AlerteDeDossier": {"nature"},
    "signalements.Effectif": {"axe", "type", "statut", "priorite", "mode", "source", "gestionnaire"},
    "signalements.EntreeTimeline": {"type", "avant", "apres"},
    "signalements.RegleDeLecture": {"origine"},
    "signalements.Signalement": {
        "reference",
        "type",
        "mode_identification",
        "ouvert_a",
        "pieces_jointes",
        "statut",
        "priorite",
        "recherche",
        "recherche_auteur",
        "echeances",  # of rows that are masked
    },
    "stats.Export": {"format", "statut", "seau", "cle"},
}


def test_chaque_texte_garde_est_masque_ou_ne_peut_porter_d_identifiant():
    """A column that is added is masked before it is stored (`ECRITS`), or says here why it need not be."""
    restent = {}
    for modele in apps.get_models():
        if modele.__module__.startswith(("django", "socle.taches")):
            continue
        textes = {c.name for c in modele._meta.concrete_fields if isinstance(c, CharField | TextField | JSONField)}
        if reste := textes - set(getattr(modele, "ECRITS", ())):
            restent[modele._meta.label] = reste

    assert restent == SANS_GUEST_ID

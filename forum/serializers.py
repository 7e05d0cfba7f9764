from rest_framework import serializers

from forum.models import Commentaire, Moderation, Poste, Reaction
from forum.vocabulaire import CATEGORIES_CONNUES, MOTIF_MAX, REACTIONS_CONNUES, TAGS_MAX, Statut
from socle.api.champs import Choix, PiecesJointes, Texte, TexteLong, Vocabulaire
from socle.api.formulaires import Creation
from socle.api.serializers import Sortie


class PosteCreate(Creation):
    contenu = TexteLong()
    titre = Texte(required=False, allow_blank=True)
    categorie = Vocabulaire("categorie_poste", connues=CATEGORIES_CONNUES, required=False)
    tags = serializers.ListField(
        child=Texte(max_length=50),
        required=False,
        max_length=TAGS_MAX,
        help_text=f"{TAGS_MAX} au plus, de 1 à 50 caractères ; un mot-clé répété compte une fois.",
    )
    pieces_jointes = PiecesJointes()

    def validate_tags(self, valeur: list[str]) -> list[str]:
        return list(dict.fromkeys(valeur))


class StatutPosteUpdate(Creation):
    statut = Choix(choices=Statut.choices)


class CommentaireCreate(Creation):
    contenu = TexteLong()


class DemandeDeRelectureCreate(Creation):
    motif = Texte(required=False, allow_blank=True, max_length=MOTIF_MAX)


class ReactionCreate(Creation):
    type = Vocabulaire("type_reaction", connues=REACTIONS_CONNUES)


class PosteDetail(Sortie):
    auteur_id = serializers.UUIDField(source="compte_id")
    auteur_nom = serializers.CharField(source="compte.nom_complet")
    approuver_par_id = serializers.UUIDField(allow_null=True)
    tags = serializers.ListField(child=serializers.CharField())
    pieces_jointes = serializers.ListField(child=serializers.UUIDField())

    class Meta:
        model = Poste
        fields = (
            "id",
            "titre",
            "contenu",
            "categorie",
            "tags",
            "pieces_jointes",
            "auteur_id",
            "auteur_nom",
            "statut",
            "approuver_par_id",
            "est_epingle",
            "nb_commentaires",
            "nb_reactions",
            "date_creation",
            "date_modification",
        )


class CommentaireDetail(Sortie):
    poste_id = serializers.UUIDField()
    auteur_id = serializers.UUIDField(source="compte_id")
    auteur_nom = serializers.CharField(source="compte.nom_complet")

    class Meta:
        model = Commentaire
        fields = ("id", "poste_id", "auteur_id", "auteur_nom", "contenu", "date_creation")


class ReactionDetail(Sortie):
    poste_id = serializers.UUIDField()
    auteur_id = serializers.UUIDField(source="compte_id")

    class Meta:
        model = Reaction
        fields = ("id", "poste_id", "auteur_id", "type", "date_creation")


class ModerationDetail(Sortie):
    """Without an author it is the moderator hook's."""

    ancien_statut = serializers.ChoiceField(choices=Statut.choices, source="avant")
    nouveau_statut = serializers.ChoiceField(choices=Statut.choices, source="apres")
    auteur_id = serializers.UUIDField(source="compte_id", allow_null=True)
    auteur_nom = serializers.CharField(allow_null=True)

    class Meta:
        model = Moderation
        fields = ("id", "ancien_statut", "nouveau_statut", "auteur_id", "auteur_nom", "date_creation")

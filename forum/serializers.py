from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from forum.models import Commentaire, Moderation, Poste, Reaction
from forum.vocabulaire import CATEGORIES_CONNUES, MOTIF_MAX, REACTIONS_CONNUES, TAGS_MAX, Statut
from socle.api.champs import Choix, PiecesJointes, Texte, TexteLong, Vocabulaire
from socle.api.formulaires import Creation
from socle.api.mots import aides
from socle.api.serializers import Sortie, SortieSimple

LA_PUBLICATION = _("L'`id` de la publication.")
SON_AUTEUR = _("Le compte de qui l'a écrit.")
NOM_DE_L_AUTEUR = _("Le nom de qui l'a écrit ; « Compte effacé » si son compte le fut.")


class PosteCreate(Creation):
    contenu = TexteLong(help_text=_("Le texte de la publication ; les sauts de ligne restent."))
    titre = Texte(required=False, allow_blank=True, help_text=_("Un titre, en une ligne ; absent : aucun."))
    categorie = Vocabulaire("categorie_poste", connues=CATEGORIES_CONNUES, required=False)
    tags = serializers.ListField(
        child=Texte(max_length=50),
        required=False,
        max_length=TAGS_MAX,
        help_text=format_lazy(
            _("{maximum} au plus, de 1 à 50 caractères ; un mot-clé répété compte une fois."), maximum=TAGS_MAX
        ),
    )
    pieces_jointes = PiecesJointes()

    def validate_tags(self, valeur: list[str]) -> list[str]:
        return list(dict.fromkeys(valeur))


class StatutPosteUpdate(Creation):
    statut = Choix(
        choices=Statut.choices, help_text=_("Le nouveau statut ; APPROUVER la rend visible de tous les comptes.")
    )


class CommentaireCreate(Creation):
    contenu = TexteLong(help_text=_("Le texte du commentaire ; les sauts de ligne restent."))


class DemandeDeRelectureCreate(Creation):
    motif = Texte(required=False, allow_blank=True, max_length=MOTIF_MAX)


class ReactionCreate(Creation):
    type = Vocabulaire("type_reaction", connues=REACTIONS_CONNUES)


class PosteDetail(Sortie):
    auteur_id = serializers.UUIDField(source="compte_id", help_text=SON_AUTEUR)
    auteur_nom = serializers.CharField(source="compte.nom_complet", help_text=NOM_DE_L_AUTEUR)
    approuver_par_id = serializers.UUIDField(
        allow_null=True, help_text=_("Le compte qui l'a approuvée ; null hors du statut APPROUVER.")
    )
    tags = serializers.ListField(
        child=serializers.CharField(), help_text=_("Ses mots-clés, dans l'ordre où ils furent donnés.")
    )
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
        extra_kwargs = aides(
            titre=_("En une ligne ; null : sans titre."),
            contenu=_("Le texte, tel que son auteur l'a écrit, sauts de ligne compris."),
            categorie=_("Un mot en capitales ; null : aucune."),
            statut=_(
                "APPROUVER et APPROUVER_IA sont visibles de tous les comptes ; les autres, de son auteur et "
                "de l'équipe."
            ),
            est_epingle=_("true : elle vient en tête des listes."),
            nb_commentaires=_("Combien de commentaires, ceux qui sont supprimés à part."),
            nb_reactions=_("Combien de réactions, tous types ensemble."),
        )


class CommentaireDetail(Sortie):
    poste_id = serializers.UUIDField(help_text=LA_PUBLICATION)
    auteur_id = serializers.UUIDField(source="compte_id", help_text=SON_AUTEUR)
    auteur_nom = serializers.CharField(source="compte.nom_complet", help_text=NOM_DE_L_AUTEUR)

    class Meta:
        model = Commentaire
        fields = ("id", "poste_id", "auteur_id", "auteur_nom", "contenu", "date_creation")
        extra_kwargs = aides(contenu=_("Le texte, tel que son auteur l'a écrit, sauts de ligne compris."))


class ReactionDetail(Sortie):
    poste_id = serializers.UUIDField(help_text=LA_PUBLICATION)
    auteur_id = serializers.UUIDField(source="compte_id", help_text=SON_AUTEUR)

    class Meta:
        model = Reaction
        fields = ("id", "poste_id", "auteur_id", "type", "date_creation")
        extra_kwargs = aides(type=_("Un mot en capitales, comme LIKE ; une installation peut en admettre d'autres."))


class ReactionRetireeEvenement(SortieSimple):
    reaction_id = serializers.UUIDField(help_text=_("La réaction qui n'est plus là."))


class RelectureDemandeeEvenement(SortieSimple):
    poste_id = serializers.UUIDField(help_text=_("La publication à relire, ou celle du commentaire à relire."))
    commentaire_id = serializers.UUIDField(
        allow_null=True, help_text=_("Le commentaire à relire ; nul : c'est la publication elle-même.")
    )


class ModerationDetail(Sortie):
    """Without an author it is the moderator hook's."""

    ancien_statut = serializers.ChoiceField(
        choices=Statut.choices, source="avant", help_text=_("Le statut que la publication avait.")
    )
    nouveau_statut = serializers.ChoiceField(
        choices=Statut.choices, source="apres", help_text=_("Le statut qu'elle a reçu.")
    )
    auteur_id = serializers.UUIDField(
        source="compte_id", allow_null=True, help_text=_("Le compte qui l'a décidé ; null : le modérateur automatique.")
    )
    auteur_nom = serializers.CharField(
        allow_null=True, help_text=_("Le nom de qui l'a décidé ; null : le modérateur automatique.")
    )

    class Meta:
        model = Moderation
        fields = ("id", "ancien_statut", "nouveau_statut", "auteur_id", "auteur_nom", "date_creation")

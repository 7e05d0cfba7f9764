from typing import Any
from uuid import UUID

from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from accounts.models import Compte
from forum.models import Commentaire, DemandeDeRelecture, Poste, Reaction
from forum.serializers import (
    CommentaireDetail,
    PosteDetail,
    ReactionDetail,
    ReactionRetireeEvenement,
    RelectureDemandeeEvenement,
)
from forum.signals import commentaire_ecrit, poste_publie, reaction_posee, reaction_retiree, relecture_demandee
from socle.domaine.droits import Droit, roles_ayant
from socle.moteur.sorties import rendre_un
from socle.realtime.canaux import PERSONNEL, PUBLIC
from socle.realtime.declarations import declarer
from socle.realtime.diffusion import publier

declarer("poste_created", PosteDetail, "dashboard", quand=_("Une publication est écrite."))
declarer("commentaire_created", CommentaireDetail, "poste:{id}", quand=_("Un commentaire est écrit."))
declarer("reaction_created", ReactionDetail, "poste:{id}", quand=_("Une réaction est posée."))
declarer("reaction_removed", ReactionRetireeEvenement, "poste:{id}", quand=_("Une réaction est retirée."))
declarer(
    "relecture_requested",
    RelectureDemandeeEvenement,
    "user:{id}",
    quand=_(
        "Quelqu'un demande que l'on relise une publication ou un commentaire : à chaque personne qui modère, sauf à "
        "qui l'a écrit. Jamais qui le demande."
    ),
)


@receiver(poste_publie)
def publier_poste(sender: Any, poste: Poste, **kwargs: Any) -> None:
    publier("poste_created", ["dashboard"], rendre_un(PosteDetail, poste))


@receiver(commentaire_ecrit)
def publier_commentaire(sender: Any, commentaire: Commentaire, poste: Poste, **kwargs: Any) -> None:
    publier("commentaire_created", _canal(poste), rendre_un(CommentaireDetail, commentaire), audience=_audience(poste))


@receiver(reaction_posee)
def publier_reaction(sender: Any, reaction: Reaction, poste: Poste, **kwargs: Any) -> None:
    publier("reaction_created", _canal(poste), rendre_un(ReactionDetail, reaction), audience=_audience(poste))


@receiver(reaction_retiree)
def publier_retrait(sender: Any, reaction_id: UUID, poste: Poste, **kwargs: Any) -> None:
    publier("reaction_removed", _canal(poste), {"reactionId": str(reaction_id)}, audience=_audience(poste))


@receiver(relecture_demandee)
def publier_demande(sender: Any, demande: DemandeDeRelecture, **kwargs: Any) -> None:
    """To each moderator by name, but who wrote what it is about: the whole team hears `dashboard`. Never who asked."""
    auteurs = {demande.poste.compte_id, demande.vise.compte_id}
    moderateurs = Compte.objects.filter(type_utilisateur__in=roles_ayant(Droit.FORUM_MODERER), est_actif=True)
    canaux = [f"user:{pk}" for pk in moderateurs.exclude(pk__in=auteurs).order_by("pk").values_list("pk", flat=True)]
    commentaire = demande.commentaire_id
    payload = {"posteId": str(demande.poste_id), "commentaireId": str(commentaire) if commentaire else None}
    publier("relecture_requested", canaux, payload)


def _canal(poste: Poste) -> list[str]:
    return [f"poste:{poste.pk}"]


def _audience(poste: Poste) -> str:
    """PERSONNEL for a hidden post: only author and staff hear it, on sockets opened while it was public too."""
    return PUBLIC if poste.est_public else PERSONNEL

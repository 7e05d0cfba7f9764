"""Opening a case of a team for a reason: an hour in which an administrator who is not of it reads the case."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from signalements.erreurs import DejaLu, SonPropreDossier
from signalements.lecteurs import Acces, a_ouvrir
from signalements.models import EntreeTimeline, OuvertureMotivee, Signalement
from signalements.signals import dossier_ouvert_sur_motif
from signalements.vocabulaire import OUVERTURE_MINUTES, TypeEntree
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.identite import masquer_ecrits
from socle.erreurs import Introuvable
from socle.moteur.ecritures import inserer


@transaction.atomic
def ouvrir(*, signalement: Signalement, motif: str, acteur: Acteur) -> OuvertureMotivee:
    """Let this administrator read the case for OUVERTURE_MINUTES; while that lasts, again changes nothing.

    403 on one's own, 409 for who reads it, 404 for who was shut out of it. Told to each of its readers; where there is
    none, to the other administrators who may open it. In the history, which its author does not read, and the register.
    """
    signalement.verrouiller()
    if acteur.possede(signalement):
        raise SonPropreDossier
    if signalement.est_visible_de(acteur):
        raise DejaLu
    if not a_ouvrir(Signalement.objects.filter(pk=signalement.pk), acteur).exists():
        raise Introuvable
    presente: OuvertureMotivee | None = signalement.ouvertures.en_cours(acteur).first()
    if presente is not None:
        return presente
    fin = timezone.now() + timedelta(minutes=OUVERTURE_MINUTES)
    ouverture = OuvertureMotivee(signalement=signalement, compte=acteur.compte, motif=motif, fin=fin)
    masquer_ecrits(ouverture)
    ouverture.save(force_insert=True)
    entree = EntreeTimeline(
        signalement=signalement, type=TypeEntree.OUVERTURE, contenu=ouverture.motif, **acteur.proprietaire
    )
    inserer(entree)
    consigner(
        Acte.OUVERTURE_MOTIVEE,
        par=acteur,
        objet=signalement.pk,
        sorte=Sorte.SIGNALEMENT,
        minutes=OUVERTURE_MINUTES,
    )
    dossier_ouvert_sur_motif.send(
        Signalement,
        signalement=signalement,
        par=acteur.compte.nom_complet,
        entrees=[entree],
        prevenus=_a_prevenir(signalement, acteur),
    )
    return ouverture


def _a_prevenir(signalement: Signalement, acteur: Acteur) -> list[UUID]:
    acces, auteur = Acces.de(signalement), signalement.compte_id or UUID(int=0)
    lecteurs = acces.lecteurs().exclude(pk=auteur)
    autres = lecteurs if lecteurs.exists() else acces.recours_pour(signalement)
    return list(autres.exclude(pk=acteur.pk).order_by("pk").values_list("pk", flat=True))

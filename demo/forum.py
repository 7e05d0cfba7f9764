"""The forum of the demonstration: posts in every state, with what people answered."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import Compte
from demo.insertion import inserer
from demo.scene import cle, installer_comptes
from demo.textes import ADMIN, AUTRE_GESTIONNAIRE, ETUDIANTE, GESTIONNAIRE, Personne
from forum.models import Commentaire, Moderation, Poste, Reaction
from forum.vocabulaire import Statut
from socle.pages.typographie import en_francais


class Annonce(NamedTuple):
    """A post; `chemin` is its decisions as `(who, statut)`, None being the moderator hook."""

    jours: int
    auteur: Personne
    categorie: str
    titre: str
    contenu: str
    tags: tuple[str, ...] = ()
    chemin: tuple[tuple[Personne | None, Statut], ...] = ()
    epingle: bool = False
    commentaires: tuple[tuple[Personne, str], ...] = ()
    reactions: tuple[tuple[Personne, str], ...] = ()


ANNONCES = (
    Annonce(
        40,
        ADMIN,
        "ANNONCE",
        "Qui appeler, et quand",
        "Le poste de sécurité répond jour et nuit. La cellule d'écoute reçoit sans rendez-vous le mardi et le jeudi.",
        ("sécurité", "écoute"),
        ((GESTIONNAIRE, Statut.APPROUVER),),
        epingle=True,
        commentaires=(
            (ETUDIANTE, "Est-ce aussi ouvert pendant les vacances ?"),
            (GESTIONNAIRE, "Le poste de sécurité oui, la cellule d'écoute reprend à la rentrée."),
        ),
        reactions=((ETUDIANTE, "MERCI"), (GESTIONNAIRE, "LIKE"), (AUTRE_GESTIONNAIRE, "LIKE")),
    ),
    Annonce(
        12,
        ETUDIANTE,
        "ENTRAIDE",
        "Rentrer à plusieurs le soir",
        "Je finis à 20 h le lundi et je rentre vers la résidence Est. Qui veut faire le chemin ensemble ?",
        ("trajet", "résidence Est"),
        ((AUTRE_GESTIONNAIRE, Statut.APPROUVER),),
        commentaires=((AUTRE_GESTIONNAIRE, "Belle idée ! Nous pouvons afficher ces trajets à l'accueil."),),
        reactions=((GESTIONNAIRE, "SOUTIEN"), (AUTRE_GESTIONNAIRE, "SOUTIEN"), (ADMIN, "LIKE")),
    ),
    Annonce(
        6,
        ETUDIANTE,
        "VIE_DU_CAMPUS",
        "Chorale : il manque des voix",
        "Répétition le jeudi à 18 h, salle de musique. Aucune expérience demandée.",
        ("musique",),
        ((None, Statut.APPROUVER_IA),),
        reactions=((AUTRE_GESTIONNAIRE, "LIKE"),),
    ),
    Annonce(
        4,
        ETUDIANTE,
        "VIE_DU_CAMPUS",
        "Soirée, entrée payante",
        "Places à vendre, paiement d'avance au numéro du message. Offre valable ce soir seulement !",
        (),
        ((None, Statut.REJETER_IA), (GESTIONNAIRE, Statut.REJETER)),
    ),
    Annonce(
        2,
        ETUDIANTE,
        "QUESTION",
        "Qui garde un chat deux semaines ?",
        "Je pars en stage. Croquettes fournies, et une récompense en argent pour qui accepte.",
        ("animaux",),
        ((None, Statut.REJETER_IA),),
    ),
    Annonce(
        90,
        GESTIONNAIRE,
        "ANNONCE",
        "Fermeture du parking nord",
        "Le parking nord est fermé pour travaux jusqu'à la fin du mois.",
        ("travaux",),
        ((GESTIONNAIRE, Statut.APPROUVER), (AUTRE_GESTIONNAIRE, Statut.ARCHIVER)),
        commentaires=((ETUDIANTE, "Les vélos peuvent-ils encore y entrer ?"),),
    ),
    Annonce(
        1,
        ETUDIANTE,
        "QUESTION",
        "Casiers de la bibliothèque",
        "Comment obtient-on un casier pour l'année ?",
        ("bibliothèque",),
    ),
    Annonce(0, ETUDIANTE, "", "", "Merci à la personne qui a rapporté mes clés à l'accueil ce matin."),
)


@transaction.atomic
def installer_forum() -> int:
    """Create the absent posts with their decisions, comments and reactions; return how many."""
    gens = dict(installer_comptes())
    connues = Poste.objects.in_bulk([cle("poste", n) for n in range(len(ANNONCES))])
    absentes = [(n, annonce) for n, annonce in enumerate(ANNONCES) if cle("poste", n) not in connues]
    maintenant = timezone.now()
    postes = [_poste(n, annonce, gens, maintenant) for n, annonce in absentes]
    inserer(Poste, postes)
    for modele, lignes in ((Moderation, _decisions), (Commentaire, _commentaires), (Reaction, _reactions)):
        faites = [
            ligne
            for poste, (_n, annonce) in zip(postes, absentes, strict=True)
            for ligne in lignes(poste, annonce, gens, maintenant)
        ]
        inserer(modele, faites)
    return len(postes)


def _poste(numero: int, annonce: Annonce, gens: dict[Personne, Compte], maintenant: datetime) -> Poste:
    creation = maintenant - timedelta(days=annonce.jours, hours=1 + numero % 5, minutes=11 * numero)
    par, statut = annonce.chemin[-1] if annonce.chemin else (None, Statut.NOUVEAU)
    poste = Poste(
        pk=cle("poste", numero),
        compte_id=gens[annonce.auteur].pk,
        titre=en_francais(annonce.titre),
        contenu=en_francais(annonce.contenu),
        categorie=annonce.categorie,
        tags=list(annonce.tags),
        statut=statut,
        approuver_par_id=gens[par].pk if par and statut == Statut.APPROUVER else None,
        est_epingle=annonce.epingle,
        nb_commentaires=len(annonce.commentaires),
        nb_reactions=len(annonce.reactions),
        date_creation=creation,
        date_modification=_instant(creation, len(annonce.chemin), maintenant),
    )
    poste.indexer()
    return poste


def _decisions(
    poste: Poste, annonce: Annonce, gens: dict[Personne, Compte], maintenant: datetime
) -> Iterator[Moderation]:
    avant = Statut.NOUVEAU
    for numero, (par, apres) in enumerate(annonce.chemin, 1):
        date = _instant(poste.date_creation, numero, maintenant)
        yield Moderation(
            poste_id=poste.pk,
            numero=numero,
            compte_id=gens[par].pk if par else None,
            avant=avant,
            apres=apres,
            date_creation=date,
            date_modification=date,
        )
        avant = apres


def _commentaires(
    poste: Poste, annonce: Annonce, gens: dict[Personne, Compte], maintenant: datetime
) -> Iterator[Commentaire]:
    for rang, (auteur, contenu) in enumerate(annonce.commentaires, 3):
        date = _instant(poste.date_creation, rang, maintenant)
        commentaire = Commentaire(
            poste_id=poste.pk,
            compte_id=gens[auteur].pk,
            contenu=contenu,
            date_creation=date,
            date_modification=date,
        )
        commentaire.indexer()
        yield commentaire


def _reactions(
    poste: Poste, annonce: Annonce, gens: dict[Personne, Compte], maintenant: datetime
) -> Iterator[Reaction]:
    for rang, (auteur, type_) in enumerate(annonce.reactions, 3):
        date = _instant(poste.date_creation, rang, maintenant)
        yield Reaction(
            poste_id=poste.pk, compte_id=gens[auteur].pk, type=type_, date_creation=date, date_modification=date
        )


def _instant(creation: datetime, rang: int, maintenant: datetime) -> datetime:
    """The step of this rank after a creation: hours apart, none in the future."""
    return creation + rang * min(timedelta(hours=3, minutes=17), (maintenant - creation) / 10)

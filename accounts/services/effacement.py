"""The erasure of an account: the row stays, closed, under a pseudonym, and nothing of the person is left in its app."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q
from django.utils import timezone

from accounts.journal import ADRESSE_DEMANDEE
from accounts.models import (
    Compte,
    DemandeAdresse,
    DemandeEffacement,
    DemandeMotDePasse,
    Invitation,
    Preferences,
    SecondFacteur,
    Session,
)
from accounts.services.sessions import terminer_toutes
from accounts.signals import compte_desactive
from accounts.vocabulaire import INDEXES, NOM_COMPLET_EFFACE, NOM_EFFACE, PRENOM_EFFACE, StatutInvitation
from socle.domaine.recherche import indexable

PERSONNELLES = ("email", "nom", "prenom", "telephone", "bureau_genre_id")


@dataclass(frozen=True)
class Connu:
    """Names and addresses by which the service knew a person, former ones of the journal too, and numbers."""

    cle: str  # of the account
    noms: frozenset[str]
    cherches: frozenset[str]  # what one types to find them: names in either order, and the family name alone
    familles: frozenset[str]
    adresses: frozenset[str]
    telephones: frozenset[str]
    adresse_technique: str

    @classmethod
    def de(cls, compte: Compte) -> "Connu":
        anciennes: dict[str, set[str]] = {nom: {str(getattr(compte, nom))} for nom in PERSONNELLES}
        for entree in _journal(compte):
            for nom, valeurs in _valeurs(entree):
                if nom in anciennes:
                    anciennes[nom] |= {str(valeur) for valeur in valeurs if valeur}
        adresses = anciennes["email"] | set(_invitations(compte, ()).values_list("email", flat=True))
        # One that it left, and another account took, is that one's.
        prises = Compte.objects.filter(email__in=adresses).exclude(pk=compte.pk).values_list("email", flat=True)
        paires = list(product(anciennes["prenom"], anciennes["nom"]))
        noms = {f"{prenom} {nom}".strip() for prenom, nom in paires}
        return cls(
            str(compte.pk),
            frozenset(noms) - {NOM_COMPLET_EFFACE, ""},
            frozenset(noms | {f"{nom} {prenom}" for prenom, nom in paires} | anciennes["nom"]) - {NOM_COMPLET_EFFACE},
            frozenset(anciennes["nom"]) - {NOM_EFFACE, ""},
            frozenset(adresses) - {*prises, ""},
            frozenset(anciennes["telephone"]) - {""},
            compte.adresse_technique,
        )


def effacer(compte: Compte, connu: Connu) -> dict[str, int]:
    """Erase this account, known not to be; rows by table. Call inside a transaction that holds its row."""
    etait_actif = compte.est_actif
    compte.email, compte.prenom, compte.nom = compte.adresse_technique, PRENOM_EFFACE, NOM_EFFACE
    compte.telephone = compte.bureau_genre_id = ""
    compte.est_actif = compte.email_verifie = False
    compte.derniere_connexion = None
    compte.recherche, compte.noms_portes = indexable(NOM_COMPLET_EFFACE), ""
    compte.set_unusable_password()
    ecrites = ("email_verifie", "derniere_connexion", *INDEXES, "password", "est_actif")
    compte.enregistrer(*PERSONNELLES, *ecrites)
    if etait_actif:
        compte_desactive.send(Compte, compte=compte)  # before the sessions end: their sockets still hear it
    terminer_toutes(compte)
    nombres = {
        "sessions": Session.objects.filter(compte=compte).delete()[0],
        "second facteur": SecondFacteur.objects.filter(compte=compte).delete()[0],
        "préférences": Preferences.objects.filter(compte=compte).delete()[0],
        "demandes d'adresse": DemandeAdresse.objects.filter(compte=compte).delete()[0],
        "demande d'effacement": DemandeEffacement.objects.filter(compte=compte).delete()[0],
        "demandes de mot de passe": DemandeMotDePasse.objects.filter(compte=compte).delete()[0],
        "journal": _oublier_au_journal(compte, connu),
        "invitations": _oublier_les_invitations(compte, connu),
        "mots d'invitation": Invitation.objects.filter(invitee_par=compte).exclude(mot="").update(mot=""),
    }
    # Last: from here on the row refuses to be locked.
    compte.date_effacement = timezone.now()
    compte.enregistrer("date_effacement")
    return {"compte": 1, **nombres}


def _invitations(compte: Compte, adresses: Iterable[str]) -> Any:
    return Invitation.objects.filter(Q(acceptee_par=compte) | Q(email__in=adresses))


def _oublier_les_invitations(compte: Compte, connu: Connu) -> int:
    """Replace the address of those that it has had, empty their word; one that waits is revoked, its link dead."""
    invitations = _invitations(compte, connu.adresses)
    invitations.filter(statut=StatutInvitation.PENDING).update(statut=StatutInvitation.REVOKED)
    nombre: int = invitations.update(email=connu.adresse_technique, mot="", date_modification=timezone.now())
    return nombre


def _journal(compte: Compte, invitations: Iterable[Any] = ()) -> list[LogEntry]:
    """Entries of the journal about this account, and about these invitations."""
    sortes = ContentType.objects.get_for_models(Compte, Invitation)
    siennes = Q(content_type=sortes[Compte], object_id=str(compte.pk))
    siennes |= Q(content_type=sortes[Invitation], object_id__in=[str(pk) for pk in invitations])
    return list(LogEntry.objects.filter(siennes).order_by("pk"))


def _valeurs(entree: LogEntry) -> Iterable[tuple[str, Any]]:
    for _acte, detail in _parties(entree):
        yield from detail.get("valeurs", {}).items()


def _parties(entree: LogEntry) -> list[tuple[str, dict[str, Any]]]:
    """`[(act, its detail)]`; [] of an entry in words."""
    lu = structure(entree.change_message)
    return [] if lu is None else [paire for partie in lu for paire in partie.items()]


def structure(texte: str) -> list[dict[str, Any]] | None:
    """The list of objects that a text column holds as JSON; None for words, even where they begin as it does."""
    if not texte.startswith("[{"):
        return None
    try:
        lu: list[dict[str, Any]] = json.loads(texte)
    except ValueError:
        return None
    return lu


def _oublier_au_journal(compte: Compte, connu: Connu) -> int:
    """Entries say what was changed, and no longer the values that told who the person is."""
    entrees = _journal(compte, _invitations(compte, connu.adresses).values_list("pk", flat=True))
    sorte = ContentType.objects.get_for_model(Compte)
    for entree in entrees:
        entree.object_repr = NOM_COMPLET_EFFACE if entree.content_type_id == sorte.pk else connu.adresse_technique
        parties = _parties(entree)
        for _acte, detail in parties:
            tues = [nom for nom in detail.get("valeurs", {}) if nom in (*PERSONNELLES, ADRESSE_DEMANDEE)]
            for nom in tues:
                del detail["valeurs"][nom]
            if tues:
                detail["tus"] = [*detail.get("tus", []), *tues]
            if "object" in detail:
                detail["object"] = entree.object_repr
        entree.change_message = json.dumps([{acte: detail} for acte, detail in parties]) if parties else ""
    LogEntry.objects.bulk_update(entrees, ["object_repr", "change_message"], batch_size=500)
    return len(entrees)

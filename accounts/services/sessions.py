import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from accounts import jetons
from accounts.erreurs import CodeInvalide, CompteDesactive, CompteEfface, EnrolementExige, IdentifiantsInvalides
from accounts.lectures import compte_a_l_adresse, second_facteur_actif
from accounts.models import Compte, Session
from accounts.services.preuves import noter_le_refus, noter_un_code_faux, prouver
from accounts.signals import jeton_reutilise, sessions_terminees
from accounts.tasks import prevenir
from accounts.vocabulaire import Facteur, MotifFin, Surete
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.adresses import canonique
from socle.domaine.chiffrement import empreinte
from socle.domaine.droits import Droit, a_le_droit
from socle.domaine.identite import masquer_ecrits
from socle.domaine.limites import consommer, oublier
from socle.domaine.navigateurs import en_mots
from socle.domaine.registre import Registre
from socle.domaine.temps import jour_du_campus
from socle.erreurs import JetonInvalide
from socle.moteur.delais import SONDE_SECONDES
from socle.moteur.ecritures import inserer, modifier

journal = logging.getLogger("campus.securite")
# Grace for a spent token: two tabs, or a retry after a lost answer, use it within this time; a thief comes later.
DELAI_REUTILISATION = timedelta(seconds=10)
# name -> (compte) -> None: ends what opens the account beside its sessions, in the same transaction.
autres_acces: Registre[Callable[..., None]] = Registre("autres accès d'un compte")
# name -> (session_ids) -> None: ends what lives as long as a session, in the transaction that ends it.
acces_des_sessions: Registre[Callable[[list[UUID]], None]] = Registre("accès qui finissent avec une session")

# name -> (session_ids) -> {session id: when it was last used}, of the sessions that pages keep.
derniers_usages: Registre[Callable[[list[UUID]], dict[UUID, datetime]]] = Registre("derniers usages d'une session")
APPAREILS_MAX = 50  # on one page, the last ones


@dataclass(frozen=True)
class Appareil:
    """An open session as its person is shown it: dated to the day, which is all that a look over a shoulder gives."""

    session_id: UUID
    nom: str  # in words, "" where it said none
    vu_le: date
    est_celui_ci: bool


@dataclass(frozen=True)
class SessionOuverte:
    """A session that has just been opened, with its two tokens."""

    session: Session
    token: str
    refresh_token: str

    @property
    def session_id(self) -> UUID:
        return self.session.pk

    @property
    def email(self) -> str:
        return self.session.compte.email

    @property
    def type_utilisateur(self) -> str:
        return self.session.compte.role

    @property
    def expires_in(self) -> int:
        return int(settings.ACCESS_TOKEN_LIFETIME.total_seconds())


def identifier(*, email: str, mot_de_passe: str, adresse: str) -> Compte:
    """The active account with this password; failures are counted by account and address, and by address: 429.

    A success clears the first counter alone: an attacker who sprays a list of accounts may own one of them.
    """
    email = canonique(email)
    cle = f"{email}|{adresse}"
    consommer("login_address", adresse, pas=0)
    consommer("login", cle, pas=0)
    a_comparer = personne = _personne()
    compte = compte_a_l_adresse(email).premiere(preuve_de_connexion=SONDE_SECONDES)
    if compte is not None and compte.has_usable_password():
        a_comparer = compte
    est_le_bon = a_comparer.check_password(mot_de_passe)
    if compte is None or a_comparer is personne or not est_le_bon:
        consommer("login_address", adresse)
        consommer("login", cle)
        noter_le_refus(compte, "motDePasse")
        raise IdentifiantsInvalides
    oublier("login", cle)
    if not compte.est_actif:
        noter_le_refus(compte, "desactive")
        raise CompteDesactive
    return compte


@cache
def _personne() -> Compte:
    """Nobody's account, whose password is checked where there is none: any address costs as much as another."""
    return Compte(password=make_password(secrets.token_urlsafe()))


def noter_l_entree(compte: Compte, acte: Acte = Acte.CONNEXION, *, par: str = "jeton", **details: str) -> None:
    """Into the register, for the team alone: when others sign in would tell who wrote what at that time."""
    if a_le_droit(compte.role, Droit.ESPACE_ENTRER):
        consigner(acte, par=compte, objet=compte.pk, sorte=Sorte.COMPTE, acces=par, **details)


def dater_l_entree(compte: Compte) -> None:
    """Write the moment of a sign-in by browser; one statement, which leaves alone an account closed meanwhile."""
    Compte.objects.filter(pk=compte.pk, est_actif=True).update(derniere_connexion=timezone.now())


def connecter(
    *, email: str, mot_de_passe: str, adresse: str, otp: str = "", agent: str = "", **ou: str
) -> SessionOuverte:
    """Open a session by password, and by a code where the account has a second factor; `ou` as for `entrer`.

    A device that says no name has its browser's. Whoever is of the team is mailed where no session of theirs came from
    a device of this name and this User-Agent.
    """
    compte = identifier(email=email, mot_de_passe=mot_de_passe, adresse=adresse)
    with a_prouver(compte, otp=otp, adresse=adresse) as facteur:
        provenance = _reconnaitre(compte, agent, ou.get("appareil", ""))
        ou["appareil"] = ou.get("appareil") or en_mots(agent)
        return entrer(compte, facteur=facteur, provenance=provenance, **ou)


def _reconnaitre(compte: Compte, agent: str, appareil: str) -> str:
    """Fingerprint of a device of the team, whose person is mailed where it is new; empty for anybody else.

    Neither is a secret, and who copies both passes for it: a mail at each sign-in would not be read.
    """
    if not a_le_droit(compte.role, Droit.ESPACE_ENTRER):
        return ""
    provenance = empreinte("provenance", f"{compte.pk}:{compte.password}:{appareil}:{agent}")
    if not Session.objects.filter(compte=compte, provenance=provenance).exists():
        prevenir(compte, Surete.APPAREIL_NOUVEAU)
    return provenance


@contextmanager
def a_prouver(compte: Compte, *, otp: str, adresse: str) -> Iterator[Facteur]:
    """Transaction that holds the account, its password still as `identifier` saw it, and yields what was proved.

    A refused code is noted once the transaction is undone.
    """
    try:
        with transaction.atomic():
            secret = compte.password
            (second,) = compte.verrouiller(second_facteur_actif(compte.pk))
            if not compte.est_actif:
                raise CompteDesactive
            if compte.password != secret:  # changed while it was being checked
                raise IdentifiantsInvalides
            yield prouver(compte, second, otp=otp, adresse=adresse)
    except CompteEfface as efface:  # since it was found by its address, which is nobody's now
        raise IdentifiantsInvalides from efface
    except CodeInvalide as faux:
        noter_un_code_faux(compte, faux)
        raise
    except EnrolementExige:
        noter_le_refus(compte, "enrolement")
        raise


def a_un_second_facteur(compte: Compte) -> bool:
    return second_facteur_actif(compte.pk).premiere() is not None


def entrer(
    compte: Compte,
    *,
    facteur: Facteur = Facteur.MOT_DE_PASSE,
    appareil: str = "",
    localisation: str = "",
    provenance: str = "",
) -> SessionOuverte:
    """Open a session of an active account; call inside a transaction that holds its row."""
    compte.derniere_connexion = timezone.now()
    modifier(compte, "derniere_connexion")
    second = facteur != Facteur.MOT_DE_PASSE
    ou = {"appareil": appareil, "localisation": localisation, "provenance": provenance}
    session = Session(compte=compte, second_facteur=second, **ou)
    masquer_ecrits(session)
    noter_l_entree(compte, facteur=facteur.value)
    return _ouvrir(session)


def renouveler(*, jeton: str) -> SessionOuverte:
    """Spend a refresh token for a new session; of several at once exactly one wins, the others get 401."""
    connexion = _renouveler(jetons.lire_renouvellement(jeton))
    if connexion is None:
        raise JetonInvalide
    return connexion


@transaction.atomic
def _renouveler(contenu: jetons.Contenu) -> SessionOuverte | None:
    # Return the refusal instead of raising it: the sessions that a reuse ends must be committed.
    compte = Compte.objects.select_for_update(no_key=True).filter(pk=contenu.compte_id, est_actif=True).first()
    session = Session.objects.filter(pk=contenu.session_id, compte=compte).first() if compte else None
    if compte is None or session is None:
        return None
    if session.date_fin is not None:
        _juger_reutilisation(session)
        return None
    if compte.doit_un_second_facteur(prouve=session.second_facteur):
        raise EnrolementExige
    terminer([session.pk], motif=MotifFin.ROTATION)
    gardes = ("famille", "appareil", "localisation", "provenance", "second_facteur")
    return _ouvrir(Session(compte=compte, **{nom: getattr(session, nom) for nom in gardes}))


def _juger_reutilisation(session: Session) -> None:
    depuis = timezone.now() - session.date_fin if session.date_fin else timedelta()
    if session.motif_fin != MotifFin.ROTATION or depuis <= DELAI_REUTILISATION:
        return
    journal.warning("jeton de renouvellement réutilisé, session terminée")
    suivantes = Session.objects.actives().filter(famille=session.famille)
    terminer(suivantes.values_list("pk", flat=True), motif=MotifFin.REVOCATION)
    jeton_reutilise.send(Session, compte=session.compte)


@transaction.atomic
def deconnecter(*, acteur: Acteur) -> None:
    """End the active sessions of the actor's `famille`, under the account's lock: a refresh under way ends with it."""
    session = Session.objects.select_related("compte").filter(pk__in=[acteur.session_id]).first()
    if session is not None:
        try:
            session.compte.verrouiller()
        except CompteEfface as efface:  # its sessions went with it
            raise JetonInvalide from efface
        actives = Session.objects.actives().filter(famille=session.famille)
        terminer(actives.values_list("pk", flat=True), motif=MotifFin.DECONNEXION)
        noter_l_entree(session.compte, Acte.DECONNEXION)


def appareils_de(acteur: Acteur) -> list[Appareil]:
    """The open sessions of the actor's account, the one that asks first, then the last ones opened."""
    lues = Session.objects.actives().filter(compte=acteur.compte).order_by("-date_creation", "-id")
    siennes = sorted(lues[:APPAREILS_MAX], key=lambda session: session.pk != acteur.session_id)
    usages = {session.pk: session.date_creation for session in siennes}
    for _nom, lire in derniers_usages.items():
        usages |= lire(list(usages))
    return [
        Appareil(une.pk, une.appareil, jour_du_campus(usages[une.pk]), une.pk == acteur.session_id) for une in siennes
    ]


@transaction.atomic
def fermer(*, acteur: Acteur, session_id: UUID) -> None:
    """End one session of the actor's account, its whole `famille`, as signing out there would; idempotent.

    Another account's, and the one that asks, are left as they are.
    """
    compte = acteur.compte
    assert compte is not None  # noqa: S101 -- a guest never passes the page
    compte.verrouiller()
    siennes = Session.objects.actives().filter(compte=compte).exclude(pk__in=[acteur.session_id])
    visee = siennes.filter(pk=session_id).first()
    if visee is not None:
        suite = siennes.filter(famille=visee.famille)
        terminer(suite.values_list("pk", flat=True), motif=MotifFin.REVOCATION)
        noter_l_entree(compte, Acte.DECONNEXION)


@transaction.atomic
def fermer_ailleurs(*, acteur: Acteur) -> None:
    """End all that opens the actor's account but the session that asks."""
    compte = acteur.compte
    assert compte is not None  # noqa: S101 -- a guest never passes the page
    compte.verrouiller()
    terminer_toutes(compte, sauf=acteur.session_id)


def terminer_toutes(compte: Compte, *, sauf: UUID | None = None) -> None:
    """End every session of the account, and all else that opens it; call inside a transaction that holds its row."""
    actives = Session.objects.filter(compte=compte, date_fin__isnull=True).values_list("pk", flat=True)
    terminer([pk for pk in actives if pk != sauf], motif=MotifFin.REVOCATION)
    compte.nb_coupures += 1
    compte.save(update_fields=["nb_coupures"])
    for _nom, couper in autres_acces.items():
        couper(compte=compte)


def terminer(session_ids: Iterable[UUID], *, motif: str) -> None:
    """End these sessions: from the commit on their tokens are refused and their sockets closed."""
    ids = list(session_ids)
    Session.objects.filter(pk__in=ids, date_fin__isnull=True).update(date_fin=timezone.now(), motif_fin=motif)
    if ids:
        for _nom, fermer in acces_des_sessions.items():
            fermer(ids)
        sessions_terminees.send(Session, session_ids=ids)


def _ouvrir(session: Session) -> SessionOuverte:
    session.date_expiration = timezone.now() + settings.REFRESH_TOKEN_LIFETIME
    inserer(session)
    return SessionOuverte(session, jetons.emettre_acces(session), jetons.emettre_renouvellement(session))

"""The acts on the dates of cases: promised with a case, kept, extended once, told; and the choice to have any."""

from collections.abc import Iterable
from datetime import date
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from discussions.models import Message
from echeances.en_vigueur import EnVigueur, en_vigueur, lire
from echeances.erreurs import DateDejaTenue, DejaProlongee, EntretienDejaOuvert
from echeances.jours import jour_du
from echeances.models import ChoixDesDates, Delai, Echeance
from echeances.signals import date_rappelee
from echeances.vocabulaire import (
    A_LA_CREATION,
    LEGAUX,
    PAR_MESSAGE,
    PARTOUT_SU,
    PROLONGATION_MAX,
    Etape,
    NatureDelai,
)
from reponses.accuses import modele_pour
from signalements.alertes import finir, finir_celles_de_date, lever
from signalements.compteurs.suivi import suivre
from signalements.dates import (
    DATES,
    FAITE,
    POSEE,
    PROLONGEE,
    dates_a_venir,
    dates_d_un_nouveau,
    objet_d_alerte,
    tenir_les_dates,
)
from signalements.erreurs import SonPropreDossier
from signalements.models import AlerteDeDossier, EntreeTimeline, Signalement
from signalements.signals import historique_complete
from signalements.vocabulaire import NatureAlerte, TypeEntree
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.identite import masquer_ecrits
from socle.domaine.temps import jour_du_campus
from socle.erreurs import ChampsInvalides, Introuvable
from socle.moteur.ecritures import inserer, modifier


@transaction.atomic
def choisir(*, acteur: Acteur, accepte: bool) -> ChoixDesDates:
    """Answer « donner des dates ? »: yes makes the legal delays active; asked again, the first yes keeps its day."""
    ChoixDesDates.objects.get_or_create(pk=ChoixDesDates.UNIQUE, defaults={"accepte": False, "par": acteur.compte})
    choix = ChoixDesDates.objects.select_for_update().get(pk=ChoixDesDates.UNIQUE)
    if choix.accepte != accepte:
        choix.accepte, choix.par, choix.date_choix = accepte, acteur.compte, timezone.now()
        choix.reprise_date, choix.reprise_id, choix.est_repris = None, None, False
        choix.save()
        _proposer_les_legaux() if accepte else Delai.objects.update(actif=False)
        en_vigueur.oublier()
    consigner(Acte.DATES_CHOISIES, par=acteur, quoi="OUI" if accepte else "NON")
    return choix


def _proposer_les_legaux() -> None:
    for nature, nombre, unite in LEGAUX:
        propose = {"nombre": nombre, "unite": unite, "actif": True}
        Delai.objects.update_or_create(
            nature=nature, libelle="", type="", defaults={"actif": True}, create_defaults=propose
        )


def promises(type_: str, depuis: date, delais: EnVigueur) -> list[Echeance]:
    """Unsaved dates of a case of this type, by these delays."""
    lignes = []
    for delai in delais.pour(type_):
        if delai.nature in A_LA_CREATION:
            echeance = Echeance(nature=delai.nature, libelle=delai.libelle)
            echeance.promettre(jour_du(delai, depuis, delais.fermes))
            lignes.append(echeance)
    return lignes


@dates_d_un_nouveau("echeances")
def dater(signalement: Signalement) -> None:
    """Set on a report about to be inserted its dates, and keep their rows for `inscrire`."""
    aujourd_hui = jour_du_campus()
    lignes = promises(signalement.type, aujourd_hui, en_vigueur())
    if settings.ACCUSE_AUTOMATIQUE_COMPTE and modele_pour(signalement) is not None:
        for ligne in lignes:
            if ligne.nature == NatureDelai.ACCUSE:
                ligne.faire(aujourd_hui)
    signalement.dates_promises = lignes  # type: ignore[attr-defined]
    _montrer(signalement, lignes)


def inscrire(signalement: Signalement) -> None:
    """Insert the rows of `dater`, once their case is."""
    lignes: list[Echeance] = signalement.__dict__.pop("dates_promises", [])
    for ligne in lignes:
        ligne.signalement = signalement
    if lignes:
        inserer(*lignes)


@dates_a_venir("echeances")
def reprise_en_cours() -> bool:
    return en_vigueur().a_reprendre


@tenir_les_dates("echeances")
def tenir(signalement: Signalement) -> None:
    """Set on the locked case what its rows say, and those of the reports joined to it; unsaved."""
    _montrer(signalement, Echeance.objects.de([signalement]))


def repondre(dossier: Signalement, message: Message, *, retour: bool) -> None:
    """End the dates that this message of the team keeps: the acknowledgement, and the feedback where it is that.

    The case is locked by whoever writes the message.
    """
    natures = [nature for nature in PAR_MESSAGE if nature == NatureDelai.ACCUSE or retour]
    ouvertes = list(
        Echeance.objects.de([dossier]).ouvertes().filter(nature__in=natures).select_for_update(of=("self",))
    )
    if ouvertes:
        _faire(dossier, ouvertes, jour_du_campus(message.date_creation), {"compte_id": message.compte_id})


@transaction.atomic
def ouvrir_un_entretien(*, signalement: Signalement, acteur: Acteur, pour_le: date | None = None) -> None:
    """Promise a meeting by this day, or within the active delay; 409 where one is open, 422 without either.

    422 too where no administrator wants dates.
    """
    _verrouiller(signalement, acteur)
    delais = lire()
    if not delais.est_voulu:
        raise ChampsInvalides.pour(pourLe=_("Les dossiers n'ont pas de dates : un administrateur le décide d'abord."))
    if Echeance.objects.de([signalement]).ouvertes().filter(nature=NatureDelai.ENTRETIEN).exists():
        raise EntretienDejaOuvert
    jour = pour_le or _jour_d_un_entretien(signalement, delais)
    if jour is None:
        raise ChampsInvalides.pour(pourLe=_("Choisissez un jour : aucun délai d'entretien n'est actif."))
    _exiger_a_venir(jour)
    echeance = Echeance(signalement=signalement, nature=NatureDelai.ENTRETIEN, par=acteur.compte)
    echeance.promettre(jour)
    echeance.save(force_insert=True)
    _consigner(signalement, POSEE, acteur)
    _changer(signalement, _raconter(echeance, POSEE, jour, acteur.proprietaire))


@transaction.atomic
def faire(*, echeance: Echeance, acteur: Acteur, faite_le: date | None = None) -> None:
    """Say that a meeting was held, or a date of the campus's own kept, today or on a day before; again is a 409.

    422 for what a message keeps, and for a day to come, or before the date was given.
    """
    dossier = _tenir(echeance, acteur)
    if echeance.nature in PAR_MESSAGE:
        raise ChampsInvalides.pour(faiteLe=_("C'est un message à qui a signalé qui tient cette date."))
    jour, aujourd_hui = faite_le or jour_du_campus(), jour_du_campus()
    if not jour_du_campus(echeance.date_creation) <= jour <= aujourd_hui:
        raise ChampsInvalides.pour(faiteLe=_("Choisissez un jour passé, ou aujourd'hui, depuis que la date est posée."))
    _consigner(dossier, FAITE, acteur)
    _faire(dossier, [echeance], jour, acteur.proprietaire)


@transaction.atomic
def prolonger(*, signalement: Signalement, acteur: Acteur, pour_le: date, motif: str) -> None:
    """Put off the feedback, once, to a later day, for a reason that its author reads.

    409 the second time, or once it is given; 404 where none is promised. Each of the reports that were joined may have
    promised it: none of them falls due before the new day. One that is late already stays late in what is counted.
    """
    _verrouiller(signalement, acteur)
    retours = list(Echeance.objects.de([signalement]).filter(nature=NatureDelai.RETOUR).select_for_update(of=("self",)))
    ouverts = [un for un in retours if not un.est_faite]
    if not ouverts:
        raise DateDejaTenue if retours else Introuvable
    if any(un.prolongee_du for un in retours):
        raise DejaProlongee
    promis = ouverts[0].pour_le
    if not promis < pour_le <= promis + PROLONGATION_MAX:
        raise ChampsInvalides.pour(pourLe=_("Choisissez un jour après le jour promis, dans l'année qui le suit."))
    _exiger_a_venir(pour_le)
    for echeance in ouverts:
        if echeance.pour_le < pour_le:
            echeance.prolongee_du, echeance.prolongee_le = echeance.pour_le, jour_du_campus()
            echeance.motif, echeance.par = motif, acteur.compte
            echeance.promettre(pour_le)
            masquer_ecrits(echeance)
            echeance.enregistrer("prolongee_du", "prolongee_le", "motif", "par", "pour_le", "etape", "rappel_le")
    _consigner(signalement, PROLONGEE, acteur)
    _changer(signalement, _raconter(ouverts[0], PROLONGEE, pour_le, acteur.proprietaire))


@transaction.atomic
def rappeler(cle: UUID) -> None:
    """Take the steps of a date that have come, each once, and have them told; nothing where it is kept since."""
    echeance = Echeance.objects.select_related("signalement").filter(pk=cle).first()
    if echeance is None:
        return
    dossier = Signalement(pk=echeance.signalement_id)
    dossier.verrouiller()  # the case that the report was joined to, where it was
    echeance.refresh_from_db()
    if echeance.rappel_le is None or echeance.rappel_le > jour_du_campus():
        return
    etapes = echeance.passer(jour_du_campus())
    echeance.save(update_fields=["etape", "rappel_le"])
    alerte = _alerter(dossier, echeance, etapes)
    if etapes:
        date_rappelee.send(Echeance, signalement=dossier, etapes=etapes, alerte=alerte)


def reprendre(dossiers: Iterable[Signalement], depuis: date) -> None:
    """Give cases that were open when the dates began theirs, from that day; an answered one needs none to be answered.

    In a transaction. One that has such dates is left; a meeting may have been promised before.
    """
    delais, tenus = lire(), sorted(dossiers, key=lambda un: un.pk)  # in the order in which a merge locks them
    for dossier in tenus:
        dossier.verrouiller()
    ecrits = _ou_l_equipe_a_ecrit(tenus)  # once they are locked: somebody of the team locks the case to write in it
    for dossier in tenus:
        deja = Echeance.objects.de([dossier]).filter(nature__in=A_LA_CREATION)
        if dossier.absorbe_par_id is not None or dossier.est_resolu or deja.exists():
            continue
        lignes = [
            une
            for une in promises(dossier.type, depuis, delais)
            if une.nature != NatureDelai.ACCUSE or dossier.pk not in ecrits
        ]
        for ligne in lignes:
            ligne.signalement = dossier
        Echeance.objects.bulk_create(lignes)
        with suivre(dossier):
            tenir(dossier)
            modifier(dossier, *DATES)  # without the date of a change: nobody has moved these cases


def redonner(cles: Iterable[UUID]) -> None:
    """Give reports that a merge gives back the dates that they were not given while they were joined to others.

    In its transaction, once each has its messages again.
    """
    choix = ChoixDesDates.objects.filter(accepte=True).first()
    if choix is not None:
        dates = Echeance.objects.filter(signalement=OuterRef("pk"), nature__in=A_LA_CREATION)
        sans_dates = Signalement.objects.filter(~Exists(dates), pk__in=list(cles))
        d_alors = sans_dates.filter(date_creation__lte=choix.date_choix + PARTOUT_SU)
        reprendre(d_alors, jour_du_campus(choix.date_choix))


def _ou_l_equipe_a_ecrit(dossiers: list[Signalement]) -> set[UUID]:
    ecrits = Message.objects.order_by().de_l_equipe(dossiers)
    return set(ecrits.values_list("discussion__signalement", flat=True))


def _faire(dossier: Signalement, echeances: list[Echeance], jour: date, proprietaire: dict[str, Any]) -> None:
    for echeance in echeances:
        echeance.faire(jour)
    Echeance.objects.bulk_update(echeances, ["faite_le", "rappel_le"])
    # One line for what one act keeps, though two joined reports had promised it.
    lignes = {(une.nature, une.libelle): _raconter(une, FAITE, jour, proprietaire) for une in echeances}
    _changer(dossier, *lignes.values())


def _changer(dossier: Signalement, *entrees: EntreeTimeline) -> None:
    """Save the locked case with its dates as the rows now have them, end the alerts that are over, and announce."""
    with suivre(dossier):
        tenir(dossier)
        dossier.enregistrer(*DATES)
    for entree in entrees:
        entree.signalement = dossier
    EntreeTimeline.objects.bulk_create(entrees)
    finir_celles_de_date(dossier)
    historique_complete.send(Signalement, signalement=dossier, entrees=list(entrees))


def _raconter(echeance: Echeance, acte: str, jour: date, proprietaire: dict[str, Any]) -> EntreeTimeline:
    contenu = f"{jour.isoformat()} {echeance.libelle}".strip()
    return EntreeTimeline(type=TypeEntree.ECHEANCE, avant=echeance.nature, apres=acte, contenu=contenu, **proprietaire)


def _alerter(dossier: Signalement, echeance: Echeance, etapes: list[Etape]) -> AlerteDeDossier | None:
    """Raise the alert of the latest of these steps that has one; the other is over."""
    objet = objet_d_alerte(echeance.forme)
    if Etape.DEPASSEE in etapes:
        finir(dossier.pk, NatureAlerte.ECHEANCE_PROCHE)
        return lever(dossier, NatureAlerte.ECHEANCE_DEPASSEE, objet)
    return lever(dossier, NatureAlerte.ECHEANCE_PROCHE, objet) if Etape.PROCHE in etapes else None


def _consigner(dossier: Signalement, quoi: str, acteur: Acteur) -> None:
    consigner(Acte.DATE_CHANGEE, par=acteur, objet=dossier.pk, sorte=Sorte.SIGNALEMENT, quoi=quoi)


def _montrer(signalement: Signalement, lignes: Iterable[Echeance]) -> None:
    """Set the columns: of each promise the first day that is open, else the last one that was kept.

    Each meeting that was held stays: the next one neither hides it nor takes it from what is counted.
    """
    par_nom: dict[tuple[Any, ...], Echeance] = {}
    for ligne in lignes:
        tenu = ligne.pk if ligne.nature == NatureDelai.ENTRETIEN and ligne.est_faite else None
        cle = (ligne.nature, ligne.libelle, tenu)
        if cle not in par_nom or par_nom[cle].est_faite:
            par_nom[cle] = ligne
    montrees = sorted(par_nom.values(), key=lambda une: (une.pour_le, une.nature, une.libelle))
    signalement.echeances = [une.forme for une in montrees]
    signalement.prochaine_echeance = min((une.pour_le for une in montrees if not une.est_faite), default=None)


def _jour_d_un_entretien(signalement: Signalement, delais: EnVigueur) -> date | None:
    entretien = next((un for un in delais.pour(signalement.type) if un.nature == NatureDelai.ENTRETIEN), None)
    return jour_du(entretien, jour_du_campus(), delais.fermes) if entretien is not None else None


def _exiger_a_venir(jour: date) -> None:
    aujourd_hui = jour_du_campus()
    if not aujourd_hui <= jour <= aujourd_hui + PROLONGATION_MAX:
        raise ChampsInvalides.pour(pourLe=_("Choisissez un jour à venir, dans l'année."))


def _verrouiller(signalement: Signalement, acteur: Acteur) -> None:
    """Lock the case, and judge again what may have changed since the door."""
    signalement.verrouiller()
    if acteur.possede(signalement):
        raise SonPropreDossier
    if not signalement.est_ouvert_a(acteur):
        raise Introuvable


def _tenir(echeance: Echeance, acteur: Acteur) -> Signalement:
    """Lock the case of an open date; 409 once it is kept."""
    dossier = Signalement(pk=echeance.signalement_id)
    _verrouiller(dossier, acteur)
    echeance.refresh_from_db()
    if echeance.est_faite:
        raise DateDejaTenue
    return dossier

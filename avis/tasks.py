from typing import Any
from urllib.parse import quote, urlsplit
from uuid import UUID

from django.conf import settings
from django.utils import timezone, translation

from accounts.models import Compte
from accounts.tasks import langue_de
from avis.cadences import prochaine_minute
from avis.familles import EQUIPE, Famille, famille_de
from avis.familles.boites import Boite, boite_du_compte
from avis.models import AdresseInvitee, Avis
from avis.vocabulaire import ENTRE_DEUX
from socle.courriel import AdresseRefusee, est_remis
from socle.pages.mails import envoyer
from socle.taches.reprise import tache


@tache(queue_name="mail")
def envoyer_les_avis(courrier: str) -> None:
    """Mail a person that there is news, once for all the rows of this mail; skip what has been seen to meanwhile.

    A process that dies between the server's answer and the date sends it again, under the same Message-ID.
    """
    attendent = Avis.objects.a_envoyer(UUID(courrier))
    lignes = list(attendent.avec_leur_personne().order_by("date_creation", "id"))
    if not lignes:
        return
    famille, personne = famille_de(lignes[0]), lignes[0].personne
    boite = famille.boite(personne)
    a_dire = famille.a_dire(personne, lignes) if boite is not None else []
    if boite is not None and a_dire and _remettre(famille, boite, personne, a_dire, courrier):
        Avis.objects.filter(pk__in=[un.pk for un in a_dire]).update(date_envoi=timezone.now())
    attendent.delete()


def _remettre(famille: Famille, boite: Boite, personne: Any, a_dire: list[Avis], courrier: str) -> bool:
    """Hand it to the mail server; False where that refuses an address whose refusals are counted, for good."""
    contexte = {**famille.contexte(personne, a_dire), "arret": boite.arret}
    with translation.override(boite.langue):
        pieces = famille.pieces(personne, a_dire)
    entetes, sans_retour = _entetes(courrier, boite), famille.sans_retour
    try:
        envoyer(famille.modele, boite.adresse, boite.langue, contexte, entetes, pieces, sans_retour=sans_retour)
    except AdresseRefusee:
        if boite.refus is None:
            raise
        boite.refus.noter_un_refus(boite.adresse)
        return False
    if boite.refus is not None:
        boite.refus.noter_une_remise(prochaine_minute(timezone.now() + ENTRE_DEUX, boite.refus.minute))
    return True


@tache(queue_name="mail")
def confirmer_une_adresse(adresse_id: str) -> None:
    """Mail a guest's address the link that confirms it; skip one replaced, confirmed, forgotten or unreadable since."""
    lignes = AdresseInvitee.objects.a_confirmer(timezone.now()).filter(pk=UUID(adresse_id), date_confirmation=None)
    adresse = lignes.first()
    if adresse is None or adresse.lue is None or not est_remis():
        return
    lien = f"{settings.PUBLIC_URL}/confirmer-e-mail?token={quote(adresse.jeton_de_confirmation)}"
    contexte = {"lien": lien, "expire_le": adresse.valable_jusqu_a}
    try:
        envoyer("avis_a_confirmer", adresse.adresse, adresse.langue, contexte, sans_retour=True)
    except AdresseRefusee:
        adresse.noter_un_refus(adresse.adresse)


@tache(queue_name="mail")
def essayer(compte_id: str) -> None:
    """Mail one's own address the mail of news, told of nothing."""
    compte = Compte.objects.filter(pk=UUID(compte_id), est_actif=True).first()
    if compte is not None:
        contexte, sans_retour = exemple_pour(compte, EQUIPE), EQUIPE.sans_retour
        envoyer(EQUIPE.modele, compte.email, langue_de(compte), contexte, sans_retour=sans_retour)


def exemple_pour(compte: Compte, famille: Famille) -> dict[str, Any]:
    """The values of a mail of this family that says nothing true but how this account has no more."""
    return {**famille.exemple(), "arret": boite_du_compte(compte, famille.nom).arret}


def _entetes(courrier: str, boite: Boite) -> dict[str, str]:
    """Message-ID of this mail at every try, and the way to have no more in one click (RFC 8058)."""
    return {
        "Message-ID": f"<{courrier}@{urlsplit(settings.PUBLIC_URL).hostname}>",
        "List-Unsubscribe": f"<{boite.arret}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }

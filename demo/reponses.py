"""Templates of replies and orientations of the demonstration; no number in them rings."""

from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from demo.scene import cle
from reponses.models import DeuxLangues, ModeleDeReponse, Orientation
from signalements.vocabulaire import Statut

ANCIENNETE = timedelta(days=120)


class Modele(NamedTuple):
    titre: str
    texte_fr: str
    texte_en: str
    type: str = ""
    statut: str = ""
    automatique: bool = False


MODELES = (
    Modele(
        "Bien reçu",
        "Bonjour,\n\nNous avons lu ce que vous avez écrit. Merci de nous l'avoir confié. Quelqu'un de l'équipe suit "
        "votre dossier, {reference}, et vous répond ici.\n\nRien n'est lancé sans votre accord. Si quelque chose "
        "change d'ici là, écrivez-le à la suite.\n\n{service}",
        "Hello,\n\nWe have read what you wrote. Thank you for trusting us with it. Somebody of the team follows your "
        "case, {reference}, and will answer you here.\n\nNothing is started without your agreement. If anything "
        "changes in the meantime, write it below.\n\n{service}",
        statut=Statut.NOUVEAU,
    ),
    Modele(
        "Demander une précision",
        "Pour vous aider mieux, nous aimerions savoir une chose de plus :\n\n\n\nRien ne vous oblige à répondre. Si "
        "vous ne savez pas, ou préférez ne pas le dire, nous continuons avec ce que nous avons.",
        "To help you better, we would like to know one more thing:\n\n\n\nNothing obliges you to answer. If you do not "
        "know, or would rather not say, we go on with what we have.",
    ),
    Modele(
        "Proposer de se rencontrer",
        "Si vous le souhaitez, nous pouvons en parler de vive voix, sur le campus ou ailleurs, à l'heure qui vous "
        "convient. Venez avec quelqu'un si vous préférez.\n\nDites-nous seulement oui ou non : dans les deux cas, nous "
        "continuons de vous répondre ici.",
        "If you wish, we can talk about it in person, on the campus or elsewhere, at a time that suits you. Come with "
        "somebody if you prefer.\n\nJust tell us yes or no: either way, we go on answering you here.",
    ),
    Modele(
        "Vol : les images et la plainte",
        "Les images des caméras ne sont gardées que quelques jours : dites-nous l'heure et l'endroit au plus près, "
        "nous les demandons aujourd'hui.\n\nSi vous portez plainte, prenez la facture ou le numéro de série. La "
        "référence {reference} suffit pour nous en parler.",
        "Camera footage is kept for a few days only: tell us the time and the place as closely as you can, and we ask "
        "for it today.\n\nIf you file a complaint, take the receipt or the serial number with you. The reference "
        "{reference} is enough to talk to us about it.",
        type="VOL",
    ),
    Modele(
        "C'est terminé de notre côté",
        "Nous avons fait ce qui avait été convenu avec vous pour {reference}, et nous le notons comme traité.\n\nVous "
        "pouvez toujours écrire ici : quelqu'un vous lira. Si cela recommence, dites-le, même longtemps après.",
        "We have done what was agreed with you for {reference}, and we mark it as resolved.\n\nYou can still write "
        "here: somebody will read you. If it happens again, say so, even a long time after.",
        statut=Statut.TRAITE,
    ),
    Modele(
        "Réponse automatique",
        "Bonjour,\n\nVotre signalement {reference} est bien arrivé, et personne d'autre que l'équipe ne le lit.\nUne "
        "première réponse vous est promise, le {echeance} au plus tard.\n\nVous pouvez à tout moment écrire ici, "
        "ajouter un fichier, ou ne rien faire.\n\n{service}",
        "Hello,\n\nYour report {reference} has arrived, and nobody but the team reads it.\nA first answer is promised "
        "to you, by {echeance} at the latest.\n\nAt any time you can write here, add a file, or do nothing."
        "\n\n{service}",
        automatique=True,
    ),
)

ECOUTE_FR = "Parler à quelqu'un, sans engagement : cellule d'écoute, +33 6 39 98 00 21."
ECOUTE_EN = "To talk to somebody, with no commitment: listening service, +33 6 39 98 00 21."
SECURITE_FR = "En danger : sécurité du campus, 0000 (numéro fictif), de jour comme de nuit."
SECURITE_EN = "In danger: campus security, 0000 (not a real number), day and night."

# Type -> what to know in French, in English.
ORIENTATIONS = {
    "HARCELEMENT": (
        "Gardez les messages, sans y répondre : des captures d'écran où l'on voit la date et le nom. Notez chaque "
        f"fait, même petit : le jour, le lieu, qui était là.\n\n{ECOUTE_FR}\n{SECURITE_FR}",
        "Keep the messages, without answering them: screenshots that show the date and the name. Write down each "
        f"fact, even a small one: the day, the place, who was there.\n\n{ECOUTE_EN}\n{SECURITE_EN}",
    ),
    "VIOLENCE": (
        f"{SECURITE_FR}\nFaire soigner et constater une blessure, dès que possible : infirmerie, +33 6 39 98 00 22, "
        "bâtiment A.\n\nGardez les vêtements abîmés, des photos datées, le nom de qui a vu.",
        f"{SECURITE_EN}\nTo have an injury treated and recorded, as soon as you can: infirmary, +33 6 39 98 00 22, "
        "building A.\n\nKeep damaged clothes, dated photos, the names of those who saw.",
    ),
    "DISCRIMINATION": (
        "Notez les mots exacts, le jour, qui les a entendus. Gardez les courriels, les annonces, les notes : ce qui "
        f"était promis avant compte autant.\n\nConnaître vos droits : droits@campus.example.\n{ECOUTE_FR}",
        "Write down the exact words, the day, who heard them. Keep e-mails, adverts, marks: what was promised before "
        f"counts as much.\n\nTo know your rights: droits@campus.example.\n{ECOUTE_EN}",
    ),
    "AGRESSION_SEXUELLE": (
        f"Ce n'est pas votre faute.\n\n{SECURITE_FR}\nDes soins, sans avoir à porter plainte : infirmerie, "
        f"+33 6 39 98 00 22, bâtiment A.\n{ECOUTE_FR}\n\nSi vous le pouvez, avant d'être vu : ne vous lavez pas, "
        "gardez vos vêtements dans un sac en papier. Si c'est déjà fait, venez quand même.",
        f"It is not your fault.\n\n{SECURITE_EN}\nCare, without having to file a complaint: infirmary, "
        f"+33 6 39 98 00 22, building A.\n{ECOUTE_EN}\n\nIf you can, before you are seen: do not wash, keep your "
        "clothes in a paper bag. If you already have, come all the same.",
    ),
    "VOL": (
        "Bloquez votre carte et votre téléphone. Les images des caméras ne sont gardées que quelques jours : "
        "écrivez-nous vite l'heure et l'endroit.\n\nGardez la facture et le numéro de série. Objets trouvés : accueil "
        "du bâtiment A.",
        "Block your card and your phone. Camera footage is kept for a few days only: tell us the time and the place "
        "soon.\n\nKeep the receipt and the serial number. Lost property: reception of building A.",
    ),
    "AUTRE": (
        f"Nul besoin de savoir comment cela s'appelle : racontez, nous chercherons avec vous.\n\n{ECOUTE_FR}\n"
        f"{SECURITE_FR}",
        f"You need not know what it is called: tell us, and we will look for it with you.\n\n{ECOUTE_EN}\n"
        f"{SECURITE_EN}",
    ),
}


@transaction.atomic
def installer_reponses() -> int:
    """Create the absent templates, and the orientations of types that have none; return how many."""
    modeles = [
        ModeleDeReponse(pk=cle("modele", rang), ordre=10 * (rang + 1), **un._asdict())
        for rang, un in enumerate(MODELES)
    ]
    orientations = [
        Orientation(pk=cle("orientation", rang), type=type_, texte_fr=fr, texte_en=en)
        for rang, (type_, (fr, en)) in enumerate(ORIENTATIONS.items())
    ]
    connus = set(ModeleDeReponse.objects.values_list("pk", flat=True))
    orientes = set(Orientation.objects.values_list("type", flat=True))
    if ModeleDeReponse.objects.filter(automatique=True, type="").exists():  # there is one of every type at most
        modeles = [un for un in modeles if not un.automatique]
    return _ecrire(ModeleDeReponse, [un for un in modeles if un.pk not in connus]) + _ecrire(
        Orientation, [une for une in orientations if une.type not in orientes]
    )


def _ecrire(modele: type[DeuxLangues], textes: list[Any]) -> int:
    date = timezone.now() - ANCIENNETE
    for texte in textes:
        texte.date_creation = texte.date_modification = date
        texte.indexer()
    modele._default_manager.bulk_create(textes)
    return len(textes)

"""The help and the library of the demonstration: questions, emergency contacts, resources."""

from datetime import timedelta
from io import BytesIO
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import Compte
from demo.scene import cle, installer_comptes
from demo.textes import GESTIONNAIRE
from resources import stockage
from resources.models import ContactUrgence, Faq, Fichier, Ressource
from resources.services import ressources
from socle.domaine.acteurs import ActeurCompte
from socle.pages.typographie import en_francais

ANCIENNETE = timedelta(days=120)
NOM_DU_GUIDE = "que-faire.pdf"


class Question(NamedTuple):
    """A question, for who reads its language; those of « Qui lit ? » have theirs in their category."""

    categorie: str
    question: str
    reponse: str
    publiee: bool = True
    langue: str = "fr"


QUESTIONS = (
    Question(
        "SIGNALER",
        "Comment signaler un incident ?",
        "Ouvrez un signalement, décrivez ce qui s'est passé, où et quand. Vous pouvez joindre des photos ou des "
        "documents.\n\nIl n'est pas nécessaire de tout savoir : dites ce dont vous vous souvenez, vous pourrez "
        "compléter dans la discussion.",
    ),
    Question(
        "SIGNALER",
        "Puis-je signaler sans compte ?",
        "Oui. À la fin, vous recevez six mots : eux seuls ouvrent votre espace, notez-les. Personne ne vous demande "
        "votre nom.",
    ),
    Question(
        "SIGNALER",
        "Je suis témoin, puis-je signaler à la place de quelqu'un ?",
        "Oui. Précisez que vous êtes témoin. L'équipe cherchera avec vous comment aider la personne concernée, sans "
        "rien faire contre sa volonté.",
    ),
    Question(
        "CONFIDENTIALITE",
        "Qui lit mon signalement ?",
        "L'équipe qui traite les signalements, et elle seule. Si vous choisissez l'anonymat, elle non plus ne voit pas "
        "qui vous êtes.",
    ),
    Question(
        "CONFIDENTIALITE",
        "Que deviennent les photos que j'envoie ?",
        "Le lieu, la date et l'appareil enregistrés dans les photos sont retirés avant qu'on les garde. "
        "Personne d'autre que vous et l'équipe ne les lit.",
    ),
    Question(
        "SUIVI",
        "Comment savoir où en est mon dossier ?",
        "Chaque changement est écrit dans l'historique du dossier. L'équipe vous écrit dans la discussion : vous y "
        "répondez quand vous voulez.",
    ),
    Question(
        "COMPTE",
        "J'ai signalé sans compte, puis-je rattacher mon dossier à mon compte ?",
        "Oui : ouvrez votre espace avec vos six mots, puis « Mon accès », « Rattacher à un compte ». Rien n'est "
        "perdu : dossiers, messages et fichiers suivent.",
    ),
    Question(
        "GENERAL",
        "Quels sont les horaires de la cellule d'écoute pendant l'été ?",
        "À compléter avec les horaires de l'été prochain.",
        publiee=False,
    ),
    # « Qui lit ? » of the portal, then the same for who reads English.
    Question(
        "PORTAIL",
        "Qui lit ce que j'écris ?",
        "Les quatre personnes de la cellule d'écoute du campus. Elles ne parlent de votre dossier à personne, ni à vos "
        "enseignants, ni à votre famille, ni à la personne que vous mettez en cause, sans vous le demander.\n\nSi un "
        "danger immédiat menace quelqu'un, elles peuvent devoir appeler les secours. Elles vous le disent d'abord.",
        langue="",
    ),
    Question(
        "PORTAIL",
        "Sous quel délai me répond-on ?",
        "Quelqu'un lit dans les deux jours ouvrés, et vous répond dans la semaine. Pendant les vacances, comptez "
        "quelques jours de plus.\n\nEn cas d'urgence, n'attendez pas une réponse ici : appelez un des numéros de la "
        "page « Aide ».",
        langue="",
    ),
    Question(
        "PORTAIL",
        "Et après ?",
        "Quelqu'un vous dit ce qu'il est possible de faire : vous écouter, vous protéger, chercher qui peut agir. Rien "
        "n'est lancé sans votre accord. Vous pouvez vous arrêter quand vous voulez.",
        langue="",
    ),
    Question(
        "PORTAIL",
        "Qu'est-ce que l'équipe ne saura pas ?",
        "Qui vous êtes, si vous ne le dites pas. Votre numéro en entier. Vos six mots. Ce que vous racontez peut "
        "suffire à vous reconnaître : dites ce que vous voulez, rien de plus.",
        langue="",
    ),
    Question(
        "PORTAIL_EN",
        "Who reads what I write?",
        "The four people of the campus listening service. They do not speak about your case to anybody, neither your "
        "teachers, nor your family, nor the person you write about, without asking you.\n\nIf somebody is in immediate "
        "danger, they may have to call for help. They tell you first.",
        langue="",
    ),
    Question(
        "PORTAIL_EN",
        "How soon will I get an answer?",
        "Somebody reads within two working days, and answers you within the week. During the holidays, allow a few "
        "more days.\n\nIf it is urgent, do not wait for an answer here: call one of the numbers of the “Help” page.",
        langue="",
    ),
    Question(
        "PORTAIL_EN",
        "What happens next?",
        "Somebody tells you what can be done: listen to you, protect you, find who can act. Nothing is started without "
        "your agreement. You can stop whenever you want.",
        langue="",
    ),
    Question(
        "PORTAIL_EN",
        "What will the team not know?",
        "Who you are, unless you say it. Your whole number. Your six words. What you tell may be enough to recognise "
        "you: say what you want, nothing more.",
        langue="",
    ),
    # The first ones again, for who reads English.
    Question(
        "SIGNALER",
        "How do I report an incident?",
        "Open a report and describe what happened, where and when. You can attach photos or documents.\n\nYou do not "
        "have to know everything: say what you remember, and add to it later in the conversation.",
        langue="en",
    ),
    Question(
        "SIGNALER",
        "Can I report without an account?",
        "Yes. At the end you receive six words: they alone open your space, so write them down. Nobody asks for your "
        "name.",
        langue="en",
    ),
    Question(
        "SIGNALER",
        "I am a witness: can I report on somebody's behalf?",
        "Yes. Say that you are a witness. The team will work out with you how to help the person concerned, and will "
        "do nothing against their will.",
        langue="en",
    ),
    Question(
        "CONFIDENTIALITE",
        "Who reads my report?",
        "The team that handles reports, and nobody else. If you choose to stay anonymous, they do not see who you are "
        "either.",
        langue="en",
    ),
    Question(
        "CONFIDENTIALITE",
        "What happens to the photos I send?",
        "The place, the date and the device recorded in a photo are removed before it is kept. Nobody but you and the "
        "team sees it.",
        langue="en",
    ),
    Question(
        "SUIVI",
        "How do I know where my case stands?",
        "Every change is written in the history of the case. The team writes to you in the conversation: answer "
        "whenever you like.",
        langue="en",
    ),
    Question(
        "COMPTE",
        "I reported without an account: can I move my case to my account?",
        "Yes: open your space with your six words, then “My access”, “Move to an account”. Nothing is lost: cases, "
        "messages and files come along.",
        langue="en",
    ),
)


class Contact(NamedTuple):
    """An emergency contact; its number is reserved for fiction or of no country, so that none rings."""

    nom: str
    description: str
    telephone: str
    email: str
    disponibilite: str
    actif: bool = True
    langue: str = "fr"


CONTACTS = (
    Contact(
        "Sécurité du campus",
        "Danger immédiat, intrusion, agression en cours. Un agent vient sur place.",
        "0000 (numéro fictif)",
        "",
        "Tous les jours, 24 h sur 24",
    ),
    Contact(
        "Cellule d'écoute",
        "Parler à quelqu'un, sans engagement, avec ou sans signalement.",
        "+33 6 39 98 00 21",
        "ecoute@campus.example",
        "Du lundi au vendredi, de 9 h à 18 h",
    ),
    Contact(
        "Infirmerie",
        "Soins, certificat, accompagnement vers l'hôpital.",
        "+33 6 39 98 00 22",
        "infirmerie@campus.example",
        "Du lundi au samedi, de 8 h à 20 h, bâtiment A",
    ),
    Contact(
        "Aide juridique",
        "Connaître ses droits, préparer une plainte.",
        "",
        "droits@campus.example",
        "Réponse sous deux jours ouvrés",
    ),
    Contact(
        "Ancienne permanence",
        "Remplacée par la cellule d'écoute.",
        "+33 6 39 98 00 29",
        "",
        "Fermée",
        actif=False,
    ),
    # The first ones again, for who reads English.
    Contact(
        "Campus security",
        "Immediate danger, an intruder, an assault in progress. An officer comes to you.",
        "0000 (fictitious number)",
        "",
        "Every day, around the clock",
        langue="en",
    ),
    Contact(
        "Listening service",
        "Talk to somebody, with no commitment, with or without a report.",
        "+33 6 39 98 00 21",
        "ecoute@campus.example",
        "Monday to Friday, 9 a.m. to 6 p.m.",
        langue="en",
    ),
    Contact(
        "Health centre",
        "Care, a medical certificate, somebody to go to hospital with you.",
        "+33 6 39 98 00 22",
        "infirmerie@campus.example",
        "Monday to Saturday, 8 a.m. to 8 p.m., building A",
        langue="en",
    ),
    Contact(
        "Legal advice",
        "Know your rights, prepare a complaint.",
        "",
        "droits@campus.example",
        "Answer within two working days",
        langue="en",
    ),
)

LIENS = (
    (
        "Charte de respect du campus",
        "Ce à quoi chacun s'engage, et ce que risque qui ne le fait pas.",
        "DOCUMENT",
        "https://campus.example/charte.pdf",
    ),
    (
        "Film : intervenir quand on est témoin",
        "Six minutes, sous-titré.",
        "VIDEO",
        "https://campus.example/temoins",
    ),
)
GUIDE = (
    "Que faire en cas d'incident",
    "",
    "1. Mettez-vous en sécurité.",
    "2. Appelez la sécurité du campus s'il y a un danger.",
    "3. Parlez-en : à un proche, à la cellule d'écoute.",
    "4. Notez ce dont vous vous souvenez : où, quand, qui.",
    "5. Signalez, avec ou sans compte, quand vous le voulez.",
)


@transaction.atomic
def installer_aide() -> int:
    """Create the absent entries and resources; return how many. The file is stored last, so no row lacks its own."""
    gestionnaire = next(compte for personne, compte in installer_comptes() if personne == GESTIONNAIRE)
    date = timezone.now() - ANCIENNETE
    ajoutees = sum(
        _completer(modele, espece, lignes, date)
        for modele, espece, lignes in (
            (Faq, "faq", [question._asdict() for question in QUESTIONS]),
            (ContactUrgence, "contact", [_soigne(contact) for contact in CONTACTS]),
        )
    )
    return ajoutees + _completer_la_bibliotheque(gestionnaire, date)


def _soigne(contact: Contact) -> dict[str, Any]:
    """Columns of a contact; what a page shows as it was typed is typed with its no-break spaces."""
    champs = contact._asdict()
    if contact.langue == "fr":
        champs["disponibilite"] = en_francais(contact.disponibilite)
    return champs


def _completer(modele: Any, espece: str, lignes: list[dict[str, Any]], date: Any) -> int:
    """Create the absent ones; in English only where the French ones are for who reads French.

    A base of before has them for everybody: who reads French would read both.
    """
    voulues = {cle(espece, rang): {**champs, "ordre": 10 * (rang + 1)} for rang, champs in enumerate(lignes)}
    connues = modele.objects.in_bulk(list(voulues))
    pour_tous = any(voulues[pk]["langue"] == "fr" and not une.langue for pk, une in connues.items())
    absentes = [
        modele(pk=pk, date_creation=date, date_modification=date, **champs)
        for pk, champs in voulues.items()
        if pk not in connues and not (pour_tous and champs["langue"] == "en")
    ]
    for entree in absentes:
        entree.indexer()
    modele.objects.bulk_create(absentes)
    return len(absentes)


def _completer_la_bibliotheque(gestionnaire: Compte, date: Any) -> int:
    documents: list[dict[str, Any]] = [
        {"titre": en_francais(GUIDE[0]), "description": "Une page à garder sur soi.", "categorie": "GUIDE"},
        *(
            {"titre": en_francais(titre), "description": en_francais(d), "categorie": c, "url_publique": url}
            for titre, d, c, url in LIENS
        ),
    ]
    cles = [cle("ressource", rang) for rang in range(len(documents))]
    connues = Ressource.objects.in_bulk(cles)
    absents = [(pk, champs) for pk, champs in zip(cles, documents, strict=True) if pk not in connues]
    for pk, champs in absents:
        if "url_publique" not in champs:
            champs["file_id"] = _guide(gestionnaire, date).pk
        ressources.ajouter(acteur=ActeurCompte(compte=gestionnaire), id=pk, **champs, **_du(date))
    return len(absents)


def _guide(gestionnaire: Compte, date: Any) -> Fichier:
    contenu = dessiner(GUIDE)
    seau, place = stockage.ranger(BytesIO(contenu))
    fichier = Fichier(
        compte=gestionnaire,
        nom=NOM_DU_GUIDE,
        type_mime="application/pdf",
        taille=len(contenu),
        seau=seau,
        cle=place,
        metadonnees_retirees=True,
        **_du(date),
    )
    fichier.indexer()
    fichier.save(force_insert=True)
    return fichier


def _du(date: Any) -> dict[str, Any]:
    return {"date_creation": date, "date_modification": date}


def dessiner(lignes: tuple[str, ...]) -> bytes:
    """One page of PDF with these lines."""
    textes = b"".join(b"<%s> Tj T*\n" % ligne.encode("cp1252").hex().encode() for ligne in lignes)
    page = b"BT /F1 16 Tf 28 TL 60 760 Td\n%sET" % textes
    objets = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(page), page),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    )
    ecrit, table = b"%PDF-1.4\n", b"0000000000 65535 f \n"
    for rang, objet in enumerate(objets, 1):
        table += b"%010d 00000 n \n" % len(ecrit)
        ecrit += b"%d 0 obj\n%s\nendobj\n" % (rang, objet)
    fin = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objets) + 1, len(ecrit))
    return ecrit + b"xref\n0 %d\n%s" % (len(objets) + 1, table) + fin

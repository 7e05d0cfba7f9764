"""A case closed to a reader never was: each way in answers its ids and its reference as it does unknown ones."""

import re
from collections import Counter
from functools import partial
from typing import NamedTuple
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.tests import fabriques as comptes
from accounts.tests.outils import entrer
from config.tests.outils import acteur_de, client_de
from equipes.lectures import noms_des_equipes
from equipes.tests import fabriques as equipes
from guests.tests.vue import vivre
from signalements.models import Signalement
from signalements.reserve import changer_equipe, changer_lecteurs
from signalements.services import tirer_reference
from signalements.tests import fabriques as signalements
from socle.audit import registre
from socle.audit.greffe import greffe
from socle.audit.models import Trace
from socle.realtime.canaux import audiences

pytestmark = [pytest.mark.django_db, pytest.mark.longue]
UN, FIL = "/api/v1/signalements/{dossier}", "/api/v1/discussions/{fil}"
FICHIER, SITE = "/api/v1/fichiers/{fichier}", "/admin/resources/fichier/{fichier}"
MOTIFS = {
    r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}": "<id>",
    r"(?i)SIG-\d{4}-[0-9A-Z]{8}": "<référence>",
    r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)": "<moment>",
    r'(csrfmiddlewaretoken" value=|nonce=)"[^"]+"': "<jeton>",
    r"jeton=[\w:%.-]+": "<jeton>",
}
BAVARDS = {
    "X-Request-Id",
    "Date",
    "Content-Security-Policy",
    "Content-Length",
    "ETag",
    "Expires",
}  # held by the body, or drawn


class Lieu(NamedTuple):
    """What a way in can name of one case."""

    dossier: object
    fil: object
    fichier: object
    du_message: object
    reference: str

    def dans(self, texte):
        return texte.format(**self._asdict()) if isinstance(texte, str) else texte


# Words -> method, address, body. Of the API, then of the pages.
REST = {
    "le lire": ("get", UN, None),
    "son histoire": ("get", f"{UN}/timeline", None),
    "son statut": ("put", f"{UN}/statut", {"statut": "TRAITE"}),
    "sa priorité": ("put", f"{UN}/priorite", {"priorite": "LOW"}),
    "le confier": ("put", f"{UN}/assigner", {"gestionnaireId": "{moi}"}),
    "le noter": ("post", f"{UN}/notes", {"contenu": "Non."}),
    "qui le lit": ("get", f"{UN}/lecteurs", None),
    "choisir qui le lit": ("put", f"{UN}/lecteurs", {"ecartes": [], "admis": []}),
    "son gel": ("get", f"{UN}/gel", None),
    "le geler": ("put", f"{UN}/gel", {"gele": True, "motif": "Plainte."}),
    "sa session": ("put", f"{UN}/session-invitee", {"statut": "DISABLED", "motif": "Non."}),
    "son alerte": ("put", "/api/v1/stats/dashboard/alerts/{dossier}/dismiss", None),
    "ses événements": ("get", "/api/v1/evenements?canal=signalement:{dossier}", None),
    "ses discussions": ("get", "/api/v1/discussions/?signalementId={dossier}", None),
    "lui ouvrir une discussion": ("post", "/api/v1/discussions/", {"titre": "Là", "signalementId": "{dossier}"}),
    "le registre": ("get", "/api/v1/audit/?objetId={dossier}", None),
    "le registre, de sa discussion": ("get", "/api/v1/audit/?objetId={fil}", None),
    "le registre, de son fichier": ("get", "/api/v1/audit/?objetId={fichier}", None),
    "sa discussion": ("get", FIL, None),
    "ses messages": ("get", f"{FIL}/messages", None),
    "y écrire": ("post", f"{FIL}/messages", {"contenu": "Retirez votre plainte."}),
    "les dire lus": ("post", f"{FIL}/messages/lus", None),
    "les événements de sa discussion": ("get", "/api/v1/evenements?canal=discussion:{fil}", None),
    "son fichier": ("get", FICHIER, None),
    "le fichier d'un message": ("get", "/api/v1/fichiers/{du_message}", None),
    "supprimer son fichier": ("delete", FICHIER, None),
    "supprimer celui d'un message": ("delete", "/api/v1/fichiers/{du_message}", None),
    "joindre son fichier": ("post", "/api/v1/signalements/", {"type": "VOL", "piecesJointes": ["{fichier}"]}),
    "le publier": ("post", "/api/v1/postes/", {"contenu": "Vu.", "piecesJointes": ["{fichier}"]}),
    "en faire une ressource": ("post", "/api/v1/ressources/", {"titre": "Vu", "fileId": "{fichier}"}),
    "chercher sa référence": ("get", "/api/v1/signalements/?search={reference}", None),
    "la chercher des non traités": ("get", "/api/v1/signalements/non-traites?search={reference}", None),
    "la chercher d'un état": ("get", "/api/v1/signalements/?statut=CLOTURE&search={reference}", None),
    "l'exporter": ("post", "/api/v1/stats/signalements/export", {"search": "{reference}"}),
    "la suivre": ("get", "/api/v1/guest/suivi/{reference}", None),
}
# Sockets and their events are judged many at once, by rows already read: the rules of a reserved one are a read more.
JUGES_EN_NOMBRE = ("ses événements", "les événements de sa discussion")
PAGES = {
    "sa page": "/equipe/dossiers/{dossier}/",
    "l'imprimer": "/equipe/dossiers/{dossier}/imprimer/",
    "sa page de fichier": "/equipe/dossiers/{dossier}/fichier/",
    "qui le lit": "/equipe/dossiers/{dossier}/lecteurs/",
    "sa garde": "/equipe/dossiers/{dossier}/garde/",
    "une pièce": "/equipe/dossiers/{dossier}/pieces/{fichier}/",
    "chercher sa référence": "/equipe/dossiers/?search={reference}",
    "la chercher des siens": "/equipe/dossiers/?vue=clos&search={reference}",
    "le registre": "/equipe/registre/?objetId={dossier}",
    "son fichier": SITE + "/change/",
    "l'histoire de son fichier": SITE + "/history/",
    "ouvrir son fichier": SITE + "/ouvrir/",
    "supprimer son fichier": SITE + "/delete/",
    "le fichier d'un message": "/admin/resources/fichier/{du_message}/change/",
}


@pytest.fixture
def accusees(db):
    return {
        "gestionnaire": comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth"),
        "admin": comptes.admin(email="sophie@campus.test", nom="Tshala", prenom="Sophie"),
    }


# Words -> shut out by name, of a team, which is theirs.
FERMES = {
    "à elles": (True, False, False),
    "à elles, de leur équipe": (True, True, True),
    "à elles, d'une autre équipe": (True, True, False),
    "à qui est d'une autre équipe": (False, True, False),
}
# An administrator of another team is told that a reason opens it: `equipes.tests.test_ouvertures`.
CHACUNE = [
    (ferme, persona)
    for ferme, (ecartees, *_) in FERMES.items()
    for persona in ("gestionnaire", "admin")
    if ecartees or persona == "gestionnaire"
]
a_chacune = pytest.mark.parametrize(("ferme", "persona"), CHACUNE, indirect=["ferme"])


@pytest.fixture
def ferme(request, accusees, gestionnaire, admin, invite):
    ecartees, a_une_equipe, la_leur = FERMES[request.param]
    dossier, (echange, _autre) = vivre(invite, gestionnaire)
    (piece,) = Signalement.objects.get(pk=dossier.pk).pieces_jointes
    (du_message,) = echange.messages.exclude(pieces_jointes=[]).first().pieces_jointes
    membres = [gestionnaire, admin, *(accusees.values() if la_leur else [])]
    if a_une_equipe:
        equipes.equipe(*accusees.values(), nom="Handicap")
        siens = {"equipe_id": equipes.equipe(*membres).pk, "motif": "Elle en est."}
        changer_equipe(signalement=dossier, acteur=acteur_de(admin), **siens)
    if ecartees:
        changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[une.pk for une in accusees.values()])
    noms_des_equipes()  # a process reads them every ten seconds
    return Lieu(dossier.pk, echange.pk, piece, du_message, dossier.reference)


@pytest.fixture
def inconnu(ferme, etudiante):
    """Nothing; an open case speaks of either reference, as people do."""
    rien = Lieu(uuid4(), uuid4(), uuid4(), uuid4(), tirer_reference())
    for reference in (ferme.reference, rien.reference):
        signalements.signalement(acteur_de(etudiante), description=f"Comme dans {reference}.", type="VOL")
    return rien


def remplir(corps, lieu, moi):
    match corps:
        case dict():
            return {nom: remplir(valeur, lieu, moi) for nom, valeur in corps.items()}
        case list():
            return [remplir(valeur, lieu, moi) for valeur in corps]
        case "{moi}":
            return str(moi.pk)
    return lieu.dans(corps)


def en_commun(reponse):
    """What an answer says, whatever was asked for: status, headers, body."""
    texte = reponse.content.decode()
    for motif, mot in MOTIFS.items():
        texte = re.sub(motif, mot, texte)
    entetes = {nom: valeur for nom, valeur in reponse.headers.items() if nom not in BAVARDS}
    for nom, valeur in entetes.items():
        for motif, mot in MOTIFS.items():
            valeur = re.sub(motif, mot, valeur)
        entetes[nom] = valeur
    return reponse.status_code, entetes, texte


def demander(envoyer):
    with CaptureQueriesContext(connection) as requetes:
        reponse = envoyer()
    return (*en_commun(reponse), len(requetes))


@a_chacune
def test_l_api_repond_d_un_ferme_comme_d_un_inconnu(accusees, ferme, inconnu, persona):
    elle = accusees[persona]
    client = client_de(elle)
    client.get("/api/v1/signalements/me")  # what is read once a process is read

    def de(lieu, methode, adresse, corps):
        """Its answer, and nothing of what it did: the next way in finds all as it was."""
        avant = transaction.savepoint()
        try:
            return demander(lambda: client.envoyer(methode, lieu.dans(adresse), remplir(corps, lieu, elle)))
        finally:
            transaction.savepoint_rollback(avant)

    differents = {}
    for acces, demande in REST.items():
        du_ferme, de_l_inconnu = de(ferme, *demande), de(inconnu, *demande)
        juges = slice(None, -1) if acces in JUGES_EN_NOMBRE else slice(None)
        if du_ferme[juges] != de_l_inconnu[juges]:
            differents[acces] = du_ferme, de_l_inconnu
    assert differents == {}


@a_chacune
def test_les_pages_repondent_d_un_ferme_comme_d_un_inconnu(accusees, ferme, inconnu, persona):
    site = entrer(accusees[persona].email)
    autre = Lieu(uuid4(), uuid4(), uuid4(), uuid4(), tirer_reference())
    for adresse in PAGES.values():
        site.get(autre.dans(adresse))  # each template is read once a process

    rendus = {
        mots: [demander(partial(site.get, lieu.dans(adresse))) for lieu in (ferme, inconnu)]
        for mots, adresse in PAGES.items()
    }

    assert [mots for mots, (du_ferme, de_l_inconnu) in rendus.items() if du_ferme != de_l_inconnu] == []


@a_chacune
@pytest.mark.parametrize("canal", ["signalement:{dossier}", "discussion:{fil}"])
def test_un_socket_n_entend_ni_l_un_ni_l_autre(accusees, ferme, inconnu, persona, canal):
    acteur = acteur_de(accusees[persona])

    assert [audiences(acteur, lieu.dans(canal)) for lieu in (ferme, inconnu)] == [[], []]


@pytest.mark.parametrize("ferme", FERMES, indirect=True)
def test_le_registre_dit_autant_de_ce_qu_elle_a_demande_de_l_un_et_de_l_autre(accusees, ferme, inconnu):
    """Her questions are lines too, which she reads; a colleague's as well."""
    elle = accusees["admin"]
    dites = {}
    for lieu in (ferme, inconnu):
        greffe.vider()
        Trace.objects.all().delete()
        registre.recommencer()
        client, site = client_de(elle), entrer(elle.email)
        for methode, adresse, corps in REST.values():
            client.envoyer(methode, lieu.dans(adresse), remplir(corps, lieu, elle))
        for adresse in PAGES.values():
            site.get(lieu.dans(adresse))
        greffe.vider()
        lues = client.get("/api/v1/audit/?size=100").json()["data"]["items"]
        dites[lieu] = Counter((une["acte"], une["objetId"] is None, lieu.reference in str(une)) for une in lues)
        assert [une for une in lues if une["objetId"] in {str(cle) for cle in lieu}] == []

    assert dites[ferme] == dites[inconnu]


@pytest.mark.parametrize("ferme", FERMES, indirect=True)
def test_qui_le_lit_le_trouve_par_chacun(ferme, inconnu, gestionnaire, admin):
    """The twin: the same ways lead a reader there, and nowhere for what is unknown."""
    menent = ("le lire", "ses discussions", "sa discussion", "son fichier", "chercher sa référence")
    client = client_de(admin)
    for acces in menent:
        methode, adresse, corps = REST[acces]
        lu, rien = (en_commun(client.envoyer(methode, lieu.dans(adresse), corps)) for lieu in (ferme, inconnu))
        assert lu != rien, acces

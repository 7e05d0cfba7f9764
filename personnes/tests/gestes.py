"""A person who has done all that the service lets her do, and what is then found of her, wherever it may be."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_plus

from django.contrib.sessions.models import Session as SessionDePage
from django.db import connection
from django_tasks_db.models import DBTaskResult

from accounts.models import Compte, DemandeAdresse
from accounts.services import adresses, invitations, mot_de_passe_oublie, sessions
from accounts.services import comptes as services_des_comptes
from accounts.tests import fabriques as comptes
from calendrier.services import ouvrir_flux
from calendrier.tests import fabriques as calendrier
from config.tests.outils import acteur_de, client_de
from discussions.tests import fabriques as discussions
from espace.tests.outils import Equipiere
from forum.tests import fabriques as forum
from portail.services import acces, code
from resources.stockage import stockage
from resources.tests import fabriques as fichiers
from signalements import services as dossiers
from signalements.tests import fabriques as signalements
from socle.domaine.acteurs import ActeurCompte, ActeurInvite
from socle.pages.sessions import SessionStore
from stats.exports.services import demander as exporter
from stats.models import Export

# In every name and address of hers, and in nothing that she writes.
CANARI, TELEPHONE = "canarini", "+243899777301"
EMAIL, ANCIENNE = "zoe.canarini@campus.test", "z.canarini.2019@campus.test"
MOT_DE_PASSE = comptes.MOT_DE_PASSE


def vivre(admin: Compte, gestionnaire: Compte, **champs: Any) -> Compte:
    """An account that reports, talks, posts, registers; renamed once, its address changed by an administrator."""
    zoe = comptes.compte(
        email=ANCIENNE, prenom="Zoé", nom="Canarini-Née", telephone=TELEPHONE, bureau_genre_id=CANARI, **champs
    )
    par = ActeurCompte(compte=admin)
    services_des_comptes.modifier(compte=zoe, acteur=par, email=EMAIL, nom="Canarini")
    zoe = adresses.confirmer(token=DemandeAdresse.objects.get(compte=zoe).jeton)
    services_des_comptes.modifier(compte=zoe, acteur=par, email=f"autre-{EMAIL}")  # which still waits
    elle = acteur_de(zoe)
    client = client_de(zoe)
    dossier = signalements.signalement(elle, mode_identification="IDENTIFIE")
    discussion = discussions.discussion(elle, signalement=dossier)
    discussions.message(elle, discussion, "Le premier.")
    client.post(f"/api/v1/discussions/{discussion.pk}/messages", {"contenu": "Le second."}, HTTP_IDEMPOTENCY_KEY="k1")
    fichiers.fichier(elle, nom="preuve.txt", contenu=b"octets")
    poste = forum.poste(elle, par=par)
    forum.commentaire(elle, poste)
    forum.reaction(elle, poste)
    forum.demande(elle, poste, forum.commentaire(par, poste), motif="On y parle de Zoé Canarini.")
    calendrier.participation(calendrier.evenement(gestionnaire, nb_max_participants=1), zoe)
    ouvrir_flux(compte=zoe)
    services_des_comptes.modifier_preferences(compte=zoe, parametres={"signature": "Zoé Canarini"})
    services_des_comptes.modifier_preferences(compte=admin, parametres={"filtres": [{"recherche": "Zoé Canarini"}]})
    cherches = {"Zoe": "zoe canarini", "Elle": "CANARINI  Zoé", "Nom": "Canarini-Nee", "Adresse": EMAIL}
    page_de_la_liste = Equipiere(admin)
    for nom, cherche in cherches.items():
        adresse = f"?search={quote_plus(cherche)}&statut=EN_COURS"
        page_de_la_liste.envoyer("/equipe/filtres/", {"nom": nom, "adresse": adresse})
    sessions.connecter(email=EMAIL, mot_de_passe=MOT_DE_PASSE, adresse="127.0.0.1", appareil="Téléphone de Canarini")
    mot_de_passe_oublie.demander(email=EMAIL)
    mot_de_passe_oublie.envoyer_un_lien(compte=zoe, acteur=par)
    comptes.invitation(admin, email=EMAIL, mot="Chère Zoé Canarini, à lundi.")
    comptes.invitation(admin, email=ANCIENNE, statut="REVOKED")
    acces.ouvrir_au_compte(session=zoe.sessions.first(), jeton="j" * 40)
    page = SessionStore()
    page["messages"] = "Le compte « Zoé Canarini » a été modifié."
    page.create()
    DBTaskResult.objects.update(traceback=f"SMTPRecipientsRefused: {{'{EMAIL}': (550, b'no')}}")
    exporter(acteur=par, format="csv", filtres={})
    for cherche in ("Zoé Canarini", "zoe canarini", "canarini"):
        exporter(acteur=par, format="csv", filtres={"search": cherche})
    return zoe


def traiter(zoe: Compte, admin: Compte, dossier: Any) -> None:
    """What a member of the team does: cases given to her, notes, an invitation, an alert that names her."""
    par = ActeurCompte(compte=admin)
    dossiers.assigner(signalement=dossier, acteur=par, gestionnaire_id=zoe.pk)
    dossiers.ajouter_note(signalement=dossier, acteur=ActeurCompte(compte=zoe), contenu="À rappeler.")
    mot = "À lundi. Zoé Canarini"
    invitations.inviter(email="quelqu.un@campus.test", type_utilisateur="GESTIONNAIRE", par=zoe, mot=mot)


def passer(invite: Any) -> Any:
    """A guest with a case, a conversation, six words and an open browser."""
    elle = acteur_de(invite)
    dossier = signalements.signalement(elle)
    discussions.message(elle, discussions.discussion(elle, signalement=dossier), "Bonjour.")
    code.poser(invite, code.tirer("fr"), "fr")
    acces.ouvrir(invite=ActeurInvite(invite=invite).invite, jeton="i" * 40)
    return dossier


def traces(*aiguilles: str) -> list[str]:
    """`table.column: value` for each value of each row, and each stored file, that holds one of these."""
    formes = {forme for a in aiguilles for forme in (a.lower(), json.dumps(a)[1:-1].lower(), quote_plus(a).lower())}
    return [f"{ou}: {texte}" for ou, texte in _textes() if any(forme in texte.lower() for forme in formes)]


def _textes() -> Iterator[tuple[str, str]]:
    with connection.cursor() as curseur:
        for table in connection.introspection.table_names(curseur):
            curseur.execute(f'SELECT * FROM "{table}"')  # noqa: S608 -- every table there is
            colonnes = [f"{table}.{colonne[0]}" for colonne in curseur.description]
            for ligne in curseur.fetchall():
                yield from ((ou, _lisible(valeur)) for ou, valeur in zip(colonnes, ligne, strict=True))
    for page in SessionDePage.objects.all():  # stored sealed
        yield "django_session", json.dumps(page.get_decoded())
    for export in Export.objects.exclude(cle=""):
        yield "export", stockage(export.seau).open(export.cle).read().decode(errors="replace")


def _lisible(valeur: Any) -> str:
    return "" if valeur is None else json.dumps(valeur, default=str, ensure_ascii=False)

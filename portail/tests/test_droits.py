"""Who may do what on the portal: as the API answers, row by row of the permission matrix.

A page names a case by its rank among one's own: somebody else's does not exist there, where the API refuses it.
"""

import pytest

from config.tests.scene import LIGNES, Scene
from discussions.models import Message
from portail.services import sceau
from portail.services.acces import ouvrir, ouvrir_au_compte
from portail.tests.outils import Visiteuse
from signalements.models import Signalement

pytestmark = pytest.mark.django_db
UN, UNE = "/api/v1/signalements/{signalement_id}", "/api/v1/discussions/{discussion_id}/messages"
UN_FICHIER = "/api/v1/fichiers/{file_id}"
# Row of the API -> the page that does it, and what is posted to it.
ACTES = {
    ("GET", UN): ("/dossiers/1/", None),
    ("GET", f"{UN}/timeline"): ("/dossiers/1/", None),
    ("POST", UNE): ("/dossiers/1/repondre/", {"contenu": "Bonjour."}),
    ("PUT", f"{UNE}/lus"): ("/dossiers/1/lus/", {}),
    ("GET", UN_FICHIER): ("/fichiers/{file_id}/", None),
}
SANS_DOSSIER = ("guest_stranger", "user_stranger", "gestionnaire", "admin")
CHOISIES = [
    ligne
    for ligne in LIGNES
    if (ligne.methode, ligne.chemin) in ACTES and ligne.acteur != "bad_bearer_good_guest"  # a cookie is one credential
]


def navigateur(scene, acteur):
    """The browser of this actor of the matrix, whose access was opened when it still could be."""
    visiteuse = Visiteuse()
    if acteur == "anonymous":
        return visiteuse
    jeton = visiteuse.cookies["espace"] = sceau.tirer_jeton()
    if acteur.endswith("_guest") or acteur.startswith("guest_"):
        ouvrir(invite=getattr(scene, acteur), jeton=jeton)
    else:
        ouvrir_au_compte(session=scene.connexion(acteur).session, jeton=jeton)
    return visiteuse


def attendu(ligne, adresse):
    if ligne.acteur in SANS_DOSSIER and adresse.startswith("/dossiers/"):
        return 404
    est_un_acte = ligne.methode != "GET"
    return 303 if est_un_acte and ligne.attendu in ("200", "201") else int(ligne.attendu)


@pytest.mark.parametrize("ligne", CHOISIES, ids=str)
def test_une_page_repond_comme_l_api(ligne):
    scene = Scene()
    adresse, donnees = ACTES[ligne.methode, ligne.chemin]
    du_cote = "guest_owner" if "guest" in ligne.acteur else "user_owner"
    scene.valeur("discussion_id", du_cote)
    visiteuse = navigateur(scene, ligne.acteur)
    adresse = adresse.format(file_id=scene.valeur("file_id", du_cote))
    avant = (Message.objects.count(), list(Signalement.objects.values()))

    reponse = visiteuse.get(adresse) if donnees is None else visiteuse.envoyer(adresse, donnees)

    assert reponse.status_code == attendu(ligne, adresse), reponse.content.decode()[:500]
    ecrits = 1 if donnees and reponse.status_code == 303 else 0
    assert (Message.objects.count(), list(Signalement.objects.values())) == (avant[0] + ecrits, avant[1])

"""Who may do what on the calendar's pages: as the API answers, row by row of the permission matrix."""

import pytest
from django.urls import reverse

from calendrier.models import FluxCalendrier, Participation
from config.tests.outils.scene import LIGNES, Scene
from portail.tests.outils import texte_de
from portail.tests.test_droits import navigateur

pytestmark = pytest.mark.django_db
CALENDRIERS = "/api/v1/calendriers"
UN = f"{CALENDRIERS}/{{evenement_id}}"
# Row of the API -> the page that does it, and what is posted to it.
ACTES = {
    ("GET", f"{CALENDRIERS}/"): ("liste", None),
    ("GET", f"{CALENDRIERS}/range"): ("calendrier", None),
    ("GET", UN): ("evenement", None),
    ("GET", f"{UN}/ics"): ("ics", None),
    ("POST", f"{UN}/inscription"): ("s_inscrire", {}),
    ("DELETE", f"{UN}/inscription"): ("se_desinscrire", {}),
    ("POST", f"{CALENDRIERS}/flux"): ("abonnement", {}),
    ("DELETE", f"{CALENDRIERS}/flux"): ("abonnement", {"retirer": "1"}),
}
CHOISIES = [
    ligne
    for ligne in LIGNES
    if (ligne.methode, ligne.chemin) in ACTES and ligne.acteur != "bad_bearer_good_guest"  # a cookie is one credential
]
D_UN_EVENEMENT = ("evenement", "ics", "s_inscrire", "se_desinscrire")


def ecrits():
    participations = Participation.objects.order_by("pk").values_list("pk", "statut")
    return list(participations), list(FluxCalendrier.objects.values_list("pk", flat=True))


def test_les_lignes_du_calendrier_y_sont_toutes():
    assert {(ligne.methode, ligne.chemin) for ligne in CHOISIES} == ACTES.keys()


@pytest.mark.parametrize("ligne", CHOISIES, ids=str)
def test_une_page_repond_comme_l_api(ligne):
    scene = Scene()
    nom, donnees = ACTES[ligne.methode, ligne.chemin]
    args = [scene.valeur("evenement_id", ligne.acteur)] if nom in D_UN_EVENEMENT else []
    adresse = reverse(f"campus:{nom}", args=args)
    visiteuse = navigateur(scene, ligne.acteur)
    avant = ecrits()

    reponse = visiteuse.get(adresse) if donnees is None else visiteuse.envoyer(adresse, donnees)

    if ligne.attendu == "401":
        refuse(ligne, reponse)
        assert ecrits() == avant
    else:
        assert ligne.attendu in ("200", "201", "204")
        assert reponse.status_code == (200 if donnees is None else 303), texte_de(reponse)[:500]


def refuse(ligne, reponse):
    """A guest's space reads that this part is of accounts; without one that is open, one is led to the sign-in."""
    if ligne.acteur in ("guest_owner", "guest_stranger"):
        assert reponse.status_code == 403
        assert "Cette partie est pour les comptes." in texte_de(reponse)
    elif ligne.methode == "GET":
        assert (reponse.status_code, reponse.headers["Location"].partition("?")[0]) == (303, "/compte/connexion/")
    else:
        assert reponse.status_code == 401

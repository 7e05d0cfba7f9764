"""Who may do what on the portal: as the API answers, row by row of the permission matrix.

A page names a case by its rank among one's own: somebody else's does not exist there, where the API refuses it.
"""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import Compte
from accounts.tests.fabriques import MOT_DE_PASSE
from config.tests.outils.scene import INVITES, LIGNES, Scene
from discussions.models import Message
from guests.models import AuditFusion, SessionInvitee
from portail.models import Acces
from portail.services import sceau
from portail.services.acces import ESPECE, ouvrir_au_compte
from portail.tests.outils import FAITS, Visiteuse, texte_de
from resources.models import Fichier
from signalements.models import Signalement
from socle.domaine.droits import DROITS, Droit, Role

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
        # Not by the service: it refuses a session that is merged or disabled now.
        Acces.objects.create(invite=getattr(scene, acteur), jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton))
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
    lu_par = ligne.acteur if ligne.acteur in ("gestionnaire", "admin") else du_cote
    adresse = adresse.format(file_id=scene.valeur("file_id", lu_par))
    avant = (Message.objects.count(), list(Signalement.objects.values()))

    reponse = visiteuse.get(adresse) if donnees is None else visiteuse.envoyer(adresse, donnees)

    assert reponse.status_code == attendu(ligne, adresse), reponse.content.decode()[:500]
    ecrits = 1 if donnees and reponse.status_code == 303 else 0
    assert (Message.objects.count(), list(Signalement.objects.values())) == (avant[0] + ecrits, avant[1])


# --- One's own account -----------------------------------------------------------------------------------------------

ME = "/api/v1/comptes/me"
NEUF = "Baobab-penché-sur-le-fleuve-77"
DU_COMPTE = {
    ("GET", ME): None,
    ("GET", f"{ME}/export"): {"acte": "donnees"},
    ("PUT", ME): {"acte": "vous", "vous-prenom": "Awa", "vous-nom": "Sow", "vous-langue": "fr"},
    ("PUT", f"{ME}/password"): {
        "acte": "mot_de_passe",
        "mot_de_passe-ancien_mot_de_passe": MOT_DE_PASSE,
        "mot_de_passe-nouveau_mot_de_passe": NEUF,
    },
}


@pytest.mark.parametrize(
    "ligne",
    [
        ligne
        for ligne in LIGNES
        if (ligne.methode, ligne.chemin) in DU_COMPTE and ligne.acteur != "bad_bearer_good_guest"
    ],
    ids=str,
)
def test_mon_compte_repond_comme_l_api(ligne):
    """A guest's space, which has no account, is led to its access where the API asks for one."""
    visiteuse = navigateur(Scene(), ligne.acteur)
    donnees = DU_COMPTE[ligne.methode, ligne.chemin]
    avant = list(Compte.objects.order_by("pk").values_list("nom", "password"))

    reponse = visiteuse.get("/compte/") if donnees is None else visiteuse.envoyer("/compte/", donnees)

    if ligne.attendu == "200":
        est_un_acte = ligne.methode == "PUT"
        assert reponse.status_code == (303 if est_un_acte else 200), texte_de(reponse)[:500]
        assert (list(Compte.objects.order_by("pk").values_list("nom", "password")) != avant) == est_un_acte
    else:
        assert ligne.attendu == "401"
        de_l_espace = {"merged_guest": 409, "disabled_guest": 403}  # what became of it, as on every page of it
        assert reponse.status_code in (de_l_espace.get(ligne.acteur, 303), 401)
        assert reponse.headers.get("Location", "/acces/").partition("?")[0] in ("/acces/", "/compte/connexion/")
        assert list(Compte.objects.order_by("pk").values_list("nom", "password")) == avant


@pytest.mark.parametrize(
    ("retire", "actes"),
    [
        (Droit.COMPTES_CONSULTER_LE_SIEN, ["donnees", "prouver"]),
        (Droit.COMPTES_MODIFIER_LE_SIEN, ["vous", "adresse", "garder_adresse", "mot_de_passe", "effacer", "x"]),
        (Droit.PREFERENCES_MODIFIER, ["vous"]),
        (Droit.SESSIONS_TENIR, ["fermer", "ailleurs"]),
    ],
)
def test_mon_compte_demande_le_droit_que_demande_l_api(visiteuse, etudiante, monkeypatch, retire, actes):
    visiteuse.se_connecter(etudiante)
    monkeypatch.setitem(DROITS, Role.UTILISATEUR, DROITS[Role.UTILISATEUR] - {retire})
    champs = DU_COMPTE["PUT", ME]

    statuts = [visiteuse.envoyer("/compte/", {**champs, "acte": acte}).status_code for acte in actes]

    assert statuts == [403] * len(actes)
    assert visiteuse.get("/compte/").status_code == (403 if retire == Droit.COMPTES_CONSULTER_LE_SIEN else 200)


# --- Acts without a case, or that make one ---------------------------------------------------------------------------

CREER, ENVOYER = ("POST", "/api/v1/signalements/"), ("POST", "/api/v1/fichiers/upload")
NUMERO, ENTRER = ("PATCH", "/api/v1/guest/sessions/{guestId}/telephone"), ("POST", "/api/v1/auth/login")
RATTACHER = ("POST", "/api/v1/guest/sessions/{guestId}/merge")


def lignes_de(*cles):
    choisies = [ligne for ligne in LIGNES if (ligne.methode, ligne.chemin) in cles]
    return [ligne for ligne in choisies if ligne.acteur != "bad_bearer_good_guest"]


def dossiers_de(scene, acteur):
    qui = getattr(scene, acteur, None)
    return Signalement.objects.filter(invite=qui) if acteur in INVITES else Signalement.objects.filter(compte=qui)


@pytest.mark.parametrize("ligne", lignes_de(CREER), ids=str)
def test_un_recit_est_de_qui_l_api_le_laisserait_etre(ligne):
    """Whoever the API refuses is nobody here: who writes without an account, in a space of its own."""
    scene = Scene()
    visiteuse = navigateur(scene, ligne.acteur)
    avant = set(dossiers_de(scene, ligne.acteur)) if ligne.acteur != "anonymous" else set()
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    visiteuse.envoyer("/ecrire/details/", {})

    envoye = visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol", "mode_identification": "ANONYME"})

    assert (envoye.status_code, envoye.headers["Location"]) == (303, "/recu/")
    cree = Signalement.objects.latest("date_creation", "id")
    if ligne.attendu == "201":
        assert {cree} == set(dossiers_de(scene, ligne.acteur)) - avant
    else:
        assert cree.compte is None
        assert SessionInvitee.objects.filter(pk=cree.invite_id).exclude(pk__in=invites_de(scene, ligne)).exists()


def invites_de(scene, ligne):
    """The guest sessions that were there before."""
    return [getattr(scene, ligne.acteur).pk] if ligne.acteur in INVITES else []


@pytest.mark.parametrize("ligne", lignes_de(ENVOYER), ids=str)
def test_un_fichier_s_envoie_par_qui_l_api_le_laisse_faire(ligne):
    scene = Scene()
    du_cote = "guest_owner" if "guest" in ligne.acteur else "user_owner"
    dossier = Signalement.objects.get(pk=scene.valeur("signalement_id", du_cote))
    visiteuse = navigateur(scene, ligne.acteur)

    fichier = SimpleUploadedFile("recit.txt", b"Ce que j'ai vu.")
    reponse = visiteuse.envoyer("/fichiers/envoyer/", {"pour": f"1-{dossier.pk.hex}", "fichier": fichier})

    sien = ligne.acteur not in SANS_DOSSIER
    attendus = {"201": 303 if sien else 404}
    assert reponse.status_code == attendus.get(ligne.attendu, int(ligne.attendu))
    assert Fichier.objects.count() == Message.objects.count() == (1 if ligne.attendu == "201" and sien else 0)


@pytest.mark.usefixtures("numero_exige")
@pytest.mark.parametrize("ligne", lignes_de(NUMERO), ids=str)
def test_un_numero_se_change_par_sa_session_seule(ligne):
    """Where the API takes the id from whoever has it, the page knows the session of the access alone."""
    scene = Scene()
    autre = scene.guest_owner.telephone
    visiteuse = navigateur(scene, ligne.acteur)

    reponse = visiteuse.envoyer("/acces/numero/", {"telephone": "+33 6 39 98 00 77"})

    sienne = ligne.acteur in ("guest_owner", "guest_stranger")
    mene = {"/acces/numero/?fait#fait" if sienne else "/acces/"}
    if sienne or ligne.acteur in ("user_owner", "user_stranger", "gestionnaire", "admin"):
        assert (reponse.status_code, {reponse.headers["Location"]}) == (303, mene)
    else:
        assert reponse.status_code == {"200": 401}.get(ligne.attendu, int(ligne.attendu))
    changees = [une for une in SessionInvitee.objects.all() if une.telephone == "+33639980077"]
    assert changees == ([getattr(scene, ligne.acteur)] if sienne else [])
    assert ligne.acteur == "guest_owner" or SessionInvitee.objects.get(pk=scene.guest_owner.pk).telephone == autre


@pytest.mark.parametrize("ligne", lignes_de(ENTRER), ids=str)
def test_se_connecter_repond_comme_l_api(ligne):
    scene = Scene()
    visiteuse = navigateur(scene, ligne.acteur)
    corps = scene.corps(ligne.methode, ligne.chemin, ligne.acteur)

    reponse = visiteuse.envoyer("/compte/connexion/", {"email": corps["email"], "mot_de_passe": corps["motDePasse"]})

    assert reponse.status_code == {"200": 303}.get(ligne.attendu, int(ligne.attendu))
    ouverts = Acces.objects.filter(session__isnull=False, date_fin=None, session__date_fin=None)
    assert ouverts.filter(session__compte__email=corps["email"], session__compte__est_actif=True).exists() == (
        ligne.attendu == "200"
    )


@pytest.mark.parametrize("ligne", lignes_de(RATTACHER), ids=str)
def test_un_espace_se_rattache_par_qui_l_api_le_laisse_faire(ligne):
    """The page asks for both: the account's access, and the session that it holds."""
    scene = Scene()
    cible = scene.guest_owner
    if ligne.acteur in ("merged_guest", "disabled_guest"):
        cible = getattr(scene, ligne.acteur)
    visiteuse = navigateur(scene, "user_owner" if cible != scene.guest_owner else ligne.acteur)
    Acces.objects.filter(session__isnull=False).update(a_rattacher=cible)

    page = visiteuse.get("/rattacher/apercu/")
    refus = visiteuse.confirmer(texte_de(page)) if page.status_code == 200 else page

    if ligne.acteur in ("guest_owner", "guest_stranger"):  # they say first who they are
        assert (page.status_code, page.headers["Location"]) == (303, "/rattacher/")
    else:
        assert refus.status_code == {"200": 303}.get(ligne.attendu, int(ligne.attendu))
    fusions = AuditFusion.objects.filter(session_id=scene.guest_owner.pk)
    assert fusions.exists() == (ligne.attendu == "200")

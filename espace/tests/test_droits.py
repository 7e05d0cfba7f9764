"""Who may do what in the workspace: as the API answers, row by row of the permission matrix."""

import csv
import re
from pathlib import Path

import pytest
from django.urls import get_resolver

from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from espace import urls
from espace.tests.outils import LISTE, Equipiere
from signalements.models import EntreeTimeline, Signalement

pytestmark = pytest.mark.django_db
CONNEXION = "/equipe/connexion/"
MATRICE = Path(__file__).parents[2] / "config" / "tests" / "data" / "permission-matrix.csv"
UN = "/api/v1/signalements/{signalement_id}"
# Row of the API -> the page that does it, and what is posted.
ACTES = {
    ("PUT", f"{UN}/statut"): ("statut", {"statut": "EN_COURS", "vu": "NOUVEAU"}),
    ("PUT", f"{UN}/priorite"): ("priorite", {"priorite": "HIGH", "vu": "MEDIUM"}),
    ("PUT", f"{UN}/assigner"): ("assigner", {"gestionnaire_id": "{gestionnaire}", "vu": ""}),
    ("POST", f"{UN}/notes"): ("notes", {"note-contenu": "À rappeler."}),
}
# The actors of the matrix that have an account, and so may have a session of the team's.
COMPTES = {
    "user_owner": "etudiante",
    "user_stranger": "autre_etudiante",
    "gestionnaire": "gestionnaire",
    "admin": "admin",
    "deactivated_user": "desactivee",
    "anonymous": None,
}
REUSSIS = {"200": 303, "201": 303}


def lignes(*cles):
    with MATRICE.open() as fichier:
        lues = [tuple(ligne) for ligne in csv.reader(fichier)]
    return [ligne for ligne in lues if ligne[:2] in cles and ligne[2] in COMPTES]


@pytest.fixture
def desactivee(gestionnaire, admin, api):
    autre = type(gestionnaire).objects.creer(
        email="partie@campus.test", mot_de_passe="Un-long-secret-2026", nom="Partie", prenom="Ada"
    )
    autre.type_utilisateur, autre.est_actif = "GESTIONNAIRE", False
    autre.save()
    return autre


@pytest.fixture
def navigateur(request):
    def navigateur(acteur):
        nom = COMPTES[acteur]
        return Equipiere(request.getfixturevalue(nom) if nom else None)

    return navigateur


@pytest.mark.parametrize(("methode", "chemin", "acteur", "attendu"), lignes(*ACTES))
def test_un_acte_de_page_repond_comme_celui_de_l_api(
    navigateur, gestionnaire, signalement, methode, chemin, acteur, attendu
):
    acte, donnees = ACTES[methode, chemin]
    donnees = {nom: valeur.replace("{gestionnaire}", str(gestionnaire.pk)) for nom, valeur in donnees.items()}
    avant = list(Signalement.objects.values()), EntreeTimeline.objects.count()

    reponse = navigateur(acteur).agir(signalement, acte, **donnees)

    assert reponse.status_code == REUSSIS.get(attendu, int(attendu)), reponse.content.decode()[:500]
    assert ((list(Signalement.objects.values()), EntreeTimeline.objects.count()) == avant) == (attendu not in REUSSIS)


@pytest.mark.parametrize(("methode", "chemin", "acteur", "attendu"), lignes(("GET", "/api/v1/signalements/")))
def test_la_liste_s_ouvre_a_qui_lit_tous_les_dossiers(navigateur, signalement, methode, chemin, acteur, attendu):
    reponse = navigateur(acteur).get(LISTE)

    if attendu == "401":
        assert (reponse.status_code, reponse.headers["Location"].startswith("/admin/login/")) == (302, True)
    else:
        assert reponse.status_code == int(attendu)
        assert (signalement.titre in reponse.content.decode()) == (attendu == "200")


def test_chaque_page_refuse_qui_n_est_pas_de_l_equipe(equipiere, etudiante, signalement):
    elle = equipiere(etudiante)
    discussions.discussion(acteur_de(etudiante), signalement=signalement)
    adresses = [
        "/equipe/" + re.sub(r"<uuid:\w+>", str(signalement.pk), str(un.pattern)) for un in urls.urlpatterns if un.name
    ]
    assert len(adresses) == len(urls.urlpatterns) - 1
    assert get_resolver().resolve(adresses[0])

    adresses.remove(CONNEXION)  # the second step of signing in, which leads whoever has not begun to the first
    for methode in (elle.get, elle.envoyer):
        assert methode(CONNEXION).headers["Location"] == "/admin/login/"
    for adresse in adresses:
        assert [elle.get(adresse).status_code, elle.envoyer(adresse).status_code] == [403, 403], adresse


def test_sur_son_propre_dossier_on_n_est_que_son_auteur(api, elle, gestionnaire, admin):
    dossier = Signalement.objects.get(
        pk=api(gestionnaire)
        .post("/api/v1/signalements/", {"titre": "Le mien", "description": "Ce que j'ai vu.", "type": "AUTRE"})
        .json()["data"]["id"]
    )
    api(admin).put(f"/api/v1/signalements/{dossier.pk}/assigner", {"gestionnaireId": str(admin.pk)})
    api(admin).post(f"/api/v1/signalements/{dossier.pk}/notes", {"contenu": "Il a peut-être un motif."})

    page = elle.dossier(dossier)
    feuille = elle.lire(f"{LISTE}{dossier.pk}/imprimer/")

    for lue in (page, feuille):
        assert "Ce que j'ai vu." in lue
        assert "peut-être un motif" not in lue
        assert admin.nom_complet not in lue
    assert "vous le voyez comme qui signale" in page
    assert 'id="statut"' not in page
    assert 'id="noter"' not in page
    for acte, donnees in (("statut", {"statut": "CLOTURE"}), ("notes", {"note-contenu": "Rien."})):
        assert elle.agir(dossier, acte, **donnees).status_code == 403
    assert elle.agir(dossier, "messages", **{"reponse-contenu": "Du nouveau ?"}).status_code == 303
    assert admin.nom_complet not in elle.lire(LISTE).partition('id="lignes"')[2]


def test_un_role_qui_lit_tout_sans_traiter_n_a_aucun_formulaire(monkeypatch, elle, signalement):
    from socle.domaine import droits  # the table that every page asks

    gardes = droits.DROITS[droits.Role.GESTIONNAIRE] - {
        droits.Droit.SIGNALEMENTS_CHANGER_STATUT,
        droits.Droit.SIGNALEMENTS_CHANGER_PRIORITE,
        droits.Droit.SIGNALEMENTS_ASSIGNER,
        droits.Droit.SIGNALEMENTS_NOTER,
        droits.Droit.DISCUSSIONS_PARTICIPER_A_TOUTES,
    }
    monkeypatch.setitem(droits.DROITS, droits.Role.GESTIONNAIRE, gardes)

    page = elle.dossier(signalement)

    for acte in ("statut", "priorite", "assigner", "noter", "repondre"):
        assert f'id="{acte}"' not in page
    assert "Prendre" not in elle.lire(LISTE)
    assert elle.agir(signalement, "statut", statut="EN_COURS", vu="NOUVEAU").status_code == 403
    assert elle.agir(signalement, "messages", **{"reponse-contenu": "Bonjour."}).status_code == 403

"""Asking for an export: who may, which reports it holds, what it says of people."""

from datetime import UTC, datetime

import pytest

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de, champs_refuses, client_de
from signalements.tests import fabriques
from socle.domaine.limites import Taux
from stats.models import Export
from stats.tests.outils import EXPORT, Classeur, exporter, octets, references, telecharger

pytestmark = pytest.mark.django_db


def mettre(signalement, **champs):
    signalement.refresh_from_db()
    fabriques.mettre(signalement, **champs)


# --- Asking -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("persona", "statut"),
    [("anonyme", 401), ("invite", 401), ("etudiante", 403), ("gestionnaire", 201), ("admin", 201)],
)
def test_qui_peut_exporter(client_de_personne, persona, statut):
    assert client_de_personne(persona).post(EXPORT).status_code == statut


def test_un_petit_export_est_pret_dans_la_reponse(api, gestionnaire, signalement, time_machine):
    time_machine.move_to(datetime(2026, 11, 21, 9, 30, tzinfo=UTC), tick=False)

    donnees = api(gestionnaire).post(EXPORT, {}).json()["data"]

    url = donnees.pop("downloadUrl")
    assert donnees == {
        "exportId": str(Export.objects.get().pk),
        "exportedAt": "2026-11-21T09:30:00.000Z",
        "statut": "PRET",
        "format": "csv",
        "lignes": 1,
        "progression": 100,
        "expireLe": "2026-11-22T09:30:00.000Z",
    }
    assert url.startswith(f"http://testserver/api/v1/stats/exports/{donnees['exportId']}/fichier?jeton=")
    assert (
        api(gestionnaire).get(f"/api/v1/stats/exports/{donnees['exportId']}").json()["data"].items() >= donnees.items()
    )


def test_l_adresse_est_celle_du_service_pas_celle_de_la_requete(api, gestionnaire, settings):
    settings.PUBLIC_URL = "https://campus.example.org"

    donnees = api(gestionnaire).post(EXPORT, None, headers={"Host": "localhost"}).json()["data"]

    assert donnees["downloadUrl"].startswith("https://campus.example.org/api/v1/stats/exports/")


@pytest.mark.parametrize(
    ("corps", "champ"),
    [
        ({"format": "ods"}, "format"),
        ({"format": "CSV"}, "format"),
        ({"statut": "OUVERT"}, "statut"),
        ({"type": "un type"}, "type"),
        ({"priorite": "URGENTE"}, "priorite"),
        ({"gestionnaireId": "paul"}, "gestionnaireId"),
        ({"sourceActeur": "PERSONNE"}, "sourceActeur"),
        ({"debut": "21/11/2026"}, "debut"),
        ({"debut": "2026-02-30"}, "debut"),
        ({"fin": "2026-11-21T00:00:00Z"}, "fin"),
        ({"debut": "2026-11-21", "fin": "2026-11-20"}, "fin"),
        ({"search": "a" * 201}, "search"),
    ],
)
def test_une_valeur_inconnue_est_un_422_qui_la_nomme_et_rien_n_est_garde(api, gestionnaire, depot, corps, champ):
    reponse = api(gestionnaire).post(EXPORT, corps)

    assert champs_refuses(reponse) == {champ}
    assert not Export.objects.exists()
    assert not depot.exists()


def test_un_type_hors_de_la_liste_fermee_est_un_422(api, gestionnaire, settings):
    settings.VOCABULAIRES = {**settings.VOCABULAIRES, "type_signalement": ["VOL"]}

    assert champs_refuses(api(gestionnaire).post(EXPORT, {"type": "VIOLENCE"})) == {"type"}


def test_les_exports_sont_comptes_par_personne(api, gestionnaire, admin, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "export": Taux.lire("2/h")}

    statuts = [api(gestionnaire).post(EXPORT).status_code for _rang in range(3)]
    autre = api(admin).post(EXPORT).status_code

    assert (statuts, autre) == ([201, 201, 429], 201)


def test_ce_qu_une_personne_exporte_reste_ecrit(api, gestionnaire, etudiante):
    corps = {"format": "xlsx", "statut": "NOUVEAU", "debut": "2026-01-01", "search": "amphi", "inconnu": "x"}

    api(gestionnaire).post(EXPORT, corps)

    export = Export.objects.get()
    assert (export.compte, export.format, export.lignes) == (gestionnaire, "xlsx", 0)
    assert export.filtres == {"statut": "NOUVEAU", "debut": "2026-01-01", "search": "amphi"}


# --- Reading an export --------------------------------------------------------------------------------------------


def test_un_export_est_a_qui_l_a_demande_et_aux_administrateurs(api, gestionnaire, admin, etudiante):
    url = f"/api/v1/stats/exports/{api(gestionnaire).post(EXPORT).json()['data']['exportId']}"
    collegue = comptes.gestionnaire()

    statuts = [api(qui).get(url).status_code for qui in (gestionnaire, admin, collegue, etudiante, None)]

    assert statuts == [200, 200, 404, 403, 401]


# --- Which reports ------------------------------------------------------------------------------------------------


@pytest.fixture
def varies(etudiante, gestionnaire, invite):
    """Three reports that differ in all that can be asked for."""
    ruth = comptes.gestionnaire()
    vol = fabriques.signalement(acteur_de(etudiante), type="VOL", titre="Sac volé", priorite="HIGH")
    bruit = fabriques.signalement(acteur_de(etudiante), type="NUISANCE", titre="Été bruyant")
    anonyme = fabriques.signalement(acteur_de(invite), type="VOL", titre="Un vélo")
    client = client_de(gestionnaire)
    client.put(f"/api/v1/signalements/{vol.pk}/assigner", {"gestionnaireId": str(gestionnaire.pk)})
    client.put(f"/api/v1/signalements/{bruit.pk}/assigner", {"gestionnaireId": str(ruth.pk)})
    client.put(f"/api/v1/signalements/{bruit.pk}/statut", {"statut": "TRAITE"})
    for rang, dossier in enumerate((vol, bruit, anonyme)):
        mettre(dossier, date_creation=datetime(2026, 3, 1 + rang, 12, tzinfo=UTC))
    return {"vol": vol, "bruit": bruit, "anonyme": anonyme}


@pytest.mark.parametrize(
    ("filtres", "attendus"),
    [
        ({}, {"vol", "bruit", "anonyme"}),
        ({"statut": "TRAITE"}, {"bruit"}),
        ({"type": "vol"}, {"vol", "anonyme"}),
        ({"priorite": "HIGH"}, {"vol"}),
        ({"sourceActeur": "GUEST"}, {"anonyme"}),
        ({"sourceActeur": "AUTH_USER"}, {"vol", "bruit"}),
        ({"debut": "2026-03-02"}, {"bruit", "anonyme"}),
        ({"fin": "2026-03-02"}, {"vol", "bruit"}),
        ({"debut": "2026-03-02", "fin": "2026-03-02"}, {"bruit"}),
        ({"search": "ETE BRUYANT"}, {"bruit"}),  # a reference is drawn, and may hold three letters
        ({"search": ""}, {"vol", "bruit", "anonyme"}),
        ({"type": "VOL", "sourceActeur": "GUEST"}, {"anonyme"}),
        ({"type": "INCONNU"}, set()),
    ],
)
def test_les_filtres_sont_ceux_de_la_liste(api, gestionnaire, varies, filtres, attendus):
    lignes = exporter(api(gestionnaire), **filtres)
    liste = api(gestionnaire).get("/api/v1/signalements/", filtres).json()["data"]["items"]

    assert references(lignes) == {varies[nom].reference for nom in attendus}
    assert [ligne["Référence"] for ligne in lignes] == [item["reference"] for item in liste]


def test_le_filtre_par_gestionnaire_ne_dit_pas_qui_traite_son_propre_dossier(api, gestionnaire, varies):
    sien = fabriques.signalement(acteur_de(gestionnaire))
    mettre(sien, gestionnaire=gestionnaire)

    lignes = exporter(api(gestionnaire), gestionnaireId=str(gestionnaire.pk))

    assert references(lignes) == {varies["vol"].reference}


def test_un_dossier_absorbe_n_est_jamais_exporte(api, gestionnaire, etudiante):
    dossier, absorbe = (fabriques.signalement(acteur_de(etudiante)) for _rang in range(2))
    fabriques.joindre(absorbe, dossier)

    assert references(exporter(api(gestionnaire))) == {dossier.reference}


# --- What is said of people ---------------------------------------------------------------------------------------


@pytest.fixture
def personnes(etudiante, autre_etudiante, invite, admin):
    """Reports by how they name their author; the last is a staff member's own."""
    return {
        "nomme": fabriques.signalement(acteur_de(etudiante)),
        "anonyme": fabriques.signalement(acteur_de(autre_etudiante), mode_identification="ANONYME"),
        "autre mode": fabriques.signalement(acteur_de(autre_etudiante), mode_identification="CONFIDENTIEL"),
        "invite": fabriques.signalement(acteur_de(invite)),
        "invite nomme": fabriques.signalement(acteur_de(invite), mode_identification="IDENTIFIE"),
        "de l'admin": fabriques.signalement(acteur_de(admin), mode_identification="ANONYME"),
    }


ATTENDUS = {
    "nomme": ("Awa Diop", "Compte"),
    "anonyme": ("Anonyme", "Compte"),
    "autre mode": ("Anonyme", "Compte"),
    "invite": ("Invité", "Session invitée"),
    "invite nomme": ("Invité", "Session invitée"),
    "de l'admin": ("Anonyme", "Compte"),
}


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_seul_qui_s_identifie_est_nomme(client_de_personne, personnes, persona):
    lignes = {ligne["Référence"]: ligne for ligne in exporter(client_de_personne(persona))}

    montres = {nom: lignes[dossier.reference] for nom, dossier in personnes.items()}
    assert {nom: (ligne["Auteur"], ligne["Origine"]) for nom, ligne in montres.items()} == ATTENDUS


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_rien_dans_le_fichier_ne_designe_qui_se_cache(api, gestionnaire, personnes, autre_etudiante, invite, format):
    url = api(gestionnaire).post(EXPORT, {"format": format}).json()["data"]["downloadUrl"]
    contenu = octets(telecharger(url))
    texte = Classeur(contenu).textes if format == "xlsx" else contenu.decode()

    secrets = [autre_etudiante.nom, autre_etudiante.prenom, autre_etudiante.email, str(autre_etudiante.pk)]
    secrets += [str(invite.guest_id), str(invite.pk), "812345621", "Kabila"]
    assert "Diop" in texte
    assert [secret for secret in secrets if secret in texte] == []


def test_ce_qui_parle_d_autrui_ne_sort_pas(api, gestionnaire, etudiante):
    fabriques.signalement(
        acteur_de(etudiante),
        description="Il m'a suivie jusqu'au parking.",
        auteur_presume="Le professeur Tiers",
        a_temoins=True,
        description_temoins="Ma voisine Odile.",
    )

    contenu = str(exporter(api(gestionnaire)))

    assert [texte for texte in ("parking", "Tiers", "Odile") if texte in contenu] == []


@pytest.mark.parametrize("par", ["gestionnaire", "etudiante"])
def test_un_identifiant_invite_colle_dans_un_texte_est_masque(personne, api, gestionnaire, invite, par):
    colle = f"Ma session {invite.guest_id}"
    fabriques.signalement(
        acteur_de(personne(par)),
        titre=colle,
        lieu_incident=invite.guest_id.hex.upper(),
        bureau_genre_id=str(invite.guest_id),
    )

    (ligne,) = exporter(api(gestionnaire))

    assert ligne["Titre"] == "Ma session [identifiant masqué]"
    assert (ligne["Lieu"], ligne["Bureau genre"]) == ("[identifiant masqué]", "[identifiant masqué]")


def test_un_identifiant_invite_dans_le_seul_bureau_est_masque_aussi(api, gestionnaire, invite):
    fabriques.signalement(acteur_de(invite), bureau_genre_id=str(invite.guest_id))

    assert exporter(api(gestionnaire))[0]["Bureau genre"] == "[identifiant masqué]"


def test_qui_exporte_ne_lit_pas_qui_traite_son_propre_dossier(api, gestionnaire, admin, etudiante):
    sien, autre = fabriques.signalement(acteur_de(gestionnaire)), fabriques.signalement(acteur_de(etudiante))
    for dossier in (sien, autre):
        mettre(dossier, gestionnaire=admin)

    vus = {
        qui.prenom: {ligne["Référence"]: ligne["Gestionnaire"] for ligne in exporter(api(qui))}
        for qui in (gestionnaire, admin)
    }

    assert vus["Paul"] == {sien.reference: "", autre.reference: "Rose Kabila"}
    assert vus["Rose"] == {sien.reference: "Rose Kabila", autre.reference: "Rose Kabila"}

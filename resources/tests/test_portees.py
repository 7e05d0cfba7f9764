"""What a file may be attached to, and who reads its name: evidence of a hidden author ties them to nothing."""

import re

import pytest

from accounts.tests.outils import entrer
from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.outils import apercevoir, conflit, demander_fusion, fusionner, resolution
from resources.models import Attache, Fichier
from resources.noms import nom_neutre
from resources.tests import fabriques
from signalements.tests import fabriques as signalements

pytestmark = pytest.mark.django_db
NOM = "Ruth Mbuyi chez le doyen.txt"
NEUTRE = r"piece-[0-9a-f]{8}\.txt"


def fichier(qui, **champs):
    return fabriques.fichier(acteur_de(qui), NOM, **champs)


def joindre(api, qui, ou, piece):
    """The answer to attaching this file there."""
    ids = {"piecesJointes": [str(piece.pk)]}
    signalement = {"titre": "Vol", "description": "Un sac.", "type": "VOL", **ids}
    match ou:
        case "anonyme" | "invente":
            corps = {**signalement, "modeIdentification": "ANONYME" if ou == "anonyme" else "PSEUDONYME"}
            return api(qui).post("/api/v1/signalements/", corps)
        case "nomme":
            return api(qui).post("/api/v1/signalements/", {**signalement, "modeIdentification": "IDENTIFIE"})
        case "publication":
            return api(qui).post("/api/v1/postes/", {"contenu": "Voici.", **ids})
        case "ressource":
            return api(qui).post("/api/v1/ressources/", {"titre": "Plan", "fileId": str(piece.pk)})
        case "message seul":
            discussion = discussions.discussion(acteur_de(qui))
        case "message anonyme":
            dossier = signalements.signalement(acteur_de(qui), mode_identification="ANONYME")
            discussion = discussions.discussion(acteur_de(qui), signalement=dossier)
    return api(qui).post(f"/api/v1/discussions/{discussion.pk}/messages", ids)


AU_GRAND_JOUR = ["nomme", "publication", "ressource", "message seul"]
CACHES = ["anonyme", "invente", "message anonyme"]


@pytest.mark.parametrize("ailleurs", [*AU_GRAND_JOUR, *CACHES])
@pytest.mark.parametrize("cache", CACHES)
def test_un_fichier_d_un_dossier_anonyme_n_est_joint_a_rien_d_autre(api, etudiante, cache, ailleurs):
    piece = fichier(etudiante)
    assert joindre(api, etudiante, cache, piece).status_code == 201

    refus = joindre(api, etudiante, ailleurs, piece)

    assert (refus.status_code, refus.json()["code"]) == (409, "FILE_IN_USE")
    assert Attache.objects.count() == 1


@pytest.mark.parametrize("cache", CACHES)
@pytest.mark.parametrize("ailleurs", AU_GRAND_JOUR)
def test_un_fichier_joint_au_grand_jour_ne_rejoint_pas_un_dossier_anonyme(api, etudiante, ailleurs, cache):
    piece = fichier(etudiante)
    assert joindre(api, etudiante, ailleurs, piece).status_code == 201

    refus = joindre(api, etudiante, cache, piece)

    assert (refus.status_code, refus.json()["code"]) == (409, "FILE_IN_USE")
    assert joindre(api, etudiante, "publication", piece).status_code == 201


def test_un_fichier_retire_de_la_bibliotheque_ne_rejoint_pas_un_dossier_anonyme(api, etudiante):
    piece = fichier(etudiante)
    ressource = joindre(api, etudiante, "ressource", piece).json()["data"]
    api(etudiante).delete(f"/api/v1/ressources/{ressource['id']}")
    assert not Attache.objects.exists()

    assert joindre(api, etudiante, "anonyme", piece).status_code == 409


def test_ce_que_l_equipe_joint_a_un_dossier_anonyme_porte_son_nom_et_ressert(api, invite, gestionnaire):
    piece = fichier(gestionnaire)
    dossiers = [signalements.signalement(acteur_de(invite)) for _rang in range(2)]

    for dossier in dossiers:
        discussion = discussions.discussion(acteur_de(invite), signalement=dossier)
        discussions.message(acteur_de(gestionnaire), discussion, "À remplir.", pieces_jointes=[piece.pk])

    assert Attache.objects.count() == 2
    assert api(invite).get(f"/api/v1/fichiers/{piece.pk}").json()["data"]["fileName"] == NOM


def test_un_refus_ne_joint_aucun_des_fichiers(api, etudiante):
    libre, pris = fichier(etudiante), fichier(etudiante)
    joindre(api, etudiante, "anonyme", pris)

    corps = {"contenu": "Voici.", "piecesJointes": [str(libre.pk), str(pris.pk)]}
    refus = api(etudiante).post("/api/v1/postes/", corps)

    assert refus.status_code == 409
    assert Fichier.objects.get(pk=libre.pk).portee == "LIBRE"


# --- Names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ou", ["anonyme", "message anonyme"])
def test_les_autres_lisent_un_nom_neutre_et_qui_l_a_envoye_le_sien(api, client, etudiante, gestionnaire, ou):
    piece = fichier(etudiante)
    joindre(api, etudiante, ou, piece)

    vus = {qui: api(qui).get(f"/api/v1/fichiers/{piece.pk}").json()["data"] for qui in (etudiante, gestionnaire)}
    telecharges = {
        qui: client.get(vu["url"].removeprefix("http://testserver"))["Content-Disposition"] for qui, vu in vus.items()
    }

    assert vus[etudiante]["fileName"] == NOM
    assert re.fullmatch(NEUTRE, vus[gestionnaire]["fileName"])
    assert NOM in telecharges[etudiante]
    assert re.fullmatch(f'attachment; filename="{NEUTRE}"', telecharges[gestionnaire])


def test_un_seau_donne_a_chacun_le_nom_qui_est_le_sien(api, etudiante, gestionnaire, telecharger, magasin):
    piece = fichier(etudiante)
    joindre(api, etudiante, "anonyme", piece)

    noms = [
        telecharger(api(qui).get(f"/api/v1/fichiers/{piece.pk}").json()["data"]["url"])[1]["Content-Disposition"]
        for qui in (etudiante, gestionnaire)
    ]

    assert NOM in noms[0]
    assert re.search(NEUTRE, noms[1])


@pytest.mark.parametrize("ou", AU_GRAND_JOUR)
def test_au_grand_jour_chacun_lit_le_nom(api, etudiante, gestionnaire, ou):
    piece = fichier(etudiante)
    joindre(api, etudiante, ou, piece)

    assert api(gestionnaire).get(f"/api/v1/fichiers/{piece.pk}").json()["data"]["fileName"] == NOM


def test_l_espace_de_l_equipe_ne_dit_ni_ne_cherche_le_nom(api, client, etudiante, admin):
    piece = fichier(etudiante)
    joindre(api, etudiante, "anonyme", piece)
    equipe = entrer(admin.email)

    liste = equipe.get("/admin/resources/fichier/")
    pages = [equipe.get(f"/admin/resources/fichier/{piece.pk}/{page}/") for page in ("change", "delete", "history")]
    trouves = equipe.get("/admin/resources/fichier/", {"q": "doyen"}).context["cl"].result_count
    ouvert = client.get(
        equipe.get(f"/admin/resources/fichier/{piece.pk}/ouvrir/").url.removeprefix("http://testserver")
    )

    assert re.search(NEUTRE, liste.content.decode())
    assert [page for page in (liste, *pages) if "Ruth" in page.content.decode()] == []
    assert trouves == 0
    assert "Ruth" not in ouvert["Content-Disposition"]


@pytest.mark.parametrize(
    ("nom", "type_mime", "suffixe"),
    [
        ("photo.JPEG", "image/jpeg", ".jpeg"),
        ("photo", "image/png", ".png"),
        ("Lettre.DOCX", "application/zip", ".docx"),
        ("plainte.RuthMbuyi", "text/plain", ""),
        ("sans suffixe", "text/plain", ""),
    ],
)
def test_un_nom_neutre_ne_garde_qu_une_fin_connue(etudiante, nom, type_mime, suffixe):
    piece = fabriques.fichier(acteur_de(etudiante), nom, type_mime=type_mime)

    assert nom_neutre(piece.pk, nom, type_mime) == f"piece-{piece.pk.hex[:8]}{suffixe}"


# --- Merges ---------------------------------------------------------------------------------------------------------


def dossier(qui, mode, *pieces, **champs):
    signalement = signalements.signalement(
        acteur_de(qui), mode_identification=mode, pieces_jointes=[p.pk for p in pieces], **champs
    )
    return signalement


@pytest.mark.parametrize("par_un_message", [False, True])
@pytest.mark.parametrize("anonyme", ["invite", "etudiante"])
def test_un_dossier_dont_un_fichier_est_joint_ailleurs_ne_devient_pas_anonyme(
    api, personne, invite, etudiante, anonyme, par_un_message
):
    """It would stay where its owner is named: the two cases can only stay two."""
    modes = {"invite": "IDENTIFIE", "etudiante": "IDENTIFIE", anonyme: "ANONYME"}
    nomme = personne("etudiante" if anonyme == "invite" else "invite")
    piece = fichier(nomme)
    source = dossier(invite, modes["invite"], *([piece] if nomme is invite and not par_un_message else []))
    cible = dossier(etudiante, modes["etudiante"], *([piece] if nomme is etudiante and not par_un_message else []))
    if par_un_message:
        conversation = discussions.discussion(
            acteur_de(nomme), signalement=source if nomme is invite else cible, titre="Suivi"
        )
        discussions.message(acteur_de(nomme), conversation, pieces_jointes=[piece.pk])
    joindre(api, nomme, "message seul", piece)

    apercu = apercevoir(etudiante, invite)["conflicts"]
    corps = {"acceptPolicy": "MERGE_SAFE", "resolutions": [resolution("MERGE_FIELDS", source, cible)]}
    refus = demander_fusion(api(etudiante), invite, corps)
    fusionner(etudiante, invite, resolution("SKIP", source, cible))

    assert conflit("FINGERPRINT", source, cible, ["SKIP"]) in apercu
    assert refus.status_code == 422


@pytest.mark.parametrize("anonyme", ["invite", "etudiante"])
def test_les_fichiers_suivent_un_dossier_qui_devient_anonyme_et_en_reviennent(
    api, invite, etudiante, gestionnaire, anonyme
):
    pieces = {qui.pk: fichier(qui) for qui in (invite, etudiante)}
    source = dossier(invite, "ANONYME" if anonyme == "invite" else "IDENTIFIE", pieces[invite.pk])
    cible = dossier(etudiante, "ANONYME" if anonyme == "etudiante" else "IDENTIFIE", pieces[etudiante.pk])

    fusionner(etudiante, invite, resolution("MERGE_FIELDS", source, cible))

    urls = [f"/api/v1/fichiers/{piece.pk}" for piece in pieces.values()]
    joints = [api(gestionnaire).get(url).json()["data"]["fileName"] for url in urls]
    assert [bool(re.fullmatch(NEUTRE, nom)) for nom in joints] == [True, True]
    assert [joindre(api, etudiante, "publication", piece).status_code for piece in pieces.values()] == [409, 409]

    annuler(AuditFusion.objects.get())

    rendus = [api(gestionnaire).get(url).json()["data"]["fileName"] == NOM for url in urls]
    assert rendus == [anonyme != "invite", anonyme != "etudiante"]


def test_un_fichier_joint_ailleurs_depuis_le_plan_arrete_la_fusion(api, invite, etudiante, monkeypatch):
    """What `reserver` finds under its locks decides."""
    piece = fichier(etudiante)
    source, cible = dossier(invite, "ANONYME"), dossier(etudiante, "IDENTIFIE", piece)
    monkeypatch.setattr("guests.fusion.plan.pieces.restreindre", lambda paires, compte: paires)
    joindre(api, etudiante, "publication", piece)

    corps = {"acceptPolicy": "MERGE_SAFE", "resolutions": [resolution("MERGE_FIELDS", source, cible)]}
    refus = demander_fusion(api(etudiante), invite, corps)

    assert (refus.status_code, refus.json()["code"]) == (409, "GUEST_MERGE_CONFLICT")
    cible.refresh_from_db()
    assert (cible.mode_identification, cible.absorbes.count()) == ("IDENTIFIE", 0)

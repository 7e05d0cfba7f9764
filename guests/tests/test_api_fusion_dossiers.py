"""What a merge makes of two reports of one case."""

import itertools

import pytest

from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.outils import apercevoir, conflit, fusionner, resolution
from resources.models import Fichier
from resources.tests import fabriques as fichiers
from signalements.models import Signalement
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
URL = "/api/v1/signalements/"
JOINTURES = ("KEEP_TARGET", "KEEP_GUEST", "MERGE_FIELDS")
DU_COMPTE = {
    "titre": "Remarques",
    "description": "Devant l'amphi, deux fois.",
    "type": "HARCELEMENT",
    "dateIncident": None,
    "lieuIncident": "Amphi B",
    "auteurPresume": None,
    "aTemoins": False,
    "descriptionTemoins": None,
    "bureauGenreId": "bureau-1",
}
DE_L_INVITE = {
    "titre": "Remarques déplacées",
    "description": "Un assistant, après le cours.",
    "type": "AGRESSION_SEXUELLE",
    "dateIncident": "2026-03-01T14:30:00.000Z",
    "lieuIncident": None,
    "auteurPresume": "Un assistant",
    "aTemoins": True,
    "descriptionTemoins": "Trois étudiantes.",
    "bureauGenreId": "bureau-2",
}


def signaler(api, qui, corps, **champs):
    recu = api(qui).post(URL, {"modeIdentification": "IDENTIFIE", **corps, **champs})
    assert recu.status_code == 201, recu.content
    return Signalement.objects.get(pk=recu.json()["data"]["id"])


@pytest.fixture
def deux(api, invite, etudiante):
    """A report of the guest, under the reference of one of the account that says other things."""
    dossier = signaler(api, etudiante, DU_COMPTE)
    return signaler(api, invite, DE_L_INVITE, reference=dossier.reference), dossier


# --- The four actions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "attendu"),
    [
        ("KEEP_TARGET", DU_COMPTE),
        ("KEEP_GUEST", DE_L_INVITE),
        ("MERGE_FIELDS", {**DE_L_INVITE, **{nom: v for nom, v in DU_COMPTE.items() if v not in (None, False)}}),
    ],
)
def test_joindre_garde_un_dossier_dont_les_champs_suivent_l_action(api, etudiante, invite, deux, action, attendu):
    apporte, dossier = deux

    fusionner(etudiante, invite, resolution(action, *deux))

    elle = api(etudiante)
    (recu,) = elle.get(f"{URL}me").json()["data"]["items"]
    assert {nom: recu[nom] for nom in attendu} == attendu
    assert (recu["id"], recu["reference"]) == (str(dossier.pk), dossier.reference)
    assert (recu["acteurId"], recu["sourceActeur"]) == (str(etudiante.pk), "AUTH_USER")
    assert elle.get(f"{URL}{apporte.pk}").json()["data"] == elle.get(f"{URL}{dossier.pk}").json()["data"]


@pytest.mark.parametrize("action", JOINTURES)
def test_le_dossier_joint_reste_tel_quel_en_archive(etudiante, invite, deux, action):
    apporte, dossier = deux
    contenu = ("titre", "description", "type", "date_incident", "lieu_incident", "statut", "priorite", "date_creation")
    avant = {nom: getattr(apporte, nom) for nom in contenu}

    fusionner(etudiante, invite, resolution(action, *deux))

    apporte.refresh_from_db()
    assert {nom: getattr(apporte, nom) for nom in contenu} == avant
    assert (apporte.absorbe_par_id, apporte.compte_id, apporte.fusionne_de_id) == (
        dossier.pk,
        etudiante.pk,
        invite.pk,
    )


def test_skip_garde_deux_dossiers_du_compte(api, etudiante, invite, deux):
    apporte, dossier = deux

    fusionner(etudiante, invite, resolution("SKIP", *deux))

    recus = api(etudiante).get(f"{URL}me").json()["data"]["items"]
    assert [(r["id"], r["titre"], r["estFusionne"]) for r in recus] == [
        (str(apporte.pk), DE_L_INVITE["titre"], True),
        (str(dossier.pk), DU_COMPTE["titre"], False),
    ]
    assert {r["reference"] for r in recus} == {dossier.reference}


def test_merge_all_joint_en_completant(api, etudiante, invite, deux):
    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    (recu,) = api(etudiante).get(f"{URL}me").json()["data"]["items"]
    assert (recu["titre"], recu["auteurPresume"]) == (DU_COMPTE["titre"], DE_L_INVITE["auteurPresume"])


def test_merge_all_suit_les_resolutions_donnees(api, etudiante, invite, deux):
    fusionner(etudiante, invite, resolution("SKIP", *deux), acceptPolicy="MERGE_ALL")

    assert api(etudiante).get(f"{URL}me").json()["data"]["total"] == 2


def test_merge_all_joint_a_la_premiere_paire(etudiante, invite):
    mode = {"mode_identification": "IDENTIFIE"}
    semblable, meme_reference, plus_recent = (fabriques.signalement(acteur_de(etudiante)) for _rang in range(3))
    apporte = fabriques.signalement(acteur_de(invite), reference=meme_reference.reference, **mode)
    sans_reference = fabriques.signalement(acteur_de(invite), **mode)

    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    apporte.refresh_from_db()
    sans_reference.refresh_from_db()
    assert (apporte.absorbe_par_id, sans_reference.absorbe_par_id) == (meme_reference.pk, semblable.pk)
    assert Signalement.objects.get(pk=plus_recent.pk).absorbe_par_id is None


@pytest.mark.parametrize("action", JOINTURES)
def test_plusieurs_dossiers_de_l_invite_se_joignent_au_meme(api, etudiante, invite, deux, action):
    apporte, dossier = deux
    pareil = signaler(api, invite, {**DU_COMPTE, "titre": "Encore"})

    fusionner(etudiante, invite, resolution(action, *deux), resolution("MERGE_FIELDS", pareil, dossier))

    elle = api(etudiante)
    (recu,) = elle.get(f"{URL}me").json()["data"]["items"]
    histoire = elle.get(f"{URL}{dossier.pk}/timeline").json()["data"]
    assert recu["id"] == str(dossier.pk)
    assert [e["type"] for e in histoire] == ["CREATION", "CREATION", "CREATION", "FUSION"]
    assert {str(dossier.pk)} == {elle.get(f"{URL}{s.pk}").json()["data"]["id"] for s in (apporte, pareil)}


# --- Statut, priorite, who handles it, who hides --------------------------------------------------------------------


@pytest.mark.parametrize("action", JOINTURES)
@pytest.mark.parametrize(
    ("champ", "ordre"),
    [
        ("statut", ["NOUVEAU", "ASSIGNE", "EN_ATTENTE", "EN_COURS", "TRAITE", "CLOTURE"]),
        ("priorite", ["LOW", "MEDIUM", "HIGH", "CRITICAL"]),
    ],
)
def test_le_statut_est_le_plus_avance_et_la_priorite_la_plus_haute(etudiante, invite, action, champ, ordre):
    attendus, resolutions = {}, []
    for de_l_invite, du_compte in itertools.product(ordre, repeat=2):
        dossier = fabriques.signalement(acteur_de(etudiante), description=f"{de_l_invite} {du_compte}")
        apporte = fabriques.signalement(acteur_de(invite), reference=dossier.reference, description="autre")
        fabriques.mettre(dossier, **{champ: du_compte})
        fabriques.mettre(apporte, **{champ: de_l_invite})
        attendus[dossier.pk] = max(de_l_invite, du_compte, key=ordre.index)
        resolutions.append(resolution(action, apporte, dossier))

    fusionner(etudiante, invite, *resolutions)

    assert dict(Signalement.objects.filter(pk__in=attendus).values_list("pk", champ)) == attendus


def test_l_avancee_du_statut_entre_dans_l_historique(api, etudiante, gestionnaire, invite, deux):
    apporte, dossier = deux
    api(gestionnaire).put(f"{URL}{apporte.pk}/statut", {"statut": "EN_COURS"})

    fusionner(etudiante, invite, resolution("KEEP_TARGET", *deux))

    histoire = api(etudiante).get(f"{URL}{dossier.pk}/timeline").json()["data"]
    assert [(e["type"], e["ancienStatut"], e["nouveauStatut"]) for e in histoire] == [
        ("CREATION", None, "NOUVEAU"),
        ("CREATION", None, "NOUVEAU"),
        ("STATUT", "NOUVEAU", "EN_COURS"),
        ("FUSION", None, None),
        ("STATUT", "NOUVEAU", "EN_COURS"),
    ]


@pytest.mark.parametrize(
    ("de_l_invite", "du_compte", "attendu"),
    [
        (None, None, None),
        ("gestionnaire", None, "gestionnaire"),
        (None, "gestionnaire", "gestionnaire"),
        ("gestionnaire", "admin", "admin"),
    ],
)
@pytest.mark.parametrize("action", JOINTURES)
def test_qui_gere_le_dossier_du_compte_le_garde(
    personne, etudiante, invite, deux, action, de_l_invite, du_compte, attendu
):
    apporte, dossier = deux
    fabriques.mettre(apporte, gestionnaire=de_l_invite and personne(de_l_invite))
    fabriques.mettre(dossier, gestionnaire=du_compte and personne(du_compte))

    fusionner(etudiante, invite, resolution(action, *deux))

    dossier.refresh_from_db()
    assert dossier.gestionnaire == (attendu and personne(attendu))


MODES = [
    ("IDENTIFIE", "IDENTIFIE", "IDENTIFIE"),
    ("ANONYME", "IDENTIFIE", "ANONYME"),
    ("IDENTIFIE", "ANONYME", "ANONYME"),
    ("ANONYME", "ANONYME", "ANONYME"),
    ("PSEUDONYME", "IDENTIFIE", "PSEUDONYME"),
    ("ANONYME", "PSEUDONYME", "PSEUDONYME"),
]


@pytest.mark.parametrize("action", JOINTURES)
@pytest.mark.parametrize(("de_l_invite", "du_compte", "attendu"), MODES)
def test_le_dossier_joint_se_cache_des_que_l_un_des_deux_se_cachait(
    api, etudiante, gestionnaire, invite, deux, action, de_l_invite, du_compte, attendu
):
    apporte, dossier = deux
    fabriques.mettre(apporte, mode_identification=de_l_invite)
    fabriques.mettre(dossier, mode_identification=du_compte)

    fusionner(etudiante, invite, resolution(action, *deux))

    recu = api(gestionnaire).get(f"{URL}{dossier.pk}").json()["data"]
    assert recu["modeIdentification"] == attendu
    assert (recu["acteurId"] == str(etudiante.pk)) is (attendu == "IDENTIFIE")


@pytest.mark.parametrize(("de_l_invite", "du_compte", "attendu"), MODES)
def test_merge_all_garde_deux_quand_un_seul_se_cache(api, etudiante, invite, deux, de_l_invite, du_compte, attendu):
    apporte, dossier = deux
    fabriques.mettre(apporte, mode_identification=de_l_invite)
    fabriques.mettre(dossier, mode_identification=du_compte)
    un_seul = (de_l_invite == "IDENTIFIE") != (du_compte == "IDENTIFIE")

    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    recus = api(etudiante).get(f"{URL}me").json()["data"]["items"]
    modes = [r["modeIdentification"] for r in recus]
    assert modes == ([de_l_invite, du_compte] if un_seul else [du_compte])


# --- Where the absorbed one leads -----------------------------------------------------------------------------------


@pytest.mark.parametrize("action", JOINTURES)
def test_l_identifiant_et_la_reference_du_dossier_joint_menent_au_dossier(api, etudiante, gestionnaire, invite, action):
    champs = {"description": "Mêmes faits.", "mode_identification": "IDENTIFIE"}
    dossier = fabriques.signalement(acteur_de(etudiante), **champs)
    apporte = fabriques.signalement(acteur_de(invite), **champs)
    elle, equipe = api(etudiante), api(gestionnaire)

    fusionner(etudiante, invite, resolution(action, apporte, dossier))

    assert apporte.reference != dossier.reference
    for reference in (apporte.reference, dossier.reference):
        trouves = equipe.get(f"{URL}?search={reference}").json()["data"]["items"]
        assert [t["id"] for t in trouves] == [str(dossier.pk)]
    change = equipe.put(f"{URL}{apporte.pk}/statut", {"statut": "TRAITE"})
    assert (change.status_code, change.json()["data"]["id"]) == (200, str(dossier.pk))
    histoires = [elle.get(f"{URL}{s.pk}/timeline").json()["data"] for s in (apporte, dossier)]
    assert histoires[0] == histoires[1]
    assert histoires[1][-1]["nouveauStatut"] == "TRAITE"


def test_le_dossier_joint_n_est_plus_dans_aucune_liste(api, etudiante, gestionnaire, invite, deux):
    _apporte, dossier = deux

    fusionner(etudiante, invite, resolution("KEEP_GUEST", *deux))

    for client, liste in ((api(etudiante), "me"), (api(gestionnaire), ""), (api(gestionnaire), "non-traites")):
        page = client.get(f"{URL}{liste}").json()["data"]
        assert [r["id"] for r in page["items"]] == [str(dossier.pk)]


def test_les_discussions_et_les_notes_du_dossier_joint_passent_au_dossier(api, etudiante, gestionnaire, invite, deux):
    apporte, dossier = deux
    de_l_invite = discussions.discussion(acteur_de(invite), "Mes questions", apporte)
    de_l_equipe = discussions.discussion(acteur_de(gestionnaire), "Prise de contact", apporte)
    discussions.message(acteur_de(gestionnaire), de_l_equipe, "Quand vous voulez.")
    equipe = api(gestionnaire)
    equipe.post(f"{URL}{apporte.pk}/notes", {"contenu": "À rappeler."})

    fusionner(etudiante, invite, resolution("KEEP_TARGET", *deux))

    recues = api(etudiante).get("/api/v1/discussions/").json()["data"]["items"]
    assert {d["id"]: d["signalementId"] for d in recues} == {
        str(d.pk): str(dossier.pk) for d in (de_l_invite, de_l_equipe)
    }
    assert api(etudiante).get(f"{URL}{dossier.pk}").json()["data"]["messagesNonLusCount"] == 1
    assert [e["type"] for e in equipe.get(f"{URL}{dossier.pk}/timeline").json()["data"]] == [
        "CREATION",
        "CREATION",
        "NOTE",
        "FUSION",
    ]


def test_une_jonction_se_joint_encore(api, etudiante, invite, autre_invite):
    """A second session brings the case again, under the reference that was absorbed."""
    champs = {"mode_identification": "IDENTIFIE", "description": "Mêmes faits, même lieu."}
    dossier = fabriques.signalement(acteur_de(etudiante), **champs)
    premier = fabriques.signalement(acteur_de(invite), **champs)
    fusionner(etudiante, invite, resolution("KEEP_TARGET", premier, dossier), acceptPolicy="MERGE_ALL")
    second = fabriques.signalement(acteur_de(autre_invite), reference=premier.reference, description="Dits autrement.")

    assert apercevoir(etudiante, autre_invite)["conflicts"] == [conflit("REFERENCE", second, dossier)]
    fusionner(etudiante, autre_invite, resolution("KEEP_TARGET", second, dossier))

    elle = api(etudiante)
    recus = {elle.get(f"{URL}{s.pk}").json()["data"]["id"] for s in (premier, second, dossier)}
    assert recus == {str(dossier.pk)}


@pytest.mark.parametrize("action", JOINTURES)
def test_les_fichiers_des_deux_dossiers_vont_au_dossier_qui_reste(api, etudiante, invite, gestionnaire, action):
    deux = [fichiers.fichier(acteur_de(qui)) for qui in (etudiante, invite)]
    reste = fabriques.signalement(acteur_de(etudiante), mode_identification="ANONYME", pieces_jointes=[deux[0].pk])
    apporte = fabriques.signalement(acteur_de(invite), mode_identification="ANONYME", pieces_jointes=[deux[1].pk])

    fusionner(etudiante, invite, resolution(action, apporte, reste))

    detail = api(etudiante).get(f"/api/v1/signalements/{apporte.pk}").json()["data"]
    assert detail["piecesJointes"] == [str(fichier.pk) for fichier in deux]
    for fichier in deux:
        assert api(etudiante).get(f"/api/v1/fichiers/{fichier.pk}").status_code == 200
        assert api(invite).get(f"/api/v1/fichiers/{fichier.pk}").status_code == 409
    assert Fichier.objects.get(pk=deux[1].pk).fusionne_de == invite


def test_defaire_un_rattachement_rend_les_fichiers(etudiante, invite):
    deux = [fichiers.fichier(acteur_de(qui)) for qui in (etudiante, invite)]
    reste, apporte = (
        fabriques.signalement(acteur_de(qui), mode_identification="ANONYME", pieces_jointes=[fichier.pk])
        for qui, fichier in zip((etudiante, invite), deux, strict=True)
    )
    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    annuler(AuditFusion.objects.get())

    assert Fichier.objects.get(pk=deux[1].pk).invite == invite
    for dossier, fichier in zip((reste, apporte), deux, strict=True):
        dossier.refresh_from_db()
        assert dossier.pieces_jointes == [str(fichier.pk)]


@pytest.mark.parametrize("ailleurs", [False, True])
def test_qui_a_traite_le_dossier_avec_un_fichier_joint_ailleurs_ne_peut_que_les_garder_tous_deux(
    etudiante, invite, gestionnaire, ailleurs
):
    """Joined, the hidden author would be whoever signed the same file elsewhere."""
    faits = {"mode_identification": "ANONYME", "description": "Mêmes faits, même lieu."}
    apporte, sien = (fabriques.signalement(acteur_de(qui), **faits) for qui in (invite, gestionnaire))
    fichier = fichiers.fichier(acteur_de(gestionnaire))
    for auteur in (invite, etudiante)[: 2 if ailleurs else 1]:
        dossier = apporte if auteur == invite else fabriques.signalement(acteur_de(auteur))
        ouverte = discussions.discussion(acteur_de(auteur), signalement=dossier)
        discussions.message(acteur_de(gestionnaire), ouverte, pieces_jointes=[fichier.pk])

    actions = ["SKIP"] if ailleurs else ["KEEP_TARGET", "KEEP_GUEST", "MERGE_FIELDS", "SKIP"]
    assert apercevoir(gestionnaire, invite)["conflicts"] == [conflit("FINGERPRINT", apporte, sien, actions=actions)]
    fusionner(gestionnaire, invite, acceptPolicy="MERGE_ALL")

    apporte.refresh_from_db()
    assert (apporte.compte, apporte.absorbe_par) == (gestionnaire, None if ailleurs else sien)

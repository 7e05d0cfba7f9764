"""Discussions and the reports they are about, through a merge."""

import pytest

from config.tests.outils import acteur_de, champs_refuses
from discussions.tests import fabriques
from guests.tests.outils import apercevoir, conflit, demander_fusion, fusionner, lignes, resolution
from signalements.tests import fabriques as signalements

pytestmark = pytest.mark.django_db
URL = "/api/v1/discussions/"
SIGNALEMENTS = "/api/v1/signalements/"
JOINTURES = ("KEEP_TARGET", "KEEP_GUEST", "MERGE_FIELDS")


# --- Discussions and their reports ----------------------------------------------------------------------------------


@pytest.fixture
def d_un_dossier(invite, etudiante):
    """Two reports of one reference and a discussion about each; `d_un_dossier(mode of the guest's, other titre)`."""

    def faire(mode="IDENTIFIE", titre="Suites"):
        dossier = signalements.signalement(acteur_de(etudiante), description="Dit d'une façon.")
        champs = {"reference": dossier.reference, "mode_identification": mode, "description": "Et d'une autre."}
        apporte = signalements.signalement(acteur_de(invite), **champs)
        apportee = fabriques.discussion(acteur_de(invite), titre, apporte)
        return (apporte, dossier), (apportee, fabriques.discussion(acteur_de(etudiante), "Mon dossier", dossier))

    return faire


def test_un_dossier_garde_a_part_dispense_ses_discussions_de_resolution(api, etudiante, invite, d_un_dossier):
    dossiers, (apportee, restante) = d_un_dossier()

    fusionner(etudiante, invite, resolution("SKIP", *dossiers))

    recues = api(etudiante).get(URL).json()["data"]["items"]
    assert {d["id"]: d["signalementId"] for d in recues} == {
        str(apportee.pk): str(dossiers[0].pk),
        str(restante.pk): str(dossiers[1].pk),
    }


def test_meme_titre_et_dossier_garde_a_part_est_encore_un_seul_conflit(etudiante, invite, d_un_dossier):
    dossiers, echanges = d_un_dossier(titre="Mon dossier")

    assert apercevoir(etudiante, invite)["conflicts"] == [
        conflit("REFERENCE", *dossiers),
        conflit("SAME_REPORT", *echanges),
    ]
    fusionner(etudiante, invite, resolution("SKIP", *dossiers))


def test_un_dossier_joint_demande_ce_que_deviennent_ses_discussions(api, etudiante, invite, d_un_dossier):
    dossiers, echanges = d_un_dossier()
    elle, demande = api(etudiante), {"resolutions": [resolution("KEEP_TARGET", *dossiers)]}

    refusee = demander_fusion(elle, invite, demande)
    acceptee = demander_fusion(elle, invite, {**demande, "acceptPolicy": "MERGE_ALL"})

    assert refusee.json()["details"] == [conflit("SAME_REPORT", *echanges)]
    assert acceptee.status_code == 200
    (recue,) = elle.get(URL).json()["data"]["items"]
    assert (recue["id"], recue["signalementId"]) == (str(echanges[1].pk), str(dossiers[1].pk))


def test_merge_all_garde_deux_discussions_ou_un_seul_dossier_se_cache(api, etudiante, invite, d_un_dossier):
    d_un_dossier(mode="ANONYME", titre="Mon dossier")

    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    assert api(etudiante).get(URL).json()["data"]["total"] == 2
    assert api(etudiante).get(f"{SIGNALEMENTS}me").json()["data"]["total"] == 2


@pytest.mark.parametrize("action", JOINTURES)
def test_deux_dossiers_dont_un_se_cache_gardent_chacun_leur_discussion(api, etudiante, invite, d_un_dossier, action):
    dossiers, echanges = d_un_dossier(mode="ANONYME")
    elle = api(etudiante)
    avant = lignes()
    corps = {"resolutions": [resolution("SKIP", *dossiers), resolution(action, *echanges)]}

    reponse = demander_fusion(elle, invite, corps)

    assert champs_refuses(reponse) == {"resolutions.1.action"}
    assert lignes() == avant


@pytest.mark.parametrize("action", JOINTURES)
def test_deux_dossiers_nommes_qui_restent_deux_peuvent_joindre_leurs_discussions(
    api, etudiante, invite, d_un_dossier, action
):
    dossiers, echanges = d_un_dossier()

    fusionner(etudiante, invite, resolution("SKIP", *dossiers), resolution(action, *echanges))

    (recue,) = api(etudiante).get(URL).json()["data"]["items"]
    assert (recue["id"], recue["signalementId"]) == (str(echanges[1].pk), str(dossiers[1].pk))


@pytest.mark.parametrize(("de_l_invite", "du_compte"), [("ANONYME", "IDENTIFIE"), ("IDENTIFIE", "ANONYME")])
def test_de_deux_dossiers_sans_rapport_dont_un_se_cache_seul_skip(api, etudiante, invite, de_l_invite, du_compte):
    paire = []
    for qui, mode in ((invite, de_l_invite), (etudiante, du_compte)):
        dossier = signalements.signalement(acteur_de(qui), description=mode, mode_identification=mode)
        paire.append(fabriques.discussion(acteur_de(qui), "Suites", dossier))

    assert apercevoir(etudiante, invite)["conflicts"] == [conflit("SAME_TITLE", *paire, actions=["SKIP"])]
    for action in JOINTURES:
        reponse = demander_fusion(api(etudiante), invite, {"resolutions": [resolution(action, *paire)]})
        assert champs_refuses(reponse) == {"resolutions.0.action"}
    fusionner(etudiante, invite, resolution("SKIP", *paire))
    assert api(etudiante).get(URL).json()["data"]["total"] == 2


@pytest.mark.parametrize("mode", ["IDENTIFIE", "ANONYME"])
def test_merge_all_ne_joint_pas_les_discussions_de_deux_dossiers_qui_restent_deux(api, etudiante, invite, mode):
    for qui in (invite, etudiante):
        champs = {"description": f"De {qui.pk}", "mode_identification": mode}
        fabriques.discussion(acteur_de(qui), "Suites", signalements.signalement(acteur_de(qui), **champs))

    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    assert api(etudiante).get(URL).json()["data"]["total"] == 2


def test_une_discussion_jointe_a_une_autre_sans_dossier_lui_donne_le_sien(api, etudiante, invite):
    dossier = signalements.signalement(acteur_de(invite), mode_identification="IDENTIFIE")
    apportee = fabriques.discussion(acteur_de(invite), "Suites", dossier)
    restante = fabriques.discussion(acteur_de(etudiante), "Suites")

    fusionner(etudiante, invite, resolution("KEEP_TARGET", apportee, restante))

    recue = api(etudiante).get(f"{URL}{restante.pk}").json()["data"]
    assert (recue["signalementId"], recue["signalementReference"]) == (str(dossier.pk), dossier.reference)


def test_ce_qui_etait_deja_joint_suit_la_discussion_qui_recoit_un_dossier(
    api, etudiante, gestionnaire, invite, autre_invite
):
    restante = fabriques.discussion(acteur_de(etudiante), "Suites")
    premiere = fabriques.discussion(acteur_de(invite), "Suites")
    fabriques.message(acteur_de(gestionnaire), premiere, "Nous vous lisons.")
    fusionner(etudiante, invite, resolution("KEEP_TARGET", premiere, restante))
    dossier = signalements.signalement(acteur_de(autre_invite), mode_identification="IDENTIFIE")
    seconde = fabriques.discussion(acteur_de(autre_invite), "Suites", dossier)
    fabriques.message(acteur_de(gestionnaire), seconde, "Et ici aussi.")

    fusionner(etudiante, autre_invite, resolution("KEEP_TARGET", seconde, restante))

    elle = api(etudiante)
    comptes = [
        elle.get(url).json()["data"]["messagesNonLusCount"]
        for url in (f"{URL}{restante.pk}", f"{SIGNALEMENTS}{dossier.pk}")
    ]
    assert comptes == [2, 2]


def test_une_discussion_nommee_n_entre_pas_dans_un_dossier_qui_se_cache(
    api, etudiante, gestionnaire, invite, autre_etudiante
):
    """Staff know who opened the one about no report: on the hidden case, it would say whose case that is."""
    cache = signalements.signalement(acteur_de(etudiante), mode_identification="ANONYME", description="Une façon.")
    champs = {"reference": cache.reference, "mode_identification": "IDENTIFIE", "description": "Une autre."}
    apporte = signalements.signalement(acteur_de(invite), **champs)
    apportee = fabriques.discussion(acteur_de(invite), "Suites", apporte)
    nommee = fabriques.discussion(acteur_de(etudiante), "Suites")
    equipe = api(gestionnaire)
    assert equipe.get(f"{URL}{nommee.pk}").json()["data"]["acteurId"] == str(etudiante.pk)

    fusionner(etudiante, invite, resolution("KEEP_TARGET", apporte, cache), acceptPolicy="MERGE_ALL")

    assert equipe.get(f"{URL}{nommee.pk}").json()["data"]["signalementId"] is None
    assert equipe.get(f"{URL}{apportee.pk}").json()["data"]["signalementId"] == str(cache.pk)


@pytest.mark.parametrize("action", JOINTURES)
def test_un_dossier_cache_par_la_fusion_meme_garde_ses_discussions_a_part(api, etudiante, invite, action):
    """The account's named report becomes anonymous by one resolution: another named case may not share its talk."""
    devenu_cache = signalements.signalement(acteur_de(etudiante), description="Une façon.")
    champs = {"reference": devenu_cache.reference, "description": "Une autre."}
    anonyme = signalements.signalement(acteur_de(invite), **champs)
    nomme = signalements.signalement(acteur_de(invite), mode_identification="IDENTIFIE", description="Autre chose.")
    apportee = fabriques.discussion(acteur_de(invite), "Suites", nomme)
    restante = fabriques.discussion(acteur_de(etudiante), "Suites", devenu_cache)
    resolutions = [resolution("KEEP_TARGET", anonyme, devenu_cache), resolution(action, apportee, restante)]

    reponse = demander_fusion(api(etudiante), invite, {"resolutions": resolutions})

    assert champs_refuses(reponse) == {"resolutions.1.action"}


# --- Third people ---------------------------------------------------------------------------------------------------


def test_ce_que_le_personnel_dit_sur_le_dossier_d_un_tiers_n_est_pas_a_lui(
    api, gestionnaire, etudiante, invite, signalement
):
    d_un_tiers = fabriques.discussion(acteur_de(gestionnaire), "Mon dossier", signalement)
    reference = signalements.signalement(acteur_de(invite), reference=signalement.reference)
    fabriques.discussion(acteur_de(invite), "Mon dossier", reference)
    fabriques.message(acteur_de(gestionnaire), d_un_tiers)
    avant = api(etudiante).get(f"{URL}{d_un_tiers.pk}").json()["data"]

    assert apercevoir(gestionnaire, invite)["conflicts"] == []
    fusionner(gestionnaire, invite, acceptPolicy="MERGE_ALL")

    assert api(etudiante).get(f"{URL}{d_un_tiers.pk}").json()["data"] == avant


def test_ce_que_le_personnel_a_ouvert_sur_le_dossier_de_l_invite_est_a_lui(api, gestionnaire, invite):
    dossier = signalements.signalement(acteur_de(invite))
    apportee = fabriques.discussion(acteur_de(invite), "Mes questions", dossier)
    de_l_equipe = fabriques.discussion(acteur_de(gestionnaire), "Prise de contact", dossier)

    assert apercevoir(gestionnaire, invite)["conflicts"] == [conflit("SAME_REPORT", apportee, de_l_equipe)]
    fusionner(gestionnaire, invite, acceptPolicy="MERGE_ALL")

    (recue,) = api(gestionnaire).get(URL).json()["data"]["items"]
    assert recue["id"] == str(de_l_equipe.pk)

"""Whom an author does not want to read a case, who withdraws from one, and who may take either back."""

import pytest
from django.test import Client

from accounts.services.comptes import modifier_preferences
from accounts.tests import fabriques as comptes
from accounts.tests.outils import entrer
from config.tests.outils import acteur_de, champs_refuses, client_de
from equipes.tests import fabriques as equipes
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.fabriques import desactiver, fusionner
from guests.tests.vue import service_vu, vivre
from signalements import ecarts
from signalements.compteurs.recompte import ecarts as ecarts_des_compteurs
from signalements.lecteurs import Acces, unir
from signalements.models import Signalement
from signalements.reserve import changer_equipe, changer_lecteurs
from signalements.services import assigner
from signalements.tests import fabriques
from signalements.vocabulaire import Origine
from socle.erreurs import ErreurMetier
from socle.realtime.canaux import audiences

pytestmark = pytest.mark.django_db
LECTEURS = "/api/v1/lecteurs/"
RECIT = {"titre": "Remarques", "description": "Devant l'amphi, deux fois.", "type": "HARCELEMENT"}
MOTIF = "Elle seule peut organiser votre accueil."


def paraitre(compte, fonction=""):
    modifier_preferences(compte=compte, parait_au_portail=True, fonction=fonction)
    return compte


@pytest.fixture
def ruth(db):
    """The manager whom the report is about."""
    ruth = comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    return paraitre(ruth, "Référente égalité")


@pytest.fixture
def sophie(db):
    return paraitre(comptes.admin(email="sophie@campus.test", nom="Tshala", prenom="Sophie"))


def signaler(qui, *comptes, **champs):
    return client_de(qui).post(
        "/api/v1/signalements/", {**RECIT, "nePasMontrerA": [str(un.pk) for un in comptes], **champs}
    )


def ecarter(qui, dossier, *comptes):
    ids = [str(un.pk) for un in comptes]
    return client_de(qui).put(f"/api/v1/signalements/{dossier.pk}/ne-pas-montrer", {"nePasMontrerA": ids})


def demandes(qui, dossier):
    lu = client_de(qui).get(f"/api/v1/signalements/{dossier.pk}/ne-pas-montrer")
    assert lu.status_code == 200
    return [une["nom"] for une in lu.json()["data"]["nePasMontrerA"]]


def lit(compte, dossier):
    return Signalement.objects.visibles_par(acteur_de(compte)).filter(pk=dossier.pk).exists()


def origine(dossier, compte):
    return dossier.regles.get(compte=compte).origine


# --- Who is named -----------------------------------------------------------------------------------------------------


def test_la_liste_a_qui_accepte_d_y_paraitre_et_traite_les_signalements(invite, etudiante, ruth, sophie, gestionnaire):
    partie = paraitre(comptes.gestionnaire(email="leo@campus.test"))
    partie.est_actif = False
    partie.enregistrer("est_actif")
    attendu = [
        {"id": str(ruth.pk), "nom": "Okito", "prenom": "Ruth", "fonction": "Référente égalité"},
        {"id": str(sophie.pk), "nom": "Tshala", "prenom": "Sophie", "fonction": None},
    ]

    for qui in (invite, etudiante, gestionnaire):
        assert client_de(qui).get(LECTEURS).json()["data"] == attendu
    assert Client().get(LECTEURS).status_code == 401


def test_qui_ne_veut_plus_y_paraitre_n_y_est_plus(ruth, etudiante):
    client_de(ruth).put("/api/v1/preferences", {"paraitAuPortail": False})

    assert client_de(etudiante).get(LECTEURS).json()["data"] == []


def test_seule_une_personne_de_l_equipe_y_parait(etudiante):
    refus = client_de(etudiante).put("/api/v1/preferences", {"paraitAuPortail": True})

    assert (refus.status_code, champs_refuses(refus)) == (422, {"paraitAuPortail"})


# --- At the creation --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", ["ruth", "sophie"])
def test_pour_qui_l_auteur_ecarte_le_dossier_n_a_jamais_ete(
    personne, invite, gestionnaire, persona, evenements, mailoutbox
):
    ecartee = personne(persona)
    site = entrer(ecartee.email, client=Client())
    vivre(invite, gestionnaire)
    avant = service_vu(client_de(ecartee), site, ecartee)

    with evenements() as publies:
        cree = signaler(invite, ecartee, priorite="HIGH")

    dossier = Signalement.objects.get(pk=cree.json()["data"]["id"])
    assert (cree.status_code, origine(dossier, ecartee)) == (201, Origine.AUTEUR)
    assert service_vu(client_de(ecartee), site, ecartee) == avant
    assert client_de(ecartee).get(f"/api/v1/signalements/{dossier.pk}").status_code == 404
    alertes = {un["canal"] for un in publies if un["type"] == "alert_created"}
    assert (alertes, {f"user:{ecartee.pk}"} & {un["canal"] for un in publies}) == ({f"user:{gestionnaire.pk}"}, set())
    assert audiences(acteur_de(ecartee), f"signalement:{dossier.pk}") == []
    assert lit(gestionnaire, dossier)
    assert ecarts_des_compteurs() == {}


def test_qui_serait_charge_du_dossier_par_une_regle_ne_l_est_pas(etudiante, ruth, gestionnaire):
    equipes.regle(equipes.equipe(ruth, gestionnaire), gestionnaire=ruth)

    dossier = Signalement.objects.get(pk=signaler(etudiante, ruth).json()["data"]["id"])

    assert (dossier.gestionnaire, lit(ruth, dossier), lit(gestionnaire, dossier)) == (None, False, True)


@pytest.mark.parametrize("qui", ["gestionnaire", "etudiante", "inconnu"])
def test_toute_autre_personne_recoit_le_meme_refus(personne, invite, ruth, gestionnaire, etudiante, qui):
    comme = Signalement() if qui == "inconnu" else personne(qui)

    refus = signaler(invite, ruth, comme)

    assert (refus.status_code, champs_refuses(refus)) == (422, {"nePasMontrerA"})
    assert refus.json()["details"][0]["message"] == "Choisissez des personnes de la liste, comme elle est à présent."
    assert not Signalement.objects.exists()


def test_vingt_personnes_au_plus(invite, ruth, gestionnaire):
    refus = signaler(invite, *[ruth] * 21)

    assert (refus.status_code, champs_refuses(refus)) == (422, {"nePasMontrerA"})
    assert signaler(invite, *[ruth] * 20).status_code == 201


def test_il_reste_quelqu_un_pour_lire_ou_pour_le_rouvrir(invite, ruth, sophie):
    assert signaler(invite, ruth).status_code == 201
    refus = signaler(invite, ruth, sophie)

    assert (refus.status_code, champs_refuses(refus)) == (422, {"nePasMontrerA"})
    assert Signalement.objects.count() == 1


def test_son_auteur_ne_compte_pas_parmi_qui_reste(ruth, sophie):
    assert signaler(ruth, sophie).status_code == 422


# --- Afterwards, by its author ----------------------------------------------------------------------------------------


def test_son_auteur_seul_le_sait_l_ajoute_et_y_revient(invite, etudiante, gestionnaire, admin, ruth, sophie):
    dossier = fabriques.signalement(acteur_de(invite))
    assigner(signalement=dossier, gestionnaire_id=ruth.pk, acteur=acteur_de(admin))
    chemin = f"/api/v1/signalements/{dossier.pk}/ne-pas-montrer"

    assert ecarter(invite, dossier, ruth, sophie).status_code == 200
    dossier.refresh_from_db()
    assert (dossier.gestionnaire, lit(ruth, dossier), lit(sophie, dossier)) == (None, False, False)
    assert demandes(invite, dossier) == ["Okito", "Tshala"]
    for qui, statut in ((gestionnaire, 403), (etudiante, 403), (ruth, 404)):
        assert client_de(qui).get(chemin).status_code == statut
        assert ecarter(qui, dossier).status_code == statut

    assert ecarter(invite, dossier, sophie).status_code == 200
    assert (lit(ruth, dossier), lit(sophie, dossier), demandes(invite, dossier)) == (True, False, ["Tshala"])
    assert ecarts_des_compteurs() == {}


def test_qui_est_ecarte_le_reste_sans_plus_paraitre(invite, ruth, sophie, gestionnaire):
    dossier = fabriques.signalement(acteur_de(invite), ne_pas_montrer_a=[ruth.pk])
    modifier_preferences(compte=ruth, parait_au_portail=False)

    assert ecarter(invite, dossier, ruth, sophie).status_code == 200
    assert ecarter(invite, dossier).status_code == 200
    assert ecarter(invite, dossier, ruth).status_code == 422


def test_un_dossier_a_des_personnes_nommees_ne_s_ouvre_pas_a_d_autres(invite, ruth, gestionnaire, admin):
    dossier = fabriques.signalement(acteur_de(invite))
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), admis=[ruth.pk])

    ecarter(invite, dossier, ruth)
    assert [lit(un, dossier) for un in (ruth, gestionnaire)] == [False, False]
    ecarter(invite, dossier)
    assert [lit(un, dossier) for un in (ruth, gestionnaire)] == [False, False]


def test_qui_l_equipe_a_ecarte_le_reste_quand_l_auteur_y_revient(invite, ruth, gestionnaire, admin):
    dossier = fabriques.signalement(acteur_de(invite))
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[ruth.pk])

    assert demandes(invite, dossier) == []
    ecarter(invite, dossier, ruth)
    assert (origine(dossier, ruth), demandes(invite, dossier)) == (Origine.LES_DEUX, ["Okito"])
    ecarter(invite, dossier)
    assert (origine(dossier, ruth), demandes(invite, dossier), lit(ruth, dossier)) == (Origine.EQUIPE, [], False)


# --- Afterwards, by the team ------------------------------------------------------------------------------------------


def rendre_la_lecture(qui, dossier, **corps):
    return client_de(qui).put(f"/api/v1/signalements/{dossier.pk}/lecteurs", {"ecartes": [], **corps})


def test_un_administrateur_seul_y_revient_et_son_auteur_lit_pourquoi(invite, ruth, gestionnaire, admin, evenements):
    dossier = fabriques.signalement(acteur_de(invite), ne_pas_montrer_a=[ruth.pk])

    assert champs_refuses(rendre_la_lecture(gestionnaire, dossier, motif=MOTIF)) == {"ecartes"}
    assert champs_refuses(rendre_la_lecture(admin, dossier)) == {"motif"}
    assert champs_refuses(rendre_la_lecture(admin, dossier, admis=[str(ruth.pk)])) == {"motif"}
    assert not lit(ruth, dossier)

    with evenements() as publies:
        assert rendre_la_lecture(admin, dossier, motif=MOTIF).status_code == 200

    dite = f"L'administration est revenue sur qui ne doit pas lire ce dossier : {MOTIF}"
    assert lit(ruth, dossier)
    for qui in (ruth, gestionnaire, admin):
        lues = client_de(qui).get(f"/api/v1/signalements/{dossier.pk}/timeline").json()["data"]
        assert MOTIF not in str(lues)
    assert (
        client_de(invite).get(f"/api/v1/signalements/{dossier.pk}/timeline").json()["data"][-1]["description"] == dite
    )
    assert MOTIF not in str(publies)
    assert demandes(invite, dossier) == []


def test_qui_le_lit_sait_qui_l_a_demande(invite, ruth, gestionnaire):
    dossier = fabriques.signalement(acteur_de(invite), ne_pas_montrer_a=[ruth.pk])

    lu = client_de(gestionnaire).get(f"/api/v1/signalements/{dossier.pk}/lecteurs").json()["data"]

    assert [(une["nom"], une["origine"], une["par"]) for une in lu["ecartes"]] == [("Okito", "AUTEUR", None)]


def test_ecarter_une_autre_personne_laisse_ce_que_l_auteur_a_dit(invite, ruth, gestionnaire, admin):
    dossier = fabriques.signalement(acteur_de(invite), ne_pas_montrer_a=[ruth.pk])
    leo = comptes.gestionnaire(email="leo@campus.test")

    changer_lecteurs(signalement=dossier, acteur=acteur_de(gestionnaire), ecartes=[ruth.pk, leo.pk])

    assert [origine(dossier, un) for un in (ruth, leo)] == [Origine.AUTEUR, Origine.EQUIPE]


def test_deux_dossiers_joints_gardent_ce_que_leur_auteur_a_dit(invite, ruth, sophie, gestionnaire):
    source = fabriques.signalement(acteur_de(invite), ne_pas_montrer_a=[ruth.pk])
    cible = fabriques.signalement(acteur_de(invite), ne_pas_montrer_a=[sophie.pk])

    unir(source, cible)
    cible.save()

    assert [origine(cible, un) for un in (ruth, sophie)] == [Origine.AUTEUR, Origine.AUTEUR]
    assert Acces.de(cible).ecartes == {ruth.pk, sophie.pk}


@pytest.mark.parametrize(
    ("une", "autre", "ensemble"),
    [
        ("AUTEUR", "EQUIPE", "LES_DEUX"),
        ("SOI", "AUTEUR", "LES_DEUX"),
        ("LES_DEUX", "AUTEUR", "LES_DEUX"),
        ("SOI", "EQUIPE", "EQUIPE"),
        ("AUTEUR", "AUTEUR", "AUTEUR"),
    ],
)
def test_deux_dossiers_joints_gardent_la_parole_de_chacun(invite, ruth, gestionnaire, une, autre, ensemble):
    source, cible = (fabriques.signalement(acteur_de(invite), ne_pas_montrer_a=[ruth.pk]) for _rang in range(2))
    source.regles.update(origine=une)
    cible.regles.update(origine=autre)

    unir(source, cible)

    assert origine(cible, ruth) == ensemble


def test_l_auteur_d_un_dossier_anonyme_n_est_nomme_a_personne(etudiante, ruth, gestionnaire, admin):
    dossier = fabriques.signalement(acteur_de(etudiante), mode_identification="ANONYME")

    ecarter(etudiante, dossier, ruth)

    for suite in ("", "/lecteurs", "/timeline"):
        for qui in (gestionnaire, admin):
            lu = client_de(qui).get(f"/api/v1/signalements/{dossier.pk}{suite}").text
            assert etudiante.nom not in lu, suite
            assert str(etudiante.pk) not in lu, suite
    assert dossier.regles.get().par is None


def test_l_auteur_n_apprend_pas_qui_traitait_son_dossier(invite, ruth, sophie, gestionnaire, evenements):
    pris, libre = (fabriques.signalement(acteur_de(invite)) for _rang in range(2))
    assigner(signalement=pris, gestionnaire_id=ruth.pk, acteur=acteur_de(gestionnaire))

    def histoire(dossier):
        return client_de(invite).get(f"/api/v1/signalements/{dossier.pk}/timeline").json()["data"]

    avant = [histoire(un) for un in (pris, libre)]
    with evenements() as publies:
        for dossier in (pris, libre):
            ecarter(invite, dossier, ruth)

    assert [histoire(un) for un in (pris, libre)] == avant
    assert [un for un in publies if un["canal"] == f"signalement:{pris.pk}"] == []
    pris.refresh_from_db()
    assert pris.gestionnaire is None


def test_qui_a_change_de_role_reste_ecarte_sans_empecher_d_en_ecarter_d_autres(invite, ruth, gestionnaire, admin):
    dossier = fabriques.signalement(acteur_de(invite), ne_pas_montrer_a=[ruth.pk])
    ruth.type_utilisateur = "UTILISATEUR"
    ruth.enregistrer("type_utilisateur")
    leo = comptes.gestionnaire(email="leo@campus.test")

    changer_lecteurs(signalement=dossier, acteur=acteur_de(gestionnaire), ecartes=[ruth.pk, leo.pk])

    assert Acces.de(dossier).ecartes == {ruth.pk, leo.pk}


def test_deplace_un_dossier_que_personne_n_a_le_droit_de_lire_ne_s_ouvre_pas(invite, ruth, gestionnaire, admin):
    dossier = fabriques.signalement(acteur_de(invite))
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), admis=[ruth.pk])
    ecarter(invite, dossier, ruth)

    equipe = equipes.equipe(gestionnaire)
    changer_equipe(signalement=dossier, equipe_id=equipe.pk, motif=MOTIF, acteur=acteur_de(admin))

    assert (dossier.equipe_id, lit(gestionnaire, dossier), lit(ruth, dossier)) == (equipe.pk, False, False)


def test_une_session_fermee_depuis_la_porte_ne_change_plus_rien(invite, ruth, gestionnaire):
    dossier = fabriques.signalement(acteur_de(invite))
    acteur = acteur_de(invite)
    desactiver(invite)

    with pytest.raises(ErreurMetier):
        ecarts.ne_pas_montrer(signalement=dossier, acteur=acteur, ne_pas_montrer_a=[ruth.pk])

    assert not dossier.regles.exists()


def test_une_fusion_defaite_rend_ce_que_l_auteur_a_dit_depuis(invite, etudiante, ruth, gestionnaire, admin):
    memes = {"description": "Devant l'amphi, deux fois.", "titre": "Remarques", "mode_identification": "ANONYME"}
    sien = fabriques.signalement(acteur_de(etudiante), **memes)
    joint = fabriques.signalement(acteur_de(invite), reference=sien.reference, **memes)
    fusionner(invite, etudiante)
    joint.refresh_from_db()
    assert joint.absorbe_par == sien
    ecarter(etudiante, sien, ruth)

    annuler(AuditFusion.objects.get())

    joint.refresh_from_db()
    assert [lit(ruth, un) for un in (joint, sien)] == [False, False]
    assert ecarts_des_compteurs() == {}


# --- Withdrawing ------------------------------------------------------------------------------------------------------


def se_retirer(qui, dossier):
    return client_de(qui).put(f"/api/v1/signalements/{dossier.pk}/retrait").status_code


def test_qui_ne_doit_pas_le_lire_se_retire_et_n_y_revient_pas_seul(invite, gestionnaire, admin):
    dossier = fabriques.signalement(acteur_de(invite))
    assigner(signalement=dossier, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))

    assert se_retirer(gestionnaire, dossier) == 204

    dossier.refresh_from_db()
    assert (dossier.gestionnaire, origine(dossier, gestionnaire)) == (None, Origine.SOI)
    for methode, suite, corps in (
        ("get", "", None),
        ("put", "/retrait", None),
        ("put", "/lecteurs", {"ecartes": []}),
        ("put", "/equipe", {"equipeId": None, "motif": MOTIF}),
    ):
        appel = getattr(client_de(gestionnaire), methode)
        chemin = f"/api/v1/signalements/{dossier.pk}{suite}"
        assert (appel(chemin) if corps is None else appel(chemin, corps)).status_code == 404, suite
    assert client_de(invite).get(f"/api/v1/signalements/{dossier.pk}/timeline").text.count("Retrait") == 0
    lue = client_de(admin).get(f"/api/v1/signalements/{dossier.pk}/timeline").json()["data"][-1]
    assert lue["description"] == "Retrait de soi-même : cette personne ne lit plus ce dossier."
    assert ecarts_des_compteurs() == {}

    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin))
    assert lit(gestionnaire, dossier)


def test_un_administrateur_qui_s_est_retire_ne_le_rouvre_pas(invite, gestionnaire, admin):
    dossier = fabriques.signalement(acteur_de(invite))

    assert se_retirer(admin, dossier) == 204

    assert client_de(admin).put(f"/api/v1/signalements/{dossier.pk}/lecteurs", {"ecartes": []}).status_code == 404


def test_la_derniere_personne_a_pouvoir_le_lire_ne_s_en_retire_pas(invite, gestionnaire):
    dossier = fabriques.signalement(acteur_de(invite))

    assert se_retirer(gestionnaire, dossier) == 409
    assert lit(gestionnaire, dossier)


def test_on_ne_se_retire_ni_du_sien_ni_de_celui_qu_on_ne_lit_pas(gestionnaire, admin, etudiante):
    sien = fabriques.signalement(acteur_de(gestionnaire))
    d_une_equipe = equipes.confier(fabriques.signalement(acteur_de(etudiante)), equipes.equipe(admin))

    assert [se_retirer(gestionnaire, un) for un in (sien, d_une_equipe)] == [403, 404]
    assert se_retirer(etudiante, sien) == 403

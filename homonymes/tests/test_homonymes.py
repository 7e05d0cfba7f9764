"""A report that names somebody of the staff: who does not read it meanwhile, who decides, and what they find."""

from datetime import date, timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.services.comptes import creer, desactiver, modifier, modifier_preferences, reactiver
from accounts.tests import fabriques as comptes
from accounts.tests.outils import entrer
from config.tests.outils import acteur_de, champs_refuses, client_de
from equipes.tests import fabriques as equipes
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.fabriques import fusionner
from guests.tests.vue import service_vu, vivre
from homonymes import lectures, services
from homonymes.entretien import rappeler_les_noms
from homonymes.models import BaseAnterieure, Homonyme
from signalements.compteurs.recompte import ecarts as ecarts_des_compteurs
from signalements.compteurs.suivi import suivre
from signalements.ecarts import ne_pas_montrer
from signalements.lecteurs import Acces, poser
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs
from signalements.services import assigner
from signalements.suppression import retirer, verrouiller
from signalements.tests import fabriques
from signalements.vocabulaire import Origine
from socle.audit.models import Trace
from socle.domaine.droits import Role
from socle.erreurs import ChampsInvalides, Introuvable
from socle.realtime.canaux import audiences
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
NOMS = "/api/v1/homonymes/"
CACHE = {"modeIdentification": "ANONYME"}
RECIT = {"titre": "Remarques", "description": "Devant l'amphi, deux fois.", "type": "HARCELEMENT"}


@pytest.fixture
def ruth(db):
    """The manager whom the report names."""
    return comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth")


@pytest.fixture
def sophie(db):
    """Another administrator than Rose."""
    return comptes.admin(email="sophie@campus.test", nom="Tshala", prenom="Sophie")


def signaler(qui, presume="C'est Ruth Okito, du bureau 12.", **champs):
    cree = client_de(qui).post("/api/v1/signalements/", {**RECIT, "auteurPresume": presume, **champs})
    assert cree.status_code == 201
    return Signalement.objects.get(pk=cree.json()["data"]["id"])


def lit(compte, dossier):
    return Signalement.objects.visibles_par(acteur_de(compte)).filter(pk=dossier.pk).exists()


def origine(dossier, compte):
    return dossier.regles.filter(compte=compte).values_list("origine", flat=True).first()


def a_decider(qui):
    lu = client_de(qui).get(NOMS)
    assert lu.status_code == 200
    return lu.json()["data"]["items"]


def decider(qui, un, *, oui):
    return client_de(qui).put(f"{NOMS}{un['id']}", {"estLaPersonne": oui})


def prevenus(mailoutbox):
    faire_les_taches()
    vers = sorted(un.to[0] for un in mailoutbox if "Un nom est à vérifier" in un.subject)
    mailoutbox.clear()
    return vers


# --- At the creation --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", ["ruth", "sophie"])
def test_pour_qui_le_signalement_nomme_il_n_a_jamais_ete(personne, invite, gestionnaire, admin, persona, evenements):
    nommee = personne(persona)
    site = entrer(nommee.email, client=Client())
    vivre(invite, gestionnaire)
    avant = service_vu(client_de(nommee), site, nommee)

    with evenements() as publies:
        dossier = signaler(invite, f"Je crois que c'est {nommee.nom} {nommee.prenom}", priorite="HIGH")

    assert origine(dossier, nommee) == Origine.HOMONYME
    assert service_vu(client_de(nommee), site, nommee) == avant
    assert client_de(nommee).get(f"/api/v1/signalements/{dossier.pk}").status_code == 404
    assert f"user:{nommee.pk}" not in {un["canal"] for un in publies}
    assert audiences(acteur_de(nommee), f"signalement:{dossier.pk}") == []
    assert lit(gestionnaire, dossier)
    assert ecarts_des_compteurs() == {}


def test_les_administrateurs_que_rien_ne_nomme_en_decident_sous_deux_jours(
    etudiante, ruth, admin, sophie, monkeypatch, mailoutbox, settings
):
    settings.PAYS_FERIES = ""
    monkeypatch.setattr("echeances.jours.jour_du_campus", lambda: date(2026, 11, 26))  # a Thursday

    dossier = signaler(etudiante, "Ruth Okito et Sophie Tshala")

    assert prevenus(mailoutbox) == ["rose@campus.test"]
    lus = a_decider(admin)
    dits = sorted((un["nom"], un["ecarte"], un["decision"], un["jusquAu"]) for un in lus)
    assert dits == [(nom, True, "EN_ATTENTE", "2026-11-30") for nom in ("Okito", "Tshala")]
    assert {un["reference"] for un in lus} == {dossier.reference}
    assert a_decider(sophie) == []
    assert client_de(ruth).get(NOMS).status_code == 403


def test_son_auteur_n_en_voit_rien(etudiante, ruth, admin):
    dossier = signaler(etudiante)

    lu = client_de(etudiante).get(f"/api/v1/signalements/{dossier.pk}/ne-pas-montrer").json()["data"]
    histoire = client_de(etudiante).get(f"/api/v1/signalements/{dossier.pk}/timeline").json()["data"]

    assert lu["nePasMontrerA"] == []
    assert [un["type"] for un in histoire] == ["CREATION"]


@pytest.mark.parametrize("presume", ["", "Un étudiant", "Ruth", "Awa Diop"])
def test_qui_ne_nomme_personne_de_l_equipe_n_ecarte_personne(etudiante, ruth, gestionnaire, presume, mailoutbox):
    dossier = signaler(etudiante, presume)

    assert (dossier.est_ouvert_a_tous, Homonyme.objects.count(), prevenus(mailoutbox)) == (True, 0, [])


def test_une_personne_de_l_equipe_qui_signale_sous_son_nom_n_est_pas_ecartee_du_sien(ruth, admin):
    assert signaler(ruth).est_ouvert_a_tous


def test_au_dela_de_trois_noms_personne_n_est_ecarte_et_les_autres_l_apprennent(
    etudiante, ruth, gestionnaire, admin, sophie, mailoutbox
):
    leo = comptes.gestionnaire(email="leo@campus.test", nom="Mutombo", prenom="Léo")

    dossier = signaler(etudiante, "Ruth Okito, Paul Ilunga, Léo Mutombo, Sophie Tshala")

    assert dossier.est_ouvert_a_tous
    assert all(lit(un, dossier) for un in (ruth, gestionnaire, leo, sophie, admin))
    assert prevenus(mailoutbox) == ["rose@campus.test"]
    assert [(un["ecarte"], un["decision"]) for un in a_decider(admin)] == [(False, "EN_ATTENTE")] * 4
    assert a_decider(sophie) == []


def test_trois_noms_sont_ecartes_et_chacun_a_sa_decision(etudiante, ruth, gestionnaire, admin, sophie):
    dossier = signaler(etudiante, "Ruth Okito, Paul Ilunga, Sophie Tshala")
    assert not any(lit(un, dossier) for un in (ruth, gestionnaire, sophie))

    (un,) = [un for un in a_decider(admin) if un["nom"] == "Okito"]
    decider(admin, un, oui=True)

    assert [origine(dossier, un) for un in (ruth, gestionnaire)] == [Origine.EQUIPE, Origine.HOMONYME]
    assert {(un["nom"], un["ecarte"]) for un in a_decider(admin)} == {("Ilunga", True), ("Tshala", True)}


def test_un_dossier_ne_dit_rien_d_un_autre(etudiante, ruth, gestionnaire, admin, settings):
    """What waits, was said or is shut out of one, is of that one."""
    verifie, attend = signaler(etudiante), signaler(etudiante)
    decider(admin, next(un for un in a_decider(admin) if un["signalementId"] == str(verifie.pk)), oui=False)
    settings.ECARTER_HOMONYMES = False
    jamais = signaler(etudiante)
    settings.ECARTER_HOMONYMES = True
    changer_lecteurs(signalement=verifie, acteur=acteur_de(admin), ecartes=[ruth.pk])

    changer_lecteurs(signalement=verifie, acteur=acteur_de(gestionnaire))
    services.rapprocher(ruth)

    assert [lit(ruth, un) for un in (verifie, attend, jamais)] == [True, False, False]
    quatre = "Ruth Okito, Paul Ilunga, Zoé Nomun, Zoé Nomdeux"
    for nom in ("Nomun", "Nomdeux"):
        comptes.gestionnaire(nom=nom, prenom="Zoé")
    trop = signaler(etudiante, quatre)
    assert {un["ecarte"] for un in a_decider(admin) if un["signalementId"] == str(trop.pk)} == {False}


def test_une_regle_par_le_nom_a_toujours_sa_decision(etudiante, ruth, gestionnaire, admin):
    """Though the name is not read any more when it is kept: it was changed that very moment."""
    dossier = fabriques.signalement(acteur_de(etudiante))
    with suivre(dossier):
        poser(dossier, Acces.de(dossier).sans([ruth.pk]), None, {ruth.pk: Origine.HOMONYME})
        dossier.save()

    services.noter(dossier)

    assert [un["nom"] for un in a_decider(admin)] == ["Okito"]


def test_personne_n_est_ecarte_ou_plus_personne_ne_lirait(etudiante, ruth, mailoutbox):
    dossier = signaler(etudiante)

    assert (dossier.est_ouvert_a_tous, lit(ruth, dossier)) == (True, True)
    assert Homonyme.objects.get().signalement_id == dossier.pk


def test_qui_serait_charge_du_dossier_par_une_regle_ne_l_est_pas(etudiante, ruth, gestionnaire):
    equipes.regle(equipes.equipe(ruth, gestionnaire), gestionnaire=ruth)

    dossier = signaler(etudiante)

    assert (dossier.gestionnaire, lit(ruth, dossier), lit(gestionnaire, dossier)) == (None, False, True)


def test_seule_de_son_equipe_elle_recoit_le_dossier_si_personne_ne_peut_le_rouvrir(etudiante, ruth):
    equipes.regle(equipes.equipe(ruth), gestionnaire=ruth)

    dossier = signaler(etudiante)

    assert (dossier.gestionnaire, dossier.ouvert_a) == (ruth, "EQUIPE")


def test_qui_l_auteur_ecarte_et_nomme_reste_ecarte_quand_il_y_revient(etudiante, ruth, admin):
    modifier_preferences(compte=ruth, parait_au_portail=True)
    dossier = signaler(etudiante, nePasMontrerA=[str(ruth.pk)])
    assert (origine(dossier, ruth), len(a_decider(admin))) == (Origine.AUTEUR, 1)

    ne_pas_montrer(signalement=dossier, acteur=acteur_de(etudiante), ne_pas_montrer_a=[])

    assert (lit(ruth, dossier), origine(dossier, ruth)) == (False, Origine.HOMONYME)
    decider(admin, a_decider(admin)[0], oui=False)
    assert lit(ruth, dossier)


# --- Decided ----------------------------------------------------------------------------------------------------------


def test_si_c_est_elle_elle_reste_ecartee(etudiante, ruth, admin, sophie):
    dossier = signaler(etudiante)
    (un,) = a_decider(admin)

    reponse = decider(admin, un, oui=True)

    assert (reponse.status_code, reponse.json()["data"]["decision"]) == (200, "ECARTE")
    assert (lit(ruth, dossier), origine(dossier, ruth)) == (False, Origine.EQUIPE)
    assert a_decider(admin) == a_decider(sophie) == []
    assert decider(sophie, un, oui=True).status_code == 200
    autrement = decider(sophie, un, oui=False)
    assert (autrement.status_code, autrement.json()["code"]) == (409, "NAME_ALREADY_DECIDED")
    trace = Trace.objects.get(acte="HOMONYME_DECIDE")
    assert (trace.acteur, trace.objet, trace.details) == (admin.pk, dossier.pk, {"decision": "ECARTE"})


def test_si_ce_n_est_pas_elle_elle_lit_le_dossier_et_plus_rien_ne_le_dit(etudiante, ruth, admin, mailoutbox):
    dossier = signaler(etudiante)
    prevenus(mailoutbox)
    (un,) = a_decider(admin)

    assert decider(admin, un, oui=False).status_code == 200

    dossier.refresh_from_db()
    assert (lit(ruth, dossier), dossier.est_ouvert_a_tous, dossier.regles.count()) == (True, True, 0)
    faire_les_taches()
    assert mailoutbox == []
    assert ecarts_des_compteurs() == {}


def test_trop_nombreux_chacun_est_ecarte_quand_on_l_a_dit_sauf_le_dernier(etudiante, ruth, gestionnaire, admin):
    autres = [comptes.gestionnaire(nom=f"Nom{n}", prenom="Zoé") for n in ("un", "deux")]
    dossier = signaler(etudiante, "Ruth Okito, Paul Ilunga, Zoé Nomun, Zoé Nomdeux")
    noms = a_decider(admin)

    for un in noms:
        assert decider(admin, un, oui=True).status_code == 200

    assert [lit(un, dossier) for un in (ruth, gestionnaire, *autres)] == [False] * 4
    assert lit(admin, dossier)


@pytest.mark.parametrize("qui", ["ruth", "gestionnaire", "etudiante", "invite"])
def test_nul_autre_qu_un_administrateur_n_en_decide(personne, etudiante, ruth, admin, qui):
    signaler(etudiante)
    (un,) = a_decider(admin)

    refus = decider(personne(qui), un, oui=False)

    assert refus.status_code in (401, 403)
    assert Homonyme.objects.get().decision == "EN_ATTENTE"


def test_qui_est_nomme_dans_le_dossier_n_en_decide_pas_meme_d_une_autre(etudiante, ruth, admin, sophie):
    signaler(etudiante, "Ruth Okito ou Sophie Tshala")

    for un in a_decider(admin):
        assert decider(sophie, un, oui=False).status_code == 404
    with pytest.raises(Introuvable):  # nor once the door is passed
        services.decider(homonyme=Homonyme.objects.first(), acteur=acteur_de(sophie), est_la_personne=False)


def test_qui_en_fut_ecarte_autrement_n_en_sait_rien(etudiante, ruth, admin, sophie):
    dossier = signaler(etudiante)
    (un,) = a_decider(sophie)
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[ruth.pk, sophie.pk])

    assert (a_decider(sophie), decider(sophie, un, oui=False).status_code) == ([], 404)


def test_un_administrateur_d_aucune_equipe_en_decide_sans_lire_le_dossier(etudiante, ruth, gestionnaire, admin):
    equipes.regle(equipes.equipe(ruth, gestionnaire))
    dossier = signaler(etudiante)
    (un,) = a_decider(admin)

    reponse = decider(admin, un, oui=False)

    assert reponse.status_code == 200
    assert (lit(ruth, dossier), lit(admin, dossier)) == (True, False)
    dite = str(reponse.json())
    assert not any(mot in dite for mot in (RECIT["titre"], RECIT["description"], "bureau 12"))


def test_ecartee_en_attendant_personne_ne_lui_rend_la_lecture_autrement(etudiante, ruth, gestionnaire, admin):
    dossier = signaler(etudiante)

    for qui in (gestionnaire, admin):
        with pytest.raises(ChampsInvalides):
            changer_lecteurs(signalement=dossier, acteur=acteur_de(qui))
    assert not lit(ruth, dossier)
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[ruth.pk], admis=[gestionnaire.pk])
    assert origine(dossier, ruth) == Origine.HOMONYME


@pytest.mark.parametrize("oui", [None, True])
def test_une_autre_personne_du_meme_dossier_est_rendue_par_qui_l_avait_ecartee(
    etudiante, ruth, gestionnaire, admin, oui
):
    leo = comptes.gestionnaire(email="leo@campus.test", nom="Mutombo", prenom="Léo")
    dossier = signaler(etudiante)
    if oui:
        decider(admin, a_decider(admin)[0], oui=True)
    for ecartes in ([ruth.pk, leo.pk], [ruth.pk]):
        changer_lecteurs(signalement=dossier, acteur=acteur_de(gestionnaire), ecartes=ecartes)

    assert (lit(leo, dossier), lit(ruth, dossier)) == (True, False)


def test_l_auteur_revient_sur_qui_il_ecarte_sans_toucher_a_ce_qu_a_dit_l_equipe(etudiante, ruth, gestionnaire, admin):
    """Who waits to be looked at, and was shut out by the team as well, is not of the author's word."""
    leo = comptes.gestionnaire(email="leo@campus.test", nom="Mutombo", prenom="Léo")
    for un in (ruth, leo):
        modifier_preferences(compte=un, parait_au_portail=True)
    dossier = signaler(etudiante, nePasMontrerA=[str(leo.pk)])
    dossier.regles.filter(compte=ruth).update(origine=Origine.EQUIPE)

    ne_pas_montrer(signalement=dossier, acteur=acteur_de(etudiante), ne_pas_montrer_a=[])

    assert (lit(leo, dossier), origine(dossier, ruth)) == (True, Origine.EQUIPE)


def test_l_auteur_revient_sur_l_une_sans_toucher_a_ce_qu_il_dit_de_l_autre(etudiante, ruth, gestionnaire, admin):
    leo = comptes.gestionnaire(email="leo@campus.test", nom="Mutombo", prenom="Léo")
    for un in (ruth, leo):
        modifier_preferences(compte=un, parait_au_portail=True)
    dossier = signaler(etudiante, nePasMontrerA=[str(leo.pk), str(ruth.pk)])

    ne_pas_montrer(signalement=dossier, acteur=acteur_de(etudiante), ne_pas_montrer_a=[ruth.pk])

    assert (lit(leo, dossier), origine(dossier, ruth)) == (True, Origine.AUTEUR)


def test_apres_un_oui_un_administrateur_seul_y_revient(etudiante, ruth, gestionnaire, admin):
    dossier = signaler(etudiante)
    decider(admin, a_decider(admin)[0], oui=True)

    with pytest.raises(ChampsInvalides):
        changer_lecteurs(signalement=dossier, acteur=acteur_de(gestionnaire))
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin))

    assert lit(ruth, dossier)


def test_qui_lit_un_dossier_qui_le_nomme_ne_dit_pas_qui_le_lit(etudiante, ruth, gestionnaire, admin, sophie):
    """Of four names nobody is shut out: one of them must not shut out who decides, nor take the case elsewhere."""
    comptes.gestionnaire(email="leo@campus.test", nom="Mutombo", prenom="Léo")
    equipe = equipes.equipe(sophie, ruth)
    dossier = signaler(etudiante, "Ruth Okito, Paul Ilunga, Léo Mutombo, Sophie Tshala")
    chemin = f"/api/v1/signalements/{dossier.pk}"
    fermer = {"ecartes": [str(admin.pk)]}
    emmener = {"equipeId": str(equipe.pk), "motif": "La nôtre."}

    for qui in (sophie, ruth):
        assert client_de(qui).put(f"{chemin}/lecteurs", fermer).status_code == 403
        assert client_de(qui).put(f"{chemin}/equipe", emmener).status_code == 403
    assert len(a_decider(admin)) == 4
    for un in a_decider(admin):
        decider(admin, un, oui=un["nom"] == "Okito")
    assert client_de(sophie).put(f"{chemin}/lecteurs", {"ecartes": [str(ruth.pk)]}).status_code == 200
    assert client_de(ruth).put(f"{chemin}/lecteurs", fermer).status_code == 404


@pytest.mark.parametrize("comment", ["partie", "non nommée"])
def test_qui_ne_le_lit_pas_et_y_est_nomme_n_y_vient_pas_autrement(
    etudiante, ruth, gestionnaire, admin, sophie, comment
):
    """Of four names nobody is shut out; she leaves the team, or others are named alone."""
    comptes.gestionnaire(email="leo@campus.test", nom="Mutombo", prenom="Léo")
    dossier = signaler(etudiante, "Ruth Okito, Paul Ilunga, Léo Mutombo, Sophie Tshala")
    if comment == "partie":
        equipes.confier(dossier, equipes.equipe(gestionnaire))
    else:
        changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), admis=[admin.pk])
    chemin = f"/api/v1/signalements/{dossier.pk}"

    for suite, corps in (("lecteurs", {"admis": [str(sophie.pk)]}), ("equipe", {"equipeId": None, "motif": "À nous."})):
        assert client_de(sophie).put(f"{chemin}/{suite}", corps).status_code == 404
    assert not lit(sophie, dossier)


@pytest.mark.parametrize("oui", [True, False])
def test_ce_que_demande_l_auteur_reste(etudiante, ruth, admin, oui):
    dossier = signaler(etudiante)
    (un,) = a_decider(admin)
    modifier_preferences(compte=ruth, parait_au_portail=True)
    ne_pas_montrer(signalement=dossier, acteur=acteur_de(etudiante), ne_pas_montrer_a=[ruth.pk])
    assert origine(dossier, ruth) == Origine.AUTEUR

    assert decider(admin, un, oui=oui).status_code == 200

    assert (lit(ruth, dossier), origine(dossier, ruth)) == (False, Origine.LES_DEUX if oui else Origine.AUTEUR)
    ne_pas_montrer(signalement=dossier, acteur=acteur_de(etudiante), ne_pas_montrer_a=[])
    assert lit(ruth, dossier) is not oui


def test_qui_le_lit_de_nouveau_ne_trouve_pas_au_registre_qu_il_en_fut_ecarte(etudiante, admin, sophie):
    dossier = signaler(etudiante, "Sophie Tshala")
    decider(admin, a_decider(admin)[0], oui=False)

    actes = {un["acte"] for un in client_de(sophie).get("/api/v1/audit/").json()["data"]["items"]}

    assert lit(sophie, dossier)
    assert not actes & {"HOMONYME_DECIDE", "LECTEURS_CHANGES"}


def test_une_reponse_qui_n_en_est_pas_une_est_refusee(etudiante, ruth, admin):
    signaler(etudiante)
    (un,) = a_decider(admin)

    refus = client_de(admin).put(f"{NOMS}{un['id']}", {"estLaPersonne": "peut-être"})

    assert (refus.status_code, champs_refuses(refus)) == (422, {"estLaPersonne"})


def test_beaucoup_de_noms_coutent_autant_de_requetes_qu_un(etudiante, ruth, admin):
    signaler(etudiante)
    api = client_de(admin)
    api.get(NOMS)
    with CaptureQueriesContext(connection) as un:
        api.get(NOMS)
    for _fois in range(8):
        signaler(etudiante)
    with CaptureQueriesContext(connection) as neuf:
        assert len(api.get(NOMS).json()["data"]["items"]) == 9
    assert len(neuf) == len(un)


# --- A name, a role ---------------------------------------------------------------------------------------------------


def test_qui_prend_le_nom_qu_un_dossier_donne_ne_le_lit_plus(etudiante, gestionnaire, admin, mailoutbox):
    nadia = comptes.gestionnaire(email="nadia@campus.test", nom="Benali", prenom="Nadia")
    dossier = signaler(etudiante)
    assigner(signalement=dossier, gestionnaire_id=nadia.pk, acteur=acteur_de(admin))
    prevenus(mailoutbox)

    modifier(compte=nadia, acteur=acteur_de(nadia), nom="Okito", prenom="Ruth")

    assert lit(nadia, dossier)  # its answer tells her nothing
    faire_les_taches()
    dossier.refresh_from_db()
    assert (lit(nadia, dossier), dossier.gestionnaire, origine(dossier, nadia)) == (False, None, Origine.HOMONYME)
    assert dossier.timeline.filter(type="ASSIGNATION").count() == 1  # nothing says that she lost it
    assert prevenus(mailoutbox) == ["rose@campus.test"]
    assert ecarts_des_compteurs() == {}


def test_qui_entre_dans_l_equipe_ne_lit_pas_le_dossier_qui_la_nomme(etudiante, gestionnaire, admin):
    ruth = comptes.compte(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    dossier = signaler(etudiante)

    modifier(compte=ruth, acteur=acteur_de(admin), type_utilisateur=Role.GESTIONNAIRE)

    assert (lit(ruth, dossier), lit(gestionnaire, dossier)) == (False, True)


def test_un_quatrieme_nom_n_ecarte_personne_et_qui_est_deja_nomme_n_en_apprend_rien(
    etudiante, ruth, gestionnaire, admin, sophie, mailoutbox
):
    comptes.gestionnaire(nom="Nomun", prenom="Zoé")
    zoe = comptes.compte(nom="Nomdeux", prenom="Zoé")
    dossier = signaler(etudiante, "Ruth Okito, Sophie Tshala, Zoé Nomun, Zoé Nomdeux")
    assert Homonyme.objects.count() == 3
    prevenus(mailoutbox)
    decider(admin, next(un for un in a_decider(admin) if un["nom"] == "Tshala"), oui=False)

    modifier(compte=zoe, acteur=acteur_de(admin), type_utilisateur=Role.GESTIONNAIRE)

    assert (lit(zoe, dossier), lit(sophie, dossier)) == (True, True)
    assert prevenus(mailoutbox) == ["rose@campus.test"]


def test_qui_entre_seule_dans_l_equipe_lit_ce_que_personne_d_autre_ne_lirait(admin):
    """The administrator wrote it: nobody else would be left."""
    ruth = comptes.compte(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    dossier = signaler(admin)

    modifier(compte=ruth, acteur=acteur_de(admin), type_utilisateur=Role.GESTIONNAIRE)

    assert lit(ruth, dossier)


def test_un_compte_cree_ou_rouvert_dans_l_equipe_est_compare_aussi(etudiante, ruth, gestionnaire, admin):
    desactiver(compte=ruth, acteur=acteur_de(admin))
    dossier = signaler(etudiante, "Ruth Okito, ou Zoé Neuve")
    assert dossier.est_ouvert_a_tous

    reactiver(compte=ruth, acteur=acteur_de(admin))
    zoe = creer(
        email="zoe@campus.test",
        mot_de_passe=comptes.MOT_DE_PASSE,
        nom="Neuve",
        prenom="Zoé",
        type_utilisateur=Role.GESTIONNAIRE,
        acteur=acteur_de(admin),
    )

    assert (lit(ruth, dossier), lit(zoe, dossier)) == (False, False)


def test_ce_qui_fut_dit_d_un_nom_n_est_pas_redemande(etudiante, ruth, admin):
    dossier = signaler(etudiante)
    (un,) = a_decider(admin)
    decider(admin, un, oui=False)

    modifier(compte=ruth, acteur=acteur_de(admin), nom="Autre")
    modifier(compte=ruth, acteur=acteur_de(admin), nom="Okito")
    faire_les_taches()

    assert (lit(ruth, dossier), a_decider(admin)) == (True, [])


def test_qui_entre_dans_l_equipe_lit_encore_le_signalement_ou_elle_se_nomme(gestionnaire, admin):
    ruth = comptes.compte(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    dossier = signaler(ruth)

    modifier(compte=ruth, acteur=acteur_de(admin), type_utilisateur=Role.GESTIONNAIRE)

    dossier.refresh_from_db()
    assert (dossier.est_ouvert_a_tous, a_decider(admin)) == (True, [])


def test_un_mot_du_recit_n_est_pas_l_auteur_presume(etudiante, gestionnaire, admin):
    ruth = comptes.compte(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    dossier = signaler(etudiante, "Un inconnu", description="J'en ai parlé à Ruth Okito.")

    modifier(compte=ruth, acteur=acteur_de(admin), type_utilisateur=Role.GESTIONNAIRE)

    assert lit(ruth, dossier)


def test_les_dossiers_suivants_sont_compares_en_tache_de_fond(etudiante, gestionnaire, admin, monkeypatch):
    monkeypatch.setattr(lectures, "LOT", 2)
    monkeypatch.setattr(services, "LOT", 2)
    dossiers = [signaler(etudiante) for _fois in range(5)]
    ruth = comptes.compte(email="ruth@campus.test", nom="Okito", prenom="Ruth")

    modifier(compte=ruth, acteur=acteur_de(admin), type_utilisateur=Role.GESTIONNAIRE)

    assert sum(lit(ruth, un) for un in dossiers) == 3
    faire_les_taches()
    assert not any(lit(ruth, un) for un in dossiers)


def test_un_dossier_ecrit_pendant_qu_elle_entrait_dans_l_equipe_est_repris(etudiante, gestionnaire, admin, monkeypatch):
    ruth = comptes.compte(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    monkeypatch.setattr("homonymes.receveurs.ENCORE", timedelta(0))
    modifier(compte=ruth, acteur=acteur_de(admin), type_utilisateur=Role.GESTIONNAIRE)
    dossier = fabriques.signalement(acteur_de(etudiante))
    dossier.auteur_presume = "Ruth Okito"
    dossier.indexer()
    dossier.save()

    faire_les_taches()

    assert not lit(ruth, dossier)


# --- Merged, taken back, deleted --------------------------------------------------------------------------------------


def joindre(invite, etudiante, sien, presume):
    """Merge the guest, whose report of the same reference names this; the report that is joined to hers."""
    joint = signaler(invite, presume, reference=sien.reference, **CACHE)
    fusionner(invite, etudiante)
    joint.refresh_from_db()
    assert joint.absorbe_par_id == sien.pk
    return joint


def test_le_dossier_joint_et_celui_qui_demeure_ferment_et_la_marche_arriere_les_rend(invite, etudiante, ruth, admin):
    sien = signaler(etudiante, "Un inconnu", **CACHE)

    joint = joindre(invite, etudiante, sien, "Ruth Okito")

    assert (lit(ruth, sien), origine(sien, ruth)) == (False, Origine.HOMONYME)
    assert [un["reference"] for un in a_decider(admin)] == [sien.reference]
    annuler(AuditFusion.objects.get())
    assert {un["signalementId"] for un in a_decider(admin)} == {str(sien.pk), str(joint.pk)}


def test_un_nom_que_la_fusion_apporte_est_compare(invite, etudiante, gestionnaire, admin, settings):
    """Reported before the names were compared."""
    settings.ECARTER_HOMONYMES = False
    sien = signaler(etudiante, "", **CACHE)
    joint = signaler(invite, "Paul Ilunga", reference=sien.reference, **CACHE)
    settings.ECARTER_HOMONYMES = True

    fusionner(invite, etudiante)

    assert (lit(gestionnaire, sien), joint.est_ouvert_a_tous) == (False, True)
    assert [un["nom"] for un in a_decider(admin)] == ["Ilunga"]


def test_ce_qui_fut_dit_avant_la_fusion_vaut_apres(invite, etudiante, ruth, admin):
    sien = signaler(etudiante, "Un inconnu", **CACHE)
    joint = signaler(invite, "Ruth Okito", reference=sien.reference, **CACHE)
    decider(admin, a_decider(admin)[0], oui=False)

    fusionner(invite, etudiante)

    joint.refresh_from_db()
    assert (joint.absorbe_par_id, lit(ruth, sien), a_decider(admin)) == (sien.pk, True, [])
    assert not Homonyme.objects.filter(signalement=sien).exists()  # nor is she taken for whom it means


def test_une_fusion_ne_fait_pas_un_dossier_que_plus_personne_ne_lit(invite, etudiante, admin, sophie, mailoutbox):
    """Three names on either side."""
    six = [comptes.gestionnaire(nom=f"Nom{n}", prenom="Zoé") for n in "abcdef"]
    sien = signaler(etudiante, "Zoé Noma, Zoé Nomb, Zoé Nomc", **CACHE)
    assert sum(lit(un, sien) for un in six) == 3

    joindre(invite, etudiante, sien, "Zoé Nomd, Zoé Nome, Zoé Nomf")

    assert all(lit(un, sien) for un in six)
    assert {un["nom"] for un in a_decider(admin) if un["signalementId"] == str(sien.pk)} == {un.nom for un in six}
    assert ecarts_des_compteurs() == {}


def test_ce_qui_fut_dit_du_dossier_qui_demeure_vaut_pour_ce_qui_lui_est_joint(invite, etudiante, ruth, admin):
    sien = signaler(etudiante, "Ruth Okito", **CACHE)
    decider(admin, a_decider(admin)[0], oui=False)

    joindre(invite, etudiante, sien, "Ruth Okito")

    assert (lit(ruth, sien), a_decider(admin)) == (True, [])


def test_une_fusion_ne_porte_que_les_noms_de_ses_dossiers(
    invite, etudiante, autre_etudiante, ruth, gestionnaire, admin
):
    ailleurs = signaler(autre_etudiante, "Paul Ilunga")
    sien = signaler(etudiante, "Un inconnu", **CACHE)

    joindre(invite, etudiante, sien, "Ruth Okito")

    attendus = {(str(sien.pk), "Okito"), (str(ailleurs.pk), "Ilunga")}
    assert {(un["signalementId"], un["nom"]) for un in a_decider(admin)} == attendus


def test_ce_qui_attend_du_dossier_joint_attend_de_celui_qui_demeure(invite, etudiante, admin, sophie):
    """Four names, of which nobody was shut out, and a text that the case does not take."""
    quatre = [comptes.gestionnaire(nom=f"Nom{n}", prenom="Zoé") for n in "abcd"]
    sien = signaler(etudiante, "Un inconnu", **CACHE)

    joindre(invite, etudiante, sien, ", ".join(f"Zoé {un.nom}" for un in quatre))

    assert {un["compteId"] for un in a_decider(admin)} == {str(un.pk) for un in quatre}
    assert {un["signalementId"] for un in a_decider(admin)} == {str(sien.pk)}


def test_un_dossier_rendu_ferme_a_qui_est_entre_dans_l_equipe_entre_temps(invite, etudiante, gestionnaire, admin):
    sien = signaler(etudiante, "Un inconnu", **CACHE)
    joint = joindre(invite, etudiante, sien, "Ruth Okito")
    ruth = comptes.compte(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    modifier(compte=ruth, acteur=acteur_de(admin), type_utilisateur=Role.GESTIONNAIRE)

    annuler(AuditFusion.objects.get())

    assert (lit(ruth, joint), origine(joint, ruth)) == (False, Origine.HOMONYME)
    assert [un["signalementId"] for un in a_decider(admin)] == [str(joint.pk)]


def test_un_administrateur_qui_arrive_apprend_ce_qui_attend(etudiante, gestionnaire, mailoutbox):
    rose = comptes.admin(email="rose@campus.test")
    signaler(etudiante, "Rose Kabila")
    assert prevenus(mailoutbox) == []

    creer(
        email="sophie@campus.test",
        mot_de_passe=comptes.MOT_DE_PASSE,
        nom="Tshala",
        prenom="Sophie",
        type_utilisateur=Role.ADMIN_SYSTEME,
        acteur=acteur_de(rose),
    )

    assert prevenus(mailoutbox) == ["sophie@campus.test"]


def test_un_nom_qui_attend_sans_etre_ecarte_l_est_a_la_reprise(etudiante, ruth, gestionnaire, admin):
    """Written beside a change of role that the report did not see yet."""
    dossier = fabriques.signalement(acteur_de(etudiante))
    dossier.auteur_presume = "Ruth Okito"
    dossier.indexer()
    dossier.save()
    services.noter(dossier)
    assert lit(ruth, dossier)

    services.rapprocher(ruth)

    assert (lit(ruth, dossier), Homonyme.objects.count()) == (False, 1)


def test_rendu_celui_qui_demeurait_est_compare_a_son_texte(invite, etudiante, gestionnaire, admin):
    """It names again whom the joined text did not, and who entered the team meanwhile."""
    sien = signaler(etudiante, "Ruth Okito", **CACHE)
    joint = signaler(invite, "Un inconnu", reference=sien.reference, **CACHE)
    paire = {"level": "SIGNALEMENT", "guestEntityId": str(joint.pk), "targetEntityId": str(sien.pk)}
    resolutions = [{**paire, "action": "KEEP_GUEST"}]
    client_de(etudiante).post(
        f"/api/v1/guest/sessions/{invite.guest_id}/merge",
        {"acceptPolicy": "MERGE_ALL", "resolutions": resolutions},
        **{"HTTP_IDEMPOTENCY_KEY": "rendu"},
    )
    sien.refresh_from_db()
    assert sien.auteur_presume == "Un inconnu"
    ruth = comptes.compte(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    modifier(compte=ruth, acteur=acteur_de(admin), type_utilisateur=Role.GESTIONNAIRE)
    assert lit(ruth, sien)

    annuler(AuditFusion.objects.get())

    sien.refresh_from_db()
    assert (sien.auteur_presume, lit(ruth, sien)) == ("Ruth Okito", False)
    assert [un["signalementId"] for un in a_decider(admin)] == [str(sien.pk)]


def test_un_oui_vaut_pour_le_dossier_qui_demeure(invite, etudiante, ruth, gestionnaire, admin):
    sien = signaler(etudiante, "Un inconnu", **CACHE)
    joint = signaler(invite, "Ruth Okito", reference=sien.reference, **CACHE)
    decider(admin, a_decider(admin)[0], oui=True)
    fusionner(invite, etudiante)
    joint.refresh_from_db()
    sien.refresh_from_db()
    assert (joint.absorbe_par_id, a_decider(admin)) == (sien.pk, [])

    with pytest.raises(ChampsInvalides):
        changer_lecteurs(signalement=sien, acteur=acteur_de(gestionnaire))

    assert not lit(ruth, sien)


def test_un_dossier_efface_part_avec_ses_noms(etudiante, ruth, admin):
    dossier = signaler(etudiante)

    retirer(verrouiller([dossier.pk]))

    assert not Homonyme.objects.exists()


# --- Upkeep, command, switch ------------------------------------------------------------------------------------------


def test_passe_son_jour_un_nom_est_rappele_une_fois(etudiante, ruth, admin, mailoutbox):
    signaler(etudiante)
    prevenus(mailoutbox)
    rappeler_les_noms()
    assert prevenus(mailoutbox) == []
    Homonyme.objects.update(jusqu_au=date(2026, 1, 5))

    rappeler_les_noms()
    rappeler_les_noms()

    assert prevenus(mailoutbox) == ["rose@campus.test"]
    assert [un["enRetard"] for un in a_decider(admin)] == [True]


def test_d_un_dossier_joint_rien_n_est_rappele(invite, etudiante, ruth, admin, mailoutbox):
    """Its names wait with those of the case that it leads to."""
    sien = signaler(etudiante, "Un inconnu", **CACHE)
    joindre(invite, etudiante, sien, "Ruth Okito")
    prevenus(mailoutbox)
    Homonyme.objects.update(jusqu_au=date(2026, 1, 5))

    rappeler_les_noms()

    assert {un.signalement_id for un in Homonyme.objects.filter(rappele_le__isnull=False)} == {sien.pk}


def test_la_commande_liste_les_noms_et_ne_change_rien(etudiante, ruth, admin, capsys, settings):
    verifie = signaler(etudiante)
    decider(admin, a_decider(admin)[0], oui=False)
    settings.ECARTER_HOMONYMES = False
    jamais = signaler(etudiante)
    signaler(etudiante, "Un inconnu", description="Ruth Okito m'a reçue.")

    call_command("homonymes")

    dites = capsys.readouterr().out.splitlines()
    assert sorted(dites[:-1]) == sorted(
        [
            f"{verifie.reference}  Ruth Okito  Ce n'est pas cette personne",
            f"{jamais.reference}  Ruth Okito  jamais vérifié",
        ]
    )
    assert dites[-1] == "2 nom(s) partagé(s) par un dossier et une personne de l'équipe."
    assert lit(ruth, jamais)


@pytest.mark.parametrize(
    ("dit", "ancienne", "compare"),
    [
        (None, False, True),
        (None, True, False),
        (True, True, True),
        (False, False, False),
    ],
)
def test_une_base_d_avant_attend_un_oui_de_l_exploitant(etudiante, ruth, admin, settings, dit, ancienne, compare):
    settings.ECARTER_HOMONYMES = dit
    if ancienne:
        BaseAnterieure.objects.create()
    lectures._est_nouvelle.cache_clear()
    try:
        dossier = signaler(etudiante)
    finally:
        lectures._est_nouvelle.cache_clear()

    assert lit(ruth, dossier) is not compare
    assert Homonyme.objects.count() == compare
    assert Acces.de(dossier).ecartes == ({ruth.pk} if compare else set())

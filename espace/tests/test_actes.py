"""What the team does on a case: done once, said back, asked about where the page was late."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from discussions.models import Message
from discussions.tests import fabriques as discussions
from espace.tests.outils import LISTE, section, texte_de, valeur
from signalements.models import EntreeTimeline
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
INCONNUE = "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"
NOTE, REPONSE = "note-contenu", "reponse-contenu"


def relu(ligne):
    ligne.refresh_from_db()
    return ligne


def test_on_recoit_prend_traite_note_et_repond(elle, gestionnaire, signalement):
    assert signalement.titre in elle.lire()

    prise = elle.agir(signalement, "assigner", gestionnaire_id=gestionnaire.pk, vu="", liste="?vue=non-attribues")
    assert (prise.status_code, prise.headers["Location"]) == (
        303,
        f"{LISTE}?vue=non-attribues&pris={signalement.pk}.0#fait",
    )
    changee = elle.agir(signalement, "statut", statut="EN_COURS", vu="ASSIGNE")
    assert changee.headers["Location"] == f"{LISTE}{signalement.pk}/?fait=statut#fait"
    elle.agir(signalement, "priorite", priorite="CRITICAL", vu="MEDIUM")
    elle.agir(signalement, "notes", **{NOTE: "J'ai prévenu la scolarité."})
    elle.agir(signalement, "messages", **{REPONSE: "Nous vous avons lue.", "vu": ""})

    dossier = relu(signalement)
    assert (dossier.statut, dossier.priorite, dossier.gestionnaire_id) == ("EN_COURS", "CRITICAL", gestionnaire.pk)
    assert Message.objects.get().contenu == "Nous vous avons lue."
    page = elle.lire(f"{LISTE}{signalement.pk}/", fait="statut")
    assert 'class="fait" id="fait" tabindex="-1">État : en cours<' in page
    assert "J'ai prévenu la scolarité." in section(page, "notes")
    assert "J'ai prévenu la scolarité." not in section(page, "messages")
    assert "Nous vous avons lue." in section(page, "messages")
    assert "L'équipe y travaille" in page


def test_un_dossier_que_personne_n_a_se_prend_de_sa_page(elle, api, admin, gestionnaire, signalement):
    bouton = f'name="gestionnaire_id" value="{gestionnaire.pk}" class="bouton clair">'
    assert bouton in elle.dossier(signalement)

    elle.agir(signalement, "assigner", gestionnaire_id=gestionnaire.pk, vu="")

    assert relu(signalement).gestionnaire_id == gestionnaire.pk
    assert bouton not in elle.dossier(signalement)


@pytest.mark.parametrize(("coche", "a_qui"), [({"prendre": "oui"}, "elle"), ({}, "personne")])
def test_repondre_prend_un_dossier_que_personne_n_a_sauf_si_l_on_decoche(elle, gestionnaire, signalement, coche, a_qui):
    assert 'name="prendre" value="oui" checked' in elle.dossier(signalement)

    elle.agir(signalement, "messages", **{REPONSE: "Nous vous avons lue.", "vu": ""}, **coche)

    assert Message.objects.get().contenu == "Nous vous avons lue."
    assert relu(signalement).gestionnaire_id == {"elle": gestionnaire.pk, "personne": None}[a_qui]


def test_repondre_laisse_a_un_collegue_le_dossier_qu_il_a_pris_entretemps(elle, api, admin, signalement):
    api(admin).put(f"/api/v1/signalements/{signalement.pk}/assigner", {"gestionnaireId": str(admin.pk)})

    elle.agir(signalement, "messages", **{REPONSE: "Nous vous avons lue.", "vu": "", "prendre": "oui"})

    assert (Message.objects.count(), relu(signalement).gestionnaire_id) == (1, admin.pk)


def test_une_reponse_refusee_se_souvient_de_la_case_decochee(elle, signalement):
    refusee = elle.agir(signalement, "messages", **{REPONSE: "", "vu": ""})

    assert refusee.status_code == 422
    assert 'name="prendre" value="oui">' in texte_de(refusee)


def test_on_ne_prend_ni_un_dossier_clos_ni_le_sien(elle, api, admin, gestionnaire, signalement):
    le_sien = fabriques.signalement(acteur_de(gestionnaire))
    api(admin).put(f"/api/v1/signalements/{signalement.pk}/statut", {"statut": "CLOTURE"})

    for dossier in (signalement, le_sien):
        assert "Prendre" not in elle.dossier(dossier)


@pytest.mark.parametrize(
    ("acte", "vu", "voulu", "par_l_api", "phrase"),
    [
        ("statut", "NOUVEAU", {"statut": "EN_COURS"}, {"statut": "TRAITE"}, "Statut : Nouveau → Traité."),
        ("priorite", "MEDIUM", {"priorite": "LOW"}, {"priorite": "CRITICAL"}, "Priorité : Moyenne → Critique."),
    ],
)
def test_un_collegue_a_change_le_dossier_entretemps(api, elle, admin, signalement, acte, vu, voulu, par_l_api, phrase):
    api(admin).put(f"/api/v1/signalements/{signalement.pk}/{acte}", par_l_api)
    lignes = EntreeTimeline.objects.count()

    question = elle.agir(signalement, acte, **voulu, vu=vu)

    page = texte_de(question)
    assert question.status_code == 409
    assert f"{admin.nom_complet} a changé ce dossier. {phrase}" in page
    assert "Changer quand même" in page
    assert EntreeTimeline.objects.count() == lignes
    assert getattr(relu(signalement), acte) == par_l_api[acte]

    montre = page.partition(f'name="vu_{acte}" value="')[2].partition('"')[0]
    assert elle.agir(signalement, acte, **voulu, vu=montre).status_code == 303
    assert getattr(relu(signalement), acte) == voulu[acte]


def test_le_meme_changement_fait_par_un_collegue_ne_se_demande_pas(api, elle, admin, signalement):
    api(admin).put(f"/api/v1/signalements/{signalement.pk}/statut", {"statut": "EN_COURS"})

    assert elle.agir(signalement, "statut", statut="EN_COURS", vu="NOUVEAU").status_code == 303


@pytest.mark.parametrize("depuis", ["dossier", "liste"])
def test_deux_clics_confient_une_fois(elle, gestionnaire, signalement, depuis):
    donnees = {"gestionnaire_id": gestionnaire.pk, "vu": "", **({"liste": "?vue=ouverts"} if depuis == "liste" else {})}

    premier, second = (elle.agir(signalement, "assigner", **donnees) for _clic in range(2))

    assert (second.status_code, second.headers["Location"]) == (303, premier.headers["Location"])
    assert list(EntreeTimeline.objects.filter(type="ASSIGNATION").values_list("contenu", flat=True)) == [
        gestionnaire.nom_complet
    ]
    elle.agir(signalement, "assigner", gestionnaire_id=gestionnaire.pk, vu=str(gestionnaire.pk))  # meant again
    assert EntreeTimeline.objects.filter(type="ASSIGNATION").count() == 2


def test_prendre_un_dossier_qu_un_collegue_vient_de_prendre(api, elle, gestionnaire, admin, signalement):
    api(admin).put(f"/api/v1/signalements/{signalement.pk}/assigner", {"gestionnaireId": str(admin.pk)})

    question = elle.agir(signalement, "assigner", gestionnaire_id=gestionnaire.pk, vu="", liste="?vue=ouverts")

    assert question.status_code == 409
    assert f"Dossier confié à {admin.nom_complet}." in texte_de(question)
    assert relu(signalement).gestionnaire_id == admin.pk


def test_un_message_arrive_pendant_qu_on_repond_et_rien_n_est_perdu(elle, etudiante, admin, signalement):
    discussion = discussions.discussion(acteur_de(etudiante), signalement=signalement)
    premier = discussions.message(acteur_de(etudiante), discussion)
    discussions.message(acteur_de(admin), discussion, "Je m'en charge, je l'appelle.")

    question = elle.agir(signalement, "messages", vu=premier.pk, **{REPONSE: "Qui s'en charge ?"})

    page = texte_de(question)
    assert question.status_code == 409
    assert "Je m'en charge, je l'appelle." in page
    assert "Qui s'en charge ?</textarea>" in page
    assert "Envoyer quand même" in page
    assert Message.objects.count() == 2

    dernier = section(page, "repondre").partition('name="vu_messages" value="')[2].partition('"')[0]
    discussions.message(acteur_de(admin), discussion, "C'est fait.")  # while the question is on the screen
    assert elle.agir(signalement, "messages", vu=dernier, **{REPONSE: "Qui s'en charge ?"}).status_code == 409

    dernier = Message.objects.order_by("-numero_sequence").first()
    assert elle.agir(signalement, "messages", vu=dernier.pk, **{REPONSE: "Merci."}).status_code == 303
    assert Message.objects.count() == 4


def test_deux_clics_font_une_reponse(elle, signalement):
    for _fois in range(2):
        assert elle.agir(signalement, "messages", vu="", **{REPONSE: "Bonjour."}).status_code == 303

    assert Message.objects.count() == 1


def test_repondre_marque_lu_et_ouvrir_ne_marque_rien(api, elle, gestionnaire, etudiante, signalement):
    discussion = discussions.discussion(acteur_de(etudiante), signalement=signalement)
    message = discussions.message(acteur_de(etudiante), discussion)

    assert '1<span class="cache"> non lu</span>' in elle.lire()
    assert "J'ai lu ces messages" in elle.dossier(signalement)
    assert '1<span class="cache"> non lu</span>' in elle.lire()

    assert elle.agir(signalement, "lus", vu=message.pk).status_code == 303
    assert "non lu<" not in elle.lire()


@pytest.mark.parametrize(
    ("acte", "donnees", "phrase"),
    [
        ("statut", {"statut": "PERDU", "vu": "NOUVEAU"}, "Valeur inconnue"),
        ("statut", {}, ""),
        ("priorite", {"priorite": "\x00"}, ""),
        ("assigner", {"gestionnaire_id": ""}, ""),
        ("assigner", {"gestionnaire_id": "pas-un-id", "vu": ""}, ""),
        (
            "assigner",
            {"gestionnaire_id": INCONNUE, "vu": ""},
            "Choisissez une personne active de l'équipe.",
        ),
        ("notes", {NOTE: "   "}, ""),
        ("notes", {NOTE: "\u200b\u3164"}, ""),
        ("notes", {NOTE: "x" * 20_001}, ""),
        ("messages", {REPONSE: ""}, "Écrivez votre réponse."),
        ("messages", {REPONSE: "y" * 20_001}, ""),
    ],
)
def test_ce_qui_est_refuse_est_dit_et_reste_ecrit(elle, signalement, acte, donnees, phrase):
    reponse = elle.agir(signalement, acte, **donnees)

    page = texte_de(reponse)
    assert reponse.status_code == 422, page[:500]
    assert "Il y a un problème" in page
    assert phrase in page
    for tape in (donnees.get(NOTE, ""), donnees.get(REPONSE, "")):
        assert tape.strip() in page or "\x00" in tape
    assert (relu(signalement).statut, Message.objects.count()) == ("NOUVEAU", 0)
    assert EntreeTimeline.objects.count() == 1


def test_une_session_finie_rend_ce_qui_etait_ecrit(elle, signalement):
    elle.lire()
    elle.cookies.pop("sessionid")

    reponse = elle.agir(signalement, "messages", vu="", **{REPONSE: "Un long texte qu'on ne retape pas."})

    assert reponse.status_code == 401
    assert "Un long texte qu'on ne retape pas." in texte_de(reponse)
    assert "Connectez-vous dans un autre onglet" in texte_de(reponse)
    assert Message.objects.count() == 0


def test_un_dossier_inconnu_et_un_dossier_joint(elle, etudiante, signalement):
    from signalements.tests import fabriques

    joint = fabriques.signalement(acteur_de(etudiante))
    fabriques.joindre(joint, signalement)

    assert elle.get(f"{LISTE}{joint.pk}/").headers["Location"] == f"{LISTE}{signalement.pk}/"
    assert "n'existe pas" in elle.lire(f"{LISTE}5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f/", attendu=404)


def test_la_page_d_un_acte_ouverte_seule_mene_au_dossier(elle, signalement):
    for acte in ("statut", "priorite", "assigner", "notes", "messages", "lus"):
        assert elle.get(f"{LISTE}{signalement.pk}/{acte}/").headers["Location"] == f"{LISTE}{signalement.pk}/"


def test_ce_qu_on_ecrit_survit_aux_autres_actes(elle, gestionnaire, signalement):
    ecrits = {NOTE: "Une note à moitié", REPONSE: "Une réponse à moitié"}

    for acte, donnees in (
        ("statut", {"statut": "EN_COURS", "vu": "NOUVEAU"}),
        ("statut", {"statut": "INCONNU", "vu": "EN_COURS"}),
        ("priorite", {"priorite": "HIGH", "vu": "LOW"}),
        ("assigner", {"gestionnaire_id": gestionnaire.pk, "vu": ""}),
        ("lus", {"vu": ""}),
    ):
        page = texte_de(elle.agir(signalement, acte, **donnees, **ecrits))
        assert "Une note à moitié</textarea>" in page, acte
        assert "Une réponse à moitié</textarea>" in page, acte

    notee = texte_de(elle.agir(signalement, "notes", **ecrits))
    assert "Une réponse à moitié</textarea>" in notee
    assert "Une note à moitié</textarea>" not in notee
    assert "Une note à moitié" in section(notee, "notes")
    assert Message.objects.count() == 0


def test_une_note_cliquee_deux_fois_s_ecrit_une_fois(elle, signalement):
    for _fois in range(2):
        assert elle.agir(signalement, "notes", **{NOTE: "À rappeler lundi."}).status_code == 303
    assert elle.agir(signalement, "notes", **{NOTE: "À rappeler mardi."}).status_code == 303

    assert EntreeTimeline.objects.filter(type="NOTE").count() == 2


def test_lu_ne_dit_lu_que_ce_que_la_page_montrait(api, elle, gestionnaire, etudiante, signalement):
    discussion = discussions.discussion(acteur_de(etudiante), signalement=signalement)
    premier = discussions.message(acteur_de(etudiante), discussion)
    discussions.message(acteur_de(etudiante), discussion, "Jamais montré.")

    question = elle.agir(signalement, "lus", vu=premier.pk)

    assert question.status_code == 409
    assert "Jamais montré." in texte_de(question)
    assert not Message.objects.filter(est_lu=True).exists()


def test_renvoyer_les_memes_mots_ne_marque_pas_ce_qui_est_arrive(api, elle, gestionnaire, etudiante, signalement):
    elle.agir(signalement, "messages", vu="", **{REPONSE: "D'accord."})
    discussions.message(acteur_de(etudiante), Message.objects.get().discussion, "C'est urgent.")

    assert elle.agir(signalement, "messages", vu="", **{REPONSE: "D'accord."}).status_code == 303

    url = f"/api/v1/signalements/{signalement.pk}"
    assert api(gestionnaire).get(url).json()["data"]["messagesNonLusCount"] == 1


def test_repondre_lit_toutes_les_discussions_du_dossier(api, elle, gestionnaire, etudiante, signalement):
    for _fois in range(3):
        discussion = discussions.discussion(acteur_de(etudiante), signalement=signalement)
        dernier = discussions.message(acteur_de(etudiante), discussion)

    assert elle.agir(signalement, "messages", vu=dernier.pk, **{REPONSE: "Tout est lu."}).status_code == 303

    url = f"/api/v1/signalements/{signalement.pk}"
    assert api(gestionnaire).get(url).json()["data"]["messagesNonLusCount"] == 0


def test_qui_traite_et_n_est_plus_de_l_equipe_est_encore_nomme(api, elle, admin, gestionnaire, signalement):
    partie = type(gestionnaire).objects.creer(
        email="zed@campus.test", mot_de_passe="Un-long-secret-2026", nom="Parti", prenom="Zed"
    )
    partie.type_utilisateur = "GESTIONNAIRE"
    partie.save()
    api(admin).put(f"/api/v1/signalements/{signalement.pk}/assigner", {"gestionnaireId": str(partie.pk)})
    api(admin).put(f"/api/v1/comptes/{partie.pk}/deactivate")

    page = elle.dossier(signalement)
    assert "<bdi>Zed Parti</bdi>" in section(page, "fiche")
    assert f'name="gestionnaire_id" value="{partie.pk}"' not in page
    liste = elle.lire()
    assert "Zed Parti" in liste.partition('id="partis"')[2].partition("</ul>")[0]
    assert signalement.reference in elle.lire(gestionnaireId=str(partie.pk)).partition('id="lignes"')[2]


def test_la_feuille_d_un_dossier_cache_ne_nomme_personne_meme_imprimee_par_elle(api, elle, gestionnaire):
    corps = {"titre": "Le mien", "description": "Ce que j'ai vu.", "type": "AUTRE", "modeIdentification": "ANONYME"}
    cle = api(gestionnaire).post("/api/v1/signalements/", corps).json()["data"]["id"]

    feuille = elle.lire(f"{LISTE}{cle}/imprimer/")

    assert gestionnaire.nom_complet not in feuille
    assert "Ce que j'ai vu." in feuille


def test_l_historique_a_une_fin(monkeypatch, elle, signalement):
    from espace.pages import dossier

    monkeypatch.setattr(dossier, "ENTREES_MAX", 3)
    for rang in range(5):
        elle.agir(signalement, "notes", **{NOTE: f"Note {rang}."})

    page = elle.dossier(signalement)

    assert [f"Note {rang}." in page for rang in range(5)] == [False, False, True, True, True]
    assert "Les 3 dernières lignes" in page


def test_un_envoi_demesure_dit_qu_il_est_trop_grand(elle, signalement):
    trop = elle.agir(signalement, "notes", **{NOTE: "x" * 3_000_000})

    assert trop.status_code == 413
    assert EntreeTimeline.objects.count() == 1


# --- A case that was joined to another while its page was open ------------------------------------------------------

ACTES_SUR_JOINT = {
    "statut": {"statut": "EN_COURS", "vu": "NOUVEAU"},
    "priorite": {"priorite": "HIGH", "vu": "MEDIUM"},
    "notes": {"note-contenu": "Vu avec elle."},
    "messages": {"reponse-contenu": "Nous vous lisons.", "vu_messages": ""},
    "lus": {"vu": ""},
}


@pytest.mark.parametrize("acte", ACTES_SUR_JOINT)
def test_un_acte_sur_un_dossier_joint_montre_celui_qui_demeure_et_demande(elle, etudiante, acte):
    reste = fabriques.signalement(acteur_de(etudiante), titre="Celui qui demeure")
    joint = fabriques.signalement(acteur_de(etudiante), titre="Le joint")
    fabriques.mettre(joint, absorbe_par=reste)

    page = elle.agir(joint, acte, **{"note-contenu": "Une note commencée."} | ACTES_SUR_JOINT[acte])

    lue = texte_de(page)
    assert page.status_code == 409
    assert "Le dossier que cette page montrait a été joint à celui-ci." in lue
    assert f'data-de="{reste.pk}"' in lue
    assert f'action="/equipe/dossiers/{reste.pk}/"' in lue
    for nom, ecrit in ACTES_SUR_JOINT[acte].items():
        assert "contenu" not in nom or f"{ecrit}</textarea>" in lue
    assert "Une note commencée.</textarea>" in lue or acte == "notes"
    reste.refresh_from_db()
    assert (reste.statut, reste.priorite, reste.timeline.filter(type="NOTE").count()) == ("NOUVEAU", "MEDIUM", 0)
    assert not reste.discussions.exists()


@pytest.mark.parametrize("page", ["lecteurs", "gel"])
def test_une_decision_sur_un_dossier_joint_se_prend_sur_celui_qui_demeure(equipiere, etudiante, admin, page):
    personne = comptes.gestionnaire(email="ruth@campus.test")
    reste = fabriques.signalement(acteur_de(etudiante))
    joint = fabriques.signalement(acteur_de(etudiante))
    elle, adresse = equipiere(admin), f"{LISTE}{joint.pk}/{page}/"
    vu = valeur(elle.lire(adresse), f"vu_{page}")
    fabriques.joindre(joint, reste)

    question = elle.envoyer(adresse, {f"vu_{page}": vu, "ecartes": [str(personne.pk)], "motif": "Plainte déposée"})

    lue = texte_de(question)
    assert (question.status_code, "a été joint à celui-ci" in lue) == (409, True)
    assert f'action="{LISTE}{reste.pk}/{page}/"' in lue
    assert ("Plainte déposée" in lue) if page == "gel" else (f'value="{personne.pk}"' in lue and " checked" in lue)
    reste = relu(reste)
    assert (reste.est_gele, reste.est_reserve) == (False, False)
    assert elle.get(adresse).headers["Location"] == f"{LISTE}{reste.pk}/{page}/"


@pytest.mark.parametrize("encore", [True, False], ids=["lui est encore ouvert", "lui est fermé"])
def test_choisir_qui_lit_ramene_au_dossier_tant_qu_il_est_ouvert(equipiere, admin, signalement, encore):
    autre = comptes.admin()
    elle, adresse = equipiere(admin), f"{LISTE}{signalement.pk}/lecteurs/"
    vu = valeur(elle.lire(adresse), "vu_lecteurs")

    fait = elle.envoyer(adresse, {"vu_lecteurs": vu, "ecartes": [str((autre if encore else admin).pk)]})

    mene = fait.headers["Location"]
    assert (fait.status_code, mene.partition("?")[0]) == (303, f"{LISTE}{signalement.pk}/" if encore else LISTE)
    assert elle.lire(mene.partition("#")[0])


def test_prendre_un_dossier_joint_demande_aussi(elle, etudiante, gestionnaire):
    reste = fabriques.signalement(acteur_de(etudiante))
    joint = fabriques.signalement(acteur_de(etudiante))
    fabriques.mettre(joint, absorbe_par=reste)

    refus = elle.agir(joint, "assigner", gestionnaire_id=str(gestionnaire.pk), vu="", liste="?vue=ouverts")

    assert (refus.status_code, "a été joint à celui-ci" in texte_de(refus)) == (409, True)
    reste.refresh_from_db()
    assert reste.gestionnaire_id is None


@pytest.mark.parametrize(("acte", "envoye", "autre"), [("messages", REPONSE, NOTE), ("notes", NOTE, REPONSE)])
def test_recharger_ce_qu_un_texte_en_cours_a_fait_repondre_n_envoie_rien_de_plus(
    elle, signalement, time_machine, acte, envoye, autre
):
    time_machine.move_to(timezone.now())
    cle = valeur(elle.dossier(signalement), "cle_de_la_page")
    poste = {envoye: "Nous vous attendons lundi.", autre: "En cours d'écriture", "cle_de_la_page": cle}

    def ecrits():
        notes = EntreeTimeline.objects.filter(type="NOTE").values_list("contenu", flat=True)
        return [*Message.objects.values_list("contenu", flat=True), *notes]

    for _fois in range(2):
        page = elle.agir(signalement, acte, **poste)
        assert page.status_code == 200
        assert "En cours d'écriture</textarea>" in texte_de(page)
        time_machine.shift(timedelta(minutes=5))
    assert ecrits() == ["Nous vous attendons lundi."]

    elle.agir(signalement, acte, **{**poste, envoye: "Venez avec une amie."})  # Back, then another text
    assert sorted(ecrits()) == ["Nous vous attendons lundi.", "Venez avec une amie."]
    elle.agir(signalement, acte, **{**poste, "cle_de_la_page": valeur(texte_de(page), "cle_de_la_page")})
    assert len(ecrits()) == 3  # the same words, meant again


def test_quitter_le_portail_ailleurs_ne_prend_pas_ce_que_l_equipe_ecrit(elle, signalement):
    elle.get("/quitter/")
    elle.get(LISTE)

    refus = elle.post(f"{LISTE}{signalement.pk}/messages/", {REPONSE: "Nous vous attendons lundi.", "otp": "123456"})

    page = texte_de(refus)
    assert refus.status_code == 403
    assert "Nous vous attendons lundi." in page
    assert "123456" not in page


# What was sent


def test_lu_dit_que_l_auteur_a_lu_et_pas_un_collegue(api, elle, admin, gestionnaire, etudiante, signalement):
    elle.agir(signalement, "messages", **{REPONSE: "Nous vous avons lue.", "vu": ""})
    fil = f"/api/v1/discussions/{Message.objects.get().discussion_id}/messages/lus"
    api(admin).put(fil)
    assert 'class="lu"' not in section(elle.dossier(signalement), "messages")

    api(etudiante).put(fil)

    assert section(elle.dossier(signalement), "messages").count('class="lu"') == 1
    elle.agir(signalement, "messages", **{REPONSE: "Et ensuite ?", "vu": ""})
    discussions.message(acteur_de(etudiante), Message.objects.first().discussion)  # hers is not said to be read
    assert section(elle.dossier(signalement), "messages").count('class="lu"') == 1

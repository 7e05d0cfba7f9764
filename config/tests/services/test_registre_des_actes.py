"""Each act of the team is in the register, once, by whoever did it and from where, without what was written."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.tests import fabriques as comptes
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import entrer, jeton_recu
from calendrier.tests import fabriques as calendrier
from config.tests.outils import acteur_de, client_de
from forum.tests import fabriques as forum
from resources.services import fichiers as services
from resources.tests import fabriques as fichiers
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques as signalements
from socle.audit import registre
from socle.audit.tests.outils import traces
from socle.audit.vocabulaire import Acte, Sorte
from socle.taches.tests.outils import faire_les_taches
from stats.exports.services import demander as exporter

pytestmark = pytest.mark.django_db
FICHIERS, FAQS, CONTACTS = "/admin/resources/fichier/", "/admin/resources/faq/", "/admin/resources/contacturgence/"
NOM = "menaces de rose.txt"


def lus(*actes, **criteres):
    return [(une.acte, une.acteur, une.objet, une.details) for une in traces(*actes, **criteres)]


def au_registre(qui, **question):
    """What this reader of the register is answered."""
    traces()
    return client_de(qui).get("/api/v1/audit/", question).json()["data"]["items"]


def piece(qui, nom=NOM):
    fichier = fichiers.fichier(acteur_de(qui), nom)
    dossier = signalements.signalement(acteur_de(qui), mode_identification="IDENTIFIE", pieces_jointes=[fichier.pk])
    return fichier, dossier


def choisir(client, action, *lignes, url):
    return client.post(url, {"action": action, "_selected_action": [str(un.pk) for un in lignes], "post": "yes"})


# --- Evidence


@pytest.mark.parametrize("par", ["api", "page", "liste"])
def test_une_piece_supprimee_puis_retablie(etudiante, admin, gestionnaire, par):
    fichier, dossier = piece(etudiante)
    client = entrer(admin.email)
    if par == "api":
        assert client_de(admin).delete(f"/api/v1/fichiers/{fichier.pk}").status_code == 204
    elif par == "page":
        client.post(f"{FICHIERS}{fichier.pk}/delete/", {"post": "yes"})
    else:
        choisir(client, "delete_selected", fichier, url=FICHIERS)
    choisir(client, "retablir", fichier, url=f"{FICHIERS}?etat=supprimes")
    choisir(client, "retablir", fichier, url=f"{FICHIERS}?etat=supprimes")

    details = {"fichier": str(fichier.pk)}
    assert lus(Acte.FICHIER_SUPPRIME, Acte.FICHIER_RETABLI) == [
        (Acte.FICHIER_SUPPRIME, admin.pk, dossier.pk, details),
        (Acte.FICHIER_RETABLI, admin.pk, dossier.pk, details),
    ]
    assert {une.adresse for une in traces(Acte.FICHIER_SUPPRIME)} == {"127.0.0.1"}
    # Whoever is shut out of the case is told neither.
    autre = comptes.admin()
    assert {"FICHIER_SUPPRIME", "FICHIER_RETABLI"} <= {un["acte"] for un in au_registre(autre)}
    changer_lecteurs(signalement=dossier, ecartes=[autre.pk], admis=[], acteur=acteur_de(admin))
    assert not {"FICHIER_SUPPRIME", "FICHIER_RETABLI"} & {un["acte"] for un in au_registre(autre)}


def test_une_suppression_refusee_ou_de_son_propre_fichier_n_y_est_pas(etudiante, gestionnaire):
    fichier, _dossier = piece(etudiante)
    libre = fichiers.fichier(acteur_de(etudiante))

    assert client_de(gestionnaire).delete(f"/api/v1/fichiers/{fichier.pk}").status_code == 403
    assert client_de(etudiante).delete(f"/api/v1/fichiers/{libre.pk}").status_code == 204

    assert lus(Acte.FICHIER_SUPPRIME) == []


def test_un_fichier_d_autrui_qui_n_est_d_aucun_dossier(etudiante, admin):
    """One that a post holds: until it is joined to something, it is its sender's alone."""
    joint = fichiers.fichier(acteur_de(etudiante))
    forum.poste(acteur_de(etudiante), pieces_jointes=[joint.pk])

    assert client_de(admin).delete(f"/api/v1/fichiers/{joint.pk}").status_code == 204

    (une,) = traces(Acte.FICHIER_SUPPRIME)
    assert (une.sorte, une.objet) == (Sorte.FICHIER, joint.pk)


def test_chercher_des_pieces_les_voir_et_en_ouvrir_la_page(etudiante, admin, gestionnaire):
    fichier, dossier = piece(etudiante)
    sien, _le_sien = piece(gestionnaire, "le mien.txt")
    fichiers.ressource(admin, file_id=fichiers.fichier(acteur_de(admin), "guide.txt").pk)
    client = entrer(gestionnaire.email)

    client.get(FICHIERS, {"q": "Menaces", "o": "1"})
    client.get(f"{FICHIERS}{fichier.pk}/change/")
    client.get(f"{FICHIERS}{sien.pk}/change/")

    criteres = {"q": "Menaces"}
    assert lus(Acte.FICHIERS_CHERCHES, Acte.FICHIER_MONTRE, Acte.FICHIER_OUVERT) == [
        (Acte.FICHIERS_CHERCHES, gestionnaire.pk, dossier.pk, criteres),
        (Acte.FICHIER_MONTRE, gestionnaire.pk, dossier.pk, criteres),
        (Acte.FICHIER_OUVERT, gestionnaire.pk, dossier.pk, {"fichier": str(fichier.pk)}),
    ]
    registre.recommencer()
    client.get(FICHIERS)
    client.get(FICHIERS, {"q": "introuvable"})
    derniers = [(acte, objet) for acte, _qui, objet, _details in lus(Acte.FICHIERS_CHERCHES, Acte.FICHIER_MONTRE)][2:]
    assert derniers == [(Acte.FICHIER_MONTRE, dossier.pk), (Acte.FICHIERS_CHERCHES, None)]
    # Searched, and found: neither is told to whom is shut out of it.
    changer_lecteurs(signalement=dossier, ecartes=[admin.pk], admis=[], acteur=acteur_de(comptes.admin()))
    assert "Menaces" not in json.dumps(au_registre(admin))


def test_la_page_d_une_piece_supprimee_s_ecrit_aussi(etudiante, admin):
    fichier, dossier = piece(etudiante)
    client_de(admin).delete(f"/api/v1/fichiers/{fichier.pk}")

    assert entrer(admin.email).get(f"{FICHIERS}{fichier.pk}/change/").status_code == 200

    assert lus(Acte.FICHIER_OUVERT) == [(Acte.FICHIER_OUVERT, admin.pk, dossier.pk, {"fichier": str(fichier.pk)})]


def test_une_piece_et_neuf_coutent_autant_de_requetes_a_la_liste(etudiante, gestionnaire):
    client, couts = entrer(gestionnaire.email), []
    for combien in (1, 8):
        for _rang in range(combien):
            piece(etudiante)
        client.get(FICHIERS)
        registre.recommencer()
        with CaptureQueriesContext(connection) as requetes:
            client.get(FICHIERS)
        couts.append(len(requetes))

    assert couts[0] == couts[1]
    assert len(traces(Acte.FICHIER_MONTRE)) == 9


# --- Discussions


def test_l_equipe_commence_une_discussion_sur_un_dossier(etudiante, gestionnaire, signalement):
    corps = {"titre": "Rappelez-nous", "signalementId": str(signalement.pk)}
    cree = client_de(gestionnaire).post("/api/v1/discussions", corps)

    discussion = cree.json()["data"]["id"]
    assert lus(Acte.DISCUSSION_COMMENCEE) == [
        (Acte.DISCUSSION_COMMENCEE, gestionnaire.pk, signalement.pk, {"discussion": discussion})
    ]


def test_sur_le_sien_ou_sans_dossier_ce_n_est_a_personne_de_le_lire(etudiante, gestionnaire):
    for qui in (etudiante, gestionnaire):
        le_sien = signalements.signalement(acteur_de(qui))
        for corps in ({"titre": "Bonjour"}, {"titre": "Bonjour", "signalementId": str(le_sien.pk)}):
            assert client_de(qui).post("/api/v1/discussions", corps).status_code == 201

    assert lus(Acte.DISCUSSION_COMMENCEE) == []


# --- Accounts


@pytest.mark.usefixtures("sans_confirmation")
def test_son_nom_ou_son_adresse_pour_l_equipe_seule(etudiante, gestionnaire, admin):
    client_de(gestionnaire).put(f"/api/v1/comptes/{gestionnaire.pk}", {"nom": "Autrement"})
    client_de(admin).put(f"/api/v1/comptes/{admin.pk}", {"email": "rose.autrement@campus.test"})
    entrer("rose.autrement@campus.test")
    client_de(etudiante).put(f"/api/v1/comptes/{etudiante.pk}", {"nom": "Autrement"})
    client_de(gestionnaire).put(f"/api/v1/comptes/{gestionnaire.pk}", {"nom": "Autrement"})  # nothing changes

    ecrits = lus(Acte.SON_COMPTE_MODIFIE, Acte.COMPTE_MODIFIE)

    assert [(acte, par, objet) for acte, par, objet, _details in ecrits] == [
        (Acte.SON_COMPTE_MODIFIE, qui.pk, qui.pk) for qui in (gestionnaire, admin)
    ]
    assert ["nom" in details["champs"] for *_qui, details in ecrits] == [True, False]
    assert "email" in ecrits[1][3]["champs"]
    assert "utrement" not in json.dumps([details for *_qui, details in ecrits])


def test_son_mot_de_passe_pour_l_equipe_seule(etudiante, gestionnaire):
    neuf = "Un-autre-manguier-43"
    corps = {"ancienMotDePasse": MOT_DE_PASSE, "nouveauMotDePasse": neuf, "confirmationMotDePasse": neuf}
    for qui in (etudiante, gestionnaire):
        assert client_de(qui).put("/api/v1/comptes/me/password", corps).status_code == 200

    assert lus(Acte.MOT_DE_PASSE_CHANGE) == [(Acte.MOT_DE_PASSE_CHANGE, gestionnaire.pk, gestionnaire.pk, {})]


def oublier(email):
    return client_de(None).post("/api/v1/auth/forgot-password", {"email": email})


def test_un_lien_demande_par_on_ne_sait_qui(etudiante, gestionnaire, mailoutbox):
    for email in (etudiante.email, "personne@campus.test", gestionnaire.email):
        assert oublier(email).status_code == 200

    assert lus(Acte.LIEN_DE_MOT_DE_PASSE_ENVOYE) == [(Acte.LIEN_DE_MOT_DE_PASSE_ENVOYE, None, gestionnaire.pk, {})]
    assert traces(Acte.LIEN_DE_MOT_DE_PASSE_ENVOYE)[0].adresse == "127.0.0.1"
    faire_les_taches()
    jeton = jeton_recu(mailoutbox[-1])
    corps = {
        "token": jeton,
        "nouveauMotDePasse": "Un-autre-manguier-43",
        "confirmationMotDePasse": "Un-autre-manguier-43",
    }
    assert client_de(None).post("/api/v1/auth/reset-password", corps).status_code == 200
    assert lus(Acte.MOT_DE_PASSE_CHANGE) == [(Acte.MOT_DE_PASSE_CHANGE, gestionnaire.pk, gestionnaire.pk, {})]


def test_demander_un_lien_ne_dit_pas_qui_est_de_l_equipe(gestionnaire):
    couts = []
    for email in (gestionnaire.email, "personne@campus.test"):
        with CaptureQueriesContext(connection) as requetes:
            oublier(email)
        couts.append([une["sql"].split(" ", 1)[0] for une in requetes])

    assert couts[0] == couts[1]


def test_un_lien_envoye_par_un_administrateur(etudiante, admin):
    choisir(entrer(admin.email), "envoyer_un_lien", etudiante, url="/admin/accounts/compte/")

    assert lus(Acte.LIEN_DE_MOT_DE_PASSE_ENVOYE) == [(Acte.LIEN_DE_MOT_DE_PASSE_ENVOYE, admin.pk, etudiante.pk, {})]


# --- What the team writes for everybody

FAQ = {"question": "Qui lit ?", "reponse": "Personne ne vous verra.", "categorie": "PORTAIL", "ordre": "10"}
CONTACT = {"nom": "Sécurité", "telephone": "+243811111111", "ordre": "10", "actif": "on"}


@pytest.mark.parametrize(
    ("url", "saisie", "change"),
    [(FAQS, FAQ, {"reponse": "Toute l'équipe."}), (CONTACTS, CONTACT, {"telephone": "+243822222222"})],
)
def test_l_aide_recrite(gestionnaire, url, saisie, change):
    client, model = entrer(gestionnaire.email), "faq" if url == FAQS else "contacturgence"
    client.post(f"{url}add/", saisie)
    (cree,) = traces(Acte.AIDE_CHANGEE)
    client.post(f"{url}{cree.objet}/change/", {**saisie, **change})
    client.post(f"{url}{cree.objet}/change/", {**saisie, **change})  # nothing changes
    liste = {"form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1", "form-0-id": str(cree.objet), "form-0-ordre": "20"}
    client.post(url, {**liste, "_save": "Enregistrer"})
    for action in ("publier", "retirer", "retirer", "publier"):
        client.post(url, {"action": action, "_selected_action": [str(cree.objet)]})
    client.post(f"{url}{cree.objet}/delete/", {"post": "yes"})

    ecrits = traces(Acte.AIDE_CHANGEE)
    dits = [(une.details["quoi"], une.details.get("champs")) for une in ecrits]
    attendus = [("changee", list(change)), ("changee", ["ordre"])]
    montrees = [quoi for quoi, _champs in dits if quoi in ("montree", "retiree")]
    assert dits[0][0] == "creee"
    assert [un for un in dits if un[0] == "changee"] == attendus
    assert montrees == (["montree"] if url == FAQS else []) + ["retiree", "montree"]
    assert dits[-1] == ("supprimee", None)
    assert {(une.acteur, une.sorte, une.objet, une.details["table"]) for une in ecrits} == {
        (gestionnaire.pk, Sorte.AIDE, cree.objet, model)
    }
    assert {une.details.get("categorie") for une in ecrits} == {"PORTAIL" if url == FAQS else None}
    ecrit = json.dumps([une.details for une in ecrits], ensure_ascii=False)
    assert not any(texte in ecrit for texte in ("Qui lit", "équipe", "Personne", "243", "Sécurité"))


def test_plusieurs_entrees_supprimees_font_une_ligne_chacune(admin):
    deux = [fichiers.faq(ordre=rang) for rang in (1, 2)]

    choisir(entrer(admin.email), "delete_selected", *deux, url=FAQS)

    assert {(objet, details["quoi"]) for _acte, _qui, objet, details in lus(Acte.AIDE_CHANGEE)} == {
        (une.pk, "supprimee") for une in deux
    }


def test_la_moderation_du_forum(etudiante, gestionnaire, admin):
    poste = forum.poste(acteur_de(etudiante), statut="NOUVEAU")
    commentaire, le_sien = (forum.commentaire(acteur_de(etudiante), poste) for _fois in range(2))
    un, client = f"/api/v1/postes/{poste.pk}", client_de(gestionnaire)
    client.patch(f"{un}/statut", {"statut": "APPROUVER"})
    client.patch(f"{un}/statut", {"statut": "APPROUVER"})
    client.put(f"{un}/epingle")
    assert client_de(admin).delete(f"{un}/commentaires/{commentaire.pk}").status_code == 204
    client_de(etudiante).delete(f"{un}/commentaires/{le_sien.pk}")
    choisir(entrer(admin.email), "supprimer", poste, url="/admin/forum/poste/")

    ecrits = lus(Acte.PUBLICATION_MODEREE)
    assert [details for *_qui, details in ecrits] == [
        {"quoi": "APPROUVER"},
        {"quoi": "EPINGLEE"},
        {"quoi": "SUPPRIME", "commentaire": str(commentaire.pk)},
        {"quoi": "SUPPRIMEE"},
    ]
    assert [par for _acte, par, *_reste in ecrits] == [gestionnaire.pk, gestionnaire.pk, admin.pk, admin.pk]
    assert {objet for _acte, _par, objet, _details in ecrits} == {poste.pk}


def test_sa_propre_publication_supprimee_n_y_est_pas(etudiante):
    poste = forum.poste(acteur_de(etudiante), statut="NOUVEAU")

    assert client_de(etudiante).delete(f"/api/v1/postes/{poste.pk}").status_code in (200, 204)

    assert lus(Acte.PUBLICATION_MODEREE) == []


def test_les_mots_surveilles_sans_le_mot(gestionnaire):
    client, url = entrer(gestionnaire.email), "/admin/forum/motsurveille/"
    client.post(f"{url}add/", {"mot": "canari"})
    (ajoute,) = traces(Acte.MOT_SURVEILLE_CHANGE)
    client.post(f"{url}{ajoute.objet}/change/", {"mot": "canaris"})
    client.post(f"{url}{ajoute.objet}/delete/", {"post": "yes"})

    ecrits = lus(Acte.MOT_SURVEILLE_CHANGE)
    assert [details for *_qui, details in ecrits] == [{"quoi": quoi} for quoi in ("AJOUTE", "CHANGE", "RETIRE")]
    assert {par for _acte, par, *_reste in ecrits} == {gestionnaire.pk}


def test_le_calendrier_et_les_inscriptions_d_autrui(etudiante, gestionnaire, admin):
    evenement = calendrier.evenement(gestionnaire)
    client, un = client_de(admin), f"/api/v1/calendriers/{evenement.pk}"
    assert client_de(etudiante).post(f"{un}/inscription").status_code == 201
    (participation,) = evenement.participations.all()
    statut = f"/api/v1/calendriers/participants/{participation.pk}/statut"
    assert client.put(un, {"lieu": "Amphi B"}).status_code == 200
    assert client.put(statut, {"statut": "CANCELLED"}).status_code == 200
    choisir(entrer(admin.email), "annuler", evenement, url="/admin/calendrier/evenementcampus/")

    assert lus(Acte.EVENEMENT_CHANGE, Acte.INSCRIPTION_CHANGEE) == [
        (Acte.EVENEMENT_CHANGE, gestionnaire.pk, evenement.pk, {"quoi": "CREE"}),
        (Acte.EVENEMENT_CHANGE, admin.pk, evenement.pk, {"quoi": "CHANGE", "champs": ["lieu"]}),
        (
            Acte.INSCRIPTION_CHANGEE,
            admin.pk,
            evenement.pk,
            {"participation": str(participation.pk), "avant": "CONFIRMED", "apres": "CANCELLED"},
        ),
        (Acte.EVENEMENT_CHANGE, admin.pk, evenement.pk, {"quoi": "ANNULE"}),
    ]


def test_la_bibliotheque(etudiante, gestionnaire):
    la_sienne, une = fichiers.ressource(etudiante), fichiers.ressource(etudiante)
    assert client_de(etudiante).delete(f"/api/v1/ressources/{la_sienne.pk}").status_code == 200
    assert client_de(gestionnaire).delete(f"/api/v1/ressources/{une.pk}").status_code == 200
    choisir(entrer(gestionnaire.email), "retablir", une, url="/admin/resources/ressource/?etat=supprimees")

    assert lus(Acte.RESSOURCE_CHANGEE) == [
        (Acte.RESSOURCE_CHANGEE, gestionnaire.pk, une.pk, {"quoi": quoi}) for quoi in ("SUPPRIMEE", "RETABLIE")
    ]


# --- Those who look at the others


def test_lire_le_journal_s_ecrit_sans_ce_qu_on_y_cherche(admin, etudiante, gestionnaire):
    client_de(admin).put(f"/api/v1/comptes/{etudiante.pk}", {"nom": "Autrement"})
    client, journal = entrer(admin.email), "/admin/admin/logentry/"
    client.get(journal, {"q": "SIG-2026-ABCDEFGH"})
    page = client.get(journal)
    entree = page.context["cl"].result_list[0]
    client.get(f"{journal}{entree.pk}/change/")
    entrer(gestionnaire.email).get(journal)  # who has no right to it

    assert [(par, details) for _acte, par, _objet, details in lus(Acte.JOURNAL_CONSULTE)] == [
        (admin.pk, {"criteres": ["q"]}),
        (admin.pk, {}),
        (admin.pk, {"entree": entree.pk}),
    ]


def test_regarder_l_export_d_un_autre_dans_l_administration_s_ecrit(admin, gestionnaire):
    export = exporter(acteur=acteur_de(gestionnaire), format="csv", filtres={})

    for qui in (admin, gestionnaire):
        entrer(qui.email).get(f"/admin/stats/export/{export.pk}/change/")

    assert lus(Acte.EXPORT_OUVERT) == [(Acte.EXPORT_OUVERT, admin.pk, export.pk, {})]


def test_un_acte_annule_ne_laisse_pas_de_trace(etudiante, admin, monkeypatch):
    fichier, _dossier = piece(etudiante)

    def tomber(*_args, **_options):
        raise RuntimeError

    monkeypatch.setattr("resources.services.fichiers.noter", tomber)
    with pytest.raises(RuntimeError):
        services.supprimer(fichier=fichier, acteur=acteur_de(admin))

    assert lus(Acte.FICHIER_SUPPRIME) == []

"""What the register holds of what people do: staff always, others never."""

from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Session
from accounts.services import sessions
from accounts.tests import fabriques as comptes
from accounts.tests.fabriques import MOT_DE_PASSE
from config.serveur import reglages
from config.tests.outils import acteur_de, client_de
from config.tests.outils.scene import HTTP, Scene, en_parametres
from discussions.tests import fabriques as discussions
from espace.tests.outils import Equipiere
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.fabriques import fusionner
from resources.tests import fabriques as fichiers
from signalements.tests import fabriques as signalements
from socle.audit import registre
from socle.audit.models import Trace
from socle.audit.registre import consigner
from socle.audit.tests.outils import traces
from socle.audit.vocabulaire import POUR_L_EXPLOITANT, Acte, Sorte
from socle.domaine.droits import Droit, a_le_droit
from socle.realtime.auth import DemandeDeSocket, Ecoute, Identite, Portier, etablir

pytestmark = pytest.mark.django_db
AUDIT = "/api/v1/audit"
SIGNALEMENTS = "/api/v1/signalements"
D_UN_DOSSIER = [
    ligne
    for ligne in HTTP
    if ("{signalement_id}" in ligne.chemin or "{discussion_id}" in ligne.chemin)
    and ligne.acteur in ("gestionnaire", "admin")
    and ligne.attendu.startswith("2")
]


def lire(qui, **question):
    reponse = client_de(qui).get(AUDIT, question)
    assert reponse.status_code == 200, reponse.content
    return reponse.json()["data"]


# --- Reading a case


@pytest.mark.parametrize("ligne", en_parametres(D_UN_DOSSIER))
def test_quoi_que_l_equipe_fasse_d_un_dossier_l_ouvrir_est_ecrit(ligne):
    scene = Scene()
    client, url = scene.client_de(ligne), scene.chemin(ligne)
    corps = scene.corps(ligne.methode, ligne.chemin, ligne.acteur)
    traces()
    registre.recommencer()

    client.envoyer(ligne.methode, url, corps, headers=scene.entetes(ligne.methode, ligne.chemin))

    de_l_invite = "session-invitee" in ligne.chemin
    dossier = (scene.signalement_de_l_invite if de_l_invite else scene.signalement_du_compte).pk
    lues = traces(objet=dossier, acteur=getattr(scene, ligne.acteur).pk)
    assert lues, ligne
    assert {une.adresse for une in lues} == {"127.0.0.1"}


def test_ouvrir_un_dossier_dit_qui_quoi_quand_et_d_ou(gestionnaire, signalement):
    avant = timezone.now()
    reponse = client_de(gestionnaire).get(f"{SIGNALEMENTS}/{signalement.pk}", headers={"Accept-Language": "en"})

    (une,) = traces()

    assert (une.acte, une.acteur, une.role) == (Acte.SIGNALEMENT_OUVERT, gestionnaire.pk, "GESTIONNAIRE")
    assert (une.sorte, une.objet, une.adresse) == (Sorte.SIGNALEMENT, signalement.pk, "127.0.0.1")
    assert une.requete == reponse["X-Request-Id"]
    assert avant <= une.date <= timezone.now()


def test_la_meme_ouverture_dans_la_minute_n_est_ecrite_qu_une_fois_par_personne(gestionnaire, admin, signalement):
    for qui in (gestionnaire, gestionnaire, admin):
        client_de(qui).get(f"{SIGNALEMENTS}/{signalement.pk}")

    assert [une.acteur for une in traces()] == [gestionnaire.pk, admin.pk]


def test_ce_que_lit_l_auteur_n_est_a_personne(etudiante, invite, gestionnaire, signalement, signalement_invite):
    sien = signalements.signalement(acteur_de(gestionnaire))
    for qui, dossier in ((etudiante, signalement), (invite, signalement_invite), (gestionnaire, sien)):
        assert client_de(qui).get(f"{SIGNALEMENTS}/{dossier.pk}").status_code == 200
        liste = f"{SIGNALEMENTS}/guest/me" if qui is invite else f"{SIGNALEMENTS}/me"
        assert client_de(qui).get(liste).status_code == 200
        discussion = discussions.discussion(acteur_de(qui), signalement=dossier)
        piece = fichiers.fichier(acteur_de(qui))
        messages = f"/api/v1/discussions/{discussion.pk}/messages"
        assert client_de(qui).get(messages).status_code == 200
        assert client_de(qui).post(messages, {"piecesJointes": [str(piece.pk)]}).status_code == 201
        assert client_de(qui).get(f"/api/v1/fichiers/{piece.pk}").status_code == 200
        for canal in (f"signalement:{dossier.pk}", f"discussion:{discussion.pk}"):
            assert client_de(qui).get("/api/v1/evenements", {"canal": canal}).status_code == 200

    assert traces() == []


def test_un_refus_n_est_pas_une_ouverture(autre_etudiante, signalement):
    assert client_de(autre_etudiante).get(f"{SIGNALEMENTS}/{signalement.pk}").status_code == 403

    assert traces() == []


def test_un_identifiant_joint_mene_au_dossier_qui_demeure(gestionnaire, etudiante, invite):
    garde, joint = signalements.signalement(acteur_de(etudiante)), signalements.signalement(acteur_de(invite))
    signalements.joindre(joint, garde)

    client_de(gestionnaire).get(f"{SIGNALEMENTS}/{joint.pk}")

    assert [une.objet for une in traces(Acte.SIGNALEMENT_OUVERT)] == [garde.pk]


def test_lire_une_discussion_est_ecrit_sous_son_dossier(gestionnaire, etudiante, signalement):
    du_dossier = discussions.discussion(acteur_de(etudiante), signalement=signalement)
    sans_dossier = discussions.discussion(acteur_de(etudiante))
    for une in (du_dossier, sans_dossier):
        client_de(gestionnaire).get(f"/api/v1/discussions/{une.pk}/messages")
        client_de(etudiante).get(f"/api/v1/discussions/{une.pk}/messages")

    lues = [(une.sorte, une.objet, une.details["discussion"]) for une in traces(Acte.DISCUSSION_OUVERTE)]

    assert lues == [
        (Sorte.SIGNALEMENT, signalement.pk, str(du_dossier.pk)),
        (Sorte.DISCUSSION, sans_dossier.pk, str(sans_dossier.pk)),
    ]


def test_ouvrir_un_fichier_est_ecrit_sous_son_dossier(gestionnaire, etudiante):
    piece = fichiers.fichier(acteur_de(etudiante))
    libre = fichiers.fichier(acteur_de(etudiante))
    fichiers.ressource(etudiante, file_id=libre.pk)  # of no case
    dossier = signalements.signalement(acteur_de(etudiante), pieces_jointes=[piece.pk])
    signalements.signalement(acteur_de(etudiante))  # which it is no evidence of
    for un in (piece, libre):
        assert client_de(gestionnaire).get(f"/api/v1/fichiers/{un.pk}").status_code == 200
        assert client_de(etudiante).get(f"/api/v1/fichiers/{un.pk}").status_code == 200

    lus = [(une.sorte, une.objet, une.details) for une in traces(Acte.FICHIER_OUVERT)]

    assert lus == [(Sorte.SIGNALEMENT, dossier.pk, {"fichier": str(piece.pk)}), (Sorte.FICHIER, libre.pk, {})]


def test_ouvrir_le_fichier_d_un_message_n_est_ecrit_que_sous_son_dossier(gestionnaire, etudiante, signalement):
    ailleurs = signalements.signalement(acteur_de(etudiante))
    piece = fichiers.fichier(acteur_de(etudiante))
    for dossier, jointes in ((signalement, [piece.pk]), (ailleurs, [])):
        echange = discussions.discussion(acteur_de(etudiante), signalement=dossier)
        discussions.message(acteur_de(etudiante), echange, "Voici.", pieces_jointes=jointes)

    assert client_de(gestionnaire).get(f"/api/v1/fichiers/{piece.pk}").status_code == 200

    assert [(une.sorte, une.objet) for une in traces(Acte.FICHIER_OUVERT)] == [(Sorte.SIGNALEMENT, signalement.pk)]


@pytest.mark.parametrize("canal", ["signalements", "dashboard", "signalement", "discussion"])
def test_ecouter_est_ecrit_avec_d_ou_l_on_ecoute(canal, gestionnaire, etudiante, signalement):
    discussion = discussions.discussion(acteur_de(etudiante), signalement=signalement)
    nom = {"signalement": f"signalement:{signalement.pk}", "discussion": f"discussion:{discussion.pk}"}.get(
        canal, canal
    )
    scope = {"client": ("192.0.2.9", 4000), "headers": []}
    acteurs = {"g": acteur_de(gestionnaire), "e": acteur_de(etudiante)}
    portier = Portier(identifier=lambda demandes: [Identite(acteurs[une.parametres["qui"]]) for une in demandes])

    entendus = etablir(portier, [(DemandeDeSocket({"qui": qui}, scope), nom) for qui in ("g", "e")])

    assert isinstance(entendus[0], Ecoute)
    (une,) = traces()
    assert (une.acte, une.acteur, une.adresse) == (Acte.CANAL_ECOUTE, gestionnaire.pk, "192.0.2.9")
    assert une.objet == (None if canal in ("signalements", "dashboard") else signalement.pk)


@pytest.mark.parametrize("canal", ["signalements", "dashboard", "signalement", "discussion"])
def test_rattraper_un_canal_est_ecrit_comme_l_ecouter(canal, gestionnaire, etudiante, signalement):
    discussion = discussions.discussion(acteur_de(etudiante), signalement=signalement)
    nom = {"signalement": f"signalement:{signalement.pk}", "discussion": f"discussion:{discussion.pk}"}.get(
        canal, canal
    )
    for qui in (gestionnaire, etudiante):
        client_de(qui).get("/api/v1/evenements", {"canal": nom})

    (une,) = traces()
    assert (une.acte, une.acteur, une.adresse) == (Acte.CANAL_ECOUTE, gestionnaire.pk, "127.0.0.1")
    assert une.objet == (None if canal in ("signalements", "dashboard") else signalement.pk)


def test_ecouter_une_discussion_sans_dossier_est_ecrit_sous_elle(gestionnaire, etudiante):
    discussion = discussions.discussion(acteur_de(etudiante))

    client_de(gestionnaire).get("/api/v1/evenements", {"canal": f"discussion:{discussion.pk}"})

    (une,) = traces()
    assert (une.acte, une.sorte, une.objet) == (Acte.CANAL_ECOUTE, Sorte.DISCUSSION, discussion.pk)


def test_ce_qui_ne_peut_s_ecrire_ne_se_rattrape_pas(gestionnaire, etudiante, signalement, monkeypatch):
    monkeypatch.setattr(registre.greffe, "_en_panne_depuis", -1e9)
    canal = {"canal": f"signalement:{signalement.pk}"}

    assert [client_de(qui).get("/api/v1/evenements", canal).status_code for qui in (gestionnaire, etudiante)] == [
        503,
        200,
    ]


def test_ce_qui_ne_peut_s_ecrire_ne_s_ecoute_pas(gestionnaire, etudiante, signalement, monkeypatch):
    monkeypatch.setattr(registre.greffe, "_en_panne_depuis", -1e9)
    acteurs = {"g": acteur_de(gestionnaire), "e": acteur_de(etudiante)}
    portier = Portier(identifier=lambda demandes: [Identite(acteurs[une.parametres["qui"]]) for une in demandes])

    refuse, admise = etablir(
        portier, [(DemandeDeSocket({"qui": q}, {}), f"signalement:{signalement.pk}") for q in ("g", "e")]
    )

    assert refuse.code == 1013
    assert isinstance(admise, Ecoute)


# --- Lists


@pytest.mark.parametrize(
    "adresse",
    [
        SIGNALEMENTS,
        f"{SIGNALEMENTS}/non-traites",
        "/api/v1/stats/dashboard/alerts",
        "/api/v1/stats/dashboard/cases/recent",
        "/equipe/dossiers/",
        "/equipe/tableau/",
    ],
)
def test_une_liste_dit_chaque_dossier_qu_elle_montre_mais_pas_les_siens(adresse, gestionnaire, etudiante):
    montres = {signalements.signalement(acteur_de(etudiante), titre=f"Dossier {n}").pk for n in range(3)}
    signalements.signalement(acteur_de(gestionnaire))
    client = client_de(gestionnaire) if adresse.startswith("/api") else Equipiere(gestionnaire)
    traces()
    Trace.objects.all().delete()

    for _ in range(2):
        assert client.get(adresse).status_code == 200

    lues = traces(Acte.SIGNALEMENT_MONTRE)
    assert len(lues) == 3
    assert {une.objet for une in lues} == montres


def test_la_liste_des_discussions_dit_les_dossiers(gestionnaire, etudiante, signalement):
    discussions.discussion(acteur_de(etudiante), signalement=signalement)

    client_de(gestionnaire).get("/api/v1/discussions")
    client_de(etudiante).get("/api/v1/discussions")

    assert [une.objet for une in traces()] == [signalement.pk]


@pytest.mark.parametrize("adresse", [SIGNALEMENTS, "/equipe/dossiers/"])
def test_une_recherche_dit_ses_criteres_meme_sans_resultat(adresse, gestionnaire):
    client = client_de(gestionnaire) if adresse == SIGNALEMENTS else Equipiere(gestionnaire)
    Trace.objects.all().delete()
    for question in (
        {"search": "Moreau", "statut": "NOUVEAU"},
        {"search": "Moreau", "statut": "NOUVEAU"},
        {"search": "Diop"},
    ):
        assert client.get(adresse, question).status_code == 200

    cherchees = [une.details for une in traces(Acte.SIGNALEMENTS_CHERCHES)]

    assert cherchees == [{"search": "Moreau", "statut": "NOUVEAU"}, {"search": "Diop"}]


@pytest.mark.parametrize("adresse", [SIGNALEMENTS, "/equipe/dossiers/"])
def test_un_identifiant_d_invite_colle_dans_une_recherche_n_est_pas_garde(adresse, gestionnaire, invite):
    client = client_de(gestionnaire) if adresse == SIGNALEMENTS else Equipiere(gestionnaire)

    assert client.get(adresse, {"search": f"vu {invite.guest_id}"}).status_code == 200

    (cherchee,) = traces(Acte.SIGNALEMENTS_CHERCHES)
    assert str(invite.guest_id) not in str(cherchee.details)
    assert cherchee.details["search"].startswith("vu ")


def test_une_liste_sans_rien_de_nouveau_n_ecrit_rien(gestionnaire, signalement, django_assert_num_queries):
    client = client_de(gestionnaire)
    client.get(SIGNALEMENTS)
    registre.greffe.vider()
    client.get(SIGNALEMENTS)

    with django_assert_num_queries(0):
        assert registre.greffe.vider() == 0


def test_quand_rien_ne_peut_s_ecrire_l_equipe_ne_lit_plus_et_les_autres_lisent(
    gestionnaire, etudiante, signalement, monkeypatch
):
    monkeypatch.setattr(registre.greffe, "_en_panne_depuis", -1e9)

    for adresse in (f"{SIGNALEMENTS}/{signalement.pk}", SIGNALEMENTS):
        reponse = client_de(gestionnaire).get(adresse)
        assert (reponse.status_code, reponse.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
        assert reponse["Retry-After"]
    assert client_de(etudiante).get(f"{SIGNALEMENTS}/{signalement.pk}").status_code == 200
    assert client_de(etudiante).get(f"{SIGNALEMENTS}/me").status_code == 200


# --- Acts


def test_un_export_et_son_telechargement(gestionnaire):
    demande = client_de(gestionnaire).post("/api/v1/stats/signalements/export", {"format": "csv", "statut": "NOUVEAU"})
    export = demande.json()["data"]
    client_de(None).get(export["downloadUrl"].removeprefix("http://testserver"))

    demandee, prise = traces(objet=export["exportId"])

    assert (demandee.acte, demandee.acteur) == (Acte.EXPORT_DEMANDE, gestionnaire.pk)
    assert demandee.details == {"format": "csv", "statut": "NOUVEAU"}
    assert (prise.acte, prise.acteur, prise.adresse) == (Acte.EXPORT_TELECHARGE, None, "127.0.0.1")


def test_qui_prend_l_export_d_un_autre_est_dit(admin, gestionnaire):
    """Its link opens the file for whoever holds it: who was given one is what can be known."""
    fait = client_de(gestionnaire).post("/api/v1/stats/signalements/export").json()["data"]
    for qui in (gestionnaire, admin):
        assert client_de(qui).get(f"/api/v1/stats/exports/{fait['exportId']}").status_code == 200

    (une,) = traces(Acte.EXPORT_OUVERT)
    assert (une.acteur, une.sorte, str(une.objet)) == (admin.pk, Sorte.EXPORT, fait["exportId"])


def test_les_actes_sur_les_comptes(admin, etudiante):
    client, un = client_de(admin), f"/api/v1/comptes/{etudiante.pk}"
    client.put(un, {"nom": "Diop-Sarr", "typeUtilisateur": "GESTIONNAIRE"})
    client.put(f"{un}/deactivate")
    client.put(f"{un}/reactivate")
    client.put(f"{un}/reset-password", {"nouveauMotDePasse": "Un-autre-long-secret-2026"})

    lus = [(une.acte, une.acteur, une.details) for une in traces(objet=etudiante.pk)]

    assert [acte for acte, _par, _details in lus][:4] == [
        Acte.COMPTE_MODIFIE,
        Acte.ROLE_CHANGE,
        Acte.COMPTE_DESACTIVE,
        Acte.COMPTE_REACTIVE,
    ]
    assert {par for _acte, par, _details in lus} == {admin.pk}
    assert lus[0][2] == {"champs": ["nom", "type_utilisateur"]}
    assert lus[1][2] == {"avant": "UTILISATEUR", "apres": "GESTIONNAIRE"}


def test_un_acte_refuse_ne_laisse_pas_de_trace(gestionnaire, etudiante):
    assert client_de(gestionnaire).put(f"/api/v1/comptes/{etudiante.pk}/deactivate").status_code == 403

    assert traces() == []


def test_les_invitations(admin):
    client = client_de(admin)
    une = client.post("/api/v1/comptes/invitations", {"email": "neuve@campus.test", "typeUtilisateur": "GESTIONNAIRE"})
    cle = une.json()["data"]["invitationId"]
    client.post(f"/api/v1/comptes/invitations/{cle}/renvoyer")
    client.delete(f"/api/v1/comptes/invitations/{cle}")

    actes = [(une.acte, une.details) for une in traces(objet=cle)]

    role = {"role": "GESTIONNAIRE"}
    envoyee = (Acte.INVITATION_ENVOYEE, role)
    assert actes == [envoyee, envoyee, (Acte.INVITATION_REVOQUEE, role)]


def test_une_session_invitee_desactivee_est_dite_par_son_dossier(admin, signalement_invite):
    adresse = f"{SIGNALEMENTS}/{signalement_invite.pk}/session-invitee"
    reponse = client_de(admin).put(adresse, {"statut": "DISABLED", "motif": "Menaces."})
    assert reponse.status_code == 200, reponse.content

    (une,) = traces(Acte.SESSION_INVITEE_CHANGEE)

    assert (une.sorte, une.objet, une.details) == (Sorte.SIGNALEMENT, signalement_invite.pk, {"statut": "DISABLED"})


# --- Sign-ins


def test_les_connexions_de_l_equipe_et_leurs_refus(gestionnaire):
    client = client_de(None)
    entrer = {"email": gestionnaire.email, "motDePasse": MOT_DE_PASSE}
    client.post("/api/v1/auth/login", {**entrer, "motDePasse": "pas-celui-la"})
    jeton = client.post("/api/v1/auth/login", entrer).json()["data"]["token"]
    client.post("/api/v1/auth/logout", headers={"Authorization": f"Bearer {jeton}"})

    refusee, entree, sortie = traces()

    assert (refusee.acte, refusee.acteur, refusee.objet) == (Acte.CONNEXION_REFUSEE, None, gestionnaire.pk)
    assert (refusee.adresse, refusee.details) == ("127.0.0.1", {"motif": "motDePasse"})
    assert (entree.acte, entree.acteur) == (Acte.CONNEXION, gestionnaire.pk)
    assert (sortie.acte, sortie.acteur) == (Acte.DECONNEXION, gestionnaire.pk)


def test_celles_de_l_espace_aussi(gestionnaire):
    navigateur = Client()
    for secret in ("pas-celui-la", MOT_DE_PASSE):
        navigateur.post("/admin/login/", {"username": gestionnaire.email, "password": secret})
    navigateur.post("/admin/logout/")

    assert [une.acte for une in traces(objet=gestionnaire.pk)] == [
        Acte.CONNEXION_REFUSEE,
        Acte.CONNEXION,
        Acte.DECONNEXION,
    ]


def test_un_compte_desactive_qui_essaie_est_dit(gestionnaire):
    gestionnaire.est_actif = False
    gestionnaire.save()

    client_de(None).post("/api/v1/auth/login", {"email": gestionnaire.email, "motDePasse": MOT_DE_PASSE})

    assert [(une.acte, une.details) for une in traces()] == [(Acte.CONNEXION_REFUSEE, {"motif": "desactive"})]


def test_l_heure_a_laquelle_entrent_les_autres_n_est_ecrite_nulle_part(etudiante):
    client = client_de(None)
    for secret in ("pas-celui-la", MOT_DE_PASSE):
        client.post("/api/v1/auth/login", {"email": etudiante.email, "motDePasse": secret})
    client.post("/api/v1/auth/login", {"email": "inconnue@campus.test", "motDePasse": "x" * 12})
    jeton = sessions._ouvrir(Session(compte=etudiante)).token
    client.post("/api/v1/auth/logout", headers={"Authorization": f"Bearer {jeton}"})

    assert traces() == []


# --- Merges: for operators alone


def test_une_fusion_et_son_retour_n_y_nomment_personne_et_ne_sont_lus_que_sur_la_machine(admin, etudiante, invite):
    signalements.signalement(acteur_de(invite))
    fusionner(invite, etudiante)
    audit = AuditFusion.objects.get()
    annuler(audit)

    ecrites = traces(Acte.FUSION, Acte.FUSION_ANNULEE)

    assert [(une.acteur, une.objet, une.adresse, une.requete) for une in ecrites] == [(None, audit.pk, "", "")] * 2
    assert lire(admin)["items"] == []
    assert client_de(admin).get(AUDIT, {"acte": "FUSION"}).status_code == 422


# --- Settings


def test_les_reglages_changes_sont_dits_et_les_secrets_ne_le_sont_pas(monkeypatch):
    donnes = {"PORTAIL_ENABLED": "true", "HASH_KEY": "un-secret-tres-long", "PORT": "8000"}
    monkeypatch.setattr(reglages.env, "donnes", donnes)
    monkeypatch.setattr(reglages.env, "lisibles", {"PORTAIL_ENABLED", "PORT"})
    reglages.consigner_les_changements()
    reglages.consigner_les_changements()
    donnes |= {"PORTAIL_ENABLED": "false", "HASH_KEY": "un-autre-secret-long", "PORT": "8001"}
    reglages.consigner_les_changements()

    premiere, seconde = traces(Acte.REGLAGES_CHANGES)

    assert premiere.details["etat"]["PORTAIL_ENABLED"] == "true"
    assert seconde.details["changes"] == ["HASH_KEY", "PORTAIL_ENABLED"]
    assert seconde.details["etat"]["PORTAIL_ENABLED"] == "false"
    assert "secret" not in str([premiere.details, seconde.details])


# --- Reading the register


def peupler(nombre, **valeurs):
    for _ in range(nombre):
        consigner(Acte.COMPTE_MODIFIE, **{"par": None, "objet": uuid4(), "sorte": Sorte.COMPTE, **valeurs})


def test_seule_l_administration_le_lit():
    assert [
        role for role in ("UTILISATEUR", "GESTIONNAIRE", "ADMIN_SYSTEME") if a_le_droit(role, Droit.REGISTRE_CONSULTER)
    ] == ["ADMIN_SYSTEME"]


def test_ce_qu_en_lit_l_administration(admin, gestionnaire, signalement):
    client_de(gestionnaire).get(f"{SIGNALEMENTS}/{signalement.pk}")
    registre.greffe.vider()

    (une,) = lire(admin)["items"]

    assert une.pop("date").endswith("Z")
    assert une.pop("requeteId")
    assert isinstance(une.pop("id"), int)
    assert une == {
        "acte": "SIGNALEMENT_OUVERT",
        "acteurId": str(gestionnaire.pk),
        "acteurNom": gestionnaire.nom_complet,
        "acteurRole": "GESTIONNAIRE",
        "objetType": "SIGNALEMENT",
        "objetId": str(signalement.pk),
        "adresse": "127.0.0.1",
        "details": {},
    }


@pytest.mark.usefixtures("signalement")  # another one, which is there
def test_ce_qui_est_d_une_sorte_sans_rien_nommer_se_lit(admin):
    """Of a thing that is named and no longer there nobody can say from whom it was hidden; here none is."""
    consigner(Acte.DOSSIERS_EFFACES, par=None, sorte=Sorte.SIGNALEMENT, nombre=2)
    consigner(Acte.GEL_CHANGE, par=None, sorte=Sorte.SIGNALEMENT, objet=uuid4(), gele=True)

    lus = client_de(admin).get("/api/v1/audit/").json()["data"]["items"]

    actes = {une["acte"] for une in lus}
    assert (Acte.DOSSIERS_EFFACES in actes, Acte.GEL_CHANGE in actes) == (True, False)


def test_ses_filtres(admin, gestionnaire):
    objet = uuid4()
    peupler(2)
    peupler(1, par=gestionnaire, objet=objet)
    consigner(Acte.COMPTE_DESACTIVE, par=admin, objet=uuid4(), sorte=Sorte.COMPTE)
    jour = timezone.now().date().isoformat()

    assert lire(admin, acte="COMPTE_DESACTIVE")["total"] == 1
    assert lire(admin, acteurId=str(gestionnaire.pk))["total"] == 1
    assert lire(admin, objetId=str(objet))["total"] == 1
    assert lire(admin, debut=jour, fin=jour)["total"] == 4
    assert lire(admin, debut="2031-01-01")["total"] == 0
    assert lire(admin, fin="2021-01-01")["total"] == 0


@pytest.mark.parametrize(
    ("champ", "valeur"),
    [("acte", "RIEN"), ("acteurId", "x"), ("objetId", "1"), ("debut", "hier"), ("fin", "2026-13-01")],
)
def test_un_filtre_faux_est_refuse(admin, champ, valeur):
    reponse = client_de(admin).get(AUDIT, {champ: valeur})

    assert reponse.status_code == 422
    assert [un["field"] for un in reponse.json()["details"]] == [champ]


def test_autant_de_requetes_pour_une_ligne_que_pour_neuf(admin, django_assert_num_queries):
    client = client_de(admin)
    for nombre in (1, 8):
        peupler(nombre, par=admin)
        with django_assert_num_queries(3):
            client.get(AUDIT)


def test_le_consulter_s_y_ecrit(admin):
    lire(admin, acte="CONNEXION")

    (une,) = traces()

    assert (une.acte, une.acteur, une.details) == (Acte.REGISTRE_CONSULTE, admin.pk, {"acte": "CONNEXION"})


def test_qui_lit_le_registre_n_y_apprend_rien_de_ses_propres_dossiers(admin, gestionnaire, invite):
    sien = signalements.signalement(acteur_de(admin))
    venu = signalements.signalement(acteur_de(invite))
    fusionner(invite, admin)
    libre = discussions.discussion(acteur_de(admin))
    for adresse in (f"{SIGNALEMENTS}/{sien.pk}", f"{SIGNALEMENTS}/{venu.pk}", f"/api/v1/discussions/{libre.pk}"):
        assert client_de(gestionnaire).get(adresse).status_code == 200
    registre.greffe.vider()
    autre = comptes.admin(email="autre-admin@campus.test")

    assert {une["objetId"] for une in lire(autre)["items"]} == {str(un.pk) for un in (sien, venu, libre)}
    assert [une for une in lire(admin)["items"] if une["objetId"]] == []
    assert lire(admin, objetId=str(sien.pk))["total"] == 0


@pytest.mark.parametrize("par", [f"{AUDIT}/", "/equipe/registre/"])
def test_qui_lit_le_registre_n_y_apprend_pas_qu_on_l_a_lu_sur_son_dossier(par, admin):
    """Whoever sees that somebody looks up who opens a case learns that there is one."""
    sien = signalements.signalement(acteur_de(admin))
    autre = comptes.admin(email="autre-admin@campus.test")
    lectrice = client_de(autre) if par.startswith("/api") else Equipiere(autre)
    assert lectrice.get(par, {"objetId": str(sien.pk)}).status_code == 200

    (une,) = traces(Acte.REGISTRE_CONSULTE)
    assert (une.acteur, une.sorte, une.objet, une.details) == (autre.pk, Sorte.SIGNALEMENT, sien.pk, {})
    assert str(sien.pk) not in str(lire(admin)["items"])
    assert str(sien.pk) not in Equipiere(admin).lire("/equipe/registre/")
    assert [un["acte"] for un in lire(autre, objetId=str(sien.pk))["items"]] == ["REGISTRE_CONSULTE"]


def test_consulter_le_registre_sur_ce_qui_n_est_plus_est_ecrit_sous_ce_que_c_etait(admin, gestionnaire):
    parti, inconnu = uuid4(), uuid4()
    consigner(Acte.GEL_CHANGE, par=gestionnaire, objet=parti, sorte=Sorte.SIGNALEMENT)
    for cle in (parti, inconnu):
        lire(admin, objetId=str(cle))

    assert [(une.objet, une.sorte) for une in traces(Acte.REGISTRE_CONSULTE)] == [
        (parti, Sorte.SIGNALEMENT),
        (inconnu, Sorte.SIGNALEMENT),  # as of a case that is closed to her: she reads neither
    ]
    assert lire(admin, objetId=str(inconnu))["total"] == 0


def test_la_page_du_registre(admin, gestionnaire, signalement):
    client_de(gestionnaire).get(f"{SIGNALEMENTS}/{signalement.pk}")
    registre.greffe.vider()
    navigatrice = Equipiere(admin)

    page = navigatrice.lire("/equipe/registre/")
    assert signalement.reference in page
    assert gestionnaire.nom_complet in page
    assert "a ouvert le dossier" in page
    assert navigatrice.lire("/equipe/registre/", objetId=str(uuid4())).count("<time") == 0
    assert "Du" in navigatrice.lire("/equipe/registre/", attendu=422, debut="hier")
    assert f"/equipe/registre/?objetId={signalement.pk}" in navigatrice.dossier(signalement)
    assert "/equipe/registre/" not in Equipiere(gestionnaire).dossier(signalement)
    Equipiere(gestionnaire).lire("/equipe/registre/", attendu=403)


def test_ce_qu_une_liste_a_montre_y_est_une_ligne(admin, gestionnaire, etudiante):
    dossiers = [signalements.signalement(acteur_de(etudiante), titre=f"Dossier {n}") for n in range(3)]
    client_de(gestionnaire).get(SIGNALEMENTS)
    registre.greffe.vider()

    page = Equipiere(admin).lire("/equipe/registre/", tout="1")

    assert page.count("<li><time") == 2  # and that she has come in
    assert "3 dossiers" in page
    assert all(un.reference in page for un in dossiers)


def test_la_page_avance_de_cinquante_lignes(admin):
    peupler(51)
    navigatrice = Equipiere(admin)

    page = navigatrice.lire("/equipe/registre/", acte="COMPTE_MODIFIE")
    suite = page.partition('rel="next" href="')[2].partition('"')[0]
    assert page.count("<li><time") == 50
    assert navigatrice.lire(f"/equipe/registre/{suite}").count("<li><time") == 1


def test_les_actes_de_l_exploitant_ne_sont_proposes_nulle_part(admin):
    page = Equipiere(admin).lire("/equipe/registre/")

    assert not [acte for acte in POUR_L_EXPLOITANT if f'value="{acte.value}"' in page]

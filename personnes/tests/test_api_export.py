"""What a person takes along: all of their own as they read it, and nothing else."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.conf import settings as reglages
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.services.comptes import modifier_preferences
from accounts.tests import fabriques as comptes
from calendrier.tests import fabriques as calendrier
from config.tests.outils import acteur_de, refermer
from discussions.tests import fabriques as discussions
from equipes.tests import fabriques as equipes
from forum.tests import fabriques as forum
from guests.tests.fabriques import fusionner
from personnes.exports import lots
from personnes.vocabulaire import LISEZMOI
from resources import stockage
from resources.models import Fichier
from resources.permissions import fichier_accessible
from resources.tests import fabriques as fichiers
from signalements import services
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques as signalements
from socle.audit.models import Trace
from socle.domaine import limites

pytestmark = pytest.mark.django_db
DU_COMPTE, DE_L_INVITE = "/api/v1/comptes/me/export", "/api/v1/guest/export"
NOTE, AUTRUI = "CANARI-NOTE-INTERNE", "CANARI-DOSSIER-D-AUTRUI"


def octets(reponse) -> bytes:
    assert (reponse.status_code, reponse.headers["Content-Type"]) == (200, "application/zip")
    return b"".join(reponse)


def ouvrir(reponse) -> ZipFile:
    return ZipFile(BytesIO(octets(reponse)))


def casser(valeur):
    raise OSError("plus de place")


def raccrocher(reponse) -> None:
    """As the server does where the client goes away."""
    refermer(reponse)


def lu(archive: ZipFile) -> dict:
    return {nom: json.loads(archive.read(nom)) for nom in archive.namelist() if nom.endswith(".json")}


def tout_le_texte(archive: ZipFile) -> str:
    assert archive.testzip() is None
    return "\n".join(archive.read(nom).decode(errors="replace") for nom in archive.namelist())


def un_dossier(acteur, equipe, **champs):
    """With a note, a handler, a conversation of both, and a file of each."""
    piece = fichiers.fichier(acteur, nom="preuve.txt", contenu=b"octets-de-la-preuve")
    dossier = signalements.signalement(acteur, pieces_jointes=[piece.pk], **champs)
    services.ajouter_note(signalement=dossier, acteur=equipe, contenu=NOTE)
    services.assigner(signalement=dossier, acteur=equipe, gestionnaire_id=equipe.compte.pk)
    discussion = discussions.discussion(acteur, signalement=dossier)
    discussions.message(acteur, discussion, "Le mien.")
    reponse = fichiers.fichier(equipe, nom="reponse.txt", contenu=b"octets-de-la-reponse")
    discussions.message(equipe, discussion, "La réponse.", pieces_jointes=[reponse.pk])
    return dossier


@pytest.fixture
def equipe(gestionnaire):
    return acteur_de(gestionnaire)


@pytest.fixture
def d_autrui(autre_etudiante, equipe):
    """Another's case, and words of theirs in public and not."""
    autre = acteur_de(autre_etudiante)
    forum.poste(autre, contenu=AUTRUI)
    return un_dossier(autre, equipe, titre=AUTRUI, description=AUTRUI)


@pytest.fixture
def dossier(etudiante, equipe, d_autrui):
    return un_dossier(acteur_de(etudiante), equipe)


@pytest.fixture
def dossier_invite(invite, equipe, d_autrui):
    return un_dossier(acteur_de(invite), equipe)


def test_un_compte_emporte_ce_qui_est_a_lui(api, etudiante, dossier):
    archive = ouvrir(api(etudiante).get(DU_COMPTE))
    donnees = lu(archive)

    assert donnees["compte.json"][0]["email"] == "awa@campus.test"
    assert [un["id"] for un in donnees["signalements.json"]] == [str(dossier.pk)]
    assert [un["contenu"] for un in donnees["messages.json"]] == ["Le mien.", "La réponse."]
    assert {un["signalementId"] for un in donnees["historique.json"]} == {str(dossier.pk)}
    assert archive.read("LISEZMOI.txt").decode() == LISEZMOI


def test_le_mot_d_une_invitation_va_a_qui_l_a_recue(api, admin, gestionnaire):
    comptes.invitation(admin, statut="ACCEPTED", acceptee_par=gestionnaire, mot="Bienvenue, Paul !")

    recus, envoyes = (lu(ouvrir(api(qui).get(DU_COMPTE)))["invitations.json"] for qui in (gestionnaire, admin))

    assert [une["mot"] for une in recus] == ["Bienvenue, Paul !"]
    assert envoyes == []  # as all that the team does


def test_ce_que_l_on_emporte_est_ce_que_les_routes_montrent(api, etudiante, dossier):
    client = api(etudiante)
    donnees = lu(ouvrir(client.get(DU_COMPTE)))

    assert donnees["compte.json"] == [client.get("/api/v1/comptes/me").json()["data"]]
    assert donnees["signalements.json"] == client.get("/api/v1/signalements/me").json()["data"]["items"]
    assert donnees["discussions.json"] == client.get("/api/v1/discussions/").json()["data"]["items"]
    vu = client.get(f"/api/v1/signalements/{dossier.pk}/timeline").json()["data"]
    assert donnees["historique.json"] == [{"signalementId": str(dossier.pk), **une} for une in vu]
    discussion = donnees["discussions.json"][0]["id"]
    montres = client.get(f"/api/v1/discussions/{discussion}/messages").json()["data"]["items"]
    assert donnees["messages.json"] == montres


@pytest.mark.parametrize(("qui", "url"), [("etudiante", DU_COMPTE), ("invite", DE_L_INVITE)])
def test_rien_de_l_equipe_ni_d_autrui_ni_aucun_secret(request, api, gestionnaire, qui, url):
    request.getfixturevalue("dossier" if qui == "etudiante" else "dossier_invite")
    personne = request.getfixturevalue(qui)
    client = api(personne)

    reponse = client.get(url)
    texte = tout_le_texte(ouvrir(reponse))

    autre = comptes.Compte.objects.get(email="lea@campus.test")
    interdits = [NOTE, AUTRUI, "Léa", str(autre.pk), "jeton", "pbkdf2", client.jeton or "Bearer"]
    interdits += [str(personne.guest_id), personne.guest_id.hex, "812345621"] if qui == "invite" else []
    assert [un for un in interdits if un in texte] == []
    assert all(un in texte for un in ("Le mien.", "La réponse.", "octets-de-la-preuve"))


@pytest.mark.parametrize("qui", ["etudiante", "invite"])
def test_le_gestionnaire_d_un_dossier_n_est_pas_dans_ce_que_son_auteur_emporte(request, api, qui):
    request.getfixturevalue("dossier" if qui == "etudiante" else "dossier_invite")
    url = DU_COMPTE if qui == "etudiante" else DE_L_INVITE

    donnees = lu(ouvrir(api(request.getfixturevalue(qui)).get(url)))

    (un,) = donnees["signalements.json"]
    assert (un["gestionnaireId"], un["gestionnaireNom"], un["referenceDeclaree"]) == (None, None, None)
    assert "NOTE" not in {une["type"] for une in donnees["historique.json"]}


def test_un_invite_emporte_sa_session_telle_qu_on_la_lui_montre(api, invite, dossier_invite):
    donnees = lu(ouvrir(api(invite).get(DE_L_INVITE)))

    (session,) = donnees["session-invitee.json"]
    assert (session["telephoneMasked"], session["statut"]) == ("+243*******21", "ACTIVE")
    assert "guestId" not in session
    assert [un["acteurId"] for un in donnees["signalements.json"]] == [None]
    assert "compte.json" not in donnees


@pytest.mark.parametrize(("qui", "url"), [("etudiante", DU_COMPTE), ("invite", DE_L_INVITE)])
def test_les_fichiers_sont_ceux_que_la_porte_ouvre(request, api, qui, url):
    request.getfixturevalue("dossier" if qui == "etudiante" else "dossier_invite")
    personne = request.getfixturevalue(qui)

    archive = ouvrir(api(personne).get(url))

    index = lu(archive)["fichiers.json"]
    assert {archive.read(un["chemin"]) for un in index} == {b"octets-de-la-preuve", b"octets-de-la-reponse"}
    for un in index:
        assert fichier_accessible(acteur_de(personne), un["id"]).nom_pour(acteur_de(personne)) == un["fileName"]
    assert sorted(nom for nom in archive.namelist() if nom.startswith("fichiers/")) == sorted(
        un["chemin"] for un in index
    )


def test_un_fichier_supprime_ne_s_emporte_pas_et_un_perdu_se_dit(api, etudiante, dossier, caplog):
    Fichier.objects.filter(compte=etudiante).update(date_suppression=dossier.date_creation)
    discussion = dossier.discussions.get()
    reste = Fichier.objects.get(attaches__objet__in=discussion.messages.values("pk"))
    stockage.effacer(reste.seau, reste.cle)

    archive = ouvrir(api(etudiante).get(DU_COMPTE))

    assert [(un["id"], un["chemin"]) for un in lu(archive)["fichiers.json"]] == [(str(reste.pk), None)]
    assert str(reste.pk) in caplog.text


def test_le_reste_de_ce_que_fait_un_compte(api, etudiante, autre_etudiante, equipe, evenement, invite):
    sien = forum.poste(acteur_de(etudiante), par=equipe, contenu="À moi.")
    d_une_autre = forum.poste(acteur_de(autre_etudiante), par=equipe, contenu=AUTRUI)
    forum.commentaire(acteur_de(etudiante), d_une_autre, "Mon commentaire.")
    forum.commentaire(acteur_de(autre_etudiante), sien, AUTRUI)
    forum.reaction(acteur_de(etudiante), d_une_autre)
    forum.demande(acteur_de(etudiante), d_une_autre, motif="Elle blesse.")
    forum.demande(acteur_de(autre_etudiante), sien, motif=AUTRUI)
    calendrier.participation(evenement, etudiante)
    calendrier.participation(evenement, autre_etudiante)
    fusionner(invite, etudiante)

    archive = ouvrir(api(etudiante).get(DU_COMPTE))
    donnees = lu(archive)

    assert [(un["contenu"], un["approuverParId"]) for un in donnees["publications.json"]] == [("À moi.", None)]
    assert [un["contenu"] for un in donnees["commentaires.json"]] == ["Mon commentaire."]
    assert [un["posteId"] for un in donnees["reactions.json"]] == [str(d_une_autre.pk)]
    (demande,) = donnees["demandes-de-relecture.json"]
    assert demande.keys() == {"id", "posteId", "commentaireId", "motif", "dateCreation"}
    assert (demande["posteId"], demande["commentaireId"], demande["motif"]) == (
        str(d_une_autre.pk),
        None,
        "Elle blesse.",
    )
    assert [un["evenementTitre"] for un in donnees["inscriptions.json"]] == [evenement.titre]
    assert [set(un) for un in donnees["rattachements.json"]] == [{"migratedCounts", "dateCreation", "dateAnnulation"}]
    assert len(donnees["sessions.json"]) == 1
    texte = tout_le_texte(archive)
    assert [un for un in (AUTRUI, str(invite.guest_id), str(autre_etudiante.pk)) if un in texte] == []


def test_qui_est_de_l_equipe_n_emporte_que_le_sien_et_le_registre_le_dit(api, gestionnaire, equipe, d_autrui):
    sien = signalements.signalement(equipe)

    donnees = lu(ouvrir(api(gestionnaire).get(DU_COMPTE)))

    assert [un["id"] for un in donnees["signalements.json"]] == [str(sien.pk)]
    assert donnees["signalements.json"][0]["gestionnaireId"] is None
    assert donnees["discussions.json"] == donnees["messages.json"] == []
    assert Trace.objects.filter(acte="DONNEES_EXPORTEES", acteur=gestionnaire.pk).count() == 1


def test_le_registre_ne_dit_rien_de_qui_n_est_pas_de_l_equipe(api, etudiante, invite, dossier):
    octets(api(etudiante).get(DU_COMPTE))
    octets(api(invite).get(DE_L_INVITE))

    assert not Trace.objects.filter(acte="DONNEES_EXPORTEES").exists()


@pytest.mark.parametrize(("qui", "url"), [("etudiante", DU_COMPTE), ("invite", DE_L_INVITE)])
def test_un_dossier_ou_neuf_coutent_autant_de_requetes(request, api, equipe, qui, url):
    personne = request.getfixturevalue(qui)
    client = api(personne)
    un_dossier(acteur_de(personne), equipe)
    octets(client.get(url))

    with CaptureQueriesContext(connection) as pour_un:
        octets(client.get(url))
    for rang in range(8):
        un_dossier(acteur_de(personne), equipe, titre=f"Le {rang}e", description=f"Des faits, {rang}.")
    with CaptureQueriesContext(connection) as pour_neuf:
        neuf = lu(ouvrir(client.get(url)))

    assert len(pour_neuf) == len(pour_un)
    assert (len(neuf["signalements.json"]), len(neuf["messages.json"]), len(neuf["fichiers.json"])) == (9, 18, 18)


def test_plusieurs_lots_font_une_seule_liste(api, etudiante, equipe, monkeypatch):
    monkeypatch.setattr(lots, "LOT", 2)
    for rang in range(5):
        un_dossier(acteur_de(etudiante), equipe, titre=f"Le {rang}e", description=f"Des faits, {rang}.")

    donnees = lu(ouvrir(api(etudiante).get(DU_COMPTE)))

    assert [len({un["id"] for un in donnees[f"{nom}.json"]}) for nom in ("signalements", "messages")] == [5, 10]
    assert len(donnees["fichiers.json"]) == 10


def test_un_seul_a_la_fois_et_la_place_se_rend(api, etudiante, autre_etudiante):
    client = api(etudiante)
    premier = client.get(DU_COMPTE)
    morceaux = iter(premier)
    next(morceaux)

    refuse = client.get(DU_COMPTE)

    assert (refuse.status_code, refuse.json()["code"]) == (429, "RATE_LIMITED")
    assert int(refuse.headers["Retry-After"]) > 0
    assert octets(api(autre_etudiante).get(DU_COMPTE))
    raccrocher(premier)  # the client has gone away in the middle
    assert octets(client.get(DU_COMPTE))


def test_six_par_heure_et_un_refus_rend_la_place(api, settings, etudiante):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "personal_export": limites.Taux(2, 3600)}
    client = api(etudiante)

    statuts = []
    for _ in range(4):
        reponse = client.get(DU_COMPTE)
        statuts.append(reponse.status_code)
        raccrocher(reponse)

    assert statuts == [200, 200, 429, 429]
    settings.THROTTLE_ENABLED = False
    assert octets(client.get(DU_COMPTE))


def test_une_panne_au_milieu_rend_la_place_et_ne_laisse_rien(api, etudiante, dossier, monkeypatch):
    avant = set(reglages.EXPORT_TEMP_DIR.glob("*"))
    with monkeypatch.context() as panne:
        panne.setattr("personnes.exports.archive.en_json", casser)
        assert api(etudiante).get(DU_COMPTE).status_code == 503

    assert octets(api(etudiante).get(DU_COMPTE))
    assert set(reglages.EXPORT_TEMP_DIR.glob("*")) == avant


def test_l_archive_est_une_piece_jointe_que_rien_ne_garde(api, etudiante):
    reponse = api(etudiante).get(DU_COMPTE)
    octets(reponse)

    assert reponse.headers["Content-Disposition"].startswith('attachment; filename="mes-donnees-')
    assert reponse.headers["Cache-Control"] == "private, no-store"


def test_une_question_sans_corps_ne_prend_ni_place_ni_cadence(api, settings, etudiante):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "personal_export": limites.Taux(1, 3600)}
    client = api(etudiante)

    tete = client.head(DU_COMPTE)

    assert (tete.status_code, tete.headers["Content-Type"], tete.content) == (200, "application/zip", b"")
    assert octets(client.get(DU_COMPTE))


def test_il_dit_qui_ne_doit_pas_lire_et_ses_equipes_sans_ce_que_d_autres_ont_decide(
    api, etudiante, gestionnaire, admin
):
    modifier_preferences(compte=gestionnaire, parait_au_portail=True)
    dossier = signalements.signalement(acteur_de(etudiante), ne_pas_montrer_a=[gestionnaire.pk])
    changer_lecteurs(
        signalement=signalements.signalement(acteur_de(etudiante)), acteur=acteur_de(admin), ecartes=[gestionnaire.pk]
    )
    equipes.equipe(gestionnaire, nom="Référents")

    elle, lui = (lu(ouvrir(api(qui).get(DU_COMPTE))) for qui in (etudiante, gestionnaire))

    nomme = {"signalementId": str(dossier.pk), "nom": gestionnaire.nom, "prenom": gestionnaire.prenom}
    assert elle["ne-pas-montrer.json"] == [nomme]
    assert (elle["equipes.json"], lui["ne-pas-montrer.json"]) == ([], [])
    assert [set(une) for une in lui["equipes.json"]] == [{"equipe", "accepteLe", "dateCreation"}]
    assert lui["equipes.json"][0]["equipe"] == "Référents"

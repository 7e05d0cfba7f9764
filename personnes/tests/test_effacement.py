"""A person who was erased is nowhere any more; what she wrote, and what others must handle, is still there."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.erreurs import CompteEfface, IdentifiantsInvalides
from accounts.models import Compte, Invitation, Preferences
from accounts.services import comptes as services_des_comptes
from accounts.services import sessions
from accounts.tests import fabriques as comptes
from accounts.vocabulaire import NOM_COMPLET_EFFACE
from calendrier.models import EvenementCampus, Participation
from calendrier.tests import fabriques as calendrier
from config.tests.outils import acteur_de, client_de
from discussions.models import Discussion, Message
from discussions.tests import fabriques as discussions
from espace.demandes import Demande
from espace.services import filtres
from forum.tests import fabriques as forum
from guests.erreurs import SessionEffacee, SessionIntrouvable
from guests.fusion.retour import RetourImpossible, annuler
from guests.models import AuditFusion, SessionInvitee
from guests.services import session_de
from guests.tests.fabriques import desactiver, fusionner
from guests.vocabulaire import StatutInvite
from personnes.erreurs import CompteDeLEquipe, DossierGele, PersonneInconnue, SessionDUnCompte
from personnes.services import effacements, journal
from personnes.services.copies import QUELQU_UN
from personnes.tests import gestes
from portail.erreurs import AccesTermine, CodeInconnu
from portail.services import acces, code
from signalements.models import EntreeTimeline, Signalement
from signalements.tests import fabriques as signalements
from socle.audit import protection
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import ActeurCompte
from socle.realtime.models import Evenement
from stats.exports.entretien import fichiers
from stats.exports.services import demander as exporter
from stats.models import Export

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _journal(settings, tmp_path):
    settings.ERASURE_LOG = tmp_path / "effacements.jsonl"


@pytest.fixture
def zoe(admin, gestionnaire):
    return gestes.vivre(admin, gestionnaire)


def effacer(compte):
    """As the command does, without its wait."""
    bilan = effacements.effacer_compte(compte.pk)
    effacements.achever(bilan)
    fichiers(simulation=False)
    return bilan


def ailleurs_qu_au_registre(*aiguilles):
    return [trace for trace in gestes.traces(*aiguilles) if not trace.startswith("audit_trace")]


# --- Nothing names her any more


def test_rien_ne_nomme_plus_un_compte_efface(zoe):
    avant = {trace.partition(":")[0] for trace in gestes.traces(gestes.CANARI, gestes.TELEPHONE)}

    effacer(zoe)

    # Were any of these missing before, this would prove nothing of it.
    assert avant >= {
        "accounts_compte.email",
        "accounts_compte.telephone",
        "accounts_compte.recherche",
        "accounts_invitation.email",
        "accounts_invitation.mot",
        "accounts_preferences.parametres",
        "accounts_session.appareil",
        "django_admin_log.change_message",
        "django_admin_log.object_repr",
        "django_tasks_database_dbtaskresult.traceback",
        "realtime_evenement.payload",
        "stats_export.filtres",
        "django_session",
        "export",
    }
    assert ailleurs_qu_au_registre(gestes.CANARI, gestes.TELEPHONE) == []


def test_du_registre_ne_reste_que_ce_que_l_equipe_a_cherche(zoe, admin):
    effacer(zoe)

    restent = [trace for trace in gestes.traces(gestes.CANARI) if trace.startswith("audit_trace")]
    assert len(restent) == 3
    assert all("search" in trace for trace in restent)
    trace = Trace.objects.get(acte=Acte.PERSONNE_EFFACEE)
    assert (trace.objet, trace.sorte, trace.acteur) == (zoe.pk, Sorte.COMPTE, None)


@pytest.mark.parametrize("renommee", [False, True], ids=["sous son nom", "renommée par elle-même"])
def test_rien_ne_nomme_plus_qui_fut_de_l_equipe(admin, gestionnaire, signalement, renommee):
    ancienne = gestes.vivre(admin, gestionnaire, type_utilisateur="GESTIONNAIRE")
    gestes.traiter(ancienne, admin, signalement)
    if renommee:
        services_des_comptes.modifier(compte=ancienne, acteur=acteur_de(ancienne), nom="Nouvelle")
    portees = {trace.partition(":")[0] for trace in gestes.traces(gestes.CANARI)}
    assert portees >= {"signalements_entreetimeline.contenu", "accounts_invitation.mot"}
    services_des_comptes.desactiver(compte=ancienne, acteur=ActeurCompte(compte=admin))

    effacer(ancienne)

    assert ailleurs_qu_au_registre(gestes.CANARI, gestes.TELEPHONE) == []
    url = f"/api/v1/signalements/{signalement.pk}"
    assert client_de(admin).get(url).json()["data"]["gestionnaireNom"] == NOM_COMPLET_EFFACE
    assert f"Dossier confié à {NOM_COMPLET_EFFACE}." in client_de(admin).get(f"{url}/timeline").content.decode()


def test_rien_ne_mene_plus_a_un_invite_efface(invite, admin):
    dossier = gestes.passer(invite)
    six_mots = code.tirer("fr")
    code.poser(invite, six_mots, "fr")

    effacements.effacer_session(invite.pk)

    session = SessionInvitee.objects.get(pk=invite.pk)
    assert (session.telephone, session.statut) == (None, StatutInvite.DISABLED)
    with pytest.raises(SessionIntrouvable):
        session_de(invite.guest_id)
    with pytest.raises(CodeInconnu):
        code.session_du_code(six_mots)
    with pytest.raises(AccesTermine):
        acces.acces_du_jeton("i" * 40)
    assert client_de(invite).get(f"/api/v1/guest/signalements/{dossier.pk}").status_code in (403, 404)
    assert [t for t in gestes.traces("portail") if t.startswith("portail_")] == []
    assert not session.acces.exists()
    lu = client_de(admin).get(f"/api/v1/signalements/{dossier.pk}")
    assert (lu.status_code, lu.json()["data"]["titre"]) == (200, dossier.titre)


# --- What stays


def test_ses_dossiers_se_lisent_encore_sous_un_pseudonyme(zoe, gestionnaire):
    dossier = Signalement.objects.get(compte=zoe)

    effacer(zoe)

    client = client_de(gestionnaire)
    assert client.get(f"/api/v1/signalements/{dossier.pk}").json()["data"]["description"] == dossier.description
    discussion = dossier.discussions.get()
    messages = client.get(f"/api/v1/discussions/{discussion.pk}/messages").json()["data"]["items"]
    assert {(un["auteurNom"], un["contenu"]) for un in messages} == {
        (NOM_COMPLET_EFFACE, "Le premier."),
        (NOM_COMPLET_EFFACE, "Le second."),
    }
    postes = client.get("/api/v1/postes/").json()["data"]["items"]
    assert {un["auteurNom"] for un in postes} == {NOM_COMPLET_EFFACE}


def test_ce_que_d_autres_portent_du_meme_nom_leur_reste(zoe, admin, signalement):
    homonyme = comptes.gestionnaire(prenom="Zoé", nom="Canarini", email="zoe@campus.test")
    gestes.traiter(homonyme, admin, signalement)
    forum.poste(acteur_de(homonyme))

    effacer(zoe)

    par_auteur = {e.payload["auteurId"]: e.payload["auteurNom"] for e in Evenement.objects.filter(type="poste_created")}
    assert par_auteur == {str(homonyme.pk): "Zoé Canarini", str(zoe.pk): NOM_COMPLET_EFFACE}
    # Which of the two this line meant, nobody can tell any more.
    assert EntreeTimeline.objects.get(type="ASSIGNATION").contenu == QUELQU_UN
    assert ailleurs_qu_au_registre(gestes.EMAIL, gestes.TELEPHONE) == []


def test_ce_que_l_on_cherche_d_autres_et_d_elle_reste(zoe, admin):
    comptes.compte(prenom="Ana", nom="Canarini", email="ana@campus.test")
    garde = Demande.ecrite("?search=d%C3%A9but+canarini+%3F&statut=EN_COURS").adresse
    filtres.garder(admin, nom="Les Canarini", adresse=garde)

    effacer(zoe)

    gardes = {un["nom"]: un["adresse"] for un in filtres.lus_dans(Preferences.objects.get(compte=admin).parametres)}
    assert gardes["Les Canarini"] == garde
    assert gardes["Elle"] == "vue=ouverts&search=compte+efface&statut=EN_COURS"
    assert "canarini" in {export.filtres.get("search") for export in Export.objects.all()}


def test_un_nom_qui_est_un_mot_d_ici_ne_change_aucun_filtre_ni_reglage(admin):
    """M. Clos, Mme Haute: what is not a search has other meanings."""
    personne = comptes.compte(prenom="Ana", nom="Haute", email="ana@campus.test")
    garde = Demande.ecrite("?vue=clos&priorite=HAUTE&search=haute").adresse
    services_des_comptes.modifier_preferences(compte=admin, parametres={"densite": "haute"})
    filtres.garder(admin, nom="Priorité haute", adresse=garde)
    exporter(acteur=ActeurCompte(compte=admin), format="csv", filtres={"statut": "EN_COURS", "search": "Haute"})

    effacer(personne)

    parametres = Preferences.objects.get(compte=admin).parametres
    (un,) = filtres.lus_dans(parametres)
    assert (un["nom"], un["adresse"]) == ("Priorité haute", garde.replace("search=haute", "search=compte+efface"))
    assert parametres["densite"] == "haute"
    assert Export.objects.get().filtres == {"statut": "EN_COURS", "search": "compte efface"}


def test_une_adresse_reprise_par_un_autre_compte_est_a_lui(zoe, admin):
    autre = comptes.compte(email=gestes.ANCIENNE, prenom="Ana", nom="Nouvelle")
    services_des_comptes.modifier(compte=autre, acteur=ActeurCompte(compte=admin), nom="Nouvelle-Née")
    Evenement.objects.create(type="system_alert", canal="admin", payload={"message": f"Pour {gestes.ANCIENNE}."})

    effacer(zoe)

    assert Compte.objects.get(pk=autre.pk).email == gestes.ANCIENNE
    assert Evenement.objects.get(type="system_alert").payload == {"message": f"Pour {gestes.ANCIENNE}."}


def test_un_texte_qui_commence_comme_du_json_ou_remplit_sa_colonne(zoe, admin):
    long = "[{ " + "x" * (200 - len("[{ Zoé Canarini") - 1) + " Zoé Canarini"
    LogEntry.objects.create(user=admin, action_flag=2, object_repr=long, change_message="[{ Zoé Canarini")
    LogEntry.objects.create(
        user=admin,
        action_flag=2,
        object_repr="Publication",
        change_message='[{"changed": {"name": "publication", "object": "Zo\\u00e9 Canarini", "fields": ["titre"]}}]',
    )

    effacer(zoe)

    autre, enclos = LogEntry.objects.filter(user=admin, content_type=None).order_by("pk")
    assert autre.change_message == f"[{{ {NOM_COMPLET_EFFACE}"
    assert autre.object_repr == long.replace("Zoé Canarini", NOM_COMPLET_EFFACE)[:200] != long[:200]
    assert json.loads(enclos.change_message)[0]["changed"]["object"] == NOM_COMPLET_EFFACE


def test_un_nom_dans_un_plus_long_reste(zoe):
    Evenement.objects.create(
        type="system_alert", canal="admin", payload={"message": f"Zoé Canarini-Ba, jean.{gestes.EMAIL}, Zoé Canarini."}
    )

    effacer(zoe)

    dit = Evenement.objects.get(type="system_alert").payload["message"]
    assert dit == f"Zoé Canarini-Ba, jean.{gestes.EMAIL}, {NOM_COMPLET_EFFACE}."


def test_une_inscription_a_venir_rend_sa_place_une_passee_reste(zoe, gestionnaire):
    attend = comptes.compte()
    a_venir = EvenementCampus.objects.get()
    calendrier.participation(a_venir, attend)
    passe = calendrier.evenement(gestionnaire)
    calendrier.participation(passe, zoe)
    hier = timezone.now() - timedelta(days=1)
    EvenementCampus.objects.filter(pk=passe.pk).update(date_debut=hier - timedelta(hours=1), date_fin=hier)

    effacer(zoe)

    statuts = {(p.evenement_id, p.compte_id): p.statut for p in Participation.objects.all()}
    assert statuts == {
        (a_venir.pk, zoe.pk): "CANCELLED",
        (a_venir.pk, attend.pk): "CONFIRMED",
        (passe.pk, zoe.pk): "CONFIRMED",
    }


# --- Nothing opens it any more


def test_plus_rien_n_ouvre_le_compte_et_son_adresse_est_libre(zoe):
    client, flux = client_de(zoe), zoe.flux_calendrier.url
    assert client.get("/api/v1/comptes/me").status_code == 200

    effacer(zoe)

    assert client.get("/api/v1/comptes/me").status_code == 401
    assert client_de(None).get(flux).status_code == 410
    with pytest.raises(IdentifiantsInvalides):
        sessions.connecter(email=gestes.EMAIL, mot_de_passe=gestes.MOT_DE_PASSE, adresse="127.0.0.1")
    efface = Compte.objects.get(pk=zoe.pk)
    assert [efface.has_usable_password(), efface.est_actif, efface.email_verifie] == [False] * 3
    assert Invitation.objects.filter(statut="PENDING").count() == 0
    neuf = {"email": gestes.EMAIL, "motDePasse": "Baobab-penché-77", "nom": "Neuve", "prenom": "Une"}
    assert client_de(None).post("/api/v1/auth/signup", neuf).status_code == 201


def test_ses_sockets_se_ferment(zoe, invite):
    client_de(zoe)
    session = zoe.sessions.filter(date_fin=None).first()

    effacer(zoe)
    effacements.effacer_session(invite.pk)

    ordres = [evenement.payload for evenement in Evenement.objects.filter(type="fermer_sockets")]
    assert any(str(zoe.pk) in ordre.get("comptes", []) for ordre in ordres)
    assert any(str(session.pk) in ordre.get("sessions", []) for ordre in ordres)
    assert any(str(invite.pk) in ordre.get("invites", []) for ordre in ordres)


def test_aucun_e_mail_en_file_ne_part(zoe):
    attendues = list(DBTaskResult.objects.filter(queue_name="mail"))
    assert len(attendues) >= 4
    effacer(zoe)
    mail.outbox.clear()

    for attendue in attendues:
        attendue.task.func(*attendue.args_kwargs["args"])

    assert mail.outbox == []


def test_rien_ne_rouvre_ni_ne_renomme_un_compte_efface(zoe, admin):
    par = ActeurCompte(compte=admin)
    effacer(zoe)
    efface = Compte.objects.get(pk=zoe.pk)

    for acte in (
        lambda: services_des_comptes.reactiver(compte=efface, acteur=par),
        lambda: services_des_comptes.modifier(compte=efface, acteur=par, email=gestes.EMAIL),
        lambda: services_des_comptes.modifier(compte=zoe, acteur=ActeurCompte(compte=zoe), nom="Canarini"),
        lambda: services_des_comptes.imposer_mot_de_passe(
            compte=efface, nouveau_mot_de_passe="Baobab-penché-77", acteur=par
        ),
    ):
        with pytest.raises(CompteEfface):
            acte()
    assert client_de(admin).put(f"/api/v1/comptes/{zoe.pk}/reactivate").status_code == 409


def test_rien_ne_retablit_une_session_effacee(invite):
    effacements.effacer_session(invite.pk)

    with pytest.raises(SessionEffacee):
        desactiver(SessionInvitee.objects.get(pk=invite.pk), StatutInvite.ACTIVE)


def test_ce_qui_s_ecrivait_encore_sous_son_nom_est_relu(zoe, gestionnaire):
    """A request that knew her before writes after: its event holds the name that it had read, until the second look."""
    elle = acteur_de(zoe)
    discussion, evenement = Discussion.objects.get(compte=zoe), calendrier.evenement(gestionnaire)
    bilan = effacements.effacer_compte(zoe.pk)
    discussions.message(elle, discussion, "Encore un.")
    calendrier.heritee(evenement, zoe)  # as a process of an earlier version would
    exporter(acteur=acteur_de(gestionnaire), format="csv", filtres={"search": "Zoé Canarini"})
    assert any("evenement" in trace for trace in gestes.traces(gestes.CANARI))
    Export.objects.filter(cle__gt="").update(date_creation=bilan.fini_le)

    effacements.achever(bilan)
    fichiers(simulation=False)

    assert ailleurs_qu_au_registre(gestes.CANARI, gestes.TELEPHONE) == []
    assert not Participation.objects.actives().filter(compte=zoe).exists()
    assert not Export.objects.exclude(cle="").exists()
    assert Message.objects.filter(contenu="Encore un.", compte=zoe).exists()


def test_un_compte_efface_ne_prend_plus_de_place(zoe, gestionnaire):
    evenement = calendrier.evenement(gestionnaire)
    effacements.effacer_compte(zoe.pk)

    with pytest.raises(CompteEfface):
        calendrier.participation(evenement, zoe)


# --- Guest sessions merged into an account


def test_un_compte_est_efface_avec_les_sessions_qui_y_sont_rattachees(zoe, invite):
    gestes.passer(invite)
    fusionner(invite, zoe, cle="cle-de-canarini")
    with pytest.raises(SessionDUnCompte) as refus:
        effacements.effacer_session(invite.pk)
    assert str(zoe.pk) in str(refus.value)

    effacer(zoe)

    session = SessionInvitee.objects.get(pk=invite.pk)
    assert (session.telephone, session.statut) == (None, "MERGED")
    with pytest.raises(SessionIntrouvable):
        session_de(invite.guest_id)
    assert ailleurs_qu_au_registre(gestes.CANARI) == []
    lignes = journal.lire(journal.chemin())
    assert {ligne.qui for ligne in lignes} == {(Sorte.COMPTE, zoe.pk.hex), (Sorte.SESSION_INVITEE, invite.pk.hex)}
    # The register names the account alone: beside it, a session would tell its readers whose it was.
    assert set(Trace.objects.filter(acte=Acte.PERSONNE_EFFACEE).values_list("objet", flat=True)) == {zoe.pk}
    with pytest.raises(RetourImpossible, match="effacée"):
        annuler(AuditFusion.objects.get())


# --- Refused, or nothing to do


def test_un_membre_actif_de_l_equipe_n_est_pas_efface(gestionnaire, admin):
    for compte in (gestionnaire, admin):
        with pytest.raises(CompteDeLEquipe):
            effacements.effacer_compte(compte.pk)
    assert not journal.lire(journal.chemin())


def test_l_auteur_d_un_dossier_gele_n_est_pas_efface_tant_qu_il_l_est(
    etudiante, signalement, invite, signalement_invite
):
    Signalement.objects.all().update(gele_depuis=timezone.now())

    for acte, cle in ((effacements.effacer_compte, etudiante.pk), (effacements.effacer_session, invite.pk)):
        with pytest.raises(DossierGele, match="SIG-"):
            acte(cle)
    Signalement.objects.all().update(gele_depuis=None)
    assert not effacements.effacer_compte(etudiante.pk).deja_fait
    assert not effacements.effacer_session(invite.pk).deja_fait


def test_un_identifiant_inconnu_est_refuse(invite, zoe):
    with pytest.raises(PersonneInconnue):
        effacements.effacer_compte(invite.pk)
    with pytest.raises(PersonneInconnue):
        effacements.effacer_session(zoe.pk)


def test_effacer_deux_fois_ne_change_rien_de_plus(zoe, invite):
    effacer(zoe)
    effacements.effacer_session(invite.pk)
    avant = gestes.traces("")

    assert effacer(zoe).deja_fait
    assert effacements.effacer_session(invite.pk).deja_fait

    assert gestes.traces("") == avant
    assert len(journal.lire(journal.chemin())) == 2


def test_une_simulation_compte_et_ne_change_rien(zoe, invite):
    avant = gestes.traces("")

    bilan = effacements.effacer_compte(zoe.pk, simulation=True)
    effacements.effacer_session(invite.pk, simulation=True)

    assert gestes.traces("") == avant
    assert not journal.chemin().exists()
    fait = effacements.effacer_compte(zoe.pk)
    assert bilan.nombres == fait.nombres
    assert bilan.nombres["sessions"] >= 2


def test_un_journal_qui_ne_s_ecrit_pas_annule_tout(zoe, monkeypatch):
    avant = gestes.traces("")

    def perdre(lignes):
        raise journal.JournalFaux("Plus de place.")

    monkeypatch.setattr(journal, "ajouter", perdre)
    with pytest.raises(journal.JournalFaux):
        effacements.effacer_compte(zoe.pk)

    assert gestes.traces("") == avant


def test_tout_reste_juste_ensuite(zoe, invite, admin):
    protection.poser(connection)  # undone with the test's transaction
    gestes.passer(invite)
    fusionner(invite, zoe)
    effacer(zoe)
    signalements.signalement(acteur_de(comptes.compte()))

    for commande in (("stats_recount", "--check"), ("merge_audit", "verify"), ("audit", "seal"), ("audit", "verify")):
        call_command(*commande, stdout=StringIO())


def test_les_exports_en_cours_echouent_et_les_prets_sont_retires(zoe, admin):
    en_cours = Export.objects.create(compte=admin)

    effacer(zoe)

    en_cours.refresh_from_db()
    assert en_cours.statut == "ECHEC"
    assert not Export.objects.exclude(cle="").exists()


def test_le_journal_des_actes_garde_ce_qui_fut_change_et_pas_les_valeurs(zoe):
    effacer(zoe)

    entrees = [e for e in LogEntry.objects.filter(object_id=str(zoe.pk)) if "email" in e.change_message]
    assert entrees
    assert all('"tus": ["email"' in e.change_message.replace("'", '"') for e in entrees)

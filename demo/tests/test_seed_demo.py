from collections import Counter
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from django.db.models import Max, Min, Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Compte, Preferences
from calendrier.models import EvenementCampus, Participation
from calendrier.tests.outils import en_ordre, verifier_les_places
from demo import forum, paroles, rendez_vous, textes, volume
from discussions import recompte
from discussions.models import Discussion, Lecture, Message, Releve
from forum.models import Commentaire, Moderation, Poste, Reaction
from forum.vocabulaire import Statut as StatutPoste
from guests.models import SessionInvitee
from signalements.compteurs.recompte import ecarts
from signalements.models import EntreeTimeline, Signalement
from signalements.vocabulaire import TYPES_CONNUS, Priorite, Statut, TypeEntree
from socle.domaine.droits import Role
from socle.domaine.recherche import indexable

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _base_embarquee(settings):
    settings.EMBARQUE = True


def lancer(*options: str) -> str:
    sortie = StringIO()
    call_command("seed_demo", *options, stdout=sortie)
    return sortie.getvalue()


def etat() -> list[int]:
    du_calendrier, du_forum = (EvenementCampus, Participation), (Poste, Moderation, Commentaire, Reaction)
    des_dossiers = (Signalement, EntreeTimeline, Discussion, Message, Lecture)
    modeles = (Compte, SessionInvitee, *des_dossiers, *du_calendrier, *du_forum)
    return [modele.objects.count() for modele in modeles]


def test_chaque_compte_affiche_ouvre_une_session_de_son_role(api):
    lignes = [ligne.split() for ligne in lancer().splitlines() if "@" in ligne]

    roles = [
        api(None).post("/api/v1/auth/login", {"email": email, "motDePasse": secret}).json()["data"]["typeUtilisateur"]
        for _role, email, secret in lignes
    ]

    assert roles == [role for role, _email, _secret in lignes]
    assert Counter(roles) == {"UTILISATEUR": 1, "GESTIONNAIRE": 2, "ADMIN_SYSTEME": 1}
    assert Preferences.objects.count() == 4


def test_le_mot_de_passe_de_demonstration_passe_les_regles(db):
    lancer("--accounts-only")

    for compte in Compte.objects.all():
        validate_password(textes.MOT_DE_PASSE, compte)


def test_les_dossiers_couvrent_tous_les_vocabulaires(db):
    lancer()

    vus = {champ: set(Signalement.objects.values_list(champ, flat=True)) for champ in ("type", "statut", "priorite")}
    assert vus == {"type": set(TYPES_CONNUS), "statut": set(Statut.values), "priorite": set(Priorite.values)}
    assert Signalement.objects.count() == len(textes.RECITS) == 25
    assert Signalement.objects.filter(invite__isnull=False).values("invite").distinct().count() == 3


def test_relancer_ne_double_rien(db):
    lancer("--reports", "30")
    avant = etat()

    lancer("--reports", "30")

    assert etat() == avant


def test_comptes_seuls_ne_cree_aucun_dossier_et_remplace_un_absent(db):
    lancer("--accounts-only")
    Compte.objects.filter(email=textes.ADMIN.email).delete()

    sortie = lancer("--accounts-only")

    assert textes.ADMIN.email in sortie
    assert etat() == [4, *[0] * 12]


def test_ce_qui_s_ajoute_d_autrefois_est_encore_a_lire(db, admin):
    Releve.objects.create(compte=admin, jusqu_a=timezone.now())

    lancer()

    assert not Releve.objects.exists()


def test_un_mot_de_passe_change_n_est_ni_affiche_ni_remis(db):
    lancer("--accounts-only")
    compte = Compte.objects.get(email=textes.ADMIN.email)
    compte.set_password("Autre-chose-2026")
    compte.save()

    sortie = lancer()

    assert "mot de passe changé" in sortie
    compte.refresh_from_db()
    assert compte.check_password("Autre-chose-2026")


@pytest.mark.parametrize(("options", "demo"), [(["--force"], False), ([], True)])
def test_une_base_de_production_se_force(settings, options, demo):
    settings.EMBARQUE, settings.DEMO = False, demo

    lancer(*options)

    assert Compte.objects.count() == 4


def test_une_base_de_production_est_refusee(settings):
    settings.EMBARQUE = settings.DEMO = False

    with pytest.raises(CommandError, match="--force"):
        lancer()

    assert etat() == [0] * 13


@pytest.mark.parametrize("nombre", ["0", "-3", "beaucoup"])
def test_un_nombre_de_dossiers_absurde_est_refuse(nombre):
    with pytest.raises(CommandError):
        call_command("seed_demo", f"--reports={nombre}")


def test_le_volume_est_complete_et_jamais_double(monkeypatch):
    monkeypatch.setattr(volume, "LOT", 40)

    lancer("--reports", "60")
    lancer("--reports", "130")

    de_volume = Signalement.objects.exclude(pk__in=_cles_des_recits())
    assert de_volume.count() == 130
    assert de_volume.filter(invite__isnull=False).count() == 26  # one in five, at every size
    assert de_volume.values("reference").distinct().count() == 130
    assert ecarts() == {}
    assert not recompte.ecarts()
    etendue = de_volume.aggregate(Min("date_creation"), Max("date_creation"))
    assert etendue["date_creation__max"] - etendue["date_creation__min"] > timedelta(days=365)
    assert etendue["date_creation__min"] > timezone.now() - timedelta(days=3 * 365 + 1)


def test_une_reference_deja_prise_est_tiree_a_nouveau(monkeypatch):
    lancer()
    prise = Signalement.objects.values_list("reference", flat=True)[0]
    tirages = iter([prise, *(f"SIG-2026-0000000{rang}" for rang in range(5))])
    monkeypatch.setattr(volume, "_reference", lambda date: next(tirages))

    lancer("--reports", "2")

    assert Signalement.objects.filter(reference__startswith="SIG-2026-000000").count() == 2


def test_une_reference_toujours_prise_arrete_sans_rien_laisser(monkeypatch):
    monkeypatch.setattr(volume, "_reference", lambda date: "SIG-2026-00000000")

    with pytest.raises(IntegrityError):
        lancer("--reports", "2")

    assert Signalement.objects.filter(reference="SIG-2026-00000000").count() == 0


def test_les_comptes_du_volume_n_ouvrent_rien(db):
    lancer("--reports", "40")

    autres = Compte.objects.exclude(email__in=[personne.email for personne in textes.PERSONNES])
    assert autres.count() == volume.GESTIONNAIRES + 2
    assert not any(compte.has_usable_password() for compte in autres)


@pytest.mark.parametrize("options", [[], ["--reports", "150"]])
def test_chaque_dossier_a_l_histoire_que_son_statut_suppose(options):
    lancer(*options)

    for signalement in Signalement.objects.prefetch_related("timeline").select_related("gestionnaire"):
        _verifier_l_histoire(signalement, sorted(signalement.timeline.all(), key=lambda e: e.date_creation))


def test_l_historique_se_lit_par_l_api(api):
    lancer()
    gestionnaire = Compte.objects.get(email=textes.GESTIONNAIRE.email)
    dossier = Signalement.objects.filter(timeline__type=TypeEntree.NOTE, statut=Statut.CLOTURE).first()

    reponse = api(gestionnaire).get(f"/api/v1/signalements/{dossier.pk}/timeline")

    assert reponse.status_code == 200
    assert {e["type"] for e in reponse.json()["data"]} >= {"CREATION", "ASSIGNATION", "STATUT", "NOTE"}


def test_rien_n_est_annonce(evenements):
    with evenements() as recus:
        lancer("--reports", "5")

    assert recus == []


def test_le_gestionnaire_est_de_l_equipe(db):
    lancer("--reports", "40")

    assert not Signalement.objects.filter(
        Q(gestionnaire__isnull=False) & ~Q(gestionnaire__type_utilisateur=Role.GESTIONNAIRE)
    ).exists()


# --- Discussions ----------------------------------------------------------------------------------------------------


def test_des_dossiers_de_l_etudiante_et_des_invites_sont_discutes(db):
    lancer()

    assert Discussion.objects.count() == len(paroles.ECHANGES)
    assert paroles.ECHANGES.keys() <= {recit.titre for recit in textes.RECITS}
    for champ in ("compte", "invite"):
        du_dossier = Discussion.objects.filter(**{f"signalement__{champ}__isnull": False})
        assert du_dossier.filter(messages__compte__type_utilisateur=Role.GESTIONNAIRE).exists()


def test_des_messages_attendent_l_equipe_de_demonstration(api):
    lancer()

    en_attente = Message.objects.filter(est_lu=False)
    assert en_attente.filter(discussion__signalement__compte__isnull=False).exists()
    assert en_attente.filter(discussion__signalement__invite__isnull=False).exists()
    for personne in textes.PERSONNES:
        compte = Compte.objects.get(email=personne.email)
        items = api(compte).get("/api/v1/discussions/").json()["data"]["items"]
        non_lus = [item["messagesNonLusCount"] for item in items]
        assert 0 in non_lus
        if personne.role != Role.UTILISATEUR:
            lus = Signalement.objects.filter(Q(equipe=None) | Q(equipe__membres__compte=compte)).values("pk")
            assert len(items) == Discussion.objects.filter(signalement__in=lus).count()
            siens = en_attente.filter(discussion__signalement__in=lus)
            assert sum(non_lus) == siens.exclude(compte=compte).count()


def test_une_demonstration_d_avant_les_discussions_est_completee(db):
    lancer()
    attendu = etat()
    for modele in (Lecture, Message, Discussion):
        modele.objects.all().delete()

    lancer()

    assert etat() == attendu


def test_un_dossier_de_volume_sur_quatre_est_discute(monkeypatch):
    monkeypatch.setattr(volume, "LOT", 40)

    lancer("--reports", "200")

    du_volume = Discussion.objects.exclude(signalement__in=_cles_des_recits())
    assert du_volume.count() == du_volume.values("signalement").distinct().count() == 50
    assert du_volume.filter(signalement__invite__isnull=False).count() == 10
    longueurs = du_volume.aggregate(Min("dernier_numero"), Max("dernier_numero"))
    assert 2 <= longueurs["dernier_numero__min"] < longueurs["dernier_numero__max"] <= 8


@pytest.mark.parametrize("options", [[], ["--reports", "150"]])
def test_chaque_discussion_est_telle_que_le_service_l_aurait_ecrite(options):
    lancer(*options)

    for discussion in Discussion.objects.select_related("signalement").prefetch_related("messages", "lectures"):
        messages = sorted(discussion.messages.all(), key=lambda m: m.numero_sequence)
        _verifier_la_discussion(discussion, messages)
        _verifier_les_marques(messages, list(discussion.lectures.all()))


def test_une_discussion_de_demonstration_se_continue(api):
    lancer("--reports", "20")
    gestionnaire = Compte.objects.get(email=textes.AUTRE_GESTIONNAIRE.email)  # of each team that has cases

    for discussion in Discussion.objects.all():
        url = f"/api/v1/discussions/{discussion.pk}/messages"
        ecrit = api(gestionnaire).post(url, {"contenu": "Bien reçu."}).json()["data"]
        assert ecrit["numeroSequence"] == discussion.dernier_numero + 1
        assert api(gestionnaire).put(f"{url}/lus").status_code == 200

    items = api(gestionnaire).get("/api/v1/discussions/?size=100").json()["data"]["items"]
    assert {item["messagesNonLusCount"] for item in items} == {0}


def test_ce_qui_est_liste_en_base_l_est_aussi_apres_le_volume(db):
    lancer("--reports", "20")

    assert set(map(str, Message.objects.values_list("pieces_jointes", flat=True))) == {"[]"}


# --- Calendar --------------------------------------------------------------------------------------------------------


def test_le_calendrier_montre_chaque_cas(api):
    lancer()
    etudiante = Compte.objects.get(email=textes.ETUDIANTE.email)

    items = api(etudiante).get("/api/v1/calendriers/").json()["data"]["items"]

    assert len(items) == len(rendez_vous.RENDEZ_VOUS)
    assert {item["maParticipation"] for item in items} == {None, "CONFIRMED", "PENDING", "WAITLISTED"}
    assert {item["statut"] for item in items} == {"PUBLIE", "ANNULE"}
    assert {item["estComplet"] for item in items} == {item["estEnLigne"] for item in items} == {True, False}
    maintenant = timezone.now()
    assert EvenementCampus.objects.filter(date_fin__lt=maintenant).exists()
    assert EvenementCampus.objects.filter(date_debut__lt=maintenant, date_fin__gt=maintenant).exists()


def test_chaque_evenement_est_tel_que_le_service_l_aurait_ecrit(db):
    lancer()

    verifier_les_places()
    for evenement in EvenementCampus.objects.prefetch_related("participations"):
        recherche = evenement.recherche
        evenement.indexer()
        assert evenement.recherche == recherche
        assert evenement.organisateur.type_utilisateur == Role.GESTIONNAIRE
        assert evenement.date_creation < timezone.now()
        assert not en_ordre(evenement, "WAITLISTED") or evenement.est_complet
        for participation in evenement.participations.all():
            assert evenement.date_creation < participation.date_inscription < timezone.now()


def test_on_quitte_et_on_rejoint_un_evenement_de_demonstration(api):
    lancer()
    nadia = Compte.objects.get(email=textes.AUTRE_GESTIONNAIRE.email)
    atelier = EvenementCampus.objects.get(titre="Autodéfense verbale")

    api(nadia).delete(f"/api/v1/calendriers/{atelier.pk}/inscription")

    assert Participation.objects.get(evenement=atelier, compte__email=textes.ETUDIANTE.email).statut == "CONFIRMED"
    verifier_les_places()


# --- Forum ----------------------------------------------------------------------------------------------------------


def test_les_publications_sont_de_tous_les_statuts_telles_que_le_service_les_aurait_ecrites(db):
    lancer()

    assert Poste.objects.count() == len(forum.ANNONCES)
    assert set(Poste.objects.values_list("statut", flat=True)) == set(StatutPoste.values)
    for poste in Poste.objects.prefetch_related("commentaires", "reactions"):
        assert (poste.nb_commentaires, poste.nb_reactions) == (poste.commentaires.count(), poste.reactions.count())
        histoire = list(poste.moderations.pour_lecture())
        assert [m.avant for m in histoire] == ["NOUVEAU", *(m.apres for m in histoire)][: len(histoire)]
        assert poste.statut == (histoire[-1].apres if histoire else "NOUVEAU")
        dates = [ligne.date_creation for ligne in (*histoire, *poste.commentaires.all(), *poste.reactions.all())]
        assert all(poste.date_creation < date < timezone.now() for date in dates)
        recherche = poste.recherche
        poste.indexer()
        assert poste.recherche == recherche


def test_le_forum_de_demonstration_se_lit_se_modere_et_se_continue(api):
    lancer()
    gens = {p: Compte.objects.get(email=p.email) for p in (textes.ETUDIANTE, textes.GESTIONNAIRE)}
    etudiante, gestionnaire = (api(compte) for compte in gens.values())

    vues = etudiante.get("/api/v1/postes/approuves").json()["data"]["items"]
    file = gestionnaire.get("/api/v1/postes/?statut=NOUVEAU").json()["data"]["items"]

    assert [vue["estEpingle"] for vue in vues] == [True, False, False]
    assert len(file) == 2
    for poste in file:
        url = f"/api/v1/postes/{poste['id']}"
        assert gestionnaire.patch(f"{url}/statut", {"statut": "APPROUVER"}).status_code == 200
        assert etudiante.post(f"{url}/commentaires", {"contenu": "Merci !"}).status_code == 201


def _verifier_la_discussion(discussion, messages):
    temoin = Discussion(titre=discussion.titre)
    temoin.indexer()
    assert discussion.empreinte_titre == temoin.empreinte_titre
    assert [m.numero_sequence for m in messages] == list(range(1, discussion.dernier_numero + 1))
    assert [(m.origine_id, m.numero_origine) for m in messages] == [
        (discussion.pk, m.numero_sequence) for m in messages
    ]
    dates = [m.date_creation for m in messages]
    assert dates == sorted(set(dates))
    assert discussion.signalement.date_creation < discussion.date_creation <= dates[0]
    assert discussion.date_modification == dates[-1] < timezone.now()
    assert (discussion.compte_id, discussion.invite_id) == (messages[0].compte_id, messages[0].invite_id)
    dossier = (discussion.signalement.compte_id, discussion.signalement.invite_id)
    assert len({(m.compte_id, m.invite_id) for m in messages} - {dossier}) <= 1
    for message in messages:
        signature = message.signature
        message.indexer()
        assert message.signature == signature


def _verifier_les_marques(messages, lectures):
    """A message is read when somebody else's mark has passed it, and nobody marks what was not yet written."""
    for message in messages:
        lu_par = [
            lecture
            for lecture in lectures
            if lecture.numero >= message.numero_origine
            and (lecture.compte_id, lecture.invite_id) != (message.compte_id, message.invite_id)
        ]
        assert message.est_lu == bool(lu_par)
    assert all(1 <= lecture.numero <= len(messages) for lecture in lectures)


def _cles_des_recits():
    return Signalement.objects.filter(titre__in=[recit.titre for recit in textes.RECITS]).values("pk")


def _verifier_l_histoire(signalement, entrees):
    statuts = [e for e in entrees if e.type == TypeEntree.STATUT]
    assert (entrees[0].type, entrees[0].date_creation) == (TypeEntree.CREATION, signalement.date_creation)
    assert (entrees[0].compte_id, entrees[0].invite_id) == (signalement.compte_id, signalement.invite_id)
    assert [e.avant for e in statuts] == ["NOUVEAU", *(e.apres for e in statuts)][: len(statuts)]
    assert signalement.statut == (statuts[-1].apres if statuts else Statut.NOUVEAU)
    assert (signalement.gestionnaire is None) == (signalement.statut == Statut.NOUVEAU)
    assert [e.contenu for e in entrees if e.type == TypeEntree.ASSIGNATION] == (
        [signalement.gestionnaire.nom_complet] if signalement.gestionnaire else []
    )
    assert signalement.date_modification == [e for e in entrees if e.type != TypeEntree.NOTE][-1].date_creation
    assert signalement.date_creation <= entrees[-1].date_creation < timezone.now()
    assert signalement.date_incident < signalement.date_creation
    assert signalement.recherche.startswith(indexable(signalement.reference))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_apres_le_volume_la_base_est_rangee_pour_repondre_depuis_ses_index():
    with CaptureQueriesContext(connection) as requetes:
        lancer("--reports", "30")

    *_avant, rangement, rendu = [requete["sql"] for requete in requetes]
    assert (rangement, "pg_advisory_unlock" in rendu) == ("VACUUM ANALYZE", True)

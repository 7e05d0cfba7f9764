"""What the team has read is taken down, and not counted again: the answers stay those of counting everything."""

import random
import threading
from contextlib import suppress
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, connections, transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import Compte
from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from discussions import entretien
from discussions.entretien import relever, relever_tous
from discussions.models import Arriere, Discussion, Releve
from discussions.non_lus import dossiers_non_lus
from discussions.querysets import ArriereQuerySet, DiscussionQuerySet
from discussions.services import marquer_lus
from discussions.suppression import retirer
from discussions.tests import fabriques
from equipes.services.equipes import ajouter
from equipes.services.equipes import modifier as modifier_equipe
from equipes.services.equipes import retirer as retirer_de_l_equipe
from equipes.tests import fabriques as equipes
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.fabriques import session_invitee
from guests.tests.outils import fusionner
from signalements.models import Signalement
from signalements.reserve import changer_equipe, changer_lecteurs
from signalements.tests import fabriques as signalements
from socle.erreurs import ErreurMetier

pytestmark = [pytest.mark.django_db, pytest.mark.longue]
TABLEAU = "/api/v1/stats/dashboard"


@pytest.fixture(autouse=True)
def petits_lots(monkeypatch):
    for nom, valeur in (("LOT", 3), ("PEU", 1), ("PROCHES", 100), ("ASSEZ", 100)):
        monkeypatch.setattr(entretien, nom, valeur)


@pytest.fixture
def membre(gestionnaire):
    """Of the team for long."""
    gestionnaire.equipe_depuis = timezone.now() - timedelta(days=900)
    gestionnaire.save(update_fields=["equipe_depuis"])
    return gestionnaire


def ouvrir(qui, nombre=1):
    return [
        fabriques.discussion(acteur_de(qui), f"Suites {rang}", signalements.signalement(acteur_de(qui)))
        for rang in range(nombre)
    ]


def recevoir(qui, nombre=1):
    """The same, each with a message."""
    ouvertes = ouvrir(qui, nombre)
    for discussion in ouvertes:
        fabriques.message(acteur_de(qui), discussion)
    return ouvertes


def vieillir():
    """Two days pass."""
    Discussion._base_manager.update(date_modification=F("date_modification") - timedelta(days=2))
    Releve.objects.update(jusqu_a=F("jusqu_a") - timedelta(days=2))
    Arriere.objects.update(moment=F("moment") - timedelta(days=2))


def non_lus(qui, api):
    somme = api(qui).get(TABLEAU).json()["data"]["messagesNonLus"]
    return sorted(dossiers_non_lus(acteur_de(qui))), somme


def comptes_un_a_un(qui, api):
    """The same, of every discussion."""
    with transaction.atomic():
        Releve.objects.all().delete()
        lus = non_lus(qui, api)
        transaction.set_rollback(True)
    return lus


def test_ce_qui_est_releve_se_lit_comme_ce_qui_se_compte(api, membre, admin, etudiante):
    hasard = random.Random(20_261_127)
    invitee = session_invitee()
    for qui in (etudiante, invitee):
        ouvrir(qui, 3)
        fabriques.discussion(acteur_de(qui), "Suites")
    gestes = {
        "écrire": lambda une: fabriques.message(acteur_de(une.compte or une.invite), une),
        "répondre": lambda une: fabriques.message(acteur_de(admin), une),
        "lire": lambda une: marquer_lus(acteur=acteur_de(membre), discussion=une),
        "vieillir": lambda une: vieillir(),
        "relever": lambda une: relever(acteur_de(membre)),
        "fusionner": lambda une: fusionner(etudiante, invitee, acceptPolicy="MERGE_ALL"),
        "défaire": lambda une: annuler(AuditFusion.objects.get(date_annulation=None)),
    }
    suite = hasard.choices([*gestes][:5], [5, 1, 2, 1, 2], k=120)
    suite[40:44], suite[80] = ["fusionner", "vieillir", "relever", "défaire"], "fusionner"
    for rang, geste in enumerate(suite):
        gestes[geste](hasard.choice(list(Discussion.objects.vivants())))
        invitee.refresh_from_db()

        assert non_lus(membre, api) == comptes_un_a_un(membre, api), (rang, geste)
    assert Discussion._base_manager.filter(absorbe_par__isnull=False).exists()


def test_ce_qui_est_releve_se_lit_comme_ce_qui_se_compte_quand_change_qui_lit(api, membre, admin, etudiante):
    """Whoever comes to read a case, by any door, has its old messages to read; who reads it no more has not."""
    hasard = random.Random(20_261_130)
    invitee, autre = session_invitee(), comptes.gestionnaire(email="ruth@campus.test")
    elles = [equipes.equipe(autre), equipes.equipe(autre, membre, nom="Autres")]
    for qui in (etudiante, invitee):
        recevoir(qui, 4)

    def de(une):
        return Signalement.objects.vivants().get(pk=une.signalement_id)

    def sauf_refus(acte):
        with suppress(ErreurMetier):
            acte()

    def fermer_ou_ouvrir(equipe):
        modifier_equipe(equipe=equipe, acteur=acteur_de(admin), active=not equipe.active)

    gestes = {
        "écrire": lambda une: fabriques.message(acteur_de(une.compte or une.invite), une),
        "lire": lambda une: sauf_refus(lambda: marquer_lus(acteur=acteur_de(membre), discussion=une)),
        "vieillir": lambda une: vieillir(),
        "relever": lambda une: relever(acteur_de(membre)),
        "balayer": lambda une: entretien.arrieres(simulation=False),
        "écarter": lambda une: sauf_refus(
            lambda: changer_lecteurs(
                signalement=de(une), acteur=acteur_de(admin), ecartes=hasard.sample([membre.pk, autre.pk], k=1)
            )
        ),
        "rouvrir": lambda une: sauf_refus(lambda: changer_lecteurs(signalement=de(une), acteur=acteur_de(admin))),
        "confier": lambda une: sauf_refus(
            lambda: changer_equipe(
                signalement=de(une),
                equipe_id=hasard.choice([None, *(equipe.pk for equipe in elles)]),
                motif="Mieux ailleurs, pour toutes.",
                acteur=acteur_de(autre),
            )
        ),
        "entrer": lambda une: sauf_refus(
            lambda: ajouter(equipe=elles[0], compte_id=membre.pk, acteur=acteur_de(admin))
        ),
        "sortir": lambda une: sauf_refus(
            lambda: retirer_de_l_equipe(equipe=elles[0], compte_id=membre.pk, acteur=acteur_de(admin))
        ),
        "fermer l'équipe": lambda une: fermer_ou_ouvrir(hasard.choice(elles)),
        "fusionner": lambda une: fusionner(etudiante, invitee, acceptPolicy="MERGE_ALL"),
        "défaire": lambda une: sauf_refus(lambda: annuler(AuditFusion.objects.get(date_annulation=None))),
    }
    suite = hasard.choices([*gestes][:11], [4, 1, 3, 4, 1, 3, 3, 5, 2, 2, 2], k=160)
    suite[60:64], suite[120] = ["fusionner", "vieillir", "relever", "défaire"], "fusionner"
    vus = set()
    for rang, geste in enumerate(suite):
        gestes[geste](hasard.choice(list(Discussion.objects.vivants())))
        invitee.refresh_from_db()
        for equipe in elles:
            equipe.refresh_from_db()

        lus = non_lus(membre, api)
        assert lus == comptes_un_a_un(membre, api), (rang, geste)
        vus.add(lus[1])
    assert len(vus) > 10


@pytest.mark.parametrize("defaite", [False, True])
def test_une_vieille_discussion_non_lue_le_reste_quand_une_fusion_la_joint_ou_la_rend(
    api, membre, etudiante, invite, defaite
):
    for qui in (etudiante, invite):
        discussion = fabriques.discussion(acteur_de(qui), "Suites")
        fabriques.message(acteur_de(qui), discussion, f"De {qui.pk}.")
    marquer_lus(acteur=acteur_de(membre), discussion=Discussion.objects.get(compte=etudiante))
    vieillir()
    while relever(acteur_de(membre)):
        pass
    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")
    Arriere.objects.filter(discussion__absorbe_par__isnull=False).delete()
    if defaite:
        annuler(AuditFusion.objects.get())

    assert non_lus(membre, api)[1] == comptes_un_a_un(membre, api)[1] == 1


def test_ce_qui_est_lu_n_est_plus_regarde(membre, etudiante):
    """A row of the past that no `Arriere` names is not even looked at."""
    lue, attend = recevoir(etudiante, 2)
    marquer_lus(acteur=acteur_de(membre), discussion=lue)
    vieillir()
    relever(acteur_de(membre))
    assert [un.discussion_id for un in Arriere.objects.all()] == [attend.pk]

    Arriere.objects.all().delete()

    assert dossiers_non_lus(acteur_de(membre)) == []


def test_lire_une_vieille_discussion_la_retire_de_ce_qui_attend(membre, etudiante):
    (discussion,) = recevoir(etudiante)
    vieillir()
    relever(acteur_de(membre))

    marquer_lus(acteur=acteur_de(membre), discussion=discussion)

    assert not Arriere.objects.exists()


def test_ce_qui_vient_de_bouger_attend_une_heure(membre, etudiante):
    ouvrir(etudiante, 2)

    assert not relever(acteur_de(membre))

    Discussion.objects.update(date_modification=timezone.now() - entretien.RECUL)
    assert relever(acteur_de(membre))


def test_qui_lit_peu_n_a_pas_de_releve(membre, etudiante, monkeypatch):
    monkeypatch.setattr(entretien, "ASSEZ", 2)
    recevoir(etudiante, 2)
    vieillir()

    assert not relever(acteur_de(membre))

    marquer_lus(acteur=acteur_de(membre), discussion=Discussion.objects.first())
    vieillir()
    assert not relever(acteur_de(membre))  # not before an hour
    Releve.objects.update(pas_avant=timezone.now())
    assert relever(acteur_de(membre))


def test_un_releve_ne_garde_rien_de_ce_que_lisent_d_autres(membre, admin, etudiante, monkeypatch):
    """By teams, almost all is others': neither written down, nor taken for what one has left unread."""
    monkeypatch.setattr(entretien, "ASSEZ", 2)
    equipe = equipes.equipe(comptes.gestionnaire(email="ruth@campus.test"))
    for une in recevoir(etudiante, 4):
        equipes.confier(une.signalement, equipe)
    (a_elle,) = recevoir(etudiante)
    vieillir()

    while relever(acteur_de(membre)):
        pass

    assert Releve.objects.get(compte=membre).jusqu_a is not None
    assert list(Arriere.objects.values_list("discussion", flat=True)) == [a_elle.pk]

    equipes.confier(a_elle.signalement, equipe)
    entretien.arrieres(simulation=False)
    assert not Arriere.objects.exists()


@pytest.mark.parametrize("porte", ["confié à son équipe", "rendu à tous", "rouvert", "entrée", "équipe rouverte"])
def test_ce_que_l_on_vient_a_lire_n_est_pas_perdu(membre, admin, etudiante, porte):
    """Old, and closed when all was taken down."""
    ruth = comptes.gestionnaire(email="ruth@campus.test")
    sienne, autre = equipes.equipe(membre, nom="Sienne"), equipes.equipe(ruth)
    (une,) = recevoir(etudiante)
    dossier = une.signalement
    if porte == "rouvert":
        changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[membre.pk])
    elif porte == "équipe rouverte":
        equipes.confier(dossier, sienne)
        modifier_equipe(equipe=sienne, acteur=acteur_de(admin), active=False)
    else:
        equipes.confier(dossier, autre)
    vieillir()
    relever(acteur_de(membre))
    dossier.refresh_from_db()
    assert dossiers_non_lus(acteur_de(membre)) == []

    motif = "Mieux ailleurs, pour toutes."
    {
        "confié à son équipe": lambda: changer_equipe(
            signalement=dossier, equipe_id=sienne.pk, motif=motif, acteur=acteur_de(ruth)
        ),
        "rendu à tous": lambda: changer_equipe(
            signalement=dossier, equipe_id=None, motif=motif, acteur=acteur_de(ruth)
        ),
        "rouvert": lambda: changer_lecteurs(signalement=dossier, acteur=acteur_de(admin)),
        "entrée": lambda: ajouter(equipe=autre, compte_id=membre.pk, acteur=acteur_de(ruth)),
        "équipe rouverte": lambda: modifier_equipe(equipe=sienne, acteur=acteur_de(admin), active=True),
    }[porte]()

    assert dossiers_non_lus(acteur_de(membre)) == [dossier.pk]
    relever(acteur_de(membre))
    assert dossiers_non_lus(acteur_de(membre)) == [dossier.pk]


def test_ce_qu_une_fusion_defaite_rouvre_n_est_pas_perdu(membre, etudiante, invite):
    (sienne,), source = recevoir(etudiante), signalements.signalement(acteur_de(invite))
    equipes.confier(source, equipes.equipe(comptes.gestionnaire(email="ruth@campus.test")))
    cible = sienne.signalement_id
    paire = {"level": "SIGNALEMENT", "guestEntityId": str(source.pk), "targetEntityId": str(cible)}
    fusionner(etudiante, invite, {**paire, "action": "MERGE_FIELDS"})
    assert dossiers_non_lus(acteur_de(membre)) == []
    vieillir()
    relever(acteur_de(membre))

    annuler(AuditFusion.objects.get())

    assert dossiers_non_lus(acteur_de(membre)) == [cible]


def test_ce_qu_une_fusion_donne_a_quelqu_un_de_l_equipe_n_est_pas_perdu(membre, invite):
    """Their own case, though another team handles it."""
    ruth = comptes.gestionnaire(email="ruth@campus.test")
    (une,) = ouvrir(invite)
    fabriques.message(acteur_de(ruth), une)
    equipes.confier(une.signalement, equipes.equipe(ruth))
    vieillir()
    relever(acteur_de(membre))
    assert dossiers_non_lus(acteur_de(membre)) == []

    fusionner(membre, invite)

    assert dossiers_non_lus(acteur_de(membre)) == [une.signalement_id]


def test_une_minute_releve_chacun_et_s_arrete_a_temps(membre, admin, etudiante, monkeypatch):
    for compte in (membre, admin):
        compte.equipe_depuis = timezone.now() - timedelta(days=900)
        compte.save(update_fields=["equipe_depuis"])
    ouvrir(etudiante, 7)
    vieillir()
    with monkeypatch.context() as presse:
        presse.setattr(entretien, "SECONDES", -1)
        relever_tous()
    assert [releve.jusqu_a for releve in Releve.objects.all()] == [entretien._fin_du_lot(membre.equipe_depuis)]

    relever_tous()

    derniere = Discussion.objects.order_by("-date_modification").first().date_modification
    assert [releve.jusqu_a > derniere for releve in Releve.objects.all()] == [True, True]


def test_beaucoup_de_discussions_du_meme_instant_se_relevent_ensemble(membre, etudiante):
    ouvrir(etudiante, 8)
    Discussion.objects.update(date_modification=timezone.now() - timedelta(days=3))

    assert [relever(acteur_de(membre)) for _fois in range(2)] == [True, False]


def test_ce_qui_s_efface_ou_part_n_y_reste_pas(membre, etudiante):
    premiere, seconde = recevoir(etudiante, 2)
    vieillir()
    relever(acteur_de(membre))

    with transaction.atomic():
        retirer([premiere.signalement_id])
    assert [un.discussion_id for un in Arriere.objects.all()] == [seconde.pk]

    membre.type_utilisateur = "UTILISATEUR"
    membre.save(update_fields=["type_utilisateur"])
    call_command("purge", verbosity=0)
    assert not Releve.objects.exists()
    assert not Arriere.objects.exists()


def test_une_purge_coupee_ne_retire_rien(api, membre, etudiante, monkeypatch):
    (discussion,) = recevoir(etudiante)
    vieillir()
    relever(acteur_de(membre))
    Compte.objects.filter(pk=membre.pk).update(est_actif=False)
    vrai = entretien.supprimer

    def couper(lignes, *, simulation):
        vrai(lignes, simulation=simulation)
        raise RuntimeError

    with monkeypatch.context() as coupee:
        coupee.setattr(entretien, "supprimer", couper)
        with pytest.raises(RuntimeError):
            entretien.releves(simulation=False)
    Compte.objects.filter(pk=membre.pk).update(est_actif=True)

    assert non_lus(membre, api) == comptes_un_a_un(membre, api) == ([discussion.signalement_id], 1)


def test_une_horloge_remise_a_l_heure_ne_cache_rien(api, membre, etudiante, monkeypatch):
    (en_avance, cible), avance = ouvrir(etudiante, 2), timedelta(hours=2)
    vrai = timezone.now
    with monkeypatch.context() as horloge:
        horloge.setattr(timezone, "now", lambda: vrai() + avance)
        fabriques.message(acteur_de(etudiante), en_avance)
        horloge.setattr(timezone, "now", lambda: vrai() + avance + timedelta(minutes=61))
        relever_tous()
    relever_tous()

    fabriques.message(acteur_de(etudiante), Discussion.objects.get(pk=cible.pk))

    assert non_lus(membre, api) == comptes_un_a_un(membre, api)
    assert cible.signalement_id in non_lus(membre, api)[0]


def test_la_purge_retire_ce_ou_plus_rien_n_est_a_lire(membre, etudiante):
    lue, attend = recevoir(etudiante, 2)
    marquer_lus(acteur=acteur_de(membre), discussion=lue)
    vieillir()
    relever(acteur_de(membre))
    Arriere.objects.reprendre([Discussion.objects.get(pk=lue.pk)])

    call_command("purge", verbosity=0)

    assert [un.discussion_id for un in Arriere.objects.all()] == [attend.pk]


def test_une_discussion_qui_bouge_entre_les_deux_lectures_n_est_pas_omise(membre, etudiante, monkeypatch):
    (discussion,) = recevoir(etudiante)
    vieillir()
    relever(acteur_de(membre))
    vrai, lectures = DiscussionQuerySet.values_list, []

    def lire(lignes, *noms, **options):
        lectures.append(noms)
        if len(lectures) == 2:
            fabriques.message(acteur_de(etudiante), Discussion.objects.get(pk=discussion.pk))
        return vrai(lignes, *noms, **options)

    monkeypatch.setattr(DiscussionQuerySet, "values_list", lire)

    assert dossiers_non_lus(acteur_de(membre)) == [discussion.signalement_id]


def test_une_panne_chez_l_une_ne_retient_pas_les_autres(membre, admin, etudiante, monkeypatch):
    ouvrir(etudiante, 2)
    vieillir()
    Compte.objects.update(equipe_depuis=timezone.now() - timedelta(days=900))
    vrai = entretien.relever

    def tomber(acteur):
        if acteur.compte == admin:
            raise OperationalError
        return vrai(acteur)

    monkeypatch.setattr(entretien, "relever", tomber)

    relever_tous()

    assert [releve.compte for releve in Releve.objects.all()] == [membre]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_une_fusion_pendant_que_l_on_releve_ne_perd_rien(api, membre, etudiante, invite, monkeypatch):
    """The worker has counted, and has not committed: the merge waits, and has the reader look again."""
    for qui in (etudiante, invite):
        fabriques.message(acteur_de(qui), fabriques.discussion(acteur_de(qui), "Suites"), f"De {qui.pk}.")
    marquer_lus(acteur=acteur_de(membre), discussion=Discussion.objects.get(compte=etudiante))
    vieillir()
    compte, continuer = threading.Event(), threading.Event()
    vrai = ArriereQuerySet.bulk_create

    def attendre(lignes, *args, **options):
        if threading.current_thread().name == "ouvrier":
            compte.set()
            continuer.wait(20)
        return vrai(lignes, *args, **options)

    monkeypatch.setattr(ArriereQuerySet, "bulk_create", attendre)
    ouvrier = threading.Thread(target=_puis_fermer, args=(lambda: relever(acteur_de(membre)),), name="ouvrier")
    fusion = threading.Thread(
        target=_puis_fermer, args=(lambda: fusionner(etudiante, invite, acceptPolicy="MERGE_ALL"),)
    )
    ouvrier.start()
    assert compte.wait(20)
    fusion.start()
    attendre_que_l_on_attende()
    continuer.set()
    for fil in (ouvrier, fusion):
        fil.join(30)

    assert Discussion._base_manager.filter(absorbe_par__isnull=False).count() == 1
    assert non_lus(membre, api)[1] == comptes_un_a_un(membre, api)[1] == 1


def attendre_que_l_on_attende():
    with connection.cursor() as curseur:
        for _essai in range(500):
            curseur.execute("SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'")
            if curseur.fetchone()[0]:
                return
            threading.Event().wait(0.01)
    raise AssertionError("personne n'attend")


def _puis_fermer(acte):
    try:
        acte()
    finally:
        connections.close_all()

"""Who is told of what: written with the act, addressed within a minute, to those who read the case."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.services import comptes
from accounts.tests.fabriques import compte
from accounts.vocabulaire import NatureAvis
from avis.entretien import dire_ce_qui_s_est_passe
from avis.models import Avis
from avis.services import noter
from avis.tests.outils import dits
from config.tests.outils.clients import acteur_de
from discussions import services as discussions
from signalements import services
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs
from signalements.signals import dossiers_joints
from signalements.tests import fabriques
from socle.realtime.models import Evenement

pytestmark = pytest.mark.django_db


@pytest.fixture
def ruth(db):
    return compte(email="ruth@campus.test", prenom="Ruth", nom="Kanza", type_utilisateur="GESTIONNAIRE")


@pytest.fixture
def oublies():
    """oublies(): what was noted so far is told to nobody."""
    return lambda: Avis.objects.all().delete()


def ecrire(qui, dossier, titre="Suite"):
    acteur = acteur_de(qui)
    fil = dossier.discussions.first() or discussions.ouvrir(acteur=acteur, titre=titre, signalement_id=dossier.pk)
    return discussions.ecrire(acteur=acteur, discussion=fil, contenu="Bonjour")


def test_un_nouveau_dossier_est_dit_a_toute_l_equipe(signalement, gestionnaire, ruth, admin):
    dire_ce_qui_s_est_passe()

    assert dits() == {(un.prenom, "NOUVEAU_DOSSIER") for un in (gestionnaire, ruth, admin)}
    assert not Avis.objects.a_adresser().exists()


def test_qui_est_de_l_equipe_n_apprend_rien_de_son_propre_dossier(gestionnaire, ruth):
    fabriques.signalement(acteur_de(gestionnaire))

    dire_ce_qui_s_est_passe()

    assert dits() == {("Ruth", "NOUVEAU_DOSSIER")}


def test_rien_n_est_dit_de_ce_qui_a_echoue(etudiante, gestionnaire):
    with pytest.raises(RuntimeError), transaction.atomic():
        fabriques.signalement(acteur_de(etudiante))
        raise RuntimeError

    dire_ce_qui_s_est_passe()

    assert dits() == set()


def test_confier_le_dit_a_qui_recoit_et_a_qui_avait(signalement, gestionnaire, ruth, admin, oublies):
    oublies()
    services.assigner(signalement=signalement, gestionnaire_id=ruth.pk, acteur=acteur_de(admin))
    services.assigner(signalement=signalement, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))

    dire_ce_qui_s_est_passe()

    assert dits() == {
        ("Ruth", "DOSSIER_CONFIE"),
        (gestionnaire.prenom, "DOSSIER_CONFIE"),
        ("Ruth", "DOSSIER_REPRIS"),
    }


def test_prendre_et_rendre_soi_meme_ne_se_disent_pas(signalement, gestionnaire, oublies):
    oublies()
    services.assigner(signalement=signalement, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(gestionnaire))
    services.rendre(signalement=signalement, acteur=acteur_de(gestionnaire))

    dire_ce_qui_s_est_passe()

    assert dits() == set()


@pytest.mark.parametrize("tenu", [True, False])
def test_un_message_de_l_auteur_va_a_qui_tient_le_dossier_sinon_a_tous(
    invite, signalement_invite, gestionnaire, ruth, oublies, tenu
):
    if tenu:
        services.assigner(signalement=signalement_invite, gestionnaire_id=ruth.pk, acteur=acteur_de(ruth))
    oublies()
    for _fois in range(3):
        ecrire(invite, signalement_invite)

    dire_ce_qui_s_est_passe()

    attendus = {"Ruth"} if tenu else {"Ruth", gestionnaire.prenom}
    assert dits() == {(prenom, "MESSAGE") for prenom in attendus}
    assert Avis.objects.filter(destinataire=ruth).count() == 1


def test_un_message_de_l_equipe_ne_se_dit_pas_a_l_equipe(invite, signalement_invite, gestionnaire, ruth, oublies):
    oublies()
    ecrire(gestionnaire, signalement_invite)

    dire_ce_qui_s_est_passe()

    assert dits() == set()


def test_un_dossier_critique_est_dit_sauf_a_qui_l_a_decide(signalement, gestionnaire, ruth, oublies):
    oublies()
    services.changer_priorite(signalement=signalement, priorite="CRITICAL", acteur=acteur_de(gestionnaire))

    dire_ce_qui_s_est_passe()

    assert dits() == {("Ruth", "DOSSIER_CRITIQUE")}


def test_un_dossier_reserve_est_dit_a_ses_lecteurs_seuls(signalement, gestionnaire, ruth, admin):
    changer_lecteurs(signalement=signalement, acteur=acteur_de(admin), ecartes=[ruth.pk])

    dire_ce_qui_s_est_passe()

    assert dits() == {(gestionnaire.prenom, "NOUVEAU_DOSSIER"), (admin.prenom, "NOUVEAU_DOSSIER")}


def test_perdre_un_dossier_efface_ce_qui_attendait_et_ce_qui_fut_entendu(
    api, signalement, gestionnaire, ruth, admin, evenements
):
    dire_ce_qui_s_est_passe()
    entendus = Evenement.objects.filter(type="avis", canal=f"user:{ruth.pk}")
    avant = entendus.count()

    changer_lecteurs(signalement=signalement, acteur=acteur_de(admin), ecartes=[ruth.pk])

    assert (avant, entendus.count()) == (1, 0)
    assert ("Ruth", "NOUVEAU_DOSSIER") not in dits()
    assert Evenement.objects.filter(type="avis", canal=f"user:{gestionnaire.pk}").exists()


@pytest.mark.parametrize("comment", ["écarté", "plus administrateur"])
def test_perdre_un_dossier_que_l_on_pouvait_seulement_rouvrir_l_efface_aussi(
    signalement, gestionnaire, admin, oublies, comment
):
    """Told of a date that passed, of a case of others, an administrator may be the one whom it accuses."""
    autre = compte(email="rex@campus.test", prenom="Rex", type_utilisateur="ADMIN_SYSTEME")
    admis = [gestionnaire.pk, admin.pk]
    changer_lecteurs(signalement=signalement, acteur=acteur_de(admin), admis=admis)
    oublies()
    noter(NatureAvis.ECHEANCE_DEPASSEE, signalement.pk, par=None)
    dire_ce_qui_s_est_passe()
    entendus = Evenement.objects.filter(type="avis", canal=f"user:{autre.pk}")
    avant = (("Rex", "ECHEANCE_DEPASSEE") in dits(), entendus.count())

    if comment == "écarté":
        changer_lecteurs(signalement=signalement, acteur=acteur_de(admin), admis=admis, ecartes=[autre.pk])
    else:
        comptes.modifier(compte=autre, acteur=acteur_de(admin), type_utilisateur="GESTIONNAIRE")

    assert avant == (True, 1)
    assert ("Rex", "ECHEANCE_DEPASSEE") not in dits()
    assert not entendus.exists()


def test_un_avis_s_annonce_a_sa_personne_et_ne_dit_que_le_dossier(signalement, gestionnaire, evenements):
    with evenements() as recus:
        dire_ce_qui_s_est_passe()

    (avis,) = [un for un in recus if un["type"] == "avis"]
    assert avis["canal"] == f"user:{gestionnaire.pk}"
    assert set(avis["payload"]) == {"nature", "signalementId", "date"}
    assert avis["payload"]["signalementId"] == str(signalement.pk)


def test_un_dossier_joint_mene_ses_avis_a_celui_qui_demeure(etudiante, signalement, gestionnaire):
    autre = fabriques.signalement(acteur_de(etudiante), titre="Le même")
    dire_ce_qui_s_est_passe()
    fabriques.joindre(autre, signalement)

    dossiers_joints.send(Signalement, chemins={autre.pk: signalement.pk})

    assert set(Avis.objects.values_list("objet", flat=True)) == {signalement.pk}
    assert Avis.objects.filter(destinataire=gestionnaire, nature=NatureAvis.NOUVEAU_DOSSIER).count() == 1


def test_un_dossier_joint_a_un_dossier_reserve_se_tait_pour_qui_ne_le_lit_pas(
    etudiante, signalement, gestionnaire, ruth, admin
):
    reserve = fabriques.signalement(acteur_de(etudiante), titre="Le réservé")
    changer_lecteurs(signalement=reserve, acteur=acteur_de(admin), ecartes=[ruth.pk])
    dire_ce_qui_s_est_passe()
    fabriques.joindre(signalement, reserve)

    dossiers_joints.send(Signalement, chemins={signalement.pk: reserve.pk})

    assert dits(objet=reserve.pk) == {(gestionnaire.prenom, "NOUVEAU_DOSSIER"), (admin.prenom, "NOUVEAU_DOSSIER")}
    assert not Avis.objects.filter(destinataire=ruth).exists()
    assert not Evenement.objects.filter(type="avis", canal=f"user:{ruth.pk}").exists()
    assert Evenement.objects.filter(type="avis", canal=f"user:{gestionnaire.pk}").count() == 2


@pytest.mark.parametrize("champs", [{"type_utilisateur": "UTILISATEUR"}, {"est_actif": False}])
def test_qui_n_est_plus_de_l_equipe_n_en_garde_rien(api, signalement, ruth, gestionnaire, admin, champs):
    dire_ce_qui_s_est_passe()
    if "est_actif" in champs:
        api(admin).put(f"/api/v1/comptes/{ruth.pk}/deactivate", {})
    else:
        api(admin).put(f"/api/v1/comptes/{ruth.pk}", {"typeUtilisateur": "UTILISATEUR"})

    assert not type(ruth).objects.filter(pk=ruth.pk, est_actif=True, type_utilisateur="GESTIONNAIRE").exists()
    assert not Avis.objects.filter(destinataire=ruth).exists()
    assert not Evenement.objects.filter(type="avis", canal=f"user:{ruth.pk}").exists()
    assert Avis.objects.filter(destinataire=gestionnaire).exists()


def test_dire_coute_autant_pour_une_personne_et_pour_neuf(etudiante, gestionnaire):
    def cout():
        fabriques.signalement(acteur_de(etudiante))
        with CaptureQueriesContext(connection) as requetes:
            dire_ce_qui_s_est_passe()
        return len(requetes)

    cout()
    un = cout()
    for rang in range(8):
        compte(email=f"g{rang}@campus.test", type_utilisateur="GESTIONNAIRE")
    cout()  # the cadence of the new ones is drawn

    assert cout() == un

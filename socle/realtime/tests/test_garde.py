"""Sockets checked together: as each alone, in as many statements for one as for many."""

from itertools import product
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.services import sessions
from accounts.tests.outils import se_connecter
from config.serveur.identites import acteur_du_jeton, revoir
from config.tests.outils import acteur_de
from discussions.models import Discussion
from discussions.tests import fabriques as discussions
from forum.models import Poste
from forum.tests import fabriques as forum
from guests.tests.fabriques import desactiver, fusionner
from signalements.models import Signalement
from signalements.tests import fabriques as signalements
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.droits import Role
from socle.realtime.auth import Identite
from socle.realtime.canaux import audiences, toutes
from socle.realtime.garde import revoir_ensemble

pytestmark = pytest.mark.django_db
MODELES = {"signalement": Signalement, "discussion": Discussion, "poste": Poste}


@pytest.fixture
def personnes(etudiante, autre_etudiante, gestionnaire, admin, invite, autre_invite):
    return [acteur_de(qui) for qui in (etudiante, autre_etudiante, gestionnaire, admin, invite, autre_invite)]


@pytest.fixture
def lignes(etudiante, autre_etudiante, gestionnaire, admin, invite):
    """What people may see and may not: theirs, others', on a report or none, public, hidden, deleted."""
    dossiers = [signalements.signalement(acteur_de(qui)) for qui in (etudiante, gestionnaire, invite)]
    echanges = [discussions.discussion(acteur_de(gestionnaire), signalement=dossier) for dossier in dossiers]
    libres = [discussions.discussion(acteur_de(qui)) for qui in (autre_etudiante, admin, invite)]
    chef = acteur_de(admin)
    postes = [
        forum.poste(acteur_de(etudiante), par=chef, statut=statut) for statut in ("NOUVEAU", "APPROUVER", "REJETER")
    ]
    supprime = forum.poste(acteur_de(etudiante))
    supprime.supprimer(acteur_de(admin))
    return [*dossiers, *echanges, *libres, *postes, supprime]


def canal_de(ligne):
    return f"{next(nom for nom, modele in MODELES.items() if isinstance(ligne, modele))}:{ligne.pk}"


def test_un_canal_s_entend_de_qui_voit_sa_ligne(personnes, lignes):
    for acteur, ligne in product(personnes, lignes):
        visibles = type(ligne).objects.visibles_par(acteur).filter(pk=ligne.pk)

        assert bool(audiences(acteur, canal_de(ligne))) == visibles.exists(), (acteur, ligne)


def test_ce_qui_est_joint_s_entend_de_qui_voit_ce_a_quoi_il_l_est(personnes, etudiante, invite):
    memes_faits = {"titre": "Vol", "description": "Un sac.", "type": "VOL", "mode_identification": "ANONYME"}
    cible, joint = (signalements.signalement(acteur_de(qui), **memes_faits) for qui in (etudiante, invite))
    fusionner(invite, etudiante)
    joint.refresh_from_db()
    assert joint.absorbe_par_id == cible.pk

    for acteur in personnes:
        assert audiences(acteur, canal_de(joint)) == audiences(acteur, canal_de(cible))


def test_un_canal_inconnu_n_arrete_pas_les_autres(personnes, lignes):
    absents = [f"signalement:{uuid4()}", "inconnu", "signalement:x", f"poste:{uuid4()}"]
    canaux = [canal_de(lignes[0]), "dashboard", *absents]

    entendues = toutes([(personnes[2], canal) for canal in canaux])

    assert list(map(bool, entendues)) == [True, True, False, False, False, False]


def identite_de(compte):
    acteur = acteur_du_jeton(se_connecter(compte).json()["data"]["token"])
    return Identite(acteur, acteur.expire, session_id=acteur.session_id, compte_id=compte.pk)


def identite_invitee(session):
    return Identite(acteur_de(session), invite_id=session.pk)


def test_une_session_finie_un_role_change_ou_un_invite_ecarte_sont_mis_en_doute(
    etudiante, autre_etudiante, gestionnaire, admin, invite, autre_invite
):
    finie, inactif, retrograde, restee = map(identite_de, (etudiante, autre_etudiante, gestionnaire, admin))
    ecarte, reste = map(identite_invitee, (invite, autre_invite))
    espace = Identite(ActeurCompte(compte=admin), compte_id=admin.pk)
    assert revoir([finie, inactif, retrograde, restee, ecarte, reste]) == {
        finie, inactif, retrograde, restee, ecarte, reste,
    }  # fmt: skip

    sessions.deconnecter(acteur=finie.acteur)
    type(autre_etudiante).objects.filter(pk=autre_etudiante.pk).update(est_actif=False)
    type(gestionnaire).objects.filter(pk=gestionnaire.pk).update(type_utilisateur=Role.UTILISATEUR)
    desactiver(invite)

    assert revoir([finie, inactif, retrograde, restee, ecarte, reste, espace]) == {restee, reste}


def test_le_mode_invite_ferme_met_tous_les_invites_en_doute(invite, settings):
    settings.GUEST_MODE_ENABLED = False

    assert revoir([identite_invitee(invite)]) == set()


def test_beaucoup_de_sockets_coutent_autant_de_requetes_qu_un_de_chaque_sorte(personnes, lignes, gestionnaire, invite):
    identites = [identite_de(gestionnaire), identite_invitee(invite)]

    def requetes(fois):
        demandes = [(i, canal_de(ligne)) for i in identites for ligne in lignes] * fois
        with CaptureQueriesContext(
            connection,
        ) as lues:
            entendues = revoir_ensemble(revoir, demandes)
        assert len(entendues) == len(demandes)
        assert any(entendues)
        return len(lues)

    assert requetes(1) == requetes(9) == 5  # sessions, guests, three kinds of channels

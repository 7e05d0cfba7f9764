import threading
import time
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de
from guests import services
from guests.erreurs import SessionRattachee
from guests.models import SessionInvitee
from guests.tests.fabriques import desactiver, fusionner
from signalements.models import Signalement
from signalements.tests import fabriques
from socle.erreurs import ErreurMetier
from socle.realtime.vocabulaire import CONTROLE

pytestmark = pytest.mark.django_db


def relue(session):
    return SessionInvitee.objects.get(pk=session.pk)


# --- Disabling ------------------------------------------------------------------------------------------------------


def test_desactiver_ferme_les_sockets_de_la_session(invite, evenements):
    with evenements() as recus:
        desactiver(invite)

    assert (recus[0]["type"], recus[0]["canal"], recus[0]["payload"]) == (
        "fermer_sockets",
        CONTROLE,
        {"invites": [str(invite.pk)]},
    )


@pytest.mark.parametrize("statut", ["ACTIVE", "DISABLED"])
def test_decider_de_nouveau_se_dit_et_ne_change_rien(invite, evenements, statut):
    desactiver(invite, statut)
    avant = relue(invite).date_modification

    with evenements() as recus:
        desactiver(invite, statut)

    assert [(e["type"], e["canal"]) for e in recus] == [("system_alert", "admin")]
    assert (relue(invite).statut, relue(invite).date_modification) == (statut, avant)
    assert LogEntry.objects.count() == 2


def test_une_session_retablie_sert_de_nouveau(api, invite):
    desactiver(invite)

    desactiver(invite, "ACTIVE")

    assert api(invite).get("/api/v1/guest/suivi").status_code == 200


def test_rien_n_est_annonce_ni_ferme_quand_la_transaction_echoue(invite, evenements):
    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        desactiver(invite)
        raise RuntimeError

    assert (recus, relue(invite).statut, LogEntry.objects.count()) == ([], "ACTIVE", 0)


def test_une_session_rattachee_ne_se_desactive_pas(invite, etudiante):
    fusionner(invite, etudiante)

    with pytest.raises(SessionRattachee):
        desactiver(invite)

    assert relue(invite).statut == "MERGED"


# --- A write that races the end of its session ----------------------------------------------------------------------


@pytest.mark.parametrize(("fin", "code"), [("DISABLED", "GUEST_SESSION_INVALID"), ("MERGED", "GUEST_SESSION_MERGED")])
def test_une_ecriture_lancee_avant_la_fin_de_la_session_est_refusee(invite, etudiante, fin, code):
    acteur = acteur_de(relue(invite))
    acteur.invite.guest_id = invite.guest_id
    desactiver(invite) if fin == "DISABLED" else fusionner(invite, etudiante)

    with pytest.raises(ErreurMetier, match=code):
        fabriques.signalement(acteur)

    assert not Signalement.objects.exists()


def test_un_changement_de_numero_lance_avant_la_fin_de_la_session_est_refuse(invite):
    lancee = relue(invite)
    desactiver(invite)

    with pytest.raises(ErreurMetier, match="GUEST_SESSION_INVALID"):
        services.changer_telephone(session=lancee, telephone="+243898765432")

    assert relue(invite).telephone == "+243812345621"


def sans_attendre(acte):
    """The act, which fails instead of waiting for a lock."""

    def faire():
        with transaction.atomic(), connection.cursor() as curseur:
            curseur.execute("SET LOCAL lock_timeout = '300ms'")
            acte()
            return "fait"

    return faire


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
class TestVerrous:
    def test_deux_ecritures_d_une_invitee_ne_s_attendent_pas(self, invite):
        with transaction.atomic():
            acteur_de(invite).verrouiller()
            (autre,) = ensemble([sans_attendre(acteur_de(relue(invite)).verrouiller)])

        assert autre == "fait"

    def test_qui_termine_la_session_attend_l_ecriture(self, invite):
        with transaction.atomic():
            acteur_de(invite).verrouiller()
            (desactivation,) = ensemble([sans_attendre(lambda: desactiver(relue(invite)))])

        assert isinstance(desactivation, OperationalError)
        assert relue(invite).statut == "ACTIVE"

    def test_un_verrou_exclusif_attend_l_ecriture(self, invite):
        with transaction.atomic():
            acteur_de(invite).verrouiller()
            (fusion,) = ensemble([sans_attendre(lambda: acteur_de(relue(invite)).verrouiller(exclusif=True))])

        assert isinstance(fusion, OperationalError)

    def test_une_ecriture_qui_attendait_la_fin_de_la_session_est_refusee(self, invite):
        acteur, issue = acteur_de(relue(invite)), []

        with transaction.atomic():
            desactiver(invite)
            fil = threading.Thread(target=lambda: issue.extend(ensemble([lambda: fabriques.signalement(acteur)])))
            fil.start()
            time.sleep(0.4)
            en_attente = list(issue)
        fil.join(timeout=10)

        assert en_attente == []
        assert isinstance(issue[0], ErreurMetier)
        assert issue[0].code == "GUEST_SESSION_INVALID"
        assert not Signalement.objects.exists()

    def test_la_derniere_visite_n_attend_pas_une_session_tenue(self, invite):
        SessionInvitee.objects.update(date_derniere_activite=timezone.now() - timedelta(hours=1))
        avant = relue(invite)

        with transaction.atomic():
            invite.verrouiller()
            (visite,) = ensemble([sans_attendre(lambda: services.noter_activite(avant))])

        assert visite == "fait"
        assert relue(invite).date_derniere_activite == avant.date_derniere_activite

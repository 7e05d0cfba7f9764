"""What a merge costs: a number of queries that no conversation makes grow."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.tests.outils import acteur_de
from discussions.models import Message
from discussions.tests import fabriques as conversations
from guests.fusion.execution import fusionner
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.fabriques import session_invitee
from signalements.models import Signalement
from signalements.tests import fabriques as dossiers

pytestmark = pytest.mark.django_db


def installer_cas(qui, messages):
    """A report, and a discussion of it with so many messages."""
    acteur = acteur_de(qui)
    dossier = dossiers.signalement(acteur, mode_identification="ANONYME")
    discussion = conversations.discussion(acteur, signalement=dossier)
    for rang in range(messages):
        conversations.message(acteur, discussion, f"{qui.pk} {rang}")


def requetes_d_une_fusion(compte, messages):
    session = session_invitee()
    installer_cas(session, messages)
    with CaptureQueriesContext(connection) as requetes:
        fusionner(session=session, compte=compte, cle=str(session.pk), accept_policy="MERGE_ALL")
    assert Message.objects.filter(fusionne_de=session).count() == messages
    return len(requetes)


def test_fusionner_un_message_ou_deux_cents_coute_les_memes_requetes(etudiante, autre_etudiante):
    un, deux_cents = (requetes_d_une_fusion(qui, n) for qui, n in ((etudiante, 1), (autre_etudiante, 200)))

    assert un == deux_cents
    assert Signalement.objects.vivants().count() == 2


def test_joindre_a_un_cas_du_compte_un_message_ou_deux_cents_coute_les_memes_requetes(etudiante, autre_etudiante):
    for qui in (etudiante, autre_etudiante):
        installer_cas(qui, 3)

    un, deux_cents = (requetes_d_une_fusion(qui, n) for qui, n in ((etudiante, 1), (autre_etudiante, 200)))

    assert un == deux_cents
    assert Signalement.objects.vivants().count() == 2


@pytest.fixture
def plans_des_rangs(db):
    """The plan of each statement that ranks messages, as it is run, for a planner who reads tables by an index."""
    plans = []

    def expliquer(executer, sql, valeurs, many, context):
        if "rangs" in sql:
            with connection.cursor() as curseur:
                curseur.cursor.execute(f"EXPLAIN {sql}", valeurs)
                plans.append("\n".join(ligne for (ligne,) in curseur.cursor.fetchall()))
        return executer(sql, valeurs, many, context)

    with connection.cursor() as curseur:
        curseur.execute("SET LOCAL enable_seqscan = off")
    with connection.execute_wrapper(expliquer):
        yield plans


@pytest.mark.postgres
def test_les_messages_se_rangent_une_fois_quoi_que_croie_la_base_de_leur_nombre(etudiante, plans_des_rangs):
    """A nested loop would rank them all again for each: 1 500 messages took a minute where the table seemed empty."""
    installer_cas(etudiante, 3)
    requetes_d_une_fusion(etudiante, 3)
    annuler(AuditFusion.objects.get())

    assert len(plans_des_rangs) == 4
    for plan in plans_des_rangs:
        assert "Nested Loop" not in plan
        assert "Seq Scan" not in plan
    with connection.cursor() as curseur:
        curseur.execute("SHOW enable_nestloop")
        assert curseur.fetchone() == ("on",)

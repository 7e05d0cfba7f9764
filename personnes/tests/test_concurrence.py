"""An erasure that meets what the person is doing, on real connections."""

from collections import Counter
from uuid import uuid4

import pytest

from accounts.models import Compte
from accounts.tests.outils import ensemble
from calendrier.models import Participation
from calendrier.tests import fabriques as calendrier
from config.tests.outils import acteur_de, client_de, document
from discussions.models import Message
from discussions.tests import fabriques as discussions
from guests.fusion.verification import verifier
from guests.models import SessionInvitee
from guests.tests.fabriques import fusionner
from guests.vocabulaire import StatutInvite
from personnes.erreurs import SessionDUnCompte
from personnes.services import effacements, journal
from personnes.tests import gestes
from signalements.tests import fabriques as signalements

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
plusieurs_tours = pytest.mark.parametrize("tour", range(3))


@pytest.fixture(autouse=True)
def _journal(settings, tmp_path):
    settings.ERASURE_LOG = tmp_path / "effacements.jsonl"
    document()


def effacer(compte):
    return lambda: effacements.effacer_compte(compte.pk)


@plusieurs_tours
def test_qui_ecrit_pendant_qu_on_l_efface_n_est_nomme_nulle_part(etudiante, tour):
    discussion = discussions.discussion(acteur_de(etudiante))
    clients = [client_de(etudiante) for _fil in range(4)]

    def ecrire(client):
        url = f"/api/v1/discussions/{discussion.pk}/messages"
        return lambda: [client.post(url, {"contenu": f"{rang}"}).status_code for rang in range(6)]

    bilan, *statuts = ensemble([effacer(etudiante), *map(ecrire, clients)])
    effacements.achever(bilan)

    recus = Counter(statut for les_siens in statuts for statut in les_siens)
    assert set(recus) <= {201, 401}
    assert Message.objects.filter(discussion=discussion).count() == recus[201]
    assert gestes.traces("awa diop", "awa@campus.test") == []


@plusieurs_tours
def test_un_rattachement_en_cours_est_efface_ou_refuse_en_entier(etudiante, invite, tour):
    signalements.signalement(acteur_de(invite))
    client = client_de(etudiante)

    def rattacher():
        url = f"/api/v1/guest/sessions/{invite.guest_id}/merge"
        return client.post(url, {"acceptPolicy": "MERGE_ALL"}, headers={"Idempotency-Key": str(uuid4())}).status_code

    bilan, statut = ensemble([effacer(etudiante), rattacher])

    assert bilan.nombres["compte"] == 1
    session = SessionInvitee.objects.get(pk=invite.pk)
    assert (statut, session.statut, session.date_effacement is None) in {
        (200, StatutInvite.MERGED, False),
        (401, StatutInvite.ACTIVE, True),
        (409, StatutInvite.ACTIVE, True),
    }
    assert list(verifier()) == []


@plusieurs_tours
def test_une_session_qu_on_efface_est_rattachee_avant_ou_jamais(etudiante, invite, tour):
    signalements.signalement(acteur_de(invite))

    efface, rattache = ensemble([lambda: effacements.effacer_session(invite.pk), lambda: fusionner(invite, etudiante)])

    session = SessionInvitee.objects.get(pk=invite.pk)
    if isinstance(efface, SessionDUnCompte):
        assert rattache.merged
        assert session.telephone is not None
    else:
        assert isinstance(rattache, Exception)
        assert (session.telephone, session.statut) == (None, StatutInvite.DISABLED)
    assert list(verifier()) == []


@plusieurs_tours
def test_qui_s_inscrit_pendant_qu_on_l_efface_ne_tient_aucune_place(etudiante, gestionnaire, tour):
    evenements = [calendrier.evenement(gestionnaire, nb_max_participants=2) for _un in range(4)]
    for evenement in evenements[:2]:
        calendrier.participation(evenement, etudiante)

    def s_inscrire(evenement):
        return lambda: calendrier.participation(evenement, etudiante)

    bilan, *_faites = ensemble([effacer(etudiante), *map(s_inscrire, evenements)])
    effacements.achever(bilan)

    assert not Participation.objects.actives().filter(compte=etudiante).exists()
    for evenement in evenements:
        evenement.refresh_from_db()
        assert evenement.nb_confirmes == 0


def test_deux_effacements_a_la_fois_n_en_font_qu_un(etudiante):
    faits = ensemble([effacer(etudiante)] * 4)

    assert sorted(bilan.deja_fait for bilan in faits) == [False, True, True, True]
    assert len(journal.lire(journal.chemin())) == 1
    assert Compte.objects.get(pk=etudiante.pk).date_effacement

"""Unread counts, held against a recount that knows who wrote and who read each message."""

import random
from collections import defaultdict
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from config.tests.outils import acteur_de
from discussions.models import Discussion
from discussions.recompte import corriger, ecarts
from discussions.tests import fabriques
from signalements.tests import fabriques as signalements

pytestmark = pytest.mark.django_db
URL = "/api/v1/discussions/"
SIGNALEMENTS = "/api/v1/signalements/"


@pytest.fixture
def compter(api):
    """compter(qui, discussion): the count that the API gives, where it agrees with hasUnreadUpdates."""

    def compter(qui, objet):
        liste = SIGNALEMENTS if objet._meta.model_name == "signalement" else URL
        recu = api(qui).get(f"{liste}{objet.pk}").json()["data"]
        assert recu["hasUnreadUpdates"] == (recu["messagesNonLusCount"] > 0)
        return recu["messagesNonLusCount"]

    return compter


def test_chacun_a_son_propre_compte(compter, api, etudiante, gestionnaire, admin, discussion):
    for auteur, nombre in ((etudiante, 3), (gestionnaire, 2), (admin, 1)):
        for _rang in range(nombre):
            fabriques.message(acteur_de(auteur), discussion)

    api(admin).put(f"{URL}{discussion.pk}/messages/lus")

    assert [compter(qui, discussion) for qui in (etudiante, gestionnaire, admin)] == [3, 4, 0]
    assert [compter(qui, discussion.signalement) for qui in (etudiante, gestionnaire, admin)] == [3, 4, 0]


def test_un_signalement_compte_toutes_ses_discussions_et_elles_seules(
    compter, api, etudiante, gestionnaire, signalement
):
    du_dossier = [fabriques.discussion(acteur_de(etudiante), signalement=signalement) for _rang in range(2)]
    ailleurs = [
        fabriques.discussion(acteur_de(etudiante)),
        fabriques.discussion(acteur_de(etudiante), signalement=signalements.signalement(acteur_de(etudiante))),
    ]
    for discussion in (*du_dossier, *du_dossier, *ailleurs):
        fabriques.message(acteur_de(gestionnaire), discussion)

    api(etudiante).put(f"{URL}{du_dossier[0].pk}/messages/lus")

    assert compter(etudiante, signalement) == 2
    assert [compter(etudiante, discussion) for discussion in (*du_dossier, *ailleurs)] == [0, 2, 1, 1]


def test_les_listes_et_le_detail_disent_le_meme_compte(api, etudiante, gestionnaire, discussion):
    for _rang in range(3):
        fabriques.message(acteur_de(gestionnaire), discussion)
    elle = api(etudiante)

    des_discussions = elle.get(URL).json()["data"]["items"]
    des_signalements = elle.get(f"{SIGNALEMENTS}me").json()["data"]["items"]
    de_l_equipe = api(gestionnaire).get(f"{SIGNALEMENTS}non-traites").json()["data"]["items"]

    assert [(i["messagesNonLusCount"], i["hasUnreadUpdates"]) for i in des_discussions] == [(3, True)]
    assert [(i["messagesNonLusCount"], i["hasUnreadUpdates"]) for i in des_signalements] == [(3, True)]
    assert [(i["messagesNonLusCount"], i["hasUnreadUpdates"]) for i in de_l_equipe] == [(0, False)]


def test_le_compte_d_un_invite(api, compter, invite, gestionnaire, discussion_invitee, signalement_invite):
    for auteur in (gestionnaire, invite, gestionnaire):
        fabriques.message(acteur_de(auteur), discussion_invitee)

    (suivi,) = api(invite).get("/api/v1/guest/suivi").json()["data"]["items"]
    (discussion,) = api(invite).get(f"{URL}guest/me").json()["data"]["items"]

    assert suivi["messagesNonLusCount"] == discussion["messagesNonLusCount"] == 2
    assert compter(invite, signalement_invite) == 2
    api(invite).put(f"{URL}{discussion_invitee.pk}/messages/lus")
    assert (compter(invite, signalement_invite), compter(gestionnaire, signalement_invite)) == (0, 1)


# --- Joined discussions ---------------------------------------------------------------------------------------------


@pytest.fixture
def jointes(etudiante, gestionnaire, admin, signalement):
    """Two discussions of one report, in turns, joined: the manager had read all of one, the admin none."""
    absorbee, restante = (fabriques.discussion(acteur_de(etudiante), signalement=signalement) for _rang in range(2))
    for rang in range(6):
        fabriques.message(acteur_de(etudiante), (absorbee, restante)[rang % 2], str(rang))
    fabriques.services.marquer_lus(acteur=acteur_de(gestionnaire), discussion=absorbee)
    fabriques.message(acteur_de(etudiante), absorbee, "6")
    fabriques.message(acteur_de(admin), restante, "7")
    fabriques.joindre(absorbee, restante)
    return absorbee, restante


def test_ce_qui_etait_lu_le_reste_dans_la_discussion_jointe(
    compter, jointes, etudiante, gestionnaire, admin, signalement
):
    _absorbee, restante = jointes

    comptes = [compter(qui, restante) for qui in (etudiante, gestionnaire, admin)]

    assert comptes == [1, 5, 7]
    assert comptes == [compter(qui, signalement) for qui in (etudiante, gestionnaire, admin)]


def test_lire_la_discussion_jointe_lit_ce_qui_fut_ecrit_dans_les_deux(compter, api, jointes, gestionnaire, admin):
    absorbee, restante = jointes

    api(gestionnaire).put(f"{URL}{absorbee.pk}/messages/lus")
    fabriques.message(acteur_de(admin), restante, "après")

    assert [compter(qui, restante) for qui in (gestionnaire, admin)] == [1, 7]
    api(gestionnaire).put(f"{URL}{restante.pk}/messages/lus")
    assert [compter(qui, restante) for qui in (gestionnaire, admin)] == [0, 7]


def test_un_doublon_garde_dans_la_discussion_absorbee_ne_compte_pas(compter, etudiante, gestionnaire, signalement):
    absorbee, restante = (fabriques.discussion(acteur_de(etudiante), signalement=signalement) for _rang in range(2))
    double = fabriques.message(acteur_de(etudiante), absorbee)
    fabriques.message(acteur_de(etudiante), restante)
    fabriques.joindre(absorbee, restante)

    double.refresh_from_db()
    double.discussion, double.numero_sequence = absorbee, 1
    double.save()

    assert (compter(gestionnaire, restante), compter(gestionnaire, signalement)) == (1, 1)


# --- Against a recount ----------------------------------------------------------------------------------------------


class Monde:
    """People who write, read and join discussions at random, and what each of them has read."""

    def __init__(self, hasard, proprietaires, equipe):
        self.hasard, self.proprietaires, self.equipe = hasard, proprietaires, equipe
        self.dossiers = [(qui, signalements.signalement(acteur_de(qui))) for qui in proprietaires for _rang in range(2)]
        self.discussions = []
        self.messages = defaultdict(list)  # discussion -> [(writer, message)]
        self.lus = defaultdict(set)  # reader -> messages
        for _rang in range(5):
            self.ouvrir()

    def ouvrir(self):
        proprietaire, dossier = self.hasard.choice([*self.dossiers, (self.hasard.choice(self.proprietaires), None)])
        auteur = self.hasard.choice([proprietaire, *(self.equipe if dossier else ())])
        ouverte = fabriques.discussion(acteur_de(auteur), signalement=dossier)
        self.discussions.append((proprietaire, ouverte))

    def participant(self):
        proprietaire, discussion = self.hasard.choice(self.discussions)
        return self.hasard.choice([proprietaire, *self.equipe]), discussion

    def ecrire(self):
        qui, discussion = self.participant()
        message = fabriques.message(acteur_de(qui), discussion)
        self.messages[discussion].append((qui, message.pk))

    def lire(self):
        qui, discussion = self.participant()
        fabriques.services.marquer_lus(acteur=acteur_de(qui), discussion=discussion)
        self.lus[qui] |= {message for _auteur, message in self.messages[discussion]}

    def joindre(self):
        couples = [
            (a, b)
            for a in self.discussions
            for b in self.discussions
            if a is not b and a[0] == b[0] and a[1].signalement_id == b[1].signalement_id
        ]
        if couples:
            absorbee, restante = self.hasard.choice(couples)
            fabriques.joindre(absorbee[1], restante[1])
            self.discussions.remove(absorbee)
            self.messages[restante[1]] += self.messages.pop(absorbee[1], [])

    def non_lus(self, qui, discussion):
        return sum(auteur != qui and m not in self.lus[qui] for auteur, m in self.messages[discussion])

    def attendus(self, qui):
        """`{id of what this person may read: how many}`, the way the lists tell it."""
        siennes = [(p, d) for p, d in self.discussions if qui in self.equipe or p == qui]
        par_discussion = {str(d.pk): self.non_lus(qui, d) for _p, d in siennes}
        par_dossier = {str(s.pk): 0 for p, s in self.dossiers if qui in self.equipe or p == qui}
        for _p, d in siennes:
            if d.signalement_id:
                par_dossier[str(d.signalement_id)] += self.non_lus(qui, d)
        return par_discussion, par_dossier


@pytest.mark.parametrize("graine", range(5))
def test_une_installation_d_avant_apprend_ses_comptes(etudiante, invite, gestionnaire, admin, graine):
    migration = import_module("discussions.migrations.0006_compter_les_non_lus")
    monde = Monde(random.Random(graine), [etudiante, invite], [gestionnaire, admin])
    for _rang in range(60):
        monde.hasard.choices([monde.ecrire, monde.lire, monde.joindre], weights=[70, 20, 6])[0]()
    attendus = dict(Discussion.objects.values_list("pk", "non_lus"))
    Discussion.objects.update(non_lus=0)

    migration.compter(apps, SimpleNamespace(execute=connection.cursor().execute))

    assert dict(Discussion.objects.vivants().values_list("pk", "non_lus")) == {
        une.pk: attendus[une.pk] for une in Discussion.objects.vivants()
    }
    assert any(attendus.values())
    assert corriger() == 0


@pytest.mark.parametrize("graine", range(15))
def test_tous_les_comptes_sont_exacts_apres_n_importe_quelle_histoire(
    api, etudiante, invite, gestionnaire, admin, graine
):
    monde = Monde(random.Random(graine), [etudiante, invite], [gestionnaire, admin])
    actes = [monde.ecrire, monde.lire, monde.ouvrir, monde.joindre]

    for _rang in range(60):
        monde.hasard.choices(actes, weights=[70, 20, 4, 6])[0]()

    listes = {
        etudiante: (URL, f"{SIGNALEMENTS}me"),
        invite: (f"{URL}guest/me", f"{SIGNALEMENTS}guest/me"),
        gestionnaire: (URL, SIGNALEMENTS),
        admin: (URL, SIGNALEMENTS),
    }
    recus = {
        qui: tuple(
            {i["id"]: i["messagesNonLusCount"] for i in api(qui).get(f"{url}?size=100").json()["data"]["items"]}
            for url in urls
        )
        for qui, urls in listes.items()
    }
    assert recus == {qui: monde.attendus(qui) for qui in listes}
    assert not ecarts()
    assert any(compte for _discussions, dossiers in recus.values() for compte in dossiers.values())

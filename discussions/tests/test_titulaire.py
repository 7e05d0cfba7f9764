"""Whose case a discussion is, kept on its row: who finds it, and who does not."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from config.tests.outils import acteur_de
from discussions.models import Discussion
from discussions.recompte import corriger, ecarts
from discussions.tests import fabriques

pytestmark = pytest.mark.django_db
URL = "/api/v1/discussions/"


def titulaires():
    return dict(Discussion._base_manager.values_list("pk", "titulaire"))


@pytest.fixture
def toutes(etudiante, gestionnaire, invite, signalement, signalement_invite):
    """Discussion -> whose case it is: each opened by its person or by staff, on a report or on none."""
    paul = acteur_de(gestionnaire)
    return {
        fabriques.discussion(acteur_de(etudiante), signalement=signalement).pk: etudiante.pk,
        fabriques.discussion(paul, signalement=signalement).pk: etudiante.pk,
        fabriques.discussion(acteur_de(invite), signalement=signalement_invite).pk: invite.pk,
        fabriques.discussion(paul, signalement=signalement_invite).pk: invite.pk,
        fabriques.discussion(acteur_de(etudiante)).pk: etudiante.pk,
        fabriques.discussion(acteur_de(invite)).pk: invite.pk,
        fabriques.discussion(paul).pk: gestionnaire.pk,
    }


def test_c_est_la_personne_du_dossier_et_sans_dossier_qui_l_a_ouverte(toutes):
    assert titulaires() == toutes
    assert not ecarts()


def test_chacun_trouve_les_siennes_et_personne_d_autre(api, toutes, etudiante, autre_etudiante, invite, gestionnaire):
    for qui, url in ((etudiante, URL), (invite, f"{URL}guest/me"), (autre_etudiante, URL)):
        lues = api(qui).get(f"{url}?size=50").json()["data"]["items"]
        siennes = {str(pk) for pk, personne in toutes.items() if personne == qui.pk}
        assert {une["id"] for une in lues} == siennes
        for pk in toutes:
            assert api(qui).get(f"{URL}{pk}").status_code == (200 if str(pk) in siennes else 403)
            ecrit = api(qui).post(f"{URL}{pk}/messages", {"contenu": "Bonjour."})
            assert ecrit.status_code == (201 if str(pk) in siennes else 403)
    assert len(api(gestionnaire).get(f"{URL}?size=50").json()["data"]["items"]) == len(toutes)


def test_qui_quitte_l_equipe_ne_trouve_plus_celle_qu_il_a_ouverte_pour_une_autre(api, toutes, gestionnaire):
    gestionnaire.type_utilisateur = "UTILISATEUR"
    gestionnaire.enregistrer("type_utilisateur")

    lues = api(gestionnaire).get(f"{URL}?size=50").json()["data"]["items"]

    assert {une["id"] for une in lues} == {str(pk) for pk, qui in toutes.items() if qui == gestionnaire.pk}


def test_une_discussion_est_a_quelqu_un(etudiante):
    """Whoever writes a row by hand, and says not whose it is, writes none."""
    une = Discussion(titre="Suites", **acteur_de(etudiante).proprietaire)
    une.indexer()

    with pytest.raises(IntegrityError), transaction.atomic():
        une.save(force_insert=True)


def test_celle_que_l_on_garde_pour_une_autre_personne_se_trouve_et_se_rend(toutes, autre_etudiante, gestionnaire):
    """The joined one too; and the count is then that of whose case it is."""
    une, autre, troisieme, *_suite = toutes
    fabriques.message(acteur_de(gestionnaire), Discussion.objects.get(pk=une))
    fabriques.joindre(Discussion.objects.get(pk=autre), Discussion.objects.get(pk=troisieme))
    Discussion._base_manager.filter(pk__in=[une, autre]).update(titulaire=autre_etudiante.pk, non_lus=7)

    assert ecarts() == {une, autre}
    assert corriger() == 2

    assert not ecarts()
    assert autre_etudiante.pk not in titulaires().values()
    assert Discussion.objects.get(pk=une).non_lus == 1


def test_une_installation_d_avant_apprend_a_qui_est_chacune(toutes):
    migration = import_module("discussions.migrations.0009_titulaire")
    Discussion._base_manager.update(titulaire=migration.PERSONNE)

    migration.ecrire(apps, SimpleNamespace(execute=connection.cursor().execute))

    assert titulaires() == toutes

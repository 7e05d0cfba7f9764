"""The admin site shows teams and rules to administrators, and changes nothing of them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.tests import fabriques as comptes
from accounts.tests.outils import entrer
from equipes.models import MembreDEquipe
from equipes.tests import fabriques as equipes

pytestmark = pytest.mark.django_db
EQUIPES, REGLES = "/admin/equipes/equipe/", "/admin/equipes/reglederoutage/"


def test_on_y_lit_qui_lit_combien_et_ou_vont_les_dossiers(admin, equipe, nadia):
    MembreDEquipe.objects.create(equipe=equipe, compte=admin)  # who waits reads nothing
    equipes.regle(equipe, types=["VOL"], bureaux=["nord"], gestionnaire=nadia)
    fermee = equipes.equipe(comptes.gestionnaire(), nom="Ancienne", active=False)
    client = entrer(admin.email)

    lues, regles = (client.get(page).content.decode() for page in (EQUIPES, REGLES))

    assert '<td class="field-lecteurs">1</td>' in lues
    assert '<td class="field-lecteurs">0</td>' in lues
    assert all(mot in regles for mot in ("Vol", "nord", nadia.nom_complet))
    assert f'href="/equipe/equipes/{equipe.pk}/"' in client.get(f"{EQUIPES}{equipe.pk}/change/").content.decode()
    assert client.get(f"{EQUIPES}{fermee.pk}/change/").status_code == 200


def test_rien_ne_s_y_change_et_un_gestionnaire_n_y_lit_rien(admin, gestionnaire, equipe):
    regle = equipes.regle(equipe)
    elle, lui = entrer(admin.email), entrer(gestionnaire.email)

    for table, ligne in ((EQUIPES, equipe), (REGLES, regle)):
        for suite in ("add/", f"{ligne.pk}/delete/"):
            assert elle.get(f"{table}{suite}").status_code == 403
        assert elle.post(f"{table}{ligne.pk}/change/", {"nom": "Autre", "ordre": 9}).status_code == 403
        assert lui.get(table).status_code == 403
    equipe.refresh_from_db()
    assert equipe.nom == "Référents"


@pytest.mark.parametrize("table", [EQUIPES, REGLES])
def test_la_liste_coute_autant_pour_neuf_lignes_que_pour_une(admin, table):
    client = entrer(admin.email)

    def peupler(rang):
        equipe = equipes.equipe(comptes.gestionnaire(), nom=f"Équipe {rang}", responsable=admin)
        MembreDEquipe.objects.create(equipe=equipe, compte=admin, accepte_le=timezone.now())
        equipes.regle(equipe, gestionnaire=admin)

    def cout():

        with CaptureQueriesContext(connection) as vues:
            client.get(table)
        return len(vues)

    peupler(0)
    client.get(table)
    une = cout()
    for rang in range(1, 9):
        peupler(rang)
    assert cout() == une

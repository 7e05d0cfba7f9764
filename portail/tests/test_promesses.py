"""What the author of a case reads of its dates: on the case, on the receipt, in what the guest follows."""

from datetime import UTC, date, datetime

import pytest

from config.tests.outils.clients import acteur_de
from config.tests.outils.typographie import ordinaire
from echeances.services import choisir, prolonger
from portail.tests.outils import Visiteuse
from signalements.dates import dates_promises
from signalements.models import Signalement
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
SUIVI = "/api/v1/guest/suivi"


@pytest.fixture(autouse=True)
def _oui(admin, time_machine):
    time_machine.move_to(datetime(2026, 3, 2, 10, tzinfo=UTC), tick=False)
    choisir(acteur=acteur_de(admin), accepte=True)


def test_l_invite_le_lit_dans_son_suivi(api, invite, gestionnaire):
    dossier = fabriques.signalement(acteur_de(invite))
    prolonger(
        signalement=dossier, acteur=acteur_de(gestionnaire), pour_le=date(2026, 7, 1), motif="L'enquête continue."
    )

    lu = api(invite).get(f"{SUIVI}/{dossier.reference}").json()["data"]

    assert [(une["nature"], une["pourLe"], une["motif"]) for une in lu["signalement"]["echeances"]] == [
        ("ACCUSE", "2026-03-11", ""),
        ("RETOUR", "2026-07-01", "L'enquête continue."),
    ]
    (ligne,) = [une for une in lu["timeline"] if une["type"] == "ECHEANCE"]
    assert ordinaire(ligne["description"]) == "Reporté au 1 juillet 2026 : un retour sur les suites."
    assert ligne["auteurNom"] == "Équipe"


def test_son_dossier_et_son_recu_le_disent(time_machine):
    time_machine.move_to(datetime(2026, 12, 7, 10, tzinfo=UTC), tick=False)
    visiteuse = Visiteuse()
    visiteuse.signaler()

    for chemin in ("/recu/", "/dossiers/1/"):
        assert "Une première réponse : avant le 16 décembre 2026 au soir" in ordinaire(visiteuse.lire(chemin)), chemin


def test_un_dossier_clos_ne_promet_plus_rien(time_machine):
    time_machine.move_to(datetime(2026, 12, 7, 10, tzinfo=UTC), tick=False)
    visiteuse = Visiteuse()
    visiteuse.signaler()
    ouvert = ordinaire(visiteuse.lire("/dossiers/1/"))
    fabriques.mettre(Signalement.objects.get(), statut="CLOTURE")

    for chemin in ("/recu/", "/dossiers/1/"):
        assert "Une première réponse" not in visiteuse.lire(chemin), chemin
        assert "Un retour" not in visiteuse.lire(chemin), chemin
    clos = ordinaire(visiteuse.lire("/dossiers/1/"))
    assert "L'équipe vous répondra ici." in ouvert
    assert "L'équipe vous répondra ici." not in clos
    assert "Aucun message." in clos


def test_une_date_passee_ne_disparait_pas_d_un_dossier_clos(invite, time_machine):
    dossier = fabriques.mettre(fabriques.signalement(acteur_de(invite)), statut="CLOTURE")
    dossier.refresh_from_db()
    avant = dates_promises(dossier)
    time_machine.move_to(datetime(2026, 3, 20, 10, tzinfo=UTC), tick=False)

    assert avant == []
    assert [(une.nature, une.est_en_retard) for une in dates_promises(dossier)] == [("ACCUSE", True)]

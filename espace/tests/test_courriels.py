"""The page of the mail of news: what administrators read of it, and the try that goes to themselves."""

import pytest

from espace.tests.outils import Equipiere
from portail.tests.outils import texte_de
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
PAGE = "/equipe/courriels/"


@pytest.fixture
def rose(admin):
    """The browser of the administrator."""
    return Equipiere(admin)


def test_l_e_mail_s_y_lit_dans_les_deux_langues(rose):
    page = rose.lire(PAGE)

    assert "Il y a du nouveau dans votre espace" in page
    assert "There is news in your space" in page


def test_ceux_du_campus_s_y_lisent_aussi(rose):
    page = texte_de(rose.get(PAGE))

    for phrase in (
        "Campus : une information pour vous",
        "Un événement auquel vous êtes inscrit·e a changé.",
        "Atelier de secourisme",
        "est en ligne.",
        "La chorale cherche des voix",
    ):
        assert phrase in page


def test_un_essai_va_a_soi_seul(rose, admin, gestionnaire, mailoutbox):
    reponse = rose.envoyer(PAGE)
    faire_les_taches()

    assert reponse.status_code == 303
    assert [message.to for message in mailoutbox] == [[admin.email]]


def test_un_collegue_ne_l_a_pas(elle, mailoutbox):
    assert elle.lire(PAGE, attendu=403)
    assert elle.envoyer(PAGE).status_code == 403
    faire_les_taches()
    assert mailoutbox == []

"""Help: what the team shows, in its order, to who has an account."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from resources.models import ContactUrgence, Faq
from resources.tests import fabriques

pytestmark = pytest.mark.django_db
FAQS, CONTACTS = "/api/v1/aide/faqs", "/api/v1/aide/contacts-urgence"
TABLES = [(FAQS, Faq, fabriques.faq), (CONTACTS, ContactUrgence, fabriques.contact)]


@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire", "admin"])
def test_chaque_compte_lit_l_aide(client_de_personne, persona):
    fabriques.faq(question="Qui lit ?", reponse="L'équipe.\nElle seule.", categorie="CONFIDENTIALITE", ordre=7)
    contact = fabriques.contact(nom="Urgences", telephone="112", disponibilite="24 h sur 24", ordre=3)
    client = client_de_personne(persona)

    (question,), (numero,) = (client.get(url).json()["data"] for url in (FAQS, CONTACTS))

    assert question == {
        "id": str(Faq.objects.get().pk),
        "question": "Qui lit ?",
        "reponse": "L'équipe.\nElle seule.",
        "categorie": "CONFIDENTIALITE",
        "ordre": 7,
    }
    assert numero == {
        "id": str(contact.pk),
        "nom": "Urgences",
        "description": None,
        "telephone": "112",
        "email": None,
        "disponibilite": "24 h sur 24",
        "ordre": 3,
    }


@pytest.mark.parametrize("url", [FAQS, CONTACTS])
@pytest.mark.parametrize("persona", ["anonyme", "invite"])
def test_sans_compte_l_aide_ne_se_lit_pas(client_de_personne, persona, url):
    assert client_de_personne(persona).get(url).status_code == 401


@pytest.mark.parametrize(("url", "modele", "fabrique"), TABLES)
def test_ce_qui_n_est_pas_montre_n_est_lu_de_personne(api, admin, url, modele, fabrique):
    fabrique(**{modele.VISIBLE: False})

    assert api(admin).get(url).json()["data"] == []


@pytest.mark.parametrize(("url", "modele", "fabrique"), TABLES)
def test_l_ordre_est_celui_de_l_equipe_puis_l_identifiant(api, etudiante, url, modele, fabrique):
    rangees = [fabrique(ordre=ordre) for ordre in (20, 10, 10, 10, 0)]

    recus = [entree["id"] for entree in api(etudiante).get(url).json()["data"]]

    assert recus == [str(entree.pk) for entree in sorted(rangees, key=lambda e: (e.ordre, str(e.pk)))]


@pytest.mark.parametrize("telephone", ["15", "+243 812 345 621", "poste 4512", "*123#", "0812-345-621 (nuit)"])
def test_un_numero_est_montre_tel_qu_il_est_ecrit(api, etudiante, telephone):
    fabriques.contact(telephone=telephone)

    assert api(etudiante).get(CONTACTS).json()["data"][0]["telephone"] == telephone


@pytest.mark.parametrize(("url", "modele", "fabrique"), TABLES)
def test_une_entree_et_neuf_coutent_autant_de_requetes(api, etudiante, url, modele, fabrique):
    client = api(etudiante)
    couts = []
    for nombre in (1, 8):
        for _rang in range(nombre):
            fabrique()
        with CaptureQueriesContext(connection) as requetes:
            assert client.get(url).status_code == 200
        couts.append([r["sql"] for r in requetes if modele._meta.db_table in r["sql"]])

    assert [len(cout) for cout in couts] == [1, 1]
    assert len(client.get(url).json()["data"]) == 9


@pytest.mark.parametrize(("url", "modele", "fabrique"), TABLES)
def test_la_liste_est_bornee_et_ne_cache_rien_en_silence(api, etudiante, monkeypatch, url, modele, fabrique):
    monkeypatch.setattr(modele, "MAXIMUM", 2)
    deux = [fabrique(ordre=rang) for rang in range(2)]
    cachee = fabrique(ordre=9, **{modele.VISIBLE: False})

    for entree in (*deux, cachee):
        entree.full_clean()
    setattr(cachee, modele.VISIBLE, True)
    with pytest.raises(ValidationError, match="2 entrées"):
        cachee.full_clean()

    fabrique(ordre=5)  # two people published at the same moment
    assert [e["ordre"] for e in api(etudiante).get(url).json()["data"]] == [0, 1]


def test_un_contact_se_joint_d_une_facon_au_moins():
    with pytest.raises(IntegrityError), transaction.atomic():
        fabriques.contact(telephone="", email="")

    assert not ContactUrgence.objects.exists()


@pytest.mark.parametrize("url", [FAQS, CONTACTS])
def test_l_aide_ne_s_ecrit_pas_par_l_api(api, admin, url):
    client = api(admin)

    assert {client.envoyer(methode, url, {"question": "x"}).status_code for methode in ("POST", "PUT", "PATCH")} == {
        405
    }
    assert client.delete(f"{url}/{fabriques.faq().pk}").status_code == 404

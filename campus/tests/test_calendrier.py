"""The calendar of the accounts: the month, the list, an event, registering and leaving."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from calendrier import services
from calendrier.models import EvenementCampus, FluxCalendrier, Participation
from calendrier.tests import fabriques
from campus.pages import calendrier
from portail.models import Acces
from portail.tests.outils import texte_de

pytestmark = pytest.mark.django_db
DECEMBRE = "/campus/calendrier/2026/12/"


@pytest.fixture(autouse=True)
def _a_paris(settings):
    """A campus whose day is not that of UTC."""
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Europe/Paris")


def page_de(evenement, suite=""):
    return f"/campus/calendrier/{evenement.pk}/{suite}"


def cellule(page, jour):
    """The cell of this day of the month that the page shows."""
    for morceau in page.partition("<tbody>")[2].partition("</tbody>")[0].split("<td")[1:]:
        if "hors" not in morceau.partition(">")[0] and f"<b>{jour}</b>" in morceau:
            return morceau
    raise AssertionError(jour)


# --- The month --------------------------------------------------------------------------------------------------------


def test_le_mois_montre_chaque_evenement_a_son_jour(elle, gestionnaire):
    fabriques.du(gestionnaire, "2026-12-05T13:00Z", "2026-12-05T15:00Z", titre="Café des associations")
    # At the campus, an hour ahead, it begins on the 10th; and one that ends at midnight is not on the day after.
    fabriques.du(gestionnaire, "2026-12-09T23:30Z", "2026-12-10T10:00Z", titre="Petit matin")
    fabriques.du(gestionnaire, "2026-12-14T08:00Z", "2026-12-15T23:00Z", titre="Exposition")

    page = elle.lire(DECEMBRE)

    assert "<h1>Décembre 2026</h1>" in page
    assert "Café des associations" in cellule(page, 5)
    assert [("Petit matin" in cellule(page, jour)) for jour in (9, 10)] == [False, True]
    assert [("Exposition" in cellule(page, jour)) for jour in (13, 14, 15, 16)] == [False, True, True, False]
    assert "jusqu'au 15 décembre" in page.partition(">Exposition<")[2]
    assert page.count("jusqu'au") == 1
    assert page.count('<th scope="col">') == 7
    assert page.index("lundi") < page.index("dimanche")
    assert 'href="/campus/calendrier/2026/11/?"' in page
    assert 'href="/campus/calendrier/2027/1/?"' in page


def test_un_jour_plein_dit_combien_il_en_reste_et_la_liste_les_a_tous(elle, gestionnaire):
    for numero in range(5):
        fabriques.du(gestionnaire, "2026-12-05T13:00Z", "2026-12-05T15:00Z", titre=f"Atelier {numero}")

    page = elle.lire(DECEMBRE)

    jour = cellule(page, 5)
    assert jour.count('class="ev') == 4
    assert "et 2 autres" in jour
    assert "5 événements" in jour
    liste = page.partition('class="agenda"')[2]
    assert [liste.count(f"Atelier {numero}<") for numero in range(5)] == [1] * 5
    premier = EvenementCampus.objects.order_by("date_debut", "id").first()
    assert f'href="#e-{premier.pk.hex}"' in jour
    assert f'<li id="e-{premier.pk.hex}">' in page


@pytest.mark.parametrize(
    "mois", ["2026/13", "2026/0", "0/1", "1999/12", "2100/1", "9999/12", "1/1", "9" * 5_000 + "/1", "x/1", "-1/1"]
)
def test_un_mois_qui_n_est_pas_la_n_existe_pas(elle, mois):
    assert elle.get(f"/campus/calendrier/{mois}/").status_code == 404


def test_aux_bouts_du_calendrier_rien_ne_mene_plus_loin(elle):
    premier, dernier = elle.lire("/campus/calendrier/2000/1/"), elle.lire("/campus/calendrier/2099/12/")

    assert "/1999/12/" not in premier
    assert "/2000/2/" in premier
    assert "/2100/1/" not in dernier
    assert "/2099/11/" in dernier


def test_le_mois_de_maintenant_est_celui_du_campus(elle, monkeypatch, settings):
    monkeypatch.setattr(calendrier, "jour_du_campus", lambda: datetime(2026, 12, 31, tzinfo=UTC).date())

    assert "<h1>Décembre 2026</h1>" in elle.lire("/campus/calendrier/")


def test_les_filtres_gardent_un_type_et_un_public(elle, gestionnaire):
    quand = ("2026-12-05T13:00Z", "2026-12-05T15:00Z")
    fabriques.du(gestionnaire, *quand, titre="Pour tous", type="ATELIER")
    fabriques.du(gestionnaire, *quand, titre="Le jury", type="EXPO_PHOTO", public_cible=["PERSONNEL"])

    def montres(question):
        page = elle.lire(DECEMBRE + question)
        return [titre for titre in ("Pour tous", "Le jury") if f"<bdi>{titre}</bdi>" in page]

    assert montres("") == ["Pour tous", "Le jury"]
    assert montres("?type=expo_photo") == ["Le jury"]
    assert montres("?public=ETUDIANT") == ["Pour tous"]
    assert montres("?public=PERSONNEL") == ["Pour tous", "Le jury"]
    assert montres("?type=ATELIER&public=PERSONNEL") == ["Pour tous"]
    page = elle.lire(f"{DECEMBRE}?type=ATELIER")
    assert 'href="?" aria-current="true"><bdi>Atelier</bdi>' in page
    assert 'href="/campus/calendrier/2027/1/?type=ATELIER"' in page
    assert "Expo photo" in elle.lire(DECEMBRE)


@pytest.mark.parametrize("adresse", [DECEMBRE, "/campus/calendrier/liste/"])
def test_choisir_un_type_laisse_les_autres_a_choisir(visiteuse, etudiante, gestionnaire, time_machine, adresse):
    time_machine.move_to(datetime(2026, 12, 1, 10, tzinfo=UTC), tick=False)
    visiteuse.se_connecter(etudiante)
    quand = ("2026-12-05T13:00Z", "2026-12-05T15:00Z")
    fabriques.du(gestionnaire, *quand, type="ATELIER")
    fabriques.du(gestionnaire, *quand, type="EXPO_PHOTO", public_cible=["JURY"])

    page = visiteuse.lire(f"{adresse}?type=ATELIER")

    assert page.count("<bdi>Expo photo</bdi>") == 1  # the choice, and no event of it
    assert page.count("<bdi>Jury</bdi>") == 1


@pytest.mark.parametrize(
    "question", ["?type=%00", "?type=" + "x" * 5_000, "?public=%F0%9F%92%A5", "?type=<b>", "?page=-1"]
)
def test_un_filtre_etrange_ne_trouve_rien_et_ne_casse_rien(elle, question):
    reponse = elle.get(DECEMBRE + question)

    assert reponse.status_code == 200
    assert b"<bdi><b>" not in reponse.content.lower()


@pytest.mark.parametrize("adresse", [DECEMBRE, "/campus/calendrier/liste/", "/campus/calendrier/inscriptions/"])
def test_le_cout_ne_croit_pas_avec_les_evenements(elle, etudiante, gestionnaire, adresse, django_assert_num_queries):
    def ajouter(combien):
        for _numero in range(combien):
            quand = ("2026-12-05T13:00Z", "2026-12-05T15:00Z")
            fabriques.participation(fabriques.du(gestionnaire, *quand, nb_max_participants=2), etudiante)

    elle.lire(adresse)
    ajouter(1)
    with django_assert_num_queries(2):
        elle.lire(adresse)
    ajouter(8)
    with django_assert_num_queries(2):
        elle.lire(adresse)


def test_une_page_ne_montre_que_les_premiers_et_le_dit(elle, gestionnaire, monkeypatch):
    monkeypatch.setattr(calendrier, "EVENEMENTS_MAX", 2)
    for numero in range(3):
        fabriques.du(gestionnaire, f"2026-12-0{numero + 1}T13:00Z", "2026-12-05T15:00Z", titre=f"Numéro {numero}")

    for adresse in (DECEMBRE, "/campus/calendrier/liste/"):
        page = elle.lire(adresse)
        assert [f"<bdi>Numéro {numero}</bdi>" in page for numero in range(3)] == [True, True, False]
        assert "Les 2 premiers seulement" in page


def test_un_evenement_du_bout_des_temps_se_montre(elle, gestionnaire):
    loin = fabriques.du(gestionnaire, "2026-12-05T13:00+00:00", "9999-12-31T23:59:59+00:00", titre="Sans fin")
    tot = fabriques.du(gestionnaire, "0001-01-01T00:00:00+00:00", "2026-12-05T15:00+00:00", titre="Depuis toujours")

    for adresse in (DECEMBRE, "/campus/calendrier/liste/", page_de(loin), page_de(tot), page_de(tot, "evenement.ics")):
        assert elle.get(adresse).status_code == 200, adresse


# --- One event --------------------------------------------------------------------------------------------------------


def test_la_page_d_un_evenement_dit_ce_que_l_api_en_dit(elle, gestionnaire):
    un = fabriques.du(
        gestionnaire,
        "2026-12-05T13:00Z",
        "2026-12-05T15:00Z",
        titre="<b>Témoin</b>",
        description="Deux heures.\nVenez.",
        lieu="Salle 12",
        lien_en_ligne="https://visio.example/a",
        nb_max_participants=4,
    )
    fabriques.participation(un)

    page = texte_de(elle.get(page_de(un)))

    assert "<title>Campus · Campus</title>" in page
    for dit in ("5 décembre 2026, 14:00", "jusqu'à 16:00", "Salle 12", "Atelier", "Deux heures."):
        assert dit in page, dit
    assert '<a href="https://visio.example/a" rel="noopener noreferrer external">' in page
    assert "<b>1 sur 4</b> places prises." in page
    assert "Il en reste 3." in page
    assert 'width="25"' in page
    assert "S'inscrire" in page
    assert "<b>Témoin</b>" not in elle.get(page_de(un)).content.decode()
    en_anglais = texte_de(elle.get(page_de(un), headers={"Accept-Language": "en"}))
    assert "5 December 2026, 14:00" in en_anglais


def test_une_adresse_qui_n_en_est_pas_une_n_est_pas_un_lien(elle, gestionnaire):
    un = fabriques.evenement(gestionnaire)
    EvenementCampus.objects.update(lien_en_ligne="javascript:alert(1)")

    assert 'href="javascript' not in elle.lire(page_de(un))


def test_s_inscrire_puis_se_desinscrire(elle, etudiante, gestionnaire):
    un = fabriques.evenement(gestionnaire, nb_max_participants=2)

    inscrite = elle.envoyer(page_de(un, "inscription/"))
    encore = elle.envoyer(page_de(un, "inscription/"))
    page = elle.lire(inscrite.headers["Location"].partition("#")[0])

    assert (inscrite.status_code, inscrite.headers["Location"]) == (303, page_de(un, "?fait#fait"))
    assert encore.status_code == 303
    assert Participation.objects.get().compte == etudiante
    assert "C'est fait : votre place est gardée." in page
    assert "Vous y êtes inscrit·e" in page
    assert un.titre in elle.lire("/campus/calendrier/inscriptions/")
    assert "Qui se désinscrit" not in page
    partie = elle.envoyer(page_de(un, "desinscription/"))
    assert "C'est fait : vous n'y êtes plus inscrit·e." in elle.lire(page_de(un, "?fait"))
    assert elle.envoyer(page_de(un, "desinscription/")).status_code == partie.status_code == 303
    assert Participation.objects.get().statut == "CANCELLED"
    assert "S'inscrire" in elle.lire(page_de(un))
    assert un.titre not in elle.lire("/campus/calendrier/inscriptions/").partition("<main")[2]


def test_complet_on_entre_en_liste_d_attente_a_son_rang(elle, etudiante, autre_etudiante, gestionnaire):
    un = fabriques.evenement(gestionnaire, nb_max_participants=1)
    premiere = fabriques.participation(un)
    fabriques.participation(un, autre_etudiante)
    assert "Entrer en liste d'attente" in elle.lire(page_de(un))

    elle.envoyer(page_de(un, "inscription/"))
    page = elle.lire(page_de(un, "?fait"))

    assert "Vous êtes en liste d'attente" in page
    assert "Votre rang dans la liste d'attente : 2." in page
    assert "Qui la quitte perd son rang, et revient au bout." in page
    services.desinscrire(evenement=EvenementCampus.objects.get(), compte=autre_etudiante)
    assert "Votre rang dans la liste d'attente : 1." in elle.lire(page_de(un))
    services.desinscrire(evenement=EvenementCampus.objects.get(), compte=premiere.compte)
    page = elle.lire(page_de(un))
    assert "rang" not in page.partition('class="carte')[2].partition("</section>")[0]
    assert "Vous y êtes inscrit·e" in page
    assert "C'est complet : qui se désinscrit n'est pas sûr de retrouver sa place." in page


def test_quitter_la_liste_d_attente_n_est_pas_se_desinscrire(elle, gestionnaire):
    un = fabriques.evenement(gestionnaire, nb_max_participants=1)
    fabriques.participation(un)
    elle.envoyer(page_de(un, "inscription/"))
    page = elle.lire(page_de(un))

    quittee = elle.envoyer(page_de(un, "desinscription/"), {"attendait": "1"})
    encore = elle.envoyer(page_de(un, "desinscription/"), {"attendait": "1"})

    assert "Quitter la liste d'attente" in page
    assert "Se désinscrire" not in page
    for reponse in (quittee, encore):
        dite = elle.lire(reponse.headers["Location"].partition("#")[0])
        assert "C'est fait : vous avez quitté la liste d'attente." in dite
        assert "plus inscrit" not in dite


@pytest.mark.parametrize(
    ("finir", "dit"),
    [(lambda un: services.annuler(evenement=un), "Cet événement est annulé."), (fabriques.terminer, "est terminé")],
)
def test_trop_tard_est_dit_sans_rien_ecrire(elle, gestionnaire, finir, dit):
    un = fabriques.evenement(gestionnaire)
    assert "S'inscrire" in elle.lire(page_de(un))
    finir(un)

    refus = elle.envoyer(page_de(un, "inscription/"))

    assert refus.status_code == 409
    assert dit in texte_de(refus)
    assert "S'inscrire" not in texte_de(refus)
    assert Participation.objects.count() == 0


@pytest.mark.parametrize("suite", ["", "inscription/", "desinscription/", "evenement.ics"])
def test_un_evenement_inconnu_n_existe_pas(elle, suite):
    adresse = f"/campus/calendrier/6f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f/{suite}"
    acte = suite.endswith("inscription/")

    reponse = elle.envoyer(adresse) if acte else elle.get(adresse)

    assert reponse.status_code == 404


def test_une_adresse_d_acte_lue_mene_a_l_evenement(elle, gestionnaire):
    un = fabriques.evenement(gestionnaire)

    for acte in ("inscription/", "desinscription/"):
        lue = elle.get(page_de(un, acte))
        assert (lue.status_code, lue.headers["Location"]) == (303, page_de(un))
    assert Participation.objects.count() == 0


def test_l_agenda_recoit_le_meme_fichier_que_par_l_api(elle, etudiante, gestionnaire, api):
    un = fabriques.evenement(gestionnaire, titre="Atelier")

    fichier = elle.get(page_de(un, "evenement.ics"))

    assert fichier.content == api(etudiante).get(f"/api/v1/calendriers/{un.pk}/ics").content
    assert fichier.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert fichier.headers["Content-Disposition"] == f'attachment; filename="evenement-{un.pk.hex[:8]}.ics"'
    assert fichier.headers["Cache-Control"] == "no-store"


def test_mes_inscriptions_ne_sont_que_les_miennes_et_a_venir(elle, etudiante, autre_etudiante, gestionnaire):
    noms = ("La mienne", "D'une autre", "Finie", "Annulée depuis")
    evenements = {nom: fabriques.evenement(gestionnaire, titre=nom) for nom in noms}
    for nom in ("La mienne", "Finie", "Annulée depuis"):
        fabriques.participation(evenements[nom], etudiante)
    fabriques.participation(evenements["D'une autre"], autre_etudiante)
    fabriques.terminer(evenements["Finie"])
    services.annuler(evenement=evenements["Annulée depuis"])

    page = elle.lire("/campus/calendrier/inscriptions/")

    assert [nom in page for nom in noms] == [True, False, False, True]
    assert page.count("Vous y êtes inscrit·e") == 1
    assert page.count("Annulé<") == 1


def test_la_liste_est_ce_qui_n_est_pas_fini(elle, gestionnaire):
    maintenant = timezone.now()
    for titre, debut in (("Demain", 1), ("Dans un an", 365), ("Dans deux ans", 730)):
        fabriques.evenement(gestionnaire, titre=titre, date_debut=maintenant + timedelta(days=debut))
    fabriques.terminer(fabriques.evenement(gestionnaire, titre="Hier"))

    page = elle.lire("/campus/calendrier/liste/")

    titres = [titre for titre in ("Hier", "Demain", "Dans un an", "Dans deux ans") if f"<bdi>{titre}</bdi>" in page]
    assert titres == ["Demain", "Dans un an"]
    assert page.index("Demain") < page.index("Dans un an")


# --- The subscription -------------------------------------------------------------------------------------------------


def test_une_adresse_d_abonnement_se_demande_se_change_et_se_retire(elle, etudiante, settings):
    adresse = "/campus/calendrier/abonnement/"
    assert "webcal://" not in elle.lire(adresse)
    assert FluxCalendrier.objects.count() == 0

    assert elle.envoyer(adresse).headers["Location"] == f"{adresse}?fait#fait"
    flux = FluxCalendrier.objects.get(compte=etudiante)
    page = elle.lire(adresse)
    assert flux.url in page
    assert f'href="webcal://{flux.url.partition("://")[2]}"' in page
    assert elle.get(flux.url.removeprefix(settings.PUBLIC_URL)).status_code == 200
    elle.envoyer(adresse)
    assert FluxCalendrier.objects.get().pk != flux.pk
    assert elle.get(flux.url.removeprefix(settings.PUBLIC_URL)).status_code == 410
    elle.envoyer(adresse, {"retirer": "1"})
    assert FluxCalendrier.objects.count() == 0
    assert "webcal://" not in elle.lire(adresse)


def test_ferme_le_calendrier_n_a_plus_de_page_et_l_api_reste(elle, etudiante, gestionnaire, settings, api):
    settings.CALENDRIER_PAGES = False
    un = fabriques.evenement(gestionnaire)

    for adresse in ("/campus/calendrier/", DECEMBRE, page_de(un), page_de(un, "evenement.ics")):
        assert elle.get(adresse).status_code == 404, adresse
    assert elle.envoyer(page_de(un, "inscription/")).status_code == 404
    assert api(etudiante).get(f"/api/v1/calendriers/{un.pk}").status_code == 200


def test_une_page_du_calendrier_marque_l_acces_une_fois_la_minute(elle, django_assert_num_queries):
    elle.lire("/campus/calendrier/")
    marque = Acces.objects.get().date_campus
    assert marque is not None

    elle.lire("/campus/calendrier/liste/")

    assert Acces.objects.get().date_campus == marque

"""The iCalendar forms, read as a calendar program reads them."""

from datetime import UTC, datetime, timedelta
from urllib.robotparser import RobotFileParser

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from icalendar import Calendar

from accounts.services import comptes as services_comptes
from calendrier import services, views
from calendrier.models import EvenementCampus, FluxCalendrier
from calendrier.tests import fabriques
from socle.domaine.acteurs import ActeurCompte

pytestmark = pytest.mark.django_db
FLUX = "/api/v1/calendriers/flux"
HOSTILE = 'Soirée; "cinéma", \\n,\nBEGIN:VEVENT\nEND:VCALENDAR 🎬 ' + "é" * 100


@pytest.fixture
def demander(api):
    """demander(etudiante): the path of a new address."""
    return lambda qui: api(qui).post(FLUX).json()["data"]["url"].removeprefix("http://testserver")


@pytest.fixture
def lire(api):
    """lire(path): the VEVENTs of a feed, as a phone without credentials sees them."""

    def vevents(chemin):
        reponse = api(None).get(chemin, headers={"Accept": "text/calendar"})
        assert reponse.status_code == 200, reponse.content
        return Calendar.from_ical(reponse.content).walk("VEVENT")

    return vevents


# --- One event -----------------------------------------------------------------------------------------------------


def test_un_evenement_se_telecharge(api, etudiante, gestionnaire):
    evenement = fabriques.du(
        gestionnaire,
        "2027-03-01T14:00:00+00:00",
        "2027-03-01T18:30:00+02:00",
        titre=HOSTILE[:255],
        description=HOSTILE,
        lieu="Salle B12, bâtiment A; 2e",
        lien_en_ligne="https://visio.campus.test/a,b;c",
        tags=["a,b", "c;d"],
    )

    reponse = api(etudiante).get(f"/api/v1/calendriers/{evenement.pk}/ics")

    assert reponse.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert reponse.headers["Content-Disposition"] == f'attachment; filename="evenement-{evenement.pk.hex[:8]}.ics"'
    assert reponse.headers["X-Content-Type-Options"] == "nosniff"
    assert all(len(ligne) <= 75 for ligne in reponse.content.split(b"\r\n"))
    (vevent,) = Calendar.from_ical(reponse.content).walk("VEVENT")
    assert (str(vevent["uid"]), vevent["sequence"], str(vevent["status"])) == (str(evenement.pk), 0, "CONFIRMED")
    assert (str(vevent["summary"]), str(vevent["description"])) == (HOSTILE[:255], HOSTILE)
    assert str(vevent["location"]) == "Salle B12, bâtiment A; 2e"
    assert str(vevent["url"]) == "https://visio.campus.test/a,b;c"
    assert [str(mot) for mot in vevent["categories"].cats] == ["ATELIER", "a,b", "c;d"]
    assert vevent.decoded("dtstart") == datetime(2027, 3, 1, 14, 0, tzinfo=UTC)
    assert vevent.decoded("dtend") == datetime(2027, 3, 1, 16, 30, tzinfo=UTC)


def test_sequence_et_date_suivent_ce_qui_change_de_l_evenement(api, etudiante, evenement, lire):
    client, url = api(etudiante), f"/api/v1/calendriers/{evenement.pk}/ics"

    def vevent():
        return Calendar.from_ical(client.get(url).content).walk("VEVENT")[0]

    avant = vevent()
    fabriques.participation(evenement)
    apres_une_inscription = vevent()
    services.modifier(evenement=evenement, lieu="Salle C3")
    apres_un_changement = vevent()
    services.annuler(evenement=evenement)
    annule = vevent()

    vus = (avant, apres_une_inscription, apres_un_changement, annule)
    assert [v["sequence"] for v in vus] == [0, 0, 1, 2]
    assert len({str(v["uid"]) for v in vus}) == 1
    assert avant.to_ical() == apres_une_inscription.to_ical()
    assert str(annule["status"]) == "CANCELLED"


@pytest.mark.parametrize(
    ("accepte", "statut"),
    [
        ("*/*", 200),
        ("text/calendar", 200),
        ("text/calendar; charset=utf-8", 200),
        ("text/*", 200),
        ("application/json, */*;q=0.1", 200),
        ("application/json", 406),
        ("text/html", 406),
    ],
)
def test_ce_que_le_client_accepte_compte_et_un_refus_est_en_json(api, etudiante, evenement, accepte, statut):
    reponse = api(etudiante).get(f"/api/v1/calendriers/{evenement.pk}/ics", headers={"Accept": accepte})

    assert reponse.status_code == statut
    if statut == 406:
        assert reponse.json()["code"] == "NOT_ACCEPTABLE"
        assert "text/calendar" in reponse.json()["message"]


def test_un_refus_est_en_json_meme_pour_qui_n_accepte_que_le_calendrier(api, etudiante):
    accepte = {"Accept": "text/calendar"}

    reponses = [
        api(None).get(f"{FLUX}.ics", headers=accepte),
        api(etudiante).get("/api/v1/calendriers/00000000-0000-4000-8000-000000000000/ics", headers=accepte),
    ]

    assert [(r.status_code, r.headers["Content-Type"]) for r in reponses] == [
        (401, "application/json"),
        (404, "application/json"),
    ]


# --- The address of a feed -----------------------------------------------------------------------------------------


def test_une_adresse_se_demande_se_relit_et_se_retire(api, etudiante, settings):
    settings.PUBLIC_URL = "https://campus.example.org"
    client = api(etudiante)
    absente = client.get(FLUX)

    demandee = client.post(FLUX)
    relue = client.get(FLUX)
    retiree = client.delete(FLUX)

    assert absente.status_code == client.get(FLUX).status_code == 404
    assert demandee.status_code == 201
    assert demandee.json()["data"]["url"].startswith("https://campus.example.org/api/v1/calendriers/flux.ics?cle=")
    assert relue.json()["data"] == demandee.json()["data"]
    assert (retiree.status_code, client.delete(FLUX).status_code) == (204, 204)


def test_chacun_relit_et_retire_la_sienne(api, etudiante, autre_etudiante, gestionnaire, demander):
    siennes = {qui: demander(qui) for qui in (etudiante, autre_etudiante)}

    for qui, adresse in siennes.items():
        assert api(qui).get(FLUX).json()["data"]["url"].endswith(adresse)
    assert api(gestionnaire).get(FLUX).status_code == 404
    assert api(etudiante).delete(FLUX).status_code == 204
    assert [api(None).get(adresse).status_code for adresse in siennes.values()] == [410, 200]


def test_l_adresse_ne_depend_pas_de_l_hote_demande(api, etudiante):
    rendu = api(etudiante).post(FLUX, headers={"Host": "localhost"}).json()["data"]

    assert rendu["url"].startswith("http://testserver/")


def test_une_nouvelle_adresse_fait_cesser_la_precedente(api, etudiante, demander):
    ancienne, nouvelle = demander(etudiante), demander(etudiante)

    assert [api(None).get(a).status_code for a in (ancienne, nouvelle)] == [410, 200]
    assert FluxCalendrier.objects.count() == 1


def test_une_adresse_retiree_cesse_aussitot(api, etudiante, demander):
    adresse = demander(etudiante)
    assert api(None).get(adresse).status_code == 200

    api(etudiante).delete(FLUX)

    refus = api(None).get(adresse)
    assert (refus.status_code, refus.headers["Content-Type"]) == (410, "text/plain; charset=utf-8")
    assert refus.content.decode() == (
        "Cette adresse d'abonnement ne s'ouvre plus. Demandez-en une autre dans votre calendrier du campus.\n"
    )
    assert "WWW-Authenticate" not in refus.headers  # or a phone would ask its owner for a password


def test_l_adresse_d_un_compte_desactive_ne_repond_plus_et_ne_revient_pas_avec_lui(api, etudiante, admin, demander):
    adresse = demander(etudiante)

    services_comptes.desactiver(compte=etudiante, acteur=ActeurCompte(compte=admin))
    desactive = api(None).get(adresse).status_code
    services_comptes.reactiver(compte=etudiante, acteur=ActeurCompte(compte=admin))

    assert (desactive, api(None).get(adresse).status_code) == (410, 410)
    assert api(None).get(demander(etudiante)).status_code == 200


def test_l_adresse_ne_survit_pas_a_un_nouveau_mot_de_passe(api, etudiante, admin, demander):
    nouveau, jamais_ouvert = "Baobab-penché-77", demander(admin)
    imposer = {"compte": etudiante, "nouveau_mot_de_passe": nouveau, "acteur": ActeurCompte(compte=admin)}
    changer = {"ancien_mot_de_passe": nouveau, "nouveau_mot_de_passe": "Manguier-droit-78"}
    avant = demander(etudiante)

    services_comptes.imposer_mot_de_passe(**imposer)
    entre_temps = demander(etudiante)
    services_comptes.changer_mot_de_passe(acteur=ActeurCompte(compte=etudiante), **changer)

    assert [api(None).get(adresse).status_code for adresse in (avant, entre_temps, jamais_ouvert)] == [410, 410, 200]


def test_l_adresse_demeure_quand_le_changement_est_refuse(api, etudiante, demander):
    adresse = demander(etudiante)
    corps = {"ancienMotDePasse": "faux", "nouveauMotDePasse": "Baobab-penché-77"}

    api(etudiante).put("/api/v1/comptes/me/password", corps)

    assert api(None).get(adresse).status_code == 200


def test_une_cle_fausse_n_ouvre_rien(api, etudiante, demander):
    bonne = demander(etudiante).partition("cle=")[2]
    identifiant, _point, signature = bonne.partition(".")
    fausses = [
        identifiant,
        f"{identifiant}.",
        f"{identifiant}.{signature[:-1]}",
        f"{identifiant}.{signature}A",
        f"{'0' * 32}.{signature}",
        f".{signature}",
        bonne.upper(),
        FluxCalendrier.objects.get().pk,
        api(etudiante).jeton,
        "%00",
        "é",
    ]

    refus = [api(None).get(f"{FLUX}.ics?cle={fausse}") for fausse in fausses]

    assert {(r.status_code, r.content) for r in refus} == {(410, refus[0].content)}
    for sans in ("", "?cle=", "?autre=1"):
        absente = api(etudiante).get(f"{FLUX}.ics{sans}")  # a bearer is not what this address reads
        assert (absente.status_code, absente.json()["code"]) == (401, "AUTH_REQUIRED")


def test_la_cle_n_ouvre_rien_d_autre(api, etudiante, demander):
    cle = demander(etudiante).partition("cle=")[2]

    statuts = [
        api(None).get(f"/api/v1/{chemin}?cle={cle}").status_code
        for chemin in ("calendriers/", "calendriers/flux", "comptes/me", "signalements/me")
    ]

    assert statuts == [401] * 4
    assert api(None).get("/api/v1/comptes/me", headers={"Authorization": f"Bearer {cle}"}).status_code == 401


def test_la_base_ne_contient_pas_la_cle(etudiante, demander):
    cle = demander(etudiante).partition("cle=")[2]

    with connection.cursor() as curseur:
        curseur.execute("SELECT * FROM calendrier_fluxcalendrier")
        assert cle.partition(".")[2] not in str(curseur.fetchall())


# --- What a feed holds ---------------------------------------------------------------------------------------------


def test_le_flux_contient_ses_inscriptions_et_elles_seules(gestionnaire, etudiante, autre_etudiante, demander, lire):
    def inscrit(titre, statut="", qui=etudiante, **champs):
        evenement = fabriques.evenement(gestionnaire, titre=titre, **champs)
        fabriques.participation(evenement, qui, statut=statut)
        return evenement

    inscrit("confirmé")
    inscrit("à confirmer", "PENDING")
    inscrit("en attente", "WAITLISTED")
    inscrit("quitté", "CANCELLED")
    inscrit("d'une autre", qui=autre_etudiante)
    fabriques.evenement(gestionnaire, titre="sans personne")
    fabriques.heritee(fabriques.evenement(gestionnaire, titre="ancien"), etudiante)
    services.annuler(evenement=inscrit("annulé"))

    vus = {str(v["summary"]): v for v in lire(demander(etudiante))}

    assert {titre: (str(v["status"]), str(v["transp"])) for titre, v in vus.items()} == {
        "confirmé": ("CONFIRMED", "OPAQUE"),
        "à confirmer": ("TENTATIVE", "TRANSPARENT"),
        "en attente (liste d'attente)": ("TENTATIVE", "TRANSPARENT"),
        "ancien": ("CONFIRMED", "OPAQUE"),
        "Annulé : annulé": ("CANCELLED", "TRANSPARENT"),
    }
    assert str(vus["en attente (liste d'attente)"]["description"]) == "Vous êtes en liste d'attente."
    assert str(vus["à confirmer"]["description"]) == "Votre inscription reste à confirmer."


def test_le_flux_garde_un_an_de_passe(gestionnaire, etudiante, demander, lire):
    for titre, jours in (("vieux", 366), ("récent", 364), ("lointain", -3000)):
        evenement = fabriques.evenement(gestionnaire, titre=titre)
        fabriques.participation(evenement, etudiante)
        fin = timezone.now() - timedelta(days=jours)
        EvenementCampus.objects.filter(pk=evenement.pk).update(date_debut=fin - timedelta(hours=1), date_fin=fin)

    assert [str(v["summary"]) for v in lire(demander(etudiante))] == ["récent", "lointain"]


def test_un_flux_trop_long_garde_les_derniers(gestionnaire, etudiante, demander, lire, monkeypatch):
    monkeypatch.setattr(views, "FLUX_MAX", 2)
    for jours in (3, 1, 2):
        debut = timezone.now() + timedelta(days=jours)
        fabriques.participation(fabriques.evenement(gestionnaire, titre=f"j{jours}", date_debut=debut), etudiante)

    assert [str(v["summary"]) for v in lire(demander(etudiante))] == ["j2", "j3"]


def test_le_flux_dit_son_nom_et_son_rythme(api, etudiante, demander):
    calendrier = Calendar.from_ical(api(None).get(demander(etudiante)).content)

    assert (str(calendrier["version"]), calendrier.walk("VEVENT")) == ("2.0", [])
    assert str(calendrier["x-wr-calname"]) == str(calendrier["name"]) == "Mes événements du campus"
    assert calendrier["refresh-interval"].to_ical() == b"PT1H"
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\nX-PUBLISHED-TTL:PT1H" in api(None).get(demander(etudiante)).content


def test_ce_qui_n_a_pas_change_n_est_pas_rendu_deux_fois(api, etudiante, participation, demander):
    adresse, telephone = demander(etudiante), api(None)
    premier = telephone.get(adresse)
    etag = premier.headers["ETag"]

    relus = [telephone.get(adresse, headers={"If-None-Match": valeur}) for valeur in (etag, f'W/{etag}, "x"', "*")]
    services.modifier(evenement=participation.evenement, lieu="Ailleurs")
    change = telephone.get(adresse, headers={"If-None-Match": etag})

    assert premier.headers["Cache-Control"] == "private, no-cache"
    assert [(r.status_code, r.content, r.headers["ETag"]) for r in relus] == [(304, b"", etag)] * 3
    assert "Content-Type" not in relus[0].headers
    assert (change.status_code, change.headers["ETag"] == etag) == (200, False)


def test_un_evenement_et_neuf_coutent_autant_de_requetes(api, gestionnaire, etudiante, demander, lire):
    adresse, couts = demander(etudiante), []
    for nombre in (1, 8):
        for _rang in range(nombre):
            fabriques.participation(fabriques.evenement(gestionnaire), etudiante)
        with CaptureQueriesContext(connection) as requetes:
            couts.append((len(lire(adresse)), len(requetes)))

    assert [rendus for rendus, _cout in couts] == [1, 9]
    assert couts[0][1] == couts[1][1] == 3


def test_le_flux_compte_dans_la_limite_du_compte_et_une_fausse_cle_dans_celle_de_l_adresse(
    api, etudiante, autre_etudiante, demander, settings
):
    settings.THROTTLE_ENABLED = False
    siennes = [demander(qui) for qui in (etudiante, autre_etudiante)]
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "general": type(settings.THROTTLES["general"])(1, 86_400)}

    statuts = [api(None).get(a).status_code for a in (siennes[0], siennes[0], siennes[1])]
    faux = [api(None).get(f"{FLUX}.ics?cle=x").status_code for _fois in range(2)]

    assert statuts == [200, 429, 200]
    assert faux == [410, 429]


# --- For the programs that read it -----------------------------------------------------------------------------------


def test_le_flux_parle_la_langue_de_son_compte_et_se_dit_a_part(api, etudiante, gestionnaire, demander, lire):
    ouvert, complet, annule = (
        fabriques.evenement(gestionnaire, titre=titre, nb_max_participants=1 if titre == "Complet" else None)
        for titre in ("Ouvert", "Complet", "Annulé demain")
    )
    services.inscrire(evenement=complet, compte=gestionnaire)
    for un in (ouvert, complet, annule):
        services.inscrire(evenement=un, compte=etudiante)
    services.annuler(evenement=annule)
    chemin = demander(etudiante)

    en_francais = {str(un["summary"]) for un in lire(chemin)}
    api(etudiante).put("/api/v1/preferences/", {"langue": "en"})
    reponse = api(None).get(chemin, headers={"Accept-Language": "fr"})

    assert en_francais == {"Ouvert", "Complet (liste d'attente)", "Annulé : Annulé demain"}
    assert {str(un["summary"]) for un in Calendar.from_ical(reponse.content).walk("VEVENT")} == {
        "Ouvert",
        "Complet (waiting list)",
        "Cancelled: Annulé demain",
    }
    assert reponse.headers["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize(("langue", "demandee"), [("en", "fr"), ("fr", "en"), (None, "en")])
def test_le_flux_dit_la_langue_de_son_compte_et_non_celle_de_la_requete(api, etudiante, demander, langue, demandee):
    chemin, entetes = demander(etudiante), {"Accept-Language": demandee}
    if langue is not None:
        api(etudiante).put("/api/v1/preferences/", {"langue": langue})

    reponse = api(None).get(chemin, headers=entetes)
    inchangee = api(None).get(chemin, headers={**entetes, "If-None-Match": reponse.headers["ETag"]})

    assert (reponse.status_code, inchangee.status_code) == (200, 304)
    assert reponse.headers["Content-Language"] == inchangee.headers["Content-Language"] == (langue or "fr")


@pytest.mark.parametrize("accepte", ["application/json", "text/html", "text/calendar", "*/*"])
def test_une_adresse_finie_se_dit_quoi_que_le_programme_accepte(api, etudiante, demander, accepte):
    finie, telephone = demander(etudiante), api(None)
    vivante = demander(etudiante)

    reponses = [telephone.get(chemin, headers={"Accept": accepte}) for chemin in (finie, f"{FLUX}.ics", vivante)]

    servi = 200 if accepte in ("text/calendar", "*/*") else 406
    assert [reponse.status_code for reponse in reponses] == [410, 401, servi]
    assert reponses[0].headers["Content-Type"] == "text/plain; charset=utf-8"


def test_les_robots_peuvent_lire_le_flux_et_rien_d_autre(client, demander, etudiante):
    regles = RobotFileParser()
    regles.parse(client.get("/robots.txt").content.decode().splitlines())

    assert regles.can_fetch("Googlebot", demander(etudiante))
    assert not any(regles.can_fetch("Googlebot", chemin) for chemin in ("/", "/ecrire/", "/api/v1/calendriers/flux"))

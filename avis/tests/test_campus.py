"""Mails about events and posts: for whoever ticked them, of what is still true, never naming what is discreet."""

import email
from datetime import UTC, datetime, timedelta
from email import policy
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from icalendar import Calendar

from accounts.models import Compte, Preferences
from accounts.services import comptes
from accounts.tests.fabriques import compte
from avis.entretien import avis_perimes, dire_ce_qui_s_est_passe, dire_la_veille
from avis.familles import familles_nommees
from avis.familles.campus import NOMMES_MAX, Evenements
from avis.models import Avis, Cadence
from avis.services import adresser, arreter
from avis.tests.outils import TOUT_DE_SUITE, UN_JOUR, dits, passer
from calendrier import services
from calendrier.models import EvenementCampus, Participation
from calendrier.tests import fabriques
from config.tests.outils.clients import acteur_de
from config.tests.outils.typographie import ordinaire
from forum import services as forum
from forum.tests import fabriques as publications
from personnes.services.effacements import effacer_compte

pytestmark = pytest.mark.django_db
SUJET = "Campus : une information pour vous"
TITRE, LIEU, LIEN = "Groupe de parole", "Salle des Acacias", "https://visio.campus.test/parole"


@pytest.fixture(autouse=True)
def _midi(time_machine):
    time_machine.move_to(datetime(2027, 3, 10, 11, tzinfo=UTC), tick=False)


@pytest.fixture(autouse=True)
def _paris(settings):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Europe/Paris")


def vouloir(personne, **champs):
    """Both boxes ticked, and the address confirmed."""
    Compte.objects.filter(pk=personne.pk).update(email_verifie=True)
    personne.refresh_from_db()
    comptes.modifier_preferences(compte=personne, **{"avis_evenements": True, "avis_publications": True, **champs})
    return personne


@pytest.fixture
def awa(etudiante):
    return vouloir(etudiante)


@pytest.fixture
def lea(autre_etudiante):
    return vouloir(autre_etudiante)


@pytest.fixture
def atelier(gestionnaire):
    return fabriques.evenement(gestionnaire, titre=TITRE, lieu=LIEU, nb_max_participants=1)


@pytest.fixture
def inscrite(atelier, awa):
    return fabriques.participation(atelier, awa)


@pytest.fixture
def poste(awa):
    return publications.poste(acteur_de(awa), titre="Chorale", contenu="Qui vient jeudi ?")


def relu(evenement):
    return EvenementCampus.objects.get(pk=evenement.pk)


def corps(message):
    return ordinaire(message.body)


def agenda(message):
    """The events of the file that is attached, none without."""
    entier = email.message_from_bytes(message.message().as_bytes(), policy=policy.default)
    pieces = [une for une in entier.iter_attachments() if une.get_content_type() == "text/calendar"]
    return [Calendar.from_ical(une.get_payload(decode=True)) for une in pieces]


# --- Events ---------------------------------------------------------------------------------------------------------


def test_une_place_qui_se_libere_se_dit_a_qui_attendait(atelier, inscrite, awa, lea, time_machine, mailoutbox):
    fabriques.participation(atelier, lea)

    services.desinscrire(evenement=relu(atelier), compte=awa)
    passer(time_machine, TOUT_DE_SUITE)

    (message,) = mailoutbox
    (calendrier,) = agenda(message)
    (vevent,) = calendrier.walk("VEVENT")
    assert (message.to, ordinaire(message.subject)) == ([lea.email], SUJET)
    assert "Une place s'est libérée pour vous : votre inscription est confirmée." in corps(message)
    assert f"{TITRE}\n9 avril 2027, 13:00 (Europe/Paris)\n{LIEU}" in corps(message)
    assert (calendrier["method"], vevent["status"], str(vevent["uid"])) == ("PUBLISH", "CONFIRMED", str(atelier.pk))
    assert str(vevent["organizer"]).startswith("mailto:")


def test_plus_de_places_et_une_confirmation_de_l_equipe_se_disent_aussi(atelier, inscrite, lea, gestionnaire):
    attente = fabriques.participation(atelier, lea)
    troisieme = fabriques.participation(atelier, compte(prenom="Zoé"))
    services.modifier(evenement=relu(atelier), nb_max_participants=2, par=gestionnaire)
    services.changer_statut(participation=inscrite, statut="CANCELLED", par=gestionnaire)
    services.modifier(evenement=relu(atelier), nb_max_participants=3, par=gestionnaire)

    dire_ce_qui_s_est_passe()

    assert dits() == {("Léa", "PLACE_OBTENUE"), ("Zoé", "PLACE_OBTENUE")}
    assert {attente.pk, troisieme.pk} < set(Participation.objects.values_list("pk", flat=True))


def test_ce_qu_on_fait_soi_meme_ne_se_dit_pas(atelier, gestionnaire):
    vouloir(gestionnaire)
    sienne = fabriques.participation(atelier, gestionnaire, statut="WAITLISTED")
    Avis.objects.all().delete()

    services.changer_statut(participation=sienne, statut="CONFIRMED", par=gestionnaire)
    services.modifier(evenement=relu(atelier), lieu="Ailleurs", par=gestionnaire)
    services.annuler(evenement=relu(atelier), par=gestionnaire)
    dire_ce_qui_s_est_passe()

    assert dits() == set()


@pytest.mark.parametrize(
    ("champs", "se_dit"),
    [
        ({"titre": "Autre titre"}, True),
        ({"date_debut": datetime(2027, 4, 9, 10, tzinfo=UTC)}, True),
        ({"date_fin": datetime(2027, 4, 9, 20, tzinfo=UTC)}, True),
        ({"lieu": "Ailleurs"}, True),
        ({"est_en_ligne": True}, True),
        ({"lien_en_ligne": LIEN}, True),
        ({"description": "Une autre description", "tags": ["un"], "image_url": LIEN}, False),
        ({"type": "REUNION", "public_cible": ["PERSONNEL"], "discret": True}, False),
        ({"nb_max_participants": 5}, False),
    ],
)
def test_un_changement_de_ce_pour_quoi_l_on_vient_se_dit(atelier, inscrite, champs, se_dit):
    services.modifier(evenement=relu(atelier), **champs)

    dire_ce_qui_s_est_passe()

    assert dits() == ({("Awa", "EVENEMENT_MODIFIE")} if se_dit else set())


@pytest.mark.parametrize("statut", ["CONFIRMED", "PENDING", "WAITLISTED"])
def test_un_changement_et_une_annulation_se_disent_a_tous_les_inscrits(atelier, awa, statut):
    fabriques.participation(atelier, awa, statut=statut)
    services.modifier(evenement=relu(atelier), lieu="Ailleurs")
    services.annuler(evenement=relu(atelier))

    dire_ce_qui_s_est_passe()

    assert {nature for _qui, nature in dits()} >= {"EVENEMENT_MODIFIE", "EVENEMENT_ANNULE"}


def test_qui_est_parti_ou_arrive_apres_n_en_apprend_rien(atelier, inscrite, awa, lea, time_machine):
    services.modifier(evenement=relu(atelier), lieu="Ailleurs", nb_max_participants=5)
    services.desinscrire(evenement=relu(atelier), compte=awa)
    time_machine.move_to(timezone.now() + timedelta(seconds=5), tick=False)
    fabriques.participation(atelier, lea)

    dire_ce_qui_s_est_passe()

    assert dits() == set()


def test_deux_choses_d_un_evenement_et_d_un_autre_font_un_courriel(
    atelier, inscrite, awa, gestionnaire, time_machine, mailoutbox
):
    plein = fabriques.evenement(gestionnaire, titre="Premiers secours", nb_max_participants=1)
    premiere = fabriques.participation(plein)
    fabriques.participation(plein, awa)
    services.changer_statut(participation=premiere, statut="CANCELLED", par=gestionnaire)
    services.modifier(evenement=relu(atelier), lieu="Ailleurs")
    services.annuler(evenement=relu(atelier))

    passer(time_machine, TOUT_DE_SUITE)

    (message,) = mailoutbox
    (calendrier,) = agenda(message)
    assert "est annulé" in corps(message)
    assert "Une place s'est libérée" in corps(message)
    assert "a changé" not in corps(message)
    assert {str(un["status"]) for un in calendrier.walk("VEVENT")} == {"CANCELLED", "CONFIRMED"}
    assert {int(un["sequence"]) for un in calendrier.walk("VEVENT")} == {0, 2}


def test_une_place_dans_un_evenement_annule_ne_se_dit_plus(
    atelier, inscrite, awa, lea, gestionnaire, time_machine, mailoutbox
):
    fabriques.participation(atelier, lea)
    services.desinscrire(evenement=relu(atelier), compte=awa)
    services.annuler(evenement=relu(atelier), par=gestionnaire)

    passer(time_machine, TOUT_DE_SUITE)

    (message,) = mailoutbox
    assert "Une place" not in corps(message)
    assert "est annulé" in corps(message)


@pytest.mark.parametrize(
    "apres",
    [
        lambda atelier, awa: services.desinscrire(evenement=relu(atelier), compte=awa),
        lambda atelier, awa: fabriques.terminer(atelier),
        lambda atelier, awa: comptes.modifier_preferences(compte=awa, avis_evenements=False),
        lambda atelier, awa: comptes.modifier_preferences(compte=awa, notifications_email=False),
        lambda atelier, awa: Compte.objects.filter(pk=awa.pk).update(email_verifie=False),
        lambda atelier, awa: Compte.objects.filter(pk=awa.pk).update(est_actif=False),
    ],
    ids=["désinscrite", "terminé", "décochée", "e-mails coupés", "adresse à confirmer", "désactivée"],
)
def test_ce_qui_n_est_plus_vrai_ne_part_pas(atelier, inscrite, awa, time_machine, mailoutbox, apres):
    services.modifier(evenement=relu(atelier), lieu="Ailleurs")
    dire_ce_qui_s_est_passe()
    attend = Avis.objects.filter(destinataire=awa, du__isnull=False).exists()

    apres(atelier, awa)
    passer(time_machine, UN_JOUR)

    assert (attend, mailoutbox) == (True, [])


@pytest.mark.parametrize(
    "champs", [{}, {"avis_evenements": False}, {"notifications_email": False}, {"notifications_activees": False}]
)
def test_rien_ne_part_sans_la_case_et_l_evenement_passe_quand_meme(
    atelier, etudiante, time_machine, mailoutbox, evenements, champs
):
    if champs:
        vouloir(etudiante, **champs)
    fabriques.participation(atelier, etudiante)
    services.modifier(evenement=relu(atelier), lieu="Ailleurs")

    with evenements() as recus:
        dire_ce_qui_s_est_passe()
    passer(time_machine, UN_JOUR)

    (avis,) = [un for un in recus if un["type"] == "avis"]
    assert avis["canal"] == f"user:{etudiante.pk}"
    assert set(avis["payload"]) == {"nature", "evenementId", "date"}
    assert (mailoutbox, Cadence.objects.count()) == ([], 0)
    assert Avis.objects.filter(du__isnull=False).count() == 0
    assert (avis_perimes(simulation=False), Avis.objects.count()) == (1, 0)


def test_une_adresse_a_confirmer_ne_recoit_rien(atelier, etudiante, time_machine, mailoutbox):
    comptes.modifier_preferences(compte=etudiante, avis_evenements=True)
    fabriques.participation(atelier, etudiante)
    services.annuler(evenement=relu(atelier))

    passer(time_machine, UN_JOUR)

    assert mailoutbox == []


def test_qui_coche_apres_un_changement_apprend_le_suivant(atelier, etudiante, time_machine, mailoutbox):
    fabriques.participation(atelier, etudiante)
    services.modifier(evenement=relu(atelier), lieu="Ailleurs")
    passer(time_machine, TOUT_DE_SUITE)
    vouloir(etudiante)

    services.modifier(evenement=relu(atelier), lieu=LIEU)
    passer(time_machine, TOUT_DE_SUITE)

    assert len(mailoutbox) == 1
    assert Avis.objects.count() == 1


def test_rien_n_est_dit_de_ce_qui_a_echoue(atelier, inscrite, lea):
    fabriques.participation(atelier, lea)
    with pytest.raises(RuntimeError), transaction.atomic():
        services.modifier(evenement=relu(atelier), lieu="Ailleurs", nb_max_participants=2)
        services.annuler(evenement=relu(atelier))
        raise RuntimeError

    dire_ce_qui_s_est_passe()

    assert (dits(), Avis.objects.count()) == (set(), 0)


def test_un_evenement_discret_n_est_nomme_nulle_part(awa, gestionnaire, time_machine, mailoutbox, evenements):
    secret = fabriques.evenement(
        gestionnaire, titre=TITRE, lieu=LIEU, lien_en_ligne=LIEN, tags=["violences"], discret=True
    )
    autre = fabriques.evenement(gestionnaire, titre=TITRE, lieu=LIEU, discret=True)
    for un in (secret, autre):
        fabriques.participation(un, awa)
    services.modifier(evenement=relu(secret), lieu="Salle des Baobabs")
    services.modifier(evenement=relu(autre), lieu="Salle des Baobabs")

    with evenements() as recus:
        passer(time_machine, TOUT_DE_SUITE)

    (message,) = mailoutbox
    entier = email.message_from_bytes(message.message().as_bytes(), policy=policy.default)
    parties = [une.get_content() for une in entier.walk() if une.get_content_maintype() == "text"]
    dit = ordinaire(
        "".join([*parties, *entier.values(), *(str(un["payload"]) for un in recus if un["type"] == "avis")])
    )
    for mot in (TITRE, LIEU, LIEN, "Baobabs", "violences", "avril", "13:00", "Diop", "calendrier.ics"):
        assert mot not in dit
    for un in (secret, autre):
        assert str(un.pk) not in "".join([*parties, *entier.values()])
    assert corps(message).count("Un événement auquel vous êtes inscrit·e a changé.") == 1
    assert (agenda(message), ordinaire(message.subject)) == ([], SUJET)


def test_un_evenement_devenu_discret_ne_se_nomme_plus(atelier, inscrite, time_machine, mailoutbox):
    services.modifier(evenement=relu(atelier), lieu="Ailleurs")
    dire_ce_qui_s_est_passe()
    services.modifier(evenement=relu(atelier), discret=True)

    passer(time_machine, TOUT_DE_SUITE)

    assert TITRE not in mailoutbox[0].body
    assert agenda(mailoutbox[0]) == []


def test_un_courriel_ne_nomme_pas_plus_que_sa_mesure(awa, gestionnaire, time_machine, mailoutbox):
    for rang in range(NOMMES_MAX + 2):
        un = fabriques.evenement(gestionnaire, titre=f"Numéro {rang}.")
        fabriques.participation(un, awa)
        services.annuler(evenement=relu(un))

    passer(time_machine, TOUT_DE_SUITE)

    (message,) = mailoutbox
    (calendrier,) = agenda(message)
    assert len(calendrier.walk("VEVENT")) == NOMMES_MAX
    assert corps(message).count("Numéro") == NOMMES_MAX
    assert "Et 2 autres, dans votre espace." in corps(message)
    assert Avis.objects.filter(date_envoi__isnull=False).count() == NOMMES_MAX + 2


def test_un_titre_se_lit_comme_il_est_ecrit(atelier, inscrite, time_machine, mailoutbox):
    titre = "<b>Thé</b> & <script>café</script>"
    services.modifier(evenement=relu(atelier), titre=titre)

    passer(time_machine, TOUT_DE_SUITE)

    page = mailoutbox[0].alternatives[0][0]
    assert titre in mailoutbox[0].body
    assert "&lt;script&gt;" in page
    assert "<script" not in page


def test_le_courriel_et_son_agenda_sont_dans_la_langue_de_la_personne(atelier, inscrite, awa, time_machine, mailoutbox):
    comptes.modifier_preferences(compte=awa, langue="en")
    services.annuler(evenement=relu(atelier))

    passer(time_machine, TOUT_DE_SUITE)

    (calendrier,) = agenda(mailoutbox[0])
    assert str(calendrier.walk("VEVENT")[0]["summary"]) == f"Cancelled: {TITRE}"


# --- The day before -------------------------------------------------------------------------------------------------


def le_jour(gestionnaire, debut, **champs):
    return fabriques.evenement(gestionnaire, titre=TITRE, date_debut=datetime.fromisoformat(debut), **champs)


def minute(personne, heure):
    Cadence.objects.update_or_create(pk=personne.pk, defaults={"minute": 60 * heure})


@pytest.mark.parametrize(
    ("fuseau", "maintenant", "debut", "demain"),
    [
        # Clocks go forward in Paris on 28 March 2027, back on 31 October: those days last 23 and 25 hours.
        ("Europe/Paris", "2027-03-26T23:30:00Z", "2027-03-28T21:59:00Z", True),
        ("Europe/Paris", "2027-03-26T23:30:00Z", "2027-03-28T22:01:00Z", False),
        ("Europe/Paris", "2027-03-26T22:30:00Z", "2027-03-28T12:00:00Z", False),
        ("Europe/Paris", "2027-10-29T22:30:00Z", "2027-10-31T22:59:00Z", True),
        ("Europe/Paris", "2027-10-29T22:30:00Z", "2027-10-31T23:01:00Z", False),
        ("Africa/Kinshasa", "2027-03-26T23:30:00Z", "2027-03-28T22:59:00Z", True),
        ("Africa/Kinshasa", "2027-03-26T23:30:00Z", "2027-03-28T23:01:00Z", False),
        ("Africa/Kinshasa", "2027-03-26T22:30:00Z", "2027-03-28T12:00:00Z", False),
    ],
)
def test_demain_est_celui_du_campus(awa, gestionnaire, settings, time_machine, fuseau, maintenant, debut, demain):
    settings.TIME_ZONE_CAMPUS = ZoneInfo(fuseau)
    time_machine.move_to(datetime.fromisoformat(maintenant), tick=False)
    fabriques.participation(le_jour(gestionnaire, debut), awa)

    dire_la_veille()
    dire_ce_qui_s_est_passe()

    assert dits() == ({("Awa", "EVENEMENT_DEMAIN")} if demain else set())


@pytest.mark.parametrize(
    ("fuseau", "part"), [("Europe/Paris", "2027-03-28T16:00:00Z"), ("Africa/Kinshasa", "2027-03-28T17:00:00Z")]
)
def test_la_veille_part_a_la_minute_de_chacun(awa, gestionnaire, settings, time_machine, mailoutbox, fuseau, part):
    """18:00 on the clock of the campus, on the very day on which it changes."""
    settings.TIME_ZONE_CAMPUS = ZoneInfo(fuseau)
    time_machine.move_to(datetime(2027, 3, 27, 23, 30, tzinfo=UTC), tick=False)
    minute(awa, 18)
    fabriques.participation(le_jour(gestionnaire, "2027-03-29T08:00:00Z"), awa)
    dire_la_veille()
    dire_ce_qui_s_est_passe()
    moment = Avis.objects.get().du

    time_machine.move_to(moment - timedelta(minutes=1), tick=False)
    passer(time_machine, timedelta(0))
    avant = len(mailoutbox)
    passer(time_machine, timedelta(minutes=1))

    assert (moment, avant) == (datetime.fromisoformat(part), 0)
    assert "a lieu demain" in corps(mailoutbox[0])


def test_la_veille_d_un_evenement_discret_ne_dit_pas_quand(awa, gestionnaire, time_machine, mailoutbox):
    time_machine.move_to(datetime(2027, 3, 9, 8, 0, tzinfo=UTC), tick=False)
    minute(awa, 18)
    fabriques.participation(le_jour(gestionnaire, "2027-03-10T13:00:00Z", discret=True), awa)
    dire_la_veille()

    passer(time_machine, timedelta(hours=11))

    assert "demain" not in corps(mailoutbox[0])
    assert corps(mailoutbox[0]).count("Un événement auquel vous êtes inscrit·e approche.") == 1


def test_la_veille_se_dit_une_fois_a_qui_a_une_place(atelier, awa, lea, gestionnaire, time_machine, mailoutbox):
    un = le_jour(gestionnaire, "2027-03-11T09:00:00Z", nb_max_participants=1)
    fabriques.participation(un, awa)
    fabriques.participation(un, lea)

    for _minute in range(3):
        dire_la_veille()
        dire_ce_qui_s_est_passe()

    assert dits() == {("Awa", "EVENEMENT_DEMAIN")}
    assert Avis.objects.count() == 1


def test_un_evenement_deplace_a_une_autre_veille_et_pas_deux_fois_la_meme(awa, gestionnaire, time_machine, mailoutbox):
    minute(awa, 20)
    un = le_jour(gestionnaire, "2027-03-11T09:00:00Z")
    fabriques.participation(un, awa)
    veilles = []

    def deplacer(debut):
        moment = datetime.fromisoformat(debut)
        services.modifier(evenement=relu(un), date_debut=moment, date_fin=moment + timedelta(hours=1))
        Avis.objects.filter(nature="EVENEMENT_MODIFIE").delete()
        dire_la_veille()
        veilles.append(Avis.objects.a_adresser().count())
        dire_ce_qui_s_est_passe()

    deplacer("2027-03-11T10:00:00Z")
    deplacer("2027-03-11T15:00:00Z")  # the same day
    deplacer("2027-03-14T15:00:00Z")
    passer(time_machine, timedelta(hours=10))
    parti_trop_tot = len(mailoutbox)
    time_machine.move_to(datetime(2027, 3, 13, 6, tzinfo=UTC), tick=False)
    dire_la_veille()
    passer(time_machine, timedelta(hours=15))

    assert (veilles, parti_trop_tot, len(mailoutbox)) == ([1, 0, 0], 0, 1)


def test_un_evenement_annule_n_a_pas_de_veille(awa, gestionnaire):
    un = le_jour(gestionnaire, "2027-03-11T09:00:00Z")
    fabriques.participation(un, awa)
    services.annuler(evenement=relu(un))
    Avis.objects.all().delete()

    dire_la_veille()

    assert not Avis.objects.exists()


# --- Many people ----------------------------------------------------------------------------------------------------


def inscrire_en_nombre(evenement, nombre, prefixe="p"):
    gens = Compte.objects.bulk_create(
        [
            Compte(email=f"{prefixe}{rang}@campus.test", nom="N", prenom="P", email_verifie=True)
            for rang in range(nombre)
        ]
    )
    Preferences.objects.bulk_create([Preferences(compte=un, avis_evenements=True) for un in gens])
    Participation.objects.bulk_create(
        [Participation(evenement=evenement, compte=un, statut="CONFIRMED") for un in gens]
    )


def test_dire_coute_autant_pour_une_personne_et_pour_neuf(atelier, gestionnaire):
    def cout():
        services.modifier(evenement=relu(atelier), lieu=f"{relu(atelier).lieu} bis", par=gestionnaire)
        with CaptureQueriesContext(connection) as requetes:
            dire_ce_qui_s_est_passe()
        Avis.objects.all().delete()
        return len(requetes)

    inscrire_en_nombre(atelier, 1)
    un = cout()
    inscrire_en_nombre(atelier, 8, "q")

    assert cout() == un


def test_beaucoup_de_monde_se_dit_par_lots_et_reprend_ou_l_on_en_etait(atelier, monkeypatch, evenements):
    monkeypatch.setattr("avis.familles.campus.PERSONNES_PAR_LOT", 40)
    inscrire_en_nombre(atelier, 100)
    services.annuler(evenement=relu(atelier))
    ligne, lots = Avis.objects.get(), []
    entier = Evenements.ecrire

    def ecrire_ou_tomber(self, ligne, personnes, nom):
        if len(lots) == 2:
            lots.append("panne")
            raise RuntimeError
        lots.append(len(personnes))
        entier(self, ligne, personnes, nom)

    monkeypatch.setattr(Evenements, "ecrire", ecrire_ou_tomber)
    with evenements() as recus:
        with pytest.raises(RuntimeError):
            adresser(ligne)
        faits = Avis.objects.filter(est_adresse=True).count()
        adresser(ligne)

    assert (lots, faits) == ([40, 40, "panne", 20], 80)
    assert Avis.objects.filter(est_adresse=True).count() == 100
    assert len({un["canal"] for un in recus if un["type"] == "avis"}) == len([u for u in recus if u["type"] == "avis"])
    assert not Avis.objects.a_adresser().exists()


def test_deux_changements_de_suite_se_disent_tous_deux_et_font_un_courriel(
    atelier, time_machine, mailoutbox, evenements, monkeypatch
):
    monkeypatch.setattr("avis.familles.campus.PERSONNES_PAR_LOT", 2)
    inscrire_en_nombre(atelier, 5)
    with evenements() as recus:
        for lieu in ("Ailleurs", "Plus loin"):
            services.modifier(evenement=relu(atelier), lieu=lieu)
            dire_ce_qui_s_est_passe()
            time_machine.move_to(timezone.now() + timedelta(milliseconds=10), tick=False)

    passer(time_machine, TOUT_DE_SUITE)

    assert len([un for un in recus if un["type"] == "avis"]) == 10
    assert (Avis.objects.count(), len(mailoutbox)) == (5, 5)
    assert {"Plus loin" in un.body for un in mailoutbox} == {True}


@pytest.mark.longue
def test_cinq_mille_inscrits_sont_dix_lots(atelier):
    inscrire_en_nombre(atelier, 5_000)
    services.annuler(evenement=relu(atelier))

    with CaptureQueriesContext(connection) as requetes:
        adresser(Avis.objects.get())

    lus = [une["sql"] for une in requetes.captured_queries if "LIMIT 500" in une["sql"]]
    assert Avis.objects.filter(est_adresse=True, du__isnull=False).count() == Avis.objects.count() == 5_000
    assert len([une for une in lus if "calendrier_participation" in une]) == 10
    assert len(requetes) < 400


# --- Posts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statut", "phrase"),
    [
        ("APPROUVER", "Votre publication du 10 mars 2027 est en ligne."),
        ("REJETER", "Votre publication du 10 mars 2027 n'a pas été retenue."),
    ],
)
def test_un_jugement_se_dit_a_qui_a_ecrit(poste, gestionnaire, time_machine, mailoutbox, evenements, statut, phrase):
    forum.moderer(acteur=acteur_de(gestionnaire), poste=poste, statut=statut)
    with evenements() as recus:
        passer(time_machine, TOUT_DE_SUITE)

    (message,) = mailoutbox
    (avis,) = [un for un in recus if un["type"] == "avis"]
    assert (ordinaire(message.subject), phrase in corps(message), "Chorale" in corps(message)) == (SUJET, True, True)
    assert "Qui vient jeudi" not in corps(message)
    assert avis["payload"].keys() == {"nature", "posteId", "date"}
    assert avis["canal"] == f"user:{poste.compte_id}"


def test_le_meme_jugement_une_archive_et_le_sien_ne_se_disent_pas(poste, gestionnaire, admin):
    for statut in ("APPROUVER", "APPROUVER", "ARCHIVER"):
        forum.moderer(acteur=acteur_de(gestionnaire), poste=poste, statut=statut)
    sienne = publications.poste(acteur_de(admin))
    forum.moderer(acteur=acteur_de(admin), poste=sienne, statut="APPROUVER")

    assert list(Avis.objects.values_list("nature", "vers")) == [("PUBLICATION_APPROUVEE", poste.compte_id)]


def test_un_jugement_defait_ne_se_dit_plus(poste, gestionnaire, time_machine, mailoutbox):
    for statut in ("APPROUVER", "REJETER"):
        forum.moderer(acteur=acteur_de(gestionnaire), poste=poste, statut=statut)

    passer(time_machine, TOUT_DE_SUITE)

    (message,) = mailoutbox
    assert "n'a pas été retenue" in corps(message)
    assert "est en ligne" not in corps(message)


@pytest.mark.parametrize("adresse", [True, False])
def test_une_publication_supprimee_ne_se_dit_plus(poste, awa, gestionnaire, time_machine, mailoutbox, adresse):
    forum.moderer(acteur=acteur_de(gestionnaire), poste=poste, statut="APPROUVER")
    if adresse:
        dire_ce_qui_s_est_passe()

    forum.supprimer(acteur=acteur_de(awa), poste=poste)
    restent = Avis.objects.count()
    passer(time_machine, TOUT_DE_SUITE)

    assert (restent, mailoutbox) == (0, [])


def test_un_jugement_annule_n_est_pas_dit(poste, gestionnaire):
    with pytest.raises(RuntimeError), transaction.atomic():
        forum.moderer(acteur=acteur_de(gestionnaire), poste=poste, statut="APPROUVER")
        raise RuntimeError

    assert not Avis.objects.exists()


# --- Stopping, forgetting -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("nom", "garde"), [("evenements", "avis_publications"), ("publications", "avis_evenements")])
def test_un_clic_arrete_cette_famille_et_elle_seule(client, awa, nom, garde):
    jeton = awa.jeton_d_arret_de(nom)
    page = client.get("/ne-plus-prevenir", {"token": jeton})

    reponse = client.post(f"/ne-plus-prevenir?token={jeton}", {"List-Unsubscribe": "One-Click"})

    preferences = comptes.preferences_de(awa)
    assert (page.status_code, reponse.status_code) == (200, 200)
    assert {n for n in ("avis_evenements", "avis_publications") if getattr(preferences, n)} == {garde}
    assert preferences.avis == {}
    assert "awa" not in page.content.decode()


def test_le_lien_d_un_courriel_est_celui_de_sa_famille(atelier, inscrite, awa, client, time_machine, mailoutbox):
    services.annuler(evenement=relu(atelier))
    passer(time_machine, TOUT_DE_SUITE)
    adresse = mailoutbox[0].extra_headers["List-Unsubscribe"].strip("<>")

    client.post(adresse[adresse.index("/ne-plus") :], {"List-Unsubscribe": "One-Click"})

    preferences = comptes.preferences_de(awa)
    assert adresse in mailoutbox[0].body
    assert (preferences.avis_evenements, preferences.avis_publications) == (False, True)


def test_le_jeton_d_avant_les_familles_arrete_celui_de_l_equipe(client, awa):
    client.post("/ne-plus-prevenir", {"token": awa.jeton_d_arret})

    preferences = comptes.preferences_de(awa)
    assert set(preferences.rythmes.values()) == {"JAMAIS"}
    assert preferences.avis_evenements


def test_un_jeton_d_une_famille_inconnue_n_arrete_rien(client, awa):
    assert client.post("/ne-plus-prevenir", {"token": awa.jeton_d_arret_de("autre")}).status_code == 404


def test_arreter_tait_ce_qui_attendait_de_cette_famille_seule(atelier, inscrite, awa, poste, gestionnaire):
    services.annuler(evenement=relu(atelier))
    forum.moderer(acteur=acteur_de(gestionnaire), poste=poste, statut="APPROUVER")
    dire_ce_qui_s_est_passe()

    arreter(awa, familles_nommees("evenements"))

    assert list(Avis.objects.filter(du__isnull=False).values_list("nature", flat=True)) == ["PUBLICATION_APPROUVEE"]


def test_effacer_une_personne_efface_ce_qui_etait_a_lui_dire(atelier, inscrite, awa, lea):
    fabriques.participation(atelier, lea)
    services.annuler(evenement=relu(atelier))
    dire_ce_qui_s_est_passe()
    Avis.objects.create(nature="PLACE_OBTENUE", objet=atelier.pk, vers=lea.pk)
    Compte.objects.filter(pk=lea.pk).update(est_actif=False)

    effacer_compte(lea.pk, rejoue=True)

    assert dits() == {("Awa", "EVENEMENT_ANNULE")}
    assert not Avis.objects.filter(vers=lea.pk).exists()


def test_perdre_son_role_n_efface_pas_ce_qui_est_a_soi(api, admin, atelier):
    ruth = vouloir(compte(prenom="Ruth", type_utilisateur="GESTIONNAIRE"))
    fabriques.participation(atelier, ruth)
    services.annuler(evenement=relu(atelier))
    dire_ce_qui_s_est_passe()

    api(admin).put(f"/api/v1/comptes/{ruth.pk}", {"typeUtilisateur": "UTILISATEUR"})

    assert dits() == {("Ruth", "EVENEMENT_ANNULE")}

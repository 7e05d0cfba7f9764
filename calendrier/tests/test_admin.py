import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.tests import fabriques as comptes
from accounts.tests.outils import entrer
from calendrier import services
from calendrier.models import EvenementCampus, Participation
from calendrier.tests import fabriques
from calendrier.tests.outils import en_ordre, verifier_les_places

pytestmark = pytest.mark.django_db
EVENEMENTS = "/admin/calendrier/evenementcampus/"
PARTICIPATIONS = "/admin/calendrier/participation/"
SAISIE = {
    "titre": "Premiers secours",
    "type": "atelier",
    "description": "Ligne une\r\nLigne deux",
    "date_debut_0": "10/03/2027",
    "date_debut_1": "14:00:00",
    "date_fin_0": "10/03/2027",
    "date_fin_1": "16:00:00",
    "lieu": "Salle B12",
    "nb_max_participants": "2",
    "public_cible": "etudiant, personnel",
    "tags": "Santé, , secours",
}


@pytest.fixture
def client(gestionnaire):
    return entrer(gestionnaire.email)


def saisie_de(evenement, **champs):
    moments = {
        f"{nom}_{rang}": getattr(evenement, nom).strftime(forme)
        for nom in ("date_debut", "date_fin")
        for rang, forme in enumerate(("%d/%m/%Y", "%H:%M:%S"))
    }
    places = evenement.nb_max_participants or ""
    return {"titre": evenement.titre, "type": evenement.type, **moments, "nb_max_participants": places, **champs}


def messages(reponse):
    return [(message.level_tag, str(message)) for message in reponse.context["messages"]]


def erreurs(reponse):
    assert reponse.status_code == 200
    return {champ: list(textes) for champ, textes in reponse.context["adminform"].form.errors.items()}


def agir(client, chemin, action, *lignes):
    donnees = {"action": action, "_selected_action": [str(ligne.pk) for ligne in lignes]}
    return client.post(chemin, donnees, follow=True)


# --- Events ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_publier_depuis_l_espace_de_l_equipe_l_annonce(personne, persona, evenements, settings):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Africa/Kinshasa")
    qui = personne(persona)
    client = entrer(qui.email)

    with evenements() as recus:
        reponse = client.post(f"{EVENEMENTS}add/", SAISIE)

    evenement = EvenementCampus.objects.get()
    assert reponse.status_code == 302
    assert (evenement.type, evenement.tags, evenement.public_cible) == (
        "ATELIER",
        ["Santé", "secours"],
        ["ETUDIANT", "PERSONNEL"],
    )
    assert evenement.description == "Ligne une\nLigne deux"
    assert evenement.date_debut.isoformat() == "2027-03-10T13:00:00+00:00"  # one hour behind the campus
    assert evenement.organisateur == qui
    assert [(e["type"], e["payload"]["id"]) for e in recus] == [("event_created", str(evenement.pk))]
    assert LogEntry.objects.get().object_id == str(evenement.pk)


def test_un_evenement_se_dit_discret_et_ne_l_est_plus(client, gestionnaire):
    un = fabriques.evenement(gestionnaire)
    page = client.get(f"{EVENEMENTS}{un.pk}/change/").content.decode()

    def poser(**champs):
        client.post(f"{EVENEMENTS}{un.pk}/change/", saisie_de(un, **champs))
        return EvenementCampus.objects.get(pk=un.pk).discret

    assert "ne le nomme" in page
    assert (poser(discret="on"), poser()) == (True, False)


def test_les_dates_se_lisent_a_l_heure_du_campus(client, gestionnaire, settings):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Africa/Kinshasa")
    evenement = fabriques.du(gestionnaire, "2027-03-10T13:00:00+00:00", "2027-03-10T15:00:00+00:00")

    liste, page = (client.get(EVENEMENTS + chemin).content.decode() for chemin in ("", f"{evenement.pk}/change/"))

    assert "14:00" in liste
    assert 'value="14:00:00"' in page
    assert "Africa/Kinshasa" in page


@pytest.mark.parametrize(
    ("champs", "nomme"),
    [
        ({"titre": ""}, "titre"),
        ({"titre": "a\x01b"}, "titre"),
        ({"type": "deux mots"}, "type"),
        ({"date_fin_1": "13:00:00"}, "__all__"),
        ({"lien_en_ligne": "javascript:alert(1)"}, "lien_en_ligne"),
        ({"nb_max_participants": "0"}, "nb_max_participants"),
        ({"tags": "t" * 51}, "tags"),
        ({"public_cible": "deux mots"}, "public_cible"),
    ],
)
def test_les_regles_sont_celles_de_l_api(client, champs, nomme):
    assert nomme in erreurs(client.post(f"{EVENEMENTS}add/", {**SAISIE, **champs}))
    assert not EvenementCampus.objects.exists()


@pytest.mark.parametrize("tags", [["thé, café; gâteau", "été"], ['dit "le Petit"', ",", '"'], ["a" * 50], []])
def test_les_mots_cles_reviennent_tels_quels_du_formulaire(client, gestionnaire, evenements, tags):
    evenement = fabriques.evenement(gestionnaire, tags=tags)
    page = client.get(f"{EVENEMENTS}{evenement.pk}/change/")
    montre = page.context["adminform"].form["tags"].value()

    with evenements() as recus:
        client.post(f"{EVENEMENTS}{evenement.pk}/change/", saisie_de(evenement, tags=montre))

    assert (EvenementCampus.objects.get().tags, recus) == (tags, [])
    assert "Mots-clés" in page.content.decode()


@pytest.mark.parametrize("saisi", ["a\nb, c", '"jamais fermé', "x," * 100_000, '"' * 200_000, '""""'])
def test_des_mots_cles_mal_ecrits_ne_font_rien_tomber(client, saisi):
    assert client.post(f"{EVENEMENTS}add/", {**SAISIE, "tags": saisi}).status_code in (200, 302)


def test_le_jour_et_l_heure_disent_de_quoi_ils_sont(client):
    page = client.get(f"{EVENEMENTS}add/").content.decode()

    assert re.findall(r'<input type="text" name="date_\w+"[^>]*aria-label="([^"]*)"', page) == [
        "Début : date",
        "Début : heure",
        "Fin : date",
        "Fin : heure",
    ]


def test_plus_de_places_depuis_l_espace_promeut_et_previent(client, gestionnaire, evenements):
    evenement = fabriques.evenement(gestionnaire, nb_max_participants=1)
    _tenue, attend = (fabriques.participation(evenement) for _rang in range(2))

    with evenements() as recus:
        client.post(f"{EVENEMENTS}{evenement.pk}/change/", saisie_de(evenement, nb_max_participants="2"))

    attend.refresh_from_db()
    assert attend.statut == "CONFIRMED"
    assert [e["canal"] for e in recus] == ["calendriers", f"user:{attend.compte_id}"]
    assert EvenementCampus.objects.get().date_debut == evenement.date_debut
    verifier_les_places()


def test_moins_de_places_que_de_confirmes_se_dit_sur_le_champ(client, gestionnaire):
    evenement = fabriques.evenement(gestionnaire)
    for _rang in range(2):
        fabriques.participation(evenement)

    page = client.post(f"{EVENEMENTS}{evenement.pk}/change/", saisie_de(evenement, nb_max_participants="1"))

    assert "2 personnes" in erreurs(page)["nb_max_participants"][0]
    assert EvenementCampus.objects.get().nb_max_participants is None


def test_une_place_prise_entre_la_page_et_l_envoi_est_dite_sans_rien_ecrire(client, gestionnaire, monkeypatch):
    evenement = fabriques.evenement(gestionnaire)
    for _rang in range(2):
        fabriques.participation(evenement)
    monkeypatch.setattr("calendrier.admin.FormulaireEvenement._verifier_les_places", lambda *_: None)

    reponse = client.post(
        f"{EVENEMENTS}{evenement.pk}/change/", saisie_de(evenement, nb_max_participants="1"), follow=True
    )

    assert [niveau for niveau, _texte in messages(reponse)] == ["error"]
    assert EvenementCampus.objects.get().nb_max_participants is None
    assert not LogEntry.objects.exists()


def test_annuler_depuis_l_espace_previent_et_fige(client, gestionnaire, participation, evenements):
    autre = fabriques.evenement(gestionnaire)
    services.annuler(evenement=autre)

    with evenements() as recus:
        reponse = agir(client, EVENEMENTS, "annuler", participation.evenement, autre)

    assert messages(reponse) == [("info", "1 événement annulé.")]
    assert [e["type"] for e in recus] == ["event_cancelled"] * 2
    page = f"{EVENEMENTS}{participation.evenement_id}/change/"
    assert client.get(page).status_code == 200
    assert client.post(page, SAISIE).status_code == 403


@pytest.mark.parametrize("chemin", [EVENEMENTS, PARTICIPATIONS])
def test_personne_n_efface(admin, participation, chemin):
    client = entrer(admin.email)
    cible = participation.evenement if chemin == EVENEMENTS else participation

    assert client.post(f"{chemin}{cible.pk}/delete/", {"post": "yes"}).status_code == 403
    assert agir(client, chemin, "delete_selected", cible).status_code == 200
    assert (EvenementCampus.objects.count(), Participation.objects.count()) == (1, 1)


def test_une_etudiante_n_y_entre_pas(etudiante, participation):
    client = entrer(etudiante.email)

    assert {client.get(chemin).status_code for chemin in (EVENEMENTS, f"{EVENEMENTS}add/", PARTICIPATIONS)} == {302}


def test_les_evenements_se_cherchent_et_se_filtrent(client, gestionnaire):
    fabriques.evenement(gestionnaire, titre="Séance ciné", type="REUNION")
    passe = fabriques.evenement(gestionnaire, titre="Vieux", tags=["Santé"])
    fabriques.terminer(passe)

    def titres(question):
        return sorted(e.titre for e in client.get(f"{EVENEMENTS}?{question}").context["cl"].result_list)

    assert titres("q=SEANCE") == ["Séance ciné"]
    assert titres("q=sante") == titres("periode=passe") == titres("type=ATELIER") == ["Vieux"]
    assert titres("periode=avenir") == titres("type=REUNION") == ["Séance ciné"]
    assert titres("statut__exact=ANNULE") == []


# --- Participations --------------------------------------------------------------------------------------------------


@pytest.fixture
def plein(gestionnaire):
    """Two places; two confirmed and two waiting, in this order."""
    evenement = fabriques.evenement(gestionnaire, nb_max_participants=2)
    return [fabriques.participation(evenement) for _rang in range(4)]


@pytest.mark.parametrize(
    ("action", "rangs", "confirmes", "attendent"),
    [
        ("desinscrire", [0], [1, 2], [3]),
        ("mettre_en_suspens", [1], [0, 2], [3]),
        ("mettre_en_liste", [0], [1, 2], [3, 0]),
        ("desinscrire", [3], [0, 1], [2]),
    ],
)
def test_une_action_tient_les_places_et_la_file(client, plein, action, rangs, confirmes, attendent):
    agir(client, PARTICIPATIONS, action, *[plein[rang] for rang in rangs])

    evenement = plein[0].evenement
    assert en_ordre(evenement, "CONFIRMED") == [plein[rang].pk for rang in confirmes]
    assert en_ordre(evenement, "WAITLISTED") == [plein[rang].pk for rang in attendent]
    verifier_les_places()


def test_confirmer_au_dela_des_places_est_dit_pour_chaque_personne(client, plein):
    services.changer_statut(participation=plein[0], statut="PENDING")
    services.desinscrire(evenement=plein[0].evenement, compte=plein[1].compte)

    reponse = agir(client, PARTICIPATIONS, "confirmer", plein[0], plein[2])

    niveaux = [niveau for niveau, _texte in messages(reponse)]
    assert niveaux == ["error", "info"]
    assert str(plein[0].compte) in messages(reponse)[0][1]
    verifier_les_places()


def test_les_participants_d_un_evenement_se_trouvent_depuis_sa_ligne(client, plein, gestionnaire):
    fabriques.participation(fabriques.evenement(gestionnaire))
    liste = client.get(EVENEMENTS).content.decode()
    lien = f"{PARTICIPATIONS}?evenement__id__exact={plein[0].evenement_id}"

    assert lien in liste
    assert "2 / 2" in liste
    assert client.get(lien).context["cl"].result_count == 4
    assert client.get(f"{lien}&statut=WAITLISTED").context["cl"].result_count == 2


def test_les_participations_heritees_se_lisent_et_se_filtrent(client, evenement):
    fabriques.heritee(evenement)

    page = client.get(f"{PARTICIPATIONS}?statut=CONFIRMED")

    assert page.context["cl"].result_count == 1
    assert "Confirmée" in page.content.decode()


def test_une_personne_se_cherche_sans_accents(client, evenement):
    fabriques.participation(evenement, comptes.compte(nom="Kéïta", prenom="Noé"))
    fabriques.participation(evenement)

    assert client.get(f"{PARTICIPATIONS}?q=keita noe").context["cl"].result_count == 1


def test_un_mot_de_passe_ne_se_devine_pas_par_les_filtres(client, participation):
    reponse = client.get(f"{PARTICIPATIONS}?compte__password__startswith=a")

    assert reponse.status_code in (302, 400)


def test_une_participation_ne_s_ajoute_ni_ne_se_change_a_la_main(admin, participation):
    client = entrer(admin.email)
    page = f"{PARTICIPATIONS}{participation.pk}/change/"

    assert client.get(f"{PARTICIPATIONS}add/").status_code == 403
    assert client.get(page).status_code == 200
    assert client.post(page, {"statut": "CANCELLED"}).status_code == 403


@pytest.mark.parametrize("chemin", [EVENEMENTS, PARTICIPATIONS])
def test_une_ligne_et_neuf_coutent_autant_de_requetes(client, gestionnaire, chemin):
    couts = []
    for nombre in (1, 8):
        for _rang in range(nombre):
            fabriques.participation(
                fabriques.evenement(gestionnaire, date_debut=timezone.now() + timedelta(days=nombre))
            )
        with CaptureQueriesContext(connection) as requetes:
            rendues = client.get(chemin).context["cl"].result_count
        couts.append((rendues, len(requetes)))

    assert [rendues for rendues, _cout in couts] == [1, 9]
    assert couts[0][1] == couts[1][1]


@pytest.mark.parametrize(
    ("langue", "ecrite", "lue"),
    [
        *[
            ("fr", ecrite, "14:30")
            for ecrite in ("14h30", "14H30", "14 h 30", "14\u00a0h\u00a030", "14:30", "14:30:00")
        ],
        *[
            ("fr", ecrite, "14:30")
            for ecrite in ("14h30\u200b", "\u200e14h30\u200e", "１４h３０", "１４：３０", "١٤h٣٠")
        ],
        ("fr", "14h", "14:00"),
        ("fr", "9h05", "09:05"),
        *[("en", ecrite, "14:30") for ecrite in ("14h30", "14 h 30", "14:30", "2:30 pm", "2:30PM")],
    ],
)
def test_une_heure_se_lit_comme_on_l_ecrit(client, langue, ecrite, lue):
    reponse = client.post(
        f"{EVENEMENTS}add/",
        {**SAISIE, "date_debut_1": ecrite, "date_fin_1": "16h"},
        headers={"Accept-Language": langue},
    )

    assert reponse.status_code == 302, erreurs(reponse)
    evenement = EvenementCampus.objects.get()
    assert f"{timezone.localtime(evenement.date_debut):%H:%M}" == lue
    page = client.get(f"{EVENEMENTS}{evenement.pk}/change/", headers={"Accept-Language": langue}).content.decode()
    assert f'value="{lue}:00"' in page


@pytest.mark.parametrize("ecrite", ["25h00", "14h61", "quatorze heures", "14h30m"])
def test_une_heure_qui_n_existe_pas_revient_avec_sa_raison(client, ecrite):
    reponse = client.post(f"{EVENEMENTS}add/", {**SAISIE, "date_debut_1": ecrite})

    assert "date_debut" in erreurs(reponse)
    assert not EvenementCampus.objects.exists()

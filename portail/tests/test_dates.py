"""The day of an incident, as people write it: in three boxes, or all of it in one."""

from datetime import date

import pytest

from portail.services import dates
from portail.services.dates import SansAnnee, lire_le_jour
from portail.tests.outils import DETAILS, FAITS, le_dossier, texte_de

AUJOURD_HUI = date(2026, 11, 27)
LE_PREMIER_MARS = date(2026, 3, 1)


@pytest.fixture(autouse=True)
def _au_calendrier(monkeypatch):
    monkeypatch.setattr(dates, "jour_du_campus", lambda: AUJOURD_HUI)


@pytest.mark.parametrize(
    ("parties", "jour"),
    [
        (("1er", "mars", "2026"), LE_PREMIER_MARS),
        (("1ER", "MARS", "26"), LE_PREMIER_MARS),
        (("1ᵉʳ", "3", "2026"), LE_PREMIER_MARS),
        (("1 er", "mars", "2026"), LE_PREMIER_MARS),
        (("1st", "March", "2026"), LE_PREMIER_MARS),
        (("March", "1", "2026"), LE_PREMIER_MARS),
        (("01", "03", "26"), LE_PREMIER_MARS),
        (("١", "٣", "٢٠٢٦"), LE_PREMIER_MARS),
        (("１", "３", "２０２６"), LE_PREMIER_MARS),
        (("1er / mars / 2026", "", ""), LE_PREMIER_MARS),
        (("", "01/03/2026", ""), LE_PREMIER_MARS),
        (("dimanche 1er mars 2026", "", ""), LE_PREMIER_MARS),
        (("2026-03-01", "", ""), LE_PREMIER_MARS),
        (("1.3.26", "", ""), LE_PREMIER_MARS),
        (("27", "août", "2026"), date(2026, 8, 27)),
        (("27", "aout", "2026"), date(2026, 8, 27)),
        (("27", "AOÛT", "2026"), date(2026, 8, 27)),
        (("27", "aou\u0302t", "2026"), date(2026, 8, 27)),
        (("27", "Aug", "2026"), date(2026, 8, 27)),
        (("3", "févr.", "25"), date(2025, 2, 3)),
        (("3", "juil", "25"), date(2025, 7, 3)),
        (("3", "déc.", "98"), date(1998, 12, 3)),
        (("29", "2", "2024"), date(2024, 2, 29)),
        (("aujourd'hui", "", ""), AUJOURD_HUI),
        (("Aujourd’hui", "", ""), AUJOURD_HUI),
        (("today", "", ""), AUJOURD_HUI),
        (("hier", "", ""), date(2026, 11, 26)),
        (("", "Hier", ""), date(2026, 11, 26)),
        (("hier soir", "", ""), date(2026, 11, 26)),
        (("Yesterday evening", "", ""), date(2026, 11, 26)),
        (("avant‑hier", "", ""), date(2026, 11, 25)),
        (("\u200e3\u200e/\u200e3\u200e/\u200e2026", "", ""), date(2026, 3, 3)),
        (("3", "mars\u200b", "2026"), date(2026, 3, 3)),
        (("3−3−2026", "", ""), date(2026, 3, 3)),
        (("3∕3⁄2026", "", ""), date(2026, 3, 3)),
        (("premier mars 2026", "", ""), LE_PREMIER_MARS),
        (("1re", "mars", "2026"), LE_PREMIER_MARS),
        (("1° mars 2026", "", ""), LE_PREMIER_MARS),
        (("lun. 2 mars 2026", "", ""), date(2026, 3, 2)),
        (("mar. 3 mars 2026", "", ""), date(2026, 3, 3)),
        (("jeu 26/11/2026", "", ""), date(2026, 11, 26)),
        (("Thu 26 Feb 2026", "", ""), date(2026, 2, 26)),
        (("3 mars '26", "", ""), date(2026, 3, 3)),
        (("3mars2026", "", ""), date(2026, 3, 3)),
        (("(3 mars 2026)", "", ""), date(2026, 3, 3)),
        (("aujourd hui", "", ""), AUJOURD_HUI),
        (("aujourd‛hui", "", ""), AUJOURD_HUI),
        (("hier vers 20h", "", ""), date(2026, 11, 26)),
        (("hier à 14 h 30", "", ""), date(2026, 11, 26)),
        *[((f"hier{fin}", "", ""), date(2026, 11, 26)) for fin in (".", ",", " !", "\u00a0!", "…", ", vers 20h.")],
        *[((f"aujourd'hui{fin}", "", ""), AUJOURD_HUI) for fin in (".", " !", " à midi", ", 15h30", " 15:30")],
        (("", "Hier.", ""), date(2026, 11, 26)),
        *[
            ((f"hier {temps}", "", ""), date(2026, 11, 26))
            for temps in ("à midi", "vers minuit", "midi", "dans l'après-midi", "après-midi", "soir, vers 20h")
        ],
        (("yesterday at noon", "", ""), date(2026, 11, 26)),
        *[
            ((f"1 mars 2026{temps}", "", ""), LE_PREMIER_MARS)
            for temps in (" vers 15h", " à 15h30", ", à 15 h 30", " à midi", " au soir", ", dans la nuit.", " !")
        ],
        (("March 1, 2026 at 3 pm", "", ""), LE_PREMIER_MARS),
        (("2026-03-01 15:30", "", ""), LE_PREMIER_MARS),
        (("1er", "mars", "2026 vers 15h"), LE_PREMIER_MARS),
        *[((f"{a}1er mars 2026{b}", "", ""), LE_PREMIER_MARS) for a, b in ("«»", "“”", '""', "''", ("« ", " »"))],
        (("« hier »", "", ""), date(2026, 11, 26)),
        (("", " ", "\u00a0"), None),
    ],
)
def test_un_jour_se_lit_comme_on_l_ecrit(parties, jour):
    assert lire_le_jour(*parties) == jour


@pytest.mark.parametrize(
    "parties",
    [
        ("28", "11", "2026"),
        ("1", "3", "2062"),
        ("1", "3", "27"),
        ("1", "3", "1492"),
        ("29", "2", "2025"),
        ("31", "juin", "2026"),
        ("1", "13", "2026"),
        ("1", "jui", "2026"),
        ("1", "ma", "2026"),
        ("1", "messidor", "2026"),
        ("", "mars", "2026"),
        ("1", "", "2026"),
        ("1", "3", ""),
        ("demain", "", ""),
        ("hier", "3", "2026"),
        ("hiers", "", ""),
        ("9" * 5_000, "3", "2026"),
        ("1", "3", "20266"),
        ("x" * 100_000, "", ""),
        ("1 2 3 4", "", ""),
        ("1 mars vers 15h", "", ""),
        ("vers 15h", "", ""),
        ("soir", "", ""),
        (".", "", ""),
        ("demain à midi", "", ""),
        ("1 mars 2026 ?", "", ""),
    ],
)
def test_ce_qui_n_est_pas_un_jour_passe_est_refuse(parties):
    with pytest.raises(ValueError):  # noqa: PT011 -- the form says it in its own words
        lire_le_jour(*parties)


@pytest.mark.parametrize("parties", [("24/11", "", ""), ("24 nov.", "", ""), ("3", "mars", ""), ("March 3", "", "")])
def test_un_jour_sans_annee_se_dit(parties):
    with pytest.raises(SansAnnee):
        lire_le_jour(*parties)


@pytest.mark.parametrize("parties", [("31/2", "", ""), ("mars 2026", "", ""), ("32 mars", "", ""), ("3", "", "2026")])
def test_ce_qui_n_est_un_jour_d_aucune_annee_n_en_manque_pas(parties):
    with pytest.raises(ValueError) as refus:  # noqa: PT011 -- the form says it in its own words
        lire_le_jour(*parties)
    assert not isinstance(refus.value, SansAnnee)


@pytest.mark.django_db
def test_une_date_en_mots_est_relue_comme_elle_est_comprise(visiteuse):
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    visiteuse.envoyer("/ecrire/details/", {**DETAILS, "jour": "1er", "mois": "août", "annee": "26"})

    assert "1 août 2026" in visiteuse.lire("/ecrire/verifier/")
    details = visiteuse.lire("/ecrire/details/")
    assert 'value="1er"' in details
    assert 'value="août"' in details
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})
    assert f"{le_dossier().date_incident:%d/%m/%Y}" == "01/08/2026"


@pytest.mark.django_db
def test_la_date_changee_en_allant_voir_ailleurs_est_celle_qui_part(visiteuse):
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    visiteuse.envoyer("/ecrire/details/", {**DETAILS, "jour": "3", "mois": "mars", "annee": "2026"})

    visiteuse.envoyer("/ecrire/details/", {**DETAILS, "jour": "4", "mois": "mars", "annee": "2026", "vers": "aide"})

    assert "4 mars 2026" in visiteuse.lire("/ecrire/verifier/")
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})
    assert f"{le_dossier().date_incident:%d/%m/%Y}" == "04/03/2026"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("boites", "phrase"),
    [
        (("", "mars", "2026"), "Il manque le jour."),
        (("", "mars", ""), "Il manque le jour."),
        (("", "", "2025"), "Il manque le jour."),
        (("31", "2", "2026"), "Cette date n'existe pas, ou pas encore."),
        (("", "31 février 2026", ""), "Cette date n'existe pas, ou pas encore."),
        (("3", "mars", ""), "Il manque l'année."),
    ],
)
def test_une_date_incomplete_dit_ce_qui_manque(visiteuse, boites, phrase):
    visiteuse.envoyer("/ecrire/faits/", FAITS)

    jour, mois, annee = boites
    refus = visiteuse.envoyer("/ecrire/details/", {**DETAILS, "jour": jour, "mois": mois, "annee": annee})

    assert (refus.status_code, phrase in texte_de(refus)) == (422, True)

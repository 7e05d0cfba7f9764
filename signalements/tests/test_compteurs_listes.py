"""The counters tell a list what counting would, and a far page holds what an offset would."""

import random
from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone

from config.tests.outils import acteur_de
from signalements.compteurs import listes
from signalements.compteurs.pliage import plier
from signalements.compteurs.suivi import suivre
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques
from signalements.vocabulaire import RESOLUS
from socle.api import pagination
from socle.moteur.lectures import ensemble

pytestmark = pytest.mark.longue

URL = "/api/v1/signalements/"
FILTRES = [
    {},
    {"statut": "NOUVEAU"},
    {"statut": "TRAITE"},
    {"type": "vol"},
    {"priorite": "HIGH"},
    {"sourceActeur": "GUEST"},
    {"statut": "NOUVEAU", "type": "VOL"},
    {"statut": "NOUVEAU", "priorite": "HIGH"},
    {"sourceActeur": "AUTH_USER", "priorite": "HIGH", "type": "VOL"},
]


@pytest.fixture
def beaucoup(etudiante, invite, gestionnaire, admin):
    """Three days of reports, forty a day, made at once; a sixth of them reserved, half of these to the manager."""
    hasard = random.Random(7)
    modele = fabriques.signalement(acteur_de(etudiante))
    maintenant, dossiers = timezone.now(), []
    for rang in range(120):
        statut = hasard.choice(["NOUVEAU", "EN_COURS", "TRAITE"])
        cree = maintenant - timedelta(days=rang % 3, seconds=hasard.randrange(60))
        dossiers.append(
            Signalement(
                reference=f"SIG-2026-{rang:08d}",
                titre="Vol",
                description="Un sac.",
                type=hasard.choice(["VOL", "AUTRE"]),
                mode_identification="IDENTIFIE",
                statut=statut,
                priorite=hasard.choice(["HIGH", "LOW"]),
                empreinte_faits=modele.empreinte_faits,
                date_creation=cree,
                date_resolution=cree if statut in RESOLUS else None,
                **acteur_de(invite if rang % 4 == 0 else etudiante).proprietaire,
            )
        )
    with suivre(*dossiers):
        Signalement.objects.bulk_create(dossiers)
    for rang, dossier in enumerate(dossiers[::6]):
        qui = (gestionnaire, admin)[rang % 2].pk
        choix = {"ecartes": [qui]} if rang % 4 < 2 else {"admis": [qui]}
        changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), **choix)


def resoudre_et_joindre():
    """Changes that take from the counters, of every day: what is folded says more than there is."""
    ouverts = list(Signalement.objects.filter(statut="NOUVEAU", ouvert_a="TOUS").order_by("reference"))
    for rang, dossier in enumerate(ouverts[:24]):
        if rang % 3:
            fabriques.mettre(dossier, statut="TRAITE")
        else:
            fabriques.joindre(dossier, ouverts[-1])


@pytest.mark.parametrize("liste", ["", "non-traites"])
@pytest.mark.parametrize(
    ("plies", "jours"),
    [
        ("rien", {}),
        ("tout", {"debut": 2, "fin": 1}),
        *(("en partie", jours) for jours in ({}, {"debut": 1}, {"debut": 2, "fin": 1})),
    ],
)
def test_les_pages_sont_celles_qu_on_aurait_en_comptant(api, gestionnaire, beaucoup, monkeypatch, liste, jours, plies):
    if plies != "rien":
        plier()
    if plies == "en partie":
        resoudre_et_joindre()
    aujourd_hui = timezone.now().date()
    periode = {nom: str(aujourd_hui - timedelta(days=n)) for nom, n in jours.items()}
    client = api(gestionnaire)

    def pages(filtre):
        """The first, one far in, one past the end."""
        for page in (0, 1, 2, 4, 9):
            lue = client.get(f"{URL}{liste}", {**filtre, **periode, "page": page, "size": 15}).json()["data"]
            yield lue["total"], [signalement["id"] for signalement in lue["items"]]

    monkeypatch.setattr(pagination, "LOINTAINE", 10)
    des_compteurs = [list(pages(filtre)) for filtre in FILTRES]
    monkeypatch.setattr(listes, "_comptage", lambda *args, **options: None)
    en_comptant = [list(pages(filtre)) for filtre in FILTRES]

    assert des_compteurs == en_comptant
    assert any(items for _total, items in des_compteurs[0][1:])


@pytest.mark.parametrize("moment", [0, 1])
def test_un_pliage_entre_deux_lectures_ne_deplace_pas_la_page(api, gestionnaire, beaucoup, monkeypatch, moment):
    """Before the cells are read, or between them and the second look at what was not folded."""
    plier()
    resoudre_et_joindre()
    client, question = api(gestionnaire), {"page": 2, "size": 15}
    en_parcourant = client.get(f"{URL}non-traites", question).json()["data"]["items"]
    plis = []

    def lire_avec_un_pliage(*passages):
        une, *autres = passages
        if not moment:
            plis.append(plier())
        lues = ensemble(une)
        if moment:
            plis.append(plier())
        return [*lues, *(ensemble(*autres) if autres else [])]

    monkeypatch.setattr(pagination, "LOINTAINE", 1)
    monkeypatch.setattr(listes, "ensemble", lire_avec_un_pliage)

    lues = client.get(f"{URL}non-traites", question).json()["data"]["items"]

    assert [s["id"] for s in lues] == [s["id"] for s in en_parcourant]
    assert plis


@pytest.mark.parametrize("plies", ["rien", "le premier jour", "tout"])
def test_une_page_lointaine_part_pres_d_elle_combien_que_l_on_ait_plie(
    etudiante, gestionnaire, monkeypatch, django_assert_num_queries, plies
):
    """Three days of twenty reports; the last row but one of the second is asked for."""
    maintenant = timezone.now()
    for rang in range(60):
        dossier = fabriques.signalement(acteur_de(etudiante))
        with suivre(dossier):
            dossier.date_creation = maintenant - timedelta(days=rang // 20)
            dossier.save(update_fields=["date_creation"])
        if plies == "le premier jour" and rang == 19:
            plier()
    if plies == "tout":
        plier()
    monkeypatch.setattr(listes, "A_PARCOURIR", 10)
    lue = listes.de_tous(acteur_de(gestionnaire), {})
    lue.total(ensemble(*lue.passages()))

    with django_assert_num_queries(4 if plies == "tout" else 5):
        bornes, reste = lue.avancer(38)

    assert bornes["avant"].date() == maintenant.date()
    assert reste == 18


def test_plus_de_dossiers_reserves_que_de_lignes_avant_la_page(api, etudiante, gestionnaire, admin, monkeypatch):
    dossiers = [fabriques.signalement(acteur_de(etudiante)) for _ in range(5)]
    for age, dossier in enumerate(dossiers):
        with suivre(dossier):
            dossier.date_creation -= timedelta(days=age)
            dossier.save(update_fields=["date_creation"])
    for dossier in dossiers[:4]:
        changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), admis=[gestionnaire.pk])
    client = api(gestionnaire)
    monkeypatch.setattr(pagination, "LOINTAINE", 1)

    pages = [client.get(URL, {"page": page, "size": 1}).json()["data"]["items"] for page in range(6)]

    assert [item["id"] for items in pages for item in items] == [str(dossier.pk) for dossier in dossiers]


@pytest.mark.parametrize("liste", ["", "non-traites"])
def test_aucun_signalement_n_est_compte_pour_une_liste_de_l_equipe(
    api, gestionnaire, beaucoup, django_assert_num_queries, liste
):
    client = api(gestionnaire)

    with django_assert_num_queries(4) as requetes:
        client.get(f"{URL}{liste}", {"statut": "NOUVEAU", "type": "VOL"})

    comptages = [r["sql"] for r in requetes if "COUNT(*)" in r["sql"] and "LIMIT" not in r["sql"]]
    assert comptages == []


def test_ce_que_les_compteurs_ignorent_se_compte(gestionnaire):
    acteur = acteur_de(gestionnaire)
    for question, admis in product(
        ({"search": "vol"}, {"gestionnaireId": gestionnaire.pk}), ({}, {"statut": "NOUVEAU"})
    ):
        assert listes.de_tous(acteur, {**question, **admis}) is None
    assert listes.de_tous(acteur, {"statut": "NOUVEAU", "priorite": "HIGH", "debut": timezone.now().date()}) is None


@pytest.mark.parametrize("forme", ["{}", " {} ", "minuscules"])
def test_une_reference_entiere_mene_a_son_dossier_et_celle_d_un_joint_au_dossier_qui_reste(
    api, etudiante, gestionnaire, forme
):
    dossier, joint = (fabriques.signalement(acteur_de(etudiante)) for _fois in range(2))
    fabriques.signalement(acteur_de(etudiante), description=f"Comme dans {joint.reference}.")
    fabriques.joindre(joint, dossier)

    def chercher(reference):
        texte = reference.lower() if forme == "minuscules" else forme.format(reference)
        lus = api(gestionnaire).get(URL, {"search": texte}).json()["data"]
        return lus["total"], [s["id"] for s in lus["items"]]

    assert chercher(dossier.reference) == (1, [str(dossier.pk)])
    assert chercher(joint.reference) == (1, [str(dossier.pk)])
    assert chercher("SIG-2026-ZZZZZZZZ") == (0, [])


def test_une_reference_que_personne_ne_porte_se_cherche_dans_les_textes(api, etudiante, gestionnaire):
    citant = fabriques.signalement(acteur_de(etudiante), titre="Suite de SIG-2019-7K3M9QXT")

    lus = api(gestionnaire).get(URL, {"search": "sig-2019-7k3m9qxt"}).json()["data"]["items"]

    assert [signalement["id"] for signalement in lus] == [str(citant.pk)]

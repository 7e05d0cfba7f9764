"""Groups of what waits for a person: which case is in which, in what order; the case before and after; taking one."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.models import Compte
from accounts.tests import fabriques as personnes
from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from espace import triage, voisins
from espace.tests.outils import LISTE
from signalements.models import Signalement
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
GROUPE = re.compile(r'<li class="groupe" id="([a-z-]+)">')
TITRE = re.compile(r"<h3><a [^>]*><bdi>([^<]*)</bdi>")
VIDES: dict[str, list[str]] = {"tout-de-suite": [], "aujourd-hui": [], "ensuite": []}


def groupes(page):
    """Of each group, the titles of its cases in their order."""
    _avant, *reste = GROUPE.split(page)
    return {nom: TITRE.findall(lignes) for nom, lignes in zip(reste[::2], reste[1::2], strict=True)}


@pytest.fixture
def creer(etudiante):
    def creer(titre, **colonnes):
        return fabriques.mettre(fabriques.signalement(acteur_de(etudiante), titre=titre), **colonnes)

    return creer


@pytest.fixture
def ecrire(etudiante):
    def ecrire(dossier):
        moi = acteur_de(etudiante)
        discussions.message(moi, discussions.discussion(moi, signalement=dossier))

    return ecrire


def il_y_a(jours):
    return timezone.now() - timedelta(days=jours)


@pytest.fixture
def scene(api, elle, gestionnaire, admin, creer, ecrire):
    """Cases of each group, of who reads, of nobody and of somebody else."""
    creer("critique a moi", priorite="CRITICAL", gestionnaire=gestionnaire)
    creer("critique a personne", priorite="CRITICAL")
    creer("critique a elle", priorite="CRITICAL", gestionnaire=admin)
    for titre, colonnes in (
        ("lu moyen", {}),
        ("haute", {"priorite": "HIGH"}),
        ("a elle, ecrit", {"gestionnaire": admin}),
    ):
        ecrire(creer(titre, **{"gestionnaire": gestionnaire, **colonnes}))
    creer("calme recent", gestionnaire=gestionnaire, statut="EN_COURS", date_modification=il_y_a(1))
    creer("calme ancien", gestionnaire=gestionnaire, statut="EN_COURS", date_modification=il_y_a(9))
    creer("libre", date_creation=il_y_a(5))
    creer("calme a elle", gestionnaire=admin, date_modification=il_y_a(30))
    creer("fini", gestionnaire=gestionnaire, statut="TRAITE")
    clos = creer("rouvrable", gestionnaire=gestionnaire)
    api(gestionnaire).put(f"/api/v1/signalements/{clos.pk}/statut", {"statut": "CLOTURE"})
    ecrire(clos)
    cache.clear()


def test_ce_qui_est_a_faire_est_en_trois_groupes(elle, scene):
    assert groupes(elle.lire()) == {
        "tout-de-suite": ["rouvrable", "critique a moi", "critique a personne"],
        "aujourd-hui": ["haute", "lu moyen"],
        "ensuite": ["calme ancien", "libre", "calme recent"],
    }


def test_ce_que_personne_n_a_commence_est_du_jour_deux_jours_durant(elle, gestionnaire, creer, ecrire):
    creer("haut, recu hier", priorite="HIGH", date_creation=il_y_a(1.01))
    creer("recu ce matin")
    creer("recu avant", date_creation=il_y_a(3))
    creer("bas, recu", priorite="LOW")
    creer("confie par une regle", gestionnaire=gestionnaire, statut="ASSIGNE")
    creer("confie avant", gestionnaire=gestionnaire, statut="ASSIGNE", date_creation=il_y_a(3))
    creer("commence", gestionnaire=gestionnaire, statut="EN_COURS")
    creer("critique", priorite="CRITICAL")
    ecrire(creer("lu moyen", gestionnaire=gestionnaire))
    ecrire(creer("libre, ecrit", priorite="HIGH"))

    assert groupes(elle.lire()) == {
        "tout-de-suite": ["critique"],
        "aujourd-hui": [
            *("libre, ecrit", "haut, recu hier"),
            *("lu moyen", "recu ce matin", "confie par une regle"),
            "bas, recu",
        ],
        "ensuite": ["recu avant", "confie avant", "commence"],
    }
    assert "reçu il y a 24 h" in elle.lire()
    assert "reçu à l'instant" in elle.lire()


def test_les_miens_de_meme_sans_ceux_de_personne(elle, scene):
    assert groupes(elle.lire(vue="a-moi")) == {
        "tout-de-suite": ["rouvrable", "critique a moi"],
        "aujourd-hui": ["haute", "lu moyen"],
        "ensuite": ["calme ancien", "calme recent"],
    }


def test_un_groupe_vide_le_dit(elle):
    page = elle.lire()

    assert groupes(page) == VIDES
    assert page.count("rien pour le moment") == 3


def test_un_dossier_ferme_a_qui_lit_et_le_sien_ne_sont_dans_aucun(api, elle, gestionnaire, admin, creer, etudiante):
    ferme = creer("fermé", priorite="CRITICAL")
    api(admin).put(f"/api/v1/signalements/{ferme.pk}/lecteurs", {"ecartes": [str(gestionnaire.pk)]})
    fabriques.mettre(fabriques.signalement(acteur_de(gestionnaire), titre="le sien"), priorite="CRITICAL")

    assert groupes(elle.lire()) == VIDES


def test_un_groupe_plein_le_dit_et_mene_a_toute_la_liste(monkeypatch, elle, gestionnaire, creer):
    monkeypatch.setattr(triage, "TAILLE", 2)
    for jours in (3, 2, 1):
        creer(f"de {jours} jours", gestionnaire=gestionnaire, statut="EN_COURS", date_modification=il_y_a(jours))

    page = elle.lire(vue="a-moi")

    assert groupes(page)["ensuite"] == ["de 3 jours", "de 2 jours"]
    assert "les 2 premiers" in page
    assert len(TITRE.findall(elle.lire(vue="a-moi", tri="anciens"))) == 3
    assert 'href="?vue=a-moi&tri=anciens"' in page


@pytest.mark.parametrize("question", [{"tri": "anciens"}, {"search": "libre"}, {"priorite": "LOW"}])
def test_trier_ou_filtrer_ce_qui_est_a_faire_porte_sur_tout_ce_qui_est_ouvert(elle, scene, question):
    page = elle.lire(vue="a-faire", **question)

    assert groupes(page) == {}
    assert re.search(r'vue=ouverts"[^>]*aria-current="page"', page)


def test_par_urgence_page_apres_page(monkeypatch, elle, creer):
    monkeypatch.setattr("espace.pages.liste.TAILLE", 2)
    for rang, priorite in enumerate(("LOW", "CRITICAL", "MEDIUM", "CRITICAL", "HIGH")):
        creer(f"{priorite} {rang}", priorite=priorite)
    attendus = ["CRITICAL 1", "CRITICAL 3", "HIGH 4", "MEDIUM 2", "LOW 0"]

    lus, adresse = [], "?vue=ouverts&tri=urgents"
    while adresse:
        page = elle.lire(f"{LISTE}{adresse}")
        lus.append(TITRE.findall(page))
        suite = re.search(r'rel="next" href="([^"]*)"', page)
        adresse = suite and suite[1]

    assert lus == [attendus[:2], attendus[2:4], attendus[4:]]
    retour = re.search(r'rel="prev" href="([^"]*)"', page)[1]
    assert TITRE.findall(elle.lire(f"{LISTE}{retour}")) == attendus[2:4]


def test_une_puce_retire_son_filtre(elle, scene):
    page = elle.lire(priorite="HIGH", search="haute")
    puces = re.findall(r'class="puce" href="([^"]*)".*?</span>(.*?)<bdi>(.*?)</bdi>', page)

    assert puces == [
        ("?vue=ouverts&search=haute", "Priorité : ", "Haute"),
        ("?vue=ouverts&priorite=HIGH", "Chercher : ", "haute"),
    ]


def test_la_ligne_dit_la_derniere_activite_et_la_reception(elle, creer, ecrire):
    dossier = creer("libre", date_creation=il_y_a(9), date_modification=il_y_a(9))
    assert re.findall(r"(\d+ (?:j|min))<", elle.lire()) == ["9 j", "9 j"]

    ecrire(dossier)

    assert re.findall(r"(\d+ (?:j|min))<", elle.lire()) == ["0 min", "9 j"]


def test_l_onglet_compte_ce_qui_n_est_pas_lu(elle, scene, creer, ecrire):
    assert "<title>(4) Dossiers · " in elle.lire()

    dossier = Signalement.objects.get(titre="haute")
    assert f">(1) {dossier.reference} · " in elle.dossier(dossier)


# Taking one


def test_prendre_de_la_liste_le_dit_sur_sa_ligne(elle, gestionnaire, creer):
    dossier = creer("libre")

    pris = elle.agir(dossier, "assigner", gestionnaire_id=gestionnaire.pk, vu="", liste="?vue=a-faire")

    assert pris.headers["Location"] == f"{LISTE}?vue=a-faire&pris={dossier.pk}.0#fait"
    page = elle.lire(pris.headers["Location"].partition("#")[0])
    ligne = page.partition(f'id="d-{dossier.pk}"')[2].partition("</li>")[0]
    assert 'id="fait" role="status" tabindex="-1">Pris.' in ligne
    assert page.count('id="fait"') == 1


@pytest.mark.parametrize("age", [1, 9])
def test_des_dossiers_pris_restent_ou_ils_etaient_le_temps_de_suivre_la_liste(elle, gestionnaire, creer, age):
    quatre = [
        creer(titre, date_creation=il_y_a(age), date_modification=il_y_a(age))
        for titre in ("un", "deux", "trois", "quatre")
    ]
    page = elle.lire()
    avant = groupes(page)

    for rang in (1, 2):
        bouton = re.search(rf'formaction="({LISTE}{quatre[rang - 1].pk}/assigner/\?n={rang})"', page)
        prises = re.search(r'name="prises" value="([^"]*)"', page)
        donnees = {"gestionnaire_id": gestionnaire.pk, "vu_assigner": "", "liste": "?vue=a-faire"}
        pris = elle.envoyer(bouton[1], {**donnees, **({"prises": prises[1]} if prises else {})})
        page = elle.lire(pris.headers["Location"].partition("#")[0])

        assert groupes(page) == avant
        assert page.count('id="fait"') == 1


@pytest.mark.parametrize("place", ["0", "-1", "x", "999", "99999999999", "", "1.2"])
def test_une_place_qui_n_en_est_pas_une_ne_perd_aucun_dossier(elle, gestionnaire, creer, place):
    dossier = creer("un", gestionnaire=gestionnaire)

    assert groupes(elle.lire(vue="a-faire", pris=f"{dossier.pk}.{place}"))["aujourd-hui"] == ["un"]


def test_prendre_d_une_liste_qu_il_quitte_le_dit_au_dessus(elle, gestionnaire, creer):
    dossier = creer("libre")
    pris = elle.agir(dossier, "assigner", gestionnaire_id=gestionnaire.pk, vu="", liste="?vue=non-attribues")

    page = elle.lire(pris.headers["Location"].partition("#")[0])

    assert TITRE.findall(page) == []
    assert f'Vous vous occupez de <bdi>libre</bdi>. <a href="{LISTE}{dossier.pk}/">Ouvrir</a>' in page


@pytest.mark.parametrize("pris", ["x", "", "00000000-0000-4000-8000-000000000000"])
def test_une_adresse_qui_dit_pris_ce_qui_ne_l_est_pas_ne_dit_rien(elle, creer, pris):
    libre = creer("libre")

    assert 'id="fait"' not in elle.lire(pris=pris)
    assert 'id="fait"' not in elle.lire(pris=str(libre.pk))


def test_pris_ne_nomme_pas_un_dossier_ferme_depuis(api, elle, gestionnaire, admin, creer):
    dossier = creer("secret", gestionnaire=gestionnaire)
    api(admin).put(f"/api/v1/signalements/{dossier.pk}/lecteurs", {"ecartes": [str(gestionnaire.pk)]})

    assert "secret" not in elle.lire(pris=str(dossier.pk))


# The case before and the one after


def ouvrir(elle, dossier, suite="?vue=a-faire"):
    page = elle.lire(f"{LISTE}{dossier.pk}/{suite}")
    liens = {sens: re.search(rf'rel="{sens}" href="{LISTE}([0-9a-f-]+)/', page) for sens in ("prev", "next")}
    rang = re.search(r'id="rang" data-bloc>· (.*?)</span>', page)
    return rang and rang[1], *(
        Signalement.objects.get(pk=liens[sens][1]).titre if liens[sens] else None for sens in ("prev", "next")
    )


def test_un_dossier_dit_sa_place_dans_la_liste_d_ou_l_on_vient(elle, scene):
    dossiers = {un.titre: un for un in Signalement.objects.all()}

    assert ouvrir(elle, dossiers["rouvrable"]) == ("1 sur 8", None, "critique a moi")
    assert ouvrir(elle, dossiers["haute"]) == ("4 sur 8", "critique a personne", "lu moyen")
    assert ouvrir(elle, dossiers["calme recent"]) == ("8 sur 8", "libre", None)
    assert ouvrir(elle, dossiers["critique a moi"], "?vue=ouverts&tri=urgents&priorite=CRITICAL") == (
        *("1 sur 3", None),
        "critique a personne",
    )
    assert ouvrir(elle, dossiers["haute"], "") == (None, None, None)


def test_un_dossier_qui_quitte_la_liste_mene_a_celui_qui_a_pris_sa_place(elle, scene):
    haute = Signalement.objects.get(titre="haute")
    page = elle.lire(f"{LISTE}{haute.pk}/?vue=a-moi")
    dans = re.search(r'name="dans" value="([^"]*)"', page)[1]
    assert dans == "?vue=a-moi&rang=3"

    fait = elle.agir(haute, "statut", statut="TRAITE", vu="NOUVEAU", vu_jamais_lus="1", dans=dans)

    suite = fait.headers["Location"].partition("/?")[2].partition("#")[0]
    assert suite == "vue=a-moi&rang=3&fait=statut"
    assert ouvrir(elle, haute, f"?{suite}") == (None, "critique a moi", "lu moyen")


def test_au_dela_des_premiers_on_ne_dit_pas_sur_combien(monkeypatch, elle, creer):
    monkeypatch.setattr(voisins, "VOISINS_MAX", 2)
    tous = [creer(f"{rang}") for rang in range(3)]

    assert ouvrir(elle, tous[1], "?vue=ouverts&tri=anciens") == ("le n° 2", "0", None)
    assert ouvrir(elle, tous[2], "?vue=ouverts&tri=anciens") == (None, None, None)


def test_un_groupe_plein_ne_dit_pas_sur_combien(monkeypatch, elle, gestionnaire, creer):
    monkeypatch.setattr(triage, "TAILLE", 2)
    siens = {"gestionnaire": gestionnaire, "statut": "EN_COURS"}
    tous = [creer(f"{jours}", date_modification=il_y_a(jours), **siens) for jours in (3, 2, 1)]

    assert ouvrir(elle, tous[1], "?vue=a-moi") == ("le n° 2", "3", None)


def test_ce_qui_est_ecrit_apres_la_cloture_a_sa_place_dans_chaque_liste_ou_il_vient_d_abord(elle, scene):
    rouvrable, dernier = (Signalement.objects.get(titre=titre) for titre in ("rouvrable", "calme ancien"))

    assert ouvrir(elle, rouvrable, "?vue=a-moi&tri=anciens")[:2] == ("1 sur 6", None)
    assert ouvrir(elle, dernier, "?vue=a-moi&tri=anciens")[0] == "6 sur 6"


def test_la_premiere_page_retrouvee_montre_encore_ce_qui_est_ecrit_apres_la_cloture(monkeypatch, elle, scene):
    monkeypatch.setattr("espace.pages.liste.TAILLE", 3)
    premiere = elle.lire(vue="a-moi", tri="anciens")
    suite = re.search(r'rel="next" href="([^"]*)"', premiere)[1]
    retour = re.search(r'rel="prev" href="([^"]*)"', elle.lire(f"{LISTE}{suite}"))[1]

    assert TITRE.findall(elle.lire(f"{LISTE}{retour}")) == TITRE.findall(premiere)
    assert TITRE.findall(premiere)[0] == "rouvrable"


def test_pris_ne_dit_pas_a_l_autrice_qu_elle_traite_le_sien(elle, gestionnaire):
    le_sien = fabriques.mettre(
        fabriques.signalement(acteur_de(gestionnaire), titre="le sien"), gestionnaire=gestionnaire
    )

    assert "Vous vous occupez" not in elle.lire(pris=str(le_sien.pk))


def test_un_dossier_fini_ne_se_prend_d_aucune_liste(elle, creer, ecrire):
    fini = creer("fini", statut="CLOTURE")
    ecrire(fini)

    for question in ({"vue": "non-lus"}, {"search": fini.reference}):
        page = elle.lire(**question)
        assert (TITRE.findall(page), "Prendre" in page.partition('id="lignes"')[2]) == (["fini"], False)


def test_un_dossier_ferme_a_qui_lit_n_est_le_voisin_d_aucun(api, elle, gestionnaire, admin, creer):
    premier, ferme, dernier = (creer(nom) for nom in ("premier", "fermé", "dernier"))
    api(admin).put(f"/api/v1/signalements/{ferme.pk}/lecteurs", {"ecartes": [str(gestionnaire.pk)]})

    assert ouvrir(elle, premier, "?vue=ouverts&tri=anciens") == ("1 sur 2", None, "dernier")
    assert ouvrir(elle, dernier, "?vue=ouverts&tri=anciens") == ("2 sur 2", "premier", None)


@pytest.mark.parametrize(
    "suite", ["?vue=a-faire&rang=99999", "?vue=x&rang=%C2%B2", "?vue=ouverts&statut=X", "?vue=clos&rang="]
)
def test_une_adresse_que_nous_n_avons_pas_ecrite_ne_casse_rien(elle, creer, suite):
    assert ouvrir(elle, creer("libre"), suite)


def test_qui_est_parti_ne_laisse_rien_au_premier_groupe_d_un_autre(elle, creer):
    parti = personnes.gestionnaire(email="parti@campus.test")
    creer("de qui est parti", priorite="CRITICAL", gestionnaire=parti)
    Compte.objects.filter(pk=parti.pk).update(est_actif=False)

    page = elle.lire()

    assert groupes(page) == VIDES
    assert "n'est plus de l'équipe" in page

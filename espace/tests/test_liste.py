"""The lists: which cases each shows, how many, in what order, under which filters, and what is kept of them."""

import re

import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext

from accounts.models import Compte, Preferences
from accounts.tests import fabriques as personnes
from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from espace.pages import liste
from espace.services.filtres import FILTRES_MAX
from espace.tests.outils import LISTE, texte_de
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
COMPTE = re.compile(r'vue=([a-z-]+)"[^>]*>[^<]*<span class="compte">([^<]+)<')


def comptes(page):
    return dict(COMPTE.findall(page))


def references(page):
    return re.findall(r'<p class="indice"><span[^>]*>(SIG-\d{4}-\w{8})', page)


@pytest.fixture
def scene(api, etudiante, gestionnaire, admin):
    """One case of each kind, by name."""
    dossiers = {
        nom: fabriques.signalement(acteur_de(etudiante), titre=nom)
        for nom in ("libre", "a_moi", "a_elle", "non_lu", "traite", "clos")
    }
    for nom, qui in (("a_moi", gestionnaire), ("a_elle", admin), ("non_lu", admin)):
        api(admin).put(f"/api/v1/signalements/{dossiers[nom].pk}/assigner", {"gestionnaireId": str(qui.pk)})
    for nom, statut in (("traite", "TRAITE"), ("clos", "CLOTURE")):
        api(admin).put(f"/api/v1/signalements/{dossiers[nom].pk}/statut", {"statut": statut})
    discussion = discussions.discussion(acteur_de(etudiante), signalement=dossiers["non_lu"])
    discussions.message(acteur_de(etudiante), discussion)
    return dossiers


@pytest.mark.parametrize(
    ("vue", "attendus"),
    [
        ("a-moi", ["a_moi"]),
        ("non-attribues", ["libre"]),
        ("non-lus", ["non_lu"]),
        ("ouverts", ["non_lu", "a_elle", "a_moi", "libre"]),
        ("clos", ["clos", "traite"]),
        ("inconnue", ["libre", "a_moi"]),  # by groups (`test_triage.py`)
    ],
)
def test_chaque_liste_montre_les_siens_et_les_compte(elle, scene, vue, attendus):
    page = elle.lire(vue=vue)

    assert references(page) == [scene[nom].reference for nom in attendus]
    assert comptes(page) == {
        **{"a-faire": "2", "a-moi": "1", "non-attribues": "1"},
        **{"non-lus": "1", "ouverts": "4", "clos": "2"},
    }


def test_les_plus_anciens_d_abord(elle, scene):
    recents, anciens = (references(elle.lire(tri=tri)) for tri in ("recents", "anciens"))

    assert anciens == recents[::-1]


@pytest.mark.parametrize(
    ("question", "attendus"),
    [
        ({"search": "a_moi"}, ["a_moi"]),
        ({"gestionnaireId": "aucun"}, ["libre"]),
        ({"statut": "NOUVEAU"}, ["libre"]),
        ({"vue": "clos", "statut": "TRAITE"}, ["traite"]),
        ({"priorite": "CRITICAL"}, []),
        ({"debut": "2020-01-01", "type": "harcelement", "sourceActeur": "AUTH_USER", "search": "LIBRE"}, ["libre"]),
    ],
)
def test_les_filtres_se_croisent_et_restent_dans_l_adresse(elle, scene, question, attendus):
    page = elle.lire(**question)

    assert references(page) == [scene[nom].reference for nom in attendus]
    assert f"{len(attendus)} dossier" in page
    assert ("Aucun dossier ne répond à ces filtres." in page) == (not attendus)


def test_une_recherche_sans_reponse_mene_aux_autres_dossiers(elle, scene):
    ouverts, clos = elle.lire(search="introuvable"), elle.lire(search="introuvable", vue="clos")

    assert '<a href="?vue=clos&search=introuvable">Chercher parmi les clos</a>' in ouverts
    assert '<a href="?vue=ouverts&search=introuvable">Chercher parmi les ouverts</a>' in clos


@pytest.mark.parametrize("vue", ["a-faire", "clos"])
def test_une_reference_de_nulle_part_ne_se_cherche_pas_une_seconde_fois(elle, scene, vue):
    page = elle.lire(search="SIG-2026-ZZZZZZZZ", vue=vue)

    assert "Aucun dossier ne répond à ces filtres." in page
    assert "Chercher parmi" not in page  # every state was


def test_une_reference_mene_a_son_dossier(elle, scene):
    assert references(elle.lire(search=scene["libre"].reference)) == [scene["libre"].reference]


@pytest.mark.parametrize(
    "question",
    [{"statut": "X"}, {"debut": "hier"}, {"gestionnaireId": "moi"}, {"search": "a\x00b"}, {"type": "x" * 60}],
)
def test_un_filtre_illisible_est_dit_et_ne_montre_rien(elle, scene, question):
    page = elle.lire(attendu=422, **question)

    assert 'class="erreur"' in page
    assert references(page) == []


@pytest.mark.parametrize("place", ["x", "1", "1.x", f"{10**30}.{'0' * 32}", f"-1.{'0' * 32}", "", "." * 70])
@pytest.mark.parametrize("cote", ["apres", "avant"])
def test_une_place_que_cette_page_n_a_pas_ecrite_ne_casse_rien(elle, scene, cote, place):
    assert elle.lire(**{cote: place})


def lien(page, sens):
    """The query of the link to the next page, or to the one before."""
    trouve = re.search(rf'rel="{sens}" href="\?([^"]*)"', page)
    return QueryDict(trouve[1]).dict() if trouve else None


@pytest.mark.parametrize("tri", ["recents", "anciens"])
def test_page_apres_page_chaque_dossier_une_fois(monkeypatch, elle, scene, tri):
    monkeypatch.setattr(liste, "TAILLE", 3)
    toutes = references(elle.lire(tri=tri, vue="clos")) + references(elle.lire(tri=tri))

    premiere = elle.lire(tri=tri)
    seconde = elle.lire(**lien(premiere, "next"))
    de_retour = elle.lire(**lien(seconde, "prev"))

    assert (len(references(premiere)), len(references(seconde))) == (3, 1)
    assert set(references(premiere)).isdisjoint(references(seconde))
    assert (lien(premiere, "prev"), lien(seconde, "next")) == (None, None)
    assert references(de_retour) == references(premiere)
    assert len(toutes) == 5


def test_la_page_suivante_reprend_apres_la_derniere_ligne_vue(api, monkeypatch, elle, gestionnaire, etudiante):
    """What was taken from the first page does not make the second skip as many."""
    monkeypatch.setattr(liste, "TAILLE", 3)
    tous = [fabriques.signalement(acteur_de(etudiante)) for _fois in range(9)][::-1]
    premiere = elle.lire(vue="non-attribues")
    for dossier in tous[:3]:
        elle.agir(dossier, "assigner", gestionnaire_id=gestionnaire.pk, vu="", liste="?vue=non-attribues")

    suivante = elle.lire(**lien(premiere, "next"))
    derniere = elle.lire(**lien(suivante, "next"))

    assert references(suivante) == [un.reference for un in tous[3:6]]
    assert references(derniere) == [un.reference for un in tous[6:]]
    assert references(elle.lire(**lien(derniere, "prev"))) == [un.reference for un in tous[3:6]]
    assert references(elle.lire(**lien(suivante, "prev"))) == [un.reference for un in tous[3:6]]  # the start, now


def test_deux_dossiers_d_un_meme_instant_se_suivent(monkeypatch, elle, etudiante):
    monkeypatch.setattr(liste, "TAILLE", 1)
    tous = [fabriques.signalement(acteur_de(etudiante)) for _fois in range(3)]
    for un in tous:
        fabriques.mettre(un, date_creation=tous[0].date_creation)
    vues, page = [], elle.lire()
    vues += references(page)
    while suite := lien(page, "next"):
        page = elle.lire(**suite)
        vues += references(page)

    assert sorted(vues) == sorted(un.reference for un in tous)
    assert len(set(vues)) == 3


def test_les_siens_ne_disent_pas_qui_les_traite(api, elle, gestionnaire, admin):
    le_sien = fabriques.signalement(acteur_de(gestionnaire))

    assert references(elle.lire(vue="non-attribues")) == []
    assert comptes(elle.lire())["non-attribues"] == "0"
    api(admin).put(f"/api/v1/signalements/{le_sien.pk}/assigner", {"gestionnaireId": str(admin.pk)})
    assert "Votre propre dossier" in elle.lire(vue="ouverts")
    assert admin.nom_complet not in elle.lire(vue="ouverts").partition('id="lignes"')[2]
    assert references(elle.lire(vue="a-faire")) == []


def test_un_filtre_se_garde_se_renomme_et_se_retire(elle, gestionnaire, scene):
    Preferences.objects.create(compte=gestionnaire, parametres={"couleur": "bleu"})
    adresse = "?vue=ouverts&tri=anciens&statut=NOUVEAU"

    garde = elle.envoyer("/equipe/filtres/", {"nom": " Les  nouveaux ", "adresse": adresse + "&intrus=1"})
    assert garde.headers["Location"] == f"{LISTE}{adresse}"
    assert f'href="{LISTE}{adresse}"><bdi>Les nouveaux</bdi></a>' in elle.lire()
    assert "Mes filtres (1)" in elle.lire()

    elle.envoyer("/equipe/filtres/", {"acte": "renommer", "ancien": "Les nouveaux", "nom": "Le matin"})
    assert [un["nom"] for un in Preferences.objects.get().parametres["filtres"]] == ["Le matin"]

    elle.envoyer("/equipe/filtres/", {"acte": "retirer", "ancien": "Le matin"})
    assert Preferences.objects.get().parametres == {"couleur": "bleu", "filtres": []}


def test_les_filtres_gardes_ont_une_limite_et_un_nom(elle, gestionnaire):
    for rang in range(FILTRES_MAX):
        assert elle.envoyer("/equipe/filtres/", {"nom": f"Filtre {rang}", "adresse": ""}).status_code == 303

    de_trop = elle.envoyer("/equipe/filtres/", {"nom": "De trop", "adresse": ""})
    assert (de_trop.status_code, "retirez-en un" in texte_de(de_trop)) == (409, True)
    for nom in ("", "   ", "x" * 61, "a\x00b"):
        refuse = elle.envoyer("/equipe/filtres/", {"nom": nom, "adresse": "?vue=clos"})
        assert refuse.status_code in (409, 422), nom
    assert elle.envoyer("/equipe/filtres/", {"nom": "Filtre 3", "adresse": "?vue=clos"}).status_code == 303
    assert len(Preferences.objects.get().parametres["filtres"]) == FILTRES_MAX


@pytest.mark.parametrize("filtres", [None, "x", [1, {"nom": 2, "adresse": "x"}], {"nom": "x"}])
def test_ce_qu_un_autre_client_a_ecrit_la_ne_casse_rien(elle, gestionnaire, filtres):
    Preferences.objects.create(compte=gestionnaire, parametres={"filtres": filtres})

    assert "Mes filtres" in elle.lire()
    assert elle.envoyer("/equipe/filtres/", {"nom": "Le mien", "adresse": "?vue=clos"}).status_code == 303


def test_les_filtres_d_une_personne_ne_sont_qu_a_elle(elle, equipiere, admin):
    elle.envoyer("/equipe/filtres/", {"nom": "Mon secret", "adresse": "?vue=clos"})

    assert "Mon secret" not in equipiere(admin).lire()


def test_le_cout_ne_suit_pas_le_nombre_de_dossiers(elle, etudiante):
    couts = []
    for combien in (1, 8):
        for _fois in range(combien):
            dossier = fabriques.signalement(acteur_de(etudiante))
            discussion = discussions.discussion(acteur_de(etudiante), signalement=dossier)
            for _message in range(3):
                discussions.message(acteur_de(etudiante), discussion)
        listes = (LISTE, f"{LISTE}?vue=non-lus", f"{LISTE}?search=amphi", f"{LISTE}?tri=urgents")
        for adresse in (*listes, f"{LISTE}{dossier.pk}/", f"{LISTE}{dossier.pk}/?vue=ouverts"):
            elle.lire(adresse)
            with CaptureQueriesContext(
                connection,
            ) as lues:
                elle.lire(adresse)
            couts.append((adresse.replace(str(dossier.pk), ""), len(lues)))

    premiers, derniers = dict(couts[:6]), dict(couts[6:])
    assert premiers == derniers
    assert derniers[LISTE] <= 15
    assert max(derniers[adresse] for adresse in listes[1:3]) <= 9
    assert derniers[f"{LISTE}?tri=urgents"] <= 12
    assert derniers[f"{LISTE}/"] <= 14
    assert derniers[f"{LISTE}/?vue=ouverts"] <= 17  # one of them what the case was answered with by itself


def test_qui_est_parti_ne_coute_pas_une_requete_de_plus(elle, etudiante):
    for nombre in (1, 4):
        for rang in range(nombre):
            parti = personnes.gestionnaire(email=f"parti{nombre}{rang}@campus.test")
            fabriques.mettre(fabriques.signalement(acteur_de(etudiante)), gestionnaire=parti)
            Compte.objects.filter(pk=parti.pk).update(est_actif=False)
        elle.lire(LISTE)
        with CaptureQueriesContext(connection) as lues:
            page = elle.lire(LISTE)
        assert (page.count("n'est plus de l'équipe"), len(lues)) == ({1: 1, 4: 5}[nombre], 15)


def test_un_nom_deja_pris_ne_remplace_pas_un_autre_filtre(elle, gestionnaire):
    for nom in ("un", "deux"):
        elle.envoyer("/equipe/filtres/", {"nom": nom, "adresse": f"?search={nom}"})

    refuse = elle.envoyer("/equipe/filtres/", {"acte": "renommer", "ancien": "un", "nom": "deux"})

    assert (refuse.status_code, "porte déjà ce nom" in texte_de(refuse)) == (422, True)
    assert len(Preferences.objects.get().parametres["filtres"]) == 2


def test_deux_clics_renomment_une_fois(elle):
    elle.envoyer("/equipe/filtres/", {"nom": "Vols", "adresse": "?type=VOL"})

    renommes = [
        elle.envoyer("/equipe/filtres/", {"ancien": "Vols", "nom": "Vélos", "adresse": ""}) for _clic in range(2)
    ]

    assert [un.status_code for un in renommes] == [303, 303]
    assert '<a href="/equipe/dossiers/?vue=ouverts&type=VOL"><bdi>Vélos</bdi></a>' in elle.lire()


def test_une_longue_recherche_se_garde_entiere(elle, gestionnaire):
    cherche = "é" * 190

    elle.envoyer("/equipe/filtres/", {"nom": "Long", "adresse": f"?vue=clos&tri=anciens&search={cherche}"})

    garde = QueryDict(Preferences.objects.get().parametres["filtres"][0]["adresse"])
    assert (garde["vue"], garde["tri"], garde["search"]) == ("clos", "anciens", cherche)


def test_les_liens_d_un_nom_refuse_menent_a_la_liste(elle):
    assert elle.get("/equipe/filtres/?vue=clos&search=a").headers["Location"] == f"{LISTE}?vue=clos&search=a"


def test_ce_que_garde_un_autre_client_reste(elle, gestionnaire):
    Preferences.objects.create(compte=gestionnaire, parametres={"filtres": [{"forme": "autre"}]})

    elle.envoyer("/equipe/filtres/", {"nom": "Le mien", "adresse": "?vue=clos"})

    assert {"forme": "autre"} in Preferences.objects.get().parametres["filtres"]


def test_un_nom_refuse_se_corrige_sur_sa_ligne(elle):
    for nom in ("un", "deux"):
        elle.envoyer("/equipe/filtres/", {"nom": nom, "adresse": "?vue=ouverts"})

    page = texte_de(elle.envoyer("/equipe/filtres/", {"acte": "renommer", "ancien": "un", "nom": "deux"}))

    ligne = page.partition('name="ancien" value="un"')[2].partition("</form>")[0]
    assert 'class="erreur"' in ligne
    assert 'value="deux" maxlength="60" aria-invalid="true"' in ligne
    assert page.count('aria-invalid="true"') == 1


def test_ce_que_traite_encore_qui_est_parti_ne_compte_que_ce_que_l_on_lit(elle, gestionnaire, admin, etudiante):
    """Neither a case that is closed to the reader, nor their own, nor what is done, nor what others handle."""
    zed, yan = (personnes.gestionnaire(prenom=prenom, nom="Parti") for prenom in ("Zed", "Yan"))
    autre = personnes.gestionnaire(prenom="Ana", nom="Sans dossier")

    def confier(a, par=etudiante, admis=(), **champs):
        dossier = fabriques.signalement(acteur_de(par))
        if admis:
            changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), admis=[qui.pk for qui in admis])
        fabriques.mettre(dossier, gestionnaire=a, **champs)

    confier(zed)
    confier(zed, statut="TRAITE")
    confier(zed, admis=(zed, admin))
    confier(zed, par=gestionnaire)
    confier(yan, admis=(yan, gestionnaire))
    confier(admin)
    confier(None)
    Compte.objects.filter(pk__in=[zed.pk, yan.pk]).update(est_actif=False)

    page = elle.lire()

    partis = page.partition('id="partis"')[2].partition("</ul>")[0]
    nommes = re.findall(r"(Zed|Yan) Parti</bdi>[^<]*<a[^>]*>([^<]+)<", partis)
    assert nommes == [("Yan", "1 dossier"), ("Zed", "1 dossier")]
    assert autre.nom_complet in page


def test_un_dossier_que_l_on_a_ecrit_n_est_pas_a_soi_de_traiter(elle, gestionnaire):
    sien = fabriques.signalement(acteur_de(gestionnaire))
    fabriques.mettre(sien, gestionnaire=gestionnaire)

    page = elle.lire(vue="a-moi")

    assert (references(page), comptes(page)["a-moi"]) == ([], "0")


# --- What tells six cases of one kind apart ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("titre", "description", "dit"),
    [
        ("Harcèlement", "Il m'attend\n\n chaque soir.", "Il m'attend chaque soir."),
        ("Il m'attend", "Il m'attend. Chaque soir.", "Chaque soir."),
        ("Il m'attend chaque…", "Il m'attend chaque soir.", "soir."),
        ("Tout est là", "Tout est là", ""),
        ("Tout  est\nlà", "Tout est là. Vraiment.", "Vraiment."),
        ("Vol", "Voleur vu au bâtiment B.", "Voleur vu au bâtiment B."),
        ("…", "Il m'attend.", "Il m'attend."),
        ("Vol", "mot " * 60, f"{'mot ' * 39}mot…"),
    ],
)
def test_un_extrait_tient_en_une_ligne_et_ne_redit_pas_le_titre(titre, description, dit):
    assert liste.extrait(titre, description) == dit


def test_la_liste_dit_l_etat_et_la_priorite_par_une_forme_et_un_mot(elle, etudiante):
    fabriques.signalement(acteur_de(etudiante), titre="Vol", description="Mon vélo, au bâtiment B.")

    page = elle.lire(vue="ouverts")

    assert "<bdi>Mon vélo, au bâtiment B.</bdi>" in page
    assert re.search(r'class="pilule nouveau"><svg[^>]*><use href="#i-nouveau"/></svg>Nouveau<', page)
    assert re.search(r'class="prio moyenne"><svg[^>]*><use href="#i-moyenne"/></svg>Moyenne<', page)
    assert {"i-nouveau", "i-clos", "i-basse"} <= set(re.findall(r'symbol id="([\w-]+)"', page))

"""A merge is not seen from outside: of a report that hides its author, nothing that anybody else reads changes."""

from functools import partial

import pytest
from django.test import Client

from accounts.tests import fabriques as comptes
from accounts.tests.outils import entrer
from config.tests.outils import acteur_de
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.outils import fusionner
from guests.tests.vue import DISCUSSIONS, SIGNALEMENTS, dossier_vu, lire, service_vu, vivre
from signalements.compteurs.recompte import ecarts
from signalements.tests import fabriques as signalements
from socle.domaine.identite import pseudonyme
from stats.tests.outils import exporter

pytestmark = [pytest.mark.django_db, pytest.mark.longue]
EQUIPE = ("gestionnaire", "admin")


@pytest.fixture
def ruth(db):
    """A manager who once reported without an account."""
    return comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth")


def tout_vu(client, site, cas, lecteur):
    vu = service_vu(client, site, lecteur)
    for un in cas:
        vu |= dossier_vu(client, *un)
    return vu


@pytest.fixture
def vecu(invite, gestionnaire):
    """`vecu(mode)`: a case of the guest on which both sides have written, with files."""
    return partial(vivre, invite, gestionnaire)


@pytest.mark.parametrize(
    ("persona", "cible", "mode"),
    [
        ("gestionnaire", "etudiante", "ANONYME"),
        ("gestionnaire", "ruth", "ANONYME"),
        ("admin", "etudiante", "PSEUDONYME"),
    ],
)
def test_rien_de_ce_que_lit_l_equipe_ne_change(
    api, personne, evenements, etudiante, ruth, invite, vecu, persona, cible, mode
):
    signalements.signalement(acteur_de(etudiante), description="Tout autre chose.")
    cas = [vecu(mode, titre) for titre in ("Un", "Deux")]
    client, site = api(personne(persona)), entrer(personne(persona).email, client=Client())
    avant = tout_vu(client, site, cas, personne(persona))

    with evenements() as recus:
        fusionner(personne(cible), invite)

    apres = tout_vu(client, site, cas, personne(persona))
    assert [chemin for chemin, vu in avant.items() if apres[chemin] != vu] == []
    assert {evenement["canal"] for evenement in recus} == {"_controle"}
    assert ecarts() == {}


@pytest.mark.parametrize("persona", EQUIPE)
def test_une_fusion_qui_nomme_un_dossier_ne_dit_rien_de_l_autre(api, personne, etudiante, invite, vecu, persona):
    client = api(personne(persona))
    cache, nomme = vecu("ANONYME", "Caché"), vecu("IDENTIFIE", "Nommé")
    avant = dossier_vu(client, *cache)

    fusionner(etudiante, invite)

    assert dossier_vu(client, *cache) == avant
    par_source = {s: lire(client, f"{SIGNALEMENTS}?sourceActeur={s}") for s in ("GUEST", "AUTH_USER")}
    assert {s: ([item["id"] for item in p["items"]], p["total"]) for s, p in par_source.items()} == {
        "GUEST": ([str(cache[0].pk)], 1),
        "AUTH_USER": ([str(nomme[0].pk)], 1),
    }
    assert lire(client, "/api/v1/stats/signalements")["parSourceActeur"] == {"GUEST": 1, "AUTH_USER": 1}
    assert {ligne["Titre"]: (ligne["Origine"], ligne["Auteur"]) for ligne in exporter(client)} == {
        "Caché": ("Session invitée", "Invité"),
        "Nommé": ("Compte", "Awa Diop"),
    }
    assert ecarts() == {}


def test_ce_que_l_autrice_ajoute_apres_la_fusion_garde_le_meme_visage(
    api, evenements, gestionnaire, etudiante, invite, vecu
):
    """Her messages would otherwise tell, from one to the next, when the case was merged."""
    dossier, (echange, _autre) = vecu()
    fusionner(etudiante, invite)

    with evenements() as recus:
        api(etudiante).post(f"{DISCUSSIONS}{echange.pk}/messages", {"contenu": "Encore moi."})
        api(etudiante).post(DISCUSSIONS, {"titre": "Encore", "signalementId": str(dossier.pk)})

    visage = {"sourceActeur": "GUEST", "acteurId": pseudonyme("signalement", dossier.pk), "estFusionne": False}
    lus = lire(api(gestionnaire), f"{DISCUSSIONS}{echange.pk}/messages")["items"]
    siens = [m for m in lus if m["auteurNom"] != gestionnaire.nom_complet]
    ouverte = lire(api(gestionnaire), DISCUSSIONS)["items"][0]
    dits = [e["payload"] for e in recus]
    for vu in (*siens, ouverte, *dits):
        assert {nom: vu[nom] for nom in visage} == visage
    assert ([m["contenu"] for m in siens], len(dits)) == (["Voici.", "Encore moi."], 3)
    assert {m["auteurNom"] for m in (*siens, dits[0])} == {"Invité"}


def test_l_autrice_elle_se_voit_telle_qu_elle_est(api, etudiante, invite, vecu):
    dossier, (echange, _autre) = vecu()
    fusionner(etudiante, invite)

    elle = api(etudiante)
    visage = {"sourceActeur": "AUTH_USER", "acteurId": str(etudiante.pk), "estFusionne": True}
    lus = [lire(elle, f"{SIGNALEMENTS}{dossier.pk}"), lire(elle, f"{DISCUSSIONS}{echange.pk}")]
    lus.append(lire(elle, f"{DISCUSSIONS}{echange.pk}/messages")["items"][0])
    assert [{nom: lu[nom] for nom in visage} for lu in lus] == [visage] * 3
    assert lire(elle, "/api/v1/stats/signalements")["parSourceActeur"] == {"GUEST": 0, "AUTH_USER": 1}


@pytest.mark.parametrize("mode", ["ANONYME", "IDENTIFIE"])
def test_defaire_la_fusion_rend_a_l_equipe_ce_qu_elle_lisait(api, gestionnaire, etudiante, invite, vecu, mode):
    client, cas = api(gestionnaire), vecu(mode)
    avant = sans_evenements(service_vu(client, entrer(gestionnaire.email), gestionnaire) | dossier_vu(client, *cas))
    fusionner(etudiante, invite)

    annuler(AuditFusion.objects.get())

    apres = sans_evenements(service_vu(client, entrer(gestionnaire.email), gestionnaire) | dossier_vu(client, *cas))
    assert [chemin for chemin, vu in avant.items() if apres[chemin] != vu] == []
    assert ecarts() == {}


def sans_evenements(vu):
    return {chemin: lu for chemin, lu in vu.items() if "evenements" not in chemin}

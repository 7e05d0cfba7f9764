"""What the document says of answers that any operation may give, and of answers that have several forms."""

from collections.abc import Iterator
from typing import Any

import pytest

from config.tests.outils import document
from config.tests.outils.hostiles import OPERATIONS, Appel, par_operation, resoudre
from socle.erreurs import codes


@pytest.mark.django_db
@par_operation(OPERATIONS)
def test_un_hote_inconnu_et_un_corps_demesure_sont_decrits(operation):
    appel = Appel(operation)

    hote = appel.envoyer(headers={"Host": "ailleurs.example"})
    corps = appel.envoyer(b"{}", CONTENT_LENGTH=str(2**30))

    # The client of the tests holds each answer against the document.
    assert (hote.status_code, corps.status_code) == (400, 413)


def test_des_formes_dont_l_une_contient_l_autre_ne_s_excluent_pas():
    """Of `oneOf`, exactly one must hold: an object with more fields than another is both, but where a field tells."""
    noeuds = [noeud for noeud in _noeuds(document()) if "discriminator" not in noeud]
    unions = {mot: [noeud[mot] for noeud in noeuds if mot in noeud] for mot in ("oneOf", "anyOf")}
    exclusifs = [[resoudre(choix) for choix in union] for union in unions["oneOf"]]

    assert [choix for choix in exclusifs if sum("properties" in un for un in choix) > 1] == []
    assert [{"$ref": "#/components/schemas/CompteDetail"}, {"$ref": "#/components/schemas/CarteCompte"}] in unions[
        "anyOf"
    ]


def test_les_codes_d_erreur_sont_une_enumeration_et_disent_leurs_statuts():
    code = document()["components"]["schemas"]["CodeErreur"]

    assert set(code["enum"]) == set(codes())
    assert "- `GUEST_MERGE_CONFLICT` : 409" in code["description"]
    assert {"VALIDATION_ERROR", "NOT_FOUND", "INTERNAL_ERROR"} <= set(code["enum"])


def test_chaque_etiquette_est_en_ascii_et_se_dit_en_mots():
    etiquettes = {une["name"]: une for une in document()["tags"]}
    portees = {nom for operation in OPERATIONS for nom in operation.description["tags"]}

    assert etiquettes.keys() == portees
    assert all(nom.isascii() and une["description"] for nom, une in etiquettes.items())
    assert etiquettes["mode-invite"]["x-displayName"] == "Mode invité"


def test_chaque_operation_a_un_nom_a_elle_et_dit_qui_peut_l_appeler():
    noms = [operation.description["operationId"] for operation in OPERATIONS]

    assert len(set(noms)) == len(noms)
    assert {"service_sante", "preferences_retrieve", "temps_reel_rattraper"} <= set(noms)
    assert all("security" in operation.description for operation in OPERATIONS)


def test_une_forme_d_enveloppe_n_est_ecrite_qu_une_fois():
    """Generators name a class after a component, and none after what stands in an answer."""
    reussites = {
        contenu["schema"].get("$ref", "")
        for operation in OPERATIONS
        for statut, reponse in operation.description["responses"].items()
        if statut.startswith("2")
        for type_, contenu in reponse.get("content", {}).items()
        if type_ == "application/json" and not operation.chemin.endswith("export")
    }

    assert "" not in reussites
    assert "#/components/schemas/ReponsePageSignalementDetail" in reussites


def test_chaque_operation_et_chaque_parametre_sont_decrits():
    operations = {une.description["operationId"]: une.description for une in OPERATIONS}
    parametres = {
        (nom, parametre["name"]): parametre.get("description", "")
        for nom, operation in operations.items()
        for parametre in operation.get("parameters", [])
    }
    dits = {(nom, mot): une.get(mot, "") for nom, une in operations.items() for mot in ("summary", "description")}

    assert len(parametres) > 200
    manquants = _mal_decrits(parametres | dits)
    assert manquants == [], "\n".join(manquants)


def test_chaque_champ_de_chaque_forme_est_decrit():
    champs = {
        (nom, champ): decrit.get("description", "")
        for nom, forme in document()["components"]["schemas"].items()
        for champ, decrit in forme.get("properties", {}).items()
    }

    assert len(champs) > 1_000
    manquants = _mal_decrits(champs)
    assert manquants == [], "\n".join(manquants)


@pytest.mark.parametrize("description", [None, "", "Titre.", "`titre`"])
def test_un_champ_mal_decrit_est_nomme(description):
    assert _mal_decrits({("Forme", "titre"): description or "", ("Forme", "type"): "Ce que c'est."}) == ["Forme.titre"]


@pytest.mark.parametrize("page", ["docs", "docs/evenements", "redoc"])
@pytest.mark.parametrize("methode", ["OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE"])
def test_une_page_de_documentation_se_lit_et_rien_d_autre(brut, page, methode):
    assert brut.get(f"/api/v1/{page}").status_code == 200
    assert brut.generic(methode, f"/api/v1/{page}").status_code == 405


def _mal_decrits(textes: dict[tuple[str, str], str]) -> list[str]:
    """Names, after those of their owners, whose text is missing, or says no more than the name."""
    return sorted(
        f"{qui}.{nom}" for (qui, nom), texte in textes.items() if texte.strip(" .`").casefold() in ("", nom.casefold())
    )


def _noeuds(noeud: Any) -> Iterator[dict[str, Any]]:
    if isinstance(noeud, dict):
        yield noeud
    for suite in noeud.values() if isinstance(noeud, dict) else noeud if isinstance(noeud, list) else ():
        yield from _noeuds(suite)

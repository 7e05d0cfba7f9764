"""Types of events: what the code sends is declared, and what is declared is sent, heard, and said once."""

import ast
from importlib import import_module

from config.tests.outils.arbres import arbres
from config.tests.outils.clients import document
from socle.api.evenements import DE_SERVICE, REFERENCE, composant, declares
from socle.domaine.langue import en_francais
from socle.realtime import canaux
from socle.realtime.declarations import evenements
from socle.realtime.vocabulaire import ORDRES

# Functions whose first argument is the type of what they send.
ENVOIENT = {"publier", "Annonce", "_dossier", "_a_l_equipe"}
# The channel of every discussion: no rule opens it to anybody.
A_PERSONNE = {"discussions"}
MODULES = {chemin: arbre for chemin, arbre in arbres().items() if "/migrations/" not in chemin}


def types_envoyes(chemin: str, module: ast.Module) -> set[str]:
    """The types that the calls of a module name, by a word or by a constant of the module."""
    trouves = set()
    for appel in (n for n in ast.walk(module) if isinstance(n, ast.Call) and n.args):
        if getattr(appel.func, "id", "") in ENVOIENT:
            match appel.args[0]:
                case ast.Constant(value=str(type_)):
                    trouves.add(type_)
                case ast.Name(id=nom) if nom.isupper():
                    trouves.add(getattr(import_module(chemin.removesuffix(".py").replace("/", ".")), nom))
    return trouves


def forme_du_payload(type_: str) -> str:
    declaration = next(une for une in declares() if une.type == type_)
    (payload,) = document()["components"]["schemas"][composant(declaration)]["properties"]["payload"]["allOf"]
    return str(payload["$ref"])


def test_chaque_type_envoye_est_declare_et_chaque_type_declare_est_envoye():
    envoyes = {type_ for chemin, module in MODULES.items() for type_ in types_envoyes(chemin, module)}

    assert envoyes - ORDRES == {une.type for _type, une in evenements.items()}


def test_un_envoi_oublie_serait_trouve():
    fautif = ast.parse('publier("jamais_dit", ["admin"], {})\npublier(EVENEMENT, [], {})\nautre("rien")')

    assert types_envoyes("avis/vocabulaire.py", fautif) == {"jamais_dit", "avis"}


def test_chaque_canal_declare_a_sa_regle_et_dit_qui_l_entend():
    with en_francais():
        regles = {nom: (regle.a_une_cle, str(regle.qui)) for nom, regle in canaux._regles.items()}
    declare = {canal for _type, une in evenements.items() for canal in une.canaux} - A_PERSONNE

    assert declare == {f"{nom}:{{id}}" if a_une_cle else nom for nom, (a_une_cle, _qui) in regles.items()}
    assert [nom for nom, (_cle, qui) in regles.items() if not qui] == []


def test_chaque_evenement_dit_quand_il_vient():
    assert [une.type for une in declares() if not str(une.quand).endswith(".")] == []


def test_la_description_connait_chaque_type_par_son_discriminant():
    union = document()["components"]["schemas"]["Evenement"]
    attendus = {une.type: f"{REFERENCE}{composant(une)}" for une in declares()}

    assert union["discriminator"] == {"propertyName": "type", "mapping": attendus}
    assert {choix["$ref"] for choix in union["oneOf"]} == set(attendus.values())
    for type_, reference in attendus.items():
        forme = document()["components"]["schemas"][reference.removeprefix(REFERENCE)]
        assert forme["properties"]["type"]["enum"] == [type_]
        assert ("eventId" in forme["required"]) is (type_ not in {une.type for une in DE_SERVICE})


def test_ce_que_rattrape_une_route_est_cette_union():
    operation = document()["paths"]["/api/v1/evenements"]["get"]
    reference = operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
    reponse = document()["components"]["schemas"][reference.removeprefix(REFERENCE)]

    assert reponse["properties"]["data"]["items"] == {"$ref": f"{REFERENCE}Evenement"}


def test_ce_qui_depend_de_qui_lit_n_est_dans_aucun_evenement():
    formes = document()["components"]["schemas"]
    payloads = {forme_du_payload(une.type).removeprefix(REFERENCE) for une in declares()}
    dependent = {"hasUnreadUpdates", "messagesNonLusCount"}

    assert [nom for nom in payloads if dependent & formes[nom]["properties"].keys()] == []
    assert "maParticipation" not in formes["CalendrierEvenement"]["properties"]
    assert "maParticipation" not in formes["CalendrierModifieEvenement"]["required"]

"""Several rows are locked by one function, in the order of their keys; others lock one row, or wait for none."""

import ast

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import Compte
from config.tests.outils.arbres import arbres
from socle.domaine.verrous import verrouiller_dans_l_ordre

UN_SEUL_ENDROIT = "socle/domaine/verrous.py:verrouiller_dans_l_ordre"
# By its key, by a unique key, or by what a partial unique index lets one row have.
UNE_LIGNE = {
    "accounts/services/comptes.py:modifier_preferences",
    "accounts/services/invitations.py:_clore_la_precedente",
    "accounts/services/invitations.py:invitation_valable",
    "accounts/services/sessions.py:_renouveler",
    "avis/services.py:_adresser",
    "avis/services.py:partir",
    "avis/services.py:partir_la_suite",
    "discussions/entretien.py:_relever",
    "discussions/recompte.py:_refaire",
    "echeances/entretien.py:dater_les_dossiers_ouverts",
    "echeances/services.py:choisir",
    "echeances/services.py:prolonger",
    "echeances/services.py:repondre",
    "espace/services/actes.py:assigner",
    "espace/services/actes.py:confier_a_une_equipe",
    "espace/services/parametres.py:verrouiller",
    "forum/services.py:_verrouiller",
    "personnes/services/effacements.py:_effacer_compte",
    "portail/services/acces.py:fermer",
    "portail/services/brouillon.py:envoyer",
    "portail/services/garde.py:noter_un_mot",
    "portail/services/preuve.py:_juger",
    "portail/services/rattachement.py:_revenir",
    "resources/entretien.py:_purger_un",
    "resources/services/fichiers.py:_verrouille",
    "resources/services/ressources.py:_fichier_a_partager",
    "signalements/alertes.py:lever",
    "signalements/lecteurs.py:acheminer",
    "signalements/services.py:assigner",
    "signalements/services.py:rendre_faute_de_lire",
    "signalements/reserve.py:changer_equipe",
    "socle/moteur/ecritures.py:verrou",
    "socle/moteur/ordinaire.py:verrouiller",
    "socle/realtime/models.py:verrouille",
}
# They pass over the rows that somebody else holds.
SANS_ATTENDRE = {
    "discussions/recompte.py:_distinguer",
    "guests/services.py:noter_activite",
    "personnes/services/copies.py:_dans_une_table",
    "socle/taches/ouvrier.py:_prendre",
}


def verrouillent(noeud: ast.AST) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == "select_for_update" for n in ast.walk(noeud))


def test_plusieurs_lignes_se_verrouillent_par_une_seule_fonction():
    trouvees = {
        f"{chemin}:{noeud.name}"
        for chemin, module in arbres().items()
        if "/migrations/" not in chemin
        for noeud in ast.walk(module)
        if isinstance(noeud, ast.FunctionDef)
        and verrouillent(noeud)
        and not any(verrouillent(n) for n in ast.walk(noeud) if isinstance(n, ast.FunctionDef) and n is not noeud)
    }

    assert trouvees == {UN_SEUL_ENDROIT} | UNE_LIGNE | SANS_ATTENDRE


@pytest.mark.django_db
@pytest.mark.parametrize(("exclusif", "force"), [(False, " FOR NO KEY UPDATE OF "), (True, " FOR UPDATE OF ")])
def test_les_lignes_se_verrouillent_dans_l_ordre_de_leurs_cles(etudiante, gestionnaire, admin, exclusif, force):
    cles = sorted([admin.pk, gestionnaire.pk, etudiante.pk], reverse=True)

    with (
        CaptureQueriesContext(
            connection,
        ) as requetes,
        transaction.atomic(),
    ):
        lignes = Compte.objects.filter(pk__in=cles).order_by("-pk").values_list("pk", flat=True)
        tenues = verrouiller_dans_l_ordre(lignes, exclusif=exclusif)

    assert tenues == cles[::-1]
    if connection.vendor == "postgresql":
        assert force + '"accounts_compte"' in " ".join(r["sql"] for r in requetes)


@pytest.mark.django_db
def test_un_lot_prend_les_premieres_cles(etudiante, gestionnaire, admin):
    cles = sorted([admin.pk, gestionnaire.pk, etudiante.pk])

    with transaction.atomic():
        tenues = verrouiller_dans_l_ordre(Compte.objects.filter(pk__in=cles), au_plus=2)

    assert [compte.pk for compte in tenues] == cles[:2]

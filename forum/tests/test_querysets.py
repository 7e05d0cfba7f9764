import pytest
from django.db import connection

from accounts.models import Compte
from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from config.tests.outils.plans import analyser
from forum.models import Commentaire, Moderation, Poste, Reaction
from forum.vocabulaire import REACTIONS_MONTREES
from socle.domaine.acteurs import ActeurCompte

pytestmark = pytest.mark.django_db


def test_un_invite_ne_voit_rien(invite, poste):
    assert not Poste.objects.visibles_par(acteur_de(invite)).exists()
    assert not Poste.objects.get(pk=poste.pk).est_visible_de(acteur_de(invite))


@pytest.fixture
def sans_parcours(db):
    """The planner of a table of a million rows: it reads none whole."""
    gens = [comptes.gestionnaire(), *(comptes.compte() for _rang in range(30))]
    Poste.objects.bulk_create(
        Poste(compte=gens[rang % 31], contenu="x", statut=("APPROUVER_IA", "NOUVEAU", "REJETER")[rang % 3])
        for rang in range(1_000)
    )
    analyser()
    with connection.cursor() as curseur:
        curseur.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
    return ActeurCompte(compte=gens[1]), ActeurCompte(compte=gens[0])


LISTES = {
    "une personne": (lambda elle, equipe: Poste.objects.visibles_par(elle), "poste_ordre"),
    "l'équipe": (lambda elle, equipe: Poste.objects.visibles_par(equipe), "poste_ordre"),
    "les approuvées": (lambda elle, equipe: Poste.objects.approuves(), "poste_public_ordre"),
    "ses rejetées": (lambda elle, equipe: Poste.objects.visibles_par(elle).de_statut("REJETER", elle), "poste_compte"),
    "les rejetées": (lambda elle, equipe: Poste.objects.de_statut("REJETER", equipe), "poste_statut_ordre"),
    "une catégorie": (lambda elle, equipe: Poste.objects.filter(categorie="RARE"), "poste_categorie_ordre"),
}


@pytest.mark.postgres
@pytest.mark.parametrize("liste", LISTES)
def test_chaque_liste_se_lit_dans_l_ordre_de_son_index(sans_parcours, liste):
    faire, index = LISTES[liste]

    plan = (Poste.objects.pour_lecture() & faire(*sans_parcours))[:20].explain()

    assert index in plan
    assert "Seq Scan on forum_poste" not in plan
    assert "Sort" not in plan


@pytest.mark.postgres
def test_la_file_a_moderer_et_ce_qui_pend_a_une_publication_ont_leur_index(sans_parcours):
    _elle, equipe = sans_parcours
    postes, gens = Poste.objects.order_by("pk")[:20], Compte.objects.order_by("pk")[:30]
    Commentaire.objects.bulk_create(Commentaire(poste=p, compte=qui, contenu="x") for p in postes for qui in gens)
    Reaction.objects.bulk_create(Reaction(poste=p, compte=qui, type="LIKE") for p in postes for qui in gens)
    Moderation.objects.bulk_create(
        Moderation(poste=p, numero=numero, avant="NOUVEAU", apres="REJETER") for p in postes for numero in range(1, 31)
    )
    analyser()
    poste = postes[0]

    plans = [
        lignes.explain()
        for lignes in (
            Poste.objects.pour_lecture().de_statut("NOUVEAU", equipe).a_moderer_d_abord()[:20],
            poste.commentaires.pour_lecture()[:20],
            poste.reactions.pour_lecture()[:REACTIONS_MONTREES],
            poste.moderations.pour_lecture(),
        )
    ]

    for plan, index in zip(
        plans,
        ("poste_a_moderer", "commentaire_poste_date", "reaction_poste_date", "moderation_numero_unique"),
        strict=True,
    ):
        assert index in plan
        assert "Sort" not in plan

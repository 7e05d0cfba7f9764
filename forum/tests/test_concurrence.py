import pytest
from django.contrib.admin.models import LogEntry

from accounts.tests import fabriques as comptes
from accounts.tests.outils import ensemble, entrer
from config.tests.outils import acteur_de
from forum import services
from forum.erreurs import TropDeDemandes
from forum.models import Commentaire, DemandeDeRelecture, Moderation, Poste, Reaction
from forum.tests import fabriques
from forum.vocabulaire import Statut
from socle.erreurs import Introuvable

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
FILS = 32


def relue(poste):
    return Poste.objects.get(pk=poste.pk)


def echecs(rendus, *attendus):
    return [rendu for rendu in rendus if isinstance(rendu, Exception) and not isinstance(rendu, attendus)]


def verifier_les_compteurs(poste):
    lu = relue(poste)
    assert lu.nb_commentaires == lu.commentaires.presents().count()
    assert lu.nb_reactions == lu.reactions.count()
    return lu.nb_commentaires, lu.nb_reactions


def test_trente_deux_reactions_egales_n_en_font_qu_une(api, autre_etudiante, poste):
    client, url = api(autre_etudiante), f"/api/v1/postes/{poste.pk}/reactions"
    assert client.get(url).json()["data"] == []

    rendus = ensemble([lambda: client.post(url, {"type": "LIKE"})] * FILS)

    assert sorted(reponse.status_code for reponse in rendus) == [200] * (FILS - 1) + [201]
    assert len({reponse.json()["data"]["id"] for reponse in rendus}) == 1
    assert Reaction.objects.count() == 1
    assert verifier_les_compteurs(poste) == (0, 1)


def test_trente_deux_personnes_reagissent_et_commentent_ensemble(poste):
    gens = [acteur_de(comptes.compte()) for _rang in range(FILS // 2)]
    actes = [lambda qui=qui: fabriques.commentaire(qui, relue(poste)) for qui in gens]
    actes += [lambda qui=qui: fabriques.reaction(qui, relue(poste)) for qui in gens]

    rendus = ensemble(actes)

    assert echecs(rendus) == []
    assert verifier_les_compteurs(poste) == (FILS // 2, FILS // 2)


def test_ajouter_et_retirer_ensemble_laisse_les_compteurs_vrais(etudiante, admin, poste):
    siens, elle = acteur_de(admin), acteur_de(etudiante)
    ecrits = [fabriques.commentaire(elle, poste) for _rang in range(8)]
    posees = [fabriques.reaction(elle, poste, f"T{rang}") for rang in range(8)]
    actes = [lambda: fabriques.commentaire(elle, relue(poste))] * 8
    actes += [lambda rang=rang: fabriques.reaction(elle, relue(poste), f"T{rang}") for rang in range(4, 12)]
    for qui in (elle, siens):  # each is deleted by two at once: one of them comes too late
        actes += [
            lambda qui=qui, c=c: services.supprimer_commentaire(acteur=qui, poste=relue(poste), commentaire=c)
            for c in ecrits
        ]
        actes += [
            lambda qui=qui, r=r: services.retirer_reaction(acteur=qui, poste=relue(poste), reaction=r) for r in posees
        ]

    rendus = ensemble(actes)

    assert echecs(rendus, Introuvable) == []
    assert sum(isinstance(rendu, Introuvable) for rendu in rendus) == 16
    nb_commentaires, nb_reactions = verifier_les_compteurs(poste)
    assert nb_commentaires == 8
    assert 4 <= nb_reactions <= 8
    assert Commentaire.objects.count() == 16


def test_plusieurs_moderateurs_ensemble_laissent_une_histoire_qui_s_enchaine(gestionnaire, admin, poste_nouveau):
    statuts = [*Statut] * 4

    def moderer(rang):
        qui = acteur_de((gestionnaire, admin)[rang % 2])
        services.moderer(acteur=qui, poste=relue(poste_nouveau), statut=statuts[rang])

    rendus = ensemble([lambda rang=rang: moderer(rang) for rang in range(len(statuts))])

    assert echecs(rendus) == []
    histoire = list(Moderation.objects.pour_lecture())
    assert [m.numero for m in histoire] == list(range(1, len(histoire) + 1))
    assert [m.avant for m in histoire] == ["NOUVEAU", *(m.apres for m in histoire[:-1])]
    lu = relue(poste_nouveau)
    assert lu.statut == histoire[-1].apres
    assert lu.approuver_par_id == (histoire[-1].compte_id if lu.statut == "APPROUVER" else None)


def test_deux_personnes_jugent_ensemble_de_la_page_d_une_publication(gestionnaire, admin, poste_nouveau):
    url = f"/admin/forum/poste/{poste_nouveau.pk}/change/"
    clients = [entrer(personne.email) for personne in (gestionnaire, admin)]

    def presser(client, action):
        return client.post(url, {"action": action, "_selected_action": str(poste_nouveau.pk)})

    rendus = ensemble(
        lambda client=client, action=action: presser(client, action)
        for client, action in zip(clients, ("approuver", "rejeter"), strict=True)
    )

    assert [reponse.status_code for reponse in rendus] == [302, 302]
    premiere, seconde = Moderation.objects.order_by("numero")
    lue = relue(poste_nouveau)
    assert {premiere.apres, seconde.apres} == {Statut.APPROUVER, Statut.REJETER}
    assert (premiere.avant, seconde.avant, lue.statut) == (Statut.NOUVEAU, premiere.apres, seconde.apres)
    assert lue.approuver_par == (seconde.compte if seconde.apres == Statut.APPROUVER else None)
    assert {note.user for note in LogEntry.objects.all()} == {gestionnaire, admin}


def test_cacher_et_commenter_ensemble_n_ajoute_rien_a_ce_qui_est_cache(
    autre_etudiante, gestionnaire, poste, evenements
):
    """Who comes after the moderator is refused; what was announced to all was said before."""
    actes = [lambda: fabriques.commentaire(acteur_de(autre_etudiante), relue(poste))] * 12
    actes.insert(4, lambda: services.moderer(acteur=acteur_de(gestionnaire), poste=relue(poste), statut="REJETER"))

    with evenements() as recus:
        rendus = ensemble(actes)

    assert echecs(rendus, Introuvable) == []
    dits = sum(isinstance(rendu, Commentaire) for rendu in rendus)
    assert verifier_les_compteurs(poste)[0] == dits
    types = [e["type"] for e in recus]
    assert types[: dits + 1] == ["commentaire_created"] * dits + ["stats_updated"]
    assert {e["audience"] for e in recus} == {"PUBLIC"}


def test_supprimer_et_reagir_ensemble_ne_laisse_rien_de_faux(etudiante, admin, poste):
    actes = [lambda rang=rang: fabriques.reaction(acteur_de(admin), relue(poste), f"T{rang}") for rang in range(12)]
    actes += [
        lambda qui=qui: services.supprimer(acteur=acteur_de(qui), poste=relue(poste)) for qui in (etudiante, admin)
    ]

    rendus = ensemble(actes)

    assert echecs(rendus, Introuvable) == []
    assert rendus[12:].count(None) == 1
    assert relue(poste).date_suppression is not None
    verifier_les_compteurs(poste)


def test_epingler_et_desepingler_pendant_que_l_on_reagit_ne_perd_rien(gestionnaire, poste):
    gens = [acteur_de(comptes.compte()) for _rang in range(12)]
    actes = [lambda qui=qui: fabriques.reaction(qui, relue(poste)) for qui in gens]
    actes += [
        lambda e=e: services.epingler(acteur=acteur_de(gestionnaire), poste=relue(poste), epingle=e)
        for e in (True, False, True, False)
    ]

    rendus = ensemble(actes)

    assert echecs(rendus) == []
    assert verifier_les_compteurs(poste) == (0, 12)


def test_trente_deux_demandes_egales_n_en_font_qu_une(autre_etudiante, poste):
    elle = acteur_de(autre_etudiante)

    rendus = ensemble([lambda: fabriques.demande(elle, relue(poste))] * FILS)

    assert echecs(rendus) == []
    assert len({rendu.pk for rendu in rendus}) == DemandeDeRelecture.objects.count() == 1


def test_une_personne_qui_signale_partout_a_la_fois_ne_passe_pas_la_mesure(
    autre_etudiante, etudiante, gestionnaire, monkeypatch
):
    monkeypatch.setattr(services, "DEMANDES_PAR_JOUR", 3)
    elle, par = acteur_de(autre_etudiante), acteur_de(gestionnaire)
    postes = [fabriques.poste(acteur_de(etudiante), par=par) for _rang in range(8)]

    rendus = ensemble([lambda poste=poste: fabriques.demande(elle, poste) for poste in postes])

    assert echecs(rendus, TropDeDemandes) == []
    assert DemandeDeRelecture.objects.count() == 3


def test_signaler_pendant_que_l_equipe_rejette_ne_laisse_rien_d_ouvert(autre_etudiante, gestionnaire, poste):
    """Either it came first and is closed with the post, or the post is no longer there to be pointed out."""
    elle, par = acteur_de(autre_etudiante), acteur_de(gestionnaire)

    rendus = ensemble(
        [
            lambda: fabriques.demande(elle, relue(poste)),
            lambda: services.moderer(acteur=par, poste=relue(poste), statut=Statut.REJETER),
        ]
    )

    assert echecs(rendus, Introuvable) == []
    assert not DemandeDeRelecture.objects.ouvertes().exists()

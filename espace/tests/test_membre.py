"""The page of one member: the cases this person holds, who takes them, leaving the team, a reset link."""

from contextlib import suppress

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Compte, DemandeMotDePasse
from accounts.services.comptes import desactiver_qui_ne_tient_rien
from accounts.tests import fabriques as comptes
from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de
from espace.services import departs
from espace.tests.outils import Equipiere, section, texte_de, valeur
from personnes.services.effacements import effacer_compte
from signalements.models import EntreeTimeline, Signalement
from signalements.reserve import changer_lecteurs
from signalements.services import assigner, changer_statut
from signalements.tests import fabriques as signalements
from socle.audit.tests.outils import traces
from socle.audit.vocabulaire import Acte
from socle.courriel import CONSOLE
from socle.erreurs import ErreurMetier
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
MEMBRES = "/equipe/membres/"


@pytest.fixture
def rose(admin):
    """The browser of the administrator."""
    return Equipiere(admin)


@pytest.fixture
def paul(gestionnaire):
    """Who leaves."""
    return gestionnaire


@pytest.fixture
def nadia(db):
    """Who takes the cases."""
    return comptes.gestionnaire(prenom="Nadia", nom="Benali")


@pytest.fixture
def tenir(admin, etudiante):
    """tenir(compte): a case that this account handles."""

    def tenir(compte, auteur=etudiante, par=admin):
        dossier = signalements.signalement(acteur_de(auteur))
        assigner(signalement=dossier, gestionnaire_id=compte.pk, acteur=acteur_de(par))
        return dossier

    return tenir


def adresse(compte):
    return f"{MEMBRES}{compte.pk}/"


def faire_partir(qui, compte, repreneur=None):
    return qui.envoyer(adresse(compte), {"acte": "partir", "repreneurId": repreneur.pk if repreneur else ""})


def responsables(*dossiers):
    return [Signalement.objects.get(pk=un.pk).gestionnaire for un in dossiers]


def test_choisir_dit_la_suite_et_ne_fait_rien_avant_d_etre_confirme(rose, paul, nadia, tenir):
    tenir(paul)

    choix = rose.lire(adresse(paul))
    suite = rose.lire(adresse(paul), depart="oui", repreneurId=str(nadia.pk))

    assert "Ouverts à son nom, parmi ceux que vous lisez : 1 dossier." in choix
    assert f'<option value="{nadia.pk}">' in choix
    assert f'<option value="{paul.pk}">' not in choix
    assert 'value="partir"' not in choix
    assert f"Ses dossiers ouverts passent à <bdi>{nadia.nom_complet}</bdi>" in suite
    assert valeur(suite, "repreneurId") == str(nadia.pk)
    assert Compte.objects.get(pk=paul.pk).est_actif


def test_partir_desactive_et_confie_les_dossiers_ouverts_et_eux_seuls(rose, admin, paul, nadia, tenir):
    ouverts, clos, d_autrui = [tenir(paul), tenir(paul)], tenir(paul), tenir(admin)
    changer_statut(signalement=clos, statut="CLOTURE", acteur=acteur_de(admin))

    reponse = faire_partir(rose, paul, nadia)

    assert (reponse.status_code, reponse.headers["Location"]) == (
        303,
        f"{adresse(paul)}?fait=parti&confies=2&rendus=0#fait",
    )
    assert not Compte.objects.get(pk=paul.pk).est_actif
    assert responsables(*ouverts, clos, d_autrui) == [nadia, nadia, paul, admin]
    assert [(une.acteur, une.objet) for une in traces(Acte.COMPTE_DESACTIVE)] == [(admin.pk, paul.pk)]
    derniere = EntreeTimeline.objects.filter(signalement=ouverts[0]).latest("date_creation")
    assert (derniere.contenu, derniere.compte) == (nadia.nom_complet, admin)
    page = rose.lire(adresse(paul), fait="parti", confies="2", rendus="0")
    assert "Compte désactivé. 2 dossiers confiés.<" in page
    assert "Aucun dossier ouvert que vous lisez n'est à son nom." in page
    assert 'id="depart"' not in page


def test_un_compte_desactive_se_retrouve_et_se_reactive_sans_ses_dossiers(rose, admin, paul, tenir):
    dossier = tenir(paul)
    faire_partir(rose, paul)
    assert f'href="{adresse(paul)}"' in rose.lire(MEMBRES).partition("Comptes désactivés (1)")[2]
    page = rose.lire(adresse(paul))
    assert 'value="reactiver"' in section(page, "retour-titre")

    reponse = rose.envoyer(adresse(paul), {"acte": "reactiver"})

    assert reponse.headers["Location"] == f"{adresse(paul)}?fait=retour#fait"
    assert Compte.objects.get(pk=paul.pk).est_actif
    assert responsables(dossier) == [None]
    assert [(une.acteur, une.objet) for une in traces(Acte.COMPTE_REACTIVE)] == [(admin.pk, paul.pk)]
    page = rose.lire(adresse(paul), fait="retour")
    assert "Compte réactivé." in page
    assert 'id="retour-titre"' not in page
    assert "désactivé" not in rose.lire(MEMBRES)


def test_un_compte_efface_n_est_ni_montre_ni_propose_a_qui_gere(rose, paul):
    faire_partir(rose, paul)
    effacer_compte(paul.pk)

    assert "Comptes désactivés" not in rose.lire(MEMBRES)
    assert 'value="reactiver"' not in rose.lire(adresse(paul))


def test_un_second_clic_ne_reactive_pas_deux_fois(rose, paul):
    faire_partir(rose, paul)
    for _fois in range(2):
        rose.envoyer(adresse(paul), {"acte": "reactiver"})

    assert len(traces(Acte.COMPTE_REACTIVE)) == 1


def test_un_gestionnaire_ne_reactive_personne(rose, paul, nadia):
    faire_partir(rose, paul)

    assert Equipiere(nadia).envoyer(adresse(paul), {"acte": "reactiver"}).status_code == 403
    assert not Compte.objects.get(pk=paul.pk).est_actif


def test_a_personne_les_dossiers_sont_a_prendre_et_l_historique_le_dit(rose, paul, tenir):
    dossier = tenir(paul)

    faire_partir(rose, paul)

    assert responsables(dossier) == [None]
    assert Signalement.objects.get(pk=dossier.pk).statut == "ASSIGNE"
    assert dossier.titre in rose.lire("/equipe/dossiers/", vue="non-attribues")
    assert "Dossier rendu à l'équipe." in rose.dossier(dossier)


def test_un_dossier_que_le_repreneur_ne_lit_pas_n_est_a_personne(rose, admin, paul, nadia, tenir):
    ouvert, ferme = tenir(paul), tenir(paul)
    changer_lecteurs(signalement=ferme, acteur=acteur_de(admin), ecartes=[nadia.pk])

    suite = faire_partir(rose, paul, nadia).headers["Location"]

    assert responsables(ouvert, ferme) == [nadia, None]
    assert "Compte désactivé. 1 dossier confié. 1 dossier à prendre.<" in texte_de(rose.get(suite))


def test_ce_que_l_administratrice_ne_lit_pas_ne_se_compte_ni_ne_bouge(rose, admin, paul, nadia, tenir):
    autre = comptes.admin(prenom="Léa", nom="Moreau")
    ferme, sien = tenir(paul), tenir(paul, auteur=admin, par=autre)
    changer_lecteurs(signalement=ferme, acteur=acteur_de(autre), ecartes=[admin.pk])

    page = rose.lire(adresse(paul))
    faire_partir(rose, paul, nadia)

    assert "Aucun dossier ouvert que vous lisez n'est à son nom." in page
    assert responsables(ferme, sien) == [paul, paul]
    assert not Compte.objects.get(pk=paul.pk).est_actif
    assert "dossiers à confier" not in rose.lire(adresse(paul))
    # Somebody who reads it goes on.
    assert "Ouverts à son nom, parmi ceux que vous lisez : 2 dossiers." in Equipiere(autre).lire(adresse(paul))
    assert (
        faire_partir(Equipiere(autre), paul, nadia).headers["Location"].endswith("?fait=suite&confies=2&rendus=0#fait")
    )
    assert responsables(ferme, sien) == [nadia, nadia]


def test_de_tres_nombreux_dossiers_se_confient_en_plusieurs_fois(rose, paul, nadia, tenir, monkeypatch):
    monkeypatch.setattr(departs, "LOT", 2)
    dossiers = [tenir(paul) for _rang in range(3)]

    faire_partir(rose, paul, nadia)

    assert sorted(map(str, responsables(*dossiers))) == sorted(map(str, [nadia, nadia, paul]))
    page = rose.lire(adresse(paul))
    assert "Il reste des dossiers à confier." in page
    assert "Confier ses dossiers" in page
    assert faire_partir(rose, paul, nadia).headers["Location"].endswith("?fait=suite&confies=1&rendus=0#fait")
    assert responsables(*dossiers) == [nadia] * 3
    assert faire_partir(rose, paul).headers["Location"].endswith("?fait=deja&confies=0&rendus=0#fait")


@pytest.mark.parametrize("choisi", ["soi", "etudiante", "inactive", "rien", "inconnu"])
def test_qui_ne_peut_reprendre_se_redemande_et_rien_n_est_fait(rose, paul, etudiante, tenir, choisi):
    dossier = tenir(paul)
    inactive = comptes.gestionnaire(est_actif=False)
    cle = {"soi": paul.pk, "etudiante": etudiante.pk, "inactive": inactive.pk, "rien": "x"}.get(choisi, dossier.pk)

    refusee = rose.envoyer(adresse(paul), {"acte": "partir", "repreneurId": cle})

    assert refusee.status_code == 422
    assert "Choisissez une personne active de l'équipe." in texte_de(refusee)
    assert rose.get(adresse(paul), {"depart": "oui", "repreneurId": cle}).status_code == 422
    assert responsables(dossier) == [paul]
    assert Compte.objects.get(pk=paul.pk).est_actif


def test_on_ne_se_desactive_pas_soi_meme(rose, admin):
    comptes.admin()

    refusee = faire_partir(rose, admin)

    assert refusee.status_code == 409
    assert "Vous ne pouvez pas désactiver votre propre compte." in texte_de(refusee)
    assert Compte.objects.get(pk=admin.pk).est_actif
    assert "un autre administrateur seul peut le désactiver" in rose.lire(adresse(admin))


def test_le_lien_part_une_fois_par_page(rose, admin, paul, mailoutbox):
    cle = valeur(rose.lire(adresse(paul)), "cle_de_la_page")

    for _clic in range(2):
        reponse = rose.envoyer(adresse(paul), {"acte": "lien", "cle_de_la_page": cle})

    assert reponse.headers["Location"] == f"{adresse(paul)}?fait=lien#fait"
    faire_les_taches()
    assert [message.to for message in mailoutbox] == [[paul.email]]
    assert [(une.acteur, une.objet) for une in traces(Acte.LIEN_DE_MOT_DE_PASSE_ENVOYE)] == [(admin.pk, paul.pk)]


@pytest.mark.parametrize(
    ("magasin", "dit"),
    [(CONSOLE, "Lien prêt, mais ce service n'envoie pas d'e-mail"), ("smtp", "Lien envoyé : cette personne")],
)
def test_la_page_ne_dit_envoye_que_ce_qui_part(rose, paul, settings, magasin, dit):
    settings.EMAIL_BACKEND = magasin

    assert dit in rose.lire(f"{adresse(paul)}?fait=lien")


def test_un_compte_desactive_ne_recoit_pas_de_lien(rose):
    partie = comptes.gestionnaire(est_actif=False)

    assert 'value="lien"' not in rose.lire(adresse(partie))
    assert rose.envoyer(adresse(partie), {"acte": "lien"}).status_code == 409
    assert not DemandeMotDePasse.objects.exists()


def test_la_page_est_a_qui_modifie_les_comptes(elle, rose, admin, etudiante):
    assert elle.get(adresse(admin)).status_code == 403
    assert faire_partir(elle, admin).status_code == 403
    assert elle.envoyer(adresse(admin), {"acte": "lien"}).status_code == 403
    assert rose.get(adresse(etudiante)).status_code == 404
    assert faire_partir(rose, etudiante).status_code == 404
    assert Compte.objects.filter(est_actif=False).count() == 0


def test_la_page_coute_autant_de_requetes_pour_neuf_dossiers_que_pour_un(rose, paul, tenir):
    def requetes():
        with CaptureQueriesContext(connection) as lues:
            page = rose.lire(adresse(paul))
        return len(lues), section(page, "dossiers-titre").count("9 dossiers")

    tenir(paul)
    requetes()
    une, _neuf = requetes()
    for _rang in range(8):
        comptes.gestionnaire()
        tenir(paul)

    assert requetes() == (une, 1)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_deux_administrateurs_ensemble_ne_confient_chaque_dossier_qu_une_fois(admin, paul, nadia, tenir):
    lea = comptes.admin(prenom="Léa", nom="Moreau")
    dossiers = [tenir(paul) for _rang in range(4)]
    avant = EntreeTimeline.objects.filter(type="ASSIGNATION").count()
    rendus = ensemble(
        [
            lambda q=q, r=r: departs.faire_partir(
                compte=Compte.objects.get(pk=paul.pk), acteur=acteur_de(q), repreneur_id=r
            )
            for q, r in ((admin, nadia.pk), (lea, lea.pk))
        ]
    )

    assert sorted((un.etait_actif, un.confies) for un in rendus) == [(False, 0), (True, 4)]
    assert len(set(responsables(*dossiers))) == 1
    assert EntreeTimeline.objects.filter(type="ASSIGNATION").count() == avant + 4
    assert len(traces(Acte.COMPTE_DESACTIVE)) == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_deux_administrateurs_qui_se_font_partir_ensemble_laissent_l_un_d_eux(admin):
    lea = comptes.admin(prenom="Léa", nom="Moreau")
    navigatrices = [Equipiere(admin), Equipiere(lea)]
    for une in navigatrices:
        une.lire()

    rendus = ensemble([lambda n=n, c=c: faire_partir(n, c) for n, c in zip(navigatrices, (lea, admin), strict=True)])

    assert Compte.objects.filter(pk__in=[admin.pk, lea.pk], est_actif=True).count() == 1
    assert 303 in {un.status_code for un in rendus}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_un_dossier_confie_pendant_la_desactivation_ne_reste_pas_a_qui_est_desactive(admin, paul, etudiante):
    dossier = signalements.signalement(acteur_de(etudiante))

    def tenter(acte):
        with suppress(ErreurMetier):
            acte()

    ensemble(
        [
            lambda: tenter(lambda: desactiver_qui_ne_tient_rien(compte=paul, acteur=acteur_de(admin))),
            lambda: tenter(lambda: assigner(signalement=dossier, gestionnaire_id=paul.pk, acteur=acteur_de(admin))),
        ]
    )

    dossier.refresh_from_db()
    assert Compte.objects.get(pk=paul.pk).est_actif is (dossier.gestionnaire_id == paul.pk)


def test_les_dossiers_d_un_compte_efface_se_confient_encore(rose, paul, nadia, tenir):
    dossier = tenir(paul)
    Compte.objects.filter(pk=paul.pk).update(est_actif=False, date_effacement=timezone.now())

    reponse = faire_partir(rose, paul, nadia)

    dossier.refresh_from_db()
    assert (reponse.status_code, dossier.gestionnaire) == (303, nadia)
    assert "fait=suite" in reponse.headers["Location"]


def test_rendre_les_dossiers_qui_restent_se_dit_comme_tel(rose, paul, tenir):
    tenir(paul)
    Compte.objects.filter(pk=paul.pk).update(est_actif=False)

    reponse = faire_partir(rose, paul)

    assert ">1 dossier à prendre.<" in rose.lire(reponse.headers["Location"].partition("#")[0])

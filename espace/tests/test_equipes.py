"""The pages of teams: whom they show, what an administrator does there, and giving a case to one."""

import pytest

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from equipes.models import Equipe, MembreDEquipe
from equipes.tests import fabriques as equipes
from espace.tests.outils import Equipiere, section, valeur
from signalements.models import Signalement

pytestmark = pytest.mark.django_db
EQUIPES = "/equipe/equipes/"


@pytest.fixture
def rose(admin):
    return Equipiere(admin)


@pytest.fixture
def nadia(db):
    return comptes.gestionnaire(email="nadia@campus.test", nom="Benali", prenom="Nadia")


@pytest.fixture
def equipe(nadia):
    return equipes.equipe(nadia)


def page_de(equipe):
    return f"{EQUIPES}{equipe.pk}/"


def agir(qui, equipe, acte, **donnees):
    return qui.envoyer(page_de(equipe), {"acte": acte, **donnees})


def test_un_administrateur_definit_une_equipe_et_y_met_quelqu_un(rose, nadia):
    faite = rose.envoyer(EQUIPES, {"nom": "Cellule d'écoute", "description": "Deux personnes."})

    equipe = Equipe.objects.get()
    assert faite.headers["Location"] == page_de(equipe)
    assert "Personne n'en est encore membre" in rose.lire(page_de(equipe))

    agir(rose, equipe, "ajouter", compte_id=str(nadia.pk))

    assert "Nadia Benali" in section(rose.lire(page_de(equipe)), "membres-titre")
    assert [un.compte for un in equipe.membres.all()] == [nadia]


@pytest.mark.parametrize("nom", ["", "référents"])
def test_un_nom_refuse_se_retrouve_avec_le_reste_de_ce_qui_fut_tape(rose, equipe, nom):
    refus = rose.envoyer(EQUIPES, {"nom": nom, "description": "Deux personnes tenues au secret."})

    assert refus.status_code == 422
    assert "Deux personnes tenues au secret." in refus.content.decode()
    assert Equipe.objects.count() == 1


def test_qui_n_en_est_pas_n_y_lit_ni_ses_membres_ni_de_quoi_la_changer(elle, equipe, nadia):
    page = elle.lire(page_de(equipe))

    assert "Référents" in page
    assert "Benali" not in page
    assert "<form" not in page.partition("<main")[2]
    assert agir(elle, equipe, "fermer").status_code == 403
    assert agir(elle, equipe, "ajouter", compte_id=str(nadia.pk)).status_code == 403
    assert elle.envoyer(EQUIPES, {"nom": "La mienne"}).status_code == 403


def test_qui_s_ajoute_attend_et_un_membre_le_lui_accorde(rose, admin, equipe, nadia, signalement):
    equipes.confier(signalement, equipe)
    agir(rose, equipe, "ajouter", compte_id=str(admin.pk))
    assert "attend qu'un autre le lui accorde" in rose.lire(page_de(equipe))
    assert agir(rose, equipe, "accorder", membre=str(admin.pk)).status_code == 403

    accorde = agir(Equipiere(nadia), equipe, "accorder", membre=str(admin.pk))

    assert accorde.headers["Location"].endswith("?fait=accorder#fait")
    assert signalement.reference in rose.lire(f"/equipe/dossiers/{signalement.pk}/")


def test_un_membre_la_quitte_et_revient_a_la_liste(equipe, nadia):
    quitte = agir(Equipiere(nadia), equipe, "retirer", membre=str(nadia.pk))

    assert quitte.headers["Location"] == EQUIPES
    assert not MembreDEquipe.objects.exists()


def test_rendre_inactive_demande_puis_se_reprend(rose, equipe):
    assert 'value="fermer"' not in rose.lire(page_de(equipe))
    assert "Plus personne ne lira ses dossiers" in rose.lire(f"{page_de(equipe)}?demande=fermer")

    agir(rose, equipe, "fermer")
    assert Equipe.objects.get().active is False
    assert "personne ne lit ses dossiers" in rose.lire(page_de(equipe))

    agir(rose, equipe, "rouvrir")
    assert Equipe.objects.get().active is True


def test_ses_reglages_s_enregistrent_et_ce_qui_est_refuse_reste_tape(rose, equipe, nadia):
    agir(rose, equipe, "modifier", nom="Cellule", description="Tenue au secret.", responsable_id=str(nadia.pk))
    lue = Equipe.objects.get()
    assert (lue.nom, lue.description, lue.responsable) == ("Cellule", "Tenue au secret.", nadia)

    equipes.equipe(nom="Handicap")
    refus = agir(rose, equipe, "modifier", nom="HANDICAP", description="Autre chose.", responsable_id="")

    assert refus.status_code == 422
    assert "Autre chose." in refus.content.decode()
    assert Equipe.objects.get(pk=equipe.pk).responsable == nadia


@pytest.mark.parametrize("donnees", [{}, {"acte": "x"}, {"acte": "ajouter", "compte_id": ""}])
def test_ce_qui_ne_dit_rien_ne_change_rien(rose, equipe, donnees):
    assert rose.envoyer(page_de(equipe), donnees).status_code == 422
    assert equipe.membres.count() == 1


@pytest.mark.parametrize("acte", ["accorder", "retirer"])
def test_un_membre_qui_n_est_pas_une_cle_n_est_personne(rose, equipe, acte):
    for membre in ("x", "", "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"):
        assert agir(rose, equipe, acte, membre=membre).status_code == 404


# --- The team of a case -----------------------------------------------------------------------------------------------


def test_sans_equipe_la_fiche_n_en_parle_pas(elle, signalement):
    assert f"/equipe/dossiers/{signalement.pk}/equipe/" not in elle.dossier(signalement)


def test_un_dossier_se_confie_et_qui_le_confie_ne_le_lit_plus(elle, signalement, equipe, nadia):
    assert f"/equipe/dossiers/{signalement.pk}/equipe/" in elle.dossier(signalement)

    fait = elle.agir(signalement, "equipe", equipe_id=str(equipe.pk), motif="Elle connaît la personne.", vu="")

    assert fait.headers["Location"] == "/equipe/dossiers/"
    assert Signalement.objects.get().equipe == equipe
    elle.lire(f"/equipe/dossiers/{signalement.pk}/", attendu=404)
    page = Equipiere(nadia).dossier(signalement)
    assert "Référents" in section(page, "fiche")
    assert "Elle connaît la personne." in page


def test_qui_est_de_l_equipe_revient_au_dossier_et_lit_ce_qui_fut_fait(signalement, equipe, nadia):
    qui = Equipiere(nadia)

    fait = qui.agir(signalement, "equipe", equipe_id=str(equipe.pk), motif="La sienne.", vu="")

    assert fait.headers["Location"].endswith("?fait=equipe#fait")
    assert "Dossier confié" in qui.lire(fait.headers["Location"].partition("#")[0])


def test_une_page_en_retard_demande_et_garde_le_motif(elle, signalement, equipe, gestionnaire):
    autre = equipes.equipe(gestionnaire, nom="Handicap")
    vu = valeur(elle.lire(f"/equipe/dossiers/{signalement.pk}/equipe/"), "vu_equipe")
    equipes.confier(signalement, autre)

    refus = elle.agir(signalement, "equipe", equipe_id=str(equipe.pk), motif="Un motif tapé.", vu=vu)

    assert refus.status_code == 409
    assert "Un motif tapé." in refus.content.decode()
    assert Signalement.objects.get().equipe == autre


def test_sans_motif_rien_ne_bouge(elle, signalement, equipe):
    refus = elle.agir(signalement, "equipe", equipe_id=str(equipe.pk), motif=" ", vu="")

    assert refus.status_code == 422
    assert Signalement.objects.get().equipe is None


def test_un_administrateur_deplace_ce_qu_il_ne_lit_pas_depuis_sa_page(rose, admin, signalement, equipe):
    equipes.confier(signalement, equipe)
    sienne, handicap = equipes.equipe(admin, nom="La sienne"), equipes.equipe(nom="Handicap")
    chemin = f"/equipe/dossiers/{signalement.pk}/equipe/"
    page = rose.lire(chemin)
    assert "Vous ne lisez pas ce dossier." in page
    assert signalement.titre not in page

    donnees = {"motif": "Elle connaît la personne.", "vu": str(equipe.pk)}
    assert rose.agir(signalement, "equipe", equipe_id=str(sienne.pk), **donnees).status_code == 422
    assert rose.agir(signalement, "equipe", equipe_id=str(handicap.pk), **donnees).status_code == 303
    assert Signalement.objects.get().equipe == handicap


def test_son_propre_dossier_ne_se_confie_pas(gestionnaire, elle, equipe):
    from signalements.tests import fabriques

    sien = fabriques.signalement(acteur_de(gestionnaire))

    elle.lire(f"/equipe/dossiers/{sien.pk}/equipe/", attendu=403)


# --- Opening for a reason ---------------------------------------------------------------------------------------------


def test_un_administrateur_ouvre_avec_un_motif_et_lit_sans_rien_pouvoir_ecrire(rose, signalement, equipe):
    equipes.confier(signalement, equipe)
    chemin = f"/equipe/dossiers/{signalement.pk}/"
    assert signalement.reference in section(rose.lire(page_de(equipe)), "dossiers-titre")
    mene = rose.get(chemin)
    assert (mene.status_code, mene.headers["Location"]) == (302, f"{chemin}ouverture/")
    page = rose.lire(f"{chemin}ouverture/")
    assert signalement.reference in page
    assert signalement.titre not in page

    refus = rose.agir(signalement, "ouverture", motif="Court")
    assert refus.status_code == 422
    assert rose.agir(signalement, "ouverture", motif="Une plainte est déposée.").headers["Location"] == chemin

    lu = rose.lire(chemin)
    assert signalement.description in lu
    assert "Vous lisez ce dossier jusqu'à" in lu
    for absent in ("/statut/", "/assigner/", "/notes/", "/messages/", "/gel/", "/imprimer/", "/lecteurs/", "/ws/"):
        assert f"{signalement.pk}{absent}" not in lu
    assert "data-socket" not in lu
    assert f"{chemin}equipe/" in lu
    rose.lire(f"{chemin}imprimer/", attendu=403)
    assert rose.agir(signalement, "statut", statut="CLOTURE", vu="NOUVEAU").status_code == 403


def test_qui_lit_le_dossier_n_a_pas_a_donner_de_motif(rose, signalement, elle):
    mene = rose.get(f"/equipe/dossiers/{signalement.pk}/ouverture/")

    assert (mene.status_code, mene.headers["Location"]) == (303, f"/equipe/dossiers/{signalement.pk}/")
    elle.lire(f"/equipe/dossiers/{signalement.pk}/ouverture/", attendu=403)


def test_un_dossier_parti_dans_une_equipe_n_arrete_ni_liste_ni_lot(rose, admin, signalement, etudiante, equipe):
    from signalements.tests import fabriques

    equipes.confier(signalement, equipe)
    reste = fabriques.signalement(acteur_de(etudiante))

    assert rose.get(f"/equipe/dossiers/?pris={signalement.pk}").status_code == 200
    lot = {"dossier": [f"{signalement.pk}.", f"{reste.pk}."], "gestionnaire_id": str(admin.pk)}
    assert rose.envoyer("/equipe/confier/", lot).status_code == 303
    assert Signalement.objects.get(pk=signalement.pk).gestionnaire is None
    assert Signalement.objects.get(pk=reste.pk).gestionnaire == admin


def test_un_dossier_d_equipe_que_nul_ne_lit_plus_se_confie_depuis_la_liste(rose, admin, signalement, equipe, nadia):
    with equipes.suivre(signalement):
        equipes.poser(signalement, equipes.Acces.pour([nadia.pk], [], equipe.pk), None)
        signalement.save()
    handicap = equipes.equipe(comptes.gestionnaire(email="leo@campus.test"), nom="Handicap")
    chemin = f"/equipe/dossiers/{signalement.pk}/equipe/"

    assert chemin in section(rose.lire("/equipe/dossiers/"), "sans-lecteur").partition("</ul>")[0]
    donnees = {"equipe_id": str(handicap.pk), "motif": "Plus personne ne le lit.", "vu": str(equipe.pk)}
    assert rose.agir(signalement, "equipe", **donnees).status_code == 303
    assert 'id="sans-lecteur"' not in rose.lire("/equipe/dossiers/")

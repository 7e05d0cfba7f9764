"""Coming to a team and leaving it: the one who decides, those who are told, and the cases that somebody handled."""

from typing import Any

import pytest
from django.utils import timezone

from accounts.services import comptes as services_des_comptes
from accounts.tests import fabriques as comptes
from accounts.tests.outils import ensemble
from avis.models import Avis
from config.tests.outils import acteur_de
from equipes.entretien import annoncer_les_equipes_sans_lecteur
from equipes.erreurs import DejaMembre, PlusDeMembres, PlusDEquipes
from equipes.models import Equipe, MembreDEquipe
from equipes.services import equipes as services
from equipes.tests import fabriques as equipes
from signalements import services as dossiers
from signalements.compteurs.recompte import ecarts
from signalements.lecteurs import Acces, sans_lecteur
from signalements.models import Signalement
from signalements.rendus import rendre_les_illisibles
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques as signalements
from socle.audit.models import Trace
from socle.erreurs import ChampsInvalides, Introuvable, PermissionRefusee
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db


def ajouter(equipe, compte, par):
    return services.ajouter(equipe=equipe, compte_id=compte.pk, acteur=acteur_de(par))


def retirer(equipe, compte, par):
    services.retirer(equipe=equipe, compte_id=compte.pk, acteur=acteur_de(par))


def lit(dossier, compte):
    return Signalement.objects.get(pk=dossier.pk).est_visible_de(acteur_de(compte))


# --- Teams ------------------------------------------------------------------------------------------------------------


def test_deux_equipes_n_ont_pas_le_meme_nom(admin):
    services.creer(acteur=acteur_de(admin), nom="Cellule", description="Tenue au secret.")

    with pytest.raises(ChampsInvalides) as refus:
        services.creer(acteur=acteur_de(admin), nom="CELLULE")

    assert [un["field"] for un in refus.value.details] == ["nom"]
    assert Trace.objects.get(acte="EQUIPE_DEFINIE").details == {"quoi": "creee"}


def test_le_nombre_d_equipes_est_borne(admin, monkeypatch):
    monkeypatch.setattr(services, "EQUIPES_MAX", 1)
    services.creer(acteur=acteur_de(admin), nom="Une")

    with pytest.raises(PlusDEquipes):
        services.creer(acteur=acteur_de(admin), nom="Deux")


def test_la_personne_responsable_est_de_l_equipe(equipe, admin, nadia, gestionnaire):
    services.modifier(equipe=equipe, acteur=acteur_de(admin), responsable_id=nadia.pk, description="Deux personnes.")
    with pytest.raises(ChampsInvalides):
        services.modifier(equipe=equipe, acteur=acteur_de(admin), responsable_id=gestionnaire.pk)

    assert Equipe.objects.get().responsable == nadia
    assert Trace.objects.get(acte="EQUIPE_DEFINIE").details == {
        "quoi": "changee",
        "champs": ["description", "responsable_id"],
    }


def test_d_une_equipe_inactive_personne_ne_lit_les_dossiers_puis_ses_membres_de_nouveau(
    equipe, dossier, nadia, admin, evenements
):
    with evenements() as publies:
        services.modifier(equipe=equipe, acteur=acteur_de(admin), active=False)
    assert not lit(dossier, nadia)
    assert ferme(publies, nadia)

    services.modifier(equipe=equipe, acteur=acteur_de(admin), active=True)
    assert lit(dossier, nadia)


def ferme(publies: Any, *qui: Any) -> bool:
    """True where the sockets of these people, and no others, are closed."""
    ordres = [un["payload"]["comptes"] for un in publies if un["type"] == "fermer_sockets"]
    return ordres == [sorted(str(un.pk) for un in qui)]


# --- Arriving ---------------------------------------------------------------------------------------------------------


def test_qui_est_ajoute_par_autrui_lit_aussitot_et_l_equipe_l_apprend(
    equipe, dossier, nadia, gestionnaire, admin, evenements, mailoutbox
):
    with evenements() as publies:
        ajouter(equipe, gestionnaire, admin)
    faire_les_taches()

    assert lit(dossier, gestionnaire)
    assert ferme(publies, gestionnaire)
    dits = {un["canal"] for un in publies if un["type"] == "system_alert"}
    assert dits == {f"user:{nadia.pk}", f"user:{gestionnaire.pk}"}
    assert sorted(mail.to for mail in mailoutbox) == [["nadia@campus.test"], ["paul@campus.test"]]
    assert not any("Référents" in mail.body + mail.subject for mail in mailoutbox)
    assert Trace.objects.get(acte="MEMBRE_CHANGE").details == {"quoi": "ajout", "compte": str(gestionnaire.pk)}


def test_qui_s_ajoute_attend_le_oui_d_un_autre(equipe, dossier, nadia, admin):
    membre = ajouter(equipe, admin, admin)
    assert not membre.lit
    assert not lit(dossier, admin)
    with pytest.raises(PermissionRefusee):
        services.accorder(equipe=equipe, compte_id=admin.pk, acteur=acteur_de(admin))

    services.accorder(equipe=equipe, compte_id=admin.pk, acteur=acteur_de(nadia))

    assert lit(dossier, admin)
    assert [un.details["quoi"] for un in Trace.objects.filter(acte="MEMBRE_CHANGE").order_by("id")] == [
        "demande",
        "accord",
    ]


def test_un_autre_administrateur_peut_dire_oui_et_nul_autre(equipe, dossier, admin, gestionnaire):
    ajouter(equipe, admin, admin)
    with pytest.raises(PermissionRefusee):
        services.accorder(equipe=equipe, compte_id=admin.pk, acteur=acteur_de(gestionnaire))

    services.accorder(equipe=equipe, compte_id=admin.pk, acteur=acteur_de(comptes.admin()))

    assert lit(dossier, admin)


def test_qui_attend_n_apprend_rien_et_ne_dit_oui_a_personne(equipe, dossier, nadia, admin, gestionnaire, evenements):
    MembreDEquipe.objects.create(equipe=equipe, compte=gestionnaire)
    ajouter(equipe, admin, admin)

    with pytest.raises(PermissionRefusee):
        services.accorder(equipe=equipe, compte_id=admin.pk, acteur=acteur_de(gestionnaire))
    with evenements() as publies:
        services.accorder(equipe=equipe, compte_id=admin.pk, acteur=acteur_de(nadia))

    assert {un["canal"] for un in publies if un["type"] == "system_alert"} == {f"user:{admin.pk}"}


def test_d_une_equipe_sans_dossier_il_n_y_a_rien_a_attendre(admin):
    vide = services.creer(acteur=acteur_de(admin), nom="Neuve")

    assert ajouter(vide, admin, admin).lit


def test_un_membre_l_est_une_fois(equipe, nadia, admin):
    with pytest.raises(DejaMembre):
        ajouter(equipe, nadia, admin)


def test_le_nombre_de_membres_est_borne(equipe, admin, gestionnaire, monkeypatch):
    monkeypatch.setattr(services, "MEMBRES_MAX", 1)

    with pytest.raises(PlusDeMembres):
        ajouter(equipe, gestionnaire, admin)


@pytest.mark.parametrize("personne", ["etudiante", "partie"])
def test_qui_n_est_pas_de_l_equipe_n_y_entre_pas(equipe, admin, etudiante, personne):
    qui = etudiante if personne == "etudiante" else comptes.gestionnaire(email="leo@campus.test", est_actif=False)

    with pytest.raises(ChampsInvalides):
        ajouter(equipe, qui, admin)


# --- Leaving ----------------------------------------------------------------------------------------------------------


def test_qui_quitte_ne_lit_plus_et_rend_ce_qui_est_ouvert(equipe, dossier, etudiante, nadia, admin, gestionnaire):
    ajouter(equipe, gestionnaire, admin)
    clos, ailleurs = (signalements.signalement(acteur_de(etudiante)) for _rang in range(2))
    equipes.confier(clos, equipe)
    for un in (dossier, clos, ailleurs):
        dossiers.assigner(signalement=un, gestionnaire_id=nadia.pk, acteur=acteur_de(nadia))
    dossiers.changer_statut(signalement=clos, statut="CLOTURE", acteur=acteur_de(nadia))

    retirer(equipe, nadia, nadia)
    assert not lit(dossier, nadia)
    faire_les_taches()

    gestionnaires = dict(Signalement.objects.values_list("pk", "gestionnaire"))
    assert gestionnaires == {dossier.pk: None, clos.pk: nadia.pk, ailleurs.pk: nadia.pk}
    assert ecarts() == {}


def test_ce_qu_elle_traitait_va_a_la_personne_responsable_qui_peut_le_lire(
    equipe, etudiante, nadia, admin, gestionnaire
):
    ajouter(equipe, gestionnaire, admin)
    services.modifier(equipe=equipe, acteur=acteur_de(admin), responsable_id=gestionnaire.pk)
    lu, ferme = (equipes.confier(signalements.signalement(acteur_de(etudiante)), equipe) for _rang in range(2))
    sien = equipes.confier(signalements.signalement(acteur_de(gestionnaire)), equipe)
    for un in (lu, ferme, sien):
        dossiers.assigner(signalement=un, gestionnaire_id=nadia.pk, acteur=acteur_de(nadia))
    changer_lecteurs(signalement=ferme, acteur=acteur_de(nadia), ecartes=[gestionnaire.pk])

    retirer(equipe, nadia, admin)
    faire_les_taches()

    tenus = dict(Signalement.objects.values_list("pk", "gestionnaire"))
    assert tenus == {lu.pk: gestionnaire.pk, ferme.pk: None, sien.pk: None}
    entree = lu.timeline.filter(type="ASSIGNATION").latest("date_creation")
    assert (entree.compte, entree.contenu) == (admin, gestionnaire.nom_complet)
    assert Avis.objects.filter(nature="DOSSIER_CONFIE", objet=lu.pk, vers=gestionnaire.pk).exists()
    assert ecarts() == {}


def test_un_lot_apres_l_autre_et_qui_est_revenu_garde_les_siens(equipe, etudiante, nadia, monkeypatch):
    monkeypatch.setattr("signalements.rendus.LOT", 2)
    siens = [equipes.confier(signalements.signalement(acteur_de(etudiante)), equipe) for _rang in range(3)]
    for un in siens:
        dossiers.assigner(signalement=un, gestionnaire_id=nadia.pk, acteur=acteur_de(nadia))
    qui = f"{equipe.pk} {nadia.pk} {nadia.pk}"

    rendre_les_illisibles.enqueue(qui)
    faire_les_taches()
    assert Signalement.objects.filter(gestionnaire=nadia).count() == 3

    retirer(equipe, nadia, nadia)
    faire_les_taches()
    assert not Signalement.objects.filter(gestionnaire=nadia).exists()


def test_nul_autre_qu_un_administrateur_ne_retire_quelqu_un(equipe, nadia, admin, gestionnaire):
    ajouter(equipe, gestionnaire, admin)
    with pytest.raises(PermissionRefusee):
        retirer(equipe, nadia, gestionnaire)

    retirer(equipe, nadia, admin)
    with pytest.raises(Introuvable):
        retirer(equipe, nadia, admin)

    assert [un.compte for un in MembreDEquipe.objects.all()] == [gestionnaire]


def test_une_equipe_n_a_plus_de_responsable_quand_la_personne_la_quitte(equipe, nadia, admin):
    services.modifier(equipe=equipe, acteur=acteur_de(admin), responsable_id=nadia.pk)

    retirer(equipe, nadia, admin)

    assert Equipe.objects.get().responsable is None


def test_qui_n_est_plus_de_l_etablissement_n_est_plus_d_aucune_et_revenu_ne_l_est_pas(equipe, dossier, nadia, admin):
    services_des_comptes.desactiver(compte=nadia, acteur=acteur_de(admin))
    assert not MembreDEquipe.objects.exists()

    services_des_comptes.reactiver(compte=nadia, acteur=acteur_de(admin))

    assert not lit(dossier, nadia)
    assert Trace.objects.get(acte="MEMBRE_CHANGE").details["quoi"] == "retrait"


def test_qui_change_de_role_n_est_plus_d_aucune(equipe, dossier, nadia, admin):
    services_des_comptes.modifier(compte=nadia, acteur=acteur_de(admin), type_utilisateur="UTILISATEUR")

    assert not MembreDEquipe.objects.exists()


# --- Nobody left ------------------------------------------------------------------------------------------------------


def test_une_equipe_sans_lecteur_est_dite_une_fois_aux_administrateurs_tant_que_cela_dure(
    equipe, dossier, nadia, admin, mailoutbox
):
    def une_minute():
        annoncer_les_equipes_sans_lecteur()
        faire_les_taches()
        return [mail.to for mail in mailoutbox if "plus personne pour les lire" in " ".join(mail.body.split())]

    assert une_minute() == []

    equipe.membres.all().delete()
    assert une_minute() == [[admin.email]]
    assert une_minute() == [[admin.email]]
    assert not any(equipe.nom in mail.body + mail.subject for mail in mailoutbox)

    MembreDEquipe.objects.create(equipe=equipe, compte=nadia, accepte_le=timezone.now())
    une_minute()
    assert Equipe.objects.get(pk=equipe.pk).sans_lecteur_le is None

    Equipe.objects.update(active=False)
    assert une_minute() == [[admin.email]] * 2


@pytest.mark.parametrize("cas", ["sans dossier", "en attente", "partie"])
def test_qui_attend_ou_est_parti_n_est_pas_un_lecteur_et_sans_dossier_il_n_en_faut_pas(equipe, nadia, etudiante, cas):
    if cas != "sans dossier":
        equipes.confier(signalements.signalement(acteur_de(etudiante)), equipe)
    if cas == "en attente":
        equipe.membres.update(accepte_le=None)
    if cas == "partie":
        nadia.est_actif = False
        nadia.save()
    if cas == "sans dossier":
        equipe.membres.all().delete()

    annoncer_les_equipes_sans_lecteur()

    assert (Equipe.objects.get(pk=equipe.pk).sans_lecteur_le is None) is (cas == "sans dossier")


@pytest.mark.parametrize("reste", ["personne", "un autre"])
def test_un_dossier_d_equipe_dont_tous_les_membres_sont_ecartes_est_sans_lecteur(
    equipe, dossier, nadia, admin, gestionnaire, reste
):
    if reste == "un autre":
        MembreDEquipe.objects.create(equipe=equipe, compte=gestionnaire, accepte_le=timezone.now())
    with equipes.suivre(dossier):
        equipes.poser(dossier, Acces.pour([nadia.pk], [], equipe.pk), None)
        dossier.save()

    assert list(sans_lecteur()) == ([dossier] if reste == "personne" else [])


# --- Two at once ------------------------------------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_un_dossier_confie_a_qui_est_retire_au_meme_instant_n_est_pas_garde_par_lui(admin, etudiante):
    nadia = comptes.gestionnaire(email="nadia@campus.test")
    leo = comptes.gestionnaire(email="leo@campus.test")
    equipe = equipes.equipe(nadia, leo)
    for _rang in range(4):
        dossier = equipes.confier(signalements.signalement(acteur_de(etudiante)), equipe)
        if not equipe.membres.filter(compte=nadia).exists():
            ajouter(equipe, nadia, admin)

        def confier(dossier=dossier) -> None:
            dossiers.assigner(signalement=dossier, gestionnaire_id=nadia.pk, acteur=acteur_de(leo))

        ensemble([confier, lambda: retirer(Equipe.objects.get(), nadia, admin)])
        faire_les_taches()

        assert Signalement.objects.get(pk=dossier.pk).gestionnaire is None


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_ajoute_au_moment_ou_son_compte_est_ferme_quelqu_un_n_est_membre_de_rien(admin):
    equipe = equipes.equipe()
    for rang in range(4):
        leo = comptes.gestionnaire(email=f"leo{rang}@campus.test")
        ensemble(
            [
                lambda leo=leo: ajouter(Equipe.objects.get(), leo, admin),
                lambda leo=leo: services_des_comptes.desactiver(compte=leo, acteur=acteur_de(admin)),
            ]
        )

    assert not equipe.membres.exists()

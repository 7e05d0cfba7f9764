"""Routing rules: which one a new case follows, who may write them, and what they never touch."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from accounts.tests import fabriques as comptes
from accounts.tests.outils import ensemble
from avis.models import Avis
from config.tests.outils import acteur_de, champs_refuses, client_de
from equipes.models import Equipe, RegleDeRoutage
from equipes.services import equipes as services
from equipes.services import regles
from equipes.tests import fabriques as equipes
from espace.tests.outils import Equipiere
from signalements.compteurs.recompte import ecarts
from signalements.models import Signalement
from signalements.vocabulaire import Ouverture, Statut, TypeEntree
from socle.audit.models import Trace
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
REGLES = "/api/v1/regles-routage/"
SIGNALEMENTS = "/api/v1/signalements/"


def signaler(qui, **champs):
    corps = {"titre": "Un vol", "description": "Un sac, à l'amphi.", "type": "VOL", **champs}
    reponse = client_de(qui).post(SIGNALEMENTS, corps)
    assert reponse.status_code == 201, reponse.content
    return Signalement.objects.get(pk=reponse.json()["data"]["id"])


def ecrire(qui, methode="post", chemin=REGLES, **corps):
    return getattr(client_de(qui), methode)(chemin, corps)


# --- What a new case follows ------------------------------------------------------------------------------------------


def test_la_premiere_qui_convient_est_suivie(equipe, gestionnaire, etudiante, invite):
    autre = equipes.equipe(gestionnaire, nom="Vols")
    equipes.regle(equipe, ordre=10, types=["VOL"], bureaux=["nord"])
    equipes.regle(autre, ordre=20, types=["VOL", "AUTRE"])

    assert signaler(etudiante, bureauGenreId="nord").equipe == equipe
    assert signaler(invite, bureauGenreId="sud").equipe == autre
    assert signaler(etudiante).equipe == autre
    libre = signaler(etudiante, type="VIOLENCE")
    assert (libre.equipe, libre.ouvert_a) == (None, Ouverture.TOUS)
    assert ecarts() == {}


def test_son_equipe_seule_le_lit_des_qu_il_est_la(equipe, nadia, gestionnaire, admin, etudiante, evenements):
    equipes.regle(equipe)

    with evenements() as publies:
        dossier = signaler(etudiante)

    assert dossier.ouvert_a == Ouverture.EQUIPE
    assert client_de(nadia).get(f"{SIGNALEMENTS}{dossier.pk}").status_code == 200
    assert client_de(gestionnaire).get(f"{SIGNALEMENTS}{dossier.pk}").status_code == 404
    assert client_de(admin).get(f"{SIGNALEMENTS}{dossier.pk}").json()["code"] == "OUVERTURE_MOTIVEE"
    assert client_de(etudiante).get(f"{SIGNALEMENTS}{dossier.pk}").status_code == 200
    audiences = {un["audience"] for un in publies if un["canal"] in ("signalements", "dashboard")}
    assert audiences == {f"equipe:{equipe.pk.hex}"}


def test_la_personne_nommee_le_traite_et_l_apprend(equipe, nadia, etudiante):
    equipes.regle(equipe, gestionnaire=nadia)

    dossier = signaler(etudiante)

    assert (dossier.gestionnaire, dossier.statut) == (nadia, Statut.NOUVEAU)
    assert [un.type for un in dossier.timeline.order_by("date_creation", "id")] == [
        TypeEntree.CREATION,
        TypeEntree.ASSIGNATION,
    ]
    assert set(Avis.objects.values_list("nature", flat=True)) >= {"NOUVEAU_DOSSIER", "DOSSIER_CONFIE"}
    lu = client_de(etudiante).get(f"{SIGNALEMENTS}{dossier.pk}/timeline").json()["data"][-1]
    assert (lu["description"], lu["auteurNom"]) == ("Dossier confié à une personne de l'équipe.", "Équipe")
    pour_elle = client_de(nadia).get(f"{SIGNALEMENTS}{dossier.pk}/timeline").json()["data"][-1]
    assert (pour_elle["auteurId"], pour_elle["auteurNom"]) == (None, "Règle de routage")
    page = Equipiere(nadia).dossier(dossier)
    assert re.search(r"confié à Nadia Benali\. Règle de routage, ", strip_tags(page))
    assert ecarts() == {}


def test_nul_ne_traite_son_propre_dossier_par_une_regle(equipe, nadia):
    equipes.regle(equipe, gestionnaire=nadia)

    sien = signaler(nadia)

    assert (sien.equipe, sien.gestionnaire) == (equipe, None)


def test_qui_ne_lit_plus_les_dossiers_de_l_equipe_n_en_recoit_pas(equipe, nadia, etudiante):
    equipes.regle(equipe, gestionnaire=nadia)
    equipe.membres.all().delete()

    assert signaler(etudiante).gestionnaire is None


@pytest.mark.parametrize("champs", [{"active": False}, {"types": ["VIOLENCE"]}, {"bureaux": ["nord"]}])
def test_une_regle_qui_ne_convient_pas_n_est_pas_suivie(equipe, etudiante, champs):
    equipes.regle(equipe, **champs)

    assert signaler(etudiante).equipe is None


def test_une_regle_ne_coute_pas_de_requete_a_qui_signale(equipe, etudiante):
    def requetes():
        with CaptureQueriesContext(connection) as vues:
            signaler(etudiante)
        return len(vues)

    signaler(etudiante)
    sans = requetes()
    equipes.regle(equipe)
    signaler(etudiante)

    assert requetes() == sans


# --- Writing them -----------------------------------------------------------------------------------------------------


def test_une_regle_est_inactive_puis_s_essaie_puis_compte(equipe, admin, etudiante):
    ecrite = ecrire(admin, types=["vol"], bureaux=["nord"], equipeId=str(equipe.pk)).json()["data"]
    assert (ecrite["types"], ecrite["bureaux"], ecrite["active"], ecrite["ordre"]) == (["VOL"], ["nord"], False, 10)

    def essai():
        return ecrire(admin, chemin=f"{REGLES}essai", type="VOL", bureauGenreId="nord").json()["data"]

    assert (essai()["suivie"], [une["id"] for une in essai()["conviennent"]]) == (None, [ecrite["id"]])
    assert signaler(etudiante, bureauGenreId="nord").equipe is None

    ecrire(admin, "put", f"{REGLES}{ecrite['id']}", active=True)

    assert essai()["suivie"]["id"] == ecrite["id"]
    assert signaler(etudiante, bureauGenreId="nord").equipe == equipe
    assert Signalement.objects.filter(equipe=None).count() == 1  # the one that was there has not moved


def test_une_regle_supprimee_ne_s_applique_plus(equipe, admin, etudiante):
    regle = equipes.regle(equipe)
    assert signaler(etudiante).equipe == equipe

    assert client_de(admin).delete(f"{REGLES}{regle.pk}").status_code == 204

    assert signaler(etudiante).equipe is None
    assert Trace.objects.get(acte="ROUTAGE_CHANGE").details == {"quoi": "supprimee", "regle": str(regle.pk)}


def test_les_regles_se_lisent_dans_l_ordre_ou_elles_sont_suivies(equipe, admin):
    for ordre in (30, 10, 20):
        equipes.regle(equipe, ordre=ordre, active=False)

    assert [une["ordre"] for une in client_de(admin).get(REGLES).json()["data"]] == [10, 20, 30]
    assert ecrire(admin, equipeId=str(equipe.pk)).json()["data"]["ordre"] == 40


def test_une_destination_qui_ne_vaut_pas_est_nommee(equipe, nadia, gestionnaire, admin):
    fermee = equipes.equipe(nom="Ancienne", active=False)
    for corps, champ in (
        ({"equipeId": str(fermee.pk)}, "equipeId"),
        ({"equipeId": str(admin.pk)}, "equipeId"),
        ({"equipeId": str(equipe.pk), "gestionnaireId": str(gestionnaire.pk)}, "gestionnaireId"),
        ({"equipeId": str(equipe.pk), "types": ["x y"]}, "types"),
        ({"equipeId": str(equipe.pk), "types": ["VOL"] * 51}, "types"),
        ({"equipeId": str(equipe.pk), "bureaux": ["x" * 65]}, "bureaux"),
        ({"equipeId": str(equipe.pk), "ordre": 10_000}, "ordre"),
    ):
        refus = ecrire(admin, **corps)
        assert refus.status_code == 422, corps
        assert {un.partition(".")[0] for un in champs_refuses(refus)} == {champ}
    assert not RegleDeRoutage.objects.exists()


def test_le_nombre_de_regles_est_borne(equipe, admin, monkeypatch):
    monkeypatch.setattr(regles, "REGLES_MAX", 1)
    equipes.regle(equipe)

    assert ecrire(admin, equipeId=str(equipe.pk)).status_code == 409


def test_une_equipe_que_des_regles_nomment_ne_se_ferme_pas(equipe, admin):
    regle = equipes.regle(equipe)
    chemin = f"/api/v1/equipes/{equipe.pk}"

    assert champs_refuses(ecrire(admin, "put", chemin, active=False)) == {"active"}

    ecrire(admin, "put", f"{REGLES}{regle.pk}", active=False)
    assert ecrire(admin, "put", chemin, active=False).status_code == 200


def test_qui_quitte_une_equipe_n_est_plus_nomme_par_ses_regles(equipe, nadia, admin, etudiante):
    regle = equipes.regle(equipe, gestionnaire=nadia)

    services.retirer(equipe=equipe, compte_id=nadia.pk, acteur=acteur_de(admin))

    assert RegleDeRoutage.objects.get(pk=regle.pk).gestionnaire is None
    assert signaler(etudiante).gestionnaire is None


def test_ses_lecteurs_apprennent_qu_une_regle_a_change_d_ou_elle_menait_et_la_ou_elle_mene(
    equipe, nadia, gestionnaire, admin, evenements, mailoutbox
):
    regle, autre = equipes.regle(equipe), equipes.equipe(gestionnaire, nom="Vols")

    with evenements() as publies:
        ecrire(admin, "put", f"{REGLES}{regle.pk}", equipeId=str(autre.pk))
    faire_les_taches()

    dits = {un["canal"] for un in publies if un["type"] == "system_alert"}
    assert dits == {f"user:{nadia.pk}", f"user:{gestionnaire.pk}"}
    assert sorted(mail.to for mail in mailoutbox) == [[nadia.email], [gestionnaire.email]]
    assert not any("Vols" in mail.body + mail.subject for mail in mailoutbox)


def test_une_regle_inactive_ne_derange_personne(equipe, admin, evenements):
    with evenements() as publies:
        ecrire(admin, equipeId=str(equipe.pk))

    assert [un for un in publies if un["type"] == "system_alert"] == []


# --- Two at once ------------------------------------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_un_dossier_cree_quand_la_regle_change_suit_l_une_ou_l_autre_en_entier(admin, etudiante):
    nadia, leo = (comptes.gestionnaire(email=f"{nom}@campus.test") for nom in ("nadia", "leo"))
    premiere, seconde = equipes.equipe(nadia, nom="Une"), equipes.equipe(leo, nom="Deux")
    regle = equipes.regle(premiere, gestionnaire=nadia)
    for rang in range(6):
        vers = ((premiere, nadia), (seconde, leo))[rang % 2]

        def changer(vers=vers) -> None:
            relue = RegleDeRoutage.objects.get(pk=regle.pk)
            champs = {"equipe_id": vers[0].pk, "gestionnaire_id": vers[1].pk}
            regles.modifier(regle=relue, acteur=acteur_de(admin), **champs)

        ensemble([changer, lambda: signaler(etudiante)])

    couples = set(Signalement.objects.values_list("equipe", "gestionnaire"))
    assert couples <= {(premiere.pk, nadia.pk), (seconde.pk, leo.pk)}
    assert Signalement.objects.count() == 6


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_une_regle_ecrite_quand_son_equipe_se_ferme_ne_mene_pas_a_une_equipe_fermee(admin):
    for rang in range(4):
        equipe = equipes.equipe(nom=f"Équipe {rang}")

        def fermer(cle=equipe.pk) -> None:
            services.modifier(equipe=Equipe.objects.get(pk=cle), acteur=acteur_de(admin), active=False)

        def ecrire_une_regle(cle=equipe.pk) -> None:
            regles.ajouter(acteur=acteur_de(admin), equipe_id=cle, active=True)

        ensemble([fermer, ecrire_une_regle])

    assert not RegleDeRoutage.objects.filter(active=True, equipe__active=False).exists()

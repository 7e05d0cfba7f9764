"""If-None-Match on what is read, If-Match on what is changed: tags of what the caller reads, judged under the lock."""

import re
import threading
from typing import Any

import pytest
from django.db import connection
from django.urls import resolve

from accounts.models import Preferences
from accounts.tests.fabriques import compte, gestionnaire
from config.tests.outils.clients import ClientApi, acteur_de, client_de
from config.tests.outils.scene import HTTP, Ligne, Scene, en_parametres, exemple_de
from signalements.models import Signalement
from signalements.tests.fabriques import joindre, signalement
from socle.api.operations import Operation

pytestmark = pytest.mark.django_db
AUTRE = '"0123456789abcdef0123456789abcdef"'


def _operation(ligne: Ligne) -> Operation | None:
    vue = resolve(exemple_de(ligne.chemin)).func
    return vue.cls.operations.get(vue.actions.get(ligne.methode.lower())) if hasattr(vue, "actions") else None


def _premieres(lignes: list[Ligne]) -> list[Ligne]:
    """One row for each of their operations."""
    return list({(ligne.methode, ligne.chemin): ligne for ligne in reversed(lignes)}.values())


ADMISES = [(ligne, operation) for ligne in HTTP if ligne.attendu[0] == "2" and (operation := _operation(ligne))]
CHANGEMENTS = _premieres([ligne for ligne, operation in ADMISES if operation.etat])
LECTURES = _premieres(
    [ligne for ligne, operation in ADMISES if ligne.methode == "GET" and operation.a_l_enveloppe and operation.sortie]
)


class Changement:
    """A change of the matrix, by the first whom it lets in, beside the reading of what it changes."""

    def __init__(self, ligne: Ligne) -> None:
        scene, self.operation = Scene(), _operation(ligne)
        self.client, self.url = scene.client_de(ligne), scene.chemin(ligne)
        self.lu_a = self.url
        if self.operation.etat == "retrieve":
            self.lu_a = re.sub(r"(/[0-9a-f]{8}-[^/]{27}/).*", r"\1", self.url)
        self.methode, self.corps = ligne.methode, scene.corps(ligne.methode, ligne.chemin, ligne.acteur)

    def lire(self) -> Any:
        return self.client.get(self.lu_a)

    def faire(self, if_match: str) -> Any:
        return self.client.envoyer(self.methode, self.url, self.corps, headers={"If-Match": if_match})


def test_ce_que_l_on_modifie_et_supprime_se_dit_sous_condition():
    chemins = {f"{ligne.methode} {ligne.chemin.removeprefix('/api/v1').rstrip('/')}" for ligne in CHANGEMENTS}

    assert chemins == {
        "PUT /comptes/me",
        "PUT /comptes/{compte_id}",
        "PUT /preferences",
        "PUT /calendriers/{evenement_id}",
        "DELETE /calendriers/{evenement_id}",
        "PUT /equipes/{equipe_id}",
        "PUT /regles-routage/{regle_id}",
        "DELETE /regles-routage/{regle_id}",
        "PUT /modeles-reponse/{modele_id}",
        "DELETE /modeles-reponse/{modele_id}",
        "DELETE /postes/{poste_id}",
        "PUT /postes/{poste_id}/epingle",
        "DELETE /postes/{poste_id}/epingle",
        "PATCH /postes/{poste_id}/statut",
        "DELETE /ressources/{resource_id}",
        "PUT /signalements/{signalement_id}/statut",
        "PUT /signalements/{signalement_id}/assigner",
        "PUT /signalements/{signalement_id}/priorite",
        "PUT /signalements/{signalement_id}/lecteurs",
        "PUT /signalements/{signalement_id}/ne-pas-montrer",
        "PUT /signalements/{signalement_id}/gel",
    }


@pytest.mark.parametrize("ligne", en_parametres(CHANGEMENTS))
def test_un_autre_etat_est_refuse_avec_celui_qui_est_la(ligne):
    changement = Changement(ligne)
    lu = changement.lire()

    refus = changement.faire(AUTRE)

    assert (refus.status_code, refus.json()["code"]) == (412, "PRECONDITION_FAILED")
    assert (refus.json()["actuel"], refus["ETag"]) == (lu.json()["data"], lu["ETag"])
    assert changement.lire()["ETag"] == lu["ETag"]  # nothing is done


@pytest.mark.parametrize("ligne", en_parametres(CHANGEMENTS))
def test_l_etat_que_l_on_a_lu_se_change_et_la_reponse_dit_le_suivant(ligne):
    changement = Changement(ligne)
    lu = changement.lire()

    fait = changement.faire(f"{AUTRE}, W/{lu['ETag']}")  # as a proxy that compresses weakens it

    assert str(fait.status_code) == ligne.attendu
    if "ETag" in fait:
        assert fait["ETag"] == changement.lire()["ETag"]


@pytest.mark.longue
@pytest.mark.parametrize("ligne", en_parametres(LECTURES))
def test_ce_qui_n_a_pas_change_n_est_pas_renvoye(ligne):
    scene = Scene()
    client, url = scene.client_de(ligne), scene.chemin(ligne)
    lu = client.get(url)

    encore = client.get(url, headers={"If-None-Match": f"{AUTRE}, {lu['ETag']}"})

    assert (encore.status_code, encore.content, encore["ETag"]) == (304, b"", lu["ETag"])
    assert "Content-Type" not in encore


MONTRENT = _premieres([ligne for ligne, operation in ADMISES if operation.montre_ce_qu_elle_change(ligne.methode)])


@pytest.mark.parametrize("ligne", en_parametres(MONTRENT))
def test_qui_n_a_pas_besoin_de_relire_recoit_204(ligne):
    scene = Scene()
    client, url, corps = scene.client_de(ligne), scene.chemin(ligne), scene.corps(*ligne[:3])

    fait = client.envoyer(ligne.methode, url, corps, headers={"Prefer": "wait=10, Return=Minimal"})

    assert (fait.status_code, fait.content, fait["Preference-Applied"]) == (204, b"", "return=minimal")


@pytest.mark.parametrize("voulu", ["return=representation", "minimal", ""])
def test_une_autre_preference_ne_change_rien(voulu):
    fait = client_de(compte()).put("/api/v1/preferences/", {"theme": "DARK"}, headers={"Prefer": voulu})

    assert (fait.status_code, fait.json()["data"]["theme"]) == (200, "DARK")
    assert "Preference-Applied" not in fait


def test_l_etiquette_est_celle_de_ce_que_l_on_lit_soi_meme(django_assert_num_queries):
    etudiante, paul = compte(), gestionnaire()
    dossier = signalement(acteur_de(etudiante))
    sienne, lue = client_de(etudiante), client_de(paul)
    url = f"/api/v1/signalements/{dossier.pk}/"
    avant = [client.get(url)["ETag"] for client in (sienne, lue)]

    lue.put(f"{url}gel/", {"gele": True, "motif": "Procédure"})
    lue.post(f"{url}notes/", {"contenu": "Note pour l'équipe."})

    assert avant[0] != avant[1]
    assert [client.get(url)["ETag"] for client in (sienne, lue)] == avant


def test_le_dossier_ou_mene_un_signalement_joint_est_celui_dont_l_etat_compte():
    etudiante, paul = compte(), client_de(gestionnaire())
    joint, dossier = signalement(acteur_de(etudiante)), signalement(acteur_de(etudiante), titre="Le même")
    joindre(joint, dossier)
    url = f"/api/v1/signalements/{joint.pk}/"
    lu = paul.get(url)["ETag"]

    premier = paul.put(f"{url}priorite/", {"priorite": "LOW"}, headers={"If-Match": lu})
    second = paul.put(f"{url}priorite/", {"priorite": "HIGH"}, headers={"If-Match": lu})

    assert (premier.status_code, second.status_code) == (200, 412)
    assert second.json()["actuel"]["id"] == str(dossier.pk)


@pytest.mark.parametrize("entete", ["", "pas une étiquette", '"', "W/"])
def test_un_if_match_illisible_ne_nomme_aucun_etat(entete):
    qui = compte()

    refus = client_de(qui).put("/api/v1/preferences/", {"theme": "DARK"}, headers={"If-Match": entete})

    assert refus.status_code == 412
    assert not Preferences.objects.filter(compte=qui, theme="DARK").exists()


def test_tout_etat_convient_a_une_etoile_et_un_changement_ne_lit_pas_if_none_match():
    client = client_de(compte())
    lu = client.get("/api/v1/preferences/")["ETag"]

    change = client.put("/api/v1/preferences/", {"theme": "DARK"}, headers={"If-Match": "*", "If-None-Match": lu})

    assert change.status_code == 200


@pytest.mark.django_db(transaction=True)
def test_de_deux_qui_changent_le_meme_etat_au_meme_instant_un_seul_y_parvient():
    dossier = signalement(acteur_de(compte()))
    url, depart = f"/api/v1/signalements/{dossier.pk}/", threading.Barrier(2)
    clients = [client_de(gestionnaire()) for _qui in range(2)]
    etags = [client.get(url)["ETag"] for client in clients]
    statuts = []

    def changer(client: ClientApi, etag: str, priorite: str) -> None:
        depart.wait(10)
        recu = client.put(f"{url}priorite/", {"priorite": priorite}, headers={"If-Match": etag})
        statuts.append((recu.status_code, priorite))
        connection.close()

    fils = [threading.Thread(target=changer, args=args) for args in zip(clients, etags, ("LOW", "HIGH"), strict=True)]
    for fil in fils:
        fil.start()
    for fil in fils:
        fil.join(30)

    assert sorted(statut for statut, _priorite in statuts) == [200, 412]
    gagnante = next(priorite for statut, priorite in statuts if statut == 200)
    assert Signalement.objects.get(pk=dossier.pk).priorite == gagnante

"""Evidence that an administrator deletes: nowhere to be read at once, told where it must be, kept for a time."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from accounts.tests.outils import entrer
from config.tests.outils import acteur_de, client_de, evenements_publies
from discussions.tests import fabriques as discussions
from resources import stockage
from resources.erreurs import FichierUtilise
from resources.models import Attache, Fichier
from resources.services import fichiers as services
from resources.tests import fabriques
from signalements.models import EntreeTimeline
from signalements.tests import fabriques as signalements
from socle.erreurs import Introuvable

pytestmark = pytest.mark.django_db
FICHIERS = "/admin/resources/fichier/"
GARDES, JAMAIS_JOINTS = timedelta(days=30), timedelta(days=7)


def piece(qui, mode="IDENTIFIE", nom="photo du bureau.txt"):
    """`(file, report)`: a file of this person on a report of theirs."""
    fichier = fabriques.fichier(acteur_de(qui), nom)
    return fichier, signalements.signalement(acteur_de(qui), mode_identification=mode, pieces_jointes=[fichier.pk])


def supprimer(admin, fichier, par="api"):
    if par == "api":
        return client_de(admin).delete(f"/api/v1/fichiers/{fichier.pk}").status_code
    return entrer(admin.email).post(f"{FICHIERS}{fichier.pk}/delete/", {"post": "yes"}).status_code


def retablir(admin, fichier):
    client = entrer(admin.email)
    donnees = {"action": "retablir", "_selected_action": [str(fichier.pk)]}
    return client.post(f"{FICHIERS}?etat=supprimes", donnees, follow=True)


def historique(qui, dossier):
    """What the history says of files to this person: `(type, sentence, author)`."""
    lignes = client_de(qui).get(f"/api/v1/signalements/{dossier.pk}/timeline").json()["data"]
    return [(e["type"], e["description"], e["auteurNom"]) for e in lignes if e["type"].startswith("PIECE")]


def test_supprimer_encore_dit_la_meme_chose_a_tous(etudiante, autre_etudiante, admin):
    fichier, _dossier = piece(etudiante)
    assert supprimer(admin, fichier) == 204

    assert [supprimer(qui, fichier) for qui in (etudiante, autre_etudiante, admin)] == [404] * 3


@pytest.mark.parametrize("par", ["api", "espace"])
def test_une_preuve_supprimee_est_introuvable_pour_tous_et_gardee(
    client, etudiante, gestionnaire, admin, par, django_capture_on_commit_callbacks
):
    fichier, dossier = piece(etudiante)
    url = f"/api/v1/fichiers/{fichier.pk}"
    lien = client_de(gestionnaire).get(url).json()["data"]["url"].removeprefix("http://testserver")
    assert client.get(lien).status_code == 200

    with django_capture_on_commit_callbacks(execute=True):
        statut = supprimer(admin, fichier, par)

    assert statut == (204 if par == "api" else 302)
    assert [client_de(qui).get(url).status_code for qui in (etudiante, gestionnaire, admin)] == [404] * 3
    assert client.get(lien).status_code == 404
    assert client_de(admin).delete(url).status_code == 404
    assert fichier.cle in fabriques.stockes("local")
    assert client_de(etudiante).get(f"/api/v1/signalements/{dossier.pk}").json()["data"]["piecesJointes"] == [
        str(fichier.pk)
    ]


def test_le_lien_d_un_seau_ne_mene_plus_a_une_preuve_supprimee(
    etudiante, admin, magasin, telecharger, django_capture_on_commit_callbacks
):
    fichier, _dossier = piece(etudiante)
    lien = client_de(etudiante).get(f"/api/v1/fichiers/{fichier.pk}").json()["data"]["url"]

    with django_capture_on_commit_callbacks(execute=True):
        supprimer(admin, fichier)

    with pytest.raises(AssertionError):
        telecharger(lien)
    fichier.refresh_from_db()
    assert fabriques.stockes(magasin) == [fichier.cle]
    services.retablir(fichier=fichier, acteur=acteur_de(admin))
    relu = client_de(etudiante).get(f"/api/v1/fichiers/{fichier.pk}").json()["data"]
    assert telecharger(relu["url"])[0] == fabriques.CONTENU


def test_une_suppression_qui_echoue_ne_laisse_pas_de_copie(etudiante, gestionnaire, magasin):
    fichier, _dossier = piece(etudiante)

    assert supprimer(gestionnaire, fichier) == 403
    with pytest.raises(services.FichierUtilise):
        services.supprimer(fichier=fichier, acteur=acteur_de(etudiante))

    assert fabriques.stockes(magasin) == [fichier.cle]


def test_une_preuve_que_le_stockage_a_perdue_se_supprime(etudiante, admin, magasin):
    fichier, _dossier = piece(etudiante)
    stockage.effacer(fichier.seau, fichier.cle)

    assert supprimer(admin, fichier) == 204


@pytest.mark.parametrize("par", ["api", "espace"])
@pytest.mark.parametrize("ou", ["signalement", "message"])
def test_le_dossier_dit_ce_qui_a_ete_supprime(etudiante, gestionnaire, admin, ou, par):
    fichier, dossier = piece(etudiante)
    if ou == "message":
        fichier = fabriques.fichier(acteur_de(etudiante), "photo du bureau.txt")
        discussion = discussions.discussion(acteur_de(etudiante), signalement=dossier)
        discussions.message(acteur_de(etudiante), discussion, pieces_jointes=[fichier.pk])

    supprimer(admin, fichier, par)

    phrase = "Pièce jointe supprimée : photo du bureau.txt."
    assert historique(etudiante, dossier) == [("PIECE_SUPPRIMEE", phrase, "Équipe")]
    assert historique(gestionnaire, dossier) == [("PIECE_SUPPRIMEE", phrase, admin.nom_complet)]


def test_un_dossier_anonyme_ne_dit_que_le_nom_neutre(invite, gestionnaire, admin):
    fichier, dossier = piece(invite, mode="ANONYME", nom="Ruth Mbuyi.txt")

    with evenements_publies() as recus:
        supprimer(admin, fichier)

    phrase = f"Pièce jointe supprimée : piece-{fichier.pk.hex[:8]}.txt."
    assert historique(gestionnaire, dossier) == [("PIECE_SUPPRIMEE", phrase, admin.nom_complet)]
    assert historique(invite, dossier) == [("PIECE_SUPPRIMEE", phrase, "Équipe")]
    assert "Ruth" not in str(recus)
    assert "Ruth" not in str(list(LogEntry.objects.values_list("object_repr", "change_message")))


def test_la_suppression_est_annoncee_a_son_auteur_et_a_l_equipe(etudiante, admin):
    fichier, dossier = piece(etudiante)

    with evenements_publies() as recus:
        supprimer(admin, fichier)

    assert [(e["type"], e["canal"], e["payload"]["type"], e["payload"]["auteurNom"]) for e in recus] == [
        ("signalement_timeline_updated", f"signalement:{dossier.pk}", "PIECE_SUPPRIMEE", "Équipe")
    ]


def test_rien_n_est_dit_d_une_suppression_annulee(etudiante, admin):
    fichier, dossier = piece(etudiante)

    with evenements_publies() as recus, pytest.raises(RuntimeError), transaction.atomic():
        services.supprimer(fichier=fichier, acteur=acteur_de(admin))
        raise RuntimeError

    assert recus == []
    assert historique(etudiante, dossier) == []
    assert not LogEntry.objects.exists()
    assert Fichier.objects.presents().exists()


@pytest.mark.parametrize("par", ["api", "espace"])
def test_le_journal_le_dit_une_fois_par_quelque_chemin(etudiante, admin, par):
    fichier, _dossier = piece(etudiante)

    supprimer(admin, fichier, par)
    retablir(admin, fichier)

    ecrits = [(e.user, e.action_flag, e.object_id) for e in LogEntry.objects.order_by("pk")]
    assert ecrits == [(admin, DELETION, str(fichier.pk)), (admin, CHANGE, str(fichier.pk))]


def test_ce_qu_on_supprime_soi_meme_n_est_pas_au_journal_ce_qu_un_administrateur_supprime_y_est(etudiante, admin):
    sien, autre = (fabriques.fichier(acteur_de(etudiante)) for _rang in range(2))
    fabriques.ressource(etudiante, file_id=autre.pk)

    assert (supprimer(etudiante, sien), supprimer(admin, autre)) == (204, 204)

    assert [e.object_id for e in LogEntry.objects.all()] == [str(autre.pk)]
    assert not Fichier.objects.exists()


def test_ce_qu_un_administrateur_avait_joint_a_un_dossier_d_autrui_s_y_dit_supprime(etudiante, admin):
    sien = fabriques.fichier(acteur_de(admin), "convocation.txt")
    dossier = signalements.signalement(acteur_de(etudiante))
    echange = discussions.discussion(acteur_de(etudiante), signalement=dossier)
    discussions.message(acteur_de(admin), echange, "Votre convocation.", pieces_jointes=[sien.pk])

    assert supprimer(admin, sien) == 204

    assert [type_ for type_, _phrase, _qui in historique(admin, dossier)] == ["PIECE_SUPPRIMEE"]


def test_de_deux_qui_suppriment_ensemble_un_seul_le_fait(etudiante, admin):
    """Both passed the door; the lock asks again."""
    fichier, dossier = piece(etudiante)
    deja_lu = Fichier.objects.get(pk=fichier.pk)
    services.supprimer(fichier=fichier, acteur=acteur_de(admin))

    with pytest.raises(Introuvable):
        services.supprimer(fichier=deja_lu, acteur=acteur_de(admin))

    assert len(historique(admin, dossier)) == 1


def test_ce_qui_se_joint_a_un_autre_dossier_pendant_qu_on_le_supprime_reste(etudiante, admin, monkeypatch):
    """That case was not locked, nor asked whether it is held."""
    fichier, _dossier = piece(etudiante)
    tenir = services._tenir_les_dossiers

    def tenir_puis_joindre(quoi, acteur):
        tenus = tenir(quoi, acteur)
        signalements.signalement(acteur_de(etudiante), mode_identification="IDENTIFIE", pieces_jointes=[fichier.pk])
        return tenus

    monkeypatch.setattr(services, "_tenir_les_dossiers", tenir_puis_joindre)

    with pytest.raises(FichierUtilise):
        services.supprimer(fichier=fichier, acteur=acteur_de(admin))

    assert not Fichier.objects.get(pk=fichier.pk).est_supprime


def test_une_piece_de_publication_est_gardee_et_dite_au_journal_seul(api, etudiante, admin):
    fichier = fabriques.fichier(acteur_de(etudiante))
    api(etudiante).post("/api/v1/postes/", {"contenu": "Le plan.", "piecesJointes": [str(fichier.pk)]})

    supprimer(admin, fichier)

    assert Fichier.objects.supprimes().get() == fichier
    assert LogEntry.objects.count() == 1
    assert not EntreeTimeline.objects.filter(type="PIECE_SUPPRIMEE").exists()


def test_un_administrateur_ne_supprime_pas_la_preuve_de_son_propre_dossier(admin):
    """There they are its owner, and no more; from the pages of the admin site as well."""
    fichier, dossier = piece(admin, mode="ANONYME")

    refus = client_de(admin).delete(f"/api/v1/fichiers/{fichier.pk}")
    page = entrer(admin.email).post(f"{FICHIERS}{fichier.pk}/delete/", {"post": "yes"}, follow=True)

    assert (refus.status_code, refus.json()["code"]) == (409, "FILE_IN_USE")
    assert [message.level_tag for message in page.context["messages"]] == ["error"]
    assert Fichier.objects.presents().exists()
    assert historique(admin, dossier) == []


def test_ce_qui_est_supprime_ne_compte_plus_et_ne_se_joint_plus(api, etudiante, admin, settings):
    fichier, _dossier = piece(etudiante)
    settings.FILE_QUOTA_OCTETS = len(fabriques.CONTENU)
    supprimer(admin, fichier)

    joint = api(etudiante).post("/api/v1/postes/", {"contenu": "Voici.", "piecesJointes": [str(fichier.pk)]})
    partage = api(etudiante).post("/api/v1/ressources/", {"titre": "Plan", "fileId": str(fichier.pk)})
    envoi = api(etudiante).post("/api/v1/fichiers/upload", {"file": fabriques.envoi()})

    assert (joint.status_code, partage.status_code, envoi.status_code) == (422, 403, 201)


# --- Back again -----------------------------------------------------------------------------------------------------


def test_un_administrateur_retablit_une_preuve_et_le_dossier_le_dit(etudiante, gestionnaire, admin):
    fichier, dossier = piece(etudiante)
    supprimer(admin, fichier)

    page = retablir(admin, fichier)

    assert [str(message) for message in page.context["messages"]] == ["1 ligne traitée."]
    assert client_de(gestionnaire).get(f"/api/v1/fichiers/{fichier.pk}").status_code == 200
    assert [ligne[::2] for ligne in historique(etudiante, dossier)] == [
        ("PIECE_SUPPRIMEE", "Équipe"),
        ("PIECE_RETABLIE", "Équipe"),
    ]
    assert historique(etudiante, dossier)[-1][1] == "Pièce jointe rétablie : photo du bureau.txt."


def test_retablir_deux_fois_ne_dit_rien_de_plus(etudiante, admin):
    fichier, dossier = piece(etudiante)
    supprimer(admin, fichier)

    for _fois in range(2):
        services.retablir(fichier=fichier, acteur=acteur_de(admin))

    assert len(historique(etudiante, dossier)) == 2


def test_seuls_les_administrateurs_voient_ce_qui_est_supprime(etudiante, gestionnaire, admin):
    fichier, _dossier = piece(etudiante)
    supprimer(admin, fichier)
    page, liste = f"{FICHIERS}{fichier.pk}/change/", f"{FICHIERS}?etat=supprimes"

    vus = {qui: [entrer(qui.email).get(url) for url in (FICHIERS, liste, page)] for qui in (gestionnaire, admin)}

    assert [r.context["cl"].result_count for r in vus[admin][:2]] == [0, 1]
    assert vus[admin][2].status_code == 200
    assert "rétablissez-le" in vus[admin][2].content.decode()
    assert [r.context["cl"].result_count for r in vus[gestionnaire][:2]] == [0, 0]
    assert vus[gestionnaire][2].status_code == 302
    assert entrer(admin.email).get(f"{FICHIERS}{fichier.pk}/ouvrir/").status_code == 404


def test_une_ressource_attend_que_son_fichier_soit_retabli(etudiante, admin):
    fichier, _dossier = piece(etudiante)
    ressource = fabriques.ressource(etudiante, "Plan", file_id=fichier.pk)
    supprimer(admin, fichier)
    url, client = f"/api/v1/ressources/{ressource.pk}", entrer(admin.email)
    donnees = {"action": "retablir", "_selected_action": [str(ressource.pk)]}

    def remettre():
        client.post("/admin/resources/ressource/?etat=supprimees", donnees)
        return client_de(etudiante).get(url).status_code

    avant = remettre()
    retablir(admin, fichier)

    assert (avant, remettre()) == (404, 200)


# --- Purge ----------------------------------------------------------------------------------------------------------


def purger(dans, *options):
    with time_machine.travel(timezone.now() + dans, tick=False):
        call_command("purge", *options)


def test_une_preuve_supprimee_est_purgee_apres_son_temps(
    etudiante, admin, magasin, capsys, django_capture_on_commit_callbacks
):
    fichier, _dossier = piece(etudiante)
    with django_capture_on_commit_callbacks(execute=True):
        supprimer(admin, fichier)
        purger(GARDES - timedelta(hours=1))
        purger(GARDES + timedelta(hours=1), "--dry-run")
    assert Fichier.objects.exists()
    assert len(fabriques.stockes(magasin)) == 1
    assert "Fichiers supprimés, gardés assez longtemps : 1 à supprimer" in capsys.readouterr().out

    with django_capture_on_commit_callbacks(execute=True):
        purger(GARDES + timedelta(hours=1))

    assert not Fichier.objects.exists()
    assert not Attache.objects.exists()
    assert fabriques.stockes(magasin) == []
    with pytest.raises(services.Introuvable):
        services.retablir(fichier=fichier, acteur=acteur_de(admin))


def test_ce_qui_n_est_joint_a_rien_est_purge_le_reste_jamais(
    etudiante, invite, magasin, django_capture_on_commit_callbacks
):
    libres = [fabriques.fichier(acteur_de(qui)) for qui in (etudiante, invite)]
    joint, _dossier = piece(etudiante)
    partage = fabriques.fichier(acteur_de(etudiante))
    ressource = fabriques.ressource(etudiante, "Plan", file_id=partage.pk)
    client_de(etudiante).delete(f"/api/v1/ressources/{ressource.pk}")  # may still be brought back

    with django_capture_on_commit_callbacks(execute=True):
        purger(JAMAIS_JOINTS - timedelta(hours=1))
    assert Fichier.objects.count() == 4
    with django_capture_on_commit_callbacks(execute=True):
        purger(JAMAIS_JOINTS + timedelta(hours=1))

    assert set(Fichier.objects.all()) == {joint, partage}
    assert fabriques.stockes(magasin) == sorted([joint.cle, partage.cle])
    assert not {f.cle for f in libres} & set(fabriques.stockes(magasin))


def test_la_purge_va_au_bout_de_plusieurs_lots(etudiante, monkeypatch):
    monkeypatch.setattr("resources.entretien.LOT", 2)
    for _rang in range(5):
        fabriques.fichier(acteur_de(etudiante))
    fabriques.fichier(acteur_de(etudiante), seau="ancien-seau")

    purger(JAMAIS_JOINTS + timedelta(hours=1))

    assert list(Fichier.objects.values_list("seau", flat=True)) == ["ancien-seau"]


def test_sweep_files_garde_les_preuves_supprimees(etudiante, admin, monkeypatch, magasin):
    monkeypatch.setattr("resources.management.commands.sweep_files._est_ancien", lambda seau, cle: True)
    fichier, _dossier = piece(etudiante)
    services.supprimer(fichier=fichier, acteur=acteur_de(admin))

    call_command("sweep_files")

    assert Fichier.objects.get().cle in fabriques.stockes(magasin)

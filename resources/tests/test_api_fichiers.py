"""Files of users and guests: sent, read by those who may, deleted."""

import os
from datetime import timedelta
from functools import partial
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.services.sessions import terminer_toutes
from accounts.tests import fabriques as comptes
from config.serveur.identites import televerse
from config.tests.outils import ClientApi, acteur_de, champs_refuses, client_de
from discussions.tests import fabriques as discussions
from forum.tests import fabriques as forum
from resources import stockage
from resources.models import Attache, Fichier
from resources.nettoyage.genres import DOCX
from resources.tests import fabriques
from resources.tests.nettoyage.documents import archive, document, parties_docx, traces
from resources.tests.nettoyage.fichiers import heic
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques as signalements
from socle.api.middleware import ENTETES_RECUS

pytestmark = pytest.mark.django_db
URL = "/api/v1/fichiers/upload"


def envoyer(client, envoi=None, **champs):
    return client.post(URL, {"file": envoi or fabriques.envoi(), **champs})


@pytest.mark.parametrize("persona", ["etudiante", "invite", "gestionnaire"])
def test_ce_qui_est_envoye_se_relit(client_de_personne, telecharger, magasin, persona):
    client = client_de_personne(persona)

    reponse = envoyer(client)

    assert reponse.status_code == 201
    donnees = reponse.json()["data"]
    assert {**donnees, "url": "", "fileId": "", "dateCreation": ""} == {
        "fileId": "",
        "url": "",
        "fileName": "constat.txt",
        "mimeType": "text/plain",
        "sizeBytes": len(fabriques.CONTENU),
        "metadonneesRetirees": False,
        "dateCreation": "",
    }
    relu = client.get(f"/api/v1/fichiers/{donnees['fileId']}").json()["data"]
    assert {**relu, "url": ""} == {**donnees, "url": ""}
    contenu, entetes = telecharger(relu["url"])
    assert contenu == fabriques.CONTENU
    assert entetes["Content-Type"] == "application/octet-stream"
    assert entetes["Content-Disposition"] == 'attachment; filename="constat.txt"'


def test_ce_que_sert_le_service_ne_s_execute_pas(client, etudiante):
    fichier = fabriques.fichier(acteur_de(etudiante), "page.html", b"<script>alert(1)</script>", type_mime="text/html")

    reponse = client.get(stockage.lien(fichier).removeprefix("http://testserver"))

    entetes = ("Content-Type", "X-Content-Type-Options", "Content-Security-Policy", "Cache-Control")
    assert [reponse.headers[nom] for nom in entetes] == [
        "application/octet-stream",
        "nosniff",
        "default-src 'none'; frame-ancestors 'none'; sandbox",
        "no-store",
    ]
    assert reponse.headers["Content-Disposition"].startswith("attachment")


def test_une_image_perd_ses_metadonnees_et_garde_ses_pixels(api, etudiante, telecharger, magasin):
    avec_lieu = fabriques.image("JPEG", exif=fabriques.exif_avec_lieu(), comment=b"chez moi")

    donnees = envoyer(api(etudiante), SimpleUploadedFile("photo.jpg", avec_lieu)).json()["data"]

    assert (donnees["mimeType"], donnees["metadonneesRetirees"]) == ("image/jpeg", True)
    contenu, entetes = telecharger(donnees["url"])
    assert entetes["Content-Type"] == "image/jpeg"
    assert b"Exif" not in contenu
    assert b"chez moi" not in contenu
    assert fabriques.pixels(contenu) == fabriques.pixels(avec_lieu)


@pytest.mark.parametrize(
    ("persona", "statut"),
    [
        ("anonyme", 401),
        ("autre_etudiante", 403),
        ("autre_invite", 403),
        ("gestionnaire", 404),
        ("admin", 404),
        ("etudiante", 200),
    ],
)
def test_qui_lit_un_fichier_qui_n_est_joint_a_rien(client_de_personne, etudiante, persona, statut):
    fichier = fabriques.fichier(acteur_de(etudiante))

    reponse = client_de_personne(persona).get(f"/api/v1/fichiers/{fichier.pk}")

    assert reponse.status_code == statut


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
@pytest.mark.parametrize("methode", ["get", "delete"])
def test_de_l_equipe_un_fichier_joint_a_rien_n_existe_pas(client_de_personne, etudiante, persona, methode):
    fichier = fabriques.fichier(acteur_de(etudiante))
    demander = getattr(client_de_personne(persona), methode)

    with CaptureQueriesContext(connection) as du_fichier:
        lui = demander(f"/api/v1/fichiers/{fichier.pk}")
    with CaptureQueriesContext(connection) as d_un_inconnu:
        inconnu = demander(f"/api/v1/fichiers/{uuid4()}")

    assert (lui.status_code, lui.json()["code"], lui.json()["message"]) == (
        inconnu.status_code,
        inconnu.json()["code"],
        inconnu.json()["message"],
    )
    assert len(du_fichier) == len(d_un_inconnu)
    assert Fichier.objects.get() == fichier


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_qui_est_de_l_equipe_lit_et_retire_ce_qu_il_vient_d_envoyer(client_de_personne, persona):
    client = client_de_personne(persona)
    url = f"/api/v1/fichiers/{envoyer(client).json()['data']['fileId']}"

    assert [client.get(url).status_code, client.delete(url).status_code] == [200, 204]


def test_joint_il_se_lit_de_l_equipe_mais_pas_de_qui_est_ecarte_du_dossier(api, etudiante, gestionnaire, admin):
    ecartee = comptes.gestionnaire()
    fichier = fabriques.fichier(acteur_de(etudiante))
    url = f"/api/v1/fichiers/{fichier.pk}"
    avant = [api(qui).get(url).status_code for qui in (gestionnaire, admin, ecartee)]

    dossier = signalements.signalement(acteur_de(etudiante), pieces_jointes=[fichier.pk])
    joint = [api(qui).get(url).status_code for qui in (gestionnaire, admin, ecartee)]
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[ecartee.pk])
    ferme = [api(qui).get(url).status_code for qui in (gestionnaire, admin, ecartee)]

    assert (avant, joint, ferme) == ([404] * 3, [200] * 3, [200, 200, 404])


def test_ce_qui_sert_dans_un_dossier_ferme_et_ailleurs_se_lit_par_ailleurs(api, etudiante, gestionnaire, admin):
    ecartee = comptes.gestionnaire()
    fichier = fabriques.fichier(acteur_de(etudiante))
    ferme, _ouvert = (signalements.signalement(acteur_de(etudiante), pieces_jointes=[fichier.pk]) for _fois in range(2))
    changer_lecteurs(signalement=ferme, acteur=acteur_de(admin), ecartes=[ecartee.pk])

    assert api(ecartee).get(f"/api/v1/fichiers/{fichier.pk}").status_code == 200


@pytest.mark.parametrize("ou", ["signalement", "message"])
def test_les_participants_lisent_ce_qui_est_joint(api, etudiante, autre_etudiante, invite, gestionnaire, ou):
    fichier = fabriques.fichier(acteur_de(gestionnaire))
    if ou == "signalement":
        # A guest's own file on their own report: somebody else does not read it, its owner does.
        fichier = fabriques.fichier(acteur_de(invite))
        signalements.signalement(acteur_de(invite), pieces_jointes=[fichier.pk])
    else:
        dossier = signalements.signalement(acteur_de(invite))
        discussion = discussions.discussion(acteur_de(invite), signalement=dossier)
        discussions.message(acteur_de(gestionnaire), discussion, "Voici.", pieces_jointes=[fichier.pk])
    # A conversation of one's own opens nothing of others'.
    sienne = discussions.discussion(acteur_de(autre_etudiante))
    discussions.message(acteur_de(autre_etudiante), sienne, "Bonjour.")

    statuts = {qui.pk: api(qui).get(f"/api/v1/fichiers/{fichier.pk}").status_code for qui in (invite, autre_etudiante)}

    assert statuts == {invite.pk: 200, autre_etudiante.pk: 403}


def test_qui_voit_une_publication_lit_ses_pieces_jointes(api, etudiante, autre_etudiante, gestionnaire, invite):
    fichier = fabriques.fichier(acteur_de(etudiante))
    forum.poste(acteur_de(etudiante), par=acteur_de(gestionnaire))  # that everybody sees, and that opens nothing else
    corps = {"contenu": "Le plan.", "piecesJointes": [str(fichier.pk)]}
    poste = api(etudiante).post("/api/v1/postes/", corps).json()["data"]
    url = f"/api/v1/fichiers/{fichier.pk}"

    avant = api(autre_etudiante).get(url).status_code
    api(gestionnaire).patch(f"/api/v1/postes/{poste['id']}/statut", {"statut": "APPROUVER"})
    apres = [api(qui).get(url).status_code for qui in (autre_etudiante, invite)]

    assert poste["piecesJointes"] == [str(fichier.pk)]
    assert (avant, apres) == (403, [200, 403])


def test_le_lien_ne_vaut_qu_une_heure_et_pour_ce_fichier(client, etudiante):
    fichier, autre = (fabriques.fichier(acteur_de(etudiante)) for _rang in range(2))
    chemin = stockage.lien(fichier).removeprefix("http://testserver")
    jeton = chemin.partition("?")[2]

    with time_machine.travel(timezone.now() + timedelta(hours=1, minutes=1)):
        perime = ClientApi().get(chemin)
    d_un_autre = ClientApi().get(f"/api/v1/fichiers/{autre.pk}/contenu?{jeton}")
    sans, faux = (ClientApi().get(f"/api/v1/fichiers/{fichier.pk}/contenu{suite}") for suite in ("", "?jeton=x:y"))

    assert [r.status_code for r in (perime, d_un_autre, sans, faux)] == [403] * 4
    assert perime.json()["code"] == "PERMISSION_DENIED"


def test_le_lien_d_un_magasin_s3_est_signe_pour_une_heure_et_en_piece_jointe(etudiante, magasin):
    fichier = fabriques.fichier(acteur_de(etudiante), "récit.txt")

    question = parse_qs(urlsplit(stockage.lien(fichier, acteur_de(etudiante))).query)

    if magasin == "local":
        assert question.keys() == {"jeton"}
    else:
        assert question["X-Amz-Expires"] == ["3600"]
        assert question["response-content-disposition"] == ["attachment; filename*=utf-8''r%C3%A9cit.txt"]
        assert question["response-content-type"] == ["application/octet-stream"]
        assert "X-Amz-Signature" in question


def test_un_fichier_que_le_stockage_a_perdu_est_introuvable(etudiante, settings, tmp_path):
    fichier = fabriques.fichier(acteur_de(etudiante))
    stockage.effacer(fichier.seau, fichier.cle)

    reponse = ClientApi().get(stockage.lien(fichier).removeprefix("http://testserver"))

    assert reponse.status_code == 404


@pytest.mark.parametrize(
    ("faire", "nom", "garde", "genre"),
    [
        (heic, "IMG_1.HEIC", "IMG_1.jpg", "image/jpeg"),
        (partial(document, "docx"), "récit.docx", "récit.docx", DOCX),
        (lambda: archive(parties_docx(macros=True)), "récit.docm", "récit.docx", DOCX),
        (partial(document, "odp"), "récit", "récit.odp", "application/vnd.oasis.opendocument.presentation"),
    ],
)
def test_ce_qui_est_nettoye_porte_le_nom_et_le_type_de_ce_qui_est_garde(
    api, etudiante, telecharger, faire, nom, garde, genre
):
    reponse = envoyer(api(etudiante), SimpleUploadedFile(nom, faire()))

    assert reponse.status_code == 201, reponse.content
    donnees = reponse.json()["data"]
    assert (donnees["fileName"], donnees["mimeType"], donnees["metadonneesRetirees"]) == (garde, genre, True)
    contenu, entetes = telecharger(donnees["url"])
    assert (traces(contenu), len(contenu)) == ([], donnees["sizeBytes"])
    assert entetes["Content-Disposition"].startswith("attachment")


# --- Refusals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("corps", "type_", "statut", "code"),
    [
        (b"{}", "application/json", 415, "UNSUPPORTED_MEDIA_TYPE"),
        (b"", "multipart/form-data; boundary=x", 400, "MALFORMED_REQUEST"),
        (b"n'importe quoi", "multipart/form-data", 400, "MALFORMED_REQUEST"),
        (b"--x\r\nrien", "multipart/form-data; boundary=x", 422, "VALIDATION_ERROR"),
        (b"a=1", "application/x-www-form-urlencoded", 415, "UNSUPPORTED_MEDIA_TYPE"),
    ],
)
def test_un_corps_qui_n_est_pas_un_fichier_est_refuse(api, etudiante, corps, type_, statut, code):
    reponse = api(etudiante).post(URL, corps, content_type=type_)

    assert (reponse.status_code, reponse.json()["code"]) == (statut, code)
    assert Fichier.objects.count() == 0


@pytest.mark.parametrize(
    ("envoi", "statut", "code"),
    [
        (SimpleUploadedFile("vide.txt", b""), 422, "empty"),
        (SimpleUploadedFile("photo.jpg", b"\xff\xd8\xff<html>"), 422, "unreadable"),
        (SimpleUploadedFile("photo.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"), 422, "unreadable"),
        (SimpleUploadedFile("photo.avif", b"\0\0\0\x18ftypavif\0\0\0\0mif1avif"), 415, None),
    ],
)
def test_un_fichier_qui_ne_convient_pas_est_refuse(api, etudiante, magasin, envoi, statut, code):
    envoi.seek(0)
    reponse = envoyer(api(etudiante), envoi)

    assert reponse.status_code == statut
    if code:
        assert [(d["field"], d["code"]) for d in reponse.json()["details"]] == [("file", code)]
    assert Fichier.objects.count() == 0
    assert fabriques.stockes(magasin) == []


def test_un_texte_a_la_place_du_fichier_est_refuse(api, etudiante):
    corps = b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nbonjour\r\n--x--\r\n'

    reponse = api(etudiante).post(URL, corps, content_type="multipart/form-data; boundary=x")

    assert champs_refuses(reponse) == {"file"}


def test_deux_fichiers_a_la_fois_sont_refuses(api, etudiante):
    reponse = envoyer(api(etudiante), autre=fabriques.envoi("autre.txt"))

    assert champs_refuses(reponse) == {"file"}
    assert Fichier.objects.count() == 0


def test_dix_mille_parties_sont_refusees(api, etudiante):
    parties = "".join(f'--x\r\nContent-Disposition: form-data; name="c{n}"\r\n\r\n1\r\n' for n in range(10_000))

    reponse = api(etudiante).post(URL, f"{parties}--x--\r\n".encode(), content_type="multipart/form-data; boundary=x")

    assert (reponse.status_code, reponse.json()["code"]) == (400, "MALFORMED_REQUEST")


def test_un_fichier_trop_grand_est_refuse(api, etudiante, settings):
    settings.TELEVERSEMENTS = {"/api/v1/fichiers/upload": 2**20}

    juste, trop = (envoyer(api(etudiante), fabriques.envoi(contenu=b"a" * n)) for n in (2**20, 2**20 + 1))

    assert [r.status_code for r in (juste, trop)] == [201, 413]
    assert trop.json()["code"] == "FILE_TOO_LARGE"
    assert "1 Mo" in trop.json()["message"]
    assert Fichier.objects.count() == 1


def test_la_place_de_chacun_est_comptee(api, etudiante, autre_etudiante, settings):
    settings.FILE_QUOTA_OCTETS = 2 * len(fabriques.CONTENU)

    statuts = [envoyer(api(etudiante)) for _rang in range(3)]

    assert [r.status_code for r in statuts] == [201, 201, 413]
    assert statuts[-1].json()["code"] == "QUOTA_EXCEEDED"
    assert envoyer(api(autre_etudiante)).status_code == 201


def test_un_stockage_absent_est_dit_et_ne_laisse_rien(api, etudiante, settings, tmp_path):
    obstacle = tmp_path / "fichier"
    obstacle.write_text("pas un dossier")
    local = {**settings.STORAGES["local"], "OPTIONS": {"location": obstacle / "files"}}
    settings.STORAGES = {**settings.STORAGES, "local": local, "default": local}

    reponse = envoyer(api(etudiante))

    assert (reponse.status_code, reponse.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert "Retry-After" in reponse.headers
    assert Fichier.objects.count() == 0


def test_un_seau_reste_lisible_quand_les_nouveaux_fichiers_n_y_vont_plus(
    api, etudiante, settings, magasin, telecharger
):
    donnees = envoyer(api(etudiante)).json()["data"]
    settings.STORAGE_ENABLED = False

    relu = api(etudiante).get(f"/api/v1/fichiers/{donnees['fileId']}").json()["data"]

    assert telecharger(relu["url"])[0] == fabriques.CONTENU
    assert envoyer(api(etudiante)).status_code == 201
    assert sorted(Fichier.objects.values_list("seau", flat=True)) == sorted([magasin, "local"])


def test_un_seau_que_les_reglages_ne_nomment_plus_ne_casse_que_ses_fichiers(api, client, etudiante):
    perdu = fabriques.fichier(acteur_de(etudiante), seau="ancien-seau")
    fabriques.ressource(etudiante, file_id=perdu.pk)

    ressources = api(etudiante).get("/api/v1/ressources/").json()["data"]["items"]
    lu = api(etudiante).get(f"/api/v1/fichiers/{perdu.pk}")
    ouvert = client.get(lu.json()["data"]["url"].removeprefix("http://testserver"))

    assert [ressource["bucketId"] for ressource in ressources] == ["ancien-seau"]
    assert lu.status_code == 200
    assert (ouvert.status_code, ouvert.json()["code"]) == (503, "SERVICE_UNAVAILABLE")


def test_une_ligne_qui_ne_s_ecrit_pas_ne_laisse_pas_de_fichier(api, etudiante, magasin, monkeypatch):
    def tomber(*args, **kwargs):
        raise RuntimeError

    monkeypatch.setattr(Fichier, "save", tomber)
    with pytest.raises(RuntimeError):
        from resources.services.fichiers import televerser

        televerser(acteur=acteur_de(etudiante), envoye=fabriques.recu())

    assert fabriques.stockes(magasin) == []


@pytest.mark.django_db(transaction=True)
def test_une_validation_dont_la_reponse_se_perd_garde_le_fichier_de_sa_ligne(api, etudiante, magasin, monkeypatch):
    """Whether the row is there cannot be known: a file too many is swept, one too few is lost."""
    client, valider, enregistrer = api(etudiante), connection.commit, Fichier.save

    def valider_puis_couper():
        valider()
        raise OperationalError("server closed the connection unexpectedly")

    def enregistrer_puis_couper(fichier, **options):
        enregistrer(fichier, **options)
        coupure.setattr(connection, "commit", valider_puis_couper)

    with monkeypatch.context() as coupure:
        coupure.setattr(Fichier, "save", enregistrer_puis_couper)
        reponse = envoyer(client)

    assert (reponse.status_code, reponse.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert fabriques.stockes(magasin) == list(Fichier.objects.values_list("cle", flat=True)) != []


def test_une_session_rattachee_n_envoie_plus_rien(api, etudiante, invite, magasin):
    from guests.tests.fabriques import fusionner

    fusionner(invite, etudiante)

    reponse = envoyer(api(invite))

    assert (reponse.status_code, reponse.json()["code"]) == (409, "GUEST_SESSION_MERGED")
    assert fabriques.stockes(magasin) == []


# --- Attaching ------------------------------------------------------------------------------------------------------


def test_on_ne_joint_que_ses_propres_fichiers(api, etudiante, autre_etudiante):
    sien, d_autrui = (fabriques.fichier(acteur_de(qui)) for qui in (etudiante, autre_etudiante))
    corps = {
        "titre": "Vol",
        "description": "Mon sac.",
        "type": "VOL",
        "piecesJointes": [str(sien.pk), str(d_autrui.pk)],
    }

    refus = api(etudiante).post("/api/v1/signalements/", {**corps, "piecesJointes": [str(sien.pk), str(d_autrui.pk)]})
    accepte = api(etudiante).post("/api/v1/signalements/", {**corps, "piecesJointes": [str(sien.pk)] * 2})

    assert champs_refuses(refus) == {"piecesJointes.1"}
    assert accepte.json()["data"]["piecesJointes"] == [str(sien.pk)]
    assert Attache.objects.count() == 1


def test_un_message_peut_n_etre_que_des_pieces(api, invite):
    fichiers = [fabriques.fichier(acteur_de(invite)).pk for _rang in range(2)]
    discussion = discussions.discussion(acteur_de(invite))

    reponse = api(invite).post(
        f"/api/v1/discussions/{discussion.pk}/messages", {"piecesJointes": [str(pk) for pk in fichiers]}
    )

    assert reponse.status_code == 201
    assert reponse.json()["data"]["piecesJointes"] == [str(pk) for pk in fichiers]


# --- Deleting -------------------------------------------------------------------------------------------------------


def test_qui_l_a_envoye_supprime_un_fichier_libre(api, etudiante, magasin, django_capture_on_commit_callbacks):
    fichier = fabriques.fichier(acteur_de(etudiante))

    with django_capture_on_commit_callbacks(execute=True):
        reponse = api(etudiante).delete(f"/api/v1/fichiers/{fichier.pk}")

    assert reponse.status_code == 204
    assert api(etudiante).get(f"/api/v1/fichiers/{fichier.pk}").status_code == 404
    assert fabriques.stockes(magasin) == []


def test_un_fichier_joint_reste_sauf_pour_un_administrateur(api, etudiante, admin):
    fichier = fabriques.fichier(acteur_de(etudiante))
    signalements.signalement(acteur_de(etudiante), pieces_jointes=[fichier.pk])

    refus = api(etudiante).delete(f"/api/v1/fichiers/{fichier.pk}")
    accepte = api(admin).delete(f"/api/v1/fichiers/{fichier.pk}")

    assert (refus.status_code, refus.json()["code"]) == (409, "FILE_IN_USE")
    assert accepte.status_code == 204
    assert not Fichier.objects.presents().exists()


def test_une_suppression_annulee_garde_le_fichier(etudiante, magasin, django_capture_on_commit_callbacks):
    from django.db import transaction

    from resources.services.fichiers import supprimer

    fichier = fabriques.fichier(acteur_de(etudiante))

    with django_capture_on_commit_callbacks(execute=True), pytest.raises(RuntimeError), transaction.atomic():
        supprimer(fichier=fichier, acteur=acteur_de(etudiante))
        raise RuntimeError

    assert Fichier.objects.filter(cle=fichier.cle).exists()
    assert fabriques.stockes(magasin) == [fichier.cle]


def test_le_nom_d_un_fichier_ne_revele_pas_un_identifiant_invite(api, invite, gestionnaire):
    envoi = fabriques.envoi(f"dossier {invite.guest_id}.txt")

    donnees = envoyer(api(invite), envoi).json()["data"]

    assert donnees["fileName"] == "dossier [identifiant masqué].txt"
    assert str(invite.guest_id) not in str(client_de(gestionnaire).get(f"/api/v1/fichiers/{donnees['fileId']}").json())


def test_ce_que_le_menage_d_un_nom_rassemble_est_masque_aussi(api, invite):
    chiffres = invite.guest_id.hex

    donnees = envoyer(api(invite), fabriques.envoi(f"{chiffres[:9]}\u200b{chiffres[9:]}.txt")).json()["data"]

    assert donnees["fileName"] == "[identifiant masqué].txt"


def test_le_stockage_local_n_est_lisible_que_par_le_service(etudiante, settings, tmp_path):
    local = {**settings.STORAGES["local"], "OPTIONS": {"location": tmp_path / "files"}}
    settings.STORAGES = {**settings.STORAGES, "local": local, "default": local}

    fichier = fabriques.fichier(acteur_de(etudiante))

    chemin = tmp_path / "files" / fichier.cle
    assert (oct(os.stat(chemin).st_mode & 0o777), oct(os.stat(chemin.parent).st_mode & 0o777)) == ("0o600", "0o700")
    assert "constat" not in str(chemin)


def _admis(client) -> bool:
    """Whether the gate of the server receives the body, by what the headers say."""
    entetes = [(b"authorization", f"Bearer {client.jeton}".encode()), (b"host", b"testserver")]
    return televerse({"type": "http", "path": URL, "method": "POST", "headers": entetes}) is not None


@pytest.mark.parametrize(("venu", "statut"), [(59, 201), (61, 401)])
def test_un_envoi_est_juge_au_moment_ou_ses_entetes_sont_venus(api, etudiante, venu, statut):
    """A token of an hour, and a body that ends after it."""
    debut = timezone.now()
    with time_machine.travel(debut, tick=False) as horloge:
        client = api(etudiante)
        horloge.shift(timedelta(minutes=venu))
        assert _admis(client) == (statut == 201)
        moment = {ENTETES_RECUS: timezone.now().timestamp()}
        horloge.shift(timedelta(minutes=3))

        reponse = client.post(URL, {"file": fabriques.envoi()}, **moment)
        encore = client.post(URL, {"file": fabriques.envoi()}, HTTP_CAMPUS_ENTETES="1")

    assert (reponse.status_code, Fichier.objects.count()) == (statut, int(statut == 201))
    assert encore.status_code == 401  # nobody names a moment of their own


def test_une_session_fermee_pendant_un_envoi_ne_le_laisse_pas_entrer(api, etudiante):
    client = api(etudiante)
    assert _admis(client)
    moment = {ENTETES_RECUS: timezone.now().timestamp()}
    terminer_toutes(etudiante)

    assert client.post(URL, {"file": fabriques.envoi()}, **moment).status_code == 401
    assert Fichier.objects.count() == 0

"""Files of a case: sent alone, cleaned and said so, read through the access alone."""

import re
import tempfile
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from config.serveur.identites import televerse
from config.tests.outils import acteur_de
from discussions.models import Message
from discussions.services import ecrire, ouvrir
from portail.services.acces import acces_du_jeton
from portail.tests.outils import Visiteuse, cache, texte_de
from resources.models import Fichier
from resources.services import fichiers
from resources.tests import fabriques
from resources.tests.nettoyage.documents import document, traces
from resources.tests.nettoyage.fichiers import heic
from resources.vocabulaire import LOCAL
from signalements.models import Signalement
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db
ENVOYER = "/fichiers/envoyer/"
TROP = str(52 * 2**20)  # of Content-Length: above 50 MB of files, and 1 MB beside them
EN_TOUT = "Cet envoi fait plus de 50 Mo en tout, et rien n'est parti. Choisissez moins de fichiers à la fois."


@pytest.fixture
def temporaires(tmp_path, monkeypatch):
    """Where what is being received waits."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def pour_le(rang):
    """What the page of the case of this rank posts; the case of the first for the others."""
    dossier = Signalement.objects.order_by("date_creation").first()
    return f"{rang}-{dossier.pk.hex if dossier else ''}"


def envoyer(visiteuse, contenu, nom="photo.jpg", rang="1", **champs):
    return visiteuse.envoyer(ENVOYER, {"pour": pour_le(rang), "fichier": SimpleUploadedFile(nom, contenu), **champs})


def test_une_photo_part_nettoyee_et_la_page_le_dit(visiteuse):
    visiteuse.signaler()
    photo = fabriques.image("JPEG", exif=fabriques.exif_avec_lieu())

    envoye = envoyer(visiteuse, photo)

    assert (envoye.status_code, envoye.headers["Location"]) == (303, "/dossiers/1/#messages")
    fichier, message = Fichier.objects.get(), Message.objects.get()
    assert (message.pieces_jointes, fichier.metadonnees_retirees) == ([str(fichier.pk)], True)
    page = visiteuse.lire("/dossiers/1/")
    assert "Nous avons retiré le lieu, la date, l'appareil et l'auteur." in page
    assert "photo.jpg" in page
    recu = visiteuse.get(f"/fichiers/{fichier.pk}/")
    octets = b"".join(recu.streaming_content)
    assert recu.status_code == 200
    assert recu.headers["Content-Disposition"].startswith("attachment")
    assert (recu.headers["Cache-Control"], recu.headers["X-Content-Type-Options"]) == ("no-store", "nosniff")
    assert b"GPS" not in octets
    assert fabriques.pixels(octets) == fabriques.pixels(photo)


def test_ce_qui_sera_retire_ou_garde_est_dit_avant_d_envoyer(visiteuse):
    visiteuse.signaler()

    page = visiteuse.lire("/dossiers/1/fichier/")

    for genre in ("JPEG, PNG, WebP, HEIC", "PDF", "MP4", "DOCX, XLSX, PPTX, ODT, ODS, ODP"):
        assert genre in page
    assert "gardés comme ils sont" in page
    offerts = re.search(r'accept="([^"]*)"', page)[1].split(",")
    assert {".mov", ".zip", ".eml", ".heic", ".csv", ".amr", ".m4a", ".docx", ".odp"} <= set(offerts)


@pytest.mark.parametrize(
    ("faire", "nom", "garde"),
    [
        (heic, "IMG_1.HEIC", "IMG_1.jpg"),
        (partial(document, "docx"), "recit.docx", "recit.docx"),
        (partial(document, "ods"), "dates.ods", "dates.ods"),
    ],
)
def test_une_photo_de_telephone_et_un_document_partent_nettoyes(visiteuse, faire, nom, garde):
    visiteuse.signaler()

    envoyer(visiteuse, faire(), nom)

    fichier = Fichier.objects.get()
    octets = b"".join(visiteuse.get(f"/fichiers/{fichier.pk}/").streaming_content)
    assert (fichier.nom, fichier.metadonnees_retirees, fichier.taille) == (garde, True, len(octets))
    assert traces(octets) == []
    assert "Nous avons retiré le lieu, la date, l'appareil et l'auteur." in visiteuse.lire("/dossiers/1/")


def test_un_texte_est_garde_comme_il_est_et_la_page_le_dit(visiteuse):
    visiteuse.signaler()

    envoyer(visiteuse, b"Ce que j'ai vu.", nom="recit.txt")

    assert "il peut dire qui l'a fait" in visiteuse.lire("/dossiers/1/")


@pytest.mark.parametrize(
    ("contenu", "nom", "statut", "phrase"),
    [
        (b"", "vide.jpg", 422, "Ce fichier est vide."),
        (
            b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00avifmif1" + b"\x00" * 64,
            "photo.avif",
            415,
            "Ce format peut dire où vous étiez.",
        ),
        (b"\xff\xd8\xff\xe0" + b"x" * 50, "cassee.jpg", 422, "Il y a un problème"),
    ],
)
def test_un_fichier_refuse_dit_pourquoi_et_rien_n_est_garde(visiteuse, contenu, nom, statut, phrase):
    visiteuse.signaler()

    refus = envoyer(visiteuse, contenu, nom)

    assert (refus.status_code, phrase in texte_de(refus)) == (statut, True)
    assert 'action="/fichiers/envoyer/?pour=1"' in texte_de(refus)
    assert f'value="{pour_le("1")}"' in texte_de(refus)
    assert "no-store" in refus.headers["Cache-Control"]
    assert (Fichier.objects.count(), Message.objects.count()) == (0, 0)


def test_apres_un_refus_l_autre_langue_redemande_le_fichier_du_meme_dossier(visiteuse):
    visiteuse.signaler()
    ici = cache(texte_de(envoyer(visiteuse, b"", "vide.txt")), "ici")

    rendue = visiteuse.envoyer("/langue/", {"langue": "en", "ici": ici}, follow=True)

    assert rendue.redirect_chain == [("/dossiers/1/fichier/", 303)]
    assert 'lang="en"' in texte_de(rendue)
    assert "What they show stays" in texte_de(rendue)


@pytest.mark.parametrize(
    ("panne", "statut", "phrase"),
    [
        ("un virus", 422, "virus"),
        ("sans antivirus", 503, "Réessayez"),
        ("plus de place", 413, "Il n'y a plus de place pour vos fichiers. Dites-le à l'équipe dans un message."),
    ],
)
def test_un_fichier_que_le_service_ne_peut_pas_garder_dit_pourquoi(
    visiteuse, monkeypatch, settings, panne, statut, phrase
):
    visiteuse.signaler()
    if panne == "un virus":
        monkeypatch.setattr(fichiers, "virus_dans", lambda contenu: "Eicar-Test")
    elif panne == "sans antivirus":
        settings.CLAMD_SOCKET = "/nulle/part.sock"
    else:
        settings.FILE_QUOTA_OCTETS = 1

    refus = envoyer(visiteuse, b"Bonjour.", "note.txt")

    assert refus.status_code == statut
    assert phrase in texte_de(refus).partition('role="alert"')[2].partition("</div>")[0]
    assert "Eicar" not in texte_de(refus)
    assert (Fichier.objects.count(), Message.objects.count()) == (0, 0)


def test_trop_grand_il_est_refuse_en_cours_de_route(visiteuse, settings, temporaires):
    visiteuse.signaler()
    settings.TELEVERSEMENTS = {**settings.TELEVERSEMENTS, "/fichiers/envoyer": 1_000}

    refus = envoyer(visiteuse, b"x" * 100_000, "grand.txt")

    assert refus.status_code == 413
    assert "Ce fichier fait plus de 10 Mo. Une vidéo : coupez-la" in texte_de(refus)
    assert f'value="{pour_le("1")}"' in texte_de(refus)
    assert (Fichier.objects.count(), list(temporaires.iterdir())) == (0, [])


def test_deux_clics_envoient_un_fichier(visiteuse, time_machine, django_capture_on_commit_callbacks):
    time_machine.move_to(timezone.now(), tick=False)
    visiteuse.signaler()
    deja = fabriques.stockes(LOCAL)

    with django_capture_on_commit_callbacks(execute=True):
        premier, second = (envoyer(visiteuse, b"Le meme texte.", "notes.txt") for _clic in range(2))

    assert second.headers["Location"] == premier.headers["Location"] == "/dossiers/1/#messages"
    assert (Fichier.objects.count(), Message.objects.count()) == (1, 1)
    assert len(fabriques.stockes(LOCAL)) == len(deja) + 1
    envoyer(visiteuse, b"L'autre texte.", "notes.txt")  # as long, and named as telephones name each photo
    envoyer(visiteuse, b"Le meme texte.", "copie.txt")
    assert Message.objects.count() == 3
    time_machine.shift(timedelta(minutes=2))
    envoyer(visiteuse, b"Le meme texte.", "notes.txt")
    assert Fichier.objects.count() == Message.objects.count() == 4


def test_sans_fichier_ou_sous_un_autre_nom_la_page_le_dit(visiteuse):
    visiteuse.signaler()

    aucun = visiteuse.envoyer(ENVOYER, {"pour": pour_le("1")})
    autre = envoyer(visiteuse, b"un", autre=SimpleUploadedFile("b.txt", b"deux"))

    assert (aucun.status_code, autre.status_code) == (422, 422)
    assert Fichier.objects.count() == 0


def _fichiers(*envois):
    return [SimpleUploadedFile(nom, contenu) for nom, contenu in envois]


def test_plusieurs_fichiers_partent_a_la_fois_chacun_dans_un_message(visiteuse):
    visiteuse.signaler()
    photo = fabriques.image("JPEG", exif=fabriques.exif_avec_lieu())
    envois = _fichiers(("un.txt", b"Un."), ("photo.jpg", photo), ("deux.txt", b"Deux."))

    envoye = visiteuse.envoyer(ENVOYER, {"pour": pour_le("1"), "fichier": envois})

    assert (envoye.status_code, envoye.headers["Location"]) == (303, "/dossiers/1/#messages")
    gardes = dict(Fichier.objects.values_list("nom", "metadonnees_retirees"))
    assert gardes == {"un.txt": False, "photo.jpg": True, "deux.txt": False}
    assert Message.objects.count() == 3


def test_de_plusieurs_fichiers_chaque_refus_est_nomme_et_les_autres_partent(visiteuse):
    visiteuse.signaler()
    avif = b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00avifmif1" + b"\x00" * 64
    envois = _fichiers(
        *(("vide.txt", b""), ("recit.txt", b"Ce que j'ai vu."), ("photo.avif", avif), ("lancer.bat", b"del *.*")),
        *(("<b>lien</b>.url", b"[InternetShortcut]"), ("suite.txt", b"Et ensuite.")),
    )

    refus = visiteuse.envoyer(ENVOYER, {"pour": pour_le("1"), "fichier": envois})

    page = texte_de(refus)
    assert refus.status_code == 422
    alerte = page.partition('role="alert"')[2].partition("</div>")[0]
    for nom, phrase in {
        "vide.txt": "Ce fichier est vide.",
        "photo.avif": "Ce format peut dire où vous étiez.",
        "lancer.bat": "Les programmes ne sont pas acceptés.",
    }.items():
        assert f"« {nom} » : {phrase}" in alerte
    assert "n'est qu'un lien vers un document" in alerte
    assert "<b>" not in alerte
    assert "<bdi>recit.txt</bdi>, <bdi>suite.txt</bdi>" in page
    assert f'value="{pour_le("1")}"' in page
    assert {f.nom for f in Fichier.objects.all()} == {"recit.txt", "suite.txt"}
    assert Message.objects.count() == 2


def test_plusieurs_fichiers_qui_passent_ensemble_la_limite_d_un_seul_partent(visiteuse):
    visiteuse.signaler()
    envois = _fichiers(("un.txt", b"Un. " * 1_500_000), ("deux.txt", b"Deux" * 1_500_000))

    envoye = visiteuse.envoyer(ENVOYER, {"pour": pour_le("1"), "fichier": envois})

    assert (envoye.status_code, envoye.headers["Location"]) == (303, "/dossiers/1/#messages")
    assert {f.nom: f.taille for f in Fichier.objects.all()} == {"un.txt": 6_000_000, "deux.txt": 6_000_000}
    assert Message.objects.count() == 2


@pytest.mark.parametrize("rang", [0, 1, 2])
def test_le_trop_grand_de_plusieurs_est_nomme_et_les_autres_partent_entiers(visiteuse, settings, temporaires, rang):
    visiteuse.signaler()
    settings.TELEVERSEMENTS = {**settings.TELEVERSEMENTS, "/fichiers/envoyer": 200_000}
    petits = [("un.txt", b"Un.." * 50_000), ("deux.txt", b"Moi")]
    envois = _fichiers(*petits[:rang], ("film.mp4", b"x" * 200_001), *petits[rang:])

    refus = visiteuse.envoyer(ENVOYER, {"pour": pour_le("1"), "fichier": envois})

    page = texte_de(refus)
    assert refus.status_code == 413
    assert "« film.mp4 » : Ce fichier fait plus de 10 Mo. Une vidéo : coupez-la" in page
    assert "<bdi>un.txt</bdi>, <bdi>deux.txt</bdi>" in page
    assert f'value="{pour_le("1")}"' in page
    assert {f.nom: f.taille for f in Fichier.objects.all()} == {"un.txt": 200_000, "deux.txt": 3}
    assert list(temporaires.iterdir()) == []


def test_plusieurs_fichiers_tous_trop_grands_sont_tous_nommes(visiteuse, settings):
    visiteuse.signaler()
    settings.TELEVERSEMENTS = {**settings.TELEVERSEMENTS, "/fichiers/envoyer": 1_000}

    envois = _fichiers(("a.mp4", b"x" * 100_000), ("b.mp4", b"x" * 100_000))
    refus = visiteuse.envoyer(ENVOYER, {"pour": pour_le("1"), "fichier": envois})

    assert refus.status_code == 413
    assert [f"« {nom} » : Ce fichier fait plus de 10 Mo." in texte_de(refus) for nom in ("a.mp4", "b.mp4")] == [
        True
    ] * 2
    assert Fichier.objects.count() == 0


def test_plus_de_vingt_fichiers_a_la_fois_sont_refuses_et_le_nombre_est_dit(visiteuse):
    visiteuse.signaler()
    vingt_et_un, vingt = (_fichiers(*((f"{n}.txt", b"%d" % n) for n in range(combien))) for combien in (21, 20))

    refus = visiteuse.envoyer(f"{ENVOYER}?pour=1", {"pour": pour_le("1"), "fichier": vingt_et_un})

    assert refus.status_code == 422
    assert "20 fichiers au plus à la fois, et rien n'est parti." in texte_de(refus)
    assert f'value="{pour_le("1")}"' in texte_de(refus)
    assert Fichier.objects.count() == 0
    assert visiteuse.envoyer(ENVOYER, {"pour": pour_le("1"), "fichier": vingt}).status_code == 303
    assert Fichier.objects.count() == 20


def test_ce_qui_prendrait_trop_de_temps_est_nomme_et_se_choisit_de_nouveau(visiteuse, monkeypatch):
    """Before the whole answer would come too late: what has left is then known."""
    visiteuse.signaler()
    instants = iter([0.0, 1.0, 7.9, 8.1])
    monkeypatch.setattr("resources.pages.monotonic", lambda: next(instants))
    envois = _fichiers(("a.txt", b"un"), ("b.txt", b"deux"), ("c.txt", b"trois"))

    refus = visiteuse.envoyer(ENVOYER, {"pour": pour_le("1"), "fichier": envois})

    assert refus.status_code == 503
    assert "« c.txt » : Pas envoyé, faute de temps. Choisissez-le de nouveau." in texte_de(refus)
    assert "<bdi>a.txt</bdi>, <bdi>b.txt</bdi>" in texte_de(refus)
    assert Fichier.objects.count() == 2


def test_les_limites_d_un_envoi_sans_script_sont_dites(visiteuse):
    visiteuse.signaler()

    page = visiteuse.lire("/dossiers/1/fichier/")

    assert "10 Mo au plus chacun." in page
    assert "<noscript> Au plus 20 à la fois, 50 Mo en tout.</noscript>" in page


def test_chaque_fichier_compte_dans_la_limite_des_envois(visiteuse, settings):
    visiteuse.signaler()
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "upload": Taux(2, 3_600)}
    envois = _fichiers(*((f"{n}.txt", b"%d" % n) for n in range(3)))

    refus = visiteuse.envoyer(ENVOYER, {"pour": pour_le("1"), "fichier": envois})

    assert (refus.status_code, int(refus.headers["Retry-After"]) > 0) == (429, True)
    assert "« 2.txt »" in texte_de(refus)
    assert Fichier.objects.count() == 2


def test_le_script_de_la_page_recoit_un_oui_sans_page(visiteuse):
    visiteuse.signaler()
    page = visiteuse.lire("/dossiers/1/fichier/")
    envoi = {"pour": pour_le("1"), "fichier": SimpleUploadedFile("un.txt", b"Un.")}

    suivi = visiteuse.envoyer(ENVOYER, envoi, HTTP_X_ENVOI="un")

    assert (suivi.status_code, suivi.content) == (204, b"")
    assert Message.objects.count() == 1
    assert 'data-suite="/dossiers/1/#messages"' in page
    assert f'data-limite="{10 * 2**20}"' in page
    assert " multiple" in page
    assert "campus/fichiers" in page


@pytest.mark.parametrize("rang", ["", "2", "0", "-1", "x", "9" * 5_000])
def test_un_rang_qui_n_est_pas_a_soi_ne_recoit_rien(visiteuse, autre_visiteuse, rang):
    autre_visiteuse.signaler()
    visiteuse.signaler()

    assert envoyer(visiteuse, b"un", rang=rang).status_code == 404
    assert Fichier.objects.count() == 0


def test_les_places_d_une_adresse_se_comptent_ici_aussi(visiteuse, settings):
    visiteuse.signaler()
    settings.THROTTLE_ENABLED = True
    settings.GUEST_UPLOADS = Taux(1_000, 86_400)

    refus = envoyer(visiteuse, b"x" * 2_000, "recit.txt")

    assert (refus.status_code, int(refus.headers["Retry-After"]) > 0) == (429, True)


def test_un_fichier_se_lit_par_qui_lit_le_dossier_et_personne_d_autre(visiteuse, autre_visiteuse, gestionnaire):
    visiteuse.signaler()
    autre_visiteuse.signaler()
    dossier = le_dossier_de(visiteuse)
    acteur = acteur_de(gestionnaire)
    reponse = fabriques.fichier(acteur, "conseils.txt")
    discussion = ouvrir(acteur=acteur, titre="Suivi", signalement_id=dossier.pk)
    ecrire(acteur=acteur, discussion=discussion, pieces_jointes=[reponse.pk])

    assert "conseils.txt" in visiteuse.lire("/dossiers/1/")
    assert visiteuse.get(f"/fichiers/{reponse.pk}/").status_code == 200
    assert autre_visiteuse.get(f"/fichiers/{reponse.pk}/").status_code == 403
    assert Visiteuse().get(f"/fichiers/{reponse.pk}/").status_code == 401
    assert visiteuse.get(f"/fichiers/{uuid4()}/").status_code == 404


def le_dossier_de(visiteuse):
    return Signalement.objects.get(invite=acces_du_jeton(visiteuse.cookies["espace"].value).invite)


def test_un_jeton_csrf_manquant_arrete_l_envoi(visiteuse):
    visiteuse.signaler()

    refus = visiteuse.post(ENVOYER, {"pour": pour_le("1"), "fichier": SimpleUploadedFile("a.txt", b"un")})

    assert refus.status_code == 403
    assert "choisissez de nouveau votre fichier" in refus.content.decode()
    assert "avez écrit est encore là" not in refus.content.decode()
    assert Fichier.objects.count() == 0


def test_la_porte_du_serveur_n_admet_que_le_cookie_d_un_acces_ouvert(visiteuse, settings):
    """Before a byte is received: whoever may not send has their body thrown away."""
    visiteuse.signaler()
    jeton = visiteuse.cookies["espace"].value

    def admis(valeur, chemin="/fichiers/envoyer/"):
        entetes = [(b"cookie", f"espace={valeur}".encode()), (b"host", b"testserver")]
        return televerse({"type": "http", "path": chemin, "method": "POST", "headers": entetes, "query_string": b""})

    assert str(admis(jeton)).startswith("invite:")
    assert admis("autre") is None
    assert admis(jeton, "/api/v1/fichiers/upload") is None
    settings.GUEST_MODE_STAGE = "read"
    assert admis(jeton) is None


def test_au_stade_lecture_rien_ne_s_ajoute_mais_tout_se_lit(visiteuse, settings):
    visiteuse.signaler()
    envoyer(visiteuse, b"Ce que j'ai vu.", nom="recit.txt")
    settings.GUEST_MODE_STAGE = "read"

    assert visiteuse.get("/dossiers/1/fichier/").status_code == 403
    assert envoyer(visiteuse, b"un").status_code == 403
    assert visiteuse.get(f"/fichiers/{Fichier.objects.get().pk}/").status_code == 200


def test_refuse_avant_d_etre_lu_il_mene_encore_a_son_dossier(visiteuse):
    """What the gate of the server throws away: its length alone is known, and the address it was sent to."""
    visiteuse.signaler()
    visiteuse.signaler(titre="Encore")
    page = visiteuse.lire("/dossiers/1/fichier/")
    assert 'action="/fichiers/envoyer/?pour=1"' in page

    refus = visiteuse.post("/fichiers/envoyer/?pour=1", CONTENT_LENGTH=TROP, HTTP_SEC_FETCH_SITE="none")

    rendue = texte_de(refus)
    assert (refus.status_code, EN_TOUT in rendue, "Une vidéo : coupez-la" in rendue) == (413, True, True)
    assert f'name="pour" value="{pour_le("1")}"' in rendue
    assert 'href="/dossiers/1/"' in rendue
    assert 'id="quitter"' in rendue
    assert "no-store" in refus.headers["Cache-Control"]
    encore = visiteuse.envoyer(
        "/fichiers/envoyer/?pour=1", {"pour": pour_le("1"), "fichier": SimpleUploadedFile("petit.txt", b"un")}
    )
    assert encore.status_code == 303


@pytest.mark.parametrize("pour", ["", "9", "x", "0", "9" * 5_000])
def test_refuse_avant_d_etre_lu_pour_un_dossier_inconnu_il_mene_aux_siens(visiteuse, pour):
    visiteuse.signaler()

    refus = visiteuse.post(f"/fichiers/envoyer/?pour={pour}", CONTENT_LENGTH=TROP)

    assert refus.status_code == 413
    assert 'href="/dossiers/"' in texte_de(refus)


def test_un_fichier_trop_grand_sans_acces_demande_d_abord_le_code(visiteuse):
    refus = visiteuse.post("/fichiers/envoyer/?pour=1", CONTENT_LENGTH=TROP)

    assert refus.status_code == 401
    assert 'href="/retrouver/"' in texte_de(refus)

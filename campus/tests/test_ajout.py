"""Adding a document from its page, once, with nothing typed lost; deleting it where the API lets."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campus.tests.test_documents import titres
from portail.tests.outils import cle_de, texte_de
from resources.models import Fichier, Ressource
from resources.services.ressources import supprimer
from resources.tests import fabriques

pytestmark = pytest.mark.django_db
LISTE = "/campus/documents/"
AJOUTER, ENVOYER = f"{LISTE}ajouter/", f"{LISTE}envoyer/"
DITS = {"titre": "Vos droits", "description": "Pas à pas,\r\nen clair.", "categorie": "GUIDE"}


def pdf(nom="guide.pdf", contenu=b"%PDF-1.7\n%%EOF\n"):
    return SimpleUploadedFile(nom, contenu)


def reviennent(page):
    """True where all that was typed is there again."""
    return (
        'value="Vos droits"' in page
        and re.search(r"Pas à pas,\r?\nen clair.</textarea>", page)
        and '<option value="GUIDE" selected>' in page
    )


def test_un_fichier_est_ajoute_une_seule_fois(elle, etudiante):
    page = elle.lire(AJOUTER)
    assert "Ajouter un document" in elle.lire(LISTE)
    assert "PDF, image, vidéo ; 20 Mo au plus." in page

    lieux = [elle.envoyer(ENVOYER, {**DITS, **cle_de(page), "fichier": pdf()}).headers["Location"] for _clic in "12"]

    assert lieux == [f"{LISTE}?fait=ajout#fait"] * 2
    (ressource,) = Ressource.objects.all()
    assert (ressource.cree_par, ressource.titre, ressource.categorie) == (etudiante, "Vos droits", "GUIDE")
    assert (ressource.description, ressource.type_mime) == ("Pas à pas,\nen clair.", "application/pdf")
    assert Fichier.objects.count() == 1
    liste = elle.lire(f"{LISTE}?fait=ajout")
    assert titres(liste) == ["Vos droits"]
    assert "Le document est ajouté." in liste
    recu = elle.get(f"{LISTE}{ressource.pk}/fichier/")
    assert b"".join(recu.streaming_content) == b"%PDF-1.7\n%%EOF\n"


def test_un_autre_fichier_sous_la_meme_cle_est_un_autre_document(elle):
    cle = cle_de(elle.lire(AJOUTER))

    for contenu in (b"%PDF-1.7\nun", b"%PDF-1.7\ndeux"):
        assert elle.envoyer(ENVOYER, {**DITS, **cle, "fichier": pdf(contenu=contenu)}).status_code == 303

    assert Ressource.objects.count() == 2


def test_une_image_perd_ses_metadonnees(elle):
    photo = SimpleUploadedFile("photo.jpg", fabriques.image("JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0"))

    assert elle.envoyer(ENVOYER, {**DITS, "fichier": photo}).status_code == 303

    assert Fichier.objects.get().metadonnees_retirees is True


def test_une_adresse_est_un_document(elle, etudiante):
    cle = cle_de(elle.lire(AJOUTER))

    for _clic in range(2):
        envoye = elle.envoyer(ENVOYER, {**DITS, **cle, "public_url": " https://loi.example.org/a?b=1 "})
        assert envoye.status_code == 303

    ressource = Ressource.objects.get()
    assert (ressource.url_publique, ressource.fichier, ressource.cree_par) == (
        "https://loi.example.org/a?b=1",
        None,
        etudiante,
    )


@pytest.mark.parametrize(
    ("faux", "statut", "dit"),
    [
        ({}, 422, "Choisissez un fichier, ou donnez l'adresse d'une page."),
        ({"fichier": ""}, 422, "Choisissez un fichier, ou donnez l'adresse d'une page."),
        ({"public_url": "javascript:alert(1)"}, 422, "Une adresse complète est attendue"),
        ({"public_url": "https://a.example.org", "fichier": pdf()}, 422, "gardez l'un des deux"),
        ({"fichier": pdf(contenu=b"")}, 422, "Ce fichier est vide."),
        ({"fichier": pdf(contenu=b"du texte")}, 415, "La bibliothèque ne prend pas ce format."),
        ({"fichier": [pdf(), pdf()]}, 422, "Un seul fichier à la fois."),
    ],
)
def test_un_refus_rend_ce_qui_fut_tape(elle, faux, statut, dit):
    refus = elle.envoyer(ENVOYER, {**DITS, **faux, "cle_de_la_page": "k" * 43})

    page = texte_de(refus)
    assert refus.status_code == statut
    assert dit in page
    assert reviennent(page)
    assert f'value="{"k" * 43}"' in page
    assert not Ressource.objects.exists()
    assert not Fichier.objects.exists()


@pytest.mark.parametrize(
    ("faux", "dit"),
    [
        ({"titre": " \u200b "}, "Donnez un titre à ce document."),
        ({"titre": "T" * 256}, "Ce texte est trop long"),
        ({"categorie": "ad hoc"}, "Un mot en capitales est attendu"),
        ({"description": "x" * 20_001}, "Ce texte est trop long"),
    ],
)
def test_des_mots_refuses_ne_gardent_rien_du_fichier(elle, faux, dit):
    refus = elle.envoyer(ENVOYER, {**DITS, **faux, "fichier": pdf()})

    assert refus.status_code == 422
    assert dit in texte_de(refus)
    assert not Fichier.objects.exists()


def test_un_fichier_trop_grand_rend_le_texte(elle, settings):
    settings.TELEVERSEMENTS = {**settings.TELEVERSEMENTS, "/campus/documents/envoyer": 1_000}

    refus = elle.envoyer(ENVOYER, {**DITS, "fichier": pdf(contenu=b"%PDF-1.7\n" + b"x" * 2_000)})

    page = texte_de(refus)
    assert refus.status_code == 422
    assert "Ce fichier fait plus de 20 Mo." in page
    assert reviennent(page)
    assert not Fichier.objects.exists()


def test_ce_qui_ne_se_lit_pas_entier_dit_pourquoi(elle, settings):
    settings.ENSEMBLES = {**settings.ENSEMBLES, "/campus/documents/envoyer": 1_000}
    settings.JSON_MAX_OCTETS = 1_000

    refus = elle.envoyer(ENVOYER, {**DITS, "fichier": pdf(contenu=b"%PDF-1.7\n" + b"x" * 4_000)})

    assert refus.status_code == 413
    assert "Ce fichier fait plus de 20 Mo." in texte_de(refus)
    assert f'action="{ENVOYER}"' in texte_de(refus)


def test_un_fichier_sous_un_autre_nom_de_case_est_refuse(elle):
    refus = elle.envoyer(ENVOYER, {**DITS, "titre": pdf()})

    assert refus.status_code == 422
    assert not Fichier.objects.exists()


def test_trop_d_envois_attendent_et_rendent_le_texte(elle, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "upload": type(settings.THROTTLES["upload"])(1, 3600)}
    assert elle.envoyer(ENVOYER, {**DITS, "fichier": pdf()}).status_code == 303

    refus = elle.envoyer(ENVOYER, {**DITS, "fichier": pdf(contenu=b"%PDF-1.7\nautre")})

    assert refus.status_code == 429
    assert int(refus.headers["Retry-After"]) > 0
    assert reviennent(texte_de(refus))
    assert Ressource.objects.count() == 1


def test_sans_jeton_rien_n_est_garde_ni_rendu(elle):
    exigeante = Client(enforce_csrf_checks=True)
    exigeante.cookies = elle.cookies

    refus = exigeante.post(ENVOYER, {**DITS, "fichier": pdf()})

    assert refus.status_code == 403
    assert not Fichier.objects.exists()
    assert not Ressource.objects.exists()


def test_changer_de_langue_ne_perd_rien(elle):
    autre = elle.envoyer(AJOUTER, {**DITS, "public_url": "https://a.example.org", "vers": "en"})

    page = texte_de(autre)
    assert autre.status_code == 200
    assert '<html lang="en">' in page
    assert reviennent(page)
    assert 'value="https://a.example.org"' in page
    assert f'formaction="{AJOUTER}"' in page
    assert not Ressource.objects.exists()


def test_reserve_a_l_equipe_le_reste_le_lit(visiteuse, personne, settings):
    settings.RESOURCES_STAFF_ONLY = True

    for role, statut in (("etudiante", 403), ("gestionnaire", 303)):
        visiteuse.se_connecter(personne(role))
        assert ("Ajouter un document" in visiteuse.lire(LISTE)) == (statut == 303)
        assert visiteuse.get(AJOUTER).status_code == (200 if statut == 303 else 403)
        assert visiteuse.envoyer(ENVOYER, {**DITS, "fichier": pdf()}).status_code == statut
    assert Ressource.objects.get().cree_par == personne("gestionnaire")


@pytest.mark.parametrize("ferme", ["BIBLIOTHEQUE_PAGES", "PORTAIL_ENABLED"])
def test_ferme_rien_ne_repond(elle, etudiante, settings, ferme):
    ressource = fabriques.ressource(etudiante)
    setattr(settings, ferme, False)

    assert elle.get(AJOUTER).status_code == 404
    assert elle.envoyer(ENVOYER, {**DITS, "fichier": pdf()}).status_code == 404
    assert elle.envoyer(f"{LISTE}{ressource.pk}/supprimer/").status_code == 404
    assert Ressource.objects.vivantes().count() == 1


# --- Deleting ---------------------------------------------------------------------------------------------------------


def test_supprimer_le_sien_deux_clics(elle, etudiante, autre_etudiante):
    sien, autrui = fabriques.ressource(etudiante, "Le mien"), fabriques.ressource(autre_etudiante, "Le sien")
    assert elle.lire(LISTE).count("Supprimer ce document") == 1

    for _clic in range(2):
        parti = elle.envoyer(f"{LISTE}{sien.pk}/supprimer/")
        assert (parti.status_code, parti.headers["Location"]) == (303, f"{LISTE}?fait=retrait#fait")

    assert titres(elle.lire(LISTE)) == ["Le sien"]
    assert elle.envoyer(f"{LISTE}{autrui.pk}/supprimer/").status_code == 403
    assert "Le document est supprimé." in elle.lire(f"{LISTE}?fait=retrait")


@pytest.mark.parametrize("role", ["gestionnaire", "admin"])
def test_l_equipe_supprime_celui_d_autrui_deux_clics(visiteuse, personne, etudiante, role):
    ressource = fabriques.ressource(etudiante)
    visiteuse.se_connecter(personne(role))

    for _clic in range(2):
        assert visiteuse.envoyer(f"{LISTE}{ressource.pk}/supprimer/").status_code == 303

    assert not Ressource.objects.vivantes().exists()


def test_celui_d_autrui_qui_est_supprime_n_existe_pas(elle, autre_etudiante):
    ressource = fabriques.ressource(autre_etudiante)
    supprimer(ressource=ressource)

    assert elle.envoyer(f"{LISTE}{ressource.pk}/supprimer/").status_code == 404

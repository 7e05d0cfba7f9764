"""A file that the team sends to an author: sent alone, refused in words, read by the two of them."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from config.serveur.identites import televerse
from config.tests.outils import acteur_de, client_de
from discussions.models import Message
from espace.tests.outils import LISTE, Equipiere, section, texte_de, valeur
from resources.models import Fichier
from resources.tests.fabriques import image
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
AVIF = b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00avifmif1" + b"\x00" * 64
ENVOYER = "/equipe/fichiers/envoyer/"


def envoyer(elle, dossier, contenu=b"Le compte rendu.", nom="compte-rendu.txt"):
    return elle.envoyer(
        ENVOYER, {"pour": str(getattr(dossier, "pk", dossier)), "fichier": SimpleUploadedFile(nom, contenu)}
    )


def test_un_fichier_part_dans_un_message_que_son_auteur_lit(elle, etudiante, signalement):
    assert f'name="pour" value="{signalement.pk}"' in elle.lire(f"{LISTE}{signalement.pk}/fichier/")

    assert "DOCX, XLSX, PPTX, ODT, ODS, ODP" in elle.lire(f"{LISTE}{signalement.pk}/fichier/")

    envoye = envoyer(elle, signalement)

    assert (envoye.status_code, envoye.headers["Location"]) == (303, f"{LISTE}{signalement.pk}/#messages-titre")
    (piece,) = Message.objects.get().pieces_jointes
    assert "compte-rendu.txt" in elle.dossier(signalement)
    assert client_de(etudiante).get(f"/api/v1/fichiers/{piece}").status_code == 200
    lu = elle.get(f"/equipe/fichiers/{piece}/")
    assert (lu.status_code, b"".join(lu.streaming_content)) == (200, b"Le compte rendu.")


def test_plusieurs_fichiers_partent_et_chaque_refus_est_nomme(elle, signalement):
    envois = [SimpleUploadedFile("un.txt", b"Un."), SimpleUploadedFile("lancer.sh", b"#!/bin/sh\n")]
    envois.append(SimpleUploadedFile("deux.txt", b"Deux."))

    refus = elle.envoyer(ENVOYER, {"pour": str(signalement.pk), "fichier": envois})

    assert refus.status_code == 415
    assert "« lancer.sh » : Les programmes ne sont pas acceptés." in texte_de(refus)
    assert "<bdi>un.txt</bdi>, <bdi>deux.txt</bdi>" in texte_de(refus)
    assert Message.objects.count() == 2


def test_le_trop_grand_de_plusieurs_est_nomme_et_l_autre_part(elle, signalement, settings):
    settings.TELEVERSEMENTS = {**settings.TELEVERSEMENTS, "/equipe/fichiers/envoyer": 1_000}
    envois = [SimpleUploadedFile("film.mp4", b"x" * 100_000), SimpleUploadedFile("un.txt", b"Un.")]

    refus = elle.envoyer(ENVOYER, {"pour": str(signalement.pk), "fichier": envois})

    assert refus.status_code == 413
    assert "« film.mp4 » : Ce fichier fait plus de 10 Mo. Une vidéo : coupez-la" in texte_de(refus)
    assert [f.nom for f in Fichier.objects.all()] == ["un.txt"]


def test_deux_clics_envoient_un_fichier(elle, signalement):
    premier, second = (envoyer(elle, signalement) for _clic in range(2))

    assert second.headers["Location"] == premier.headers["Location"]
    assert Fichier.objects.count() == Message.objects.count() == 1
    envoyer(elle, signalement, b"L'autre compte r")
    assert Message.objects.count() == 2


def test_une_place_pleine_n_envoie_pas_l_equipe_a_elle_meme(elle, signalement, settings):
    settings.FILE_QUOTA_OCTETS = 1

    refuse = envoyer(elle, signalement)

    assert (refuse.status_code, "Il n'y a plus de place pour vos fichiers." in texte_de(refuse)) == (413, True)
    assert "Dites-le à l'équipe" not in texte_de(refuse)


@pytest.mark.parametrize(
    ("contenu", "type_", "statut"),
    [(b"", "text/plain", 422), (AVIF, "image/avif", 415)],
)
def test_un_fichier_refuse_le_dit_et_mene_encore_au_dossier(elle, signalement, contenu, type_, statut):
    refuse = envoyer(elle, signalement, contenu, type_)

    assert refuse.status_code == statut, texte_de(refuse)[:800]
    assert "Il y a un problème" in texte_de(refuse)
    assert f'name="pour" value="{signalement.pk}"' in texte_de(refuse)
    assert Message.objects.count() == 0


@pytest.mark.parametrize("pour", ["", "x", "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f", "9" * 5_000])
def test_un_dossier_inconnu_ne_recoit_rien(elle, pour):
    assert envoyer(elle, pour).status_code == 404
    assert Fichier.objects.count() == 0


def test_un_fichier_pour_un_dossier_joint_ne_part_pas_et_se_demande(elle, etudiante, signalement):
    joint = fabriques.signalement(acteur_de(etudiante))
    fabriques.joindre(joint, signalement)

    refus = envoyer(elle, joint)

    assert (refus.status_code, Message.objects.count(), Fichier.objects.count()) == (409, 0, 0)
    assert "Ce dossier a été joint à un autre, et rien n'est parti." in texte_de(refus)
    assert f'name="pour" value="{signalement.pk}"' in texte_de(refus)


def test_le_corps_n_est_recu_que_de_l_equipe(elle, equipiere, etudiante, gestionnaire):
    def scope(client):
        cookies = client.cookies.output(attrs=[], header="", sep=";").strip()
        return {"path": ENVOYER, "headers": [(b"cookie", cookies.encode()), (b"host", b"testserver")]}

    assert televerse(scope(elle)) == acteur_de(gestionnaire).cle
    assert televerse(scope(equipiere(etudiante))) is None
    assert televerse(scope(Equipiere(None))) is None


def test_sans_jeton_csrf_rien_n_est_garde(elle, signalement):
    elle.lire()
    reponse = elle.post(ENVOYER, {"pour": str(signalement.pk), "fichier": SimpleUploadedFile("a.txt", b"un")})

    assert reponse.status_code == 403
    assert Fichier.objects.count() == 0


def test_refuse_avant_d_etre_lu_il_mene_encore_au_dossier(elle, equipiere, etudiante, signalement):
    adresse = f"{ENVOYER}?pour={signalement.pk}"
    assert f'action="{adresse}"' in elle.lire(f"{LISTE}{signalement.pk}/fichier/")
    trop = str(52 * 2**20)

    refus = elle.post(adresse, CONTENT_LENGTH=trop)

    assert refus.status_code == 413
    assert "Cet envoi fait plus de 50 Mo en tout, et rien n'est parti." in texte_de(refus)
    assert f'name="pour" value="{signalement.pk}"' in texte_de(refus)
    assert f'href="{LISTE}{signalement.pk}/"' in texte_de(refus)
    assert elle.post(f"{ENVOYER}?pour=x", CONTENT_LENGTH=trop).status_code == 413
    assert equipiere(etudiante).post(adresse, CONTENT_LENGTH=trop).status_code == 403


def test_sans_fichier_choisi_la_page_dit_d_en_choisir_un(elle, signalement):
    refus = elle.envoyer(ENVOYER, {"pour": str(signalement.pk)})

    assert (refus.status_code, "Choisissez un fichier." in texte_de(refus)) == (422, True)


def test_les_pieces_sont_en_un_bloc_et_leurs_images_se_montrent_quand_on_le_demande(elle, signalement):
    envoyer(elle, signalement)
    envoyer(elle, signalement, image("JPEG"), "capture.jpg")
    texte, photo = (un.pk for un in Fichier.objects.order_by("date_creation"))

    fermees = section(elle.dossier(signalement), "pieces")
    ouvertes = section(elle.lire(f"{LISTE}{signalement.pk}/", images="oui"), "pieces")

    assert "Pièces (2)" in fermees
    assert re.findall(r"<b><bdi>(.*?)</bdi></b> <span class=\"indice\">(.*?), .*?, (.*?)</span>", fermees) == [
        ("compte-rendu.txt", "Texte", "gardé comme il est"),
        ("capture.jpg", "Image", "nettoyé"),
    ]
    assert (fermees.count("<img"), f'href="{LISTE}{signalement.pk}/?images=oui#pieces"' in fermees) == (0, True)
    assert re.findall(r'<img src="([^"]*)"', ouvertes) == [f"/equipe/fichiers/{photo}/"]
    assert "Montrer les images" not in ouvertes
    assert str(texte) in ouvertes


# The list that the case was opened from


@pytest.mark.parametrize(("page", "agit"), [("lecteurs", True), ("gel", True), ("imprimer", False), ("fichier", False)])
def test_une_page_du_dossier_ramene_dans_la_liste_dont_on_vient(admin, signalement, page, agit):
    elle, dans = Equipiere(admin), "?vue=a-faire&rang=3"
    mene = re.search(rf'href="({LISTE}{signalement.pk}/{page}/[^"]*)"', elle.lire(f"{LISTE}{signalement.pk}/{dans}"))

    adresse = mene[1]

    assert adresse.endswith("/?vue=a-faire&rang=1")
    rendue = elle.lire(adresse)
    assert f'href="{LISTE}{signalement.pk}/?vue=a-faire&rang=1"' in rendue
    if agit:
        assert re.search(r'<form method="post" action="[^"]*\?vue=a-faire&rang=1"', rendue)


def test_envoyer_des_fichiers_ramene_dans_la_liste(gestionnaire, signalement):
    elle = Equipiere(gestionnaire)
    envoi = {"pour": str(signalement.pk), "fichier": SimpleUploadedFile("note.txt", b"Une note.")}

    fait = elle.envoyer(f"/equipe/fichiers/envoyer/?pour={signalement.pk}&vue=ouverts&rang=2", envoi)

    assert fait.headers["Location"] == f"{LISTE}{signalement.pk}/?vue=ouverts&rang=2#messages-titre"


def test_un_acte_fait_de_sa_page_ramene_dans_la_liste(admin, signalement):
    elle, adresse = Equipiere(admin), f"{LISTE}{signalement.pk}/gel/?vue=ouverts&rang=2"
    donnees = {"vu_gel": valeur(elle.lire(adresse), "vu_gel"), "motif": "Une enquête est en cours."}

    fait = elle.envoyer(adresse, donnees)

    assert fait.headers["Location"] == f"{LISTE}{signalement.pk}/?vue=ouverts&rang=2&fait=gel#fait"

"""The page of the team: whom it shows to whom, and inviting from it."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Invitation, SecondFacteur
from accounts.tests import fabriques
from config.tests.outils.typographie import ordinaire
from espace.tests.outils import Equipiere, texte_de
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
MEMBRES = "/equipe/membres/"


@pytest.fixture
def rose(admin):
    """The browser of the administrator."""
    return Equipiere(admin)


def inviter(qui, **donnees):
    return qui.envoyer(MEMBRES, {"email": "nouvelle@campus.test", "type_utilisateur": "GESTIONNAIRE", **donnees})


def test_un_collegue_voit_qui_est_de_l_equipe_et_rien_de_plus(elle, admin, gestionnaire, etudiante):
    fabriques.invitation(admin, email="invitee@campus.test")
    partie = fabriques.gestionnaire(nom="Partie", est_actif=False)

    page = elle.lire(MEMBRES)

    for membre in (admin, gestionnaire):
        assert membre.nom_complet in page
        assert membre.email not in page
    for absent in (
        etudiante.nom_complet,
        partie.nom_complet,
        "invitee@campus.test",
        "connexion en deux étapes",
        "connexion le",
    ):
        assert absent not in page
    assert "<form" not in page.partition("<main")[2]


def test_l_administration_voit_les_seconds_facteurs_les_jours_et_les_invitations(rose, admin, gestionnaire):
    SecondFacteur.objects.create(compte=gestionnaire, secret="x", date_activation=timezone.now())
    fabriques.invitation(admin, email="invitee@campus.test")
    fabriques.invitation(admin, email="finie@campus.test", expire_le=timezone.now())

    page = rose.lire(MEMBRES)

    assert "· connexion en deux étapes ·" in page
    assert "sans connexion en deux étapes" in page
    assert "aucune connexion" in page
    assert re.findall(r'<p dir="auto">(\S+@\S+)</p>', page) == ["finie@campus.test", "invitee@campus.test"]
    assert f"/equipe/membres/{gestionnaire.pk}/" in page


def test_inviter_ecrit_a_la_personne_une_fois_par_clic(rose, mailoutbox):
    cle = re.search(r'name="cle_de_la_page" value="([^"]+)"', rose.lire(MEMBRES))[1]

    for _fois in range(2):
        reponse = inviter(rose, email=" Nouvelle@Campus.test ", cle_de_la_page=cle)
        assert (reponse.status_code, reponse.headers["Location"]) == (303, f"{MEMBRES}?fait=invitee#fait")

    invitation = Invitation.objects.get()
    assert (invitation.email, invitation.type_utilisateur, invitation.statut) == (
        "nouvelle@campus.test",
        "GESTIONNAIRE",
        "PENDING",
    )
    faire_les_taches()
    assert [message.to for message in mailoutbox] == [["nouvelle@campus.test"]]
    assert "Invitation envoyée." in rose.lire(MEMBRES, fait="invitee")


@pytest.mark.parametrize(
    ("donnees", "dit"),
    [
        ({"email": ""}, "Donnez l'adresse à inviter."),
        ({"email": "pas une adresse"}, "adresse"),
        ({"type_utilisateur": "ROI"}, "Choisissez un rôle."),
        ({"email": "gestionnaire@campus.test"}, "Un compte existe déjà avec cette adresse e-mail."),
    ],
)
def test_ce_qui_est_refuse_se_dit_et_reste_ecrit(rose, donnees, dit):
    fabriques.gestionnaire(email="gestionnaire@campus.test")

    refusee = inviter(rose, **donnees)

    assert refusee.status_code == 422
    page = texte_de(refusee)
    assert dit in page
    if donnees.get("email"):
        assert f'value="{donnees["email"]}"' in page
    assert not Invitation.objects.exists()


MOT = "Bonjour,\n\non t'attend : <b>lundi</b> ?"


def test_un_mot_part_avec_l_invitation_et_l_administration_le_relit(rose, elle, admin, mailoutbox):
    assert "sous votre nom" in ordinaire(rose.lire(MEMBRES))

    inviter(rose, mot=f" {MOT}".replace("\n", "\r\n"))
    faire_les_taches()

    assert Invitation.objects.get().mot == MOT
    assert (
        f"{admin.nom_complet} vous écrit\u00a0:\n> Bonjour,\n> \n> on t'attend : <b>lundi</b> ?\n" in mailoutbox[0].body
    )
    montre = '<p class="dit" dir="auto">Bonjour,\n\non t&#x27;attend : &lt;b&gt;lundi&lt;/b&gt; ?</p>'
    page = rose.get(MEMBRES).content.decode()
    assert montre in page
    assert f"<bdi>{admin.nom_complet}</bdi> écrit\u00a0:" in page
    assert "lundi" not in elle.lire(MEMBRES)


@pytest.mark.parametrize(
    ("donnees", "dit"),
    [
        ({"mot": "é" * 301}, "300 caractères au plus, 1 de trop. Rien n'a été coupé."),
        ({"mot": "Mot à garder\nsur deux lignes", "email": ""}, "Donnez l'adresse à inviter."),
        (
            {"mot": "Mot à garder", "email": "gestionnaire@campus.test"},
            "Un compte existe déjà avec cette adresse e-mail.",
        ),
    ],
)
def test_un_mot_reste_ecrit_quand_l_invitation_est_refusee(rose, gestionnaire, donnees, dit):
    fabriques.gestionnaire(email="gestionnaire@campus.test")

    refusee = inviter(rose, **donnees)

    page = refusee.content.decode()
    assert refusee.status_code == 422
    assert dit in texte_de(refusee)
    assert (
        re.search(r"<textarea[^>]* name=\"mot\"[^>]*>\n?([^<]*)</textarea>", page.replace("\r\n", "\n"))[1]
        == donnees["mot"]
    )
    assert not Invitation.objects.exists()


def test_ce_qui_est_colle_dans_un_mot_perd_ses_controles(rose):
    inviter(rose, mot="Bonjour\x00\x1b,\u2028à lundi\u00ad.")

    assert Invitation.objects.get().mot == "Bonjour,\nà lundi."


def test_un_mot_corrige_sur_la_meme_page_part(rose):
    for mot in ("Bonjour Ines", "Bonjour Inès"):
        inviter(rose, mot=mot, cle_de_la_page="une")

    assert list(Invitation.objects.pour_lecture().values_list("mot", "statut")) == [
        ("Bonjour Inès", "PENDING"),
        ("Bonjour Ines", "REVOKED"),
    ]


def test_une_invitation_se_renvoie_et_se_retire(rose, admin):
    invitation = fabriques.invitation(admin)
    adresse = f"{MEMBRES}invitations/{invitation.pk}/"

    for _clic in range(2):
        renvoyee = rose.envoyer(adresse, {"acte": "renvoyer", "cle_de_la_page": "une"})
    invitation.refresh_from_db()
    assert (renvoyee.headers["Location"], invitation.envoi) == (f"{MEMBRES}?fait=renvoyer#fait", 2)

    rose.envoyer(adresse, {"acte": "revoquer"})
    invitation.refresh_from_db()
    assert invitation.statut == "REVOKED"

    close = rose.envoyer(adresse, {"acte": "renvoyer"})
    assert close.status_code == 409
    assert rose.get(adresse).headers["Location"] == MEMBRES


def test_qui_n_invite_pas_ne_peut_ni_inviter_ni_retirer(elle, admin):
    invitation = fabriques.invitation(admin)

    assert inviter(elle).status_code == 403
    assert elle.envoyer(f"{MEMBRES}invitations/{invitation.pk}/", {"acte": "revoquer"}).status_code == 403
    invitation.refresh_from_db()
    assert (Invitation.objects.count(), invitation.statut) == (1, "PENDING")


@pytest.mark.parametrize(("qui", "statut"), [("etudiante", 403), (None, 302)])
def test_la_page_est_a_l_equipe(request, qui, statut):
    navigateur = Equipiere(request.getfixturevalue(qui) if qui else None)

    assert navigateur.get(MEMBRES).status_code == statut


def test_la_page_coute_autant_de_requetes_pour_neuf_que_pour_un(rose, admin):
    def requetes():
        with CaptureQueriesContext(
            connection,
        ) as lues:
            rose.lire(MEMBRES)
        return len(lues)

    fabriques.invitation(admin, mot="Bienvenue !")
    requetes()
    une = requetes()
    for _rang in range(8):
        fabriques.gestionnaire()
        fabriques.invitation(fabriques.admin(), mot="Bienvenue !")

    assert requetes() == une

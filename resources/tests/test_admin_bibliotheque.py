"""The library and files in the admin site: looked at, opened, deleted by the services of the API."""

from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry

from accounts.tests.outils import entrer
from config.tests.outils import acteur_de
from resources.models import Attache, Fichier, Ressource
from resources.services.fichiers import attacher
from resources.tests import fabriques
from signalements.tests import fabriques as signalements
from socle.erreurs import Introuvable

pytestmark = pytest.mark.django_db
RESSOURCES, FICHIERS = "/admin/resources/ressource/", "/admin/resources/fichier/"
EQUIPE = ["gestionnaire", "admin"]


def messages(reponse):
    return [(message.level_tag, str(message)) for message in reponse.context["messages"]]


def agir(client, action, *lignes, url=RESSOURCES, **autres):
    donnees = {"action": action, "_selected_action": [str(ligne.pk) for ligne in lignes], **autres}
    return client.post(url, donnees, follow=True)


def actions(client, url):
    return [nom for nom, _libelle in client.get(url).context["action_form"].fields["action"].choices if nom]


def montres(client, url=FICHIERS):
    return client.get(url, headers={"Accept-Language": "fr"}).content.decode()


@pytest.fixture
def document(etudiante):
    fichier = fabriques.fichier(acteur_de(etudiante), nom="guide.txt")
    return fabriques.ressource(etudiante, "Guide d'accueil", file_id=fichier.pk)


# --- The library ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", EQUIPE)
def test_supprimer_puis_retablir_fait_ce_que_fait_l_api(api, personne, etudiante, document, persona):
    client = entrer(personne(persona).email)
    url = f"/api/v1/ressources/{document.pk}"

    assert messages(agir(client, "supprimer", document)) == [("info", "1 ligne traitée.")]
    assert api(etudiante).get(url).status_code == 404
    assert not Attache.objects.exists()

    supprimees = f"{RESSOURCES}?etat=supprimees"
    assert client.get(RESSOURCES).context["cl"].result_count == 0
    assert client.get(supprimees).context["cl"].result_count == 1
    assert messages(agir(client, "retablir", document, url=supprimees)) == [("info", "1 ligne traitée.")]
    assert api(etudiante).get(url).status_code == 200
    assert Attache.objects.get().objet == document.pk
    assert [entree.user for entree in LogEntry.objects.all()] == [personne(persona)] * 2


def test_une_etudiante_n_entre_pas(etudiante, document):
    client = entrer(etudiante.email)

    for page in (RESSOURCES, FICHIERS, f"{FICHIERS}{document.fichier_id}/ouvrir/"):
        assert client.get(page).status_code == 302
    agir(client, "supprimer", document)
    assert Ressource.objects.vivantes().exists()


@pytest.mark.parametrize("persona", EQUIPE)
@pytest.mark.parametrize("chemin", ["add/", "{pk}/delete/"])
def test_une_ressource_ne_s_ajoute_ni_ne_s_efface_ici(personne, document, persona, chemin):
    assert entrer(personne(persona).email).get(RESSOURCES + chemin.format(pk=document.pk)).status_code == 403


@pytest.mark.parametrize("persona", EQUIPE)
def test_une_requete_forgee_ne_change_ni_ressource_ni_fichier(personne, document, persona):
    client = entrer(personne(persona).email)

    pages = (f"{RESSOURCES}{document.pk}/change/", f"{FICHIERS}{document.fichier_id}/change/")
    assert [client.post(page, {"titre": "x", "nom": "x"}).status_code for page in pages] == [403, 403]

    document.refresh_from_db()
    assert (document.titre, document.fichier.nom) == ("Guide d'accueil", "guide.txt")


@pytest.mark.parametrize(
    ("question", "trouvees"),
    [
        ("", ["Sécurité", "Guide d'accueil"]),
        ("?q=SECURITE", ["Sécurité"]),
        ("?categorie=VIDEO", ["Sécurité"]),
        ("?etat=supprimees", ["Ancien"]),
        ("?categorie=INCONNUE", []),
    ],
)
def test_la_bibliotheque_se_cherche_et_se_filtre(gestionnaire, etudiante, document, question, trouvees):
    fabriques.ressource(etudiante, "Sécurité", categorie="VIDEO")
    ancien = fabriques.ressource(etudiante, "Ancien")
    client = entrer(gestionnaire.email)
    agir(client, "supprimer", ancien)

    assert [r.titre for r in client.get(RESSOURCES + question).context["cl"].result_list] == trouvees


@pytest.mark.parametrize(("mots", "nombre"), [("ETE", 1), ("plage été", 1), ("guide.txt", 1), ("awa", 0)])
def test_un_fichier_se_cherche_par_son_nom_jamais_par_son_auteur(gestionnaire, etudiante, document, mots, nombre):
    plage = fabriques.fichier(acteur_de(etudiante), nom="Plage en Été.jpg")
    fabriques.ressource(etudiante, file_id=plage.pk)

    trouves = entrer(gestionnaire.email).get(FICHIERS, {"q": mots}).context["cl"].result_count

    assert trouves == nombre


@pytest.mark.parametrize("question", ["?cree_par__password__startswith=a", "?fichier__cle__startswith=0"])
def test_la_liste_ne_se_filtre_que_par_ce_qu_elle_offre(gestionnaire, document, question):
    assert entrer(gestionnaire.email).get(RESSOURCES + question).status_code in (302, 400)


def test_un_lien_s_ouvre_sans_dire_d_ou_l_on_vient(gestionnaire, etudiante):
    lien = fabriques.ressource(etudiante, url_publique='https://campus.example.org/?a=1&b="x')

    page = montres(entrer(gestionnaire.email), f"{RESSOURCES}{lien.pk}/change/")

    assert 'href="https://campus.example.org/?a=1&amp;b=&quot;x" rel="noopener noreferrer"' in page


def test_un_membre_de_l_equipe_ne_recoit_pas_de_lien_vers_les_comptes(gestionnaire, document):
    page = montres(entrer(gestionnaire.email), f"{RESSOURCES}{document.pk}/change/")

    assert "Awa Diop" in page
    assert "/accounts/compte/" not in page


# --- Files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", EQUIPE)
def test_un_fichier_s_ouvre_par_une_adresse_qui_expire(personne, client, document, persona):
    reponse = entrer(personne(persona).email).get(f"{FICHIERS}{document.fichier_id}/ouvrir/")

    assert reponse.status_code == 302
    assert "no-store" in reponse.headers["Cache-Control"]
    servi = client.get(reponse.url.removeprefix("http://testserver"))
    assert b"".join(servi.streaming_content) == fabriques.CONTENU
    assert servi.headers["Content-Disposition"].startswith("attachment")
    assert servi.headers["X-Content-Type-Options"] == "nosniff"


def test_un_fichier_inconnu_est_une_page_introuvable(gestionnaire, document):
    assert entrer(gestionnaire.email).get(f"{FICHIERS}{document.pk}/ouvrir/").status_code == 404


def test_un_gestionnaire_ne_supprime_aucun_fichier(gestionnaire, document):
    client = entrer(gestionnaire.email)

    assert actions(client, RESSOURCES) == ["supprimer", "retablir"]
    assert client.get(FICHIERS).context["action_form"] is None
    assert client.post(f"{FICHIERS}{document.fichier_id}/delete/", {"post": "yes"}).status_code == 403
    agir(client, "delete_selected", document.fichier, url=FICHIERS, post="yes")
    assert Fichier.objects.exists()


@pytest.mark.parametrize("par_l_action", [True, False])
def test_un_administrateur_supprime_un_fichier_pour_de_bon(
    api, admin, etudiante, document, par_l_action, django_capture_on_commit_callbacks
):
    client, url = entrer(admin.email), f"{FICHIERS}{document.fichier_id}/delete/"
    assert document.fichier.cle in fabriques.stockes("local")
    assert "guide.txt, joint à : bibliothèque" in montres(client, url)

    with django_capture_on_commit_callbacks(execute=True):
        if par_l_action:
            agir(client, "delete_selected", document.fichier, url=FICHIERS, post="yes")
        else:
            client.post(url, {"post": "yes"})

    assert not Fichier.objects.exists()
    assert document.fichier.cle not in fabriques.stockes("local")
    assert api(etudiante).get(f"/api/v1/ressources/{document.pk}").status_code == 404
    assert LogEntry.objects.get().object_repr == "guide.txt"


def test_un_fichier_que_quelqu_un_vient_de_supprimer_ne_fait_pas_tomber_la_page(admin, document, monkeypatch):
    client, fichier = entrer(admin.email), document.fichier

    def supprimer(**champs):
        raise Introuvable

    monkeypatch.setattr("resources.admin.fichiers.fichiers.supprimer", supprimer)

    assert client.post(f"{FICHIERS}{fichier.pk}/delete/", {"post": "yes"}).status_code == 302


def test_qui_a_envoye_un_fichier_n_est_nomme_que_dans_la_bibliotheque(gestionnaire, etudiante, document):
    client = entrer(gestionnaire.email)
    assert "Awa Diop" in montres(client)

    for mode in ("ANONYME", "IDENTIFIE"):
        preuve = fabriques.fichier(acteur_de(etudiante), nom=f"{mode}.txt")
        signalements.signalement(acteur_de(etudiante), mode_identification=mode, pieces_jointes=[preuve.pk])
        page = montres(client, f"{FICHIERS}{preuve.pk}/change/")
        assert "Awa" not in page
        assert "Anonyme" in page
        assert "signalement" in page


def test_un_fichier_joint_a_rien_peut_encore_rejoindre_un_dossier_anonyme(gestionnaire, etudiante):
    fabriques.fichier(acteur_de(etudiante))

    assert "Awa" not in montres(entrer(gestionnaire.email))


def test_une_ressource_jointe_aussi_a_un_dossier_ne_nomme_plus_personne(gestionnaire, etudiante, document):
    attacher(acteur=acteur_de(etudiante), fichiers=[document.fichier_id], sorte="signalement", objet=document.pk)

    assert "Awa" not in montres(entrer(gestionnaire.email))


def test_un_invite_n_est_jamais_nomme(gestionnaire, invite):
    signalements.signalement(acteur_de(invite), pieces_jointes=[fabriques.fichier(acteur_de(invite)).pk])

    page = montres(entrer(gestionnaire.email))

    assert "Invité" in page
    assert [secret for secret in (str(invite.guest_id), invite.telephone, str(invite.pk)) if secret in page] == []


@pytest.mark.parametrize(
    ("question", "trouves"),
    [("?type=image/png", ["photo.png"]), ("?type=autres", ["constat.txt"]), ("", ["photo.png", "constat.txt"])],
)
def test_les_fichiers_se_filtrent_par_type(gestionnaire, etudiante, question, trouves):
    texte = fabriques.fichier(acteur_de(etudiante))
    photo = fabriques.fichier(acteur_de(etudiante), nom="photo.png", type_mime="image/png")
    for piece in (texte, photo):
        fabriques.ressource(etudiante, file_id=piece.pk)

    lignes = entrer(gestionnaire.email).get(FICHIERS + question).context["cl"].result_list

    assert [fichier.nom for fichier in lignes] == trouves


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_ce_qui_n_est_joint_a_rien_n_est_la_que_de_qui_l_a_envoye(personne, etudiante, persona):
    qui = personne(persona)
    sien = fabriques.fichier(acteur_de(qui), "convocation.txt")
    autre = fabriques.fichier(acteur_de(etudiante), "photo du bureau.txt")
    client = entrer(qui.email)

    liste = client.get(FICHIERS).context["cl"].result_list
    trouves = client.get(f"{FICHIERS}?q={autre.nom_d_autrui[:-4]}").context["cl"].result_count
    pages = [client.get(f"{FICHIERS}{autre.pk}/{page}/").status_code for page in ("change", "history", "ouvrir")]
    inconnues = [client.get(f"{FICHIERS}{uuid4()}/{page}/").status_code for page in ("change", "history", "ouvrir")]
    if persona == "admin":
        client.post(FICHIERS, {"action": "delete_selected", "_selected_action": [str(autre.pk)], "post": "yes"})

    assert ([*liste], trouves) == ([sien], 0)
    assert pages == inconnues
    assert client.get(f"{FICHIERS}{sien.pk}/ouvrir/").status_code == 302
    assert Fichier.objects.filter(pk=autre.pk).exists()


@pytest.mark.parametrize("url", [RESSOURCES, FICHIERS])
def test_une_ligne_et_neuf_coutent_autant_de_requetes(gestionnaire, etudiante, url, django_assert_max_num_queries):
    client = entrer(gestionnaire.email)

    def ajouter():
        fabriques.ressource(etudiante, file_id=fabriques.fichier(acteur_de(etudiante)).pk)

    ajouter()
    with django_assert_max_num_queries(6):
        client.get(url)
    for _rang in range(8):
        ajouter()
    with django_assert_max_num_queries(6):
        assert client.get(url).context["cl"].result_count == 9

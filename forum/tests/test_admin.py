import re

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from accounts.tests import fabriques as comptes
from accounts.tests.outils import entrer
from config.tests.outils import acteur_de
from forum import services
from forum.models import Commentaire, Moderation, MotSurveille, Poste
from forum.tests import fabriques
from resources.services import fichiers as resources_services
from resources.tests import fabriques as resources
from socle.domaine.droits import PERMISSIONS_ADMIN

pytestmark = pytest.mark.django_db
POSTES, COMMENTAIRES, MOTS = (f"/admin/forum/{nom}/" for nom in ("poste", "commentaire", "motsurveille"))


def agir(client, action, *lignes, url=POSTES):
    donnees = {"action": action, "_selected_action": [str(ligne.pk) for ligne in lignes]}
    return client.post(url, donnees, follow=True)


def messages(reponse):
    return [(message.level_tag, str(message)) for message in reponse.context["messages"]]


def actions(client, url=POSTES):
    return [nom for nom, _libelle in client.get(url).context["action_form"].fields["action"].choices if nom]


# --- Who enters -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("persona", "sur_les_publications", "sur_les_commentaires"),
    [
        ("gestionnaire", ["approuver", "rejeter", "archiver", "epingler", "desepingler"], []),
        ("admin", ["approuver", "rejeter", "archiver", "epingler", "desepingler", "supprimer"], ["supprimer"]),
    ],
)
def test_l_equipe_a_les_actions_de_ses_droits(
    personne, etudiante, poste, persona, sur_les_publications, sur_les_commentaires
):
    fabriques.commentaire(acteur_de(etudiante), poste)
    client = entrer(personne(persona).email)

    pages = [POSTES, COMMENTAIRES, MOTS, f"{MOTS}add/", f"{POSTES}{poste.pk}/change/", f"{POSTES}{poste.pk}/history/"]
    pages += [f"{POSTES}?q=a", f"{POSTES}?statut__exact=NOUVEAU", f"{POSTES}?etat=presents"]
    assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)
    assert actions(client) == sur_les_publications
    if sur_les_commentaires:
        assert actions(client, COMMENTAIRES) == sur_les_commentaires


def test_une_etudiante_n_y_entre_pas(etudiante, poste_nouveau):
    client = entrer(etudiante.email)

    assert client.get(POSTES).status_code == 302
    agir(client, "approuver", poste_nouveau)
    assert Poste.objects.get().statut == "NOUVEAU"


def test_un_gestionnaire_ne_supprime_pas_par_une_requete_forgee(gestionnaire, etudiante, poste):
    ecrit = fabriques.commentaire(acteur_de(etudiante), poste)
    client = entrer(gestionnaire.email)

    agir(client, "supprimer", poste)
    agir(client, "supprimer", ecrit, url=COMMENTAIRES)
    agir(client, "delete_selected", poste)

    assert Poste.objects.presents().count() == Commentaire.objects.presents().count() == 1


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
@pytest.mark.parametrize("chemin", ["add/", "{pk}/delete/"])
def test_une_publication_ne_s_ajoute_ni_ne_s_efface_ici(personne, poste, persona, chemin):
    assert entrer(personne(persona).email).get(POSTES + chemin.format(pk=poste.pk)).status_code == 403


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_une_requete_forgee_ne_change_ni_une_publication_ni_son_histoire(personne, poste, persona):
    client = entrer(personne(persona).email)
    decision = Moderation.objects.get()
    champs = {
        "statut": "REJETER",
        "contenu": "Autre",
        "moderations-TOTAL_FORMS": 1,
        "moderations-INITIAL_FORMS": 1,
        "moderations-0-id": str(decision.pk),
        "moderations-0-apres": "REJETER",
        "moderations-0-DELETE": "on",
    }

    assert client.post(f"{POSTES}{poste.pk}/change/", champs).status_code == 403
    assert (Poste.objects.get().statut, Moderation.objects.get().apres) == ("APPROUVER", "APPROUVER")


# --- What it does ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "statut"), [("approuver", "APPROUVER"), ("rejeter", "REJETER"), ("archiver", "ARCHIVER")]
)
def test_moderer_plusieurs_publications_ecrit_l_histoire_et_s_annonce(
    gestionnaire, etudiante, evenements, action, statut
):
    visees = [fabriques.poste(acteur_de(etudiante)) for _rang in range(3)]
    client = entrer(gestionnaire.email)

    with evenements() as recus:
        reponse = agir(client, action, *visees[:2])

    assert messages(reponse) == [("info", "2 lignes traitées.")]
    assert [Poste.objects.get(pk=p.pk).statut for p in visees] == [statut, statut, "NOUVEAU"]
    assert [(m.compte, m.avant, m.apres) for m in Moderation.objects.all()] == [(gestionnaire, "NOUVEAU", statut)] * 2
    assert [(e["type"], e["payload"]["statut"]) for e in recus] == [("stats_updated", statut)] * 2
    assert {e.object_id for e in LogEntry.objects.all()} == {str(p.pk) for p in visees[:2]}
    assert {p.approuver_par for p in Poste.objects.filter(statut="APPROUVER")} <= {gestionnaire}


# --- The page of one post -------------------------------------------------------------------------------------------


def page_de(poste):
    return f"{POSTES}{poste.pk}/change/"


def lue(client, poste):
    return client.get(page_de(poste)).content.decode()


def boutons(client, poste):
    return re.findall(r'<button type="submit" form="actes" name="action" value="(\w+)"', lue(client, poste))


def presser(client, poste, action, *visees, url=None):
    donnees = {"action": action, "_selected_action": [str(ligne.pk) for ligne in visees or (poste,)]}
    return client.post(url or page_de(poste), donnees)


@pytest.mark.parametrize(
    ("statut", "jugements"),
    [
        (None, ["approuver", "rejeter", "archiver"]),
        ("APPROUVER", ["rejeter", "archiver"]),
        ("APPROUVER_IA", ["approuver", "rejeter", "archiver"]),
        ("REJETER", ["approuver", "archiver"]),
        ("ARCHIVER", ["approuver", "rejeter"]),
    ],
)
def test_la_page_offre_ce_qui_change_quelque_chose(gestionnaire, etudiante, statut, jugements):
    par = statut and acteur_de(gestionnaire)
    vue = fabriques.poste(acteur_de(etudiante), par=par, statut=statut)
    client = entrer(gestionnaire.email)

    assert boutons(client, vue) == [*jugements, "epingler"]
    services.epingler(acteur=acteur_de(gestionnaire), poste=vue)
    assert boutons(client, vue) == [*jugements, "desepingler"]


def test_une_publication_supprimee_ne_se_juge_plus(gestionnaire, admin, poste):
    client = entrer(gestionnaire.email)
    services.supprimer(acteur=acteur_de(admin), poste=poste)

    presser(client, poste, "rejeter")

    assert "introuvable" in lue(client, poste)
    assert boutons(client, poste) == []
    assert (Poste.objects.get().statut, LogEntry.objects.count()) == ("APPROUVER", 0)


@pytest.mark.parametrize(
    ("action", "statut"), [("approuver", "APPROUVER"), ("rejeter", "REJETER"), ("archiver", "ARCHIVER")]
)
def test_un_bouton_juge_comme_la_liste_et_la_page_revient(gestionnaire, poste_nouveau, evenements, action, statut):
    client = entrer(gestionnaire.email)
    url = f"{page_de(poste_nouveau)}?_changelist_filters=statut__exact%3DNOUVEAU"

    with evenements() as recus:
        reponse = presser(client, poste_nouveau, action, url=url)

    assert (reponse.status_code, reponse.url) == (302, url)
    assert "1 ligne traitée." in client.get(url).content.decode()
    decision, note = Moderation.objects.get(), LogEntry.objects.get()
    assert (decision.compte, decision.avant, decision.apres) == (gestionnaire, "NOUVEAU", statut)
    assert [(e["type"], e["payload"]["statut"]) for e in recus] == [("stats_updated", statut)]
    assert (note.user, note.object_id) == (gestionnaire, str(poste_nouveau.pk))
    assert note.get_change_message() == "Modification : statut."


def test_le_second_qui_presse_le_meme_bouton_ne_note_rien(gestionnaire, admin, poste_nouveau):
    for personne in (gestionnaire, admin):
        presser(entrer(personne.email), poste_nouveau, "approuver")
        presser(entrer(personne.email), poste_nouveau, "epingler")

    assert Poste.objects.get().approuver_par == gestionnaire
    assert [(m.numero, m.compte) for m in Moderation.objects.all()] == [(1, gestionnaire)]
    assert [note.user for note in LogEntry.objects.all()] == [gestionnaire] * 2


def test_un_bouton_n_agit_que_sur_la_publication_de_la_page(gestionnaire, etudiante, poste_nouveau):
    autre = fabriques.poste(acteur_de(etudiante))

    presser(entrer(gestionnaire.email), poste_nouveau, "approuver", autre)
    presser(entrer(gestionnaire.email), poste_nouveau, "approuver", autre, poste_nouveau)

    assert [Poste.objects.get(pk=p.pk).statut for p in (poste_nouveau, autre)] == ["APPROUVER", "NOUVEAU"]


def test_sans_le_droit_il_n_y_a_ni_bouton_ni_jugement(gestionnaire, poste_nouveau, monkeypatch):
    client = entrer(gestionnaire.email)
    assert "approuver" in boutons(client, poste_nouveau)
    monkeypatch.delitem(PERMISSIONS_ADMIN, "forum.change_poste")

    offerts = boutons(client, poste_nouveau)
    presser(client, poste_nouveau, "approuver")

    assert offerts == []
    assert Poste.objects.get().statut == "NOUVEAU"


@pytest.mark.parametrize("action", ["supprimer", "inconnue", ""])
def test_un_gestionnaire_ne_presse_pas_un_bouton_qu_il_n_a_pas(gestionnaire, poste_nouveau, action):
    reponse = presser(entrer(gestionnaire.email), poste_nouveau, action)

    assert reponse.status_code == 302
    assert Poste.objects.presents().get().statut == "NOUVEAU"


def test_une_etudiante_ne_presse_rien(etudiante, poste_nouveau):
    reponse = presser(entrer(etudiante.email), poste_nouveau, "approuver")

    assert (reponse.status_code, Poste.objects.get().statut) == (302, "NOUVEAU")


def test_un_bouton_exige_le_jeton_de_formulaire(gestionnaire, poste_nouveau):
    client = Client(enforce_csrf_checks=True)
    client.force_login(gestionnaire)

    assert presser(client, poste_nouveau, "approuver").status_code == 403
    assert Poste.objects.get().statut == "NOUVEAU"


@pytest.mark.parametrize("pk", ["5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f", "pas-un-uuid"])
def test_un_bouton_d_une_publication_inconnue_est_refuse(gestionnaire, pk):
    reponse = entrer(gestionnaire.email).post(f"{POSTES}{pk}/change/", {"action": "approuver", "_selected_action": pk})

    assert reponse.status_code == 403


# --- Pinning, deleting, reading -------------------------------------------------------------------------------------


def test_epingler_et_desepingler(gestionnaire, poste, poste_nouveau):
    client = entrer(gestionnaire.email)

    agir(client, "epingler", poste, poste_nouveau)
    agir(client, "desepingler", poste_nouveau)

    assert set(Poste.objects.filter(est_epingle=True)) == {poste}


def test_la_liste_dit_ce_qui_est_epingle_et_ce_qui_est_supprime(gestionnaire, admin, poste, poste_nouveau):
    autre = fabriques.poste(acteur_de(gestionnaire))
    for epingle in (poste, autre):
        services.epingler(acteur=acteur_de(admin), poste=epingle)
    services.supprimer(acteur=acteur_de(admin), poste=autre)

    page = entrer(gestionnaire.email).get(POSTES).content.decode()

    etats = re.findall(r'name="_selected_action" value="([^"]*)".*?class="field-etat">([^<]*)<', page)
    assert dict(etats) == {str(poste_nouveau.pk): "-", str(poste.pk): "épinglée", str(autre.pk): "épinglée, supprimée"}


def test_supprimer_passe_par_le_service_et_une_seconde_fois_dit_pourquoi(admin, etudiante, poste, poste_nouveau):
    ecrit = fabriques.commentaire(acteur_de(etudiante), poste)
    client = entrer(admin.email)

    du_commentaire = messages(agir(client, "supprimer", ecrit, url=COMMENTAIRES))
    agir(client, "supprimer", poste)
    encore = messages(agir(client, "supprimer", poste, poste_nouveau))

    assert du_commentaire == [("info", "1 ligne traitée.")]
    assert (Poste.objects.get(pk=poste.pk).nb_commentaires, Commentaire.objects.get().supprime_par) == (0, admin)
    assert [niveau for niveau, _texte in encore] == ["error", "info"]
    assert "introuvable" in encore[0][1]
    assert not Poste.objects.presents().exists()


def test_l_histoire_se_lit_sous_la_publication(gestionnaire, admin, etudiante, settings):
    settings.FORUM_MODERATOR = "forum.moderation.par_mots"
    fabriques.mot("bonjour")
    rejetee = fabriques.poste(acteur_de(etudiante), par=acteur_de(admin), contenu="Bonjour !")

    texte = entrer(gestionnaire.email).get(f"{POSTES}{rejetee.pk}/change/").content.decode()

    for attendu in ("modérateur automatique", "Rejeté automatiquement", "Rose Kabila", "Approuvé"):
        assert attendu in texte, attendu


@pytest.mark.parametrize("page", [POSTES, COMMENTAIRES, f"{POSTES}{{pk}}/change/", f"{POSTES}{{pk}}/history/"])
def test_un_identifiant_invite_colle_n_est_pas_montre(gestionnaire, etudiante, invite, page):
    secret = str(invite.guest_id)
    colle = fabriques.poste(acteur_de(etudiante), titre=secret, contenu=secret, tags=[secret])
    fabriques.commentaire(acteur_de(etudiante), colle, f"C'est {secret}.")
    client = entrer(gestionnaire.email)
    agir(client, "approuver", colle)

    texte = client.get(page.format(pk=colle.pk)).content.decode()

    assert "[identifiant masqué]" in texte
    assert secret not in texte


def test_la_liste_se_cherche_sans_accents(gestionnaire, etudiante):
    fabriques.poste(acteur_de(etudiante), titre="Sécurité")
    fabriques.poste(acteur_de(etudiante), titre="Chorale")

    texte = entrer(gestionnaire.email).get(f"{POSTES}?q=SECURITÉ").content.decode()

    assert ("Sécurité" in texte, "Chorale" in texte) == (True, False)


def test_les_pieces_jointes_s_ouvrent_avant_de_juger(gestionnaire, etudiante):
    piece, perdue = (resources.fichier(acteur_de(etudiante), nom=nom) for nom in ("<b>affiche</b>.txt", "perdue.txt"))
    publie = fabriques.poste(acteur_de(etudiante), pieces_jointes=[piece.pk, perdue.pk])
    resources_services.oublier(perdue.pk)
    equipe = entrer(gestionnaire.email)

    page = equipe.get(f"{POSTES}{publie.pk}/change/").content.decode()

    adresse = f"/admin/resources/fichier/{piece.pk}/ouvrir/"
    assert f'<a href="{adresse}">&lt;b&gt;affiche&lt;/b&gt;.txt</a>' in page
    assert "perdue.txt" not in page
    assert equipe.get(adresse).status_code == 302


@pytest.mark.parametrize(
    ("etat", "montres"), [("presents", ["Moi !"]), ("supprimes", ["Insulte"]), ("", ["Insulte", "Moi !"])]
)
def test_les_commentaires_se_filtrent_par_leur_etat(gestionnaire, admin, etudiante, poste, etat, montres):
    fabriques.commentaire(acteur_de(etudiante), poste)
    insulte = fabriques.commentaire(acteur_de(etudiante), poste, "Insulte")
    services.supprimer_commentaire(acteur=acteur_de(admin), poste=poste, commentaire=insulte)

    liste = entrer(gestionnaire.email).get(COMMENTAIRES, {"etat": etat} if etat else {}).context["cl"].result_list

    assert sorted(commentaire.contenu for commentaire in liste) == montres


def test_un_commentaire_se_cherche_par_ses_mots(gestionnaire, etudiante, poste, invite):
    secret = str(invite.guest_id)
    fabriques.commentaire(acteur_de(etudiante), poste, f"Rendez-vous au Théâtre, {secret}")
    fabriques.commentaire(acteur_de(etudiante), poste, "Moi !")
    client = entrer(gestionnaire.email)

    def trouves(mots):
        return client.get(COMMENTAIRES, {"q": mots}).context["cl"].result_count

    assert [trouves(mots) for mots in ("THEATRE", "theatre rendez", "absent", secret)] == [1, 1, 0, 0]


@pytest.mark.parametrize("page", [POSTES, COMMENTAIRES, f"{POSTES}{{pk}}/change/"])
def test_une_ligne_et_neuf_coutent_autant_de_requetes(
    gestionnaire, admin, poste, page, django_assert_max_num_queries, django_assert_num_queries
):
    client, url = entrer(gestionnaire.email), page.format(pk=poste.pk)

    def ajouter():
        equipe = acteur_de(admin)
        fabriques.commentaire(acteur_de(comptes.compte()), fabriques.poste(acteur_de(comptes.compte()), par=equipe))
        fabriques.poste(acteur_de(comptes.compte()), par=equipe)

    ajouter()
    client.get(url)  # what a process reads once is read
    with django_assert_max_num_queries(7) as pour_une:
        assert client.get(url).status_code == 200
    for _rang in range(8):
        ajouter()
    with django_assert_num_queries(len(pour_une)):
        client.get(url)


# --- The word list --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_un_mot_s_ajoute_se_change_se_retire_et_chaque_fois_se_note(personne, persona):
    client = entrer(personne(persona).email)

    client.post(f"{MOTS}add/", {"mot": "Crétin"})
    mot = MotSurveille.objects.get()
    client.post(f"{MOTS}{mot.pk}/change/", {"mot": "Sale type"})
    mot.refresh_from_db()
    assert (mot.mot, mot.forme) == ("Sale type", "sale type")
    client.post(f"{MOTS}{mot.pk}/delete/", {"post": "yes"})

    assert not MotSurveille.objects.exists()
    assert list(LogEntry.objects.order_by("action_time").values_list("action_flag", flat=True)) == [1, 2, 3]


@pytest.mark.parametrize("mot", ["…", "", "CRETIN", "cré-tin", "x" * 101, "ﷺ" * 50])
def test_un_mot_illisible_trop_long_ou_deja_la_est_refuse_par_le_formulaire(gestionnaire, mot):
    fabriques.mot("crétin")

    reponse = entrer(gestionnaire.email).post(f"{MOTS}add/", {"mot": mot})

    assert (reponse.status_code, "errorlist" in reponse.content.decode()) == (200, True)
    assert MotSurveille.objects.count() == 1


def test_un_mot_se_garde_sous_son_propre_nom(gestionnaire):
    mot = fabriques.mot("cretin")

    reponse = entrer(gestionnaire.email).post(f"{MOTS}{mot.pk}/change/", {"mot": "crétin"})

    mot.refresh_from_db()
    assert (reponse.status_code, mot.mot, mot.forme) == (302, "crétin", "cretin")


def test_la_liste_des_mots_se_cherche_sans_accents(gestionnaire):
    fabriques.mot("crétin")
    fabriques.mot("nigaud")

    texte = entrer(gestionnaire.email).get(f"{MOTS}?q=CRE").content.decode()

    assert ("crétin" in texte, "nigaud" in texte) == (True, False)

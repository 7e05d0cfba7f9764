"""The forum on its pages: read, found, written, answered and deleted as the API lets."""

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.tests.outils import acteur_de
from forum import services
from forum.models import Commentaire, DemandeDeRelecture, Poste, Reaction
from forum.services import commenter, epingler, moderer, reagir, supprimer
from forum.tests import fabriques
from forum.vocabulaire import MOTIF_MAX, Statut
from portail.tests.outils import cle_de, texte_de
from resources.tests import fabriques as de_fichiers
from socle.api.pagination import TAILLE_PAR_DEFAUT
from socle.idempotence.creation import CreationDemandee

pytestmark = pytest.mark.django_db
URL = "/campus/forum/"
ECRIRE = f"{URL}ecrire/"
TITRES = re.compile(r'<h2><a href="[^"]+" dir="auto">([^<]*)</a></h2>')


def titres(page):
    """Those of the list, in its order."""
    return TITRES.findall(page)


def adresse(poste, suite=""):
    return f"{URL}{poste.pk}/{suite}"


@pytest.fixture
def poster(autre_etudiante, gestionnaire):
    """Makes a post of another student, approved unless another statut is named; NOUVEAU: judged by nobody."""

    def _poster(titre="Chorale", statut=Statut.APPROUVER, par=autre_etudiante, **champs):
        juge = None if statut == Statut.NOUVEAU else acteur_de(gestionnaire)
        return fabriques.poste(acteur_de(par), par=juge, statut=statut, titre=titre, **champs)

    return _poster


# --- The list ---------------------------------------------------------------------------------------------------------


def test_la_liste_montre_ce_qui_est_approuve_les_epinglees_d_abord(elle, etudiante, gestionnaire, poster):
    ancienne = poster("Ancienne")
    poster("Récente")
    poster("À moi, en attente", Statut.NOUVEAU, par=etudiante)
    poster("Refusée", Statut.REJETER)
    supprimer(acteur=acteur_de(gestionnaire), poste=poster("Partie"))
    epingler(acteur=acteur_de(gestionnaire), poste=ancienne)

    page = elle.lire(URL)

    assert titres(page) == ["Ancienne", "Récente"]
    assert "2 publications" in page
    assert page.count("Épinglée") == 1


@pytest.mark.parametrize("role", ["gestionnaire", "admin"])
def test_l_equipe_a_la_meme_liste_et_ce_qui_attend(visiteuse, personne, poster, role):
    visiteuse.se_connecter(personne(role))
    poster("Approuvée")
    poster("Première", Statut.NOUVEAU)
    seconde = poster("Seconde", Statut.NOUVEAU)
    poster("Refusée", Statut.REJETER)

    assert titres(visiteuse.lire(URL)) == ["Approuvée"]
    assert "À relire" in visiteuse.lire(URL)
    assert titres(visiteuse.lire(f"{URL}?vue=attente")) == ["Première", "Seconde"]
    assert f"/forum/poste/{seconde.pk}/change/" in visiteuse.lire(adresse(seconde))


def test_qui_etudie_lit_ce_que_l_equipe_a_fait_des_siennes(elle, etudiante, poster):
    dits = {
        Statut.NOUVEAU: "En attente de relecture",
        Statut.REJETER: "Refusée",
        Statut.ARCHIVER: "Archivée",
    }
    siennes = {poster(str(dit), statut, par=etudiante): dit for statut, dit in dits.items()}
    poster("D'autrui", Statut.NOUVEAU)

    page = elle.lire(f"{URL}?vue=miennes")

    assert sorted(titres(page)) == sorted(dits.values())
    assert [page.count(f'<span class="pilule attente">{dit}</span>') for dit in dits.values()] == [1, 1, 1]
    for poste, dit in siennes.items():
        assert f'<span class="pilule attente">{dit}</span>' in elle.lire(adresse(poste))
    assert titres(elle.lire(f"{URL}?vue=attente")) == ["En attente de relecture"]
    assert "À relire" not in page


@pytest.mark.parametrize("statut", [Statut.APPROUVER, Statut.APPROUVER_IA])
def test_l_approbation_des_siennes_n_est_dite_qu_a_qui_les_y_cherche(elle, etudiante, poster, statut):
    sienne = poster("La mienne", statut, par=etudiante)
    poster("D'autrui", statut)

    assert elle.lire(f"{URL}?vue=miennes").count('<span class="pilule succes">Approuvée</span>') == 1
    for page in (URL, f"{URL}?vue=attente", adresse(sienne)):
        assert "Approuvée" not in elle.lire(page)


@pytest.mark.parametrize(
    ("demande", "trouvees"),
    [
        ("?search=TRAJET lundi", ["Rentrer"]),
        ("?search=absent", []),
        ("?categorie=entraide", ["Rentrer"]),
        ("?categorie=INCONNUE", []),
        ("?categorie=ENTRAIDE&search=chat", []),
        ("?vue=ailleurs", ["Chat", "Rentrer"]),
        ("?search=%00", ["Chat", "Rentrer"]),
    ],
)
def test_chercher_et_choisir(elle, poster, demande, trouvees):
    poster("Rentrer", contenu="Le trajet du lundi.", categorie="ENTRAIDE")
    poster("Chat", contenu="Qui le garde ?", categorie="QUESTION")

    assert titres(elle.lire(URL + demande)) == trouvees


@pytest.mark.parametrize(
    ("demande", "dit", "garde"),
    [
        (f"?search={'x' * 201}", "200", "x" * 201),
        (f"?categorie={'X' * 51}&search=chat", "50", 'value="chat"'),
        ("?page=-1&search=chat", "Un entier d'au moins 0 est attendu.", 'value="chat"'),
        ("?page=deux", "Un entier d'au moins 0 est attendu.", ""),
    ],
)
def test_une_recherche_fausse_revient_telle_qu_elle_fut_tapee(elle, poster, demande, dit, garde):
    poster()

    refus = elle.get(URL + demande)

    page = texte_de(refus)
    assert (refus.status_code, titres(page)) == (422, [])
    assert [mot for mot in ("Il y a un problème", dit, garde) if mot not in page] == []


@pytest.mark.parametrize("hostile", ["\x00a", "\x1b[2J", "\u202e\ufeff", "𝕏" * 150, "٣", '"', "%00%ff", "' OR 1=1 --"])
@pytest.mark.parametrize("nom", ["search", "categorie", "vue", "page"])
def test_rien_de_ce_qu_on_demande_ne_fait_tomber_la_page(elle, nom, hostile):
    assert elle.get(URL, query_params={nom: hostile}).status_code in (200, 422)


def test_par_pages_sans_rien_perdre_ni_redire(elle, poster):
    for rang in range(TAILLE_PAR_DEFAUT + 2):
        poster(f"Avis {rang:02}", categorie="ANNONCE")
    demande = "?search=avis&categorie=ANNONCE"

    premiere = elle.lire(URL + demande)
    suite = elle.lire(f"{URL}{demande}&page=1")

    assert f'rel="next" href="{demande}&page=1"' in premiere
    assert f'rel="prev" href="{demande}"' in suite
    lus = titres(premiere) + titres(suite)
    assert lus == [f"Avis {rang:02}" for rang in reversed(range(TAILLE_PAR_DEFAUT + 2))]
    assert "Cette page est après la fin de la liste." in elle.lire(f"{URL}?page={'9' * 30}")


def test_ce_qui_fut_tape_est_montre_tel_quel(elle, poster):
    poste = poster("<b>Titre</b>", contenu="<script>1</script> " + "mot " * 100)
    sans_titre = poster("", contenu="Merci pour les clés.")

    liste, page = (elle.get(une).content.decode() for une in (URL, adresse(poste)))

    assert [une for une in (liste, page) if "<script>1" in une or "<b>Titre" in une] == []
    assert "&lt;b&gt;Titre&lt;/b&gt;" in liste
    assert "mot…</p>" in liste
    assert "Merci pour les clés." in titres(elle.lire(URL))
    assert "Publication de" in elle.lire(adresse(sans_titre))


# --- One post ---------------------------------------------------------------------------------------------------------


def test_ce_qu_on_ne_peut_pas_voir_n_existe_pas(elle, gestionnaire, visiteuse, poster):
    caches = [poster("Secret", statut) for statut in (Statut.NOUVEAU, Statut.REJETER, Statut.ARCHIVER)]
    partie = poster("Partie")
    supprimer(acteur=acteur_de(gestionnaire), poste=partie)

    for poste in [*caches, partie]:
        lu = elle.get(adresse(poste))
        assert (lu.status_code, "Secret" in texte_de(lu)) == (404, False)
        for suite in ("repondre/", "reagir/", "signaler/", "supprimer/"):
            refus = elle.envoyer(adresse(poste, suite), {"contenu": "Un mot à moi", "type": "LIKE"})
            assert refus.status_code == 404
    assert not Commentaire.objects.exists()
    assert not Reaction.objects.exists()
    assert not DemandeDeRelecture.objects.exists()
    assert Poste.objects.presents().count() == 3


def test_ce_qu_on_repondait_a_ce_qui_disparait_revient(elle, gestionnaire, poster):
    poste = poster()
    moderer(acteur=acteur_de(gestionnaire), poste=poste, statut=Statut.REJETER)

    refus = elle.envoyer(adresse(poste, "repondre/"), {"contenu": "Je viens jeudi avec deux amies."})

    assert refus.status_code == 404
    assert "Je viens jeudi avec deux amies.</textarea>" in texte_de(refus)


def test_une_publication_dit_qui_et_rien_de_qui_reagit(elle, autre_etudiante, gestionnaire, poster):
    poste = poster(tags=["musique"], categorie="VIE_DU_CAMPUS")
    reagir(acteur=acteur_de(gestionnaire), poste=poste, type="MERCI")
    reagir(acteur=acteur_de(gestionnaire), poste=poste, type="BRAVO")

    page = elle.lire(adresse(poste))

    assert autre_etudiante.nom_complet in page
    assert [
        mot for mot in ("musique", "Vie du campus", "Merci</bdi> <b>1</b>", "Bravo</bdi> <b>1</b>") if mot not in page
    ] == []
    assert gestionnaire.nom_complet not in page
    assert str(gestionnaire.pk) not in page
    assert "Supprimer" not in page


def test_les_pages_coutent_autant_pour_une_ligne_que_pour_neuf(elle, etudiante, autre_etudiante, poster):
    poste = poster()
    commenter(acteur=acteur_de(autre_etudiante), poste=poste, contenu="Moi !")
    reagir(acteur=acteur_de(autre_etudiante), poste=poste, type="LIKE")
    adresses = (URL, f"{URL}?vue=miennes", adresse(poste))

    def compter():
        comptes = []
        for une in adresses:
            with CaptureQueriesContext(connection) as requetes:
                elle.lire(une)
            comptes.append(len(requetes))
        return comptes

    compter()
    un = compter()
    for rang in range(8):
        poster(f"Une {rang}")
        commenter(acteur=acteur_de(autre_etudiante), poste=poste, contenu=f"Réponse {rang}")
        reagir(acteur=acteur_de(autre_etudiante), poste=poste, type=f"MOT_{rang}")
    for reponse in Commentaire.objects.all()[:4]:
        services.demander_relecture(acteur=acteur_de(etudiante), poste=poste, commentaire=reponse)

    assert compter() == un
    assert max(un) <= 8


def test_ferme_rien_ne_repond(elle, settings, poster):
    poste = poster()
    settings.FORUM_PAGES = False

    assert [elle.get(une).status_code for une in (URL, ECRIRE, adresse(poste))] == [404, 404, 404]
    assert elle.envoyer(ECRIRE, {"contenu": "x"}).status_code == 404


# --- Writing ----------------------------------------------------------------------------------------------------------


def test_publier_dit_qui_lira_et_sous_quel_nom(elle, etudiante):
    page = elle.lire(ECRIRE)
    assert f"Votre nom paraît avec votre texte : <bdi>{etudiante.nom_complet}</bdi>." in page

    envoye = elle.envoyer(
        ECRIRE,
        {"titre": "Chat", "contenu": " Qui le garde ?\r\nDeux semaines. ", "categorie": "QUESTION", **cle_de(page)},
    )

    (poste,) = Poste.objects.all()
    assert (envoye.status_code, envoye.headers["Location"]) == (303, adresse(poste, "?fait=publication#fait"))
    lu = (poste.titre, poste.contenu, poste.categorie, poste.statut, poste.compte)
    assert lu == ("Chat", "Qui le garde ?\nDeux semaines.", "QUESTION", Statut.NOUVEAU, etudiante)
    assert "vous seul·e et l'équipe lisez cette publication" in elle.lire(adresse(poste, "?fait=publication"))


def test_un_double_clic_ecrit_une_fois_un_autre_texte_une_autre(elle, poster):
    cle = cle_de(elle.lire(ECRIRE))
    assert len(cle["cle_de_la_page"]) == 43
    lieux = [elle.envoyer(ECRIRE, {"contenu": mot, **cle}).headers["Location"] for mot in ("Un", "Un", "Deux")]
    assert lieux[0] == lieux[1] != lieux[2]
    assert sorted(Poste.objects.values_list("contenu", flat=True)) == ["Deux", "Un"]

    poste = poster()
    for _fois in range(2):
        page = elle.lire(adresse(poste))
        doubles = [elle.envoyer(adresse(poste, "repondre/"), {"contenu": "Oui", **cle_de(page)}) for _clic in range(2)]
        assert doubles[0].headers["Location"] == doubles[1].headers["Location"]
    poste.refresh_from_db()
    assert (Commentaire.objects.count(), poste.nb_commentaires) == (2, 2)


def test_un_second_clic_qui_a_attendu_le_premier_mene_ou_il_mene(elle, monkeypatch):
    """It looked for the row before it was there, then waited for its key."""
    cle = cle_de(elle.lire(ECRIRE))
    premier = elle.envoyer(ECRIRE, {"contenu": "Un", **cle})
    regarder, regards = CreationDemandee.deja_faite, []

    def trop_tot(demande):
        regards.append(demande)
        return None if len(regards) == 1 else regarder(demande)

    monkeypatch.setattr(CreationDemandee, "deja_faite", trop_tot)
    second = elle.envoyer(ECRIRE, {"contenu": "Un", **cle})

    assert (second.status_code, second.headers["Location"]) == (303, premier.headers["Location"])
    assert (Poste.objects.count(), len(regards)) == (1, 2)


@pytest.mark.parametrize(
    ("faux", "dit"),
    [
        ({"contenu": " \u200b "}, "Écrivez votre publication."),
        ({"contenu": "x", "titre": "T" * 256}, "Ce texte est trop long"),
        ({"contenu": "x", "categorie": "ad hoc"}, "Un mot en capitales est attendu"),
    ],
)
def test_une_publication_refusee_revient_avec_ce_qui_fut_tape(elle, faux, dit):
    refus = elle.envoyer(ECRIRE, {"titre": "Le chat", **faux, "cle_de_la_page": "k" * 43})

    page = texte_de(refus)
    assert refus.status_code == 422
    assert dit in page
    assert f'value="{faux.get("titre", "Le chat")}"' in page
    assert f'value="{"k" * 43}"' in page
    assert not Poste.objects.exists()


def test_une_categorie_hors_de_la_liste_fermee_est_refusee(elle, settings):
    settings.VOCABULAIRES = {**settings.VOCABULAIRES, "categorie_poste": ["SPORT"]}

    assert '<option value="SPORT">Sport</option>' in elle.lire(ECRIRE)
    assert "ENTRAIDE" not in elle.lire(ECRIRE)
    assert elle.envoyer(ECRIRE, {"contenu": "x", "categorie": "ENTRAIDE"}).status_code == 422


def test_changer_de_langue_ne_perd_ni_ne_publie_rien(elle, poster):
    poste = poster()

    for lieu, page in ((ECRIRE, ECRIRE), (adresse(poste), adresse(poste, "repondre/"))):
        elle.get(lieu)
        autre = elle.envoyer(page, {"contenu": "Un texte commencé", "vers": "en"})
        assert autre.status_code == 200
        assert '<html lang="en">' in texte_de(autre)
        assert "Un texte commencé</textarea>" in texte_de(autre)
    assert (Poste.objects.count(), Commentaire.objects.count()) == (1, 0)


def test_une_session_finie_rend_ce_qu_on_ecrivait(elle):
    del elle.cookies["espace"]

    refus = elle.envoyer(ECRIRE, {"contenu": "Un texte assez long pour revenir."})

    assert refus.status_code == 401
    assert "Un texte assez long pour revenir." in texte_de(refus)
    assert not Poste.objects.exists()


# --- Answers and reactions --------------------------------------------------------------------------------------------


def test_repondre_mene_a_sa_reponse_sur_la_derniere_page(elle, autre_etudiante, poster):
    poste = poster()
    for rang in range(TAILLE_PAR_DEFAUT):
        commenter(acteur=acteur_de(autre_etudiante), poste=poste, contenu=f"Réponse {rang:02}.")

    envoye = elle.envoyer(adresse(poste, "repondre/"), {"contenu": "La mienne."})

    mienne = Commentaire.objects.get(contenu="La mienne.")
    assert (envoye.status_code, envoye.headers["Location"]) == (303, adresse(poste, f"?page=1#r-{mienne.pk.hex}"))
    derniere, premiere = elle.lire(adresse(poste, "?page=1")), elle.lire(adresse(poste))
    assert f'id="r-{mienne.pk.hex}" class="message moi"' in derniere
    assert "Réponse 19." not in derniere
    lus = re.findall(r"Réponse \d\d\.", premiere)
    assert lus == [f"Réponse {rang:02}." for rang in range(TAILLE_PAR_DEFAUT)]
    assert 'href="?page=1#reponses"' in premiere
    assert "21 réponses" in premiere


@pytest.mark.parametrize(("contenu", "dit"), [("", "Écrivez votre réponse."), ("x" * 20_001, "Ce texte est trop long")])
def test_une_reponse_refusee_revient(elle, poster, contenu, dit):
    poste = poster()

    refus = elle.envoyer(adresse(poste, "repondre/"), {"contenu": contenu})

    assert refus.status_code == 422
    assert dit in texte_de(refus)
    assert f"{contenu}</textarea>" in texte_de(refus)
    assert not Commentaire.objects.exists()


def test_reagir_et_retirer_une_fois_chacun(elle, etudiante, gestionnaire, poster):
    poste = poster()
    reagir(acteur=acteur_de(gestionnaire), poste=poste, type="LIKE")

    for _clic in range(2):
        pose = elle.envoyer(adresse(poste, "reagir/"), {"type": "LIKE"})
        assert (pose.status_code, pose.headers["Location"]) == (303, adresse(poste, "#reactions"))
    page = elle.lire(adresse(poste))
    assert page.count('aria-pressed="true"') == 1
    assert "J'aime</bdi> <b>2</b>" in page

    for _clic in range(2):
        assert elle.envoyer(adresse(poste, "reagir/"), {"type": "LIKE", "retirer": "1"}).status_code == 303
    poste.refresh_from_db()
    assert (poste.nb_reactions, Reaction.objects.get().compte) == (1, gestionnaire)


@pytest.mark.parametrize("type_", ["", "pas un mot", "\x00", "X" * 51])
def test_une_reaction_fausse_est_refusee(elle, poster, type_):
    poste = poster()

    assert elle.envoyer(adresse(poste, "reagir/"), {"type": type_}).status_code == 422
    assert elle.envoyer(adresse(poste, "reagir/"), {"type": type_, "retirer": "1"}).status_code == 303
    assert not Reaction.objects.exists()


# --- Deleting ---------------------------------------------------------------------------------------------------------


def test_supprimer_la_sienne_deux_clics(elle, etudiante, poster):
    poste = poster(par=etudiante)
    assert "Supprimer ma publication" in elle.lire(adresse(poste))

    for _clic in range(2):
        parti = elle.envoyer(adresse(poste, "supprimer/"))
        assert (parti.status_code, parti.headers["Location"]) == (303, f"{URL}?fait#fait")

    assert elle.get(adresse(poste)).status_code == 404
    assert "C'est supprimé." in elle.lire(f"{URL}?fait")
    poste.refresh_from_db()
    assert poste.supprime_par == etudiante


def test_supprimer_sa_reponse_deux_clics(elle, etudiante, autre_etudiante, poster):
    poste = poster()
    autrui = commenter(acteur=acteur_de(autre_etudiante), poste=poste, contenu="À autrui")
    mienne = commenter(acteur=acteur_de(etudiante), poste=poste, contenu="À moi")
    assert elle.lire(adresse(poste)).count("Supprimer cette réponse") == 1

    for _clic in range(2):
        assert elle.envoyer(adresse(poste, f"reponses/{mienne.pk}/supprimer/")).status_code == 303

    poste.refresh_from_db()
    assert poste.nb_commentaires == 1
    assert "À moi" not in elle.lire(adresse(poste))
    assert elle.envoyer(adresse(poste, f"reponses/{autrui.pk}/supprimer/")).status_code == 403
    assert elle.envoyer(adresse(poste, f"reponses/{uuid4()}/supprimer/")).status_code == 404


@pytest.mark.parametrize(("role", "statut"), [("etudiante", 403), ("gestionnaire", 403), ("admin", 303)])
def test_celle_d_autrui_ne_se_supprime_que_par_l_administration(visiteuse, personne, poster, role, statut):
    visiteuse.se_connecter(personne(role))
    poste = poster()

    assert ("Supprimer cette publication" in visiteuse.lire(adresse(poste))) == (statut == 303)
    assert visiteuse.envoyer(adresse(poste, "supprimer/")).status_code == statut
    assert Poste.objects.presents().filter(pk=poste.pk).exists() == (statut != 303)


# --- Pointing out -----------------------------------------------------------------------------------------------------

DEJA = "Signalée. L'équipe relit."


def test_signaler_une_publication_deux_clics(elle, etudiante, poster):
    poste = poster()
    assert "Signaler cette publication" in elle.lire(adresse(poste))

    for _clic in range(2):
        parti = elle.envoyer(adresse(poste, "signaler/"), {"motif": "Elle blesse."})
        assert (parti.status_code, parti.headers["Location"]) == (303, adresse(poste, "#signalee"))

    demande = DemandeDeRelecture.objects.get()
    assert (demande.compte, demande.commentaire, demande.motif) == (etudiante, None, "Elle blesse.")
    page = elle.lire(adresse(poste))
    assert (page.count(DEJA), "Signaler cette publication" in page) == (1, False)
    assert "Une publication vous vise ou vous inquiète ?" in page


def test_signaler_une_reponse_de_la_seconde_page(elle, autre_etudiante, poster):
    poste = poster()
    for rang in range(TAILLE_PAR_DEFAUT + 1):
        derniere = commenter(acteur=acteur_de(autre_etudiante), poste=poste, contenu=f"Réponse {rang:02}.")
    offerte = adresse(poste, f"reponses/{derniere.pk}/signaler/?page=1")
    assert f'action="{offerte}"' in elle.lire(adresse(poste, "?page=1"))

    for _clic in range(2):
        parti = elle.envoyer(offerte)
        assert parti.headers["Location"] == adresse(poste, f"?page=1#r-{derniere.pk.hex}")

    assert DemandeDeRelecture.objects.get().commentaire == derniere
    assert elle.lire(adresse(poste, "?page=1")).count(DEJA) == 1
    assert DEJA not in elle.lire(adresse(poste))


def test_signaler_ne_se_voit_de_personne_d_autre(elle, autre_visiteuse, personne, poster):
    poste = poster()
    elle.envoyer(adresse(poste, "signaler/"), {"motif": "Un motif secret."})

    for role in ("autre_etudiante", "gestionnaire", "admin"):
        autre_visiteuse.se_connecter(personne(role))
        page = autre_visiteuse.lire(adresse(poste))
        assert [mot for mot in (DEJA, "Un motif secret.") if mot in page] == []


def test_on_ne_signale_pas_ce_qu_on_a_ecrit(elle, etudiante, poster):
    sienne, autrui = poster(par=etudiante), poster()
    mot = commenter(acteur=acteur_de(etudiante), poste=autrui, contenu="À moi")

    assert "Signaler cette" not in elle.lire(adresse(sienne))
    assert "Signaler cette réponse" not in elle.lire(adresse(autrui))
    assert elle.envoyer(adresse(sienne, "signaler/")).status_code == 403
    assert elle.envoyer(adresse(autrui, f"reponses/{mot.pk}/signaler/")).status_code == 403
    assert elle.envoyer(adresse(autrui, f"reponses/{uuid4()}/signaler/")).status_code == 404
    assert elle.envoyer(adresse(sienne, f"reponses/{mot.pk}/signaler/")).status_code == 404
    assert not DemandeDeRelecture.objects.exists()


@pytest.mark.parametrize("sur_la_reponse", [False, True])
def test_un_motif_trop_long_revient_a_sa_place(elle, autre_etudiante, poster, sur_la_reponse):
    poste = poster()
    mot = commenter(acteur=acteur_de(autre_etudiante), poste=poste, contenu="Un mot.")
    motif, suite = "é" * (MOTIF_MAX + 1), f"reponses/{mot.pk}/signaler/" if sur_la_reponse else "signaler/"

    refus = elle.envoyer(adresse(poste, suite), {"motif": motif})

    page, pk = texte_de(refus), (mot if sur_la_reponse else poste).pk.hex
    assert refus.status_code == 422
    assert page.count("<details open>") == 1
    assert re.search(rf'<textarea[^>]* id="{pk}_motif"[^>]*>\s*{motif}</textarea>', page)
    assert f'href="#{pk}_motif"' in page
    assert "1 de trop" in page
    assert not DemandeDeRelecture.objects.exists()


def test_signaler_trop_attend_et_rend_le_motif(elle, poster, monkeypatch):
    monkeypatch.setattr(services, "DEMANDES_PAR_JOUR", 1)
    premiere, seconde = poster("Une"), poster("Deux")
    elle.envoyer(adresse(premiere, "signaler/"))

    refus = elle.envoyer(adresse(seconde, "signaler/"), {"motif": "Elle donne mon adresse."})

    assert refus.status_code == 429
    assert int(refus.headers["Retry-After"]) > 80_000
    assert "Elle donne mon adresse.</textarea>" in texte_de(refus)
    assert DemandeDeRelecture.objects.count() == 1
    assert elle.envoyer(adresse(premiere, "signaler/")).status_code == 303


def test_relue_et_laissee_elle_se_signale_de_nouveau(elle, gestionnaire, poster):
    poste = poster()
    elle.envoyer(adresse(poste, "signaler/"))
    services.rien_a_changer(acteur=acteur_de(gestionnaire), demande=DemandeDeRelecture.objects.get())

    assert "Signaler cette publication" in elle.lire(adresse(poste))
    assert elle.envoyer(adresse(poste, "signaler/")).status_code == 303
    assert DemandeDeRelecture.objects.count() == 2


# --- Files ------------------------------------------------------------------------------------------------------------


def test_un_fichier_se_prend_par_sa_publication_seule(elle, autre_etudiante, poster):
    acteur = acteur_de(autre_etudiante)
    joint, libre = (de_fichiers.fichier(acteur, "affiche.pdf", b"%PDF-1.7\n") for _un in range(2))
    poste, autre = poster(pieces_jointes=[joint.pk]), poster("Autre")

    recu = elle.get(adresse(poste, f"fichiers/{joint.pk}/"))

    assert f"fichiers/{joint.pk}/" in elle.lire(adresse(poste))
    assert (recu.status_code, b"".join(recu.streaming_content)) == (200, b"%PDF-1.7\n")
    assert recu.headers["Content-Disposition"].startswith("attachment")
    assert elle.get(adresse(poste, f"fichiers/{libre.pk}/")).status_code == 404
    assert elle.get(adresse(autre, f"fichiers/{joint.pk}/")).status_code == 404

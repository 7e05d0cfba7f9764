"""A report from the front door to the answer, as a browser without JavaScript makes it."""

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from config.tests.outils import acteur_de
from discussions.models import Message
from discussions.services import ecrire, ouvrir
from espace.tests.outils import Equipiere, section
from portail.models import Acces, Brouillon
from portail.tests.outils import DETAILS, FAITS, cache, cle_de, la_session, le_dossier, page_de, six_mots, texte_de
from signalements import services
from signalements.models import Signalement
from signalements.services import creer
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db


def test_signaler_partir_revenir_lire_la_reponse_et_repondre(visiteuse, gestionnaire):
    assert "/ecrire/" in visiteuse.lire("/")
    code = visiteuse.signaler()
    dossier = le_dossier()
    assert len(code.split()) == 6
    assert dossier.reference in visiteuse.lire("/recu/")
    assert (dossier.description, dossier.lieu_incident, dossier.type) == (
        FAITS["description"],
        "Amphi B",
        "HARCELEMENT",
    )
    assert (dossier.mode_identification, dossier.invite, la_session().telephone) == ("ANONYME", la_session(), None)
    assert f"{dossier.date_incident:%d/%m/%Y}" == "03/11/2026"
    visiteuse.get("/quitter/")
    ferme = visiteuse.get("/dossiers/")
    assert (ferme.status_code, "<h1>Votre espace est fermé</h1>" in texte_de(ferme)) == (401, True)
    assert "Référence de la requête" not in texte_de(ferme)

    discussion = ouvrir(acteur=acteur_de(gestionnaire), titre="Suivi", signalement_id=dossier.pk)
    ecrire(acteur=acteur_de(gestionnaire), discussion=discussion, contenu="Nous vous lisons. Êtes-vous en sécurité ?")
    retour = visiteuse.revenir(code)

    assert (retour.status_code, retour.headers["Location"]) == (303, "/dossiers/")
    assert "1 nouveau message" in visiteuse.lire("/dossiers/")
    page = visiteuse.lire("/dossiers/1/")
    assert "Êtes-vous en sécurité ?" in page
    assert "Reçu, pas encore pris en charge" in page
    assert gestionnaire.nom in page  # a message of staff is signed
    assert visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Oui, merci."}).status_code == 303
    assert [m.contenu for m in discussion.messages.order_by("numero_sequence")][1:] == ["Oui, merci."]
    assert "nouveau message" not in visiteuse.lire("/dossiers/")


def test_revenir_en_arriere_du_recu_mene_a_ce_qui_est_envoye(visiteuse):
    """« Retour » asks for the last page again: an empty first step would say that nothing was sent."""
    visiteuse.remplir()
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Tous les soirs"})

    assert mene(visiteuse.get("/ecrire/verifier/")) == (303, "/dossiers/")
    assert "Tous les soirs" in visiteuse.lire("/dossiers/")
    visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": "Et puis ceci."})
    assert "Et puis ceci." in visiteuse.lire("/ecrire/verifier/")
    visiteuse.envoyer("/ecrire/faits/", {"type": "", "description": "Sans dire de quoi.", "vers": "avant"})
    assert mene(visiteuse.get("/ecrire/verifier/")) == (303, "/ecrire/faits/")


def pas_de(page):
    """The steps that a page shows, and the one where it stands."""
    (pas,) = re.findall(r'<ol class="pas".*?</ol>', page)
    dits = re.findall(r'<li( aria-current="step"| class="fait")?>(?:<span[^>]*>([^<]*)</span>)?([^<]+)</li>', pas)
    ici = [rang for marque, rang, _titre in dits if "current" in marque]
    return [titre for _marque, _rang, titre in dits], [rang.strip() for rang in ici]


def test_chaque_etape_dit_ou_l_on_en_est(visiteuse):
    tous = ["Les faits", "Précisions", "Relire et envoyer"]
    visiteuse.remplir()

    for rang, nom in enumerate(("faits", "details", "verifier"), start=1):
        assert pas_de(visiteuse.lire(f"/ecrire/{nom}/")) == (tous, [f"Étape {rang} sur 3 :"])
    assert 'class="pas"' not in visiteuse.lire("/ecrire/")


@pytest.mark.usefixtures("numero_exige")
def test_un_numero_que_l_on_demande_est_une_etape_de_plus_la_premiere_fois(visiteuse):
    tous = ["Les faits", "Précisions", "Numéro", "Relire et envoyer"]
    visiteuse.remplir()

    for rang, nom in enumerate(("faits", "details", "numero", "verifier"), start=1):
        assert pas_de(visiteuse.lire(f"/ecrire/{nom}/")) == (tous, [f"Étape {rang} sur 4 :"])

    visiteuse.signaler()
    sans_numero = [titre for titre in tous if titre != "Numéro"]
    assert pas_de(visiteuse.lire("/ecrire/details/")) == (sans_numero, ["Étape 2 sur 3 :"])
    assert mene(visiteuse.get("/ecrire/numero/")) == (303, "/ecrire/verifier/")


def mene(reponse):
    return reponse.status_code, reponse.headers.get("Location")


def test_sans_numero_a_demander_son_adresse_mene_a_la_suite_et_garde_le_recit(visiteuse):
    """An upgrade while somebody writes: the page of before brings its story along, and its number goes nowhere."""
    assert mene(visiteuse.get("/ecrire/numero/")) == (303, "/ecrire/verifier/")
    portees = {f"porte_{nom}": texte for nom, texte in {**FAITS, **DETAILS}.items()}

    suite = visiteuse.envoyer("/ecrire/numero/", {"telephone": "+33 6 39 98 00 99", **portees, "recit": ""})

    assert mene(suite) == (303, "/ecrire/verifier/")
    relire = visiteuse.lire("/ecrire/verifier/")
    assert FAITS["description"] in relire
    assert "téléphone" not in relire
    assert mene(visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})) == (303, "/recu/")
    assert la_session().telephone is None


def test_un_numero_du_brouillon_ne_part_pas_si_l_on_n_en_demande_plus(visiteuse, settings):
    settings.PORTAIL_TELEPHONE_EXIGE = True
    visiteuse.remplir()
    settings.PORTAIL_TELEPHONE_EXIGE = False

    assert "téléphone" not in visiteuse.lire("/ecrire/verifier/")
    assert mene(visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})) == (303, "/recu/")

    assert la_session().telephone is None


@pytest.mark.usefixtures("numero_exige")
@pytest.mark.parametrize(
    ("fuseau", "pays", "garde"),
    [
        ("Europe/Paris", None, "+33639980099"),
        ("Europe/Paris", "BE", "+32639980099"),
        ("Africa/Kinshasa", None, "+243639980099"),
        ("UTC", None, None),
    ],
)
def test_un_numero_sans_indicatif_est_du_pays_du_campus(visiteuse, settings, fuseau, pays, garde):
    settings.TIME_ZONE_CAMPUS, settings.PHONE_DEFAULT_REGION = ZoneInfo(fuseau), pays
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    visiteuse.envoyer("/ecrire/details/", DETAILS)

    etape = visiteuse.envoyer("/ecrire/numero/", {"telephone": "06 39 98 00 99"})

    assert etape.status_code == (303 if garde else 422)
    if garde:
        assert 'value="06 39 98 00 99"' in visiteuse.lire("/ecrire/numero/")
        visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})
        assert la_session().telephone == garde


@pytest.mark.usefixtures("numero_exige")
def test_chaque_etape_garde_ce_qui_fut_ecrit(visiteuse):
    visiteuse.remplir()

    assert FAITS["description"] in visiteuse.lire("/ecrire/faits/")
    assert 'value="HARCELEMENT" autocomplete="off" id="id_type_0" checked' in visiteuse.lire("/ecrire/faits/").replace(
        "required ", ""
    )
    assert 'value="Amphi B"' in visiteuse.lire("/ecrire/details/")
    assert 'value="+33 6 39 98 00 99"' in visiteuse.lire("/ecrire/numero/")
    relire = visiteuse.lire("/ecrire/verifier/")
    assert FAITS["description"] in relire
    assert "3 novembre 2026" in relire
    assert 'value="Harcèlement"' in relire
    assert DETAILS["lieu_incident"] in relire


def test_un_titre_ou_un_message_qui_ne_montre_rien_est_redemande(visiteuse):
    visiteuse.remplir()
    refus = visiteuse.envoyer("/ecrire/verifier/", {"titre": "\u200b\u3164"})
    assert "Donnez un titre" in texte_de(refus)
    assert not Signalement.objects.exists()

    visiteuse.signaler()
    assert visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "\u2800\u00ad"}).status_code == 422


@pytest.mark.usefixtures("numero_exige")
@pytest.mark.parametrize("tape", ["+33 6 39 98 00 99", "+33\u202f(0)6.39\u202f98\u202f00\u202f99", "０033639980099"])
def test_un_numero_donne_se_garde_chiffre_et_ne_se_montre_pas(visiteuse, tape):
    visiteuse.remplir(telephone=tape)
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert la_session().telephone == "+33639980099"
    for adresse in ("/recu/", "/dossiers/", "/dossiers/1/", "/acces/"):
        assert "0099" not in visiteuse.lire(adresse).replace(" ", "")


def test_le_meme_envoi_deux_fois_ne_fait_qu_un_dossier_et_mene_au_meme_recu(visiteuse):
    visiteuse.remplir()
    brouillon = visiteuse.cookies["brouillon"].value
    page = {"titre": "Vol", **cle_de(visiteuse.lire("/ecrire/verifier/"))}
    visiteuse.envoyer("/ecrire/verifier/", page)
    premier = six_mots(visiteuse.lire("/recu/"))

    visiteuse.cookies["brouillon"] = brouillon  # the answer was lost: the browser still holds the draft
    del visiteuse.cookies["espace"]
    encore = visiteuse.envoyer("/ecrire/verifier/", page)

    assert (encore.status_code, encore.headers["Location"]) == (303, "/recu/")
    assert six_mots(visiteuse.lire("/recu/")) == premier
    assert len(premier.split()) == 6
    assert le_dossier().titre == "Vol"


def test_ecrire_a_propos_d_autre_chose_reste_dans_le_meme_espace(visiteuse):
    code = visiteuse.signaler()
    premiere = visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": "Autre chose."})
    details = visiteuse.envoyer("/ecrire/details/", DETAILS)
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Encore"})

    assert (premiere.status_code, details.headers["Location"]) == (303, "/ecrire/verifier/")
    assert la_session().code_retour is not None
    page = visiteuse.lire("/dossiers/")
    assert page.index("Encore") < page.index("Harcèlement")
    assert "Autre chose." in visiteuse.lire("/dossiers/2/")
    assert code.split()[0] in visiteuse.lire("/recu/")


def test_un_type_que_l_exploitant_a_ajoute_se_dit_en_mots(visiteuse, settings):
    settings.VOCABULAIRES = {**settings.VOCABULAIRES, "type_signalement": ["VOL", "ACCIDENT_DE_LABO"]}

    page = visiteuse.lire("/ecrire/faits/")

    assert "Un vol" in page
    assert "Accident de labo" in page
    assert "Du harcèlement" not in page


def test_l_annee_peut_s_ecrire_en_deux_chiffres(visiteuse):
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    visiteuse.envoyer("/ecrire/details/", {**DETAILS, "annee": "25"})
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert le_dossier().date_incident.year == 2025


def test_terminer_efface_le_brouillon_de_cet_espace(visiteuse):
    visiteuse.signaler()
    visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": "Un second récit."})
    brouillon = visiteuse.cookies["brouillon"].value

    visiteuse.envoyer("/acces/terminer/")
    visiteuse.cookies["brouillon"] = brouillon

    assert "Un second récit." not in visiteuse.lire("/ecrire/faits/")
    assert not Brouillon.objects.filter(date_envoi=None).exists()


def test_le_brouillon_d_une_personne_ne_se_lit_ni_ne_part_dans_l_espace_d_une_autre(visiteuse, autre_visiteuse):
    visiteuse.signaler()
    second = autre_visiteuse.signaler(description="Le récit de la seconde.")
    visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": "Le secret de la première."})
    visiteuse.envoyer("/ecrire/details/", DETAILS)

    visiteuse.revenir(second, laisser="1")

    assert "Le secret de la première." not in visiteuse.lire("/ecrire/faits/")
    assert visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"}).status_code == 409
    assert Signalement.objects.count() == 2


def test_un_brouillon_commence_dans_un_espace_qui_s_est_ferme_attend_son_code(visiteuse):
    code = visiteuse.signaler()
    visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": "Un second récit."})
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))

    assert "Un second récit." not in visiteuse.lire("/ecrire/faits/")
    refus = visiteuse.envoyer("/ecrire/details/", {**DETAILS, "lieu_incident": "Derrière la cafétéria du nord"})
    assert (refus.status_code, "Derrière la cafétéria du nord" in texte_de(refus)) == (401, True)
    visiteuse.revenir(code)

    assert "Un second récit." in visiteuse.lire("/ecrire/faits/")
    assert "Derrière la cafétéria du nord" in visiteuse.lire("/ecrire/details/")


def test_une_premiere_page_dont_l_espace_s_est_ferme_le_dit_et_attend_son_code(visiteuse):
    code = visiteuse.signaler()
    espace = cache(visiteuse.lire("/ecrire/faits/"), "espace")
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))

    refus = visiteuse.envoyer("/ecrire/faits/", {**FAITS, "recit": "", "espace": espace})

    assert (refus.status_code, FAITS["description"] in texte_de(refus)) == (401, True)
    assert "Votre espace s'est fermé." in texte_de(refus)
    assert 'href="/retrouver/"' in texte_de(refus)
    assert str(la_session().pk) not in espace
    assert FAITS["description"] not in visiteuse.lire("/ecrire/faits/")
    assert visiteuse.revenir(code).headers["Location"] == "/ecrire/verifier/"
    assert FAITS["description"] in visiteuse.lire("/ecrire/verifier/")


def test_qui_ne_rouvre_pas_son_espace_continue_sans_lui(visiteuse):
    visiteuse.signaler()
    espace = cache(visiteuse.lire("/ecrire/faits/"), "espace")
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))
    page = {**FAITS, "recit": "", "espace": espace}
    assert 'name="sans_espace"' in texte_de(visiteuse.envoyer("/ecrire/faits/", page))

    suite = visiteuse.envoyer("/ecrire/faits/", {**page, "sans_espace": "1"})

    assert (suite.status_code, suite.headers["Location"]) == (303, "/ecrire/details/")
    assert FAITS["description"] in visiteuse.lire("/ecrire/faits/")


@pytest.mark.parametrize("espace", ["", "x", "é" * 300, "gAAAA"])
def test_une_marque_qui_n_est_pas_de_nous_ne_nomme_aucun_espace(visiteuse, espace):
    assert visiteuse.envoyer("/ecrire/faits/", {**FAITS, "recit": "", "espace": espace}).status_code == 303
    assert 'name="espace"' not in visiteuse.lire("/ecrire/faits/")


def test_ce_qui_attend_un_espace_ferme_compte_dans_ce_qu_une_adresse_peut_laisser(visiteuse, settings):
    visiteuse.signaler()
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))
    settings.THROTTLE_ENABLED, settings.PORTAIL_BROUILLONS = True, Taux(10, 3600)
    avant = Brouillon.objects.count()

    refus = visiteuse.envoyer("/ecrire/details/", {**DETAILS, "lieu_incident": "Derrière la cafétéria du nord"})

    assert (refus.status_code, "Derrière la cafétéria du nord" in texte_de(refus)) == (401, True)
    assert Brouillon.objects.count() == avant


def test_ecrire_dans_un_espace_l_empeche_de_se_fermer(visiteuse):
    visiteuse.signaler()
    for etape, corps in (("faits", FAITS), ("details", DETAILS)):
        Acces.objects.update(date_activite=timezone.now() - timedelta(minutes=25))
        assert visiteuse.envoyer(f"/ecrire/{etape}/", corps).status_code == 303
    Acces.objects.update(date_activite=timezone.now() - timedelta(minutes=25))

    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Encore"})

    assert Signalement.objects.filter(invite=la_session()).count() == 2


def test_le_meme_envoi_d_un_second_onglet_mene_au_recu(visiteuse):
    visiteuse.remplir()
    page = {"titre": "Vol", **page_de(visiteuse.lire("/ecrire/verifier/"))}
    visiteuse.envoyer("/ecrire/verifier/", page)

    encore = visiteuse.envoyer("/ecrire/verifier/", page)

    assert (encore.status_code, encore.headers["Location"]) == (303, "/recu/")
    assert le_dossier().titre == "Vol"


def test_un_brouillon_efface_le_dit_et_s_en_servir_le_prolonge(visiteuse):
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    Brouillon.objects.update(date_modification=timezone.now() - timedelta(minutes=119))
    visiteuse.envoyer("/ecrire/details/", DETAILS)
    Brouillon.objects.update(date_modification=timezone.now() - timedelta(minutes=119))
    assert FAITS["description"] in visiteuse.lire("/ecrire/verifier/")
    Brouillon.objects.update(date_modification=timezone.now() - timedelta(minutes=121))

    refus = visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert (refus.status_code, "s'est effacé" in texte_de(refus)) == (409, True)
    assert not Signalement.objects.exists()


# --- Two tabs, and what has waited too long: each page sends what it shows, or nothing


def onglet(visiteuse, description):
    """A tab that has written this story as far as the last page; what its form would send."""
    for etape, corps in (("faits", {**FAITS, "description": description}), ("details", DETAILS)):
        page = page_de(visiteuse.lire(f"/ecrire/{etape}/"))
        page["recit"] = ""  # a tab that began before the other had written anything
        assert (
            visiteuse.envoyer(f"/ecrire/{etape}/", {**page, **corps, "porte_description": description}).status_code
            == 303
        )
    return {"titre": "Vol", **page_de(visiteuse.lire("/ecrire/verifier/"))}


def textes():
    return sorted(Signalement.objects.values_list("description", flat=True))


@pytest.mark.parametrize("dans_un_espace", [False, True])
def test_deux_onglets_ecrivent_deux_recits_sans_que_l_un_prenne_l_autre(visiteuse, dans_un_espace):
    if dans_un_espace:
        visiteuse.signaler(description="Le tout premier.")
    premier = onglet(visiteuse, "Le récit du premier onglet.")
    second = onglet(visiteuse, "Le récit du second.")
    avant = textes()

    refus = visiteuse.envoyer("/ecrire/verifier/", premier)

    lue = texte_de(refus)
    assert refus.status_code == 409
    assert "Rien n'est encore envoyé" in lue
    assert "Le récit du premier onglet." in lue
    assert "Le récit du second." not in lue
    assert textes() == avant
    assert visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol", **page_de(lue)}).status_code == 303
    encore = visiteuse.envoyer("/ecrire/verifier/", second)
    assert (encore.status_code, "Le récit du second." in texte_de(encore)) == (409, True)
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol", **page_de(texte_de(encore))})
    assert textes() == sorted([*avant, "Le récit du premier onglet.", "Le récit du second."])


def test_un_recit_change_dans_un_autre_onglet_est_relu_avant_de_partir(visiteuse):
    visiteuse.remplir()
    page = {"titre": "Vol", **page_de(visiteuse.lire("/ecrire/verifier/"))}
    faits = page_de(visiteuse.lire("/ecrire/faits/"))
    visiteuse.envoyer("/ecrire/faits/", {**faits, **FAITS, "description": "Corrigé."})

    refus = visiteuse.envoyer("/ecrire/verifier/", page)

    lue = texte_de(refus)
    assert (refus.status_code, "Corrigé." in lue, "a changé dans un autre onglet" in lue) == (409, True, True)
    assert not Signalement.objects.exists()
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol", **page_de(lue)})
    assert textes() == ["Corrigé."]


@pytest.mark.parametrize("dans_un_espace", [False, True])
def test_un_brouillon_trop_vieux_se_refait_de_sa_page(visiteuse, dans_un_espace):
    if dans_un_espace:
        visiteuse.signaler(description="Le tout premier.")
    avant = textes()
    page = onglet(visiteuse, "Trois heures plus tard.")
    Brouillon.objects.update(date_modification=timezone.now() - timedelta(hours=3))

    refus = visiteuse.envoyer("/ecrire/verifier/", page)

    assert (refus.status_code, "Trois heures plus tard." in texte_de(refus)) == (409, True)
    assert textes() == avant
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol", **page_de(texte_de(refus))})
    assert textes() == sorted([*avant, "Trois heures plus tard."])
    assert Signalement.objects.get(description="Trois heures plus tard.").lieu_incident == "Amphi B"


def test_une_etape_dont_le_brouillon_est_trop_vieux_le_refait(visiteuse):
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    page = page_de(visiteuse.lire("/ecrire/details/"))
    Brouillon.objects.update(date_modification=timezone.now() - timedelta(hours=3))

    visiteuse.envoyer("/ecrire/details/", {**page, **DETAILS})

    relire = visiteuse.lire("/ecrire/verifier/")
    assert FAITS["description"] in relire
    assert "Amphi B" in relire


@pytest.mark.usefixtures("numero_exige")
def test_chaque_modifier_de_la_relecture_mene_a_sa_case(visiteuse):
    visiteuse.remplir()
    boutons = re.findall(r'name="vers" value="(\w+)" formnovalidate>Modifier<', visiteuse.lire("/ecrire/verifier/"))
    assert len(boutons) == 7

    for bouton in boutons:
        relire = {"titre": "T", **page_de(visiteuse.lire("/ecrire/verifier/")), "vers": bouton}
        adresse, _diese, ancre = visiteuse.envoyer("/ecrire/verifier/", relire).headers["Location"].partition("#")
        assert re.search(f'name="{bouton}"[^>]* id="{ancre}"', visiteuse.lire(adresse)), bouton


@pytest.mark.usefixtures("numero_exige")
@pytest.mark.parametrize(
    ("etape", "ou", "vers", "tape"),
    [
        ("faits", "aide", "/aide/", {"description": "À moitié écrit"}),
        ("faits", "avant", "/ecrire/", {"description": "À moitié écrit"}),
        ("faits", "qui_lit", "/qui-lit/", {"description": "À moitié écrit"}),
        ("faits", "securite", "/securite/", {"description": "À moitié écrit"}),
        ("faits", "confidentialite", "/confidentialite/", {"description": "À moitié écrit"}),
        ("faits", "mentions", "/mentions-legales/", {"description": "À moitié écrit"}),
        ("details", "droits", "/mes-droits/", {"lieu_incident": "Amphi Z"}),
        ("details", "accessibilite", "/accessibilite/", {"lieu_incident": "Amphi Z"}),
        ("details", "aide", "/aide/", {"lieu_incident": "Amphi Z", "jour": "32", "mois": "13"}),
        ("details", "avant", "/ecrire/faits/", {"lieu_incident": "Amphi Z", "jour": "32"}),
        ("numero", "avant", "/ecrire/details/", {"telephone": "06"}),
    ],
)
def test_ce_qui_est_tape_attend_qui_va_vers_l_aide_ou_revient(visiteuse, etape, ou, vers, tape):
    if etape != "faits":
        visiteuse.envoyer("/ecrire/faits/", FAITS)

    parti = visiteuse.envoyer(f"/ecrire/{etape}/", {**page_de(visiteuse.lire(f"/ecrire/{etape}/")), **tape, "vers": ou})

    assert (parti.status_code, parti.headers["Location"]) == (303, vers)
    page = visiteuse.lire(f"/ecrire/{etape}/")
    assert all(valeur in page for valeur in tape.values())
    if etape != "faits":
        assert FAITS["description"] in visiteuse.lire("/ecrire/faits/")


@pytest.mark.parametrize(
    ("ou", "mene"),
    [("accueil", "/"), ("dossiers", "/dossiers/"), ("acces", "/acces/"), ("terminer", "/acces/terminer/")],
)
def test_ce_qui_est_tape_attend_qui_regarde_son_espace(visiteuse, ou, mene):
    visiteuse.signaler()
    page = visiteuse.lire("/ecrire/faits/")
    assert f'name="vers" value="{ou}"' in page
    assert f'<a href="{mene}"' not in page

    parti = visiteuse.envoyer("/ecrire/faits/", {**page_de(page), "description": "À moitié écrit", "vers": ou})

    assert parti.headers["Location"] == mene
    assert ("fermer l'efface" in visiteuse.lire(mene)) == (ou == "terminer")
    assert "À moitié écrit" in visiteuse.lire("/ecrire/faits/")


def test_partir_d_une_page_vide_ne_garde_rien(visiteuse):
    assert visiteuse.envoyer("/ecrire/faits/", {"vers": "aide"}).status_code == 303

    assert not Brouillon.objects.exists()


def test_ce_qu_une_page_porte_est_borne(visiteuse):
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    page = {
        **page_de(visiteuse.lire("/ecrire/details/")),
        "recit": "autre",
        "porte_inconnu": "x",
        "porte_type": "x" * 90_000,
    }

    assert visiteuse.envoyer("/ecrire/details/", {**page, **DETAILS}).status_code == 303
    relire = visiteuse.lire("/ecrire/verifier/")
    assert "Amphi B" in relire
    assert "Ailleurs" not in relire
    assert "x" * 40_001 not in relire


def test_chaque_dossier_s_ouvre_par_son_rang_aussi_hors_de_la_liste(visiteuse, monkeypatch):
    monkeypatch.setattr("portail.pages.dossiers.DOSSIERS_MAX", 1)
    visiteuse.signaler(description="Le premier récit.")
    creer(acteur=acteur_de(la_session()), titre="Second", description="Le second récit.", type="VOL")

    liste = visiteuse.lire("/dossiers/")

    assert ('href="/dossiers/2/"' in liste, 'href="/dossiers/1/"' in liste) == (True, False)
    assert "Les 1 plus récents." in liste
    assert "Le premier récit." in visiteuse.lire("/dossiers/1/")
    assert "Le second récit." in visiteuse.lire("/dossiers/2/")
    assert {visiteuse.get(f"/dossiers/{rang}/").status_code for rang in (0, 3, 10**30)} == {404}


def test_une_conversation_qui_ne_se_montre_pas_entiere_le_dit(visiteuse, monkeypatch):
    monkeypatch.setattr("discussions.conversation.MESSAGES_MAX", 2)
    monkeypatch.setattr("portail.pages.dossiers.MESSAGES_MAX", 2)
    visiteuse.signaler()
    visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Une chose."})
    assert "derniers." not in visiteuse.lire("/dossiers/1/")

    for texte in ("Une autre.", "Encore une."):
        visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": texte})

    page = visiteuse.lire("/dossiers/1/")
    assert "Les 2 derniers." in page
    assert "Une chose." not in page


def test_la_meme_reponse_envoyee_deux_fois_ne_s_ecrit_qu_une(visiteuse):
    visiteuse.signaler()

    statuts = {visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour."}).status_code for _fois in range(3)}
    visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Autre chose."})

    assert statuts == {303}
    assert [m.contenu for m in Message.objects.order_by("numero_sequence")] == ["Bonjour.", "Autre chose."]


@pytest.mark.parametrize("vers", ["", "en"])
def test_dire_que_l_on_a_lu_garde_ce_que_l_on_ecrivait(visiteuse, gestionnaire, vers):
    visiteuse.signaler()
    discussion = ouvrir(acteur=acteur_de(gestionnaire), titre="Suivi", signalement_id=le_dossier().pk)
    ecrire(acteur=acteur_de(gestionnaire), discussion=discussion, contenu="Où êtes-vous ?")
    page = visiteuse.lire("/dossiers/1/")
    assert '<button form="saisie" formaction="/dossiers/1/lus/"' in page
    assert "envoyez d'abord ce que vous écrivez" in page

    lue = visiteuse.envoyer("/dossiers/1/lus/", {"contenu": "Chez une amie, depuis", "vers": vers})

    assert (lue.status_code, "Chez une amie, depuis</textarea>" in texte_de(lue)) == (200, True)
    assert ("formaction" in texte_de(lue)) == bool(vers)  # the other language alone is no reading
    assert Message.objects.count() == 1
    assert visiteuse.envoyer("/dossiers/1/lus/", {"contenu": " "}).headers["Location"] == "/dossiers/1/"


def test_un_acces_fini_quand_on_dit_avoir_lu_rend_ce_que_l_on_ecrivait(visiteuse):
    visiteuse.signaler()
    Acces.objects.update(date_fin=timezone.now())

    refus = visiteuse.envoyer("/dossiers/1/lus/", {"contenu": "Chez une amie."})

    assert refus.status_code == 401
    assert 'name="texte" rows="5" autocomplete="off" dir="auto">Chez une amie.</textarea>' in texte_de(refus)


def test_l_historique_dit_ce_qui_se_passe_dans_les_mots_de_qui_a_signale(visiteuse, gestionnaire):
    """Neither how urgent the team finds it, nor that it put an alert aside; the team is shown the same."""
    visiteuse.signaler()
    dossier, equipe = le_dossier(), acteur_de(gestionnaire)
    services.changer_priorite(signalement=dossier, priorite="CRITICAL", acteur=equipe)
    services.changer_priorite(signalement=dossier, priorite="LOW", acteur=equipe)
    services.ecarter_alerte(signalement=dossier, acteur=equipe)
    services.changer_statut(signalement=dossier, statut="TRAITE", acteur=equipe)

    page = visiteuse.lire("/dossiers/1/")

    histoire = page.partition('id="historique"')[2].partition("</ol>")[0]
    lignes = re.findall(r"<li[^>]*>(.*?) <span", histoire)
    assert lignes[0] == "Signalement reçu."
    assert lignes[-1] == "L'équipe a terminé ; vous pouvez encore écrire."
    assert not re.search("Priorité|Basse|Critique|Alerte|→", histoire)
    vu = section(Equipiere(gestionnaire).dossier(dossier), "vu-par-l-auteur")
    assert all(ligne in vu for ligne in lignes)
    assert "Alerte" not in vu

"""Each page: its headers, its refusals, what it shows and what it never does, and what it costs."""

import logging
import re
from datetime import timedelta

import pytest
from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver
from django.utils import timezone

from accounts.lectures import qui_paraissent
from config.tests.outils import acteur_de
from discussions.models import Discussion, Message
from discussions.services import ecrire, ouvrir
from equipes.en_vigueur import regles_actives
from espace.pages import formulaires as formulaires_de_l_equipe
from portail.models import Acces
from portail.pages import ecrire as pages_d_ecriture
from portail.pages import formulaires
from portail.tests.outils import DETAILS, FAITS, Visiteuse, la_session, le_dossier, texte_de
from portail.urls import urlpatterns
from portail.vocabulaire import ECRITES
from resources.tests import fabriques as aide
from resources.vocabulaire import PAGES_ECRITES
from signalements.models import EntreeTimeline, Signalement
from signalements.services import creer
from socle.domaine.limites import Taux
from socle.pages.erreurs import ecrits
from socle.pages.formulaires import FormulaireDeSerializer

pytestmark = pytest.mark.django_db
LIBRES = [
    "/",
    "/aide/",
    "/securite/",
    "/accessibilite/",
    "/qui-lit/",
    "/confidentialite/",
    "/mentions-legales/",
    "/mes-droits/",
    "/ecrire/",
    "/ecrire/faits/",
    "/ecrire/details/",
    "/ecrire/numero/",
]
ETAPES = ["/ecrire/faits/", "/ecrire/details/", "/ecrire/numero/"]
SIENNES = [
    "/dossiers/1/fichier/",
    "/recu/",
    "/recu/verifier/",
    "/dossiers/",
    "/dossiers/1/",
    "/dossiers/1/lecteurs/",
    "/acces/",
    "/acces/terminer/",
    "/acces/numero/",
    "/acces/garder/",
    "/acces/prevenir/",
]
POSTES = [
    "/langue/",
    "/fichiers/envoyer/",
    "/fichiers/<uuid:file_id>/",
    "/dossiers/1/repondre/",
    "/dossiers/1/lus/",
    "/acces/code/",
    "/acces/ailleurs/",
    "/acces/donnees/",
    "/acces/garder/fin/",
]
DU_COMPTE = ["/compte/connexion/", "/compte/inscription/", "/compte/oubli/"]
A_RATTACHER = ["/rattacher/", "/rattacher/connexion/", "/rattacher/inscription/"]
APRES = ["/rattacher/apercu/", "/rattacher/fait/", "/rattacher/revenir/"]  # once signed in: test_rattacher
AUTRES = [
    "/compte/",
    "/compte/preuve/",
    "/retrouver/",
    "/ecrire/verifier/",
    "/ecrire/lecteurs/",
    "/quitter/",
    "/quitter/suite/",
]
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@pytest.fixture(autouse=True)
def _numero_demande(request, settings):
    """A page about a number is there where one is asked."""
    essayees = getattr(request.node, "callspec", None)
    if essayees and any("numero" in str(une) for une in essayees.params.values()):
        settings.PORTAIL_TELEPHONE_EXIGE = True


def test_chaque_adresse_est_dans_ces_tests():
    connues = {
        adresse.replace("/1/", "/<int:rang>/")
        for adresse in (*LIBRES, *SIENNES, *POSTES, *DU_COMPTE, *A_RATTACHER, *APRES, *AUTRES)
    }

    assert {f"/{une.pattern}" for une in urlpatterns} == connues
    assert get_resolver().resolve("/").view_name == "portail:accueil"


@pytest.mark.parametrize("page", [*LIBRES, "/retrouver/", *SIENNES, *DU_COMPTE, *A_RATTACHER])
def test_une_page_ne_se_garde_pas_et_ne_parle_qu_a_ce_site(visiteuse, page):
    if page != "/ecrire/numero/":  # which leads on whoever has a space
        visiteuse.signaler()

    reponse = visiteuse.get(page)

    entetes = reponse.headers
    assert (reponse.status_code, entetes["Cache-Control"]) == (200, "no-store")
    assert entetes["Referrer-Policy"] == "same-origin"
    assert "noindex" in entetes["X-Robots-Tag"]
    csp = entetes["Content-Security-Policy"]
    assert "default-src 'none'" in csp
    assert "unsafe" not in csp
    assert "form-action 'self'" in csp
    page_lue = texte_de(reponse)
    assert "style=" not in page_lue
    assert "<script>" not in page_lue
    assert not re.search(r'(src|href|action)="(?!/|#|tel:|mailto:)', page_lue)


@pytest.mark.parametrize("page", [*SIENNES, *A_RATTACHER])
def test_une_page_ne_montre_ni_identifiant_ni_dossier_dans_son_titre(visiteuse, gestionnaire, page):
    visiteuse.signaler()
    discussion = ouvrir(acteur=acteur_de(gestionnaire), titre="Suivi", signalement_id=le_dossier().pk)
    ecrire(acteur=acteur_de(gestionnaire), discussion=discussion, contenu="Bonjour.")

    lue = visiteuse.lire(page)

    # Those of the case alone, which its sockets are named by: none of a session, an access or a person.
    connus = [
        modele.objects.values_list("pk", flat=True) for modele in (Signalement, EntreeTimeline, Discussion, Message)
    ]
    assert set(UUID.findall(lue)) <= {str(cle) for cles in connus for cle in cles}
    assert page in ("/dossiers/1/", "/dossiers/1/lecteurs/") or not UUID.search(lue)
    assert "None" not in lue
    titre = lue.partition("<title>")[2].partition("</title>")[0]
    assert titre == "Espace · Campus"


@pytest.mark.parametrize("page", [*LIBRES, *SIENNES, *DU_COMPTE, *A_RATTACHER, "/retrouver/"])
def test_lire_une_page_ne_change_rien(visiteuse, page):
    visiteuse.signaler()
    visiteuse.get(page)  # the use of an access is noted once a minute

    with CaptureQueriesContext(
        connection,
    ) as requetes:
        visiteuse.get(page)

    assert [une["sql"] for une in requetes if not une["sql"].startswith(("SELECT", "SAVEPOINT", "RELEASE"))] == []


@pytest.mark.parametrize(
    ("page", "plafond"), [("/", 0), ("/aide/", 3), ("/qui-lit/", 2), ("/dossiers/", 4), ("/dossiers/1/", 12)]
)
def test_une_page_coute_autant_pour_un_dossier_que_pour_neuf(visiteuse, gestionnaire, page, plafond):
    visiteuse.signaler()
    acteur, dossier = acteur_de(gestionnaire), le_dossier()
    discussion = ouvrir(acteur=acteur, titre="Suivi", signalement_id=dossier.pk)
    ecrire(acteur=acteur, discussion=discussion, contenu="Un.")
    visiteuse.get(page)

    def compter():
        with CaptureQueriesContext(connection) as requetes:
            assert visiteuse.get(page).status_code == 200
        return len(requetes)

    un = compter()
    for rang in range(8):
        creer(acteur=acteur_de(la_session()), titre=f"Cas {rang}", description="Encore.", type="VOL")
        ecrire(acteur=acteur, discussion=discussion, contenu=f"Message {rang}")
        autre = ouvrir(acteur=acteur, titre=f"Autre {rang}", signalement_id=dossier.pk)
        ecrire(acteur=acteur, discussion=autre, contenu="Ailleurs.")

    assert compter() == un
    assert un <= plafond


@pytest.mark.parametrize(
    ("page", "plafond"),
    [("/aide/", 2), ("/qui-lit/", 1), ("/confidentialite/", 1), ("/mentions-legales/", 1), ("/mes-droits/", 1)],
)
def test_qui_n_a_pas_d_espace_n_en_fait_pas_chercher(visiteuse, django_assert_max_num_queries, page, plafond):
    regles_actives(), qui_paraissent()  # which a process reads once in ten seconds
    with django_assert_max_num_queries(plafond):
        visiteuse.lire(page)


def test_personne_ne_lit_le_dossier_d_une_autre(visiteuse, autre_visiteuse):
    visiteuse.signaler(description="Le secret de la première.")
    autre_visiteuse.signaler(description="Le récit de la seconde.")

    assert "Le secret de la première." not in autre_visiteuse.lire("/dossiers/1/")
    assert autre_visiteuse.get("/dossiers/2/").status_code == 404
    assert autre_visiteuse.envoyer("/dossiers/2/repondre/", {"contenu": "Bonjour."}).status_code == 404
    assert not Message.objects.exists()


def test_ouvrir_un_autre_espace_ferme_celui_de_ce_navigateur(visiteuse, autre_visiteuse):
    premier, second = visiteuse.signaler(), autre_visiteuse.signaler(description="Autre récit.")
    jeton = visiteuse.cookies["espace"].value
    assert "Un espace est déjà ouvert" in (page := visiteuse.lire("/retrouver/"))
    assert "en ouvrir un autre le ferme." in page

    visiteuse.revenir(second)

    assert "Autre récit." in visiteuse.lire("/dossiers/1/")
    visiteuse.cookies["espace"] = jeton
    assert visiteuse.get("/dossiers/").status_code == 401
    assert visiteuse.revenir(premier).status_code == 303


@pytest.mark.parametrize(
    ("ici", "mene"),
    [
        ("/securite/", "/securite/"),
        ("/dossiers/1/", "/dossiers/1/"),
        ("/dossiers/1/repondre/", "/dossiers/1/repondre/"),  # which leads to the case
        ("/quitter/", "/"),
        ("/admin/", "/"),
        ("//ailleurs.example/", "/"),
        ("https://ailleurs.example/", "/"),
        ("", "/"),
        ("\x00", "/"),
    ],
)
def test_changer_de_langue_rend_la_page_et_ne_mene_jamais_ailleurs(visiteuse, ici, mene):
    reponse = visiteuse.envoyer("/langue/", {"langue": "en", "ici": ici})

    assert (reponse.status_code, reponse.headers["Location"]) == (303, mene)
    assert reponse.cookies["django_language"]["max-age"] == ""
    assert "Exit quickly" in visiteuse.lire("/securite/")
    visiteuse.envoyer("/langue/", {"langue": "xx"})
    assert "Français" in visiteuse.lire("/")


# --- What was typed stays -------------------------------------------------------------------------------------------


def test_un_acces_fini_pendant_qu_on_ecrit_rend_le_texte_puis_l_envoie(visiteuse):
    code = visiteuse.signaler()
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))

    refus = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Un long message."})
    assert (refus.status_code, "Un long message." in texte_de(refus)) == (401, True)
    assert "Votre texte est encore là." in texte_de(refus)
    faux = visiteuse.envoyer("/retrouver/", {"code": "zzz", "texte": "Un long message.", "rang": "1"})
    assert (faux.status_code, "Un long message." in texte_de(faux)) == (422, True)
    repris = visiteuse.envoyer("/retrouver/", {"code": code, "texte": "Un long message.", "rang": "1"})

    assert (repris.status_code, "Un long message." in texte_de(repris)) == (200, True)
    assert 'action="/dossiers/1/repondre/"' in texte_de(repris)
    assert visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Un long message."}).status_code == 303
    assert Message.objects.get().contenu == "Un long message."


@pytest.mark.parametrize("page", ["/ecrire/faits/", "/dossiers/1/repondre/", "/retrouver/"])
def test_un_jeton_csrf_perdu_rend_le_texte_sous_un_nouveau(visiteuse, page):
    visiteuse.signaler()
    long = "Un récit de plusieurs lignes.\nEt <b>encore</b> une."

    refus = visiteuse.post(page, {"contenu": long, "description": long, "type": "VOL", "csrfmiddlewaretoken": "x"})

    rendue = refus.content.decode()
    assert refus.status_code == 403
    assert "Et &lt;b&gt;encore&lt;/b&gt; une." in rendue
    assert '<input type="hidden" name="type" value="VOL">' in rendue
    assert f'action="{page}"' in rendue
    assert rendue.count("csrfmiddlewaretoken") == 1


@pytest.mark.parametrize(
    ("page", "nom", "mot", "se_voit"),
    [
        ("/dossiers/1/repondre/", "contenu", "Oui", True),
        ("/ecrire/faits/", "description", "Volé", True),
        ("/ecrire/details/", "lieu_incident", "Amphi", True),
        ("/ecrire/details/", "description_temoins", "Awa", True),
        ("/dossiers/1/repondre/", "contenu", " ", False),
        ("/ecrire/numero/", "telephone", "+221770000000", False),
        ("/compte/inscription/", "prenom", "Awa", False),
    ],
)
def test_un_mot_se_revoit_avant_d_etre_renvoye_un_numero_et_un_nom_non(visiteuse, page, nom, mot, se_voit):
    visiteuse.signaler()

    rendue = visiteuse.post(page, {nom: mot, "csrfmiddlewaretoken": "x"}).content.decode()

    cache = f'<input type="hidden" name="{nom}" value="{mot}">'
    assert (re.search(rf'<textarea name="{nom}"[^>]*>{mot}</textarea>', rendue) is not None, cache in rendue) == (
        se_voit,
        not se_voit,
    )


@pytest.mark.parametrize("module", [formulaires, formulaires_de_l_equipe])
def test_les_recits_qu_un_refus_rend_sont_ceux_de_nos_formulaires(module, rf):
    formes = [un for un in vars(module).values() if isinstance(un, type) and issubclass(un, FormulaireDeSerializer)]
    noms = {
        f"{forme.prefix}-{nom}" if forme.prefix else nom
        for forme in formes
        for nom, champ in forme.base_fields.items()
        if isinstance(champ.widget, forms.Textarea)
    }

    rendus = ecrits(rf.post("/", dict.fromkeys(noms, "Oui")))

    assert noms
    assert {nom for nom, _texte in rendus["textes"]} == noms


def test_un_mot_de_passe_n_est_jamais_rendu(visiteuse):
    refus = visiteuse.post(
        "/invitation", {"mot_de_passe": "Baobab-penché-77", "nom": "Diop", "csrfmiddlewaretoken": "x"}
    )

    assert refus.status_code == 403
    assert "Baobab" not in texte_de(refus)


@pytest.mark.parametrize(
    ("etape", "corps", "phrase"),
    [
        ("faits", {"description": "Un récit."}, "Choisissez ce qui s'en approche le plus."),
        ("faits", {"type": "VOL"}, "Dites en quelques mots ce qui s'est passé."),
        ("faits", {"type": "VOL", "description": "x" * 20_001}, "Ce texte est trop long"),
        ("faits", {"type": "INCONNU", "description": "Un récit."}, "INCONNU"),
        ("details", {**DETAILS, "mois": "13"}, "Cette date n'existe pas, ou pas encore."),
        ("details", {**DETAILS, "annee": ""}, "Il manque l'année."),
        ("details", {**DETAILS, "jour": "24 nov.", "mois": "", "annee": ""}, "Il manque l'année."),
        ("details", {**DETAILS, "jour": "9" * 5_000}, "Cette date n'existe pas, ou pas encore."),
        ("details", {**DETAILS, "annee": "2099"}, "Cette date n'existe pas, ou pas encore."),
        ("details", {**DETAILS, "annee": "1492"}, "Cette date n'existe pas, ou pas encore."),
        ("details", {**DETAILS, "lieu_incident": "x" * 300}, "255"),
        ("numero", {"telephone": "12"}, "Écrivez un numéro complet"),
    ],
)
def test_une_etape_refusee_dit_quoi_corriger_et_garde_le_reste(visiteuse, etape, corps, phrase):
    reponse = visiteuse.envoyer(f"/ecrire/{etape}/", corps)

    page = texte_de(reponse)
    assert reponse.status_code == 422
    assert phrase in page
    assert "Il y a un problème" in page
    for valeur in corps.values():
        if 1 < len(valeur) < 300 and valeur.isprintable() and etape != "faits":
            assert f'value="{valeur}"' in page


def test_un_numero_peut_etre_exige(visiteuse, settings):
    settings.PORTAIL_TELEPHONE_EXIGE = True
    visiteuse.envoyer("/ecrire/faits/", FAITS)

    assert visiteuse.envoyer("/ecrire/numero/", {"telephone": ""}).status_code == 422
    envoye = visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert envoye.status_code == 422
    assert not Signalement.objects.exists()
    assert FAITS["description"] in visiteuse.lire("/ecrire/faits/")


def test_une_base_absente_a_l_envoi_ne_perd_rien(visiteuse, monkeypatch):
    visiteuse.remplir()

    def absente(*_arguments, **_champs):
        raise OperationalError

    with monkeypatch.context() as panne:
        panne.setattr(pages_d_ecriture.brouillon, "envoyer", absente)
        refus = visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert (refus.status_code, refus.headers["Retry-After"]) == (503, "5")
    assert "Le service ne répond pas." in texte_de(refus)
    assert visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"}).status_code == 303


@pytest.mark.parametrize(
    ("page", "corps"),
    [
        ("/dossiers/1/repondre/", {"contenu": "Un message assez long."}),
        ("/ecrire/faits/", {"type": "VOL", "description": "Un récit assez long."}),
        ("/retrouver/", {"code": "un deux trois", "texte": "Un texte assez long.", "rang": "1"}),
    ],
)
@pytest.mark.parametrize("panne", ["trop d'appels", "base absente", "stade lecture"])
def test_ce_qui_fut_tape_est_rendu_par_tout_refus(visiteuse, settings, monkeypatch, page, corps, panne):
    visiteuse.signaler()
    visiteuse.get("/retrouver/")

    def absente(*_arguments, **_champs):
        raise OperationalError

    if panne == "trop d'appels":
        settings.THROTTLE_ENABLED = True
        settings.THROTTLES = {**settings.THROTTLES, "general": Taux(1, 3600)}
        visiteuse.get("/dossiers/")
        visiteuse.get("/securite/")
    elif panne == "base absente":
        for cible in ("portail.pages.dossiers.repondre", "portail.services.brouillon.completer"):
            monkeypatch.setattr(cible, absente)
        monkeypatch.setattr("portail.services.code.session_du_code", absente)
    else:
        settings.GUEST_MODE_STAGE = "read"
        settings.GUEST_MODE_ENABLED = page != "/retrouver/"
    refus = visiteuse.envoyer(page, corps)

    lue = texte_de(refus)
    assert refus.status_code in (403, 429, 503)
    assert next(texte for texte in corps.values() if "assez long" in texte) in lue
    assert f'action="{page}"' in lue
    assert "Rien n'est perdu" in lue


@pytest.mark.parametrize("venue", [{"Origin": "https://ailleurs.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_le_formulaire_d_un_autre_site_n_est_jamais_rendu_sous_notre_jeton(visiteuse, venue):
    """Shown again with a token of ours, it would open the stranger's space at the next click."""
    refus = visiteuse.post("/retrouver/", {"code": "six mots d'une autre personne"}, headers=venue)

    assert refus.status_code == 403
    assert "six mots d'une autre" not in texte_de(refus)
    assert "<form" not in texte_de(refus)


@pytest.mark.parametrize(
    "page", ["/ecrire/faits/", "/retrouver/", "/dossiers/1/repondre/", "/fichiers/envoyer/", *DU_COMPTE, A_RATTACHER[1]]
)
@pytest.mark.parametrize("codage", ["utf-7", "unicode_escape", "rot13", "hex", "idna", "inconnu"])
def test_un_formulaire_dans_un_autre_codage_est_refuse(visiteuse, page, codage):
    visiteuse.signaler()
    corps = b'--XX\r\nContent-Disposition: form-data; name="code"\r\n\r\n+2AA-\\ud800\r\n--XX--\r\n'

    refus = visiteuse.generic("POST", page, corps, f"multipart/form-data; boundary=XX; charset={codage}")

    assert refus.status_code == 400


@pytest.mark.parametrize(
    ("page", "mene"),
    [
        ("/dossiers/1/repondre/", "/dossiers/1/"),
        ("/dossiers/1/lus/", "/dossiers/1/"),
        ("/acces/ailleurs/", "/acces/"),
        ("/acces/donnees/", "/acces/"),
        ("/acces/garder/fin/", "/acces/garder/"),
        ("/fichiers/envoyer/", "/dossiers/"),
        ("/langue/", "/"),
    ],
)
def test_l_adresse_d_un_acte_ouverte_comme_une_page_mene_a_la_sienne(visiteuse, page, mene):
    visiteuse.signaler()

    reponse = visiteuse.get(page)

    assert (reponse.status_code in (302, 303), reponse.headers["Location"]) == (True, mene)


def test_un_cookie_invente_se_compte_par_adresse(settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "general": Taux(2, 3600)}
    visiteuse = Visiteuse()
    visiteuse.cookies["espace"] = "inconnu"

    assert [visiteuse.get("/dossiers/").status_code for _fois in range(4)] == [401, 401, 429, 429]


# --- What is closed -------------------------------------------------------------------------------------------------


def test_au_stade_lecture_on_revient_et_on_lit_sans_ecrire(visiteuse, autre_visiteuse, settings):
    code = visiteuse.signaler()
    settings.GUEST_MODE_STAGE = "read"
    aide.contact(nom="Cellule d'écoute", telephone="+33 1 23 45 67 89")

    assert autre_visiteuse.revenir(code).status_code == 303
    page = autre_visiteuse.lire("/dossiers/1/")
    assert FAITS["description"] in page
    assert "<textarea" not in page
    for adresse in ("/ecrire/", "/ecrire/faits/", "/ecrire/verifier/"):
        refus = autre_visiteuse.get(adresse)
        assert (refus.status_code, "On ne peut pas écrire ici" in texte_de(refus)) == (403, True)
        assert 'href="tel:+33123456789"' in texte_de(refus)
    assert autre_visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour."}).status_code == 403
    assert 'href="/ecrire/"' not in autre_visiteuse.lire("/")


def test_sans_mode_invite_rien_ne_s_ouvre_mais_l_aide_reste(visiteuse, settings):
    code = visiteuse.signaler()
    settings.GUEST_MODE_ENABLED = False

    assert [visiteuse.get(adresse).status_code for adresse in ("/", "/aide/", "/dossiers/", "/ecrire/")] == [
        200,
        200,
        403,
        403,
    ]
    assert visiteuse.revenir(code).status_code == 403


def test_sans_portail_ses_pages_n_existent_pas(visiteuse, settings):
    visiteuse.signaler()
    settings.PORTAIL_ENABLED = False

    pages = (*LIBRES[1:], *SIENNES, *DU_COMPTE, *A_RATTACHER, *APRES, *AUTRES)
    assert {visiteuse.get(adresse).status_code for adresse in pages} == {404}
    assert visiteuse.get("/").status_code == 200


@pytest.mark.parametrize("methode", ["put", "patch", "delete", "trace", "propfind", "options"])
def test_une_autre_methode_est_refusee_par_une_page_d_ici(visiteuse, methode):
    visiteuse.signaler()

    for adresse in (*LIBRES, *SIENNES, *DU_COMPTE, *A_RATTACHER):
        refus = visiteuse.generic(methode.upper(), adresse)
        assert (refus.status_code, "Cette méthode n'est pas permise ici." in texte_de(refus)) == (405, True), adresse
        assert 'href="/quitter/"' in texte_de(refus)


def test_une_page_sans_formulaire_refuse_qu_on_lui_envoie_quelque_chose(visiteuse):
    visiteuse.signaler()

    for page in (*(une for une in LIBRES if une not in (*ETAPES, "/aide/")), "/recu/", "/dossiers/"):
        assert visiteuse.envoyer(page, {"description": "Un texte."}).status_code == 405, page


def test_l_aide_montre_contacts_et_questions_sauf_si_l_exploitant_la_garde(visiteuse, settings):
    aide.contact(nom="Cellule d'écoute", telephone="poste 4512", actif=True)
    aide.contact(nom="Ancienne cellule", telephone="poste 1", actif=False)
    aide.faq(question="Combien de temps ?", reponse="Deux jours.", publiee=True)
    aide.faq(question="Qui dirige ?", reponse="La vice-présidence.", publiee=True, categorie="PORTAIL")
    aide.faq(question="Un brouillon ?", reponse="Oui.", publiee=False)

    page, qui_lit = visiteuse.lire("/aide/"), visiteuse.lire("/qui-lit/")

    assert "Cellule d'écoute" in page
    assert "Combien de temps ?" in page
    assert "Ancienne cellule" not in page
    assert "Un brouillon ?" not in page
    assert "Qui dirige ?" not in page
    assert "La vice-présidence." in qui_lit
    assert "Combien de temps ?" not in qui_lit
    settings.PORTAIL_AIDE_PUBLIQUE = False
    assert "Cellule d'écoute" not in visiteuse.lire("/aide/")


JETON = re.compile('csrfmiddlewaretoken" value="[^"]*"')
PREMIERS = {
    "/confidentialite/": ("PORTAIL_CONFIDENTIALITE", "deux heures sans activité"),
    "/mentions-legales/": ("PORTAIL_MENTIONS", "sous le nom « Campus »"),
    "/mes-droits/": ("PORTAIL_DROITS", "la CNIL (cnil.fr) ; ailleurs, l'autorité de votre pays"),
}


@pytest.mark.parametrize("page", PREMIERS)
def test_une_page_de_l_etablissement_dit_ce_que_fait_le_logiciel_jusqu_a_ce_qu_il_l_ecrive(visiteuse, page):
    categorie, premier = PREMIERS[page]
    aide.faq(question="Pas encore relu ?", reponse="Non.", publiee=False, categorie=categorie)
    lue = visiteuse.lire(page)
    assert (premier in lue, "n'a pas encore écrit le sien" in lue, "Pas encore relu ?" in lue) == (True, True, False)

    aide.faq(
        question="Qui en répond ?", reponse="L'université.\n\n<b>Sa déléguée</b>.", publiee=True, categorie=categorie
    )

    brute, lue = visiteuse.get(page).content.decode(), visiteuse.lire(page)
    assert "<h2>Qui en répond ?</h2>" in lue
    assert "&lt;b&gt;Sa déléguée&lt;/b&gt;" in brute
    assert (premier in lue, "n'a pas encore écrit le sien" in lue) == (False, False)
    autres = {une for une in (*PREMIERS, "/aide/", "/qui-lit/") if "Qui en répond ?" in visiteuse.lire(une)}
    assert autres == {page}


@pytest.mark.parametrize("page", PREMIERS)
def test_une_page_de_l_etablissement_se_lit_en_anglais_sinon_en_francais(visiteuse, page):
    categorie, _premier = PREMIERS[page]
    aide.faq(question="Qui en répond ?", reponse="L'université.", publiee=True, categorie=categorie)
    visiteuse.envoyer("/langue/", {"langue": "en"})
    assert "L'université." in visiteuse.lire(page)

    aide.faq(question="Who answers for it?", reponse="The university.", publiee=True, categorie=f"{categorie}_EN")

    lue = visiteuse.lire(page)
    assert ("The university." in lue, "L'université." in lue) == (True, False)


@pytest.mark.parametrize("page", PREMIERS)
def test_une_page_de_l_etablissement_est_la_meme_pour_qui_a_un_espace_et_qui_n_en_a_pas(
    visiteuse, autre_visiteuse, page
):
    visiteuse.signaler()

    sienne, autre = (JETON.sub("", une.lire(page)) for une in (visiteuse, autre_visiteuse))
    assert sienne == autre


def test_l_administration_dit_dans_quelle_categorie_s_ecrit_chaque_page(admin):
    client = Client()
    client.force_login(admin)

    aide = client.get("/admin/resources/faq/add/").context["adminform"].form.fields["categorie"].help_text

    assert {par_langue["fr"] for par_langue in ECRITES.values()} <= set(re.findall(r"PORTAIL\w*", str(aide)))


def test_la_confidentialite_dit_les_durees_des_reglages(visiteuse, settings):
    settings.REPORTS_KEPT_DAYS, settings.AUDIT_KEPT_DAYS = 0, 400
    sans_fin = visiteuse.lire("/confidentialite/")
    settings.REPORTS_KEPT_DAYS, settings.PORTAIL_TELEPHONE_EXIGE = 365, True
    avec_fin = visiteuse.lire("/confidentialite/")

    assert ("aucune date de fin" in sans_fin, "400 jours" in sans_fin, "numéro" in sans_fin) == (True, True, False)
    assert ("365 jours au moins" in avec_fin, "aucune date de fin" in avec_fin) == (True, False)
    assert "Le numéro que vous donnez est gardé chiffré." in avec_fin


def test_qui_cree_un_compte_trouve_ce_qui_est_garde_et_ses_droits(visiteuse):
    page = visiteuse.lire("/compte/inscription/").partition("<main")[2].partition("</main>")[0]

    assert 'href="/confidentialite/"' in page
    assert 'href="/mes-droits/"' in page


# --- Bounds ---------------------------------------------------------------------------------------------------------


def test_des_brouillons_sans_fin_sont_arretes_et_n_arretent_ni_fichiers_ni_comptes(visiteuse, etudiante, settings):
    visiteuse.signaler()
    elle = Visiteuse()
    elle.se_connecter(etudiante)
    settings.THROTTLE_ENABLED = True
    settings.PORTAIL_BROUILLONS = Taux(1_000, 600)

    statuts = [
        Visiteuse().envoyer("/ecrire/faits/", {**FAITS, "description": "x" * 400}).status_code for _fois in range(4)
    ]

    assert statuts[0] == 303
    assert statuts[-1] == 429
    assert elle.envoyer("/ecrire/faits/", {**FAITS, "description": "x" * 400}).status_code == 303
    fichier = {"pour": f"1-{visiteuse.montre(1).replace('-', '')}", "fichier": SimpleUploadedFile("a.txt", b"un")}
    assert visiteuse.envoyer("/fichiers/envoyer/", fichier).status_code == 303


def test_des_envois_sans_fin_sont_arretes_et_le_texte_reste(settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "guest_session_address": Taux(1, 3600)}
    Visiteuse().signaler()
    visiteuse = Visiteuse()
    visiteuse.remplir()

    refus = visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert refus.status_code == 429
    assert "Rien n'est perdu" in texte_de(refus)
    assert FAITS["description"] in visiteuse.lire("/ecrire/verifier/")


def test_les_appels_d_un_acces_se_comptent(visiteuse, settings):
    visiteuse.signaler()
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "general": Taux(2, 3600)}

    assert [visiteuse.get("/dossiers/").status_code for _fois in range(3)] == [200, 200, 429]


def test_le_journal_ne_dit_rien_de_la_visite(visiteuse, autre_visiteuse, caplog):
    with caplog.at_level(logging.DEBUG):
        code = visiteuse.signaler(description="Un récit canari.")
        visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Un message canari."})
        autre_visiteuse.revenir(code)
        autre_visiteuse.revenir("abaisser abandon abdiquer abeille abolir aborder")

    dit = " ".join(f"{ligne.getMessage()} {vars(ligne)}" for ligne in caplog.records if ligne.name.startswith("campus"))
    assert "canari" not in dit
    assert code not in dit
    assert visiteuse.cookies["espace"].value not in dit
    assert str(la_session().pk) not in dit
    assert "/dossiers/<int:rang>/repondre/" in dit or "dossiers/" in dit


@pytest.mark.parametrize(
    ("adresse", "quitter"), [("/inconnue/", True), ("/admin/inconnue", True), ("/equipe/x", False)]
)
def test_une_adresse_inconnue_se_quitte_aussi_vite(client, settings, adresse, quitter):
    page = client.get(adresse, follow=True)
    assert ('href="/quitter/"' in page.content.decode()) == quitter

    settings.PORTAIL_ENABLED = False
    assert 'href="/quitter/"' not in client.get(adresse, follow=True).content.decode()


def test_un_envoi_refuse_avant_d_etre_lu_se_quitte_aussi_vite(client):
    refuse = client.post("/ecrire/faits/", b"x", content_type="multipart/form-data; charset=utf-16; boundary=x")

    assert refuse.status_code == 400
    assert 'href="/quitter/"' in refuse.content.decode()


def test_qui_lit_dans_une_langue_sans_questions_montre_celles_du_campus(visiteuse):
    aide.faq(question="Qui dirige ?", reponse="La vice-présidence.", publiee=True, categorie="PORTAIL")
    anglaise = {"Accept-Language": "en"}
    assert "Qui dirige ?" in visiteuse.lire("/qui-lit/", headers=anglaise)

    aide.faq(question="Who leads?", reponse="The vice-president.", publiee=True, categorie="PORTAIL_EN")

    page = visiteuse.lire("/qui-lit/", headers=anglaise)
    assert ("Who leads?" in page, "Qui dirige ?" in page) == (True, False)
    assert "Who leads?" not in visiteuse.lire("/qui-lit/")


def test_la_bibliotheque_connait_les_categories_qui_ecrivent_une_page():
    assert set(PAGES_ECRITES) == {mot for par_langue in ECRITES.values() for mot in par_langue.values()}


def test_mes_droits_menent_un_compte_a_ce_qu_il_fait_lui_meme(visiteuse):
    lue = visiteuse.lire("/mes-droits/")

    assert "avec un compte, sur « Mon compte » ; sans compte, sur « Mon accès »" in lue
    assert "votre nom et votre adresse se changent sur « Mon compte »" in lue
    assert "« Demander à être effacé·e » est au bas de « Mon compte »" in lue
    assert "soient corrigés" not in lue

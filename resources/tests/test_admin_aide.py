"""Help in the admin site: written by the team, ordered, shown, looked at first, and followed."""

import html
import re
from uuid import uuid4

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.tests.outils import entrer
from resources.models import ContactUrgence, Faq
from resources.tests import fabriques

pytestmark = pytest.mark.django_db
FAQS, CONTACTS = "/admin/resources/faq/", "/admin/resources/contacturgence/"
SAISIE = {"question": "Qui lit ?", "reponse": "L'équipe.", "categorie": "Vie étudiante", "ordre": "10", "publiee": "on"}
EQUIPE = ["gestionnaire", "admin"]


def messages(reponse):
    return [(message.level_tag, str(message)) for message in reponse.context["messages"]]


def agir(client, action, *lignes, url=FAQS):
    donnees = {"action": action, "_selected_action": [str(ligne.pk) for ligne in lignes]}
    return client.post(url, donnees, follow=True)


def texte(reponse):
    return html.unescape(reponse.content.decode())


def publiees(api, qui):
    return [faq["question"] for faq in api(qui).get("/api/v1/aide/faqs").json()["data"]]


# --- Writing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", EQUIPE)
def test_l_equipe_ecrit_une_question_que_chacun_lit(api, personne, etudiante, persona):
    client = entrer(personne(persona).email)

    client.post(f"{FAQS}add/", {**SAISIE, "reponse": "  L'équipe.\r\nElle seule. "})

    (lue,) = api(etudiante).get("/api/v1/aide/faqs").json()["data"]
    assert (lue["reponse"], lue["categorie"]) == ("L'équipe.\nElle seule.", "VIE_ETUDIANTE")
    assert LogEntry.objects.get().user == personne(persona)


def test_un_texte_colle_d_un_traitement_de_texte_se_lit(api, etudiante, gestionnaire):
    client = entrer(gestionnaire.email)

    colle = {"question": "Qui\x0blit\x00 ?", "reponse": "L'équi\u00adpe.\x0cElle\x85seule\x1b."}
    assert client.post(f"{FAQS}add/", {**SAISIE, **colle}).status_code == 302

    (lue,) = api(etudiante).get("/api/v1/aide/faqs").json()["data"]
    assert (lue["question"], lue["reponse"]) == ("Qui lit ?", "L'équipe.\nElle\nseule.")


def test_un_identifiant_invite_colle_n_est_garde_ni_dans_l_aide_ni_dans_son_historique(gestionnaire, invite):
    client = entrer(gestionnaire.email)
    client.post(f"{FAQS}add/", {**SAISIE, "question": f"Qui est {invite.guest_id} ?"})
    faq = Faq.objects.get()

    client.post(f"{FAQS}{faq.pk}/change/", {**SAISIE, "reponse": f"C'est {invite.guest_id.hex.upper()}."})

    faq.refresh_from_db()
    assert faq.reponse == "C'est [identifiant masqué]."
    garde = str([*Faq.objects.values(), *LogEntry.objects.values()]).lower().replace("-", "")
    assert invite.guest_id.hex not in garde
    assert "identifiant masqu" in LogEntry.objects.get(action_flag=CHANGE).change_message


def test_une_question_nouvelle_est_un_brouillon_place_en_dernier(gestionnaire):
    fabriques.faq(ordre=40)

    formulaire = entrer(gestionnaire.email).get(f"{FAQS}add/").context["adminform"].form

    assert formulaire["ordre"].value() == 50
    assert formulaire["publiee"].value() is False


@pytest.mark.parametrize("url", [FAQS, CONTACTS])
def test_une_etudiante_n_y_entre_pas(etudiante, url):
    client = entrer(etudiante.email)

    assert {client.get(page).status_code for page in (url, f"{url}add/")} == {302}
    assert client.post(f"{url}add/", SAISIE).status_code == 302
    assert not Faq.objects.exists()


@pytest.mark.parametrize(
    ("champ", "valeur"),
    [
        ("question", ""),
        ("question", "x" * 256),
        ("question", "\u200b\u3164"),
        ("reponse", "\u2800\u00ad"),
        ("reponse", " "),
        ("reponse", "x" * 5_001),
        ("categorie", "portail mentions légales"),
        ("categorie", "???"),
        ("categorie", "2026"),
        ("categorie", "x" * 51),
        ("ordre", "-1"),
        ("ordre", "10000"),
        ("ordre", "premier"),
        ("ordre", ""),
    ],
)
def test_une_saisie_fausse_est_dite_sur_son_champ(gestionnaire, champ, valeur):
    reponse = entrer(gestionnaire.email).post(f"{FAQS}add/", {**SAISIE, champ: valeur})

    assert (reponse.status_code, list(reponse.context["adminform"].form.errors)) == (200, [champ])
    assert not Faq.objects.exists()


@pytest.mark.parametrize(
    ("champs", "refuses"),
    [
        ({"telephone": "", "email": ""}, ["__all__"]),
        ({"telephone": "1" * 65}, ["telephone"]),
        ({"email": "pas-une-adresse"}, ["email"]),
        ({"nom": ""}, ["nom"]),
        ({"description": "x" * 1_001}, ["description"]),
    ],
)
def test_un_contact_faux_est_refuse(gestionnaire, champs, refuses):
    saisie = {"nom": "Urgences", "telephone": "112", "ordre": "1", "actif": "on"}

    reponse = entrer(gestionnaire.email).post(f"{CONTACTS}add/", {**saisie, **champs})

    assert list(reponse.context["adminform"].form.errors) == refuses
    assert not ContactUrgence.objects.exists()


def test_un_numero_fait_a_la_main_survit_a_une_autre_modification(gestionnaire):
    contact = fabriques.contact(telephone="poste 4512 / nuit 15")
    saisie = {"nom": "Accueil", "telephone": contact.telephone, "ordre": "1", "actif": "on"}

    entrer(gestionnaire.email).post(f"{CONTACTS}{contact.pk}/change/", saisie)

    contact.refresh_from_db()
    assert (contact.nom, contact.telephone) == ("Accueil", "poste 4512 / nuit 15")


def test_seul_ce_qui_a_change_est_ecrit(gestionnaire):
    faq = fabriques.faq(**{**SAISIE, "categorie": "VIE_ETUDIANTE", "publiee": True, "ordre": 10})
    client = entrer(gestionnaire.email)

    with CaptureQueriesContext(connection) as requetes:
        client.post(f"{FAQS}{faq.pk}/change/", {**SAISIE, "question": "Qui écrit ?"})

    (ecriture,) = [r["sql"] for r in requetes if r["sql"].startswith('UPDATE "resources_faq"')]
    colonnes = set(re.findall(r'"(\w+)" = ', ecriture.partition("WHERE")[0]))
    assert colonnes == {"question", "recherche", "date_modification"}


# --- Showing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", EQUIPE)
def test_publier_puis_retirer_par_l_action(api, personne, etudiante, persona):
    brouillon, publiee = fabriques.faq(question="Brouillon", publiee=False), fabriques.faq(question="Publiée")
    client = entrer(personne(persona).email)

    assert messages(agir(client, "publier", brouillon, publiee)) == [("info", "1 ligne traitée.")]
    assert set(publiees(api, etudiante)) == {"Brouillon", "Publiée"}

    assert messages(agir(client, "retirer", brouillon, publiee)) == [("info", "2 lignes traitées.")]
    assert publiees(api, etudiante) == []
    assert LogEntry.objects.count() == 3


def test_publier_au_dela_de_la_borne_dit_pourquoi(gestionnaire, monkeypatch):
    monkeypatch.setattr(Faq, "MAXIMUM", 1)
    fabriques.faq()
    brouillon = fabriques.faq(publiee=False)
    client = entrer(gestionnaire.email)

    par_l_action = messages(agir(client, "publier", brouillon))
    par_le_formulaire = client.post(f"{FAQS}{brouillon.pk}/change/", SAISIE)

    assert [niveau for niveau, _texte in par_l_action] == ["error", "info"]
    assert "c'est le maximum" in par_l_action[0][1]
    assert "c'est le maximum" in texte(par_le_formulaire)
    assert Faq.objects.montrees().count() == 1


def test_l_ordre_se_change_dans_la_liste(api, gestionnaire, etudiante):
    premiere, seconde = fabriques.faq(question="A", ordre=10), fabriques.faq(question="B", ordre=20)
    formulaire = {"form-TOTAL_FORMS": "2", "form-INITIAL_FORMS": "2", "_save": "Enregistrer"}
    for rang, (faq, ordre) in enumerate([(premiere, 30), (seconde, 20)]):
        formulaire |= {f"form-{rang}-id": str(faq.pk), f"form-{rang}-ordre": str(ordre)}

    entrer(gestionnaire.email).post(FAQS, formulaire)

    assert publiees(api, etudiante) == ["B", "A"]
    assert LogEntry.objects.get().object_id == str(premiere.pk)


def test_une_case_de_la_liste_dit_sa_colonne_et_sa_ligne(gestionnaire):
    fabriques.faq(question="Qui lit « tout » ?")

    page = texte(entrer(gestionnaire.email).get(FAQS))

    (case,) = re.findall(r'<input type="number"[^>]*>', page)
    assert 'aria-label="Ordre : Qui lit « tout » ?"' in case
    assert "aria-describedby" not in case


def test_l_apercu_montre_la_question_comme_elle_sera_lue_et_rien_ne_s_y_execute(gestionnaire):
    faq = fabriques.faq(question="<script>alert(1)</script>", reponse="Oui.\nDeux lignes.\n\nUn paragraphe.")
    contact = fabriques.contact(nom="<b>Urgences</b>", telephone="112")
    client = entrer(gestionnaire.email)

    pages = [
        client.get(f"{url}{ligne.pk}/change/").content.decode() for url, ligne in ((FAQS, faq), (CONTACTS, contact))
    ]

    assert "<h3>&lt;script&gt;alert(1)&lt;/script&gt;</h3>" in pages[0]
    assert "<p>Oui.<br>Deux lignes.</p>" in pages[0]
    assert "<h3>&lt;b&gt;Urgences&lt;/b&gt;</h3>" in pages[1]
    assert '<p class="numero">112</p>' in pages[1]


# --- Following ------------------------------------------------------------------------------------------------------


def test_l_historique_dit_l_ancienne_valeur_et_la_nouvelle(gestionnaire):
    faq = fabriques.faq(question="Qui lit ?", reponse="L'équipe.\nElle seule.", categorie="VIE_ETUDIANTE")
    client = entrer(gestionnaire.email)

    client.post(
        f"{FAQS}{faq.pk}/change/", {**SAISIE, "reponse": "L'équipe.\r\nElle seule.", "question": "<i>Qui ?</i>"}
    )
    agir(client, "retirer", faq)
    page = client.get(f"{FAQS}{faq.pk}/history/", headers={"Accept-Language": "fr"}).content.decode()

    assert "<td>Qui lit ?</td><td>&lt;i&gt;Qui ?&lt;/i&gt;</td>" in page
    assert "<td>oui</td><td>non</td>" in page
    assert "Elle seule" not in page, "une réponse que personne n'a changée"
    assert "paul@campus.test" in page


def test_un_changement_et_neuf_se_lisent_en_autant_de_requetes(gestionnaire, django_assert_max_num_queries):
    faq = fabriques.faq()
    client = entrer(gestionnaire.email)
    page = f"{FAQS}{faq.pk}/history/"

    for nombre in (1, 8):
        for _rang in range(nombre):
            client.post(f"{FAQS}{faq.pk}/change/", {**SAISIE, "question": f"Qui lit ? {uuid4()}"})
        with django_assert_max_num_queries(6):
            assert client.get(page).status_code == 200
    assert client.get(page).context["action_list"].paginator.count == 9


def test_une_suppression_garde_les_dernieres_valeurs(gestionnaire, admin):
    faq = fabriques.faq(question="À retirer ?", reponse="Une réponse à retrouver.")
    client = entrer(gestionnaire.email)

    client.post(f"{FAQS}{faq.pk}/delete/", {"post": "yes"})

    entree = LogEntry.objects.get()
    page = entrer(admin.email).get(f"/admin/admin/logentry/{entree.pk}/change/")
    assert not Faq.objects.exists()
    assert "Une réponse à retrouver." in texte(page)


# --- Finding --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "trouvees"),
    [
        ("?q=ÉCOUTE", ["Où est la cellule d'écoute ?"]),
        ("?q=ecoute cellule", ["Où est la cellule d'écoute ?"]),
        ("?publiee__exact=0", ["Brouillon"]),
        ("?categorie=SUIVI", ["Brouillon"]),
        ("?q=introuvable", []),
    ],
)
def test_la_liste_se_cherche_et_se_filtre(gestionnaire, question, trouvees):
    fabriques.faq(question="Où est la cellule d'écoute ?")
    fabriques.faq(question="Brouillon", publiee=False, categorie="SUIVI")

    lignes = entrer(gestionnaire.email).get(FAQS + question).context["cl"].result_list

    assert [faq.question for faq in lignes] == trouvees


def test_une_question_modifiee_se_retrouve(gestionnaire):
    faq = fabriques.faq(question="Ancienne")
    client = entrer(gestionnaire.email)

    client.post(f"{FAQS}{faq.pk}/change/", {**SAISIE, "question": "Où écrire ?"})

    assert client.get(f"{FAQS}?q=ou ecrire").context["cl"].result_count == 1


@pytest.mark.parametrize(("url", "fabrique"), [(FAQS, fabriques.faq), (CONTACTS, fabriques.contact)])
def test_une_entree_et_neuf_coutent_autant_de_requetes(gestionnaire, django_assert_max_num_queries, url, fabrique):
    client = entrer(gestionnaire.email)

    fabrique()
    with django_assert_max_num_queries(9):
        client.get(url)
    for _rang in range(8):
        fabrique()
    with django_assert_max_num_queries(9):
        assert client.get(url).context["cl"].result_count == 9


def test_aucun_identifiant_n_est_montre(gestionnaire):
    faq = fabriques.faq()
    visible = html.unescape(entrer(gestionnaire.email).get(f"{FAQS}{faq.pk}/change/").content.decode())

    assert f">{faq.pk}<" not in visible


@pytest.mark.parametrize(
    ("ecrit", "dit"),
    [
        ("01 23 45 67 89 poste 12", "Sur un téléphone, ce contact appelle le 0123456789."),
        ("secrétariat", "un téléphone ne peut pas l&#x27;appeler d&#x27;un toucher"),
    ],
)
def test_qui_garde_un_contact_apprend_ce_qu_un_telephone_appelle(gestionnaire, ecrit, dit):
    contact = fabriques.contact(telephone="112")
    saisie = {"nom": "Accueil", "telephone": ecrit, "ordre": "1", "actif": "on"}

    page = entrer(gestionnaire.email).post(f"{CONTACTS}{contact.pk}/change/", saisie, follow=True)

    assert dit in page.content.decode()


# --- Its language ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("langue", "gardee"), [("en", "en"), ("", ""), (None, "")])
def test_une_question_a_une_langue_ou_les_a_toutes(gestionnaire, langue, gardee):
    donnees = SAISIE if langue is None else {**SAISIE, "langue": langue}

    entrer(gestionnaire.email).post(f"{FAQS}add/", donnees)

    assert Faq.objects.get().langue == gardee


def test_une_langue_inconnue_est_refusee_et_ce_qui_est_ecrit_reste(gestionnaire):
    refus = entrer(gestionnaire.email).post(f"{FAQS}add/", {**SAISIE, "langue": "xx"})

    assert (refus.status_code, Faq.objects.count()) == (200, 0)
    assert 'value="Qui lit ?"' in texte(refus)


def test_la_langue_d_un_contact_se_change_et_la_liste_se_filtre(gestionnaire):
    contact = fabriques.contact(nom="Écoute")
    fabriques.contact(nom="Sécurité", langue="fr")
    client = entrer(gestionnaire.email)

    client.post(f"{CONTACTS}{contact.pk}/change/", {"nom": "Écoute", "telephone": "112", "ordre": "10", "langue": "en"})

    contact.refresh_from_db()
    assert contact.langue == "en"
    liste = texte(client.get(f"{CONTACTS}?langue__exact=en"))
    assert ("Écoute" in liste, "Sécurité" in liste.partition("result_list")[2]) == (True, False)

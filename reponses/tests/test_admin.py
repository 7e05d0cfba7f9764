"""Templates and orientations in the admin site: administrators write them, look at them first, and are followed."""

import html

import pytest
from django.contrib.admin.models import LogEntry

from accounts.tests.outils import entrer
from config.tests.outils.typographie import ordinaire
from reponses.models import ModeleDeReponse, Orientation
from reponses.tests import fabriques
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte, Sorte

pytestmark = pytest.mark.django_db
MODELES, ORIENTATIONS = "/admin/reponses/modeledereponse/", "/admin/reponses/orientation/"
MODELE = {"titre": "Bien reçu", "texte_fr": "Lu {reference}.", "type": "", "statut": "", "ordre": "10", "actif": "on"}
ORIENTATION = {"type": "VOL", "texte_fr": "Gardez la facture."}


def texte(reponse):
    return ordinaire(html.unescape(reponse.content.decode()))


def erreurs(reponse):
    assert reponse.status_code == 200
    return reponse.context["adminform"].form.errors


def traces():
    lignes = Trace.objects.filter(acte=Acte.REPONSE_CHANGEE).order_by("id")
    return [(une.sorte, une.objet, une.details["quoi"], une.details.get("champs")) for une in lignes]


@pytest.mark.parametrize("url", [MODELES, ORIENTATIONS])
def test_un_gestionnaire_n_y_entre_pas(gestionnaire, url):
    client = entrer(gestionnaire.email)

    assert [client.get(page).status_code for page in (url, f"{url}add/")] == [403, 403]
    assert "réponses types" not in texte(client.get("/admin/")).lower()


def test_la_premiere_page_dit_ce_que_l_on_vient_y_faire(admin):
    page = texte(entrer(admin.email).get("/admin/"))

    assert "Préparer les réponses que l'équipe écrit souvent." in page
    assert "Dire, selon ce qui est arrivé, qui appeler, quoi garder, où être reçu." in page


def test_un_modele_s_ecrit_se_change_se_retire_et_le_registre_le_dit(admin):
    client = entrer(admin.email)
    client.post(f"{MODELES}add/", {**MODELE, "texte_fr": "  Lu\r\n{reference}. "})
    modele = ModeleDeReponse.objects.get()
    client.post(f"{MODELES}{modele.pk}/change/", {**MODELE, "type": "VOL"})
    client.post(f"{MODELES}{modele.pk}/change/", {**MODELE, "type": "VOL"})  # nothing changes
    liste = {"form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1", "form-0-id": str(modele.pk), "form-0-ordre": "10"}
    client.post(MODELES, {**liste, "_save": "Enregistrer"})
    relu = ModeleDeReponse.objects.get()
    client.post(f"{MODELES}{modele.pk}/delete/", {"post": "yes"})

    assert (modele.texte_fr, relu.texte_fr, relu.type, relu.actif) == (
        "Lu\n{reference}.",
        MODELE["texte_fr"],
        "VOL",
        False,
    )
    faits = [("creee", "titre"), ("changee", ["texte_fr", "type"]), ("changee", ["actif"]), ("supprimee", None)]
    ecrites = traces()
    assert [quoi for _sorte, _objet, quoi, _champs in ecrites] == [quoi for quoi, _champs in faits]
    assert [champs for *_debut, champs in ecrites[1:]] == [champs for _quoi, champs in faits[1:]]
    assert {(sorte, objet) for sorte, objet, *_reste in ecrites} == {(Sorte.REPONSE, modele.pk)}
    assert "Lu" not in str([une.details for une in Trace.objects.filter(acte=Acte.REPONSE_CHANGEE)])


def test_l_api_l_ecrit_au_registre_de_meme(api, admin):
    client = api(admin)
    cree = client.post("/api/v1/orientations/", {"type": "VOL", "texteFr": "Gardez."}).json()["data"]["id"]
    client.put(f"/api/v1/orientations/{cree}", {"texteFr": "Gardez tout."})
    client.delete(f"/api/v1/orientations/{cree}")

    assert [(quoi, champs) for _sorte, _objet, quoi, champs in traces()] == [
        ("creee", None),
        ("changee", ["texte_fr"]),
        ("supprimee", None),
    ]


@pytest.mark.parametrize(
    ("saisie", "champ"),
    [
        ({"titre": ""}, "titre"),
        ({"titre": "x" * 121}, "titre"),
        ({"texte_fr": "Avant {date}."}, "texte_fr"),
        ({"texte_en": "{name}"}, "texte_en"),
        ({"texte_fr": ""}, "__all__"),
        ({"texte_en": "x" * 5_001}, "texte_en"),
        ({"type": "INVENTE"}, "type"),
        ({"statut": "INVENTE"}, "statut"),
        ({"ordre": "10000"}, "ordre"),
    ],
)
def test_un_modele_faux_est_refuse_sur_son_champ(admin, saisie, champ):
    assert list(erreurs(entrer(admin.email).post(f"{MODELES}add/", {**MODELE, **saisie}))) == [champ]
    assert not ModeleDeReponse.objects.exists()


def test_une_variable_inconnue_est_nommee(admin):
    refus = erreurs(entrer(admin.email).post(f"{MODELES}add/", {**MODELE, "texte_fr": "{date} {nom}"}))

    assert refus["texte_fr"] == [
        "Rien ne remplit {date}, {nom}. Variables admises : {reference}, {echeance}, {service}."
    ]


@pytest.mark.parametrize(
    ("saisie", "champ"),
    [({"type": ""}, "type"), ({"texte_fr": ""}, "__all__"), ({"texte_fr": "x" * 3_001}, "texte_fr")],
)
def test_une_orientation_fausse_est_refusee_sur_son_champ(admin, saisie, champ):
    assert list(erreurs(entrer(admin.email).post(f"{ORIENTATIONS}add/", {**ORIENTATION, **saisie}))) == [champ]


def test_un_type_n_a_qu_une_orientation(admin):
    fabriques.orientation("VOL")

    refus = erreurs(entrer(admin.email).post(f"{ORIENTATIONS}add/", ORIENTATION))

    assert dict(refus) == {"type": ["Ce type a déjà son orientation : modifiez-la."]}


@pytest.mark.parametrize(
    ("url", "modele", "fabrique", "saisie"),
    [
        (MODELES, ModeleDeReponse, fabriques.modele, MODELE),
        (ORIENTATIONS, Orientation, fabriques.orientation, ORIENTATION),
    ],
)
def test_au_dela_de_la_borne_la_page_dit_pourquoi(admin, monkeypatch, url, modele, fabrique, saisie):
    monkeypatch.setattr(modele, "MAXIMUM", 1)
    present = fabrique()
    client = entrer(admin.email)

    refus = erreurs(client.post(f"{url}add/", {**saisie, **({"type": "AUTRE"} if modele is Orientation else {})}))[
        "__all__"
    ]

    assert refus == ["1 textes sont déjà gardés, c'est le maximum : supprimez-en un d'abord."]
    assert client.post(f"{url}{present.pk}/change/", saisie).status_code == 302


def test_un_type_qu_un_programme_a_ecrit_se_garde(admin):
    ecrit = fabriques.modele(type="ACCIDENT_DE_LABO")
    client = entrer(admin.email)

    page = texte(client.get(f"{MODELES}{ecrit.pk}/change/"))
    client.post(f"{MODELES}{ecrit.pk}/change/", {**MODELE, "type": "ACCIDENT_DE_LABO"})

    assert '<option value="ACCIDENT_DE_LABO" selected>Accident de labo</option>' in page
    assert ModeleDeReponse.objects.get().type == "ACCIDENT_DE_LABO"


def test_la_liste_se_filtre_par_type(admin):
    fabriques.modele("De tous")
    fabriques.modele("D'un vol", type="VOL")
    client = entrer(admin.email)

    page = client.get(MODELES, {"type": "VOL"})

    assert [un.titre for un in page.context["cl"].result_list] == ["D'un vol"]
    assert '<a href="?type=VOL">Vol</a>' in texte(page)
    assert "></a>" not in texte(client.get(MODELES)).partition("changelist-filter")[2]


def test_l_apercu_montre_le_texte_rempli_et_rien_ne_s_y_execute(admin, settings):
    settings.PORTAIL_NOM = "<i>Campus</i>"
    modele = fabriques.modele("<script>", texte_fr="{reference}, {service}.\n\nFin.", texte_en="Read.")
    orientation = fabriques.orientation(texte_fr="<b>Appelez</b> le 112.")
    client = entrer(admin.email)

    du_modele = client.get(f"{MODELES}{modele.pk}/change/").content.decode()
    de_l_orientation = client.get(f"{ORIENTATIONS}{orientation.pk}/change/").content.decode()

    assert "<h3>&lt;script&gt;</h3>" in du_modele
    assert "<p>SIG-2026-7K3M9QXT, &lt;i&gt;Campus&lt;/i&gt;.</p>" in du_modele
    assert '<div lang="en" dir="auto"><p>Read.</p></div>' in du_modele
    assert '<p>&lt;b&gt;Appelez&lt;/b&gt; le <a href="tel:112">112</a>.</p>' in de_l_orientation


def test_l_historique_dit_l_ancienne_valeur_et_la_nouvelle(admin):
    modele = fabriques.modele(texte_fr="Ancien.")
    client = entrer(admin.email)

    client.post(f"{MODELES}{modele.pk}/change/", {**MODELE, "texte_fr": "Nouveau."})

    page = texte(client.get(f"{MODELES}{modele.pk}/history/"))
    assert "<td>Ancien.</td><td>Nouveau.</td>" in page
    assert LogEntry.objects.get().user == admin


def test_un_texte_nouveau_est_place_en_dernier(admin):
    fabriques.modele(ordre=40)

    formulaire = entrer(admin.email).get(f"{MODELES}add/").context["adminform"].form

    assert formulaire["ordre"].value() == 50


@pytest.mark.parametrize(("url", "fabrique"), [(MODELES, fabriques.modele), (ORIENTATIONS, fabriques.orientation)])
def test_un_texte_et_neuf_coutent_autant_de_requetes(admin, django_assert_max_num_queries, url, fabrique):
    client = entrer(admin.email)

    for rang in range(9):
        fabrique(f"TYPE_{rang}")
        if rang in (0, 8):
            with django_assert_max_num_queries(10):
                assert client.get(url).context["cl"].result_count == rang + 1

"""« Exporter »: the same rows, the API's own export, its trace, its refusals as pages."""

import html
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Compte
from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from discussions.services import ecrire, ouvrir
from discussions.tests import fabriques as discussions
from equipes.tests.fabriques import confier, equipe
from espace.tests.outils import LISTE, Equipiere, texte_de
from signalements import services
from signalements.reserve import changer_lecteurs
from signalements.tests.fabriques import mettre, signalement
from socle.audit.tests.outils import traces
from socle.audit.vocabulaire import Acte
from socle.domaine import droits
from socle.domaine.limites import Taux
from socle.domaine.temps import jour_du_campus
from stats.models import Export
from stats.tests.conftest import depot, magasin, serveur_s3
from stats.tests.outils import Classeur, exporter, lignes_csv, octets, references
from stats.vocabulaire import StatutExport

__all__ = ["depot", "magasin", "serveur_s3"]
pytestmark = pytest.mark.django_db
EXPORTER, TABLEAU = "/equipe/exporter/", "/equipe/tableau/"
VUES = ["a-faire", "ouverts", "clos", "a-moi", "non-attribues", "non-lus"]


def formulaire(page):
    """The hidden fields of the form of the page, None without one."""
    corps = page.partition(f'action="{EXPORTER}"')[2].partition("</form>")[0]
    if not corps:
        return None
    champs = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', corps)
    return {nom: html.unescape(valeur) for nom, valeur in champs if nom != "csrfmiddlewaretoken"}


def montrees(page):
    return set(re.findall(r"SIG-\d{4}-\w{8}", page.partition('id="lignes"')[2].partition("</ul>")[0]))


def demander(elle, adresse, /, format_="csv", **question):
    """The answer to the form of this page."""
    return elle.envoyer(EXPORTER, {**formulaire(elle.lire(adresse, **question)), "format": format_})


def rendu(reponse):
    return lignes_csv(octets(reponse))


@pytest.fixture
def scene(etudiante, gestionnaire, admin):
    """One case for each list, one that is closed to the manager, one their own."""
    noms = ("libre", "a_moi", "a_elle", "non_lu", "traite", "clos", "ferme")
    dossiers = {nom: signalement(acteur_de(etudiante), titre=nom) for nom in noms}
    for nom, qui in (("a_moi", gestionnaire), ("a_elle", admin), ("non_lu", admin)):
        services.assigner(signalement=dossiers[nom], gestionnaire_id=qui.pk, acteur=acteur_de(admin))
    for nom, statut in (("traite", "TRAITE"), ("clos", "CLOTURE")):
        services.changer_statut(signalement=dossiers[nom], statut=statut, acteur=acteur_de(admin))
    discussion = discussions.discussion(acteur_de(etudiante), signalement=dossiers["non_lu"])
    discussions.message(acteur_de(etudiante), discussion)
    changer_lecteurs(signalement=dossiers["ferme"], acteur=acteur_de(admin), ecartes=[gestionnaire.pk])
    dossiers["le_mien"] = signalement(acteur_de(gestionnaire), titre="le_mien")
    services.assigner(signalement=dossiers["le_mien"], gestionnaire_id=admin.pk, acteur=acteur_de(admin))
    return dossiers


# --- What a page shows ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vue", VUES)
@pytest.mark.parametrize(
    "question", [{}, {"search": "libre"}, {"statut": "TRAITE"}, {"debut": "2020-01-01", "sourceActeur": "AUTH_USER"}]
)
def test_une_liste_s_exporte_telle_qu_elle_se_montre(elle, scene, vue, question):
    page = elle.lire(vue=vue, **question)

    assert references(rendu(demander(elle, LISTE, vue=vue, **question))) == montrees(page)


@pytest.mark.parametrize(("vue", "attendus"), [("en-retard", {"a_moi", "clos"}), ("bientot", {"libre", "non_lu"})])
def test_une_liste_de_dates_s_exporte_telle_qu_elle_se_montre(elle, scene, vue, attendus):
    aujourd_hui = jour_du_campus()
    for nom, jours in (("a_moi", -1), ("clos", -9), ("libre", 0), ("non_lu", 2), ("a_elle", 30), ("ferme", -1)):
        mettre(scene[nom], prochaine_echeance=aujourd_hui + timedelta(days=jours))

    lignes = rendu(demander(elle, LISTE, vue=vue))

    assert references(lignes) == montrees(elle.lire(vue=vue)) == {scene[nom].reference for nom in attendus}


@pytest.mark.parametrize("qui", ["admin", "gestionnaire", "aucun"])
def test_un_responsable_choisi_se_garde(elle, scene, personne, qui):
    cle = qui if qui == "aucun" else str(personne(qui).pk)
    page = elle.lire(gestionnaireId=cle)

    lignes = rendu(demander(elle, LISTE, gestionnaireId=cle))

    assert references(lignes) == montrees(page)
    assert scene["le_mien"].reference not in references(lignes)


def test_une_reference_mene_a_son_dossier_dans_l_export_aussi(elle, scene):
    lignes = rendu(demander(elle, LISTE, search=scene["clos"].reference))

    assert references(lignes) == {scene["clos"].reference}


def test_ce_qu_un_export_ne_sait_pas_dire_n_est_pas_propose(elle, scene, admin):
    for question in ({"vue": "jamais-lus"}, {"vue": "a-moi", "gestionnaireId": str(admin.pk)}):
        assert formulaire(elle.lire(**question)) is None
    assert formulaire(elle.lire(attendu=422, statut="X")) is None
    assert formulaire(elle.lire(vue="a-moi", gestionnaireId=str(elle.compte.pk))) is not None


def test_les_dossiers_finis_qui_viennent_d_abord_sont_dits_absents(elle, scene, etudiante):
    auteur = acteur_de(etudiante)
    fil = ouvrir(acteur=auteur, titre="Encore", signalement_id=scene["clos"].pk)
    ecrire(acteur=auteur, discussion=fil, contenu="Il recommence.")
    page = elle.lire(vue="non-attribues")

    assert scene["clos"].reference in montrees(page)
    assert "Les dossiers finis où l'on a écrit depuis n'y sont pas." in page
    assert scene["clos"].reference not in references(rendu(demander(elle, LISTE, vue="non-attribues")))
    assert "n'y sont pas" not in elle.lire(vue="ouverts")


@pytest.mark.parametrize("question", [{}, {"type": "vol"}, {"fin": "2026-01-01"}, {"debut": "2026-01-01"}])
def test_le_tableau_exporte_les_dossiers_qu_il_compte(elle, scene, etudiante, question):
    mettre(signalement(acteur_de(etudiante), type="VOL"), date_creation=timezone.now() - timedelta(days=900))
    recus = elle.get(TABLEAU, question).context["total"]

    assert len(rendu(demander(elle, TABLEAU, **question))) == recus > 0


def test_le_tableau_dit_que_son_export_ne_tient_que_ce_que_l_on_lit(elle, scene, admin, gestionnaire):
    confier(scene["libre"], equipe(gestionnaire))
    rose = Equipiere(admin)
    dit = "Il ne contient que les dossiers que vous pouvez lire, parmi ceux que le tableau compte."

    assert dit in rose.lire(TABLEAU)
    assert len(rendu(demander(rose, TABLEAU))) < rose.get(TABLEAU).context["total"]
    assert dit not in rose.lire(LISTE, vue="ouverts")
    assert dit not in elle.lire(TABLEAU)  # counts no other


def test_rien_n_est_exporte_que_l_api_n_exporterait(elle, scene, api, gestionnaire):
    de_l_api = {ligne["Référence"]: ligne for ligne in exporter(api(gestionnaire))}

    for reponse in (demander(elle, LISTE, vue="ouverts"), demander(elle, TABLEAU)):
        lignes = rendu(reponse)
        assert all(ligne == de_l_api[ligne["Référence"]] for ligne in lignes)
        assert scene["ferme"].reference not in references(lignes)
        (le_mien,) = [ligne for ligne in lignes if ligne["Titre"] == "le_mien"]
        assert le_mien["Gestionnaire"] == ""


def test_une_formule_est_neutralisee_et_un_xlsx_en_est_un(elle, etudiante):
    signalement(acteur_de(etudiante), titre="=HYPERLINK(1)")

    texte = rendu(demander(elle, LISTE, vue="ouverts"))
    classeur = demander(elle, LISTE, "xlsx", vue="ouverts")

    assert texte[0]["Titre"] == "'=HYPERLINK(1)"
    assert classeur.headers["Content-Disposition"] == f'attachment; filename="{Export.objects.get(format="xlsx")}"'
    lu = Classeur(octets(classeur))
    assert (lu.formules, lu.feuilles[0][0]["Titre"]) == (0, "=HYPERLINK(1)")


# --- Its trace, its refusals ----------------------------------------------------------------------------------------


def test_l_export_et_son_telechargement_sont_au_registre(elle, scene):
    demander(elle, LISTE, vue="a-moi", search="a_moi")

    export = Export.objects.get()
    (demande,), (telecharge,) = traces(Acte.EXPORT_DEMANDE), traces(Acte.EXPORT_TELECHARGE)
    assert (demande.objet, demande.acteur) == (export.pk, elle.compte.pk)
    assert demande.details == {
        "format": "csv",
        "part": "ouverts",
        "search": "a_moi",
        "gestionnaireId": str(elle.compte.pk),
    }
    assert (telecharge.objet, telecharge.acteur) == (export.pk, elle.compte.pk)


def test_la_reponse_ne_se_garde_pas(elle, signalement):
    reponse = demander(elle, LISTE, vue="ouverts")

    assert reponse.headers["Cache-Control"] == "no-store"
    assert reponse.headers["Content-Type"] == "text/csv; charset=utf-8"


@pytest.mark.parametrize(
    "champs",
    [
        {"format": "ods"},
        {"part": "tout"},
        {"statut": "OUVERT"},
        {"debut": "hier"},
        {"gestionnaireId": "paul"},
        {"nonLus": "oui"},
        {"search": "a" * 201},
        {"search": "a\x00b"},
    ],
)
def test_ce_qui_ne_se_lit_pas_est_une_page_et_rien_n_est_garde(elle, signalement, depot, champs):
    reponse = elle.envoyer(EXPORTER, champs)

    assert reponse.status_code == 422
    assert "Ce n'est pas possible" in texte_de(reponse)
    assert not Export.objects.exists()
    assert not depot.exists()


def test_sans_format_c_est_un_csv_et_un_champ_inconnu_n_y_change_rien(elle, signalement):
    reponse = elle.envoyer(EXPORTER, {"inconnu": "x", "acteur": "moi"})

    assert len(rendu(reponse)) == 1
    assert Export.objects.get().filtres == {}


def test_une_adresse_ouverte_a_la_main_mene_aux_dossiers(elle):
    assert elle.get(EXPORTER).headers["Location"] == LISTE


def test_qui_ne_peut_pas_exporter_n_a_ni_bouton_ni_fichier(elle, gestionnaire, signalement, monkeypatch):
    gardes = droits.DROITS["GESTIONNAIRE"] - {droits.Droit.STATS_EXPORTER}
    monkeypatch.setitem(droits.DROITS, "GESTIONNAIRE", gardes)

    assert [formulaire(elle.lire(adresse)) for adresse in (LISTE, TABLEAU)] == [None, None]
    assert elle.envoyer(EXPORTER, {"format": "csv"}).status_code == 403


def test_sans_jeton_rien_n_est_exporte(elle, signalement):
    assert elle.post(EXPORTER, {"format": "csv"}).status_code == 403
    assert not Export.objects.exists()


def test_les_exports_sont_comptes_avec_ceux_de_l_api(elle, api, gestionnaire, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "export": Taux.lire("2/h")}
    api(gestionnaire).post("/api/v1/stats/signalements/export")

    reponses = [elle.envoyer(EXPORTER, {"format": "csv"}) for _fois in range(2)]

    assert [une.status_code for une in reponses] == [200, 429]
    assert "Retry-After" in reponses[1].headers


def test_un_guest_id_colle_dans_une_recherche_n_est_pas_garde(elle, invite):
    elle.envoyer(EXPORTER, {"search": str(invite.guest_id)})

    assert str(invite.guest_id) not in str(Export.objects.get().filtres)


# --- A large one ----------------------------------------------------------------------------------------------------


@pytest.fixture
def grand(elle, scene, settings):
    """grand(): the address where a large export will be."""
    settings.EXPORT_BACKGROUND_ROWS = 0
    return lambda **question: demander(elle, LISTE, **({"vue": "ouverts"} | question))


def test_un_grand_export_a_une_page_qui_dit_ou_il_en_est(elle, grand):
    reponse = grand()
    export = Export.objects.get()

    assert (reponse.status_code, reponse.headers["Location"]) == (303, f"/equipe/exports/{export.pk}/")
    page = elle.lire(reponse.headers["Location"])
    assert "Il sera ici : gardez cette page, ou son adresse." in page
    assert f'data-socket="/api/v1/ws/user:{elle.compte.pk}"' in page
    assert "jeton=" not in page


def pret(export, **champs):
    demain = timezone.now() + timedelta(days=1)
    ecrit = {"seau": "local", "cle": "exports/x", "lignes": 3, "taille": 9, "date_expiration": demain}
    fini = {"statut": StatutExport.PRET, "date_fin": timezone.now(), **ecrit, **champs}
    Export.objects.filter(pk=export.pk).update(**fini)


def test_pret_la_page_y_mene_et_fini_elle_le_dit(elle, grand):
    adresse = grand().headers["Location"]
    export = Export.objects.get()

    pret(export)
    page = elle.lire(adresse)
    assert f"/api/v1/stats/exports/{export.pk}/fichier?jeton=" in page
    assert export.nom_fichier in page

    pret(export, cle="")
    assert "Ce fichier n'est plus gardé." in elle.lire(adresse)

    Export.objects.filter(pk=export.pk).update(statut=StatutExport.ECHEC)
    assert "n'a pas pu être écrit" in elle.lire(adresse)


def test_la_page_d_un_export_est_a_qui_l_a_demande_et_aux_administrateurs(grand, admin, etudiante):
    adresse = grand().headers["Location"]
    changes = [Equipiere(qui).get(adresse).status_code for qui in (comptes.gestionnaire(), etudiante)]

    assert changes == [404, 403]
    assert Equipiere(admin).get(adresse).status_code == 200
    assert len(traces(Acte.EXPORT_OUVERT)) == 1


def test_un_grand_export_ecrit_ce_que_la_page_montrait(elle, grand, scene):
    """The part and the unread are read again by the task, for who asked."""
    from stats.exports.selection import signalements_a_exporter

    for vue in VUES:
        grand(vue=vue)
        export = Export.objects.latest("date_creation")
        lues = signalements_a_exporter(acteur_de(elle.compte), export.filtres)
        assert {un.reference for un in lues} == montrees(elle.lire(vue=vue))


def test_dans_un_seau_la_page_de_l_export_y_mene(elle, signalement, monkeypatch):
    """A form may lead to no other host; a link may."""
    monkeypatch.setattr("stats.exports.fichier.ranger", lambda contenu, dossier: ("un-seau", f"{dossier}/x"))

    reponse = demander(elle, LISTE, vue="ouverts")

    assert (reponse.status_code, reponse.headers["Location"]) == (303, f"/equipe/exports/{Export.objects.get().pk}/")
    assert "jeton=" in elle.lire(reponse.headers["Location"])


def test_un_compte_qui_n_est_plus_de_l_equipe_n_exporte_plus(elle, signalement):
    elle.lire(vue="ouverts")
    Compte.objects.filter(pk=elle.compte.pk).update(type_utilisateur="UTILISATEUR")

    assert elle.envoyer(EXPORTER, {"format": "csv"}).status_code == 403

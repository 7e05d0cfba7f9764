"""The ticked rows of a list: confided together, each said, and exported."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from espace.pages import lot as pages
from espace.services.lots import Choisi
from espace.tests.outils import LISTE, Equipiere, texte_de
from espace.tests.test_exporter import EXPORTER
from espace.vocabulaire import TAILLE
from signalements import services
from signalements.models import EntreeTimeline, Signalement
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques
from socle.audit.tests.outils import traces
from socle.audit.vocabulaire import Acte
from socle.domaine import droits
from socle.domaine.limites import Taux
from stats.models import Export
from stats.tests.outils import EXPORT, lignes_csv, octets, references

pytestmark = pytest.mark.django_db
CONFIER = "/equipe/confier/"
ADRESSE = "?vue=ouverts"


@pytest.fixture
def trois(etudiante):
    return [fabriques.signalement(acteur_de(etudiante), titre=f"Le dossier {rang}") for rang in range(3)]


def cases(page):
    """The boxes of a page: what each would send, and whether it is ticked."""
    trouvees = re.findall(r'<input type="checkbox" form="lot" name="dossier" value="([^"]+)"( checked)?', page)
    return {valeur: bool(coche) for valeur, coche in trouvees}


def confier(elle, dossiers, qui, **donnees):
    valeurs = [un if isinstance(un, str) else str(un.pk) for un in dossiers]
    return elle.envoyer(CONFIER, {"liste": ADRESSE, "dossier": valeurs, "gestionnaire_id": str(qui), **donnees})


def suivre(elle, reponse):
    assert reponse.status_code == 303, reponse.content.decode()[:500]
    return texte_de(elle.get(reponse.headers["Location"].partition("#")[0]))


def responsables(dossiers):
    return [Signalement.objects.get(pk=un.pk).gestionnaire_id for un in dossiers]


def sans_droit(monkeypatch, *retires):
    monkeypatch.setitem(droits.DROITS, "GESTIONNAIRE", droits.DROITS["GESTIONNAIRE"] - set(retires))


def test_des_dossiers_coches_sont_confies_et_chacun_est_dit(elle, admin, trois):
    page = suivre(elle, confier(elle, trois[:2], admin.pk))

    assert responsables(trois) == [admin.pk, admin.pk, None]
    fait = page.partition('id="fait"')[2].partition("</p>")[0]
    assert f"2 dossiers confiés à <bdi>{admin.nom_complet}</bdi> :" in fait
    assert [un.reference in fait for un in trois] == [True, True, False]
    assert 'class="resume"' not in page
    assert not any(cases(page).values())


def test_les_prendre_dit_que_l_on_s_en_occupe(elle, trois):
    page = suivre(elle, confier(elle, trois[:1], elle.compte.pk))

    assert responsables(trois[:1]) == [elle.compte.pk]
    assert "Vous vous occupez de 1 dossier :" in page


def test_celui_qu_une_collegue_a_pris_entre_temps_est_laisse_et_dit(elle, admin, trois):
    coches = list(cases(elle.lire(vue="ouverts")))
    services.assigner(signalement=trois[1], gestionnaire_id=admin.pk, acteur=acteur_de(admin))

    page = suivre(elle, confier(elle, coches, elle.compte.pk))

    assert responsables(trois) == [elle.compte.pk, admin.pk, elle.compte.pk]
    reste = page.partition('class="resume"')[2].partition("</div>")[0]
    assert "1 dossier n'a pas été confié" in reste
    assert trois[1].reference in reste
    assert f"<bdi>{admin.nom_complet}</bdi> s'en occupe." in reste
    assert trois[0].reference in page.partition('id="fait"')[2].partition("</p>")[0]
    assert [valeur for valeur, est_cochee in cases(page).items() if est_cochee] == [f"{trois[1].pk}.{admin.pk}"]
    assert 'id="lignes" class="lignes" tabindex="-1" data-demande' in page  # no refresh takes the tick away
    # Sent again, of what is shown now.
    suivre(elle, confier(elle, [f"{trois[1].pk}.{admin.pk}"], elle.compte.pk))
    assert responsables(trois) == [elle.compte.pk] * 3


def test_celui_que_la_personne_ne_peut_pas_lire_est_laisse_et_dit(elle, admin, trois):
    autre = comptes.compte(email="autre@campus.test", type_utilisateur="GESTIONNAIRE", nom="Loin", prenom="Zoé")
    changer_lecteurs(signalement=trois[0], acteur=acteur_de(admin), ecartes=[autre.pk])

    page = suivre(elle, confier(elle, trois[:2], autre.pk))

    assert responsables(trois[:2]) == [None, autre.pk]
    assert f"{trois[0].reference}</span></a> : <bdi>{autre.nom_complet}</bdi> ne peut pas le lire." in page


def test_ferme_ou_inconnu_se_disent_pareil(elle, admin, trois):
    changer_lecteurs(signalement=trois[0], acteur=acteur_de(admin), ecartes=[elle.compte.pk])
    inconnu = "0" * 32

    for cle in (str(trois[0].pk), inconnu):
        page = suivre(elle, confier(elle, [cle], elle.compte.pk))
        assert "1 dossier ne se trouve plus." in page
        assert trois[0].reference not in page
    assert responsables(trois[:1]) == [None]


def test_son_propre_dossier_n_a_pas_de_case_et_ne_se_confie_pas(elle, admin, gestionnaire):
    le_mien = fabriques.signalement(acteur_de(gestionnaire), titre="Le mien")

    page = suivre(elle, confier(elle, [le_mien], gestionnaire.pk))

    assert responsables([le_mien]) == [None]
    assert cases(elle.lire(vue="ouverts")) == {}
    assert le_mien.reference not in page.partition('class="resume"')[2].partition("</div>")[0]


def test_un_second_clic_ne_change_rien(elle, admin, trois):
    confier(elle, trois, admin.pk)
    avant = EntreeTimeline.objects.count()

    page = suivre(elle, confier(elle, trois, admin.pk))

    assert EntreeTimeline.objects.count() == avant
    assert "3 dossiers confiés à" in page


@pytest.mark.parametrize("qui", ["", "personne", "0" * 32, "{etudiante}", "{inactif}"])
def test_sans_personne_de_l_equipe_rien_n_est_fait_et_les_cases_restent(elle, etudiante, admin, trois, qui):
    inactif = comptes.compte(email="partie@campus.test", type_utilisateur="GESTIONNAIRE", est_actif=False)
    qui = qui.replace("{etudiante}", str(etudiante.pk)).replace("{inactif}", str(inactif.pk))

    reponse = confier(elle, trois[:2], qui)

    page = texte_de(reponse)
    assert reponse.status_code == 422
    assert "Choisissez une personne active de l'équipe." in page
    assert [valeur for valeur, coche in cases(page).items() if coche] == [str(trois[1].pk), str(trois[0].pk)]
    assert responsables(trois) == [None] * 3


def test_sans_case_rien_n_est_fait(elle, admin, trois):
    for valeurs in ([], ["x", "1.2", "é" * 500]):
        reponse = confier(elle, valeurs, admin.pk)
        assert reponse.status_code == 422
        assert "Cochez d'abord des dossiers de la liste." in texte_de(reponse)
    assert responsables(trois) == [None] * 3


def test_plus_d_une_page_a_la_fois_est_refuse(elle, admin, trois):
    de_trop = [f"{rang:032x}" for rang in range(TAILLE)] + [str(trois[0].pk)]

    reponse = confier(elle, de_trop, admin.pk)

    assert (reponse.status_code, responsables(trois[:1])) == (422, [None])
    assert "50 dossiers au plus à la fois." in texte_de(reponse)


def test_un_lot_compte_comme_autant_d_actes(elle, admin, trois, settings):
    elle.lire()
    settings.THROTTLE_ENABLED, settings.THROTTLES = True, {**settings.THROTTLES, "general": Taux(3, 3600)}

    reponse = confier(elle, trois, admin.pk)

    assert (reponse.status_code, responsables(trois)) == (429, [None] * 3)


def test_une_erreur_que_personne_n_attend_n_est_pas_avalee(elle, admin, trois, monkeypatch):
    def tomber(**_options):
        raise RuntimeError

    monkeypatch.setattr(pages, "confier", tomber)
    with pytest.raises(RuntimeError):
        confier(elle, trois, admin.pk)


def test_qui_ne_confie_pas_n_a_ni_la_barre_ni_l_acte(elle, admin, trois, monkeypatch):
    sans_droit(monkeypatch, droits.Droit.SIGNALEMENTS_ASSIGNER)

    page = elle.lire(vue="ouverts")

    assert 'id="lot_a"' not in page
    assert len(cases(page)) == 3  # to export
    assert confier(elle, trois, admin.pk).status_code == 403
    sans_droit(monkeypatch, droits.Droit.STATS_EXPORTER)
    page = elle.lire(vue="ouverts")
    assert (cases(page), 'id="lot"' in page) == ({}, False)
    assert responsables(trois) == [None] * 3


def test_l_adresse_d_un_lot_ne_dit_que_ce_que_l_on_lit(elle, admin, etudiante, trois):
    """It is what anybody may write: it shows what is there, never what it says."""
    for confies_a in (str(etudiante.pk), "x", str(admin.pk)):
        page = elle.lire(vue="ouverts", confies_a=confies_a, lot=[trois[0].pk.hex, "x", "é"])
        assert "confiés à" not in page
        assert ("n'a pas été confié" in page) == (confies_a == str(admin.pk))


def test_un_lot_de_plus_ne_coute_pas_une_requete_de_plus_a_lire(elle, admin, trois):
    def requetes(*dossiers):
        adresse = f"{LISTE}?vue=ouverts&confies_a={admin.pk}" + "".join(f"&lot={un.pk.hex}" for un in dossiers)
        with CaptureQueriesContext(connection) as lues:
            elle.get(adresse)
        return len(lues)

    elle.lire(vue="ouverts")
    assert requetes(trois[0]) == requetes(*trois)


def test_confier_n_est_qu_un_envoi(elle):
    assert elle.get(CONFIER, {"vue": "clos"}).headers["Location"] == "/equipe/dossiers/?vue=clos"


def test_une_case_se_lit_une_fois_et_dans_un_ordre(trois):
    cles = [str(un.pk) for un in trois]

    assert Choisi.lus_dans([cles[2], f"{cles[0]}.x", cles[2], "y"]) == sorted(
        [Choisi(trois[0].pk, "x"), Choisi(trois[2].pk, "")]
    )


# --- Exported -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", ["csv", "xlsx"])
def test_les_coches_s_exportent_et_eux_seuls(elle, admin, trois, format_):
    services.changer_statut(signalement=trois[2], statut="CLOTURE", acteur=acteur_de(admin))
    coches = [str(trois[0].pk), f"{trois[2].pk}.{admin.pk}"]

    reponse = elle.envoyer(EXPORTER, {"choisis": "oui", "dossier": coches, "format": format_})

    assert reponse.status_code == 200
    octets(reponse)
    export = Export.objects.get()
    assert (export.lignes, export.format) == (2, format_)
    assert export.filtres == {"choisis": sorted(str(un.pk) for un in (trois[0], trois[2]))}


def test_l_export_des_coches_est_celui_de_la_liste(elle, trois):
    reponse = elle.envoyer(EXPORTER, {"choisis": "oui", "dossier": [str(un.pk) for un in trois[:2]]})

    assert references(lignes_csv(octets(reponse))) == {un.reference for un in trois[:2]}


def test_le_registre_dit_combien_et_montre_chacun(elle, trois):
    octets(elle.envoyer(EXPORTER, {"choisis": "oui", "dossier": [str(un.pk) for un in trois[:2]]}))

    (demande,) = traces(Acte.EXPORT_DEMANDE)
    assert demande.details == {"format": "csv", "nombre": 2}
    assert {un.objet for un in traces(Acte.SIGNALEMENT_MONTRE)} >= {un.pk for un in trois[:2]}


def test_ni_le_sien_ni_un_dossier_ferme_ne_s_exporte(elle, admin, gestionnaire, trois):
    le_mien = fabriques.signalement(acteur_de(gestionnaire), titre="Le mien")
    changer_lecteurs(signalement=trois[0], acteur=acteur_de(admin), ecartes=[gestionnaire.pk])

    reponse = elle.envoyer(EXPORTER, {"choisis": "oui", "dossier": [str(un.pk) for un in (le_mien, *trois)]})

    assert references(lignes_csv(octets(reponse))) == {un.reference for un in trois[1:]}
    assert not {le_mien.pk, trois[0].pk} & {un.objet for un in traces(Acte.SIGNALEMENT_MONTRE)}


@pytest.mark.parametrize("cases_", [[], ["x"], [f"{rang:032x}" for rang in range(TAILLE + 1)]])
def test_sans_case_ou_avec_trop_rien_ne_s_exporte(elle, trois, cases_):
    reponse = elle.envoyer(EXPORTER, {"choisis": "oui", "dossier": cases_, "part": "ouverts"})

    assert (reponse.status_code, Export.objects.count()) == (422, 0)


def test_l_api_n_a_pas_ce_filtre(api, gestionnaire, trois):
    """Only a page knows what was ticked."""
    reponse = api(gestionnaire).post(EXPORT, {"choisis": [str(trois[0].pk)]})

    assert (reponse.status_code, Export.objects.get().filtres) == (201, {})


def test_la_page_s_ouvre_a_une_autre_equipiere(admin, trois):
    assert len(cases(Equipiere(admin).lire(vue="ouverts"))) == 3

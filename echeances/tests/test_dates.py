"""Dates of a case: none before a yes, written with it, kept by messages, extended once, shown to its author."""

import re
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.tests.outils.clients import acteur_de
from discussions import services as discussions
from discussions.conversation import repondre
from discussions.models import Message
from echeances.en_vigueur import EnVigueur, en_vigueur
from echeances.entretien import dater_les_dossiers_ouverts
from echeances.models import ChoixDesDates, Delai, Echeance
from echeances.services import choisir, prolonger
from echeances.vocabulaire import PARTOUT_SU
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.fabriques import fusionner
from signalements.compteurs.lectures import lire
from signalements.compteurs.recompte import ecarts
from signalements.models import Signalement
from signalements.tests import fabriques
from socle.audit.models import Trace
from socle.domaine.memoire import FRAICHEUR

pytestmark = pytest.mark.django_db
LUNDI = datetime(2026, 3, 2, 10, tzinfo=UTC)
CHOIX = "/api/v1/delais/choix"


@pytest.fixture(autouse=True)
def _un_lundi(time_machine):
    time_machine.move_to(LUNDI, tick=False)


def jours(dossier):
    """{nature: (day promised, day kept)} as the row of the case shows them."""
    dossier.refresh_from_db()
    return {une["nature"]: (une["pourLe"], une["faiteLe"]) for une in dossier.echeances}


def ecrire(qui, dossier, **options):
    acteur = acteur_de(qui)
    fil = dossier.discussions.first() or discussions.ouvrir(acteur=acteur, titre="Suite", signalement_id=dossier.pk)
    return discussions.ecrire(acteur=acteur, discussion=fil, contenu="Bonjour", **options)


def adresse(dossier, *suite):
    return "/".join((f"/api/v1/signalements/{dossier.pk}/echeances", *map(str, suite)))


def date_de(dossier, nature):
    return Echeance.objects.get(signalement=dossier, nature=nature)


def compte_des_retours():
    comptes = lire("priorite", axe="ECHEANCE", statut="RETOUR")
    return {etat: mesures.nombre for (etat,), mesures in comptes.items() if mesures.nombre}


def test_aucune_date_avant_un_oui(api, etudiante, gestionnaire):
    dossier = fabriques.signalement(acteur_de(etudiante))
    rendu = api(etudiante).get(f"/api/v1/signalements/{dossier.pk}").json()["data"]

    assert not Delai.objects.filter(actif=True).exists()
    assert "echeances" not in rendu
    assert api(gestionnaire).get(CHOIX).json()["data"] == {"accepte": None, "dateChoix": None}
    assert not Echeance.objects.exists()


def test_un_entretien_n_a_pas_de_date_avant_un_oui_ni_apres_un_non(api, etudiante, gestionnaire, admin):
    dossier = fabriques.signalement(acteur_de(etudiante))
    avant = api(gestionnaire).post(adresse(dossier), {"pourLe": "2026-03-20"})
    choisir(acteur=acteur_de(admin), accepte=False)
    apres = api(gestionnaire).post(adresse(dossier), {"pourLe": "2026-03-20"})

    assert [(r.status_code, r.json()["details"][0]["field"]) for r in (avant, apres)] == [(422, "pourLe")] * 2
    assert not Echeance.objects.exists()


def test_un_administrateur_dit_oui_et_les_trois_delais_legaux_sont_actifs(api, admin, gestionnaire):
    refus = api(gestionnaire).put(CHOIX, {"accepte": True})
    reponse = api(admin).put(CHOIX, {"accepte": True})
    api(admin).put(CHOIX, {"accepte": True})

    assert (refus.status_code, reponse.status_code) == (403, 200)
    delais = api(gestionnaire).get("/api/v1/delais/").json()["data"]["items"]
    assert {(d["nature"], d["nombre"], d["unite"], d["actif"]) for d in delais} == {
        ("ACCUSE", 7, "JOURS_OUVRES", True),
        ("ENTRETIEN", 20, "JOURS_OUVRES", True),
        ("RETOUR", 3, "MOIS", True),
    }
    assert Trace.objects.filter(acte="DATES_CHOISIES").count() == 2


def test_dire_non_ne_donne_plus_de_dates_et_laisse_celles_qui_sont(etudiante, admin, dates):
    dossier = fabriques.signalement(acteur_de(etudiante))
    choisir(acteur=acteur_de(admin), accepte=False)
    autre = fabriques.signalement(acteur_de(etudiante), titre="Un autre")

    assert len(jours(dossier)) == 2
    assert jours(autre) == {}


def test_un_nouveau_dossier_a_ses_dates_que_son_auteur_et_l_equipe_lisent(api, etudiante, gestionnaire, dates):
    dossier = fabriques.signalement(acteur_de(etudiante))

    assert jours(dossier) == {"ACCUSE": ("2026-03-11", None), "RETOUR": ("2026-06-02", None)}
    assert dossier.prochaine_echeance == date(2026, 3, 11)
    for qui in (etudiante, gestionnaire):
        rendu = api(qui).get(f"/api/v1/signalements/{dossier.pk}").json()["data"]["echeances"]
        assert [(une["nature"], une["pourLe"], une["faiteLe"]) for une in rendu] == [
            ("ACCUSE", "2026-03-11", None),
            ("RETOUR", "2026-06-02", None),
        ]


def test_le_delai_d_un_type_remplace_celui_de_tous(etudiante, dates):
    Delai.objects.create(nature="ACCUSE", type="VOL", nombre=2, unite="JOURS", actif=True)
    Delai.objects.create(nature="AUTRE", libelle="une visite", nombre=1, unite="JOURS", actif=True)
    vol, autre = (fabriques.signalement(acteur_de(etudiante), type=type_, titre=type_) for type_ in ("VOL", "AUTRE"))

    assert jours(vol)["ACCUSE"] == ("2026-03-04", None)
    assert jours(autre)["ACCUSE"] == ("2026-03-11", None)
    assert jours(vol)["AUTRE"] == ("2026-03-03", None)


def test_le_premier_message_de_l_equipe_tient_l_accuse_et_rien_d_autre(invite, signalement_invite, gestionnaire, admin):
    choisir(acteur=acteur_de(admin), accepte=True)
    dossier = fabriques.signalement(acteur_de(invite), titre="Après")
    ecrire(invite, dossier)
    avant = jours(dossier)
    ecrire(gestionnaire, dossier)
    ecrire(gestionnaire, dossier)

    assert avant["ACCUSE"] == ("2026-03-11", None)
    assert jours(dossier) == {"ACCUSE": ("2026-03-11", "2026-03-02"), "RETOUR": ("2026-06-02", None)}
    assert dossier.prochaine_echeance == date(2026, 6, 2)
    assert dossier.timeline.filter(type="ECHEANCE").count() == 1


def test_une_note_interne_ne_tient_rien(etudiante, gestionnaire, dates):
    from signalements.services import ajouter_note

    dossier = fabriques.signalement(acteur_de(etudiante))
    ajouter_note(signalement=dossier, contenu="À voir", acteur=acteur_de(gestionnaire))

    assert jours(dossier)["ACCUSE"] == ("2026-03-11", None)


def test_le_message_marque_tient_le_retour(api, etudiante, gestionnaire, dates):
    dossier = fabriques.signalement(acteur_de(etudiante))
    fil = discussions.ouvrir(acteur=acteur_de(etudiante), titre="Suite", signalement_id=dossier.pk)
    chemin = f"/api/v1/discussions/{fil.pk}/messages"

    de_l_auteur = api(etudiante).post(chemin, {"contenu": "Et alors ?", "retour": True})
    de_l_equipe = api(gestionnaire).post(chemin, {"contenu": "Voici ce qui fut fait.", "retour": True})

    assert (de_l_auteur.status_code, de_l_equipe.status_code) == (422, 201)
    assert jours(dossier) == {"ACCUSE": ("2026-03-11", "2026-03-02"), "RETOUR": ("2026-06-02", "2026-03-02")}
    assert dossier.prochaine_echeance is None


def test_les_memes_mots_marques_ensuite_tiennent_le_retour_une_fois(etudiante, gestionnaire, dates):
    dossier = fabriques.signalement(acteur_de(etudiante))
    for retour in (False, True, True):
        repondre(acteur=acteur_de(gestionnaire), dossier=dossier, contenu="Voici ce qui fut fait.", retour=retour)

    assert jours(dossier)["RETOUR"] == ("2026-06-02", "2026-03-02")
    assert Message.objects.count() == 2


def test_le_retour_se_prolonge_une_fois_avec_un_motif(api, etudiante, gestionnaire, dates):
    dossier = fabriques.signalement(acteur_de(etudiante))
    chemin = adresse(dossier, "prolongation")

    sans_motif = api(gestionnaire).put(chemin, {"pourLe": "2026-07-01", "motif": " "})
    trop_tot = api(gestionnaire).put(chemin, {"pourLe": "2026-06-02", "motif": "Enquête"})
    trop_loin = api(gestionnaire).put(chemin, {"pourLe": "2028-07-01", "motif": "Enquête"})
    faite = api(gestionnaire).put(chemin, {"pourLe": "2026-07-01", "motif": "L'enquête continue."})
    encore = api(gestionnaire).put(chemin, {"pourLe": "2026-08-01", "motif": "Encore."})

    assert [r.status_code for r in (sans_motif, trop_tot, trop_loin, faite, encore)] == [422, 422, 422, 200, 409]
    assert encore.json()["code"] == "DEADLINE_ALREADY_EXTENDED"
    (retour,) = [u for u in api(etudiante).get(f"/api/v1/signalements/{dossier.pk}").json()["data"]["echeances"][1:]]
    assert (retour["pourLe"], retour["prolongeeDu"], retour["motif"]) == (
        "2026-07-01",
        "2026-06-02",
        "L'enquête continue.",
    )


def test_l_accuse_ne_se_declare_pas(api, etudiante, gestionnaire, dates):
    dossier = fabriques.signalement(acteur_de(etudiante))
    accuse = date_de(dossier, "ACCUSE").pk

    faire = api(gestionnaire).put(adresse(dossier, accuse, "faite"), {})

    assert faire.status_code == 422


def test_un_entretien_s_ouvre_et_se_tient(api, etudiante, gestionnaire, dates, time_machine):
    dossier = fabriques.signalement(acteur_de(etudiante))
    cree = api(gestionnaire).post(adresse(dossier), {})
    encore = api(gestionnaire).post(adresse(dossier), {"pourLe": "2026-03-20"})
    entretien = date_de(dossier, "ENTRETIEN")
    time_machine.move_to(LUNDI + timedelta(days=3), tick=False)
    demain = api(gestionnaire).put(adresse(dossier, entretien.pk, "faite"), {"faiteLe": "2026-03-06"})
    avant = api(gestionnaire).put(adresse(dossier, entretien.pk, "faite"), {"faiteLe": "2026-03-01"})
    tenu = api(gestionnaire).put(adresse(dossier, entretien.pk, "faite"), {"faiteLe": "2026-03-04"})
    refait = api(gestionnaire).put(adresse(dossier, entretien.pk, "faite"), {})

    assert [r.status_code for r in (cree, encore, demain, avant, tenu, refait)] == [201, 409, 422, 422, 200, 409]
    assert jours(dossier)["ENTRETIEN"] == ("2026-03-30", "2026-03-04")
    assert api(gestionnaire).post(adresse(dossier), {}).status_code == 201


def test_un_entretien_tenu_en_retard_reste_quand_un_autre_se_prevoit(api, etudiante, gestionnaire, dates, time_machine):
    dossier = fabriques.signalement(acteur_de(etudiante))
    api(gestionnaire).post(adresse(dossier), {"pourLe": "2026-03-03"})
    tenu = date_de(dossier, "ENTRETIEN")
    time_machine.move_to(LUNDI + timedelta(days=4), tick=False)
    api(gestionnaire).put(adresse(dossier, tenu.pk, "faite"), {})
    api(gestionnaire).post(adresse(dossier), {"pourLe": "2026-03-30"})
    dossier.refresh_from_db()

    entretiens = [(u["pourLe"], u["faiteLe"]) for u in dossier.echeances if u["nature"] == "ENTRETIEN"]
    assert entretiens == [("2026-03-03", "2026-03-06"), ("2026-03-30", None)]
    assert lire("priorite", axe="ECHEANCE", statut="ENTRETIEN", priorite="TARDIVE")[("TARDIVE",)].nombre == 1
    assert ecarts() == {}


def test_sur_son_propre_dossier_l_equipe_ne_touche_a_aucune_date(api, gestionnaire, dates):
    dossier = fabriques.signalement(acteur_de(gestionnaire))
    retour = date_de(dossier, "RETOUR").pk

    assert api(gestionnaire).post(adresse(dossier), {}).status_code == 403
    corps = {"pourLe": "2026-07-01", "motif": "x"}
    assert api(gestionnaire).put(adresse(dossier, retour, "faite"), {}).status_code == 403
    assert api(gestionnaire).put(adresse(dossier, "prolongation"), corps).status_code == 403


def test_deux_dossiers_joints_ont_la_plus_proche_de_leurs_dates(api, etudiante, gestionnaire, dates, time_machine):
    premier = fabriques.signalement(acteur_de(etudiante), titre="Premier")
    time_machine.move_to(LUNDI + timedelta(days=1), tick=False)
    second = fabriques.signalement(acteur_de(etudiante), titre="Second")
    fabriques.joindre(premier, second)
    ecrire(gestionnaire, second)
    reponse = api(gestionnaire).put(adresse(second, "prolongation"), {"pourLe": "2026-07-01", "motif": "Enquête."})

    assert reponse.status_code == 200
    assert jours(second) == {"ACCUSE": ("2026-03-12", "2026-03-03"), "RETOUR": ("2026-07-01", None)}
    assert not Echeance.objects.ouvertes().filter(pour_le__lt="2026-07-01").exists()
    assert ecarts() == {}


def test_la_date_d_un_autre_dossier_est_introuvable(api, etudiante, gestionnaire, dates):
    un, autre = (fabriques.signalement(acteur_de(etudiante), titre=titre) for titre in ("Un", "Autre"))

    reponse = api(gestionnaire).put(adresse(un, date_de(autre, "RETOUR").pk, "faite"), {})

    assert reponse.status_code == 404


def test_les_dossiers_ouverts_ont_leurs_dates_de_ce_jour(etudiante, invite, gestionnaire, admin, time_machine):
    ancien = fabriques.signalement(acteur_de(etudiante), titre="Ancien")
    repondu = fabriques.signalement(acteur_de(invite), titre="Répondu")
    ecrire(gestionnaire, repondu)
    clos = fabriques.mettre(fabriques.signalement(acteur_de(etudiante), titre="Clos"), statut="CLOTURE")
    time_machine.move_to(LUNDI + timedelta(days=7), tick=False)
    choisir(acteur=acteur_de(admin), accepte=True)
    dater_les_dossiers_ouverts()
    assert jours(ancien) == {}  # not before each process knows of the yes
    time_machine.shift(PARTOUT_SU)

    dater_les_dossiers_ouverts()
    dater_les_dossiers_ouverts()

    assert jours(ancien) == {"ACCUSE": ("2026-03-18", None), "RETOUR": ("2026-06-09", None)}
    assert ancien.date_modification == LUNDI  # nobody has moved it
    assert jours(repondu) == {"RETOUR": ("2026-06-09", None)}
    assert jours(clos) == {}
    assert ChoixDesDates.objects.get().est_repris


def test_un_entretien_prevu_avant_la_reprise_ne_prive_pas_des_autres_dates(
    api, etudiante, gestionnaire, admin, time_machine
):
    dossier = fabriques.signalement(acteur_de(etudiante))
    choisir(acteur=acteur_de(admin), accepte=True)
    api(gestionnaire).post(adresse(dossier), {"pourLe": "2026-03-20"})
    time_machine.shift(PARTOUT_SU)
    dater_les_dossiers_ouverts()

    assert {nature: jour for nature, (jour, _fait) in jours(dossier).items()} == {
        "ACCUSE": "2026-03-11",
        "ENTRETIEN": "2026-03-20",
        "RETOUR": "2026-06-02",
    }
    assert ecarts() == {}


def _en_cours(_equipe, _dossier):
    pass


def _repondu(equipe, dossier):
    ecrire(equipe, dossier)


def _clos(_equipe, dossier):
    fabriques.mettre(dossier, statut="CLOTURE")


@pytest.fixture
def apporte(etudiante, invite):
    """What a guest brings to a case of the account, before any date."""
    dossier = fabriques.signalement(acteur_de(etudiante))
    return fabriques.signalement(acteur_de(invite), mode_identification="IDENTIFIE", reference=dossier.reference)


@pytest.mark.parametrize(
    ("mener", "promises"),
    [
        (_en_cours, {"ACCUSE": "2026-03-11", "RETOUR": "2026-06-02"}),
        (_repondu, {"RETOUR": "2026-06-02"}),
        (_clos, {}),
    ],
)
def test_un_dossier_joint_avant_la_reprise_a_ses_dates_quand_la_fusion_est_defaite(
    etudiante, invite, gestionnaire, admin, time_machine, apporte, mener, promises
):
    mener(gestionnaire, apporte)
    fusionner(invite, etudiante)
    choisir(acteur=acteur_de(admin), accepte=True)
    time_machine.shift(PARTOUT_SU)
    dater_les_dossiers_ouverts()
    time_machine.shift(timedelta(days=2))
    annuler(AuditFusion.objects.get())

    assert {nature: jour for nature, (jour, _fait) in jours(apporte).items()} == promises
    assert ecarts() == {}


def test_defaire_une_fusion_ne_donne_aucune_date_sans_un_oui(etudiante, invite, admin, apporte):
    fusionner(invite, etudiante)
    choisir(acteur=acteur_de(admin), accepte=False)
    annuler(AuditFusion.objects.get())

    assert jours(apporte) == {}


def test_la_reprise_verrouille_ses_dossiers_dans_l_ordre_de_leurs_cles(etudiante, dates, time_machine, monkeypatch):
    """That of a merge: in the order of their age, the two would wait for each other."""
    Echeance.objects.all().delete()
    for rang in range(9):
        fabriques.signalement(acteur_de(etudiante), titre=f"Dossier {rang}")
        time_machine.shift(timedelta(seconds=1))
    verrouilles, verrouiller = [], Signalement.verrouiller
    monkeypatch.setattr(Signalement, "verrouiller", lambda un: (verrouilles.append(un.pk), verrouiller(un)))
    time_machine.shift(PARTOUT_SU)
    dater_les_dossiers_ouverts()

    assert len(verrouilles) == 9
    assert verrouilles == sorted(verrouilles)


def test_un_dossier_d_un_processus_qui_ne_savait_pas_encore_a_ses_dates(etudiante, admin, time_machine):
    """Its own memory of « no » lasts some seconds: the case of then is one of those that were open."""
    time_machine.move_to(LUNDI, tick=False)
    choisir(acteur=acteur_de(admin), accepte=True)
    time_machine.shift(timedelta(seconds=FRAICHEUR))
    with patch("echeances.services.en_vigueur", EnVigueur):
        tardif = fabriques.signalement(acteur_de(etudiante))
    a_temps = fabriques.signalement(acteur_de(etudiante), titre="À temps")
    siennes = jours(a_temps)
    time_machine.move_to(LUNDI + PARTOUT_SU)

    dater_les_dossiers_ouverts()

    assert jours(tardif) == siennes == jours(a_temps) != {}


def test_une_creation_ne_lit_rien_pour_ses_dates(etudiante, dates):
    fabriques.signalement(acteur_de(etudiante))

    with CaptureQueriesContext(connection) as lues:
        fabriques.signalement(acteur_de(etudiante), titre="Autre")

    assert [une["sql"] for une in lues if "echeances_" in une["sql"] and not une["sql"].startswith("INSERT")] == []


def test_ce_qui_est_change_ailleurs_se_sait_bientot(dates, monkeypatch):
    monkeypatch.setattr("socle.domaine.memoire.time", SimpleNamespace(monotonic=lambda: maintenant))
    maintenant = 100.0
    assert len(en_vigueur().delais) == 3

    Delai.objects.filter(nature="RETOUR").update(actif=False)

    assert len(en_vigueur().delais) == 3
    maintenant += FRAICHEUR + 1
    assert [un.nature for un in en_vigueur().delais] == ["ACCUSE", "ENTRETIEN"]


def test_la_reprise_va_par_lots_jusqu_au_dernier(etudiante, admin, monkeypatch, time_machine):
    dossiers = [
        fabriques.signalement(acteur_de(etudiante), titre=f"Dossier {rang}") for rang in range(5)
    ]  # of one moment: the key decides
    monkeypatch.setattr("echeances.entretien.LOT", 2)
    choisir(acteur=acteur_de(admin), accepte=True)
    time_machine.move_to(timezone.now() + PARTOUT_SU)

    dates = []
    for _minute in range(3):
        dater_les_dossiers_ouverts()
        dates.append(sum(bool(jours(un)) for un in dossiers))

    assert dates == [2, 4, 5]
    assert ChoixDesDates.objects.get().est_repris


def test_les_compteurs_tiennent_les_dates(etudiante, gestionnaire, dates):
    un, autre = (fabriques.signalement(acteur_de(etudiante), titre=titre) for titre in ("Un", "Autre"))
    ecrire(gestionnaire, un)
    ecrire(gestionnaire, autre, retour=True)

    comptes = {cle: mesures.nombre for cle, mesures in lire("statut", "priorite", axe="ECHEANCE").items()}
    assert {cle: nombre for cle, nombre in comptes.items() if nombre} == {
        ("ACCUSE", "TENUE"): 2,
        ("RETOUR", "OUVERTE"): 1,
        ("RETOUR", "TENUE"): 1,
    }
    assert ecarts() == {}


def test_une_reponse_en_retard_est_tardive(etudiante, gestionnaire, dates, time_machine):
    dossier = fabriques.signalement(acteur_de(etudiante))
    time_machine.move_to(LUNDI + timedelta(days=10), tick=False)
    ecrire(gestionnaire, dossier)

    assert lire("priorite", axe="ECHEANCE", statut="ACCUSE", priorite="TARDIVE")[("TARDIVE",)].nombre == 1


@pytest.mark.parametrize(("attente", "tenue"), [(92, "TENUE"), (93, "TARDIVE")])
def test_un_retour_prolonge_apres_son_jour_reste_tardif(etudiante, gestionnaire, dates, time_machine, attente, tenue):
    """Promised for the 2nd of June, 92 days after; put off to a day that is kept."""
    dossier = fabriques.signalement(acteur_de(etudiante))
    time_machine.move_to(LUNDI + timedelta(days=attente), tick=False)
    prolonger(signalement=dossier, acteur=acteur_de(gestionnaire), pour_le=date(2026, 7, 1), motif="Enquête.")
    prolonge = compte_des_retours()
    ecrire(gestionnaire, dossier, retour=True)

    assert prolonge == {"OUVERTE" if tenue == "TENUE" else "TARDIVE": 1}
    assert compte_des_retours() == {tenue: 1}
    assert ecarts() == {}


def test_la_liste_des_retards_et_le_tri(api, etudiante, gestionnaire, dates, time_machine):
    tard = fabriques.signalement(acteur_de(etudiante), titre="Tard")
    time_machine.move_to(LUNDI + timedelta(days=15), tick=False)
    neuf = fabriques.signalement(acteur_de(etudiante), titre="Neuf")
    client = api(gestionnaire)

    def titres(suite):
        return [un["titre"] for un in client.get(f"/api/v1/signalements/?{suite}").json()["data"]["items"]]

    assert titres("enRetard=true") == [tard.titre]
    assert titres("enRetard=false") == [neuf.titre, tard.titre]
    assert titres("tri=echeance") == [tard.titre, neuf.titre]
    assert client.get("/api/v1/signalements/?enRetard=oui").status_code == 422


def test_une_creation_et_un_message_coutent_peu_de_plus(etudiante, gestionnaire, admin):
    def requetes(faire):
        with CaptureQueriesContext(connection) as lues:
            faire()
        return len(lues)

    sans = requetes(lambda: fabriques.signalement(acteur_de(etudiante)))
    choisir(acteur=acteur_de(admin), accepte=True)
    avec = requetes(lambda: fabriques.signalement(acteur_de(etudiante)))

    assert avec - sans <= 3  # the delays, their days of closure, the rows


def test_effacer_un_dossier_emporte_ses_dates(etudiante, dates):
    from signalements.suppression import retirer, verrouiller

    dossier = fabriques.signalement(acteur_de(etudiante))
    retirer(verrouiller([dossier.pk]))

    assert not Echeance.objects.exists()
    assert ecarts() == {}
    assert timezone.now()


def test_les_dates_d_un_dossier_se_trouvent_par_leurs_index(etudiante, dates):
    """No table is read whole: neither the dates, nor the cases."""
    dossier = fabriques.signalement(acteur_de(etudiante))
    if connection.vendor == "postgresql":
        connection.cursor().execute("SET LOCAL enable_seqscan = off")  # so few rows would be read whole

    lu = Echeance.objects.de([dossier]).order_by().explain()

    assert not re.search(r"Seq Scan|SCAN (?!.*INDEX)", lu), lu

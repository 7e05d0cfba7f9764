"""The legal hold of a case: for staff; whose case it is sees nothing of it, nor does anybody shut out."""

import io
import json
import re
import zipfile

import pytest

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de, client_de
from espace.tests.outils import Equipiere, texte_de, valeur
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.fabriques import fusionner
from guests.tests.vue import SIGNALEMENTS, lire, vivre
from portail.tests.outils import Visiteuse
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte

pytestmark = pytest.mark.django_db
MOTIF = "Plainte déposée, parquet saisi"


@pytest.fixture(autouse=True)
def _garde(settings):
    settings.REPORTS_KEPT_DAYS = 1_000


def geler(qui, dossier, *, gele=True, motif=MOTIF):
    return client_de(qui).put(f"{SIGNALEMENTS}{dossier.pk}/gel", {"gele": gele, "motif": motif})


def relu(dossier):
    return Signalement.objects.get(pk=dossier.pk)


def test_un_administrateur_gele_puis_leve(admin, gestionnaire, etudiante):
    dossier = fabriques.signalement(acteur_de(etudiante))
    avant = relu(dossier).date_modification

    pose = geler(admin, dossier)
    lu = lire(client_de(gestionnaire), f"{SIGNALEMENTS}{dossier.pk}/gel")
    repete = geler(admin, dossier)

    assert pose.status_code == 200, pose.content
    assert lu == pose.json()["data"] == repete.json()["data"]
    assert (lu["motif"], lu["par"], lu["geleDepuis"] is None) == (MOTIF, admin.nom_complet, False)
    assert lire(client_de(gestionnaire), f"{SIGNALEMENTS}{dossier.pk}")["geleDepuis"] == lu["geleDepuis"]
    leve = geler(admin, dossier, gele=False)
    assert leve.json()["data"] == {**lu, "geleDepuis": None, "motif": "", "par": None}
    assert relu(dossier).date_modification == avant
    traces = Trace.objects.filter(acte=Acte.GEL_CHANGE, objet=dossier.pk).order_by("pk")
    assert [(une.acteur, une.details) for une in traces] == [(admin.pk, {"gele": True}), (admin.pk, {"gele": False})]


@pytest.mark.parametrize("corps", [{"gele": True}, {"gele": True, "motif": "  "}, {"motif": "a"}, {"gele": 3}])
def test_geler_demande_un_motif(admin, etudiante, corps):
    dossier = fabriques.signalement(acteur_de(etudiante))

    assert client_de(admin).put(f"{SIGNALEMENTS}{dossier.pk}/gel", corps).status_code == 422
    assert not relu(dossier).est_gele


def test_nul_ne_gele_ni_ne_voit_geler_son_propre_dossier(admin):
    autre = comptes.admin(email="sophie@campus.test")
    sien = fabriques.signalement(acteur_de(admin))
    geler(autre, sien)

    assert geler(admin, sien, gele=False).status_code == 403
    assert client_de(admin).get(f"{SIGNALEMENTS}{sien.pk}/gel").status_code == 403
    assert lire(client_de(admin), f"{SIGNALEMENTS}{sien.pk}")["geleDepuis"] is None
    assert Equipiere(admin).get(f"/equipe/dossiers/{sien.pk}/gel/").status_code == 403
    assert "gel/" not in Equipiere(admin).dossier(sien)
    assert not Trace.objects.filter(objet=sien.pk).visibles_par(acteur_de(admin)).exists()


def test_qui_est_ecarte_d_un_dossier_reserve_ne_trouve_pas_son_gel(admin, etudiante):
    ecarte = comptes.admin(email="sophie@campus.test")
    dossier = fabriques.signalement(acteur_de(etudiante))
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[ecarte.pk])
    geler(admin, dossier)

    assert geler(ecarte, dossier, gele=False).status_code == 404
    assert client_de(ecarte).get(f"{SIGNALEMENTS}{dossier.pk}/gel").status_code == 404
    assert not Trace.objects.filter(acte=Acte.GEL_CHANGE).visibles_par(acteur_de(ecarte)).exists()
    assert relu(dossier).est_gele


def vu_par_son_auteur(personne, dossier, echanges):
    """Everything that the person reads, as text: JSON with its headers, events, the export."""
    client = client_de(personne)
    invitee = not hasattr(personne, "email")
    chemins = [f"{SIGNALEMENTS}{dossier.pk}", f"{SIGNALEMENTS}{dossier.pk}/timeline"]
    chemins += [f"{SIGNALEMENTS}{'guest/me' if invitee else 'me'}"]
    chemins += ["/api/v1/guest/suivi", f"/api/v1/guest/suivi/{dossier.reference}"] if invitee else []
    chemins += [f"/api/v1/discussions/{un.pk}{suite}" for un in echanges for suite in ("", "/messages")]
    chemins += [f"/api/v1/evenements?canal=signalement:{dossier.pk}"]
    vu = {}
    for chemin in chemins:
        reponse = client.get(chemin)
        assert reponse.status_code == 200, (chemin, reponse.content)
        entetes = {nom: texte for nom, texte in reponse.headers.items() if nom.lower() != "x-request-id"}
        vu[chemin] = [reponse.json()["data"], entetes]
    zip_ = client.get("/api/v1/guest/export" if invitee else "/api/v1/comptes/me/export")
    with zipfile.ZipFile(io.BytesIO(b"".join(zip_))) as archive:
        for nom in archive.namelist():
            if nom not in ("compte.json", "sessions.json", "session-invitee.json", "LISEZMOI.txt"):
                vu[nom] = archive.read(nom).decode(errors="replace")
    return json.dumps(vu, ensure_ascii=False, sort_keys=True)


@pytest.mark.parametrize("invitee", [False, True], ids=["compte", "invitée"])
def test_son_auteur_n_en_voit_rien(admin, gestionnaire, invite, etudiante, invitee):
    personne = invite if invitee else etudiante
    dossier, echanges = vivre(personne, gestionnaire)
    fabriques.mettre(dossier, statut="CLOTURE")
    avant = vu_par_son_auteur(personne, dossier, echanges)

    assert geler(admin, dossier).status_code == 200

    gele = vu_par_son_auteur(personne, dossier, echanges)
    assert gele == avant
    assert MOTIF not in gele
    assert '"conserveJusquau": "20' in gele
    geler(admin, dossier, gele=False)
    assert vu_par_son_auteur(personne, dossier, echanges) == avant


def test_geler_n_annonce_rien(admin, etudiante, evenements):
    dossier = fabriques.signalement(acteur_de(etudiante))

    with evenements() as recus:
        geler(admin, dossier)

    assert recus == []


def test_la_page_du_dossier_le_dit_et_le_change(admin, gestionnaire, etudiante):
    dossier = fabriques.signalement(acteur_de(etudiante))
    page = f"/equipe/dossiers/{dossier.pk}/gel/"
    rose, paul = Equipiere(admin), Equipiere(gestionnaire)

    vu = valeur(rose.lire(page), "vu_gel")
    vide = rose.agir(dossier, "gel", motif=" ", vu=vu)
    fait = rose.agir(dossier, "gel", motif=MOTIF, vu=vu)

    assert vide.status_code == 422
    assert (fait.status_code, fait.url) == (303, f"/equipe/dossiers/{dossier.pk}/?fait=gel#fait")
    assert "Gelé" in paul.dossier(dossier)
    assert MOTIF in paul.lire(page)
    assert "Lever le gel" not in paul.lire(page)
    assert paul.envoyer(page, {"acte": "lever"}).status_code == 403
    assert rose.agir(dossier, "gel", acte="lever", vu=valeur(rose.lire(page), "vu_gel")).status_code == 303
    assert not relu(dossier).est_gele


@pytest.mark.parametrize("acte", [{"motif": "Plainte déposée"}, {"acte": "lever"}])
def test_une_page_en_retard_ne_perd_pas_le_motif_d_un_collegue(admin, etudiante, acte):
    dossier = fabriques.signalement(acteur_de(etudiante))
    page, rose = f"/equipe/dossiers/{dossier.pk}/gel/", Equipiere(admin)
    en_retard = valeur(rose.lire(page), "vu_gel") if "motif" in acte else "gelé autrement"
    geler(admin, dossier)

    question = rose.agir(dossier, "gel", **acte, vu=en_retard)

    assert question.status_code == 409
    montre = texte_de(question)
    assert "Quelque chose a changé" in montre
    assert MOTIF in montre
    assert acte.get("motif", "Lever le gel") in montre
    assert relu(dossier).gel_motif == MOTIF
    assert rose.agir(dossier, "gel", **acte, vu=valeur(montre, "vu_gel")).status_code == 303
    assert relu(dossier).gel_motif == acte.get("motif", "")


@pytest.mark.parametrize("qui", ["source", "cible", "les deux"])
def test_une_fusion_porte_le_gel_et_ne_le_leve_pas_en_se_defaisant(admin, invite, etudiante, qui):
    source = fabriques.signalement(acteur_de(invite), mode_identification="IDENTIFIE")
    cible = fabriques.signalement(acteur_de(etudiante))
    for nom, dossier in (("source", source), ("cible", cible)):
        if qui in (nom, "les deux"):
            geler(admin, dossier, motif=f"Motif de la {nom}")

    fusionner(invite, etudiante)

    assert relu(source).absorbe_par_id == cible.pk
    uni = relu(cible)
    noms = ["cible", "source"] if qui == "les deux" else [qui]
    assert (uni.est_gele, uni.gel_motif) == (True, " · ".join(f"Motif de la {nom}" for nom in noms))
    annuler(AuditFusion.objects.get())
    assert relu(cible).est_gele
    assert relu(source).est_gele == (qui != "cible")


def test_le_portail_dit_jusqu_a_quand_et_ne_dit_pas_le_gel(admin, settings):
    elle = Visiteuse()
    elle.signaler()
    dossier = Signalement.objects.get()
    page = elle.lire("/dossiers/1/")
    assert "est gardé jusqu'au" not in page
    fabriques.mettre(dossier, statut="CLOTURE")
    avant = elle.lire("/dossiers/1/")

    geler(admin, dossier)

    assert "est gardé jusqu'au" in avant
    # Whole words: a token of the page may hold these letters.
    mots = set(re.findall(r"[^\W\d_]+", elle.lire("/dossiers/1/").lower()))
    assert not {"gel", "gels", "gelé", "gelés", "geler"} & mots
    settings.REPORTS_KEPT_DAYS = 0
    assert "est gardé jusqu'au" not in elle.lire("/dossiers/1/")


def test_ce_que_la_purge_a_gele_se_lit_sans_personne(api, admin, signalement):
    fabriques.services.geler_sans_avis(signalement.pk)
    fabriques.services.geler_sans_avis(signalement.pk)

    lu = api(admin).get(f"/api/v1/signalements/{signalement.pk}/gel").json()["data"]
    page = Equipiere(admin).lire(f"/equipe/dossiers/{signalement.pk}/gel/")

    assert "sans qu'un administrateur puisse en avoir l'avis" in lu["motif"]
    assert "sans qu'un administrateur puisse en avoir l'avis" in page
    assert None in lu.values()
    assert "None" not in page

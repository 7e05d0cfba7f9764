"""A case that somebody of the team is shut out of: for that person it never was; for the others nothing changes."""

import json
import re
from itertools import product
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from accounts.models import Compte
from accounts.services.comptes import desactiver
from accounts.tests import fabriques as comptes
from accounts.tests.outils import entrer
from config.tests.outils import acteur_de
from config.tests.outils.typographie import ordinaire
from discussions.tests import fabriques as discussions
from espace.tests.outils import valeur
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.outils import fusionner
from guests.tests.vue import DISCUSSIONS, SIGNALEMENTS, dossier_vu, lire, service_vu, vivre
from resources.models import Fichier
from resources.tests import fabriques as fichiers
from signalements.compteurs.recompte import ecarts
from signalements.compteurs.suivi import suivre
from signalements.entretien import annoncer_les_dossiers_sans_lecteur
from signalements.lecteurs import Acces, poser
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques
from signalements.vocabulaire import Ouverture
from socle.audit.greffe import greffe
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte
from socle.erreurs import AccesRefuse, ChampsInvalides, Introuvable
from socle.realtime.models import Evenement
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
reserver = changer_lecteurs


@pytest.fixture
def ruth(db):
    """The manager whom the report is about."""
    return comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth")


@pytest.fixture
def sophie(db):
    """The administrator whom the report is about."""
    return comptes.admin(email="sophie@campus.test", nom="Tshala", prenom="Sophie")


@pytest.fixture
def autre_dossier(etudiante):
    """One that everybody reads, with a file."""
    elle = acteur_de(etudiante)
    piece = fichiers.fichier(elle).pk
    return fabriques.signalement(elle, description="Tout autre chose.", pieces_jointes=[piece])


def sans_evenements(vu):
    return {chemin: lu for chemin, lu in vu.items() if "evenements" not in chemin}


def sans_ouverture(vu):
    return json.loads(json.dumps(vu, default=str).replace('"SAUF"', '"TOUS"').replace('"SEULS"', '"TOUS"'))


@pytest.mark.parametrize(("persona", "comment"), list(product(["ruth", "sophie"], ["ecartes", "admis"])))
def test_pour_qui_en_est_ecarte_le_dossier_n_a_jamais_ete(
    api, personne, gestionnaire, admin, invite, autre_dossier, persona, comment
):
    accusee = personne(persona)
    client, site = api(accusee), entrer(accusee.email, client=Client())
    avant = service_vu(client, site, accusee)
    dossier, _echanges = vivre(invite, gestionnaire, "IDENTIFIE")
    fabriques.services.assigner(signalement=dossier, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))

    choix = {"ecartes": [accusee.pk]} if comment == "ecartes" else {"admis": [gestionnaire.pk, admin.pk]}
    reserver(signalement=dossier, acteur=acteur_de(admin), **choix)
    fabriques.services.changer_statut(signalement=dossier, statut="EN_ATTENTE", acteur=acteur_de(gestionnaire))
    api(invite).post(DISCUSSIONS, {"titre": "Encore", "signalementId": str(dossier.pk)})

    apres = service_vu(client, site, accusee)
    assert [chemin for chemin, vu in avant.items() if apres[chemin] != vu] == []
    assert ecarts() == {}


@pytest.mark.parametrize("lecteur", ["gestionnaire", "admin"])
def test_pour_qui_le_lit_rien_ne_change_que_son_ouverture(
    api, personne, gestionnaire, admin, ruth, invite, autre_dossier, lecteur
):
    dossier, echanges = vivre(invite, gestionnaire, "IDENTIFIE")
    qui = personne(lecteur)
    client, site = api(qui), entrer(qui.email, client=Client())
    avant = sans_evenements(service_vu(client, site, qui) | dossier_vu(client, dossier, echanges))

    reserver(signalement=dossier, acteur=acteur_de(gestionnaire), ecartes=[ruth.pk])

    apres = sans_evenements(service_vu(client, site, qui) | dossier_vu(client, dossier, echanges))
    assert sans_ouverture(apres) == sans_ouverture(avant)
    assert lire(client, f"{SIGNALEMENTS}{dossier.pk}")["ouvertA"] == "SAUF"


def test_son_auteur_ne_voit_rien_du_choix(api, etudiante, gestionnaire, ruth, admin):
    dossier, (echange, _autre) = vivre(etudiante, gestionnaire)
    un, messages = f"{SIGNALEMENTS}{dossier.pk}", f"{DISCUSSIONS}{echange.pk}/messages"
    chemins = (
        un,
        f"{un}/timeline",
        messages,
        f"{SIGNALEMENTS}me",
        f"/api/v1/evenements?canal=signalement:{dossier.pk}",
    )
    avant = {chemin: lire(api(etudiante), chemin) for chemin in chemins}

    reserver(signalement=dossier, acteur=acteur_de(gestionnaire), ecartes=[ruth.pk])

    assert {chemin: lire(api(etudiante), chemin) for chemin in chemins} == avant
    assert avant[un]["ouvertA"] is None


def test_chaque_porte_repond_a_qui_est_ecarte_comme_pour_un_dossier_inconnu(
    api, gestionnaire, admin, sophie, invite, autre_dossier
):
    dossier, (echange, _autre) = vivre(invite, gestionnaire)
    note = dossier.timeline.get(type="NOTE")
    (piece,) = Signalement.objects.get(pk=dossier.pk).pieces_jointes
    (du_message,) = echange.messages.exclude(pieces_jointes=[]).first().pieces_jointes
    reserver(signalement=dossier, acteur=acteur_de(admin), ecartes=[sophie.pk])
    client, un = api(sophie), f"{SIGNALEMENTS}{dossier.pk}"
    message = echange.messages.first()

    reponses = {
        "detail": client.get(un),
        "histoire": client.get(f"{un}/timeline"),
        "statut": client.put(f"{un}/statut", {"statut": "TRAITE"}),
        "priorite": client.put(f"{un}/priorite", {"priorite": "LOW"}),
        "assigner": client.put(f"{un}/assigner", {"gestionnaireId": str(sophie.pk)}),
        "note": client.post(f"{un}/notes", {"contenu": "Non."}),
        "lecteurs": client.get(f"{un}/lecteurs"),
        "choisir": client.put(f"{un}/lecteurs", {}),
        "alerte": client.put(f"/api/v1/stats/dashboard/alerts/{dossier.pk}/dismiss"),
        "discussion": client.get(f"{DISCUSSIONS}{echange.pk}"),
        "messages": client.get(f"{DISCUSSIONS}{echange.pk}/messages"),
        "ecrire": client.post(f"{DISCUSSIONS}{echange.pk}/messages", {"contenu": "Retirez votre plainte."}),
        "fichier": client.get(f"/api/v1/fichiers/{piece}"),
        "fichier d'un message": client.get(f"/api/v1/fichiers/{du_message}"),
        "supprimer": client.delete(f"/api/v1/fichiers/{piece}"),
    }

    assert {nom: r.status_code for nom, r in reponses.items()} == dict.fromkeys(reponses, 404)
    assert client.post(DISCUSSIONS, {"titre": "Là", "signalementId": str(dossier.pk)}).status_code == 422
    assert client.get(f"{SIGNALEMENTS}?search={dossier.reference}").json()["data"]["total"] == 0
    for canal in (f"signalement:{dossier.pk}", f"discussion:{echange.pk}"):
        assert client.get(f"/api/v1/evenements?canal={canal}").status_code == 403
    assert (note.pk, message.pk) == (dossier.timeline.get(type="NOTE").pk, echange.messages.first().pk)
    assert echange.messages.filter(contenu__startswith="Retirez").count() == 0


def test_les_pages_lui_restent_fermees(gestionnaire, ruth, invite, admin):
    dossier, _echanges = vivre(invite, gestionnaire)
    reserver(signalement=dossier, acteur=acteur_de(gestionnaire), ecartes=[ruth.pk])
    site = entrer(ruth.email)

    vues = ("", "imprimer/", "fichier/", "lecteurs/")
    assert {v: site.get(f"/equipe/dossiers/{dossier.pk}/{v}").status_code for v in vues} == dict.fromkeys(vues, 404)
    for vue in ("a-moi", "non-attribues", "non-lus", "ouverts", "clos"):
        assert dossier.reference not in site.get(f"/equipe/dossiers/?vue={vue}").text
    assert "0 dossier" in site.get("/equipe/dossiers/?vue=ouverts").text


def test_qui_le_traite_et_le_lit_encore_le_traite_toujours(api, admin, gestionnaire, ruth, signalement):
    fabriques.services.assigner(signalement=signalement, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))
    histoire = lire(api(admin), f"{SIGNALEMENTS}{signalement.pk}/timeline")

    reserver(signalement=signalement, acteur=acteur_de(admin), ecartes=[ruth.pk])

    assert lire(api(admin), f"{SIGNALEMENTS}{signalement.pk}")["gestionnaireId"] == str(gestionnaire.pk)
    assert lire(api(admin), f"{SIGNALEMENTS}{signalement.pk}/timeline") == histoire


def test_qui_en_est_ecarte_pendant_qu_il_ecrit_n_y_ecrit_plus(admin, gestionnaire, ruth, signalement):
    """The door let her in just before; the lock asks again. Others still write."""
    fil = discussions.discussion(acteur_de(signalement.compte), signalement=signalement)
    ailleurs = discussions.discussion(acteur_de(signalement.compte))
    reserver(signalement=signalement, acteur=acteur_de(admin), ecartes=[ruth.pk])

    with pytest.raises(AccesRefuse):
        discussions.message(acteur_de(ruth), fil, "Trop tard.")

    assert not fil.messages.exists()
    for qui, ou in ((gestionnaire, fil), (ruth, ailleurs)):
        assert discussions.message(acteur_de(qui), ou, "Bonjour.")


def test_qui_le_traitait_et_en_est_ecarte_ne_le_traite_plus(api, evenements, admin, ruth, signalement):
    fabriques.services.assigner(signalement=signalement, gestionnaire_id=ruth.pk, acteur=acteur_de(admin))

    with evenements() as recus:
        reserver(signalement=signalement, acteur=acteur_de(admin), ecartes=[ruth.pk])

    lu = lire(api(admin), f"{SIGNALEMENTS}{signalement.pk}")
    derniere = lire(api(admin), f"{SIGNALEMENTS}{signalement.pk}/timeline")[-1]
    assert (lu["gestionnaireId"], lu["statut"]) == (None, "ASSIGNE")
    assert derniere["description"] == "Dossier rendu à l'équipe."
    assert [(e["type"], e["canal"]) for e in recus] == [
        ("fermer_sockets", "_controle"),
        ("signalement_timeline_updated", f"signalement:{signalement.pk}"),
    ]
    assert recus[0]["payload"] == {"comptes": [str(ruth.pk)]}
    assert lire(api(ruth), "/api/v1/stats/dashboard/team")[1]["assignes"] == 0
    assert ecarts() == {}


def test_on_ne_confie_pas_un_dossier_a_qui_ne_peut_pas_le_lire(api, admin, ruth, signalement):
    reserver(signalement=signalement, acteur=acteur_de(admin), ecartes=[ruth.pk])

    refus = api(admin).put(f"{SIGNALEMENTS}{signalement.pk}/assigner", {"gestionnaireId": str(ruth.pk)})

    assert (refus.status_code, refus.json()["details"][0]["field"]) == (422, "gestionnaireId")


def test_seul_l_administrateur_qui_n_en_est_pas_ecarte_rouvre_ce_qu_il_ne_lit_pas(
    api, gestionnaire, admin, ruth, sophie, signalement
):
    personnes = {"ecartes": [sophie.pk], "admis": [gestionnaire.pk]}
    reserver(signalement=signalement, acteur=acteur_de(admin), **personnes)
    url = f"{SIGNALEMENTS}{signalement.pk}"

    assert [api(qui).get(url).status_code for qui in (gestionnaire, admin, ruth, sophie)] == [200, 404, 404, 404]
    assert [api(qui).get(f"{url}/lecteurs").status_code for qui in (ruth, sophie)] == [404, 404]
    lu = lire(api(admin), f"{url}/lecteurs")
    assert set(lu) == {"id", "reference", "ouvertA", "ecartes", "admis"}
    assert [(p["nom"], p["par"]) for p in lu["ecartes"]] == [("Tshala", admin.nom_complet)]

    reponse = api(admin).put(f"{url}/lecteurs", {"ecartes": [str(sophie.pk)], "admis": []})

    assert (reponse.status_code, reponse.json()["data"]["ouvertA"]) == (200, "SAUF")
    assert [api(qui).get(url).status_code for qui in (gestionnaire, admin, ruth, sophie)] == [200, 200, 200, 404]


def test_un_dossier_inconnu_n_a_pas_de_lecteurs(api, admin, signalement):
    url = f"{SIGNALEMENTS}{uuid4()}/lecteurs"

    assert [api(admin).get(url).status_code, api(admin).put(url, {"ecartes": [], "admis": []}).status_code] == [404] * 2


def test_nommee_seule_une_gestionnaire_laisse_un_administrateur_le_rouvrir(api, gestionnaire, admin, ruth, signalement):
    url = f"{SIGNALEMENTS}{signalement.pk}"

    faite = api(ruth).put(f"{url}/lecteurs", {"admis": [str(ruth.pk)]})

    assert faite.status_code == 200
    assert [api(qui).get(url).status_code for qui in (ruth, gestionnaire, admin)] == [200, 404, 404]
    assert api(admin).put(f"{url}/lecteurs", {"admis": []}).status_code == 200
    assert [api(qui).get(url).status_code for qui in (ruth, gestionnaire, admin)] == [200] * 3


@pytest.mark.parametrize("champ", ["ecartes", "admis"])
def test_qui_n_est_pas_de_l_equipe_n_y_est_pas_nomme(api, admin, etudiante, signalement, champ):
    refus = api(admin).put(f"{SIGNALEMENTS}{signalement.pk}/lecteurs", {champ: [str(etudiante.pk)]})

    assert (refus.status_code, refus.json()["details"][0]["field"]) == (422, champ)


def test_une_personne_n_est_pas_a_la_fois_ecartee_et_nommee(api, admin, ruth, signalement):
    corps = {"ecartes": [str(ruth.pk)], "admis": [str(ruth.pk), str(admin.pk)]}

    assert api(admin).put(f"{SIGNALEMENTS}{signalement.pk}/lecteurs", corps).status_code == 422


def test_sur_son_propre_dossier_on_ne_choisit_pas_ses_lecteurs(api, ruth, admin):
    sien = fabriques.signalement(acteur_de(ruth), mode_identification="ANONYME")
    reserver(signalement=sien, acteur=acteur_de(admin), ecartes=[ruth.pk])  # nothing says that it is hers

    assert api(ruth).get(f"{SIGNALEMENTS}{sien.pk}").status_code == 200
    assert api(ruth).get(f"{SIGNALEMENTS}{sien.pk}/lecteurs").status_code == 403
    assert lire(api(ruth), f"{SIGNALEMENTS}{sien.pk}")["ouvertA"] is None


def test_la_regle_du_modele_est_celle_des_lignes(gestionnaire, admin, ruth, sophie, etudiante, invite):
    equipe = [gestionnaire, admin, ruth, sophie]
    choix = [{}, *({"ecartes": [une.pk]} for une in equipe[1:]), {"admis": [equipe[0].pk, equipe[2].pk]}]
    choix += [{"ecartes": [sophie.pk], "admis": [admin.pk, ruth.pk]}]
    dossiers = []
    for auteur, regles in product((etudiante, invite, ruth), choix):
        dossier = fabriques.signalement(acteur_de(auteur), description=str((auteur.pk, regles)))
        reserver(signalement=dossier, acteur=acteur_de(admin), **regles)
        dossiers.append(dossier)

    for qui in (*equipe, etudiante, invite):
        acteur = acteur_de(qui)
        vus = set(Signalement.objects.visibles_par(acteur).values_list("pk", flat=True))
        assert vus == {un.pk for un in dossiers if Signalement.objects.get(pk=un.pk).est_visible_de(acteur)}
        if qui in equipe:
            fermes = set(Signalement.objects.fermes_a(acteur).values_list("pk", flat=True))
            assert fermes == {un.pk for un in dossiers} - vus


def test_le_registre_dit_qui_a_ecarte_qui_et_le_cache_a_qui_l_est(api, gestionnaire, admin, sophie, signalement):
    api(gestionnaire).get(f"{SIGNALEMENTS}{signalement.pk}")
    api(admin).put(f"{SIGNALEMENTS}{signalement.pk}/lecteurs", {"ecartes": [str(sophie.pk)]})
    greffe.vider()

    trace = Trace.objects.get(acte=Acte.LECTEURS_CHANGES)
    assert (trace.acteur, trace.details["ecartes"]) == (admin.pk, [str(sophie.pk)])
    url = f"/api/v1/audit/?objetId={signalement.pk}"
    assert lire(api(admin), url)["total"] >= 2
    assert lire(api(sophie), url)["total"] == 0
    assert str(signalement.pk) not in json.dumps(lire(api(sophie), "/api/v1/audit/?size=100")["items"])


def test_ce_que_l_equipe_cherche_de_lui_n_apparait_pas_au_registre_de_qui_en_est_ecarte(
    api, gestionnaire, admin, sophie, invite
):
    """An id, or a whole reference, that answers 404 to one administrator alone would tell her that it is there."""
    dossier, _echanges = vivre(invite, gestionnaire)
    reserver(signalement=dossier, acteur=acteur_de(admin), ecartes=[sophie.pk])
    client, site = api(admin), entrer(admin.email)
    lire(client, f"{DISCUSSIONS}?signalementId={dossier.pk}")
    for liste in ("", "non-traites"):
        lire(client, f"{SIGNALEMENTS}{liste}?search={dossier.reference.lower()}")
    assert dossier.reference in site.get(f"/equipe/dossiers/?search={dossier.reference}").text
    lire(client, f"/api/v1/audit/?objetId={dossier.pk}")
    site.get(f"/equipe/registre/?objetId={dossier.pk}")
    greffe.vider()

    lu = json.dumps(lire(api(sophie), "/api/v1/audit/?size=100")["items"])
    page = entrer(sophie.email).get("/equipe/registre/").text
    for secret in (str(dossier.pk), dossier.reference, dossier.reference.lower()):
        assert secret not in lu
        assert secret not in page
    actes = {un["acte"] for un in lire(client, f"/api/v1/audit/?objetId={dossier.pk}")["items"]}
    assert {"SIGNALEMENTS_CHERCHES", "REGISTRE_CONSULTE"} <= actes


def test_rien_n_est_copie_de_sa_preuve_pour_qui_en_est_ecarte(api, gestionnaire, admin, sophie, invite, monkeypatch):
    """Evidence in a bucket is copied before its deletion is decided: the door is closed before."""
    dossier, _echanges = vivre(invite, gestionnaire)
    (piece,) = Signalement.objects.get(pk=dossier.pk).pieces_jointes
    Fichier.objects.filter(pk=piece).update(seau="autre-seau")
    copies = []
    monkeypatch.setattr("resources.services.fichiers._copier", lambda fichier: copies.append(fichier.pk))
    reserver(signalement=dossier, acteur=acteur_de(admin), ecartes=[sophie.pk])

    assert api(sophie).delete(f"/api/v1/fichiers/{piece}").status_code == 404
    assert copies == []
    assert api(admin).delete(f"/api/v1/fichiers/{piece}").status_code == 204
    assert [str(pk) for pk in copies] == [str(piece)]


def test_le_journal_de_l_administration_n_en_dit_pas_plus_que_le_registre(api, gestionnaire, admin, sophie, invite):
    dossier, _echanges = vivre(invite, gestionnaire)
    (piece,) = Signalement.objects.get(pk=dossier.pk).pieces_jointes
    decision = {"statut": "DISABLED", "motif": "Menaces contre Ruth."}
    assert api(admin).put(f"{SIGNALEMENTS}{dossier.pk}/session-invitee", decision).status_code == 200
    assert api(admin).delete(f"/api/v1/fichiers/{piece}").status_code == 204
    reserver(signalement=dossier, acteur=acteur_de(admin), ecartes=[sophie.pk])

    site, autre = entrer(sophie.email), entrer(admin.email)
    for client, vues in ((autre, 2), (site, 0)):
        liste = client.get("/admin/admin/logentry/")
        assert (liste.context["cl"].result_count, dossier.reference in liste.text) == (vues, bool(vues))
    for entree in LogEntry.objects.all():
        assert site.get(f"/admin/admin/logentry/{entree.pk}/change/").status_code == 302
        assert autre.get(f"/admin/admin/logentry/{entree.pk}/change/").status_code == 200


def test_il_n_en_tait_pas_plus(api, gestionnaire, admin, sophie, invite, etudiante):
    ferme, _echanges = vivre(invite, gestionnaire)
    _ouvert, (echange, _autre) = vivre(etudiante, gestionnaire)
    (du_message,) = echange.messages.exclude(pieces_jointes=[]).first().pieces_jointes
    assert api(admin).delete(f"/api/v1/fichiers/{du_message}").status_code == 204
    reserver(signalement=ferme, acteur=acteur_de(admin), ecartes=[sophie.pk])

    entree = LogEntry.objects.get(object_id=str(du_message))

    assert entrer(sophie.email).get(f"/admin/admin/logentry/{entree.pk}/change/").status_code == 200


def test_ni_ce_qui_fut_decide_de_son_propre_dossier(api, admin, sophie, invite):
    sien = fabriques.signalement(acteur_de(invite))
    for statut in ("DISABLED", "ACTIVE"):
        decision = {"statut": statut, "motif": "Menaces."}
        assert api(admin).put(f"{SIGNALEMENTS}{sien.pk}/session-invitee", decision).status_code == 200
    fusionner(sophie, invite)

    assert sien.reference not in entrer(sophie.email).get("/admin/admin/logentry/").text
    assert sien.reference in entrer(admin.email).get("/admin/admin/logentry/").text


def test_ce_que_les_canaux_gardaient_du_dossier_n_est_plus_rejoue(api, gestionnaire, ruth, invite, admin):
    dossier, _echanges = vivre(invite, gestionnaire)
    lus = {c: lire(api(ruth), f"/api/v1/evenements?canal={c}") for c in ("signalements", "dashboard")}
    assert all(str(dossier.pk) in json.dumps(lu) for lu in lus.values())

    reserver(signalement=dossier, acteur=acteur_de(gestionnaire), ecartes=[ruth.pk])

    apres = {canal: lire(api(ruth), f"/api/v1/evenements?canal={canal}") for canal in lus}
    assert str(dossier.pk) not in json.dumps(apres)


def test_ni_l_alerte_qui_le_nommait_aux_administrateurs(api, gestionnaire, admin, sophie, signalement_invite):
    url, canal = f"{SIGNALEMENTS}{signalement_invite.pk}/session-invitee", "/api/v1/evenements?canal=admin"
    assert api(admin).put(url, {"statut": "DISABLED", "motif": "Menaces."}).status_code == 200
    assert signalement_invite.reference in json.dumps(lire(api(sophie), canal))

    reserver(signalement=signalement_invite, acteur=acteur_de(admin), ecartes=[sophie.pk])

    assert lire(api(sophie), canal) == []


@pytest.mark.parametrize("d_abord", ["reserver", "joindre"])
def test_ni_ce_qu_ils_gardaient_de_ce_qui_lui_est_joint(api, gestionnaire, admin, ruth, etudiante, invite, d_abord):
    source, cible = (fabriques.signalement(acteur_de(qui)) for qui in (invite, etudiante))
    api(invite).post(DISCUSSIONS, {"titre": "Suites", "signalementId": str(source.pk)})
    fabriques.services.changer_statut(signalement=source, statut="EN_COURS", acteur=acteur_de(gestionnaire))
    paire = {"level": "SIGNALEMENT", "guestEntityId": str(source.pk), "targetEntityId": str(cible.pk)}
    gestes = {
        "reserver": lambda: reserver(signalement=cible, acteur=acteur_de(gestionnaire), ecartes=[ruth.pk]),
        "joindre": lambda: fusionner(etudiante, invite, {**paire, "action": "MERGE_FIELDS"}),
    }
    for nom in sorted(gestes, key=lambda nom: nom != d_abord):
        gestes[nom]()

    for canal in ("signalements", "dashboard", "discussions"):
        lu = json.dumps(list(Evenement.objects.filter(canal=canal).values_list("payload", flat=True)))
        assert not [cle for cle in (source.pk, cible.pk) if str(cle) in lu]
    assert str(source.pk) not in json.dumps(lire(api(ruth), "/api/v1/evenements?canal=signalements"))


@pytest.mark.parametrize("reserve", ["source", "cible"])
def test_qui_ecoutait_l_un_des_deux_n_entend_pas_leur_suite(
    evenements, gestionnaire, admin, ruth, etudiante, invite, reserve
):
    """A socket is led to the case that remains: whoever may not read that one is closed before."""
    lus = {"source": fabriques.signalement(acteur_de(invite)), "cible": fabriques.signalement(acteur_de(etudiante))}
    reserver(signalement=lus[reserve], acteur=acteur_de(gestionnaire), ecartes=[ruth.pk])
    paire = {
        "level": "SIGNALEMENT",
        "guestEntityId": str(lus["source"].pk),
        "targetEntityId": str(lus["cible"].pk),
        "action": "MERGE_FIELDS",
    }

    with evenements() as recus:
        fusionner(etudiante, invite, paire)

    ordres = [(e["type"], e["payload"].get("comptes")) for e in recus if e["canal"] == "_controle"]
    assert ordres.index(("fermer_sockets", [str(ruth.pk)])) < ordres.index(("rediriger", None))


@pytest.mark.parametrize(
    ("siennes", "presentes", "ouverture", "lisent"),
    [
        ({"ecartes": ["ruth"]}, {}, "SAUF", {"gestionnaire", "admin", "sophie"}),
        ({"ecartes": ["ruth"]}, {"ecartes": ["sophie"]}, "SAUF", {"gestionnaire", "admin"}),
        ({"admis": ["gestionnaire", "ruth"]}, {"ecartes": ["ruth"]}, "SEULS", {"gestionnaire"}),
        ({"admis": ["gestionnaire", "ruth"]}, {"admis": ["ruth", "admin"]}, "SEULS", {"ruth"}),
        ({"admis": ["gestionnaire", "ruth"]}, {"admis": ["sophie", "admin"]}, "SEULS", set()),
        ({}, {"ecartes": ["sophie"]}, "SAUF", {"gestionnaire", "admin", "ruth"}),
    ],
)
def test_un_dossier_joint_a_un_autre_le_rend_aussi_reserve_que_lui(
    personne, gestionnaire, admin, etudiante, invite, siennes, presentes, ouverture, lisent
):
    """A merge never opens a case to somebody who was shut out of either of the two."""
    equipe = {nom: personne(nom) for nom in ("gestionnaire", "admin", "ruth", "sophie")}
    source, cible = (fabriques.signalement(acteur_de(qui)) for qui in (invite, etudiante))
    for dossier, regles in ((source, siennes), (cible, presentes)):
        cles = {nom: [equipe[qui].pk for qui in noms] for nom, noms in regles.items()}
        reserver(signalement=dossier, acteur=acteur_de(admin), **cles)

    paire = {"level": "SIGNALEMENT", "guestEntityId": str(source.pk), "targetEntityId": str(cible.pk)}
    fusionner(etudiante, invite, {**paire, "action": "MERGE_FIELDS"})

    reste = Signalement.objects.vivants().get()
    assert (reste.pk, reste.ouvert_a) == (cible.pk, ouverture)
    assert {nom for nom, qui in equipe.items() if reste.est_ouvert_a(acteur_de(qui))} == lisent
    assert ecarts() == {}
    annuler(AuditFusion.objects.get())
    rendu = Signalement.objects.get(pk=source.pk)
    assert Acces.de(rendu) == Acces.pour(*(([equipe[q].pk for q in siennes.get(n, ())]) for n in ("ecartes", "admis")))
    assert Signalement.objects.get(pk=cible.pk).ouvert_a == ouverture
    assert ecarts() == {}


def test_un_dossier_que_personne_ne_lit_ne_s_ouvre_pas_a_tous_par_deux_listes_vides(
    gestionnaire, admin, ruth, signalement
):
    """They are what is read of it: saved as they were, they would open it."""
    fermer_a_tous(signalement)
    lui = acteur_de(admin)

    with pytest.raises(ChampsInvalides) as refus:
        reserver(signalement=signalement, acteur=lui, ecartes=[ruth.pk])

    assert [detail["field"] for detail in refus.value.details] == ["admis"]
    reserver(signalement=signalement, acteur=lui, admis=[gestionnaire.pk])
    assert set(Acces.de(signalement).lecteurs()) == {gestionnaire}


def fermer_a_tous(signalement):
    with suivre(signalement):
        poser(signalement, Acces(Ouverture.SEULS, frozenset(), frozenset()), None)
        signalement.save()


def test_un_dossier_sans_lecteur_est_dit_une_fois_aux_autres_administrateurs(
    gestionnaire, admin, sophie, ruth, signalement, mailoutbox
):
    reserver(signalement=signalement, acteur=acteur_de(admin), ecartes=[sophie.pk], admis=[ruth.pk])
    site = entrer(admin.email)
    assert "Plus personne" not in site.get("/equipe/dossiers/").text
    desactiver(compte=ruth, acteur=acteur_de(admin))
    faire_les_taches()
    mailoutbox.clear()

    for _tour in range(2):
        annoncer_les_dossiers_sans_lecteur()
        faire_les_taches()

    assert [message.to for message in mailoutbox] == [[admin.email]]
    assert signalement.reference not in mailoutbox[0].body
    assert f">{signalement.reference}</span>" in site.get("/equipe/dossiers/").text
    for autre in (sophie, gestionnaire):
        assert signalement.reference not in entrer(autre.email).get("/equipe/dossiers/").text

    page = f"/equipe/dossiers/{signalement.pk}/lecteurs/"
    assert signalement.titre not in site.get(page).text
    vu = valeur(site.get(page).text, "vu_lecteurs")
    choix = {"ecartes": [str(sophie.pk)], "admis": [str(admin.pk)]}
    assert site.post(page, {**choix, "vu_lecteurs": vu}).status_code == 303
    annoncer_les_dossiers_sans_lecteur()

    assert Signalement.objects.get(pk=signalement.pk).sans_lecteur_le is None
    assert signalement.titre in site.get(f"/equipe/dossiers/{signalement.pk}/").text


def test_rouvert_puis_de_nouveau_sans_lecteur_il_est_dit_de_nouveau(gestionnaire, admin, ruth, signalement, mailoutbox):
    for _fois in range(2):
        reserver(signalement=signalement, acteur=acteur_de(admin), admis=[ruth.pk, gestionnaire.pk])
        Compte.objects.filter(pk__in=[ruth.pk, gestionnaire.pk]).update(est_actif=False)
        annoncer_les_dossiers_sans_lecteur()
        faire_les_taches()
        Compte.objects.filter(pk__in=[ruth.pk, gestionnaire.pk]).update(est_actif=True)
        reserver(signalement=signalement, acteur=acteur_de(admin))

    assert [message.to for message in mailoutbox] == [[admin.email]] * 2


def test_la_page_des_lecteurs_montre_et_refuse_avec_ses_mots(gestionnaire, admin, ruth, signalement):
    site, page = entrer(ruth.email), f"/equipe/dossiers/{signalement.pk}/lecteurs/"

    vu = valeur(site.get(page).text, "vu_lecteurs")
    refusee = site.post(page, {"ecartes": [str(admin.pk)], "vu_lecteurs": vu})
    faite = site.post(page, {"ecartes": [str(gestionnaire.pk)], "vu_lecteurs": vu})

    assert refusee.status_code == 422
    assert "Seul un administrateur peut écarter un administrateur" in refusee.text
    assert "doit pouvoir rouvrir le dossier" in site.get(page).text
    assert "doit pouvoir rouvrir le dossier" not in entrer(admin.email).get(page).text
    assert faite.url == f"/equipe/dossiers/{signalement.pk}/?fait=lecteurs#fait"
    assert "Toute l'équipe, sauf des personnes écartées" in ordinaire(site.get(faite.url).text)
    assert f"<bdi>{gestionnaire.nom_complet}</bdi> : écartée" in ordinaire(site.get(page).text)


def test_une_page_en_retard_ne_laisse_pas_relire_qui_vient_d_etre_ecarte(gestionnaire, admin, ruth, signalement):
    site, page = entrer(ruth.email), f"/equipe/dossiers/{signalement.pk}/lecteurs/"
    en_retard = valeur(site.get(page).text, "vu_lecteurs")
    reserver(signalement=signalement, acteur=acteur_de(admin), ecartes=[gestionnaire.pk])

    question = site.post(page, {"admis": [str(ruth.pk), str(admin.pk)], "vu_lecteurs": en_retard})

    assert question.status_code == 409
    assert "Quelque chose a changé" in question.text
    coches = re.findall(r'name="(\w+)" value="([-0-9a-f]{36})"[^>]* checked', question.text)
    assert sorted(coches) == sorted(
        [("ecartes", str(gestionnaire.pk)), ("admis", str(ruth.pk)), ("admis", str(admin.pk))]
    )
    assert Acces.de(Signalement.objects.get(pk=signalement.pk)).ecartes == {gestionnaire.pk}

    choix = {nom: [cle for sien, cle in coches if sien == nom] for nom in ("ecartes", "admis")}
    assert site.post(page, {**choix, "vu_lecteurs": valeur(question.text, "vu_lecteurs")}).status_code == 303
    assert Acces.de(Signalement.objects.get(pk=signalement.pk)) == Acces.pour([gestionnaire.pk], [ruth.pk, admin.pk])


@pytest.mark.parametrize(("perdu", "statut"), [("csrftoken", 403), ("sessionid", 401)])
def test_un_choix_de_lecteurs_qu_une_page_trop_vieille_rend_est_entier(
    gestionnaire, admin, ruth, signalement, perdu, statut
):
    """Signed in again in another tab: what is sent again shuts out each of those whom the page had named."""
    site, page = Client(enforce_csrf_checks=True), f"/equipe/dossiers/{signalement.pk}/lecteurs/"
    site.force_login(admin)
    choix = {"ecartes": [str(gestionnaire.pk), str(ruth.pk)], "vu_lecteurs": valeur(site.get(page).text, "vu_lecteurs")}
    jeton = site.cookies["csrftoken"].value
    del site.cookies[perdu]

    rendue = site.post(page, {**choix, "csrfmiddlewaretoken": jeton})

    assert rendue.status_code == statut
    formulaire = rendue.text.partition('id="ecrits"')[2]
    rendus = re.findall(r'<input type="hidden" name="(ecartes|vu_lecteurs)" value="([^"]*)"', formulaire)
    assert rendus == [*(("ecartes", cle) for cle in choix["ecartes"]), ("vu_lecteurs", choix["vu_lecteurs"])]


def test_l_export_d_un_autre_ou_il_peut_etre_reste_ferme_a_qui_en_est_ecarte(
    api, gestionnaire, admin, sophie, signalement
):
    """An administrator opens everybody's exports, and sees how many rows each has."""
    reserver(signalement=signalement, acteur=acteur_de(admin), ecartes=[sophie.pk])
    fait, sien = (api(qui).post("/api/v1/stats/signalements/export").json()["data"] for qui in (gestionnaire, sophie))
    url = f"/api/v1/stats/exports/{fait['exportId']}"

    assert [api(qui).get(url).status_code for qui in (gestionnaire, admin, sophie)] == [200, 200, 404]
    assert (fait["lignes"], sien["lignes"]) == (1, 0)
    assert lire(api(sophie), f"/api/v1/stats/exports/{sien['exportId']}")["lignes"] == 0
    greffe.vider()
    lus = {qui: {un["objetId"] for un in lire(api(qui), "/api/v1/audit/?size=100")["items"]} for qui in (admin, sophie)}
    assert [fait["exportId"] in lu for lu in lus.values()] == [True, False]
    assert sien["exportId"] in lus[sophie]
    listes = {qui.email: entrer(qui.email).get("/admin/stats/export/").text for qui in (admin, sophie)}
    assert (gestionnaire.nom_complet in listes[admin.email], gestionnaire.nom_complet in listes[sophie.email]) == (
        True,
        False,
    )
    reserver(signalement=signalement, acteur=acteur_de(admin))
    assert api(sophie).get(url).status_code == 200


def test_un_acte_commence_avant_d_en_etre_ecarte_ne_passe_plus(admin, ruth, signalement):
    tenu = Signalement.objects.get(pk=signalement.pk)
    reserver(signalement=signalement, acteur=acteur_de(admin), ecartes=[ruth.pk])

    with pytest.raises(Introuvable):
        fabriques.services.changer_statut(signalement=tenu, statut="CLOTURE", acteur=acteur_de(ruth))
    with pytest.raises(Introuvable):
        reserver(signalement=tenu, acteur=acteur_de(ruth))


def test_rien_ne_change_quand_personne_ne_resterait(admin, ruth, signalement):
    with pytest.raises(ChampsInvalides):
        reserver(signalement=signalement, acteur=acteur_de(admin), ecartes=[admin.pk, ruth.pk])

    assert Signalement.objects.get(pk=signalement.pk).ouvert_a == "TOUS"


def test_ce_qu_on_a_fait_d_un_dossier_joint_reste_au_registre_de_qui_lit_le_sien(
    api, gestionnaire, admin, sophie, etudiante, signalement
):
    joint = fabriques.signalement(acteur_de(etudiante))
    reserver(signalement=joint, acteur=acteur_de(admin), ecartes=[sophie.pk])
    lire(api(gestionnaire), f"{SIGNALEMENTS}{joint.pk}")
    reserver(signalement=signalement, acteur=acteur_de(admin), ecartes=[sophie.pk])
    fabriques.joindre(joint, signalement)
    greffe.vider()

    lus = [{un["objetId"] for un in lire(api(qui), "/api/v1/audit/?size=100")["items"]} for qui in (admin, sophie)]

    assert [str(joint.pk) in lu for lu in lus] == [True, False]

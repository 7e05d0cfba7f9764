"""The access of a browser: what opens it, what ends it, what the base keeps of it."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from config.tests.outils import acteur_de
from guests.erreurs import SessionFusionnee, SessionInvalide
from guests.models import SessionInvitee
from guests.services import changer_statut
from guests.tests.outils import fusionner
from portail.models import Acces, Brouillon, CodeRetour
from portail.services.acces import acces_du_jeton, ouvrir
from portail.tests.outils import FAITS, Visiteuse, la_session, le_dossier, texte_de

pytestmark = pytest.mark.django_db
PAGES = ["/dossiers/", "/dossiers/1/", "/recu/", "/recu/verifier/", "/acces/", "/acces/terminer/"]


def reculer(**depuis):
    """Make the one access this old, or this long unused."""
    avant = {nom: timezone.now() - duree for nom, duree in depuis.items()}
    Acces.objects.update(**avant)


@pytest.mark.parametrize("page", PAGES)
def test_sans_acces_rien_ne_s_ouvre_et_la_page_dit_comment_revenir(visiteuse, page):
    reponse = visiteuse.get(page)

    assert reponse.status_code == 401
    assert "Votre espace s'est fermé" in texte_de(reponse)
    assert 'href="/retrouver/"' in texte_de(reponse)
    assert "WWW-Authenticate" not in reponse.headers


@pytest.mark.parametrize("jeton", ["", "x", "é" * 30, "a" * 5_000, "espace=1; a=2"])
def test_un_cookie_invente_n_ouvre_rien(visiteuse, jeton):
    visiteuse.cookies["espace"] = jeton

    assert visiteuse.get("/dossiers/").status_code == 401


@pytest.mark.parametrize(
    ("depuis", "statut"),
    [
        ({"date_activite": timedelta(minutes=29)}, 200),
        ({"date_activite": timedelta(minutes=31)}, 401),
        ({"date_creation": timedelta(hours=11), "date_activite": timedelta(minutes=1)}, 200),
        ({"date_creation": timedelta(hours=13), "date_activite": timedelta(minutes=1)}, 401),
    ],
)
def test_un_acces_finit_sans_usage_et_apres_douze_heures(visiteuse, depuis, statut):
    visiteuse.signaler()
    reculer(**depuis)

    assert visiteuse.get("/dossiers/").status_code == statut


def test_s_en_servir_le_prolonge(visiteuse):
    visiteuse.signaler()
    for _fois in range(3):
        reculer(date_activite=timedelta(minutes=25))
        assert visiteuse.get("/dossiers/").status_code == 200


def test_terminer_ferme_ce_navigateur_et_montre_le_code_une_derniere_fois(visiteuse):
    code = visiteuse.signaler()
    for mot in code.split():
        assert mot in visiteuse.lire("/acces/terminer/")

    fini = visiteuse.envoyer("/acces/terminer/")

    assert (fini.status_code, fini.headers["Location"]) == (303, "/")
    assert fini.cookies["espace"]["max-age"] == 0
    assert Acces.objects.get().code_scelle == ""
    assert visiteuse.get("/dossiers/").status_code == 401


def test_fermer_partout_ailleurs_ferme_les_autres_navigateurs(visiteuse, autre_visiteuse):
    code = visiteuse.signaler()
    autre_visiteuse.revenir(code)
    assert autre_visiteuse.get("/dossiers/").status_code == 200

    autre_visiteuse.envoyer("/acces/ailleurs/")

    assert (visiteuse.get("/dossiers/").status_code, autre_visiteuse.get("/dossiers/").status_code) == (401, 200)


def test_une_session_desactivee_ferme_l_acces_aussitot(visiteuse, admin):
    code = visiteuse.signaler()

    changer_statut(session=la_session(), statut="DISABLED", motif="Abus.", acteur=acteur_de(admin))

    assert Acces.objects.get().date_fin is not None
    refus = visiteuse.get("/dossiers/")
    assert (refus.status_code, "Cet accès a été fermé." in texte_de(refus)) == (403, True)
    assert visiteuse.revenir(code).status_code == 403


def test_un_dossier_rattache_a_un_compte_ne_s_ouvre_plus_ici(visiteuse, etudiante):
    code = visiteuse.signaler()
    session = la_session()
    session.guest_id = _retrouver_un_identifiant(session)

    fusionner(etudiante, session)

    refus = visiteuse.get("/dossiers/")
    assert (refus.status_code, "Ce dossier est dans un compte." in texte_de(refus)) == (409, True)
    refus = visiteuse.revenir(code)
    assert (refus.status_code, "n'ouvrent plus cet espace" in texte_de(refus)) == (422, True)
    assert le_dossier().compte == etudiante
    with pytest.raises(SessionFusionnee):
        acces_du_jeton(visiteuse.cookies["espace"].value)


def test_un_acces_que_le_rattachement_a_termine_le_dit_encore_le_lendemain(visiteuse, etudiante):
    """It had not ended of itself by then."""
    visiteuse.signaler()
    session = la_session()
    session.guest_id = _retrouver_un_identifiant(session)
    fusionner(etudiante, session)
    reculer(date_creation=timedelta(hours=11), date_activite=timedelta(hours=10), date_fin=timedelta(hours=10))
    SessionInvitee.objects.update(date_fusion=timezone.now() - timedelta(hours=10, minutes=1))

    refus = visiteuse.get("/dossiers/")

    assert (refus.status_code, "Ce dossier est dans un compte." in texte_de(refus)) == (409, True)


def _retrouver_un_identifiant(session):
    """The id of a session of the portal is thrown away: another one, to merge it by the API."""
    from uuid import uuid4

    from socle.domaine.identite import empreinte_guest_id

    guest_id = uuid4()
    type(session).objects.filter(pk=session.pk).update(guest_id_empreinte=empreinte_guest_id(guest_id))
    return guest_id


def test_la_base_ne_garde_que_des_empreintes(visiteuse):
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    brouillon = Brouillon.objects.get()
    assert FAITS["description"] not in brouillon.contenu_scelle
    assert visiteuse.cookies["brouillon"].value not in str(vars(brouillon))

    code = visiteuse.signaler()

    acces, retour = Acces.objects.get(), CodeRetour.objects.get()
    garde = str([*vars(acces).values(), *vars(retour).values()])  # a code may hold the word « jeton »
    assert visiteuse.cookies["espace"].value not in garde
    for mot in code.split():
        assert mot not in garde
    assert Brouillon.objects.filter(date_envoi__isnull=False).get().contenu_scelle == ""


def test_les_cookies_ne_survivent_pas_au_navigateur_et_echappent_aux_scripts(visiteuse, settings):
    visiteuse.signaler()

    for nom in ("espace", "csrftoken"):
        cookie = visiteuse.cookies[nom]
        assert (cookie["max-age"], cookie["expires"]) == ("", "")
        assert cookie["httponly"] is True
    assert visiteuse.cookies["espace"]["samesite"] == "Strict"


def test_en_https_les_cookies_sont_a_cet_hote_seul(settings):
    settings.HTTPS_ONLY = True
    visiteuse = Visiteuse()

    posee = visiteuse.envoyer("/ecrire/faits/", FAITS)

    cookie = posee.cookies["__Host-brouillon"]
    assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")


def test_la_purge_retire_brouillons_et_acces_finis(visiteuse):
    visiteuse.signaler()
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    Brouillon.objects.update(date_modification=timezone.now() - timedelta(hours=3))

    call_command("purge", verbosity=0)
    assert (Brouillon.objects.count(), Acces.objects.count()) == (0, 1)
    reculer(date_creation=timedelta(hours=37))
    call_command("purge", verbosity=0)

    assert Acces.objects.count() == 0
    assert CodeRetour.objects.count() == 1


@pytest.mark.parametrize("fin", ["effacée", "fermée", "rattachée"])
def test_une_session_qui_finit_pendant_que_l_on_revient_n_est_pas_ouverte(invite, etudiante, fin):
    """The code was read just before."""
    seance = SessionInvitee.objects.get(pk=invite.pk)
    if fin == "effacée":
        SessionInvitee.objects.filter(pk=seance.pk).delete()
    elif fin == "fermée":
        SessionInvitee.objects.filter(pk=seance.pk).update(statut="DISABLED")
    else:
        fusionner(etudiante, invite)

    with pytest.raises(SessionFusionnee if fin == "rattachée" else SessionInvalide):
        ouvrir(invite=seance, jeton="j" * 40)

    assert not Acces.objects.exists()

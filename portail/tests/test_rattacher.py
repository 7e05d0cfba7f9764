"""A guest's cases become an account's, in the browser: by proof of both, once, whole, or not at all."""

import html
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.models import Compte, Session
from accounts.tests import fabriques as gens
from accounts.tests.fabriques import MOT_DE_PASSE
from config.tests.outils import acteur_de, client_de
from discussions import recompte
from discussions.models import Discussion, Message
from discussions.services import ecrire
from discussions.tests import fabriques as discussions
from guests.fusion.verification import verifier
from guests.models import AuditFusion, SessionInvitee
from guests.tests.fabriques import desactiver
from guests.tests.fabriques import fusionner as fusionner_ailleurs
from portail.models import Acces
from portail.services import conflits
from portail.tests.outils import (
    DETAILS,
    FAITS,
    PERSONNE,
    Visiteuse,
    cache,
    choix_de,
    cle_de,
    coches_de,
    la_session,
    texte_de,
)
from signalements.models import Signalement
from signalements.tests import fabriques as signalements
from socle.domaine import droits
from socle.domaine.acteurs import ActeurInvite
from socle.domaine.droits import Droit, Role
from socle.domaine.identite import empreinte_guest_id
from socle.domaine.limites import Taux
from socle.tests.mesures import Releve

pytestmark = pytest.mark.django_db
APERCU = "/rattacher/apercu/"
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
PAREILS = {"titre": "Sac volé", "description": "Pris au vestiaire.", "type": "VOL"}


def invite_de(session):
    return ActeurInvite(invite=session)


def rien_n_a_bouge(compte=None):
    """The session is as it was, and no merge has left a trace."""
    assert not AuditFusion.objects.exists()
    assert la_session().statut == "ACTIVE"
    assert not Signalement.objects.filter(fusionne_de__isnull=False).exists()


def entiere():
    assert list(verifier()) == []
    assert not recompte.ecarts()
    assert AuditFusion.objects.count() == 1


@pytest.fixture
def en_conflit(visiteuse, etudiante):
    """A report of the same facts on each side, the account's with a place; a conversation of each about its own."""
    visiteuse.signaler()
    apporte = signalements.signalement(invite_de(la_session()), **PAREILS, auteur_presume="Quelqu'un.")
    du_compte = signalements.signalement(acteur_de(etudiante), **PAREILS, mode_identification="ANONYME")
    signalements.mettre(du_compte, lieu_incident="Vestiaire")
    pour_un, pour_autre = (
        discussions.discussion(acteur, titre, dossier)
        for acteur, titre, dossier in (
            (invite_de(la_session()), "Suite, ici", apporte),
            (acteur_de(etudiante), "Suite, là-bas", du_compte),
        )
    )
    return apporte, du_compte, pour_un, pour_autre


def caches_de(page):
    """What the main form of a page sends along by itself, but its token."""
    formulaire = page.partition('id="saisie"')[2].partition("</form>")[0]
    caches = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', formulaire))
    return {nom: valeur for nom, valeur in caches.items() if nom != "csrfmiddlewaretoken"}


def valeur(niveau, source, cible, action):
    return f"{niveau}:{source.pk}:{cible.pk}:{action}"


# --- Before ---------------------------------------------------------------------------------------------------------


def test_la_page_dit_pourquoi_et_ce_qui_change(visiteuse):
    code = visiteuse.signaler()
    assert 'href="/rattacher/"' in visiteuse.lire("/acces/")

    page = visiteuse.lire("/rattacher/")

    assert "Votre nom n'apparaît pas sur un dossier anonyme, avant comme après." in page
    assert "Vos six mots n'ouvriront plus rien." in page
    assert code.split()[0] in page
    assert 'href="/rattacher/connexion/"' in page
    assert 'href="/rattacher/inscription/"' in page


@pytest.mark.parametrize("reglages", [{"GUEST_MODE_STAGE": "create"}, {"GUEST_MODE_STAGE": "read"}])
def test_avant_son_stade_rien_n_y_mene_et_la_page_refuse(visiteuse, etudiante, settings, reglages):
    visiteuse.signaler()
    apercu = Visiteuse()
    apercu.signaler()
    apercu.passer_au_compte(etudiante)
    for nom, choisi in reglages.items():
        setattr(settings, nom, choisi)

    assert 'href="/rattacher/"' not in visiteuse.lire("/acces/")
    statuts = {visiteuse.get(f"/rattacher/{page}").status_code for page in ("", "connexion/", "inscription/")}
    statuts.add(visiteuse.envoyer("/rattacher/connexion/", {"email": etudiante.email}).status_code)
    statuts |= {apercu.get(APERCU).status_code, apercu.envoyer(APERCU).status_code}
    assert statuts == {403}
    assert "On ne peut pas rattacher de dossier" in texte_de(visiteuse.get("/rattacher/"))
    assert not AuditFusion.objects.exists()


def test_un_apercu_ne_se_lit_qu_apres_s_etre_connecte(visiteuse, etudiante):
    visiteuse.signaler()

    reponses = [visiteuse.get(APERCU), visiteuse.envoyer(APERCU)]

    assert {(r.status_code, r.headers["Location"]) for r in reponses} == {(303, "/rattacher/")}
    assert Visiteuse().get(APERCU).status_code == 401
    assert Visiteuse().get("/rattacher/connexion/").status_code == 401


def test_se_connecter_pour_rattacher_tient_l_espace_sans_rien_rattacher(visiteuse, etudiante):
    visiteuse.signaler()
    ancien = visiteuse.cookies["espace"].value

    visiteuse.passer_au_compte(etudiante)

    de_l_invite, du_compte = Acces.objects.get(invite__isnull=False), Acces.objects.get(session__isnull=False)
    assert (de_l_invite.date_fin is not None, de_l_invite.code_scelle) == (True, "")
    assert (du_compte.session.compte, du_compte.a_rattacher) == (etudiante, la_session())
    assert visiteuse.cookies["espace"].value != ancien
    rien_n_a_bouge()
    assert "attend d'être rattaché" in visiteuse.lire("/dossiers/")
    assert {visiteuse.get(f"/rattacher/{page}").headers["Location"] for page in ("", "connexion/", "inscription/")} == {
        APERCU
    }


def test_s_inscrire_pour_rattacher_mene_au_meme_apercu(visiteuse):
    visiteuse.signaler()

    inscrite = visiteuse.s_inscrire("/rattacher/inscription/")

    assert (inscrite.status_code, inscrite.headers["Location"]) == (303, APERCU)
    assert Acces.objects.get(session__isnull=False).a_rattacher == la_session()


@pytest.mark.parametrize(
    ("page", "corps", "statut"),
    [
        ("connexion", {"email": "x@campus.test", "mot_de_passe": "Faux-2026-essai"}, 401),
        ("connexion", {}, 422),
        ("inscription", {**PERSONNE, "mot_de_passe": "court"}, 422),
    ],
)
def test_une_connexion_refusee_laisse_l_espace_ouvert(visiteuse, page, corps, statut):
    visiteuse.signaler()

    refus = visiteuse.envoyer(f"/rattacher/{page}/", corps)

    assert refus.status_code == statut
    assert visiteuse.get("/dossiers/").status_code == 200
    assert "Rien n'est encore rattaché" in texte_de(refus)


def test_un_second_clic_pour_se_connecter_mene_au_meme_apercu(visiteuse, etudiante):
    visiteuse.signaler()
    ancien = visiteuse.cookies["espace"].value
    visiteuse.passer_au_compte(etudiante)
    nouveau = visiteuse.cookies["espace"].value

    visiteuse.cookies["espace"] = ancien  # the first answer was lost
    visiteuse.passer_au_compte(etudiante)

    assert visiteuse.cookies["espace"].value == nouveau
    assert Acces.objects.filter(session__isnull=False).count() == 1
    assert Session.objects.filter(date_fin=None).count() == 1


@pytest.mark.parametrize("qui", ["personne", "autre"])
def test_l_ancien_cookie_seul_n_ouvre_pas_le_compte(visiteuse, etudiante, gestionnaire, qui):
    visiteuse.signaler()
    ancien = visiteuse.cookies["espace"].value
    visiteuse.passer_au_compte(etudiante)

    voleuse = Visiteuse()
    voleuse.cookies["espace"] = ancien
    corps = {"email": gestionnaire.email, "mot_de_passe": gens.MOT_DE_PASSE if qui == "autre" else "Faux-2026-essai"}
    refus = voleuse.envoyer("/rattacher/connexion/", corps)

    assert refus.status_code == 401
    assert voleuse.get("/dossiers/").status_code == 401
    assert [une.compte for une in Session.objects.filter(date_fin=None)] == [etudiante]
    assert Acces.objects.filter(a_rattacher__isnull=False).count() == 1


def test_un_espace_ferme_depuis_plus_longtemps_ne_prouve_rien(visiteuse, etudiante):
    visiteuse.signaler()
    ancien = visiteuse.cookies["espace"].value
    visiteuse.passer_au_compte(etudiante)
    Acces.objects.update(date_creation=timezone.now() - timedelta(minutes=2))

    visiteuse.cookies["espace"] = ancien

    assert visiteuse.envoyer("/rattacher/connexion/", {"email": etudiante.email}).status_code == 401


# --- The preview ----------------------------------------------------------------------------------------------------


def test_l_apercu_compte_et_dit_ce_qui_portera_le_nom(visiteuse, etudiante):
    visiteuse.signaler()
    session = la_session()
    signalements.signalement(invite_de(session), titre="En mon nom", mode_identification="IDENTIFIE")
    discussions.message(invite_de(session), discussions.discussion(invite_de(session), "Une question"))

    page = visiteuse.passer_au_compte(etudiante)

    for phrase in (
        "2 dossiers",
        "1 conversation",
        "1 message que vous avez écrit",
        "le dossier « <bdi>En mon nom</bdi> »",
    ):
        assert phrase in page
    assert "la conversation « <bdi>Une question</bdi> »" in page
    assert "« Harcèlement »" not in page  # which stays anonymous
    assert not UUID.search(page)
    assert etudiante.email not in page


def test_sans_rien_a_nommer_l_apercu_le_dit(visiteuse, etudiante):
    visiteuse.signaler()

    assert "Rien : l'équipe ne verra votre nom sur aucun" in visiteuse.passer_au_compte(etudiante)


def test_un_conflit_montre_les_deux_et_propose_de_garder_les_deux(visiteuse, etudiante, en_conflit):
    apporte, du_compte, pour_un, pour_autre = en_conflit

    page = visiteuse.passer_au_compte(etudiante)

    offerts = choix_de(page)
    assert offerts["choix-0"] == [
        valeur("SIGNALEMENT", apporte, du_compte, action)
        for action in ("KEEP_TARGET", "KEEP_GUEST", "MERGE_FIELDS", "SKIP")
    ]
    assert coches_de(page) == {
        "choix-0": valeur("SIGNALEMENT", apporte, du_compte, "SKIP"),
        "choix-1": valeur("DISCUSSION", pour_un, pour_autre, "SKIP"),
    }
    for phrase in (
        "Sac volé",
        "Suite, ici",
        "Suite, là-bas",
        "Garder le texte de mon compte",
        "Garder le texte d'ici",
        "Compléter l'un par l'autre",
        "Garder les deux dossiers",
        "Garder les deux conversations",
    ):
        assert phrase in page
    for secret in (la_session().pk, etudiante.pk, Session.objects.get().pk):
        assert str(secret) not in page


def test_chaque_carte_montre_ce_qui_fut_ecrit_et_le_reste_se_deplie(visiteuse, etudiante, en_conflit):
    _apporte, du_compte, _ici, la_bas = en_conflit
    long = "Devant l'amphi, " + "puis encore " * 40 + "et enfin au parking."
    Signalement.objects.filter(pk=du_compte.pk).update(description=long)
    for mot in ("Un premier mot.", "Un mot <b>du compte</b>."):
        ecrire(acteur=acteur_de(etudiante), discussion=la_bas, contenu=mot)
    visiteuse.passer_au_compte(etudiante)

    cartes = visiteuse.get(APERCU).content.decode().partition("Ce qui se ressemble")[2]

    assert PAREILS["description"] in html.unescape(cartes)
    assert html.unescape(cartes).count(long) == cartes.count("<summary>Voir tout") == 1
    assert long[:100] in html.unescape(cartes.partition("<summary>")[0])
    assert "Un mot &lt;b&gt;du compte&lt;/b&gt;." in cartes
    assert "Un premier mot." not in cartes


def test_ce_qui_en_rencontre_plusieurs_se_regle_par_un_seul_choix(visiteuse, etudiante, en_conflit):
    apporte, _du_compte, _un, _autre = en_conflit
    second = signalements.signalement(acteur_de(etudiante), **PAREILS, mode_identification="ANONYME")

    page = visiteuse.passer_au_compte(etudiante)

    assert len(choix_de(page)["choix-0"]) == 7  # three for each, and to keep both
    assert page.count("Garder les deux dossiers") == 1
    assert "avec « <bdi>Sac volé</bdi> » du" in page
    fini = visiteuse.confirmer(page, valeur("SIGNALEMENT", apporte, second, "KEEP_TARGET"))
    assert fini.headers["Location"] == "/rattacher/fait/"
    apporte.refresh_from_db()
    assert apporte.absorbe_par == second
    entiere()


def test_ce_que_l_apercu_ne_nomme_pas_est_dit(visiteuse, etudiante, en_conflit, monkeypatch):
    monkeypatch.setattr("signalements.fusion.ELEMENTS_MAX", 0)

    page = visiteuse.passer_au_compte(etudiante)
    refus = visiteuse.confirmer(page)

    assert "que cette page ne peut pas nommer" in page
    assert (refus.status_code, "Trop de dossiers se ressemblent" in texte_de(refus)) == (409, True)
    rien_n_a_bouge()


@pytest.mark.parametrize(
    ("permises", "attendue"),
    [
        (("KEEP_TARGET", "SKIP", "MERGE_FIELDS"), "SKIP"),
        (("KEEP_TARGET", "MERGE_FIELDS"), "MERGE_FIELDS"),
        (("KEEP_TARGET", "KEEP_GUEST"), "KEEP_TARGET"),
    ],
)
def test_le_choix_par_defaut_perd_le_moins(permises, attendue):
    paire = {"level": "SIGNALEMENT", "guestEntityId": str(uuid4()), "targetEntityId": str(uuid4())}

    (conflit,) = conflits.presenter([{**paire, "reason": "REFERENCE", "allowedActions": list(permises)}], [])

    assert [un.valeur.rpartition(":")[2] for un in conflit.choix if un.coche] == [attendue]


def test_lire_l_apercu_ne_change_rien_et_se_compte_comme_par_l_api(visiteuse, etudiante, settings):
    visiteuse.signaler()
    visiteuse.passer_au_compte(etudiante)
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "merge": Taux(2, 3600)}

    statuts = [visiteuse.get(APERCU).status_code for _fois in range(3)]

    assert statuts == [200, 200, 429]
    rien_n_a_bouge()


# --- The merge ------------------------------------------------------------------------------------------------------


def test_rattacher_donne_tout_au_compte_et_le_code_n_ouvre_plus_rien(visiteuse, autre_visiteuse, etudiante):
    code = visiteuse.signaler()
    visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour."})
    autre_visiteuse.revenir(code)
    session = la_session()

    fini = visiteuse.confirmer(visiteuse.passer_au_compte(etudiante))

    assert (fini.status_code, fini.headers["Location"]) == (303, "/rattacher/fait/")
    page = visiteuse.lire("/rattacher/fait/")
    for phrase in ("1 dossier", "1 conversation", "1 message", "Vos six mots n'ouvrent plus rien."):
        assert phrase in page
    assert 'href="/dossiers/"' in page
    assert not UUID.search(page)
    assert "Harcèlement" in visiteuse.lire("/dossiers/")
    assert "Bonjour." in visiteuse.lire("/dossiers/1/")
    assert Signalement.objects.get().compte == etudiante
    assert Acces.objects.get(session__isnull=False).a_rattacher is None
    for qui in (Visiteuse(), autre_visiteuse):
        refus = qui.revenir(code)
        assert (refus.status_code, "Ces six mots n'ouvrent plus cet espace." in texte_de(refus)) == (422, True)
        assert "compte. Connectez-vous" not in texte_de(refus)
        assert 'href="/compte/connexion/"' in texte_de(refus)
    assert autre_visiteuse.get("/dossiers/").status_code == 409
    session.refresh_from_db()
    assert session.fusionnee_dans == etudiante
    entiere()


def test_l_equipe_ne_voit_pas_le_nom_sur_un_dossier_anonyme(visiteuse, etudiante, gestionnaire):
    visiteuse.signaler()
    visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour."})
    dossier, discussion = Signalement.objects.get(), Discussion.objects.get()
    equipe = client_de(gestionnaire)

    visiteuse.confirmer(visiteuse.passer_au_compte(etudiante))

    adresses = (
        f"signalements/{dossier.pk}",
        f"signalements/{dossier.pk}/timeline",
        f"discussions/{discussion.pk}",
        f"discussions/{discussion.pk}/messages",
    )
    lus = " ".join(equipe.get(f"/api/v1/{adresse}").content.decode() for adresse in adresses)
    assert "Bonjour." in lus
    for secret in (str(etudiante.pk), etudiante.nom, etudiante.email):
        assert secret not in lus


@pytest.mark.parametrize(
    ("action", "restent", "auteur", "lieu"),
    [
        ("KEEP_TARGET", 2, "", "Vestiaire"),
        ("KEEP_GUEST", 2, "Quelqu'un.", ""),
        ("MERGE_FIELDS", 2, "Quelqu'un.", "Vestiaire"),
        ("SKIP", 3, "", "Vestiaire"),
    ],
)
def test_chaque_choix_d_un_dossier_fait_ce_qu_il_dit(visiteuse, etudiante, en_conflit, action, restent, auteur, lieu):
    apporte, du_compte, _pour_un, _pour_autre = en_conflit
    page = visiteuse.passer_au_compte(etudiante)

    visiteuse.confirmer(page, valeur("SIGNALEMENT", apporte, du_compte, action))

    assert Signalement.objects.vivants().filter(compte=etudiante).count() == restent
    du_compte.refresh_from_db()
    assert (du_compte.auteur_presume, du_compte.lieu_incident) == (auteur, lieu)
    assert Discussion.objects.vivants().filter(compte=etudiante).count() == 2
    entiere()


@pytest.mark.parametrize("action", ["KEEP_TARGET", "KEEP_GUEST", "MERGE_FIELDS"])
def test_des_conversations_se_reunissent_avec_leurs_dossiers(visiteuse, etudiante, en_conflit, action):
    apporte, du_compte, pour_un, pour_autre = en_conflit
    page = visiteuse.passer_au_compte(etudiante)

    visiteuse.confirmer(
        page,
        valeur("SIGNALEMENT", apporte, du_compte, "MERGE_FIELDS"),
        valeur("DISCUSSION", pour_un, pour_autre, action),
    )

    pour_un.refresh_from_db()
    pour_autre.refresh_from_db()
    assert pour_un.absorbe_par == pour_autre
    assert pour_autre.titre == ("Suite, ici" if action == "KEEP_GUEST" else "Suite, là-bas")
    entiere()


def test_reunir_les_conversations_de_dossiers_qui_restent_deux_est_montre_a_sa_place(visiteuse, etudiante):
    visiteuse.signaler()
    nomme = signalements.signalement(acteur_de(etudiante), mode_identification="IDENTIFIE")
    la_bas = discussions.discussion(acteur_de(etudiante), "Suite", nomme)
    ici = discussions.discussion(invite_de(la_session()), "Suite", Signalement.objects.get(invite=la_session()))
    page = visiteuse.passer_au_compte(etudiante)
    assert [v.rpartition(":")[2] for v in choix_de(page)["choix-0"]] == ["SKIP"]

    refus = visiteuse.confirmer(page, **{"choix-0": valeur("DISCUSSION", ici, la_bas, "MERGE_FIELDS")})

    lue = texte_de(refus)
    assert (refus.status_code, "Ce choix n'est pas possible ici : gardez les deux." in lue) == (422, True)
    assert 'id="choix-0-erreur"' in lue
    rien_n_a_bouge()
    assert visiteuse.confirmer(lue).headers["Location"] == "/rattacher/fait/"


def test_ce_qui_change_depuis_l_apercu_le_remontre_sans_rien_faire(visiteuse, etudiante):
    visiteuse.signaler()
    signalements.signalement(invite_de(la_session()), **PAREILS)
    page = visiteuse.passer_au_compte(etudiante)
    signalements.signalement(acteur_de(etudiante), **PAREILS)

    refus = visiteuse.confirmer(page)

    lue = texte_de(refus)
    assert (refus.status_code, "Quelque chose a changé. Relisez avant de confirmer." in lue) == (409, True)
    assert "<title>Erreur :" in lue
    assert "Deux dossiers se ressemblent" in lue
    assert cache(lue, "plan_digest") != cache(page, "plan_digest")
    rien_n_a_bouge()
    assert visiteuse.confirmer(lue).headers["Location"] == "/rattacher/fait/"
    entiere()


def test_les_choix_attendent_qui_doit_redonner_son_mot_de_passe(visiteuse, etudiante, en_conflit):
    """From the preview, minutes after a page of the campus was shown around in another tab."""
    apercu = visiteuse.passer_au_compte(etudiante)
    choisi = choix_de(apercu)["choix-0"][0]
    assert choisi not in coches_de(apercu).values()
    Acces.objects.update(date_creation=timezone.now() - timedelta(minutes=11))
    visiteuse.lire("/campus/")

    demande = visiteuse.confirmer(apercu, choisi)
    page = texte_de(demande)
    assert (demande.status_code, PAREILS["titre"] in page, "Vos choix sont encore là." in page) == (401, False, True)
    faux = visiteuse.envoyer("/compte/preuve/", {**caches_de(page), "mot_de_passe": "faux"})
    ouvert = texte_de(visiteuse.envoyer("/compte/preuve/", {**caches_de(texte_de(faux)), "mot_de_passe": MOT_DE_PASSE}))
    assert f'action="{APERCU}"' in ouvert
    relu = texte_de(visiteuse.envoyer(APERCU, {**caches_de(ouvert), "relire": "1"}))

    assert coches_de(relu) == {**coches_de(apercu), "choix-0": choisi}
    rien_n_a_bouge()
    assert visiteuse.confirmer(relu).headers["Location"] == "/rattacher/fait/"
    entiere()


def test_sans_choix_le_mot_de_passe_redonne_mene_a_l_apercu(visiteuse, etudiante):
    visiteuse.signaler()
    apercu = visiteuse.passer_au_compte(etudiante)
    Acces.objects.update(date_creation=timezone.now() - timedelta(minutes=11))
    visiteuse.lire("/campus/")

    assert visiteuse.confirmer(apercu).headers["Location"] == f"/compte/preuve/?retour={APERCU}"
    mene = visiteuse.envoyer("/compte/preuve/", {"mot_de_passe": MOT_DE_PASSE, "retour": APERCU})
    assert mene.headers["Location"] == APERCU


def test_un_choix_qui_manque_est_demande_a_sa_place_et_les_autres_restent(visiteuse, etudiante, en_conflit):
    _apporte, _du_compte, pour_un, pour_autre = en_conflit
    page = visiteuse.passer_au_compte(etudiante)
    garde = valeur("DISCUSSION", pour_un, pour_autre, "KEEP_GUEST")
    corps = {nom: cache(page, nom) for nom in ("plan_digest", "cle")}

    refus = visiteuse.envoyer(APERCU, {**corps, "choix-1": garde})

    lue = texte_de(refus)
    assert (refus.status_code, lue.count("Choisissez ce qu'il advient de ces deux-là.")) == (409, 2)
    assert 'href="#choix-0-0"' in lue
    assert coches_de(lue)["choix-1"] == garde
    rien_n_a_bouge()


@pytest.mark.parametrize(
    ("champs", "statut"),
    [
        ({"choix-0": "x"}, 422),
        ({"choix-0": ""}, 422),
        ({"choix-0": ":::"}, 422),
        ({"choix-0": "SIGNALEMENT:1:2:SKIP"}, 422),
        ({"choix-0": "\x00:\ud7ff:é:SKIP"}, 422),
        ({"choix-0": f"SIGNALEMENT:{uuid4()}:{uuid4()}:SKIP"}, 422),
        ({"choix-0": f"AUTRE:{uuid4()}:{uuid4()}:SKIP"}, 422),
        ({"choix-9": f"DISCUSSION:{uuid4()}:{uuid4()}:MERGE_FIELDS", "choix-x": "y:" * 5_000}, 422),
        ({"plan_digest": ""}, 422),
        ({"plan_digest": "x" * 5_000}, 422),
        ({"plan_digest": "autre"}, 409),
        ({"cle": ""}, 400),
        ({"cle": "x" * 300}, 400),
        ({"cle": "a\x00b"}, 400),
    ],
)
def test_un_formulaire_fausse_remontre_l_apercu_sans_rien_faire(visiteuse, etudiante, en_conflit, champs, statut):
    page = visiteuse.passer_au_compte(etudiante)

    refus = visiteuse.confirmer(page, **champs)

    assert (refus.status_code, "Rattacher à mon compte" in texte_de(refus)) == (statut, True)
    rien_n_a_bouge()


def test_la_cle_d_une_autre_fusion_ne_rejoue_rien(visiteuse, etudiante):
    visiteuse.signaler()
    autre = SessionInvitee.objects.create(guest_id_empreinte="x" * 64)
    fusionner_ailleurs(autre, etudiante, cle="celle-d-avant")
    page = visiteuse.passer_au_compte(etudiante)

    refus = visiteuse.confirmer(page, cle="celle-d-avant")

    assert (refus.status_code, "Quelque chose a changé." in texte_de(refus)) == (422, True)
    assert AuditFusion.objects.count() == 1
    assert visiteuse.confirmer(texte_de(refus)).status_code == 303


def test_confirmer_encore_recharger_ou_revenir_en_arriere_mene_a_la_meme_fin(visiteuse, etudiante):
    visiteuse.signaler()
    page = visiteuse.passer_au_compte(etudiante)
    visiteuse.confirmer(page)

    encore = [visiteuse.confirmer(page), visiteuse.confirmer(page, cle="une-autre"), visiteuse.get(APERCU)]

    assert {(r.status_code, r.headers["Location"]) for r in encore} == {(303, "/rattacher/fait/")}
    assert "1 dossier" in visiteuse.lire("/rattacher/fait/")
    entiere()


def test_le_rejeu_sous_la_meme_cle_se_compte_comme_par_l_api(visiteuse, etudiante):
    """As a second click that read the access before the first one's merge."""
    visiteuse.signaler()
    page = visiteuse.passer_au_compte(etudiante)
    session = la_session()
    comptes = {nom: Releve("campus_merges_total", resultat=nom) for nom in ("fusion", "rejeu", "conflit", "refus")}
    visiteuse.confirmer(page)
    Acces.objects.filter(session__isnull=False).update(a_rattacher=session)

    rejoue = visiteuse.confirmer(page)
    autre_cle = visiteuse.confirmer(page, cle="une-autre")

    assert {rejoue.headers["Location"], autre_cle.headers["Location"]} == {"/rattacher/fait/"}
    assert {nom: compte.plus for nom, compte in comptes.items()} == {"fusion": 1, "rejeu": 1, "conflit": 0, "refus": 1}
    entiere()


def test_rattachee_ailleurs_au_meme_compte_la_page_le_sait(visiteuse, etudiante):
    visiteuse.signaler()
    page = visiteuse.passer_au_compte(etudiante)

    fusionner_ailleurs(la_session(), etudiante)

    assert visiteuse.get(APERCU).headers["Location"] == "/rattacher/fait/"
    assert visiteuse.confirmer(page).headers["Location"] == "/rattacher/fait/"
    assert "1 dossier" in visiteuse.lire("/rattacher/fait/")


def test_rattachee_a_un_autre_compte_celui_ci_n_en_recoit_rien(visiteuse, etudiante):
    visiteuse.signaler()
    page = visiteuse.passer_au_compte(etudiante)
    session = la_session()

    fusionner_ailleurs(session, gens.compte())

    assert "n'attend plus d'être rattaché" in texte_de(visiteuse.confirmer(page))
    assert visiteuse.get("/rattacher/fait/").headers["Location"] == "/dossiers/"
    assert "Aucun dossier ici." in visiteuse.lire("/dossiers/")
    Acces.objects.filter(session__isnull=False).update(a_rattacher=session)  # read a moment too early
    refus = visiteuse.confirmer(page)
    assert (refus.status_code, "Ce dossier est dans un compte." in texte_de(refus)) == (409, True)
    assert AuditFusion.objects.count() == 1


def test_une_session_desactivee_entre_temps_n_est_pas_rattachee(visiteuse, etudiante):
    visiteuse.signaler()
    page = visiteuse.passer_au_compte(etudiante)

    desactiver(la_session())

    refus = visiteuse.confirmer(page)
    assert (refus.status_code, "n'attend plus d'être rattaché" in texte_de(refus)) == (409, True)
    assert visiteuse.get(APERCU).headers["Location"] == "/rattacher/fait/"
    assert visiteuse.envoyer("/rattacher/revenir/").headers["Location"] == "/dossiers/"
    assert "attend d'être rattaché" not in visiteuse.lire("/dossiers/")
    assert not AuditFusion.objects.exists()
    assert not Acces.objects.filter(a_rattacher__isnull=False).exists()


def test_un_compte_sans_espace_n_a_rien_a_rattacher(visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)

    suite = [visiteuse.get(APERCU), visiteuse.get("/rattacher/fait/"), visiteuse.envoyer("/rattacher/revenir/")]

    assert [r.headers["Location"] for r in suite] == ["/rattacher/fait/", "/dossiers/", "/dossiers/"]
    assert "attend d'être rattaché" not in visiteuse.lire("/dossiers/")
    assert visiteuse.get("/rattacher/revenir/").headers["Location"] == APERCU


def test_sans_le_droit_la_page_refuse(visiteuse, etudiante, monkeypatch):
    visiteuse.signaler()
    page = visiteuse.passer_au_compte(etudiante)
    sans = {**droits.DROITS, Role.UTILISATEUR: droits.DROITS[Role.UTILISATEUR] - {Droit.INVITES_RATTACHER}}
    monkeypatch.setattr(droits, "DROITS", sans)

    refus = [visiteuse.get(APERCU), visiteuse.confirmer(page)]

    assert {r.status_code for r in refus} == {403}
    assert "Vous n'avez pas le droit de faire cela." in texte_de(refus[0])
    rien_n_a_bouge()


@pytest.mark.parametrize("qui", ["gestionnaire", "admin"])
def test_l_equipe_rattache_comme_l_api_le_lui_permet(visiteuse, personne, qui):
    visiteuse.signaler()

    visiteuse.confirmer(visiteuse.passer_au_compte(personne(qui)))

    assert Signalement.objects.get().compte == personne(qui)
    entiere()


@pytest.mark.parametrize("stade", ["create", "read"])
def test_sous_son_stade_ce_qui_attend_reste_dit_et_l_on_en_revient(visiteuse, etudiante, settings, stade):
    visiteuse.signaler()
    visiteuse.passer_au_compte(etudiante)
    settings.GUEST_MODE_STAGE = stade

    page = visiteuse.lire("/dossiers/")

    assert "Le rattacher n'est pas possible pour le moment." in page
    assert f'href="{APERCU}"' not in page
    assert 'href="/dossiers/"' in texte_de(visiteuse.get(APERCU)).partition('class="actes"')[2]
    assert visiteuse.envoyer("/rattacher/revenir/", cle_de(page)).headers["Location"] == "/dossiers/"
    assert "Harcèlement" in visiteuse.lire("/dossiers/")


def test_mode_invite_ferme_ce_qui_attend_est_dit_et_le_compte_reste_ouvert(visiteuse, etudiante, settings):
    visiteuse.signaler()
    page = visiteuse.passer_au_compte(etudiante)
    settings.GUEST_MODE_ENABLED = False

    refus = visiteuse.envoyer("/rattacher/revenir/", cle_de(page))

    lue = texte_de(refus)
    assert (refus.status_code, "On ne peut pas revenir à un espace sans compte pour le moment." in lue) == (403, True)
    assert "J'ai un compte" not in lue
    assert 'href="/dossiers/"' in lue.partition('class="actes"')[2]
    dossiers = visiteuse.lire("/dossiers/")
    assert "Ni le rattacher ni y revenir n'est possible pour le moment." in dossiers
    assert 'action="/rattacher/revenir/"' not in dossiers
    settings.GUEST_MODE_ENABLED = True
    assert visiteuse.envoyer("/rattacher/revenir/").status_code == 303
    assert "Harcèlement" in visiteuse.lire("/dossiers/")


# --- The way back ---------------------------------------------------------------------------------------------------


def test_revenir_sans_compte_rouvre_l_espace_et_ferme_le_compte(visiteuse, etudiante):
    code = visiteuse.signaler()
    visiteuse.passer_au_compte(etudiante)

    revenue = visiteuse.envoyer("/rattacher/revenir/")

    assert (revenue.status_code, revenue.headers["Location"]) == (303, "/dossiers/")
    assert "Harcèlement" in visiteuse.lire("/dossiers/")
    assert Acces.objects.get(date_fin=None).invite == la_session()
    assert not Acces.objects.filter(a_rattacher__isnull=False).exists()
    assert Session.objects.get().date_fin is not None
    assert visiteuse.revenir(code).status_code == 303
    rien_n_a_bouge()


def test_revenir_deux_fois_ouvre_le_meme_espace(visiteuse, etudiante):
    visiteuse.signaler()
    page = cle_de(visiteuse.passer_au_compte(etudiante))
    ancien = visiteuse.cookies["espace"].value
    visiteuse.envoyer("/rattacher/revenir/", page)
    nouveau = visiteuse.cookies["espace"].value

    visiteuse.cookies["espace"] = ancien
    encore = visiteuse.envoyer("/rattacher/revenir/", page)

    assert (encore.status_code, encore.cookies["espace"].value) == (303, nouveau)
    assert Acces.objects.filter(date_fin=None).count() == 1
    Acces.objects.update(date_creation=timezone.now() - timedelta(minutes=2))
    visiteuse.cookies["espace"] = ancien
    assert visiteuse.envoyer("/rattacher/revenir/", page).status_code == 401


@pytest.mark.parametrize("fin", ["/acces/terminer/", "/quitter/"])
def test_partir_avant_de_confirmer_ne_laisse_aucun_lien(visiteuse, etudiante, fin):
    code = visiteuse.signaler()
    visiteuse.passer_au_compte(etudiante)

    visiteuse.get(fin) if fin == "/quitter/" else visiteuse.envoyer(fin)

    assert not Acces.objects.filter(a_rattacher__isnull=False).exists()
    assert Visiteuse().revenir(code).status_code == 303
    rien_n_a_bouge()


def test_une_page_trop_vieille_ne_montre_ni_cle_ni_choix(visiteuse, etudiante, en_conflit):
    page = visiteuse.passer_au_compte(etudiante)

    refus = visiteuse.post(
        APERCU, {"cle": cache(page, "cle"), "plan_digest": cache(page, "plan_digest"), **coches_de(page)}
    )

    lue = texte_de(refus)
    assert (refus.status_code, "<textarea" in lue) == (403, False)
    assert f'type="hidden" name="cle" value="{cache(page, "cle")}"' in lue


# --- The same as the API's ------------------------------------------------------------------------------------------

ALEATOIRES = {"id", "date_creation", "date_modification", "date_fusion", "cle", "cle_empreinte", "retour", "resume"}


def etat():
    """What a merge leaves, but for what is drawn or dated by it."""
    modeles = (Signalement, Discussion, Message, SessionInvitee, AuditFusion, Signalement.timeline.rel.related_model)
    lus = {}
    for modele in modeles:
        noms = [c.attname for c in modele._meta.concrete_fields if c.attname not in ALEATOIRES]
        lus[modele._meta.label] = sorted(modele._base_manager.values_list(*noms), key=str)
    (audit,) = AuditFusion.objects.all()
    return lus, {nom: dit for nom, dit in audit.resume.items() if nom != "mergedAt"}


@pytest.mark.parametrize("action", ["KEEP_TARGET", "KEEP_GUEST", "MERGE_FIELDS", "SKIP"])
def test_la_page_laisse_les_memes_lignes_que_l_api(visiteuse, etudiante, en_conflit, action):
    apporte, du_compte, _pour_un, _pour_autre = en_conflit
    page = visiteuse.passer_au_compte(etudiante)
    choisi = valeur("SIGNALEMENT", apporte, du_compte, action)
    coches = {**coches_de(page), "choix-0": choisi}
    resolutions = [
        dict(zip(("level", "guestEntityId", "targetEntityId", "action"), un.split(":"), strict=True))
        for un in coches.values()
    ]
    session = la_session()
    guest_id = donner_un_identifiant(session)

    depart = transaction.savepoint()
    par_l_api = client_de(etudiante).post(
        f"/api/v1/guest/sessions/{guest_id}/merge",
        {"acceptPolicy": "MERGE_SAFE", "resolutions": resolutions, "planDigest": cache(page, "plan_digest")},
        headers={"Idempotency-Key": "celle-de-l-api"},
    )
    assert par_l_api.status_code == 200, par_l_api.content
    attendu = etat()
    transaction.savepoint_rollback(depart)
    visiteuse.confirmer(page, choisi)

    assert etat() == attendu
    assert visiteuse.lire("/rattacher/fait/")
    entiere()


def donner_un_identifiant(session):
    """The id of a session of the portal is thrown away: another one, for the API."""
    guest_id = uuid4()
    type(session).objects.filter(pk=session.pk).update(guest_id_empreinte=empreinte_guest_id(guest_id))
    return guest_id


def test_les_pages_coutent_autant_pour_un_conflit_que_pour_neuf(visiteuse, etudiante, django_assert_max_num_queries):
    visiteuse.signaler()
    session = la_session()

    def ajouter(rang):
        for acteur in (invite_de(session), acteur_de(etudiante)):
            signalements.signalement(acteur, **{**PAREILS, "titre": f"Vol {rang}"}, mode_identification="ANONYME")

    ajouter(0)
    visiteuse.passer_au_compte(etudiante)
    with django_assert_max_num_queries(40) as un:
        visiteuse.get(APERCU)
    for rang in range(1, 9):
        ajouter(rang)
    with django_assert_max_num_queries(40) as neuf:
        page = visiteuse.lire(APERCU)

    assert len(choix_de(page)) == 9
    assert len(neuf) == len(un)


def test_ce_qui_est_commence_sans_compte_est_dit_puis_vient_avec_le_reste(visiteuse, etudiante):
    """Not into the account's hands before it is merged; on « Revenir », there again."""
    visiteuse.signaler()
    visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": "Un second récit."})
    visiteuse.envoyer("/ecrire/details/", DETAILS)
    for page in ("connexion", "inscription"):
        lue = visiteuse.lire(f"/rattacher/{page}/")
        assert "Il reste dans cet espace, et vient dans votre compte quand vous rattachez." in lue
        assert 'name="emporter"' not in lue

    apercu = visiteuse.passer_au_compte(etudiante)

    assert "il viendra avec le reste, à relire et à envoyer" in apercu
    assert "En écrire un autre l'efface." in visiteuse.lire("/dossiers/")
    for etape in ("", "faits/"):
        lue = visiteuse.lire(f"/ecrire/{etape}")
        assert ("Un second récit." in lue, "En écrire un autre ici l'efface." in lue) == (False, True)
    visiteuse.envoyer("/rattacher/revenir/")
    assert "Un second récit." in visiteuse.lire("/ecrire/faits/")
    visiteuse.confirmer(visiteuse.passer_au_compte(etudiante))
    assert "Le texte que vous aviez commencé est venu aussi." in visiteuse.lire("/rattacher/fait/")
    assert "Un second récit." in visiteuse.lire("/ecrire/verifier/")
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Encore", "mode_identification": "ANONYME"})
    assert list(Signalement.objects.filter(compte=etudiante).values_list("titre", flat=True).order_by("titre")) == [
        "Encore",
        "Harcèlement",
    ]
    assert Compte.objects.count() == 1


def test_le_brouillon_d_un_espace_rattache_ailleurs_n_est_a_personne_d_autre(visiteuse, etudiante):
    visiteuse.signaler()
    visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": "Un second récit."})
    fusionner_ailleurs(la_session(), gens.compte())

    visiteuse.se_connecter(etudiante, laisser="1")

    assert "Un second récit." not in visiteuse.lire("/ecrire/faits/")

"""Two clicks, two tabs, an ending and a write at once."""

import pytest
from django.db import transaction

from accounts.models import Compte, Session
from accounts.services.sessions import terminer_toutes
from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de
from discussions import recompte
from discussions.services import ecrire, ouvrir
from guests.fusion.verification import verifier
from guests.models import AuditFusion, SessionInvitee
from guests.services import changer_statut
from portail.models import Acces, CodeRetour
from portail.services import preuve
from portail.tests.outils import MOT_DE_PASSE, PERSONNE, Visiteuse, cle_de, coches_de, la_session, le_dossier
from signalements.models import Signalement

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
FOIS = 8


def meme_navigateur(visiteuse):
    autre = Visiteuse()
    for nom, cookie in visiteuse.cookies.items():
        autre.cookies[nom] = cookie.value
    return autre


def test_plusieurs_envois_a_la_fois_ne_font_qu_un_dossier_et_un_recu():
    visiteuse = Visiteuse()
    visiteuse.remplir()
    page = {"titre": "Vol", **cle_de(visiteuse.lire("/ecrire/verifier/"))}
    onglets = [meme_navigateur(visiteuse) for _rang in range(FOIS)]

    rendus = ensemble([lambda o=o: o.envoyer("/ecrire/verifier/", page) for o in onglets])

    assert [(r.status_code, r.headers["Location"]) for r in rendus] == [(303, "/recu/")] * FOIS
    assert len({r.cookies["espace"].value for r in rendus}) == 1
    comptes = [modele.objects.count() for modele in (Signalement, SessionInvitee, Acces, CodeRetour)]
    assert comptes == [1, 1, 1, 1]


def test_ecrire_pendant_que_la_session_est_desactivee_finit_d_un_cote(admin):
    visiteuse = Visiteuse()
    visiteuse.signaler()
    onglets = [meme_navigateur(visiteuse) for _rang in range(FOIS)]
    session = la_session()

    def desactiver():
        changer_statut(session=session, statut="DISABLED", motif="Abus.", acteur=acteur_de(admin))

    ecritures = [lambda o=o: o.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour."}) for o in onglets]
    rendus = ensemble([*ecritures, desactiver])

    assert not [rendu for rendu in rendus if isinstance(rendu, Exception)]
    statuts = {rendu.status_code for rendu in rendus if rendu is not None}
    assert statuts <= {303, 403}
    ecrits = sum(d.messages.count() for d in le_dossier().discussions.all())
    assert ecrits == sum(rendu.status_code == 303 for rendu in rendus if rendu is not None)


def test_ecrire_et_lire_ensemble_garde_le_nombre_de_non_lus(gestionnaire):
    visiteuse = Visiteuse()
    visiteuse.signaler()
    acteur, dossier = acteur_de(gestionnaire), le_dossier()
    discussion = ouvrir(acteur=acteur, titre="Suivi", signalement_id=dossier.pk)

    def repondre():
        for _fois in range(FOIS):
            ecrire(acteur=acteur, discussion=type(discussion).objects.get(pk=discussion.pk), contenu="Bonjour.")

    def lire(onglet):
        for _fois in range(FOIS):
            assert onglet.envoyer("/dossiers/1/lus/").status_code == 303

    rendus = ensemble([repondre, repondre, lambda: lire(meme_navigateur(visiteuse)), repondre])

    assert not [rendu for rendu in rendus if isinstance(rendu, Exception)]
    assert not recompte.ecarts()


def la_ou_menent(rendus):
    """Where each answer leads, or its status, or what was raised."""
    return {getattr(r, "headers", {}).get("Location") or getattr(r, "status_code", repr(r)) for r in rendus}


def test_plusieurs_clics_ne_font_qu_une_fusion(etudiante):
    visiteuse = Visiteuse()
    visiteuse.signaler()
    page = visiteuse.passer_au_compte(etudiante)
    onglets = [meme_navigateur(visiteuse) for _rang in range(FOIS)]

    rendus = ensemble([lambda o=o: o.confirmer(page) for o in onglets])

    assert la_ou_menent(rendus) == {"/rattacher/fait/"}
    assert AuditFusion.objects.count() == 1
    assert list(verifier()) == []


def test_deux_onglets_confirment_chacun_leur_apercu(etudiante):
    """Each under its own key: one merges, the other learns that it is done."""
    visiteuse = Visiteuse()
    visiteuse.signaler()
    pages = [visiteuse.passer_au_compte(etudiante), visiteuse.lire("/rattacher/apercu/")]
    onglets = [(meme_navigateur(visiteuse), page) for page in pages]

    rendus = ensemble([lambda o=o, p=p: o.confirmer(p) for o, p in onglets])

    assert la_ou_menent(rendus) == {"/rattacher/fait/"}
    assert AuditFusion.objects.count() == 1


def test_plusieurs_clics_pour_se_connecter_ne_font_qu_un_acces(etudiante):
    visiteuse = Visiteuse()
    visiteuse.signaler()
    onglets = [meme_navigateur(visiteuse) for _rang in range(4)]

    apercus = ensemble([lambda o=o: o.passer_au_compte(etudiante) for o in onglets])

    assert [coches_de(apercu) for apercu in apercus] == [{}] * 4
    assert len({o.cookies["espace"].value for o in onglets}) == 1
    assert Acces.objects.filter(date_fin=None).count() == 1
    assert Session.objects.filter(date_fin=None).count() == 1


def test_un_clic_que_le_premier_double_avant_sa_preuve_mene_ou_celui_ci_mene(etudiante, monkeypatch):
    visiteuse = Visiteuse()
    visiteuse.signaler()
    premier, exiger = meme_navigateur(visiteuse), preuve.exiger

    def exiger_apres_le_premier(*donnes):
        monkeypatch.setattr(preuve, "exiger", exiger)
        premier.passer_au_compte(etudiante)
        exiger(*donnes)

    monkeypatch.setattr(preuve, "exiger", exiger_apres_le_premier)

    assert coches_de(visiteuse.passer_au_compte(etudiante)) == {}
    assert visiteuse.cookies["espace"].value == premier.cookies["espace"].value
    assert Acces.objects.filter(date_fin=None).count() == 1
    assert Session.objects.filter(date_fin=None).count() == 1


def test_plusieurs_clics_pour_s_inscrire_ne_font_qu_un_compte():
    onglets = [Visiteuse() for _rang in range(4)]

    rendus = ensemble([lambda o=o: o.s_inscrire() for o in onglets])

    assert la_ou_menent(rendus) == {"/dossiers/"}
    assert Compte.objects.filter(email=PERSONNE["email"]).count() == 1


def test_confirmer_et_revenir_ensemble_finit_d_un_cote(etudiante):
    visiteuse = Visiteuse()
    visiteuse.signaler()
    page = visiteuse.passer_au_compte(etudiante)
    un, autre = meme_navigateur(visiteuse), meme_navigateur(visiteuse)

    rendus = ensemble([lambda: un.confirmer(page), lambda: autre.envoyer("/rattacher/revenir/")])

    assert not [rendu for rendu in rendus if isinstance(rendu, Exception)]
    assert {rendu.status_code for rendu in rendus} <= {303, 401, 409}
    assert list(verifier()) == []
    est_fusionnee = la_session().statut == "MERGED"
    assert AuditFusion.objects.count() == int(est_fusionnee)
    assert Acces.objects.filter(invite=la_session(), date_fin=None).exists() is not est_fusionnee
    assert not Acces.objects.filter(a_rattacher__isnull=False).exists()


def test_terminer_un_acces_et_toutes_les_sessions_ensemble_n_attend_pas_sans_fin(etudiante):
    visiteuses = [Visiteuse() for _rang in range(4)]
    for une in visiteuses:
        une.se_connecter(etudiante)

    @transaction.atomic
    def tout():
        compte = Compte.objects.get(pk=etudiante.pk)
        compte.verrouiller()
        terminer_toutes(compte)

    rendus = ensemble([*(lambda v=v: v.envoyer("/acces/terminer/") for v in visiteuses), tout])

    assert not [rendu for rendu in rendus if isinstance(rendu, Exception)]
    assert not Acces.objects.filter(date_fin=None).exists()
    assert not Session.objects.filter(date_fin=None).exists()


def sans_preuve_recente():
    """A browser in which the words were shown too long ago to be a proof."""
    visiteuse = Visiteuse()
    code = visiteuse.signaler()
    Acces.objects.update(date_preuve=None)
    return visiteuse, code


def test_des_essais_faux_a_la_fois_comptent_chacun_et_aucun_ne_passe_le_cinquieme():
    visiteuse, _code = sans_preuve_recente()
    onglets = [meme_navigateur(visiteuse) for _rang in range(FOIS)]
    faux = {"code": "abaisser abandon abdiquer abeille abolir aborder"}

    rendus = ensemble([lambda o=o: o.envoyer("/acces/code/", faux) for o in onglets])

    assert sorted(r.status_code for r in rendus) == [401] * (FOIS - 4) + [422] * 4
    acces = Acces.objects.get()
    assert (acces.preuves_fausses, acces.date_fin is None) == (5, False)


def test_le_dernier_essai_faux_et_le_bon_ensemble_finissent_d_un_cote():
    """Wrong first ends the access for both; right first wipes the count."""
    visiteuse, code = sans_preuve_recente()
    Acces.objects.update(preuves_fausses=4)
    un, autre = meme_navigateur(visiteuse), meme_navigateur(visiteuse)
    avant = CodeRetour.objects.get().empreinte
    faux = {"code": "abaisser abandon abdiquer abeille abolir aborder"}

    juste, fausse = ensemble(
        [lambda: un.envoyer("/acces/code/", {"code": code}), lambda: autre.envoyer("/acces/code/", faux)]
    )

    change = CodeRetour.objects.get().empreinte != avant
    # Once changed, the words are shown here: this access has just proved them.
    assert (juste.status_code, fausse.status_code) in ({(303, 303), (303, 422)} if change else {(401, 401)})
    assert (Acces.objects.get().date_fin is None) is change


def test_rattacher_pendant_que_le_code_change_ailleurs_ne_prend_pas_l_espace_par_les_anciens_mots(etudiante):
    visiteuse, code = sans_preuve_recente()
    ailleurs = Visiteuse()
    ailleurs.revenir(code)

    def prendre():
        ecrit = {"email": etudiante.email, "mot_de_passe": MOT_DE_PASSE, "code": code}
        return visiteuse.envoyer("/rattacher/connexion/", ecrit)

    pris, change = ensemble([prendre, lambda: ailleurs.envoyer("/acces/code/")])

    assert {pris.status_code, change.status_code} <= {303, 422}
    if change.status_code == 303 and pris.status_code == 303:  # it passed first, and nothing waits any more
        assert not Acces.objects.filter(a_rattacher__isnull=False).exists()
    if pris.status_code == 422:
        assert not Session.objects.filter(date_fin=None).exists()

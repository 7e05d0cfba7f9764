"""Two acts at once on a name that a case gives: nobody whom it means reads it, one decision counts."""

from datetime import timedelta
from threading import Event
from uuid import UUID

import pytest
from django.db import connection

from accounts.models import Compte
from accounts.services.comptes import desactiver, modifier
from accounts.tests import fabriques as comptes
from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de
from config.tests.outils.serveur import attendre
from equipes.tests import fabriques as equipes
from homonymes.erreurs import DejaDecide
from homonymes.models import Homonyme
from homonymes.services import decider
from signalements.lecteurs import Acces
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs
from signalements.services import attacher, creer
from socle.domaine.droits import Role
from socle.erreurs import ChampsInvalides
from socle.taches.tests.outils import faire_les_taches

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
FOIS = 6


def signaler(qui):
    recit = {"titre": "Remarques", "description": "Devant l'amphi.", "type": "HARCELEMENT"}
    return creer(acteur=acteur_de(qui), **recit, auteur_presume="Ruth Okito").pk


def courir(*actes):
    rendus = ensemble(actes)
    assert [un for un in rendus if isinstance(un, Exception)] == []
    return rendus


@pytest.mark.parametrize("_fois", range(FOIS))
def test_nommee_pendant_qu_elle_entre_dans_l_equipe_elle_ne_lit_pas(etudiante, gestionnaire, admin, monkeypatch, _fois):
    monkeypatch.setattr("homonymes.receveurs.ENCORE", timedelta(0))
    ruth = comptes.compte(email="ruth@campus.test", nom="Okito", prenom="Ruth")

    cle, _entree = courir(
        lambda: signaler(etudiante),
        lambda: modifier(compte=ruth, acteur=acteur_de(admin), type_utilisateur=Role.GESTIONNAIRE),
    )
    faire_les_taches()

    assert not Acces.de(Signalement.objects.get(pk=cle)).admet(ruth.pk)
    assert Homonyme.objects.count() == 1


@pytest.mark.parametrize("_fois", range(FOIS))
def test_de_deux_decisions_contraires_une_seule_compte(etudiante, gestionnaire, admin, _fois):
    ruth = comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    sophie = comptes.admin(email="sophie@campus.test", nom="Tshala", prenom="Sophie")
    cle = signaler(etudiante)

    def dire(qui, oui):
        def agir():
            try:
                decider(homonyme=Homonyme.objects.get(), acteur=acteur_de(qui), est_la_personne=oui)
            except DejaDecide:
                return "trop tard"
            return oui

        return agir

    dits = courir(dire(admin, True), dire(sophie, False))

    assert dits.count("trop tard") == 1
    oui = next(un for un in dits if un != "trop tard")
    assert Acces.de(Signalement.objects.get(pk=cle)).admet(ruth.pk) is not oui
    assert Homonyme.objects.get().decision == ("ECARTE" if oui else "AUTRE")


@pytest.mark.parametrize("_fois", range(FOIS))
def test_confirmee_et_rendue_en_meme_temps_elle_reste_ecartee(etudiante, gestionnaire, admin, _fois):
    """A colleague lets everybody read while an administrator says that it is she."""
    ruth = comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    cle = signaler(etudiante)

    def rendre():
        try:
            changer_lecteurs(signalement=Signalement.objects.get(pk=cle), acteur=acteur_de(gestionnaire))
        except ChampsInvalides:
            return "refusé"
        return "fait"

    _dit, rendu = courir(
        lambda: decider(homonyme=Homonyme.objects.get(), acteur=acteur_de(admin), est_la_personne=True), rendre
    )

    assert rendu == "refusé"
    assert not Acces.de(Signalement.objects.get(pk=cle)).admet(ruth.pk)


def test_qui_recoit_un_dossier_qui_nomme_peut_etre_desactive_pendant_ce_temps(etudiante, admin, monkeypatch):
    """Both take the handler and the administrators, as many rows in the same order: they wait, none is refused."""
    comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    premier = comptes.gestionnaire(pk=UUID(int=1), email="premier@campus.test")  # before any administrator
    equipes.regle(equipes.equipe(premier, comptes.gestionnaire(email="nadia@campus.test")), gestionnaire=premier)
    tenus = Event()

    def attacher_tard(**quoi):
        tenus.set()
        attendre(_on_attend, "qui désactive attend")
        return attacher(**quoi)

    def desactiver_ensuite():
        assert tenus.wait(10)
        desactiver(compte=Compte.objects.get(pk=premier.pk), acteur=acteur_de(admin))

    monkeypatch.setattr("signalements.services.attacher", attacher_tard)

    cle, _desactivee = courir(lambda: signaler(etudiante), desactiver_ensuite)

    assert Signalement.objects.get(pk=cle).gestionnaire_id == premier.pk
    assert not Compte.objects.get(pk=premier.pk).est_actif


def _on_attend():
    with connection.cursor() as curseur:
        curseur.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return curseur.fetchone()[0]

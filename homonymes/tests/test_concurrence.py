"""Two acts at once on a name that a case gives: nobody whom it means reads it, one decision counts."""

from datetime import timedelta

import pytest

from accounts.services.comptes import modifier
from accounts.tests import fabriques as comptes
from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de
from homonymes.erreurs import DejaDecide
from homonymes.models import Homonyme
from homonymes.services import decider
from signalements.lecteurs import Acces
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs
from signalements.services import creer
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
    monkeypatch.setattr("homonymes.events.ENCORE", timedelta(0))
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

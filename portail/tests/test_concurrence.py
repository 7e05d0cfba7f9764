"""Two clicks, two tabs, an ending and a write at once."""

import pytest

from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de
from discussions import non_lus
from discussions.services import ecrire, ouvrir
from guests.models import SessionInvitee
from guests.services import changer_statut
from portail.models import Acces, CodeRetour
from portail.tests.outils import Visiteuse, la_session, le_dossier
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
    onglets = [meme_navigateur(visiteuse) for _rang in range(FOIS)]

    rendus = ensemble([lambda o=o: o.envoyer("/ecrire/verifier/", {"titre": "Vol"}) for o in onglets])

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
    assert not non_lus.ecarts().exists()

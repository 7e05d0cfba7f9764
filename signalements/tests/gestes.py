"""Random lives of a service, for the properties that must hold through any of them."""

from contextlib import contextmanager
from datetime import timedelta

from django.db import transaction
from hypothesis import strategies as st

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from equipes.tests import fabriques as equipes
from guests.tests.fabriques import fusionner, session_invitee
from signalements import services
from signalements.compteurs.pliage import plier
from signalements.models import Signalement
from signalements.tests import fabriques
from signalements.vocabulaire import Priorite, Statut

GESTES = st.lists(
    st.one_of(
        st.tuples(
            st.just("creer"),
            st.sampled_from([("compte", "IDENTIFIE"), ("invite", "ANONYME"), ("invite", "IDENTIFIE")]),
            st.sampled_from(["VOL", "AUTRE", "BRUIT"]),
        ),
        st.tuples(st.just("fusionner"), st.just(None), st.just(None)),
        st.tuples(st.just("statut"), st.integers(0, 9), st.sampled_from(list(Statut))),
        st.tuples(st.just("priorite"), st.integers(0, 9), st.sampled_from(list(Priorite))),
        st.tuples(st.just("assigner"), st.integers(0, 9), st.just(None)),
        st.tuples(st.just("joindre"), st.integers(0, 9), st.integers(0, 9)),
        st.tuples(st.just("dater"), st.integers(0, 9), st.integers(0, 400)),
        st.tuples(st.just("equipe"), st.integers(0, 9), st.integers(0, 2)),
        st.tuples(st.just("plier"), st.just(None), st.just(None)),
    ),
    max_size=25,
)


class Registre:
    """A service of two reporters, one manager and an administrator, on which gestures are played."""

    def __init__(self):
        self.gestionnaire = comptes.gestionnaire(email="paul@campus.test")
        self.admin = comptes.admin(email="rose@campus.test")
        self.qui = {"compte": comptes.compte(email="awa@campus.test"), "invite": session_invitee()}
        # The manager is of the first alone.
        self.equipes = [equipes.equipe(self.gestionnaire), equipes.equipe(nom="Handicap"), None]

    def vivre(self, gestes):
        for geste in gestes:
            self.jouer(*geste)

    def jouer(self, geste, un, autre):
        if geste == "creer":
            qui, mode = un
            fabriques.signalement(acteur_de(self.qui[qui]), type=autre, mode_identification=mode)
        elif geste == "fusionner":
            fusionner(self.qui["invite"], self.qui["compte"])
            self.qui["invite"] = session_invitee()
        elif geste == "plier":
            plier()
        elif vivants := list(Signalement.objects.vivants().order_by("pk")):
            self._changer(geste, vivants[un % len(vivants)], autre, vivants)

    def _changer(self, geste, dossier, autre, vivants):
        acteur = acteur_de(self.gestionnaire)
        match geste:
            case "statut" if dossier.est_visible_de(acteur):
                services.changer_statut(signalement=dossier, statut=autre, acteur=acteur)
            case "priorite" if dossier.est_visible_de(acteur):
                services.changer_priorite(signalement=dossier, priorite=autre, acteur=acteur)
            case "assigner" if dossier.est_visible_de(acteur):
                services.assigner(signalement=dossier, gestionnaire_id=self.gestionnaire.pk, acteur=acteur)
            case "equipe":
                equipes.confier(dossier, self.equipes[autre])
            case "dater":
                fabriques.mettre(dossier, date_creation=dossier.date_creation - timedelta(hours=autre))
            case "joindre" if (cible := vivants[autre % len(vivants)]) != dossier:
                fabriques.joindre(dossier, cible)


@contextmanager
def sans_lendemain():
    with transaction.atomic():
        yield
        transaction.set_rollback(True)

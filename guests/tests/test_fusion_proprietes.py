"""Whatever a guest and an account have, however it is resolved: a merge keeps its promises, and can be taken back."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, event, given, note, settings
from hypothesis import strategies as st

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from discussions import recompte
from discussions import services as conversations
from discussions.models import Discussion, Lecture, Message
from guests.erreurs import ConflitDeFusion
from guests.fusion.execution import apercevoir, fusionner
from guests.fusion.plan import Resolution
from guests.fusion.retour import annuler
from guests.fusion.verification import modeles_possedes, verifier
from guests.models import AuditFusion
from guests.tests.fabriques import session_invitee
from resources.models import Fichier
from resources.tests import fabriques as fichiers
from resources.vocabulaire import Portee
from signalements.compteurs.recompte import ecarts
from signalements.models import EntreeTimeline, Signalement
from signalements.tests import fabriques as signalements
from signalements.vocabulaire import Priorite, Statut
from socle.domaine.acteurs import Acteur
from socle.domaine.fusions import Action, Niveau
from socle.domaine.identite import id_montre
from socle.erreurs import ChampsInvalides

pytestmark = pytest.mark.longue

EXEMPLES = 30 if connection.vendor == "postgresql" else 25
EQUIPE = ("paul", "rose")


def dossier(*qui: str) -> Any:
    """Weighted so that most situations hold something to join: `cible` is the account that the guest merges into."""
    return st.fixed_dictionaries(
        {
            "qui": st.sampled_from(qui),
            "description": st.sampled_from(("Un sac, à l'amphi.", "un SAC  à l’amphi", "Un sac à l'amphi", "Un vélo.")),
            "type": st.sampled_from(("VOL", "VOL", "VOL", "VOL", "AUTRE")),
            "mode_identification": st.sampled_from(("IDENTIFIE", "IDENTIFIE", "ANONYME")),
            "date_incident": st.sampled_from((*[None] * 5, datetime(2026, 3, 1, 14, 30, tzinfo=UTC))),
            "lieu_incident": st.sampled_from((*[""] * 5, "Amphi B")),
            "a_temoins": st.booleans(),
            "reference": st.sampled_from((None, None, None, "SIG-2026-7K3M9QXT")),
            "statut": st.sampled_from(list(Statut)),
            "priorite": st.sampled_from(list(Priorite)),
            "gestionnaire": st.sampled_from((None, *EQUIPE)),
        }
    )


def discussion(*qui: str) -> Any:
    return st.fixed_dictionaries(
        {
            "qui": st.sampled_from(qui),
            "titre": st.sampled_from(("Suivi", "suivi !", "Suivi", "Rendez-vous")),
            "dossier": st.sampled_from((-1, -1, 0, 1, 2)),
        }
    )


def plusieurs(quoi: Any, reste: tuple[str, ...]) -> Any:
    """One of the guest's, one of the account's, and others."""
    return st.tuples(quoi("invite"), quoi("cible"), st.lists(quoi(*reste), max_size=4)).map(lambda t: [*t[:2], *t[2]])


acte = st.tuples(
    st.sampled_from(("ecrire", "ecrire", "ecrire", "lire")),
    st.integers(min_value=0, max_value=5),
    st.sampled_from(("auteur", "proprietaire", *EQUIPE)),
    st.sampled_from(("Bonjour.", "bonjour.", "Demain ?")),
    st.sampled_from((False, False, True)),
)
situation = st.fixed_dictionaries(
    {
        "dossiers": plusieurs(dossier, ("invite", "cible", "autre_invite", "autre_etudiante")),
        "discussions": plusieurs(discussion, ("invite", "cible", "autre_invite", "paul")),
        "actes": st.lists(acte, min_size=10, max_size=18),
        "cible": st.sampled_from(("etudiante", "etudiante", "etudiante", "paul")),
        "politique": st.sampled_from(("MERGE_ALL", "MERGE_SAFE")),
        "choix": st.lists(st.tuples(st.integers(0, 3), st.sampled_from((None, None, *Action))), min_size=8, max_size=8),
    }
)


class Monde:
    """The people, what they have, and what each has read, counted the naive way."""

    def __init__(self, donnees: dict[str, Any]) -> None:
        self.gens: dict[str, Any] = {
            "invite": session_invitee(),
            "autre_invite": session_invitee(),  # of the same phone number
            "etudiante": comptes.compte(email="awa@campus.test", nom="Diop", prenom="Awa"),
            "autre_etudiante": comptes.compte(email="lea@campus.test"),
            "paul": comptes.gestionnaire(email="paul@campus.test"),
            "rose": comptes.gestionnaire(email="rose@campus.test"),
        }
        self.invite = self.gens["invite"]
        self.cible = self.gens["cible"] = self.gens[donnees["cible"]]
        self.lus: dict[UUID, set[UUID]] = {qui.pk: set() for qui in self.gens.values()}
        self.dossiers = [d for champs in donnees["dossiers"] if (d := self._signaler(**champs))]
        self.discussions = [self._ouvrir(**champs) for champs in donnees["discussions"]]
        for quoi, rang, role, texte, avec_fichier in donnees["actes"] if self.discussions else ():
            self._agir(quoi, self.discussions[rang % len(self.discussions)], role, texte, avec_fichier)

    def acteur(self, nom: str) -> Acteur:
        return acteur_de(self.gens[nom])

    def _nom(self, ligne: Any) -> str:
        return next(nom for nom in self.gens if self.acteur(nom).possede(ligne))

    def _signaler(
        self, *, qui: str, reference: str | None, gestionnaire: str | None, statut: str, **champs: Any
    ) -> Any:
        champs = {nom: valeur for nom, valeur in champs.items() if valeur is not None}
        try:
            signalement = signalements.signalement(self.acteur(qui), titre="Un fait", reference=reference, **champs)
        except ChampsInvalides:  # the same person has this reference already
            return None
        qui_traite = gestionnaire and self.gens[gestionnaire]
        return signalements.mettre(signalement, statut=statut, gestionnaire=qui_traite)

    def _ouvrir(self, *, qui: str, titre: str, dossier: int) -> Discussion:
        ouverts = self.dossiers if qui in EQUIPE else [d for d in self.dossiers if self.acteur(qui).possede(d)]
        lie = ouverts[dossier % len(ouverts)].pk if ouverts and dossier >= 0 else None
        return conversations.ouvrir(acteur=self.acteur(qui), titre=titre, signalement_id=lie)

    def _agir(self, quoi: str, ou: Discussion, role: str, texte: str, avec_fichier: bool) -> None:
        if role == "auteur" or (role == "proprietaire" and ou.signalement is None):
            qui = self._nom(ou)
        else:
            qui = self._nom(ou.signalement) if role == "proprietaire" else role
        if quoi == "ecrire":
            pieces = [self._fichier(qui, ou)] if avec_fichier else []
            conversations.ecrire(acteur=self.acteur(qui), discussion=ou, contenu=texte, pieces_jointes=pieces)
        else:
            conversations.marquer_lus(acteur=self.acteur(qui), discussion=ou)
            self.lus[self.gens[qui].pk] |= set(ou.messages.values_list("pk", flat=True))

    def _fichier(self, qui: str, ou: Discussion) -> UUID:
        """One file a person, so that what they attach twice may be the same message twice; a new one where it hides."""
        acteur = self.acteur(qui)
        if (dossier := ou.signalement) is not None and dossier.se_cache and acteur.possede(dossier):
            return fichiers.fichier(acteur).pk
        siens = Fichier.objects.de(acteur).filter(portee=Portee.OUVERTE)
        return (siens.first() or fichiers.fichier(acteur)).pk

    def resolutions(self, choix: list[tuple[int, Action | None]]) -> list[Resolution]:
        """For some things of the guest in conflict, one of their pairs and an action it allows."""
        conflits: dict[str, list[dict[str, Any]]] = {}
        for conflit in apercevoir(session=self.invite, compte=self.cible, user_id=self.cible.pk).conflicts:
            conflits.setdefault(conflit["guestEntityId"], []).append(conflit)
        rendues = []
        for (rang, action), paires in zip(choix, conflits.values(), strict=False):
            paire = paires[rang % len(paires)]
            if action is not None:
                permise = action if action in paire["allowedActions"] else Action.SKIP
                source, cible = UUID(paire["guestEntityId"]), UUID(paire["targetEntityId"])
                rendues.append(Resolution(len(rendues), Niveau(paire["level"]), source, cible, permise))
        return rendues


def photographie() -> dict[str, dict[UUID, dict[str, Any]]]:
    """Every row that belongs to somebody, whole but for the date of its last change."""
    return {
        modele._meta.label: {
            ligne["id"]: {nom: valeur for nom, valeur in ligne.items() if nom != "date_modification"}
            for ligne in modele._base_manager.values()
        }
        for modele in modeles_possedes()
    }


def sans_les_marques(photo: dict[str, Any]) -> dict[str, Any]:
    """Marks have no identity of their own: who has read what, how far."""
    marques = {
        (m["discussion_id"], m["compte_id"], m["invite_id"], m["numero"]) for m in photo[Lecture._meta.label].values()
    }
    return {**photo, Lecture._meta.label: marques}


@contextmanager
def sans_lendemain() -> Iterator[None]:
    """What an example writes is gone with it."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.django_db
@settings(max_examples=EXEMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(donnees=situation)
def test_une_fusion_tient_toutes_ses_promesses(donnees):
    with sans_lendemain():
        monde = Monde(donnees)
        avant = photographie()
        anonymes = {d.pk: vu_par_l_equipe(monde, d) for d in monde.dossiers if d.invite_id == monde.invite.pk}
        apercu = apercevoir(session=monde.invite, compte=monde.cible, user_id=monde.cible.pk)
        note(apercu.conflicts)

        resultat = fusionner_ou_constater_le_refus(monde, donnees, avant)

        assert list(verifier()) == []
        assert resultat.migrated_counts == apercu.counts
        audit = AuditFusion.objects.get()
        event(f"dossiers joints : {len(audit.resume['absorbedSignalements'])}")
        event(f"discussions jointes : {len(audit.resume['absorbedDiscussions'])}")
        event(f"doublons : {min(len(audit.resume['deduplicatedMessages']), 3)}")
        verifier_les_lignes(avant, audit)
        verifier_les_messages(audit)
        verifier_les_non_lus(monde)
        verifier_les_tiers(monde, avant)
        verifier_l_anonymat(monde, anonymes, avant, audit)
        assert ecarts() == {}

        annuler(audit)

        assert ecarts() == {}
        assert not recompte.ecarts()
        assert sans_les_marques(photographie()) == sans_les_marques(avant)
        assert list(verifier()) == []


def fusionner_ou_constater_le_refus(monde: Monde, donnees: dict[str, Any], avant: dict[str, Any]) -> Any:
    """A refusal changes nothing; MERGE_ALL without a word always succeeds."""
    demande = {"session": monde.invite, "compte": monde.cible, "cle": "une-cle"}
    try:
        return fusionner(**demande, accept_policy=donnees["politique"], resolutions=monde.resolutions(donnees["choix"]))
    except (ConflitDeFusion, ChampsInvalides) as refus:
        note(f"refus : {refus.code} {refus.details}")
        assert photographie() == avant
        return fusionner(**demande, accept_policy="MERGE_ALL")


def verifier_les_lignes(avant: dict[str, Any], audit: AuditFusion) -> None:
    """Nothing is deleted, and nothing appears but the lines that tell of the merge."""
    apres = photographie()
    ajoutees = set(map(UUID, audit.retour["signalements"]["ajoutees"]))
    for label, lignes in avant.items():
        if label != Lecture._meta.label:
            assert apres[label].keys() - ajoutees == lignes.keys()
    for label in (Signalement._meta.label, Discussion._meta.label):
        absorbes = {pk for pk, ligne in apres[label].items() if ligne["absorbe_par_id"]}
        nom = "absorbedSignalements" if label == Signalement._meta.label else "absorbedDiscussions"
        assert absorbes == set(map(UUID, audit.resume[nom]))


def verifier_les_messages(audit: AuditFusion) -> None:
    """In order of their dates; what was set aside is said, by its author, in the discussion that lives."""
    ecartes = set(map(UUID, audit.resume["deduplicatedMessages"]))
    for vivante in Discussion.objects.vivants():
        dates = list(vivante.messages.order_by("numero_sequence").values_list("date_creation", flat=True))
        assert dates == sorted(dates)
        assert not ecartes & set(vivante.messages.values_list("pk", flat=True))
    for message in Message.objects.filter(pk__in=ecartes):
        memes = Message.objects.filter(signature=message.signature, compte=message.compte_id, invite=message.invite_id)
        assert memes.filter(discussion=message.discussion.absorbe_par).exists()


def verifier_les_non_lus(monde: Monde) -> None:
    """Every count that anybody may ask for equals a recount, message by message."""
    lus = dict(monde.lus)
    lus[monde.cible.pk] = lus[monde.cible.pk] | lus[monde.invite.pk]
    lecteurs = {qui.pk: monde.acteur(nom) for nom, qui in monde.gens.items() if nom != "invite"}
    messages = list(Message.objects.filter(discussion__absorbe_par=None).select_related("discussion"))
    assert not recompte.ecarts()
    for cle, acteur in lecteurs.items():
        attendus = [m.discussion for m in messages if not acteur.possede(m) and m.pk not in lus[cle]]
        par_discussion = Counter(une.pk for une in attendus)
        par_dossier = Counter(une.signalement_id for une in attendus)
        for une in Discussion.objects.pour_lecture(acteur).visibles_par(acteur):
            assert une.messages_non_lus_count == par_discussion[une.pk], (acteur, une)
        for un in Signalement.objects.pour_lecture(acteur).visibles_par(acteur):
            assert un.messages_non_lus_count == par_dossier[un.pk], (acteur, un)


def verifier_les_tiers(monde: Monde, avant: dict[str, Any]) -> None:
    """Not a column of what belongs to a third person has moved."""
    concernes = {monde.invite.pk, monde.cible.pk, monde.gens["paul"].pk, monde.gens["rose"].pk}
    apres = photographie()
    for label, lignes in avant.items():
        for pk, ligne in lignes.items():
            if (ligne["compte_id"] or ligne["invite_id"]) not in concernes:
                assert apres[label][pk] == ligne


def vu_par_l_equipe(monde: Monde, signalement: Signalement) -> str:
    return id_montre(signalement, vu_par=monde.acteur("rose"), dossier=signalement)


def verifier_l_anonymat(monde: Monde, avant: dict[UUID, str], photo: dict[str, Any], audit: AuditFusion) -> None:
    for signalement in Signalement.objects.vivants().filter(pk__in=avant):
        cache = signalement.mode_identification == "ANONYME"
        attendu = avant[signalement.pk] if cache else str(monde.cible.pk)
        assert vu_par_l_equipe(monde, signalement) == attendu
    joints = [d for d in audit.resume["decisions"] if d["action"] != "SKIP"]
    for decision in (d for d in joints if d["level"] == "DISCUSSION"):
        un, autre = (dossier_d_avant(photo, decision[cle]) for cle in ("guestEntityId", "targetEntityId"))
        assert un == autre or se_cache(un) == se_cache(autre)
    for decision in (d for d in joints if d["level"] == "SIGNALEMENT"):
        source, cible = (Signalement.objects.get(pk=decision[cle]) for cle in ("guestEntityId", "targetEntityId"))
        avant_cible = audit.retour["signalements"]["cibles"][str(cible.pk)]["avant"]["mode_identification"]
        assert (cible.mode_identification == "ANONYME") >= ("ANONYME" in (source.mode_identification, avant_cible))


def dossier_d_avant(photo: dict[str, Any], discussion: str) -> Signalement | None:
    """What has become of the report that a discussion had before the merge."""
    cle = photo[Discussion._meta.label][UUID(discussion)]["signalement_id"]
    return cle and Signalement.objects.menant_a(cle).get()


def se_cache(signalement: Signalement | None) -> bool:
    return signalement is not None and signalement.mode_identification == "ANONYME"


def test_toute_table_qui_appartient_a_quelqu_un_est_photographiee():
    assert {Signalement, EntreeTimeline, Discussion, Message, Lecture} <= set(modeles_possedes())

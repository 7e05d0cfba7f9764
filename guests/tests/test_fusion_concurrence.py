"""Merges that meet other merges, and everybody else's writes, on real connections."""

import threading
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction

from accounts.tests.fabriques import gestionnaire as nouveau_gestionnaire
from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de, client_de, document
from discussions.models import Discussion, Lecture, Message
from discussions.tests import fabriques as conversations
from guests.fusion.execution import fusionner
from guests.fusion.retour import annuler
from guests.fusion.verification import modeles_possedes, verifier
from guests.models import AuditFusion, SessionInvitee
from signalements import services
from signalements.models import EntreeTimeline, Signalement
from signalements.tests import fabriques as dossiers
from socle.realtime.models import Evenement

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
plusieurs_tours = pytest.mark.parametrize("tour", range(3))
TITRE = "Suite de mon signalement"


@pytest.fixture(autouse=True)
def _document_pret():
    document()


def poster_fusion(client: Any, invite: Any, cle: str) -> Any:
    url = f"/api/v1/guest/sessions/{invite.guest_id}/merge"
    return client.post(url, {"acceptPolicy": "MERGE_ALL"}, headers={"Idempotency-Key": cle})


def fusion(compte: Any, invite: Any, cle: str) -> Any:
    """The call, on a client of its own."""
    client = client_de(compte)
    return lambda: poster_fusion(client, invite, cle)


def installer_cas(qui: Any, **champs: Any) -> Any:
    """A report, a discussion of three messages about it, and one about nothing in particular."""
    acteur = acteur_de(qui)
    dossier = dossiers.signalement(acteur, mode_identification="ANONYME", **champs)
    liee = conversations.discussion(acteur, TITRE, dossier)
    libre = conversations.discussion(acteur, "Autre chose")
    for rang in range(3):
        conversations.message(acteur, liee, f"{qui.pk} {rang}")
    conversations.message(acteur, libre, f"{qui.pk} libre")
    return SimpleNamespace(dossier=dossier, liee=liee, libre=libre)


def statuts(reponses: Any) -> Counter:
    """How many of each status; an exception of a thread counts under its own name."""
    return Counter(getattr(reponse, "status_code", repr(reponse)) for reponse in reponses)


def codes(reponses: Any) -> set[str]:
    return {reponse.json()["code"] for reponse in reponses if reponse.status_code >= 400}


def possessions(**proprietaire: Any) -> int:
    return sum(modele._base_manager.filter(**proprietaire).count() for modele in modeles_possedes())


def numeros(discussion: Any) -> list[int]:
    return list(
        Message.objects.filter(discussion=discussion)
        .order_by("numero_sequence")
        .values_list("numero_sequence", flat=True)
    )


# --- Merges among themselves ----------------------------------------------------------------------------------------


@plusieurs_tours
def test_la_meme_cle_trente_deux_fois_a_la_fois_ne_fusionne_qu_une_fois(etudiante, invite, tour):
    installer_cas(invite)
    actes = [fusion(etudiante, invite, "la-cle") for _rang in range(32)]

    reponses = ensemble(actes)

    assert statuts(reponses) == {200: 32}
    assert sum(r.headers.get("Idempotency-Replayed") == "true" for r in reponses) == 31
    premiere, *autres = (r.json()["data"] for r in reponses)
    assert premiere["migratedCounts"] == {"signalements": 1, "discussions": 2, "messages": 4, "suivis": 1}
    assert [autre for autre in autres if autre != premiere] == []
    assert EntreeTimeline.objects.filter(type="FUSION").count() == AuditFusion.objects.count() == 1
    assert list(verifier()) == []


@plusieurs_tours
def test_de_trente_deux_cles_a_la_fois_une_seule_fusionne(etudiante, invite, tour):
    installer_cas(invite)
    actes = [fusion(etudiante, invite, f"cle-{rang}") for rang in range(32)]

    reponses = ensemble(actes)

    assert statuts(reponses) == {200: 1, 409: 31}
    assert codes(reponses) == {"GUEST_SESSION_MERGED"}
    assert AuditFusion.objects.count() == 1
    assert list(verifier()) == []


@plusieurs_tours
def test_de_deux_comptes_a_la_fois_un_seul_recoit_tout(etudiante, autre_etudiante, invite, tour):
    installer_cas(invite)
    elles = [etudiante, autre_etudiante] * 16

    reponses = ensemble([fusion(elle, invite, f"cle-{rang}") for rang, elle in enumerate(elles)])

    assert statuts(reponses) == {200: 1, 409: 31}
    assert codes(reponses) == {"GUEST_SESSION_MERGED"}
    gagnante = next(elle for elle, reponse in zip(elles, reponses, strict=True) if reponse.status_code == 200)
    perdante = autre_etudiante if gagnante == etudiante else etudiante
    assert SessionInvitee.objects.get().fusionnee_dans == gagnante
    assert possessions(compte=perdante) == possessions(invite=invite) == 0
    assert possessions(compte=gagnante, fusionne_de=invite) == 8
    assert list(verifier()) == []


@plusieurs_tours
def test_deux_invites_rejoignent_a_la_fois_un_compte_qui_a_le_meme_cas(etudiante, invite, autre_invite, tour):
    sien, *_autres = (installer_cas(qui) for qui in (etudiante, invite, autre_invite))

    reponses = ensemble([fusion(etudiante, qui, f"cle-{rang}") for rang, qui in enumerate((invite, autre_invite))])

    assert statuts(reponses) == {200: 2}
    assert Signalement.objects.vivants().get() == sien.dossier
    assert set(Discussion.objects.vivants()) == {sien.liee, sien.libre}
    assert numeros(sien.liee) == list(range(1, 10))
    assert numeros(sien.libre) == [1, 2, 3]
    assert list(verifier()) == []


@plusieurs_tours
def test_une_cle_que_deux_invites_envoient_a_la_fois_ne_sert_qu_a_un(
    etudiante, autre_etudiante, invite, autre_invite, tour
):
    couples = [(etudiante, invite), (autre_etudiante, autre_invite)] * 8

    reponses = ensemble([fusion(elle, qui, "la-meme") for elle, qui in couples])

    assert statuts(reponses) == {200: 8, 422: 8}
    assert codes(reponses) == {"IDEMPOTENCY_KEY_REUSED"}
    assert AuditFusion.objects.count() == 1
    assert list(verifier()) == []


def sont_exactement(lignes: Any, reponses: list[Any]) -> bool:
    """These rows, each once, are what the answers tell of."""
    attendus = [r.json()["data"]["id"] for r in reponses]
    return sorted(str(pk) for pk in lignes.values_list("pk", flat=True)) == sorted(attendus)


class Autour:
    """Acts in so many threads, before, during and after a merge."""

    def __init__(self, fils: int) -> None:
        self._commencent, self._finie = threading.Barrier(fils + 1), threading.Event()

    def agir(self, acte: Any) -> list[Any]:
        """The answers of `acte(rang)`: two before the merge, others until it is done, and one after it."""
        reponses: list[Any] = []
        derniere = False
        while not derniere:
            derniere = self._finie.is_set()
            reponses.append(acte(len(reponses)))
            if len(reponses) == 2:
                self._commencent.wait(timeout=20)
        return reponses

    def fusionner(self, appel: Any) -> Any:
        self._commencent.wait(timeout=20)
        try:
            return appel()
        finally:
            self._finie.set()


# --- Writers of the guest -------------------------------------------------------------------------------------------


def ecritures_de(invite: Any, cas: Any, rang: int) -> Any:
    """One act of a guest: `(its client's call, the model it adds to)`."""
    client, url = client_de(invite), "/api/v1/discussions/"
    corps = {"titre": f"Vol {rang}", "description": f"Récit {rang}", "type": "VOL"}
    return [
        lambda: client.post("/api/v1/signalements/", corps),
        lambda: client.post(url, {"titre": f"Sujet {rang}", "signalementId": str(cas.dossier.pk)}),
        lambda: client.post(f"{url}{cas.liee.pk}/messages", {"contenu": f"De l'invité {rang}"}),
        lambda: client.put(f"{url}{cas.liee.pk}/messages/lus"),
    ][rang % 4]


@plusieurs_tours
def test_ce_que_l_invite_ecrit_pendant_la_fusion_est_au_compte_ou_refuse(etudiante, gestionnaire, invite, tour):
    sien, cas = installer_cas(etudiante), installer_cas(invite)
    conversations.message(acteur_de(gestionnaire), cas.liee, "De l'équipe")
    avant = {
        modele: set(modele._base_manager.values_list("pk", flat=True)) for modele in (Signalement, Discussion, Message)
    }
    fusionne = fusion(etudiante, invite, "la-cle")

    reponse, *ecritures = ensemble([fusionne, *(ecritures_de(invite, cas, rang) for rang in range(32))])

    assert reponse.status_code == 200
    assert set(statuts(ecritures)) <= {200, 201, 409}
    assert codes(ecritures) <= {"GUEST_SESSION_MERGED"}
    acceptees = {r.json()["data"]["id"] for r in ecritures if r.status_code == 201}
    ecrites = {
        pk
        for modele, connus in avant.items()
        for pk in modele._base_manager.filter(compte=etudiante, fusionne_de=invite).values_list("pk", flat=True)
        if pk not in connus
    }
    assert {str(pk) for pk in ecrites} == acceptees
    assert possessions(invite=invite) == 0
    assert numeros(sien.liee) == list(range(1, len(numeros(sien.liee)) + 1))
    assert not Discussion.objects.vivants().filter(signalement=cas.dossier).exists()
    assert Lecture.objects.filter(compte=etudiante).exists() is (200 in statuts(ecritures))
    assert list(verifier()) == []


@plusieurs_tours
def test_ce_que_l_invite_refait_sans_cesse_pendant_la_fusion_n_est_refuse_que_par_elle(etudiante, invite, tour):
    """Readers hold nothing: one of them comes to the door just after everything left by it."""
    cas, autour = installer_cas(invite), Autour(8)
    url = f"/api/v1/discussions/{cas.liee.pk}/messages"

    def refaire(rang: int) -> Any:
        client = client_de(invite)
        actes = [lambda n: client.post(url, {"contenu": f"Fil {rang} : {n}"}), lambda n: client.put(f"{url}/lus")]
        acte = actes[rang] if rang < len(actes) else lambda n: client.get(url)
        return lambda: autour.agir(acte)

    reponse, *fils = ensemble([lambda: autour.fusionner(fusion(etudiante, invite, "la-cle")), *map(refaire, range(8))])

    assert reponse.status_code == 200
    reponses = [r for fil in fils for r in fil]
    assert set(statuts(reponses)) == {200, 201, 409}
    assert codes(reponses) == {"GUEST_SESSION_MERGED"}
    assert {fil[-1].status_code for fil in fils} == {409}
    ecrits = [r for r in reponses if r.status_code == 201]
    assert sont_exactement(Message.objects.filter(contenu__startswith="Fil"), ecrits)
    assert list(verifier()) == []


# --- Staff at work on what is being joined --------------------------------------------------------------------------


@plusieurs_tours
def test_ce_que_l_equipe_fait_pendant_la_fusion_va_au_dossier_qui_reste(etudiante, invite, tour):
    sien, cas = installer_cas(etudiante), installer_cas(invite)
    autour, url = Autour(13), f"/api/v1/signalements/{cas.dossier.pk}"
    client = client_de(nouveau_gestionnaire())

    def ecrire(rang: int) -> Any:
        de_l_equipe, chemin = client_de(nouveau_gestionnaire()), f"/api/v1/discussions/{cas.liee.pk}/messages"
        return lambda: autour.agir(lambda n: de_l_equipe.post(chemin, {"contenu": f"Fil {rang} : {n}"}))

    def noter(rang: int) -> Any:
        de_l_equipe = client_de(nouveau_gestionnaire())
        return lambda: autour.agir(lambda n: de_l_equipe.post(f"{url}/notes", {"contenu": f"{rang} : {n}"}))

    reponse, avancees, *reste = ensemble(
        [
            lambda: autour.fusionner(fusion(etudiante, invite, "la-cle")),
            lambda: autour.agir(lambda n: client.put(f"{url}/statut", {"statut": ("EN_COURS", "TRAITE")[n % 2]})),
            *map(ecrire, range(8)),
            *map(noter, range(4)),
        ]
    )

    messages, notes = ([r for fil in fils for r in fil] for fils in (reste[:8], reste[8:]))
    assert reponse.status_code == 200
    assert statuts(avancees) == {200: len(avancees)}
    assert statuts(messages) == {201: len(messages)}
    assert statuts(notes) == {201: len(notes)}
    assert sont_exactement(Message.objects.filter(discussion=sien.liee, contenu__startswith="Fil"), messages)
    assert numeros(sien.liee) == list(range(1, len(messages) + 7))
    assert sont_exactement(EntreeTimeline.objects.filter(signalement=sien.dossier, type="NOTE"), notes)
    # Each change is one, and the merge's own brings the case to where the absorbed report was.
    assert EntreeTimeline.objects.filter(signalement=sien.dossier, type="STATUT").count() == len(avancees) + 1
    vivant = Signalement.objects.vivants().get()
    assert (vivant, vivant.statut) == (sien.dossier, avancees[-1].json()["data"]["statut"])
    assert list(verifier()) == []


def pendant_une_fusion(appel: Any, **demande: Any) -> Any:
    return _pendant(lambda: fusionner(cle="la-cle", accept_policy="MERGE_ALL", **demande), appel)


def _pendant(acte: Any, appel: Any) -> Any:
    """The answer of a call that found the rows locked by this act, and went on once it was done."""
    rendu: list[Any] = []
    attente = threading.Thread(target=lambda: rendu.extend(ensemble([appel])))
    with transaction.atomic():
        acte()
        attente.start()
        attente.join(timeout=0.5)
        assert attente.is_alive(), "n'a pas attendu"
    attente.join(timeout=10)
    return rendu[0]


def test_un_message_qui_attendait_la_fusion_cache_son_auteur_comme_le_dossier_ou_il_arrive(gestionnaire, invite):
    """A member of staff has written on a guest's report that turns out to be their own anonymous case."""
    moi = acteur_de(gestionnaire)
    mien = dossiers.signalement(moi, mode_identification="ANONYME")
    d_invite = dossiers.signalement(acteur_de(invite), mode_identification="ANONYME")
    discussion = conversations.discussion(moi, TITRE, d_invite)
    client = client_de(gestionnaire)

    reponse = pendant_une_fusion(
        lambda: client.post(f"/api/v1/discussions/{discussion.pk}/messages", {"contenu": "Je suis là."}),
        session=invite,
        compte=gestionnaire,
    )

    assert statuts([reponse]) == {201: 1}
    assert Message.objects.get().discussion.signalement == mien
    annonce = Evenement.objects.get(type="message_created").payload
    assert annonce["auteurNom"] == "Anonyme"
    assert str(gestionnaire.pk) not in str(annonce)


def test_un_statut_qui_attendait_la_fusion_dit_encore_qui_suit_le_dossier(etudiante, gestionnaire, admin, invite):
    sien = dossiers.signalement(acteur_de(etudiante), mode_identification="ANONYME")
    d_invite = dossiers.signalement(acteur_de(invite), mode_identification="ANONYME")
    services.assigner(signalement=d_invite, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))
    client = client_de(admin)

    reponse = pendant_une_fusion(
        lambda: client.put(f"/api/v1/signalements/{sien.pk}/statut", {"statut": "EN_COURS"}),
        session=invite,
        compte=etudiante,
    )

    donnees = reponse.json()["data"]
    assert (donnees["id"], donnees["statut"]) == (str(sien.pk), "EN_COURS")
    assert (donnees["gestionnaireId"], donnees["gestionnaireNom"]) == (str(gestionnaire.pk), gestionnaire.nom_complet)


def test_ce_que_le_compte_ecrit_pendant_qu_on_defait_la_fusion_est_refuse(etudiante, invite):
    dossier = dossiers.signalement(acteur_de(invite), mode_identification="IDENTIFIE")
    discussion = conversations.discussion(acteur_de(invite), TITRE)
    client, url = client_de(etudiante), "/api/v1/discussions/"
    with transaction.atomic():
        fusionner(session=invite, compte=etudiante, cle="la-cle", accept_policy="MERGE_ALL")

    reponses = [
        _pendant(lambda: annuler(AuditFusion.objects.get(date_annulation=None)), appel)
        for appel in (lambda: client.post(f"{url}{discussion.pk}/messages", {"contenu": "Qui suis-je ?"}),)
    ]
    with transaction.atomic():
        fusionner(session=invite, compte=etudiante, cle="une-autre", accept_policy="MERGE_ALL")
    corps = {"titre": "Nouvelle", "signalementId": str(dossier.pk)}
    reponses.append(
        _pendant(lambda: annuler(AuditFusion.objects.get(date_annulation=None)), lambda: client.post(url, corps))
    )

    assert statuts(reponses) == {403: 2}
    assert Message.objects.count() == 0
    assert Discussion.objects.get() == discussion

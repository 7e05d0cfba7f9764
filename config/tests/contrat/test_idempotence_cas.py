"""Retrying a creation: what counts as the same request, whose the key is, what is answered, for how long."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Compte
from calendrier.tests import fabriques as calendrier
from config.tests.contrat.test_idempotence import AVEC_CLE, ENTETE, Creer, donnees, est_rejouee, tout, verifier_refus
from config.tests.outils import acteur_de, client_de
from config.tests.outils.hostiles import par_operation
from discussions.models import Discussion, Message
from discussions.tests import fabriques as discussions
from forum.tests import fabriques as forum
from guests.tests.fabriques import desactiver, fusionner
from resources.models import Fichier, Ressource
from resources.services import fichiers as services_fichiers
from resources.services import ressources as services_ressources
from resources.tests import fabriques as fichiers
from signalements.models import EntreeTimeline, Signalement
from signalements.tests import fabriques as signalements
from socle.domaine.limites import Taux
from socle.idempotence import creation
from socle.idempotence.models import CleUtilisee
from socle.journal import Lignes
from socle.realtime.models import Evenement

pytestmark = pytest.mark.django_db
SIGNALER = "/api/v1/signalements/"
FAITS = {"titre": "Vol", "description": "Un sac, à l'amphi.", "type": "VOL"}


# --- The same request ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chemin", ["messages", "commentaires"])
def test_le_meme_texte_ailleurs_est_une_autre_demande(api, etudiante, chemin):
    lieux = {
        "messages": [f"discussions/{discussions.discussion(acteur_de(etudiante)).pk}" for _rang in range(2)],
        "commentaires": [f"postes/{forum.poste(acteur_de(etudiante)).pk}" for _rang in range(2)],
    }[chemin]

    ici, la = (
        api(etudiante).post(f"/api/v1/{lieu}/{chemin}", {"contenu": "Bonjour."}, headers=ENTETE) for lieu in lieux
    )

    assert ici.status_code == 201
    verifier_refus(la, 422, "IDEMPOTENCY_KEY_REUSED")


def test_le_meme_json_autrement_ecrit_est_la_meme_demande(api, etudiante):
    client = api(etudiante)
    ecritures = [
        b'{"titre": "Vol", "description": "Un sac.", "type": "VOL"}',
        b'{"type":"VOL","description":"Un sac.",\n"titre":"\\u0056ol"}',
    ]

    reponses = [client.post(SIGNALER, e, headers=ENTETE) for e in ecritures]
    barre = client.post(SIGNALER.rstrip("/"), ecritures[0], headers=ENTETE)

    assert [est_rejouee(r) for r in (*reponses, barre)] == [False, True, True]
    assert Signalement.objects.count() == 1


@pytest.mark.parametrize(
    ("un", "autre"),
    [
        ({"titre": "1"}, {"titre": 1}),
        ({"aTemoins": True}, {"aTemoins": 1}),
        ({}, {"lieuIncident": None}),
        ({"tags": ["a", "b"]}, {"tags": ["b", "a"]}),
    ],
)
def test_une_autre_valeur_est_une_autre_demande_meme_si_elle_dit_pareil(api, etudiante, un, autre):
    assert api(etudiante).post(SIGNALER, {**FAITS, **un}, headers=ENTETE).status_code == 201

    verifier_refus(api(etudiante).post(SIGNALER, {**FAITS, **autre}, headers=ENTETE), 422, "IDEMPOTENCY_KEY_REUSED")


# --- Files ----------------------------------------------------------------------------------------------------------


@par_operation([operation for operation in AVEC_CLE if operation.chemin.endswith("/upload")])
@pytest.mark.parametrize("change", ["contenu", "nom", "texte"])
def test_un_autre_fichier_sous_la_meme_cle_est_refuse(operation, change):
    creer = Creer(operation)
    creer()
    apres = tout()
    autres = {
        "contenu": {"file": fichiers.SimpleUploadedFile("photo.png", fichiers.image(taille=(8, 12)))},
        "nom": {"file": fichiers.envoi_d_image("autre.png")},
        "texte": {"titre": "Autre"},
    }[change]

    verifier_refus(creer(**autres), 422, "IDEMPOTENCY_KEY_REUSED")

    assert tout() == apres


def test_le_meme_fichier_par_morceaux_est_la_meme_demande(api, etudiante):
    """Whatever delimits the parts, and however large: the digest is taken chunk by chunk."""
    gros = bytes(range(256)) * 2_000
    client = api(etudiante)

    def envoyer(limite: str) -> Any:
        tete = f'--{limite}\r\nContent-Disposition: form-data; name="file"; filename="notes.txt"\r\n\r\n'
        corps = tete.encode() + gros + f"\r\n--{limite}--\r\n".encode()
        type_ = f"multipart/form-data; boundary={limite}"
        return client.generic("POST", "/api/v1/fichiers/upload", corps, type_, headers=ENTETE)

    un, autre = envoyer("aaaa"), envoyer("bbbbbbbb")

    assert (un.status_code, autre.status_code, est_rejouee(autre)) == (201, 201, True)
    assert Fichier.objects.count() == 1


def test_un_fichier_refuse_ne_depense_pas_la_cle_et_ne_laisse_rien(api, etudiante):
    avant = fichiers.stockes("local")
    refuse = api(etudiante).post("/api/v1/fichiers/upload", {"file": fichiers.envoi(contenu=b"")}, headers=ENTETE)

    accepte = api(etudiante).post("/api/v1/fichiers/upload", {"file": fichiers.envoi()}, headers=ENTETE)

    assert (refuse.status_code, accepte.status_code, est_rejouee(accepte)) == (422, 201, False)
    assert len(fichiers.stockes("local")) == len(avant) + 1


def test_une_ressource_qui_ne_s_ecrit_pas_ne_laisse_ni_fichier_ni_cle(etudiante, monkeypatch):
    def tomber(*args: Any, **options: Any) -> None:
        raise RuntimeError

    client, avant = client_de(etudiante), tout()
    with monkeypatch.context() as panne:
        panne.setattr(services_ressources, "_attacher", tomber)
        panne.setattr("config.tests.outils.clients.verifier_reponse", lambda *args: None)
        reponse = client.post("/api/v1/ressources/upload", {"file": fichiers.envoi_d_image()}, headers=ENTETE)

    assert reponse.status_code == 500
    assert tout() == avant
    reessai = client.post("/api/v1/ressources/upload", {"file": fichiers.envoi_d_image()}, headers=ENTETE)
    assert (reessai.status_code, est_rejouee(reessai)) == (201, False)


# --- Whose key ------------------------------------------------------------------------------------------------------


def test_la_cle_d_un_autre_ne_dit_ni_ne_prend_rien(api, etudiante, autre_etudiante, gestionnaire, invite, autre_invite):
    gens = [etudiante, autre_etudiante, gestionnaire, invite, autre_invite]

    reponses = [api(qui).post(SIGNALER, FAITS, headers=ENTETE) for qui in gens]
    autres_corps = [api(qui).post(SIGNALER, {**FAITS, "titre": "Autre"}, headers=ENTETE) for qui in gens]

    assert [(r.status_code, est_rejouee(r)) for r in reponses] == [(201, False)] * 5
    assert len({r.json()["data"]["id"] for r in reponses}) == 5
    assert {r.status_code for r in autres_corps} == {422}
    assert len(set(CleUtilisee.objects.values_list("cle", flat=True))) == 5


@pytest.mark.parametrize("persona", ["invite", "etudiante"])
@pytest.mark.parametrize("sorte", ["signalement", "discussion", "message", "fichier"])
def test_un_invite_reessaie_comme_un_compte(api, personne, persona, sorte):
    qui = personne(persona)
    url, corps = {
        "signalement": lambda: (SIGNALER, lambda: FAITS),
        "discussion": lambda: ("/api/v1/discussions/", lambda: {"titre": "Suites"}),
        "message": lambda: (
            f"/api/v1/discussions/{discussions.discussion(acteur_de(qui)).pk}/messages",
            lambda: {"contenu": "Bonjour."},
        ),
        "fichier": lambda: ("/api/v1/fichiers/upload", lambda: {"file": fichiers.envoi()}),
    }[sorte]()

    un, autre = (api(qui).post(url, corps(), headers=ENTETE) for _fois in range(2))

    assert (un.status_code, autre.status_code, est_rejouee(autre)) == (201, 201, True)
    assert donnees(un) == donnees(autre)


def test_apres_le_rattachement_l_invite_apprend_qu_il_l_est_et_sa_cle_ne_suit_pas(api, etudiante, invite):
    api(invite).post(SIGNALER, FAITS, headers=ENTETE)
    fusionner(invite, etudiante)

    verifier_refus(api(invite).post(SIGNALER, FAITS, headers=ENTETE), 409, "GUEST_SESSION_MERGED")
    siens = api(etudiante).get("/api/v1/signalements/me").json()["data"]
    assert siens["total"] == 1
    du_compte = api(etudiante).post(SIGNALER, FAITS, headers=ENTETE)
    assert (du_compte.status_code, est_rejouee(du_compte)) == (201, False)


def test_une_session_desactivee_ne_rejoue_rien(api, invite):
    api(invite).post(SIGNALER, FAITS, headers=ENTETE)
    desactiver(invite)

    verifier_refus(api(invite).post(SIGNALER, FAITS, headers=ENTETE), 403, "GUEST_SESSION_INVALID")


def test_un_droit_perdu_ne_se_rejoue_pas(api, gestionnaire, signalement):
    client, url = api(gestionnaire), f"{SIGNALER}{signalement.pk}/notes"
    assert client.post(url, {"contenu": "Vu."}, headers=ENTETE).status_code == 201
    Compte.objects.filter(pk=gestionnaire.pk).update(type_utilisateur="UTILISATEUR")

    verifier_refus(client.post(url, {"contenu": "Vu."}, headers=ENTETE), 403, "PERMISSION_DENIED")


# --- The row as it is today -----------------------------------------------------------------------------------------


def test_le_rejeu_rend_la_ligne_d_aujourd_hui_pour_les_yeux_de_qui_l_a_creee(api, invite, gestionnaire):
    creee = api(invite).post(SIGNALER, FAITS, headers=ENTETE).json()["data"]
    api(gestionnaire).put(f"{SIGNALER}{creee['id']}/assigner", {"gestionnaireId": str(gestionnaire.pk)})

    rejouee = api(invite).post(SIGNALER, FAITS, headers=ENTETE).json()["data"]

    assert rejouee == api(invite).get(f"{SIGNALER}{creee['id']}").json()["data"]
    assert (rejouee["statut"], rejouee["gestionnaireId"]) == ("ASSIGNE", None)


def test_la_phrase_est_dans_la_langue_de_qui_reessaie(api, etudiante):
    api(etudiante).post(SIGNALER, FAITS, headers=ENTETE)

    reponse = api(etudiante).post(SIGNALER, FAITS, headers={**ENTETE, "Accept-Language": "en"})

    assert (est_rejouee(reponse), reponse.json()["message"]) == (True, "Report created.")


def test_une_inscription_refusee_se_reessaie(api, etudiante, autre_etudiante, gestionnaire):
    evenement = calendrier.evenement(gestionnaire)
    url = f"/api/v1/calendriers/{evenement.pk}/inscription"
    api(etudiante).post(url)

    deja = api(etudiante).post(url, headers=ENTETE)
    api(etudiante).delete(url)
    apres = api(etudiante).post(url, headers=ENTETE)

    verifier_refus(deja, 409, "ALREADY_REGISTERED")
    assert (apres.status_code, est_rejouee(apres)) == (201, False)


def test_une_reaction_deja_la_se_rejoue_avec_son_statut(api, etudiante, autre_etudiante):
    url = f"/api/v1/postes/{forum.poste(acteur_de(etudiante)).pk}/reactions"
    api(etudiante).post(url, {"type": "LIKE"})

    deja, rejouee = (api(etudiante).post(url, {"type": "LIKE"}, headers=ENTETE) for _fois in range(2))

    assert [(r.status_code, est_rejouee(r)) for r in (deja, rejouee)] == [(200, False), (200, True)]


def test_un_message_se_rejoue_sans_faire_avancer_la_discussion(api, etudiante, gestionnaire):
    discussion = discussions.discussion(acteur_de(etudiante))
    url = f"/api/v1/discussions/{discussion.pk}/messages"
    corps = {"contenu": "Bonjour.", "discussionId": str(discussion.pk)}
    api(etudiante).post(url, corps, headers=ENTETE)
    api(gestionnaire).post(url, {"contenu": "Oui ?"})

    rejouee = api(etudiante).post(url, corps, headers=ENTETE).json()["data"]

    assert (rejouee["numeroSequence"], rejouee["contenu"]) == (1, "Bonjour.")
    assert list(Message.objects.order_by("numero_sequence").values_list("numero_sequence", flat=True)) == [1, 2]


# --- What is no more there -------------------------------------------------------------------------------------------


def publication_supprimee(client: Any, cree: dict[str, Any]) -> None:
    assert client.delete(f"/api/v1/postes/{cree['id']}").status_code == 204


def commentaire_d_une_publication_rejetee(client: Any, cree: dict[str, Any]) -> None:
    rose = Compte.objects.get(email="rose@campus.test")
    assert client_de(rose).patch(f"/api/v1/postes/{cree['posteId']}/statut", {"statut": "REJETER"}).status_code == 200


def reaction_retiree(client: Any, cree: dict[str, Any]) -> None:
    assert client.delete(f"/api/v1/postes/{cree['posteId']}/reactions/{cree['id']}").status_code == 204


def fichier_supprime(client: Any, cree: dict[str, Any]) -> None:
    assert client.delete(f"/api/v1/fichiers/{cree['fileId']}").status_code == 204


def ressource_supprimee(client: Any, cree: dict[str, Any]) -> None:
    assert client.delete(f"/api/v1/ressources/{cree['id']}").status_code == 200


def signalement_d_un_autre(client: Any, cree: dict[str, Any]) -> None:
    signalements.mettre(Signalement.objects.get(), compte=Compte.objects.get(email="rose@campus.test"))


def discussion_d_un_autre(client: Any, cree: dict[str, Any]) -> None:
    rose = Compte.objects.get(email="rose@campus.test")
    Discussion.objects.update(compte=rose, titulaire=rose.pk)


def adresse_remplacee(client: Any, cree: dict[str, Any]) -> None:
    assert client.post("/api/v1/calendriers/flux").status_code == 201


@pytest.mark.parametrize(
    ("url", "corps", "oter"),
    [
        ("postes/", {"contenu": "Qui vient ?"}, publication_supprimee),
        ("postes/{poste}/commentaires", {"contenu": "Moi !"}, commentaire_d_une_publication_rejetee),
        ("postes/{poste}/reactions", {"type": "LIKE"}, reaction_retiree),
        ("fichiers/upload", None, fichier_supprime),
        ("ressources/upload", None, ressource_supprimee),
        ("ressources/", {"titre": "Guide", "publicUrl": "https://campus.example.org/g.pdf"}, ressource_supprimee),
        ("signalements/", FAITS, signalement_d_un_autre),
        ("discussions/", {"titre": "Suites"}, discussion_d_un_autre),
        ("discussions/{discussion}/messages", {"contenu": "Bonjour."}, discussion_d_un_autre),
        ("calendriers/flux", {}, adresse_remplacee),
    ],
)
def test_ce_qui_est_supprime_ou_cache_depuis_ne_se_refait_pas(api, etudiante, gestionnaire, admin, url, corps, oter):
    client = api(etudiante)
    poste = forum.poste(acteur_de(gestionnaire), par=acteur_de(admin))
    adresse = "/api/v1/" + url.format(poste=poste.pk, discussion=discussions.discussion(acteur_de(etudiante)).pk)

    def creer() -> Any:
        envoye = {"file": fichiers.envoi_d_image()} if corps is None else corps
        return client.post(adresse, envoye, headers=ENTETE)

    oter(client, creer().json()["data"])
    apres = tout()

    reponse = creer()

    verifier_refus(reponse, 409, "IDEMPOTENCY_RESULT_GONE")
    assert "nouvelle clé" in reponse.json()["message"]
    assert tout() == apres


def test_une_note_sur_un_dossier_devenu_le_sien_ne_se_rejoue_pas(api, gestionnaire, signalement):
    url = f"{SIGNALER}{signalement.pk}/notes"
    api(gestionnaire).post(url, {"contenu": "Vu."}, headers=ENTETE)
    signalements.mettre(signalement, compte=gestionnaire)

    verifier_refus(api(gestionnaire).post(url, {"contenu": "Vu."}, headers=ENTETE), 409, "IDEMPOTENCY_RESULT_GONE")
    assert EntreeTimeline.objects.filter(type="NOTE").count() == 1


def test_un_signalement_rejoue_dit_les_messages_non_lus_d_aujourd_hui(api, etudiante, gestionnaire):
    dossier = api(etudiante).post(SIGNALER, FAITS, headers=ENTETE).json()["data"]
    fil = discussions.discussion(acteur_de(gestionnaire), signalement=Signalement.objects.get(pk=dossier["id"]))
    discussions.message(acteur_de(gestionnaire), fil)

    rejoue = api(etudiante).post(SIGNALER, FAITS, headers=ENTETE).json()["data"]

    assert (rejoue["messagesNonLusCount"], rejoue["hasUnreadUpdates"]) == (1, True)


def test_une_inscription_annulee_depuis_ne_se_rejoue_pas(api, etudiante, evenement):
    url = f"/api/v1/calendriers/{evenement.pk}/inscription"
    assert api(etudiante).post(url, headers=ENTETE).status_code == 201
    assert api(etudiante).delete(url).status_code == 204

    verifier_refus(api(etudiante).post(url, headers=ENTETE), 409, "IDEMPOTENCY_RESULT_GONE")


def test_d_une_personne_inscrite_a_plusieurs_c_est_cette_inscription_qui_se_rejoue(api, etudiante, gestionnaire):
    evenements = [calendrier.evenement(gestionnaire) for _rang in range(3)]
    urls = [f"/api/v1/calendriers/{un.pk}/inscription" for un in evenements]
    premieres = [api(etudiante).post(url, headers={"Idempotency-Key": url}) for url in urls]

    rejouees = [api(etudiante).post(url, headers={"Idempotency-Key": url}) for url in urls]

    assert [un.json()["data"]["id"] for un in rejouees] == [un.json()["data"]["id"] for un in premieres]
    assert all(est_rejouee(un) for un in rejouees)


# --- Keys and refusals -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cle", ["1", "a" * 255, "une clé, avec des blancs !", "a" * 255 + "  "])
def test_une_cle_de_un_a_255_caracteres_imprimables_est_prise(api, etudiante, cle):
    un, autre = (api(etudiante).post(SIGNALER, FAITS, headers={"Idempotency-Key": cle}) for _fois in range(2))

    assert [(r.status_code, est_rejouee(r)) for r in (un, autre)] == [(201, False), (201, True)]


def test_qui_ne_peut_pas_creer_est_refuse_avant_que_sa_cle_soit_lue(api, etudiante, signalement):
    url = f"{SIGNALER}{signalement.pk}/notes"
    illisible = {"Idempotency-Key": ""}

    assert api(None).post(url, {"contenu": "x"}, headers=illisible).status_code == 401
    assert api(etudiante).post(url, {"contenu": "x"}, headers=illisible).status_code == 403


def test_une_panne_ne_depense_pas_la_cle_et_ne_laisse_pas_de_ligne(api, etudiante, monkeypatch):
    """Between the row and its key: both, or neither."""

    def tomber(*args: Any) -> None:
        raise RuntimeError

    client, avant = api(etudiante), tout()
    with monkeypatch.context() as panne:
        panne.setattr(creation, "_garder", tomber)
        panne.setattr("config.tests.outils.clients.verifier_reponse", lambda *args: None)
        assert client.post(SIGNALER, FAITS, headers=ENTETE).status_code == 500
    assert tout() == avant

    reponse = client.post(SIGNALER, FAITS, headers=ENTETE)

    assert (reponse.status_code, est_rejouee(reponse)) == (201, False)


def test_une_cle_ne_sert_pas_a_la_demande_suivante_du_meme_fil(api, etudiante):
    api(etudiante).post(SIGNALER, {"titre": "Vol"}, headers=ENTETE)

    reponses = [api(etudiante).post(SIGNALER, FAITS) for _fois in range(2)]

    assert [r.status_code for r in reponses] == [201, 201]
    assert not CleUtilisee.objects.exists()


# --- Limits ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def limiter(settings: Any) -> Iterator[Any]:
    def poser(**nombres: int) -> None:
        settings.THROTTLE_ENABLED = True
        settings.THROTTLES = {**settings.THROTTLES, **{p: Taux(n, 86_400) for p, n in nombres.items()}}

    return poser


@pytest.mark.parametrize(
    ("persona", "limite", "url", "corps"),
    [
        ("etudiante", "report", SIGNALER, FAITS),
        ("invite", "report_address", SIGNALER, FAITS),
        ("etudiante", "upload", "/api/v1/fichiers/upload", None),
        ("etudiante", "upload", "/api/v1/ressources/upload", None),
        ("gestionnaire", "export", "/api/v1/stats/signalements/export", {"format": "csv"}),
    ],
)
def test_un_rejeu_ne_compte_pas_dans_la_cadence(personne, limiter, persona, limite, url, corps):
    limiter(**{limite: 2})
    client = client_de(personne(persona))

    def creer(cle: str) -> int:
        envoye = {"file": fichiers.envoi_d_image()} if corps is None else corps
        return client.post(url, envoye, headers={"Idempotency-Key": cle}).status_code

    assert [creer("une") for _fois in range(4)] == [201] * 4
    assert [creer(cle) for cle in ("deux", "trois", "une", "deux")] == [201, 429, 201, 201]


def test_un_envoi_refuse_compte_toujours_dans_la_cadence(api, etudiante, limiter):
    limiter(upload=2)

    statuts = [
        api(etudiante).post("/api/v1/fichiers/upload", {"file": fichiers.envoi(contenu=b"")}).status_code
        for _fois in range(3)
    ]

    assert statuts == [422, 422, 429]


def test_un_rejeu_ne_prend_pas_de_place(api, invite, etudiante, settings):
    settings.THROTTLE_ENABLED = True
    settings.FILE_QUOTA_OCTETS = len(fichiers.CONTENU)
    settings.GUEST_UPLOADS = Taux(len(fichiers.CONTENU), 86_400)

    for qui in (etudiante, invite):
        reponses = [
            api(qui).post("/api/v1/fichiers/upload", {"file": fichiers.envoi()}, headers=ENTETE) for _fois in range(3)
        ]
        assert [r.status_code for r in reponses] == [201] * 3

    assert Fichier.objects.count() == 2


def test_refusee_parce_que_la_meme_vient_d_etre_faite_elle_se_rejoue(api, etudiante, settings, monkeypatch):
    """The other call ends, and takes the last place, after this one has looked for its key."""
    settings.FILE_QUOTA_OCTETS = len(fichiers.CONTENU)
    client, exiger = api(etudiante), services_fichiers._exiger_le_quota

    def envoyer() -> Any:
        return client.post("/api/v1/fichiers/upload", {"file": fichiers.envoi()}, headers=ENTETE)

    def etre_devance(*args: Any) -> None:
        monkeypatch.setattr(services_fichiers, "_exiger_le_quota", exiger)
        assert envoyer().status_code == 201
        exiger(*args)

    monkeypatch.setattr(services_fichiers, "_exiger_le_quota", etre_devance)
    reponse = envoyer()

    assert (reponse.status_code, est_rejouee(reponse)) == (201, True)
    assert Fichier.objects.count() == 1


# --- A day ----------------------------------------------------------------------------------------------------------


def vieillir(**duree: int) -> None:
    CleUtilisee.objects.update(date_creation=timezone.now() - timedelta(**duree))


def test_une_cle_vaut_un_jour_purgee_ou_non(api, etudiante):
    def signaler() -> bool:
        reponse = api(etudiante).post(SIGNALER, FAITS, headers=ENTETE)
        assert reponse.status_code == 201
        return est_rejouee(reponse)

    signaler()
    vieillir(hours=23, minutes=59)
    assert signaler()
    vieillir(hours=24, minutes=1)

    assert [signaler(), signaler()] == [False, True]
    assert (Signalement.objects.count(), CleUtilisee.objects.count()) == (2, 1)


def test_une_cle_perimee_peut_servir_a_autre_chose(api, etudiante):
    api(etudiante).post(SIGNALER, FAITS, headers=ENTETE)
    vieillir(hours=25)

    assert api(etudiante).post(SIGNALER, {**FAITS, "titre": "Autre"}, headers=ENTETE).status_code == 201


def test_purger_retire_les_cles_d_hier_et_elles_seules(api, etudiante, autre_etudiante, capsys):
    api(etudiante).post(SIGNALER, FAITS, headers=ENTETE)
    vieillir(hours=24, minutes=1)
    api(autre_etudiante).post(SIGNALER, FAITS, headers=ENTETE)

    call_command("purge", "--dry-run")
    assert CleUtilisee.objects.count() == 2
    call_command("purge")

    assert "Clés d'idempotence de plus d'un jour : 1 supprimé(s)" in capsys.readouterr().out
    assert est_rejouee(api(autre_etudiante).post(SIGNALER, FAITS, headers=ENTETE))
    assert (CleUtilisee.objects.count(), Signalement.objects.count()) == (1, 2)


# --- Secrets --------------------------------------------------------------------------------------------------------


def test_une_cle_n_est_ni_au_journal_ni_en_base_ni_dans_une_reponse(api, etudiante, caplog):
    caplog.set_level(logging.DEBUG)
    cle = "cle-secrete-de-awa"
    client = api(etudiante)

    reponses = [
        client.post(SIGNALER, corps, headers={"Idempotency-Key": envoyee})
        for corps, envoyee in [
            (FAITS, cle),
            (FAITS, cle),
            ({**FAITS, "titre": "Autre"}, cle),
            ({}, f"{cle}2"),
            (FAITS, f"{cle}\t"),
            (FAITS, f"{cle}\x7f"),
        ]
    ]

    ecrit = "".join(Lignes().format(r) for r in caplog.records if r.name != "django.db.backends")
    stocke = str([list(modele.objects.values_list()) for modele in (CleUtilisee, Signalement, Evenement)])
    rendu = "".join(f"{r.content.decode()}{dict(r.headers)}" for r in reponses)
    assert [r.status_code for r in reponses] == [201, 201, 422, 422, 201, 400]
    assert cle not in ecrit + stocke + rendu


def test_une_empreinte_ne_dit_ni_qui_ni_quoi_sans_la_cle_du_service(api, etudiante, settings):
    api(etudiante).post(SIGNALER, FAITS, headers=ENTETE)
    avant = CleUtilisee.objects.get()
    CleUtilisee.objects.all().delete()
    settings.HASH_KEY = "une-autre-cle-de-hachage"

    api(etudiante).post(SIGNALER, FAITS, headers=ENTETE)

    apres = CleUtilisee.objects.get()
    assert avant.cle != apres.cle
    assert avant.demande != apres.demande


def test_les_fabriques_restent_celles_de_tous(etudiante):
    """A service called without a request is the plain transaction that it was."""
    signalements.signalement(acteur_de(etudiante))
    fichiers.ressource(etudiante)

    assert not CleUtilisee.objects.exists()
    assert Ressource.objects.count() == 1

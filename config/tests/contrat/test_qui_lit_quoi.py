"""The exact fields that each reader receives of a case: one that is added shows here, and somebody decides."""

from datetime import UTC, datetime
from typing import Any

import pytest

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de, client_de, evenements_publies
from discussions.tests import fabriques as discussions
from guests.tests.fabriques import session_invitee
from resources.tests import fabriques as fichiers
from signalements import services
from signalements.models import Signalement
from signalements.serializers import SignalementDetail
from signalements.tests import fabriques
from socle.api.serializers import Regard, Sortie
from socle.realtime.vocabulaire import PERSONNEL, PUBLIC

pytestmark = pytest.mark.django_db

A_TOUS = {
    *("id", "reference", "titre", "description", "type", "modeIdentification", "dateIncident", "lieuIncident"),
    *("auteurPresume", "aTemoins", "descriptionTemoins", "bureauGenreId", "statut", "statutCanonique", "priorite"),
    *("piecesJointes", "sourceActeur", "acteurId", "estFusionne", "conserveJusquau"),
    *("dateCreation", "dateModification"),
}
DE_L_EQUIPE = {"gestionnaireId", "gestionnaireNom", "referenceDeclaree", "ouvertA", "geleDepuis"}
NON_LUS = {"hasUnreadUpdates", "messagesNonLusCount"}
D_UNE_ENTREE = {"id", "type", "description", "auteurNom", "dateCreation"}
D_UNE_DISCUSSION = {
    *(
        "id",
        "titre",
        "signalementId",
        "signalementReference",
        "sourceActeur",
        "acteurId",
        "estFusionne",
        "resume",
        "dateCreation",
    ),
    *("dateModification", *NON_LUS),
}
D_UN_MESSAGE = {
    *("id", "discussionId", "contenu", "auteurId", "auteurNom", "type", "estLu", "numeroSequence", "piecesJointes"),
    *("sourceActeur", "acteurId", "estFusionne", "dateCreation"),
}


def dits(recu: dict[str, Any]) -> set[str]:
    """The fields that say something: one that is kept from the reader is null."""
    return {nom for nom, valeur in recu.items() if valeur is not None}


@pytest.fixture(autouse=True)
def _temps_de_garde(settings: Any) -> None:
    settings.REPORTS_KEPT_DAYS = 1_000


@pytest.fixture
def gestionnaire() -> Any:
    return comptes.gestionnaire(email="paul@campus.test")


def dossier_entier(acteur: Any, gestionnaire: Any, *, clos: bool = True) -> Signalement:
    """A case whose every field is filled, assigned, held, with a reference that its author gave."""
    dossier = fabriques.signalement(
        acteur,
        mode_identification="IDENTIFIE",
        date_incident=datetime(2026, 3, 1, 10, tzinfo=UTC),
        lieu_incident="Amphi B",
        auteur_presume="Un assistant",
        a_temoins=True,
        description_temoins="Deux amies",
        bureau_genre_id="BG-1",
        reference="SIG-2026-7K3M9QXT",
        pieces_jointes=[fichiers.fichier(acteur).pk],
    )
    services.assigner(signalement=dossier, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(gestionnaire))
    services.ajouter_note(signalement=dossier, contenu="Appelée.", acteur=acteur_de(gestionnaire))
    geleuse = acteur_de(comptes.admin(email="rose@campus.test"))
    services.geler(signalement=dossier, gele=True, motif="Enquête.", acteur=geleuse)
    if clos:
        fabriques.mettre(dossier, statut="CLOTURE")
    return Signalement.objects.get(pk=dossier.pk)


@pytest.mark.parametrize("invitee", [False, True], ids=["compte", "invité"])
def test_qui_a_signale_lit_son_dossier_sans_ce_qui_est_de_l_equipe(gestionnaire, invitee):
    personne = session_invitee() if invitee else comptes.compte(email="awa@campus.test")
    dossier = dossier_entier(acteur_de(personne), gestionnaire)
    client = client_de(personne)
    liste = "/api/v1/signalements/guest/me" if invitee else "/api/v1/signalements/me"

    detail = client.get(f"/api/v1/signalements/{dossier.pk}").json()["data"]
    (en_liste,) = client.get(liste).json()["data"]["items"]
    histoire = client.get(f"/api/v1/signalements/{dossier.pk}/timeline").json()["data"]

    assert dits(detail) == dits(en_liste) == A_TOUS | NON_LUS
    assert detail.keys() == A_TOUS | NON_LUS | DE_L_EQUIPE
    assert {entree["type"] for entree in histoire} == {"CREATION", "ASSIGNATION", "STATUT"}
    assert [dits(e) - {"ancienStatut", "nouveauStatut", "auteurId"} for e in histoire] == [D_UNE_ENTREE] * 3
    assert [e["auteurId"] is None for e in histoire] == [False, True, True]


def test_l_equipe_lit_tout(gestionnaire):
    dossier = dossier_entier(acteur_de(session_invitee()), gestionnaire)

    detail = client_de(gestionnaire).get(f"/api/v1/signalements/{dossier.pk}").json()["data"]

    assert dits(detail) == A_TOUS | NON_LUS | DE_L_EQUIPE


def test_un_evenement_dit_a_tous_ce_que_chacun_peut_lire_et_a_l_equipe_le_reste(gestionnaire):
    dossier = dossier_entier(acteur_de(session_invitee()), gestionnaire, clos=False)

    with evenements_publies() as recus:
        services.changer_statut(signalement=dossier, statut="CLOTURE", acteur=acteur_de(gestionnaire))
        services.ajouter_note(signalement=dossier, contenu="Rappeler.", acteur=acteur_de(gestionnaire))

    public = {r["type"]: dits(r["payload"]) for r in recus if r["audience"] == PUBLIC and ":" in r["canal"]}
    assert public == {
        "signalement_statut_updated": A_TOUS,
        "signalement_timeline_updated": D_UNE_ENTREE | {"ancienStatut", "nouveauStatut"},
    }
    de_tous = {r["type"]: dits(r["payload"]) for r in recus if r["canal"] == "signalements"}
    assert de_tous == {"signalement_statut_updated": A_TOUS | DE_L_EQUIPE}
    du_personnel = {r["type"]: dits(r["payload"]) for r in recus if r["audience"] == PERSONNEL}
    assert du_personnel == {
        "signalement_note_added": {"id", "auteurId", "contenu", "dateCreation"},
        "signalement_timeline_updated": D_UNE_ENTREE,
    }


def test_le_suivi_d_un_invite(gestionnaire):
    invite = session_invitee()
    dossier = dossier_entier(acteur_de(invite), gestionnaire)
    fil = discussions.discussion(acteur_de(invite), signalement=dossier)
    discussions.message(acteur_de(gestionnaire), fil)
    client = client_de(invite)

    (resume,) = client.get("/api/v1/guest/suivi").json()["data"]["items"]
    detail = client.get(f"/api/v1/guest/suivi/{dossier.reference}").json()["data"]
    (message,) = client.get(f"/api/v1/discussions/{fil.pk}/messages").json()["data"]["items"]

    en_bref = {"reference", "signalementId", "titre", "type", "statut", "statutCanonique", "dateCreation"}
    en_bref |= {"dateModification", "discussionIds", *NON_LUS}
    assert resume.keys() == en_bref
    assert detail.keys() == en_bref | {"signalement", "timeline", "discussions"}
    assert dits(detail["signalement"]) == A_TOUS | NON_LUS
    assert [dits(une) for une in detail["discussions"]] == [D_UNE_DISCUSSION]
    assert dits(message) == D_UN_MESSAGE


def test_un_champ_est_a_tous_ou_de_l_equipe():
    meta = SignalementDetail.Meta

    assert not set(meta.a_tous) & set(meta.de_l_equipe)
    with pytest.raises(TypeError, match="fields"):

        class _Autre(Sortie):
            class Meta:
                model = Signalement
                fields = ("id", "priorite")
                a_tous = ("id",)
                de_l_equipe = ("priorite",)


def test_ce_qui_est_de_l_equipe_se_tait_tant_que_personne_ne_dit_qui_en_est(gestionnaire):
    class Oubliee(Sortie):
        class Meta:
            model = Signalement
            a_tous = ("id",)
            de_l_equipe = ("bureau_genre_id",)

    dossier = dossier_entier(acteur_de(session_invitee()), gestionnaire)

    assert Oubliee(dossier, context=Regard(vu_par=acteur_de(gestionnaire)).contexte).data["bureauGenreId"] is None

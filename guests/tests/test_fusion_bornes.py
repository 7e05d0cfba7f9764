"""Thousands of things alike on both sides: a plan has a bound, and nothing is joined or passed over that it hides."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.tests.outils import acteur_de
from demo.insertion import inserer
from discussions.models import Discussion
from discussions.tests import fabriques as discussions
from guests.fusion.verification import verifier
from guests.models import AuditFusion
from guests.tests.outils import apercevoir, conflit, demander_fusion, fusionner, resolution
from signalements.compteurs.suivi import suivre
from signalements.models import Signalement
from signalements.services import tirer_reference
from signalements.tests import fabriques
from socle.domaine.fusions import CONFLITS_MAX, ELEMENTS_MAX

pytestmark = [pytest.mark.django_db, pytest.mark.longue]
DE_TROP = ELEMENTS_MAX + 1


def ouvrir_beaucoup(qui: Any, nombre: int, titre: str = "Suites", **champs: Any) -> list[Discussion]:
    a_qui = {"titulaire": acteur_de(qui).pk, **acteur_de(qui).proprietaire}
    ouvertes = [Discussion(titre=titre.format(n), **a_qui, **champs) for n in range(nombre)]
    for discussion in ouvertes:
        discussion.indexer()
    inserer(Discussion, ouvertes)
    return ouvertes


def signaler_beaucoup(qui: Any, nombre: int, **champs: Any) -> None:
    faits = {"titre": "Vol", "description": "Un sac.", "type": "VOL", "mode_identification": "IDENTIFIE", **champs}
    signales = [
        Signalement(reference=tirer_reference(), **acteur_de(qui).proprietaire, **faits) for _n in range(nombre)
    ]
    for signalement in signales:
        signalement.indexer()
    with suivre(*signales):
        inserer(Signalement, signales)


def toutes_a_part(recus: Any) -> list[dict[str, str]]:
    """A resolution for each thing of the guest that the preview names."""
    premieres = {c["guestEntityId"]: c for c in reversed(recus["conflicts"])}
    noms = ("level", "guestEntityId", "targetEntityId")
    return [{**{nom: c[nom] for nom in noms}, "action": "SKIP"} for c in premieres.values()]


@pytest.mark.parametrize("titre", ["Suites", "Suites {}"], ids=["un titre", "autant de titres"])
def test_un_apercu_nomme_un_nombre_borne_de_conflits(etudiante, invite, titre):
    for qui in (etudiante, invite):
        ouvrir_beaucoup(qui, DE_TROP, titre)

    recu = apercevoir(etudiante, invite)

    assert len({c["guestEntityId"] for c in recu["conflicts"]}) == ELEMENTS_MAX
    assert len(recu["conflicts"]) <= CONFLITS_MAX
    assert recu["conflictsTruncated"] is True


def test_un_apercu_coute_autant_de_requetes_pour_un_et_pour_des_milliers(
    etudiante, invite, autre_etudiante, autre_invite, django_assert_num_queries
):
    for (compte, session), nombre in (((etudiante, invite), 1), ((autre_etudiante, autre_invite), 1_200)):
        for qui in (compte, session):
            ouvrir_beaucoup(qui, nombre)
            signaler_beaucoup(qui, nombre)
    with CaptureQueriesContext(connection) as peu:
        apercevoir(etudiante, invite)

    with django_assert_num_queries(len(peu)):
        recu = apercevoir(autre_etudiante, autre_invite)

    assert len(recu["conflicts"]) == 2 * CONFLITS_MAX


@pytest.mark.parametrize(("du_compte", "reste"), [(20, False), (21, True)])
def test_l_apercu_dit_s_il_y_a_plus_de_conflits_qu_il_n_en_nomme(etudiante, invite, du_compte, reste):
    ouvrir_beaucoup(etudiante, du_compte)
    discussions.discussion(acteur_de(invite), "Suites")

    recu = apercevoir(etudiante, invite)

    assert (len(recu["conflicts"]), recu["conflictsTruncated"]) == (20, reste)


def test_ce_que_l_apercu_ne_nomme_pas_retient_merge_safe(api, etudiante, invite):
    for qui in (etudiante, invite):
        ouvrir_beaucoup(qui, DE_TROP)
    corps = {"acceptPolicy": "MERGE_SAFE", "resolutions": toutes_a_part(apercevoir(etudiante, invite))}

    reponse = demander_fusion(api(etudiante), invite, corps)

    refus = reponse.json()
    assert (reponse.status_code, refus["code"], refus["details"]) == (409, "GUEST_MERGE_CONFLICT", [])
    assert "MERGE_ALL" in refus["message"]
    assert Discussion.objects.filter(invite=invite).count() == DE_TROP


def test_merge_all_laisse_a_part_ce_que_l_apercu_ne_nomme_pas(etudiante, invite):
    ouvrir_beaucoup(etudiante, 1)
    ouvrir_beaucoup(invite, DE_TROP + 2)

    fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")

    assert Discussion.objects.vivants().filter(compte=etudiante).count() == 1 + 3
    assert Discussion.objects.filter(compte=etudiante, absorbe_par__isnull=False).count() == ELEMENTS_MAX


def test_un_conflit_que_l_apercu_ne_nomme_pas_n_est_pas_passe_sous_silence(api, etudiante, invite):
    """On a report left apart its discussions need no answer; past the twentieth one of another kind may."""
    dossier, apporte = (
        fabriques.signalement(acteur_de(qui), mode_identification="IDENTIFIE") for qui in (etudiante, invite)
    )
    ouvertes = ouvrir_beaucoup(etudiante, 20, "Réponses {}", signalement=dossier)
    discussions.discussion(acteur_de(etudiante), "Suites")
    apportee = discussions.discussion(acteur_de(invite), "Suites", apporte)
    a_part = resolution("SKIP", apporte, dossier)

    refus = demander_fusion(api(etudiante), invite, {"resolutions": [a_part]})

    assert refus.status_code == 409
    assert refus.json()["details"] == [conflit("SAME_REPORT", apportee, une) for une in sorted(ouvertes, key=_age)]
    fusionner(etudiante, invite, a_part, resolution("SKIP", apportee, ouvertes[0]))


def test_le_condensat_tient_a_ce_dont_depend_la_decision(etudiante, invite):
    """The same pair; but the target is about a report now, which a discussion joined to it would be about too."""
    restante = discussions.discussion(acteur_de(etudiante), "Suites")
    discussions.discussion(acteur_de(invite), "Suites")
    premier = apercevoir(etudiante, invite)
    dossier = fabriques.signalement(acteur_de(etudiante), mode_identification="IDENTIFIE")
    Discussion.objects.filter(pk=restante.pk).update(signalement=dossier)

    second = apercevoir(etudiante, invite)

    assert second["conflicts"] == premier["conflicts"]
    assert second["planDigest"] != premier["planDigest"]


@pytest.mark.postgres
def test_aucune_requete_d_une_fusion_ni_de_son_retour_ne_porte_trop_de_valeurs(etudiante, invite):
    """PostgreSQL takes 65 535 values a statement."""
    for qui in (etudiante, invite):
        ouvrir_beaucoup(qui, 3_000, "Suites {}")
    nombres: list[int] = []

    def compter(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nombres.append(len(params or ()))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(compter):
        fusionner(etudiante, invite, acceptPolicy="MERGE_ALL")
        call_command("merge_audit", "revert", str(AuditFusion.objects.get().pk))

    assert max(nombres) < 32_767
    assert list(verifier()) == []


def _age(discussion: Discussion) -> Any:
    return discussion.date_creation, discussion.pk

"""Each number against a straightforward recount, over random lives of the service."""

from collections import Counter
from datetime import date, timedelta
from unittest.mock import patch

import pytest
from django.conf import settings as reglages
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.tests.outils import acteur_de, client_de
from signalements.models import Signalement
from signalements.tests.gestes import GESTES, Registre, sans_lendemain
from signalements.vocabulaire import CANONIQUE, RESOLUS, TYPES_CONNUS, Priorite, Statut
from stats.chiffres.series import aujourd_hui

JOURS = st.one_of(st.none(), st.integers(0, 20))
FILTRES = st.fixed_dictionaries(
    {"debut": JOURS, "fin": JOURS, "type": st.sampled_from([None, "VOL", "bruit", "INCONNU"])}
)


def jour(moment):
    return moment.astimezone(reglages.TIME_ZONE_CAMPUS).date()


def en_question(filtre):
    """The query of a filter whose days are counted backwards, and the reports that pass it."""
    debut, fin = (None if n is None else aujourd_hui() - timedelta(days=n) for n in (filtre["debut"], filtre["fin"]))
    if debut and fin and fin < debut:
        debut, fin = fin, debut
    question = {"debut": debut, "fin": fin, "type": filtre["type"]}

    def passe(signalement):
        cree = jour(signalement.date_creation)
        type_ = (filtre["type"] or signalement.type).upper()
        return (debut or cree) <= cree <= (fin or cree) and signalement.type == type_

    return {nom: str(valeur) for nom, valeur in question.items() if valeur is not None}, passe


def lire(client, chemin, question=None):
    reponse = client.get(f"/api/v1/stats/{chemin}", question or {})
    assert reponse.status_code == 200, reponse.content
    return reponse.json()["data"]


def compte_de(lignes, cle, connues):
    nombres = Counter(cle(ligne) for ligne in lignes)
    return {**dict.fromkeys(connues, 0), **nombres}


def delai(lignes):
    durees = [int((s.date_resolution - s.date_creation).total_seconds()) for s in lignes if s.statut in RESOLUS]
    return round(sum(durees) / len(durees) / 3600, 2) if durees else None


@pytest.mark.django_db
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(gestes=GESTES, filtre=FILTRES, qui=st.sampled_from(["paul", "rose", "awa"]))
def test_chaque_nombre_est_celui_d_un_recomptage(gestes, filtre, qui):
    # The fold of small cells where teams are defined has tests of its own.
    with sans_lendemain(), patch("stats.chiffres.sources.PETITES_AVEC_EQUIPES", 0):
        registre = Registre()
        registre.vivre(gestes)
        personne = {"paul": registre.gestionnaire, "rose": registre.admin}.get(qui, registre.qui["compte"])
        client = client_de(personne)
        # Of what a person of the staff reads; an administrator keeps the numbers of all teams.
        lus = Signalement.objects.vivants() if qui == "rose" else Signalement.objects.visibles_par(acteur_de(personne))
        siens = list(lus)
        question, passe = en_question(filtre)
        lignes = [s for s in siens if passe(s)]

        verifier_le_tableau(lire(client, "dashboard", question), lignes, siens, question)
        verifier_les_statistiques(lire(client, "signalements", question), lignes, vu_par=qui)
        if qui != "awa":
            verifier_l_equipe(lire(client, "dashboard/team"), siens, registre.gestionnaire)
            verifier_la_repartition(lire(client, "dashboard/distribution/categories", question), lignes)


def verifier_le_tableau(lu, lignes, siens, question):
    resolus = [s for s in lignes if s.statut in RESOLUS]
    type_ = question.get("type", "").upper()
    recents = [s for s in siens if jour(s.date_creation) > aujourd_hui() - timedelta(days=7)]
    assert lu["totalSignalements"] == len(lignes)
    assert lu["parStatut"] == compte_de(lignes, lambda s: s.statut, Statut.values)
    canoniques = ("PENDING", "IN_PROGRESS", "RESOLVED", "CANCELLED")
    assert lu["parStatutCanonique"] == compte_de(lignes, lambda s: CANONIQUE[Statut(s.statut)].value, canoniques)
    assert lu["parPriorite"] == compte_de(lignes, lambda s: s.priorite, Priorite.values)
    assert lu["parType"] == compte_de(lignes, lambda s: s.type, TYPES_CONNUS)
    assert (lu["resolus"], lu["ouverts"]) == (len(resolus), len(lignes) - len(resolus))
    assert lu["tauxResolution"] == (round(len(resolus) / len(lignes), 4) if lignes else 0)
    assert lu["delaiMoyenResolution"] == delai(lignes)
    assert lu["nouveaux7Jours"] == sum(1 for s in recents if type_ in ("", s.type))


def verifier_les_statistiques(lu, lignes, *, vu_par):
    def la_source(signalement):
        """Of an anonymous report the one that it was created by, but to its owner."""
        cache = vu_par != "awa" and signalement.mode_identification == "ANONYME" and signalement.fusionne_de_id
        return "GUEST" if signalement.invite_id or cache else "AUTH_USER"

    assert lu["total"] == len(lignes)
    assert lu["parModeIdentification"] == compte_de(lignes, lambda s: s.mode_identification, ("ANONYME", "IDENTIFIE"))
    assert lu["parSourceActeur"] == compte_de(lignes, la_source, ("AUTH_USER", "GUEST"))
    assert lu["delaiMoyenResolution"] == delai(lignes)
    par_mois = {m["mois"]: (m["total"], m["resolus"]) for m in lu["parMois"]}
    totaux = Counter(f"{jour(s.date_creation):%Y-%m}" for s in lignes)
    resolus = Counter(f"{jour(s.date_creation):%Y-%m}" for s in lignes if s.statut in RESOLUS)
    assert {mois: paire for mois, paire in par_mois.items() if any(paire)} == {
        mois: (nombre, resolus[mois]) for mois, nombre in totaux.items()
    }
    assert list(par_mois) == sorted(par_mois)


def verifier_l_equipe(lu, tous, gestionnaire):
    siens = [s for s in tous if s.gestionnaire_id == gestionnaire.pk]
    (ligne,) = [une for une in lu if une["gestionnaireId"] == str(gestionnaire.pk)]
    resolus = sum(1 for s in siens if s.statut in RESOLUS)
    assert (ligne["assignes"], ligne["enCours"], ligne["resolus"]) == (len(siens), len(siens) - resolus, resolus)
    assert ligne["delaiMoyenResolution"] == delai(siens)


def verifier_la_repartition(lu, lignes):
    attendu = compte_de(lignes, lambda s: s.type, TYPES_CONNUS)
    assert {une["categorie"]: une["total"] for une in lu} == attendu
    assert [une["total"] for une in lu] == sorted((une["total"] for une in lu), reverse=True)
    assert sum(une["pourcentage"] for une in lu) == pytest.approx(100 if lignes else 0, abs=0.1)


@pytest.mark.django_db
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(gestes=GESTES, periode=st.sampled_from(["jour", "semaine", "mois"]), jours=st.integers(0, 60), avant=JOURS)
def test_chaque_tendance_est_celle_d_un_recomptage(gestes, periode, jours, avant):
    with sans_lendemain():
        registre = Registre()
        registre.vivre(gestes)
        client = client_de(registre.gestionnaire)
        fin = aujourd_hui() - timedelta(days=avant or 0)
        debut = fin - timedelta(days=jours)
        question = {"periode": periode, "debut": str(debut), "fin": str(fin)}
        vivants = list(Signalement.objects.visibles_par(acteur_de(registre.gestionnaire)))

        creations = lire(client, "dashboard/trends/cases", question)
        resolutions = lire(client, "dashboard/trends/resolution", question)

        crees = Counter(
            premier(periode, jour(s.date_creation)) for s in vivants if debut <= jour(s.date_creation) <= fin
        )
        dates = [date.fromisoformat(une["date"]) for une in creations]
        assert dates == sorted({premier(periode, debut + timedelta(days=n)) for n in range(jours + 1)})
        assert {d: une["total"] for d, une in zip(dates, creations, strict=True) if une["total"]} == crees
        par_date = {}
        for s in vivants:
            if s.date_resolution and debut <= jour(s.date_resolution) <= fin:
                par_date.setdefault(premier(periode, jour(s.date_resolution)), []).append(s)
        assert [date.fromisoformat(une["date"]) for une in resolutions] == dates
        for une in resolutions:
            siens = par_date.get(date.fromisoformat(une["date"]), [])
            assert (une["resolus"], une["delaiMoyenResolution"]) == (len(siens), delai(siens))


def premier(periode, un_jour):
    if periode == "semaine":
        return un_jour - timedelta(days=un_jour.weekday())
    return un_jour.replace(day=1) if periode == "mois" else un_jour

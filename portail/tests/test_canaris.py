"""What a whole visit leaves where people look afterwards: no log line, metric, event or error says who or what."""

import json
import logging
import re

import pytest
from django.db import connection

from config.tests.outils import ClientApi
from portail.models import Acces
from portail.pages import dossiers, retrouver
from portail.tests.outils import FAITS, PERSONNE, Visiteuse, la_session, le_dossier, texte_de
from portail.tests.test_fichiers import envoyer
from signalements.models import Signalement
from socle.journal import Lignes
from socle.realtime.models import Evenement

pytestmark = pytest.mark.django_db
CANARI = "le-couloir-du-troisieme-etage"
NUMERO = "+33639980099"
FAUX = "abaisser abandon abdiquer abeille abolir aborder"


class Journal(logging.Handler):
    """Every line that is written, by whatever logger, as our formatter writes it and in its own words."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.dit = []

    def emit(self, ligne):
        self.dit.append(f"{Lignes().format(ligne)} {ligne.getMessage()}")


@pytest.fixture
def journal(monkeypatch):
    """On the root, and on the loggers that do not lead there."""
    tenu = Journal()
    autres = (logging.getLogger(nom) for nom in logging.root.manager.loggerDict)
    for un in (logging.getLogger(), *(un for un in autres if not un.propagate)):
        monkeypatch.setattr(un, "handlers", [*un.handlers, tenu])
    return tenu


@pytest.fixture
def secrets(visiteuse, autre_visiteuse, etudiante, monkeypatch, numero_exige):
    """A visit with all that can go wrong; what nobody may read afterwards."""
    connus = [CANARI, NUMERO, NUMERO[3:], PERSONNE["email"], PERSONNE["mot_de_passe"], FAUX]

    def noter(une):
        connus.extend(biscuit.value for biscuit in une.cookies.values() if len(biscuit.value) > 8)

    visiteuse.remplir(telephone=NUMERO, description=f"{FAITS['description']} {CANARI}")
    noter(visiteuse)
    assert visiteuse.envoyer("/ecrire/verifier/", {"titre": f"Titre {CANARI}"}).status_code == 303
    code = re.findall(r"<li>([^<\s]+)</li>", visiteuse.lire("/recu/").partition('class="mots"')[2])[:6]
    connus.append(" ".join(code))
    noter(visiteuse)
    visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": f"Un message {CANARI}."})
    visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": " ".join(code)})
    envoyer(visiteuse, CANARI.encode(), nom=f"{CANARI}.txt")
    visiteuse.get(f"/dossiers/9/?q={CANARI}")
    visiteuse.get(f"/{CANARI}/")
    visiteuse.post("/dossiers/1/repondre/", {"contenu": CANARI})  # no CSRF token
    autre_visiteuse.revenir(" ".join(code))
    autre_visiteuse.revenir(FAUX)
    autre_visiteuse.revenir(f"{CANARI} " * 6)
    Visiteuse().envoyer("/compte/connexion/", {"email": PERSONNE["email"], "mot_de_passe": PERSONNE["mot_de_passe"]})
    autre_visiteuse.s_inscrire()
    noter(autre_visiteuse)
    en_panne(visiteuse, monkeypatch)
    connus.append(str(la_session().pk))
    connus.extend(map(str, Acces.objects.values_list("pk", flat=True)))
    visiteuse.get("/quitter/")
    assert Signalement.objects.count() == 1
    return connus


def en_panne(visiteuse, monkeypatch):
    """Errors that nobody expects, with the text in hand: their traceback is written."""

    def casser(*_args, **nommes):
        raise RuntimeError("panne")

    with monkeypatch.context() as panne:
        panne.setattr(dossiers, "repondre", casser)
        panne.setattr(retrouver.code, "session_du_code", casser)
        panne.setattr(visiteuse, "raise_request_exception", False)
        autre = Visiteuse(raise_request_exception=False)
        assert visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": f"Encore {CANARI}."}).status_code == 500
        assert autre.revenir(CANARI).status_code == 500


def fuites(ou, secrets):
    return sorted({secret for secret in secrets if secret in ou})


def test_aucun_journal_ne_dit_rien_de_la_visite(journal, request):
    secrets = request.getfixturevalue("secrets")

    dit = "\n".join(journal.dit)
    assert "RuntimeError" in dit  # the errors were written, and the lines of the requests
    assert "campus.acces" in dit
    assert fuites(dit, secrets) == []


def test_aucune_mesure_ne_dit_rien_de_la_visite(secrets, settings):
    mesures = ClientApi(jeton=settings.METRICS_TOKEN).get("/metrics").content.decode()

    assert "campus" in mesures
    assert fuites(mesures, secrets) == []


def test_aucun_evenement_ne_porte_de_quoi_revenir(secrets):
    """The team reads the report, and the key of a row opens nothing: not who it is, nor the way in."""
    dits = json.dumps(list(Evenement.objects.values()), default=str)

    assert str(le_dossier().pk) in dits
    assert fuites(dits, [secret for secret in secrets if secret not in ecrits_en_base()]) == []


def ecrits_en_base():
    """What the team reads, the address of an account, the keys of rows."""
    return {CANARI, PERSONNE["email"], str(la_session().pk), *map(str, Acces.objects.values_list("pk", flat=True))}


def test_aucune_colonne_ne_garde_de_quoi_revenir(secrets):
    """Of any table, as the base holds it."""
    lues = []
    with connection.cursor() as curseur:
        for table in connection.introspection.table_names():
            curseur.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608 -- a name of ours
            lues.append(str(curseur.fetchall()))

    assert len("".join(lues)) > 10_000
    assert fuites("".join(lues), [secret for secret in secrets if secret not in ecrits_en_base()]) == []


def test_une_page_d_erreur_ne_dit_que_sa_reference(visiteuse, monkeypatch):
    visiteuse.signaler()

    def casser(**_nommes):
        raise RuntimeError(CANARI)

    monkeypatch.setattr(dossiers, "repondre", casser)
    visiteuse.raise_request_exception = False
    page = texte_de(visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Mon message à moi, encore là."}))

    assert "Mon message à moi, encore là." in page
    assert CANARI not in page
    assert "RuntimeError" not in page

"""The clerk: reads are written together, none is lost on a stop, and nothing is read that cannot be written."""

import threading
import time
from uuid import uuid4

import pytest
from django.db import DataError, OperationalError

from socle.audit import greffe as module
from socle.audit import registre
from socle.audit.greffe import Greffe
from socle.audit.models import Trace
from socle.audit.registre import Memoire, consulter
from socle.audit.tests.outils import traces
from socle.audit.vocabulaire import Acte
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.provenance import requete_courante
from socle.erreurs import ServiceIndisponible


def une(**valeurs):
    return Trace(acte=Acte.SIGNALEMENT_OUVERT, objet=uuid4(), **valeurs)


@pytest.fixture
def greffe():
    greffe = Greffe()
    yield greffe
    greffe.oublier()
    greffe.arreter()


@pytest.mark.django_db
def test_il_ecrit_tout_par_lots(greffe, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(module, "LOT", 10)
    greffe.deposer([une() for _ in range(25)])

    with django_assert_num_queries(3):
        assert greffe.vider() == 25

    assert Trace.objects.count() == 25
    assert greffe.vider() == 0


@pytest.mark.django_db
def test_ce_qui_n_a_pu_s_ecrire_attend_dans_le_meme_ordre(greffe, monkeypatch):
    lot = [une() for _ in range(3)]
    greffe.deposer(lot)

    with monkeypatch.context() as panne:
        panne.setattr(module, "_ecrire", lambda _lot: (_ for _ in ()).throw(OperationalError("away")))
        with pytest.raises(OperationalError):
            greffe.vider()

    assert greffe.vider() == 3
    assert list(Trace.objects.order_by("id").values_list("objet", flat=True)) == [t.objet for t in lot]


@pytest.mark.django_db
def test_une_ligne_que_la_base_refuse_n_arrete_pas_les_autres(greffe, monkeypatch, caplog):
    veritable = Trace.save
    lot = [une(), une(details={"poison": "x"}), une()]

    def en_masse(_lot):
        raise DataError("refused")

    def seule(trace, **options):
        if trace.details:
            raise DataError("refused")
        veritable(trace, **options)

    monkeypatch.setattr(Trace.objects, "bulk_create", en_masse)
    monkeypatch.setattr(Trace, "save", seule)
    greffe.deposer(lot)

    assert greffe.vider() == 3
    assert Trace.objects.count() == 3
    assert "sans ses détails" in caplog.text
    assert "poison" not in caplog.text


@pytest.mark.django_db(transaction=True)
def test_son_fil_ecrit_seul_et_finit_ce_qui_reste(greffe, settings):
    settings.AUDIT_EN_FOND = True
    greffe.deposer([une()])
    attendre(lambda: Trace.objects.count() == 1)
    greffe.deposer([une() for _ in range(3)])

    greffe.arreter()

    assert Trace.objects.count() == 4
    greffe.deposer([une()])  # another thread starts
    attendre(lambda: Trace.objects.count() == 5)


@pytest.mark.django_db(transaction=True)
def test_seize_fils_deposent_ensemble_et_rien_ne_manque(greffe, settings):
    settings.AUDIT_EN_FOND = True
    fils = [threading.Thread(target=lambda: [greffe.deposer([une()]) for _ in range(50)]) for _ in range(16)]
    for fil in fils:
        fil.start()
    for fil in fils:
        fil.join()

    greffe.arreter()

    assert Trace.objects.count() == 800


@pytest.mark.django_db(transaction=True)
def test_une_base_absente_est_attendue_dite_une_fois_puis_tout_est_ecrit(greffe, settings, monkeypatch, caplog):
    settings.AUDIT_EN_FOND = True
    monkeypatch.setattr(module, "PAUSE_APRES_ECHEC", 0.01)
    monkeypatch.setattr(module, "PAS", 0.01)
    veritable, essais = module._ecrire, []

    def absente(lot):
        essais.append(len(lot))
        if len(essais) < 4:
            raise OperationalError("away")
        veritable(lot)

    monkeypatch.setattr(module, "_ecrire", absente)
    greffe.deposer([une(), une()])

    attendre(lambda: Trace.objects.count() == 2)
    assert len([ligne for ligne in caplog.messages if "attend la base" in ligne]) == 1
    greffe.exiger()


def test_apres_dix_secondes_sans_pouvoir_ecrire_rien_n_est_plus_lu(greffe):
    greffe._en_panne_depuis = time.monotonic() - module.PATIENCE + 1
    greffe.exiger()

    greffe._en_panne_depuis = time.monotonic() - module.PATIENCE - 1
    with pytest.raises(ServiceIndisponible) as refus:
        greffe.exiger()

    assert refus.value.attente


def test_ce_qui_attend_est_borne(greffe, monkeypatch):
    monkeypatch.setattr(module, "EN_ATTENTE", 2)
    greffe.deposer([une()])
    greffe.exiger()
    greffe.deposer([une()])

    with pytest.raises(ServiceIndisponible):
        greffe.exiger()


@pytest.mark.django_db
def test_ce_qui_est_refuse_n_est_pas_tenu_pour_note(gestionnaire, monkeypatch):
    acteur, objet = ActeurCompte(compte=gestionnaire), uuid4()
    with monkeypatch.context() as panne:
        panne.setattr(registre.greffe, "_en_panne_depuis", time.monotonic() - 60)
        with pytest.raises(ServiceIndisponible):
            consulter(acteur, Acte.SIGNALEMENT_OUVERT, objet)

    consulter(acteur, Acte.SIGNALEMENT_OUVERT, objet)

    assert [une.objet for une in traces(Acte.SIGNALEMENT_OUVERT)] == [objet]


def test_la_memoire_est_bornee_et_oublie_plutot_que_de_retenir(monkeypatch):
    monkeypatch.setattr(registre, "RETENUS", 3)
    memoire = Memoire()

    assert [memoire.est_nouveau((n,), 60) for n in (1, 2, 3, 3, 4)] == [True, True, True, False, True]
    assert len(memoire._vus) <= 3
    assert memoire.est_nouveau((1,), 60)


def test_la_memoire_oublie_avec_le_temps():
    memoire = Memoire()

    assert memoire.est_nouveau((1,), 0.0)
    assert memoire.est_nouveau((1,), 60)
    assert not memoire.est_nouveau((1,), 60)


def test_un_regard_qui_dure_n_est_qu_une_ligne_et_une_autre_a_l_heure(monkeypatch):
    """A page left open reads itself again each minute."""
    minute = iter(range(66))
    monkeypatch.setattr(registre.time, "monotonic", lambda: next(minute) * 60.0)
    memoire = Memoire()

    notees = [m for m in range(66) if memoire.est_nouveau(("dossier",), registre.OUVERT_SECONDES, 3600)]

    assert notees == [0, 60]


def test_le_meme_regard_d_une_autre_adresse_est_une_autre_ligne(rf, gestionnaire):
    """Whoever has taken somebody's session, while its owner's page stays open."""
    objet = uuid4()
    for adresse in ("192.0.2.1", "192.0.2.1", "198.51.100.7"):
        jeton = requete_courante.set(rf.get("/", REMOTE_ADDR=adresse))
        consulter(ActeurCompte(compte=gestionnaire), Acte.SIGNALEMENT_OUVERT, objet)
        requete_courante.reset(jeton)

    assert [une.adresse for une in traces(Acte.SIGNALEMENT_OUVERT)] == ["192.0.2.1", "198.51.100.7"]


def test_un_regard_apres_une_pause_est_un_autre(monkeypatch):
    monkeypatch.setattr(registre.time, "monotonic", iter([0.0, 290.0, 580.0, 881.0]).__next__)
    memoire = Memoire()

    assert [memoire.est_nouveau((1,), registre.OUVERT_SECONDES, 3600) for _ in range(4)] == [True, False, False, True]


def attendre(vrai, secondes=10.0):
    fin = time.monotonic() + secondes
    while not vrai():
        assert time.monotonic() < fin, "trop long"
        time.sleep(0.01)

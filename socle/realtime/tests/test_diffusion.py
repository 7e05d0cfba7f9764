import threading
import time
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from channels.layers import BaseChannelLayer

from socle.domaine.registre import CoutureVide
from socle.realtime import expedition
from socle.realtime.diffusion import BEAUCOUP, SignalAnnonce, fermer_sockets, publier
from socle.realtime.expedition import Expediteur
from socle.realtime.models import Evenement
from socle.realtime.numerotation import arreter_expedition, numeroter
from socle.realtime.tests.fabriques import evenement, publier_puis_echouer
from socle.realtime.vocabulaire import CONTROLE, PERSONNEL


class Recue(list):
    """What the layer was given, and how it answers."""

    def __init__(self):
        super().__init__()
        self.panne = None


@pytest.fixture
def couche(monkeypatch):
    recue = Recue()

    class Couche(BaseChannelLayer):
        async def group_send(self, groupe, message):
            if recue.panne:
                await recue.panne()
            recue.append((groupe, message))

    monkeypatch.setattr(expedition, "get_channel_layer", lambda: Couche())
    return recue


@pytest.fixture
def expediteur(settings):
    settings.DIFFUSION_ACTIVE = True
    expediteur = Expediteur(lambda: None)
    yield expediteur
    expediteur.arreter()


@pytest.fixture
def diffusion_active(transactional_db, settings):
    settings.DIFFUSION_ACTIVE = True
    yield
    arreter_expedition()


def attendre(condition, delai=20.0):
    fin = time.monotonic() + delai
    while not condition() and time.monotonic() < fin:
        time.sleep(0.01)
    assert condition()


def prets(*numeros):
    evenements = [Evenement(canal="equipe", type="essai_fait", payload={}, numero=n) for n in numeros]
    for e in evenements:
        e.precedent = e.numero - 1
    return evenements


def test_un_evenement_est_une_ligne_par_canal_en_une_seule_ecriture(db, django_assert_num_queries):
    with django_assert_num_queries(1):
        publier("essai_fait", ["equipe", "dashboard"], {"n": 1}, audience=PERSONNEL)

    assert set(Evenement.objects.values_list("canal", "audience", "numero")) == {
        ("equipe", PERSONNEL, None),
        ("dashboard", PERSONNEL, None),
    }


def test_un_payload_supporte_les_types_du_domaine(db):
    cle = uuid4()

    publier("essai_fait", ["equipe"], {"id": cle, "date": datetime(2026, 1, 2, tzinfo=UTC)})

    assert Evenement.objects.get().payload == {"id": str(cle), "date": "2026-01-02T00:00:00Z"}


def test_a_beaucoup_de_canaux_les_memes_lignes_en_une_seule_ecriture(db, django_assert_num_queries):
    canaux = [f"user:{rang:05}" for rang in range(3_000)]
    payload = {"id": uuid4(), "date": datetime(2026, 1, 2, tzinfo=UTC), "titre": 'L\'été, 100 % \\ "sûr" 🎓', "n": None}
    publier("essai_fait", ["temoin"], payload, audience=PERSONNEL)

    with django_assert_num_queries(1):
        publier("essai_fait", canaux, payload, audience=PERSONNEL)

    temoin, *lignes = Evenement.objects.order_by("id")
    assert [ligne.canal for ligne in lignes] == canaux
    communs = ("type", "audience", "payload", "numero")
    assert all(getattr(ligne, nom) == getattr(temoin, nom) for ligne in lignes for nom in communs)
    assert {ligne.date_creation >= temoin.date_creation for ligne in lignes} == {True}


def test_fermer_sockets_passe_par_la_meme_file(db):
    session = uuid4()
    publier("essai_fait", ["admin"], {})
    fermer_sockets(sessions=[session])

    numeroter()

    assert list(Evenement.objects.order_by("numero").values_list("canal", "payload")) == [
        ("admin", {}),
        (CONTROLE, {"sessions": [str(session)]}),
    ]


def test_fermer_aucun_socket_n_ecrit_rien(db):
    fermer_sockets(sessions=[], comptes=[])

    assert not Evenement.objects.exists()


def test_un_evenement_valide_part_vers_la_couche_une_fois(diffusion_active, couche):
    publier("essai_fait", ["equipe"], {"n": 1})

    attendre(lambda: couche)
    time.sleep(0.1)

    ((groupe, message),) = couche
    assert groupe == "canal.equipe"
    assert (message["numero"], message["precedent"]) == (1, 0)
    assert '"eventId":"1"' in message["texte"]


def test_rien_ne_part_vers_la_couche_quand_la_transaction_echoue(diffusion_active, couche):
    with pytest.raises(RuntimeError):
        publier_puis_echouer()
    time.sleep(0.2)

    assert couche == []


def test_publier_n_attend_pas_une_couche_gelee(diffusion_active, couche):
    fils = []

    async def geler():
        fils.append(threading.current_thread())
        await expedition.asyncio.sleep(60)

    couche.panne = geler

    for n in range(5):
        publier("essai_fait", ["equipe"], {"n": n})

    attendre(lambda: fils)
    assert threading.current_thread() not in fils


def test_qui_numerote_confie_a_l_expediteur(diffusion_active, couche):
    evenement("equipe")

    numeroter()

    attendre(lambda: [message["numero"] for _, message in couche] == [1])


def test_une_couche_en_panne_repose_une_seconde_sans_rien_renvoyer(expediteur, couche, caplog):
    async def refuser():
        raise ConnectionError("redis://:secret@hote")

    couche.panne = refuser
    expediteur.deposer(prets(1))
    attendre(lambda: "injoignable" in caplog.text)
    couche.panne = None
    expediteur.deposer(prets(2))
    time.sleep(expedition.REPOS_APRES_ECHEC + 0.1)
    expediteur.deposer(prets(3))
    attendre(lambda: couche)

    assert [message["numero"] for _, message in couche] == [3]
    assert "secret" not in caplog.text
    assert len(caplog.records) == 1


def test_une_couche_gelee_coute_au_plus_son_delai(expediteur, couche, caplog):
    async def geler():
        await expedition.asyncio.sleep(60)

    couche.panne = geler
    expediteur.deposer(prets(*range(1, 30)))

    attendre(lambda: "TimeoutError" in caplog.text)

    assert caplog.text.count("TimeoutError") == 1  # for all of them together


def test_sans_boucle_de_serveur_la_couche_en_memoire_est_laissee_aux_autres(expediteur, caplog):
    expediteur.deposer(prets(1))
    time.sleep(0.2)

    assert caplog.records == []


def test_la_diffusion_arretee_ne_lance_aucun_fil(db, settings):
    settings.DIFFUSION_ACTIVE = False
    expediteur = Expediteur(lambda: None)

    expediteur.reveiller()
    expediteur.deposer(prets(1))

    assert expediteur._fil is None


def test_ce_que_plusieurs_annoncent_d_un_meme_acte_s_ecrit_ensemble(db, django_assert_num_queries):
    acte = SignalAnnonce()

    def dire(type_, *canaux):
        def entendre(sender, **kwargs):
            publier(type_, list(canaux), {})

        acte.connect(entendre, weak=False)

    dire("essai_fait", "equipe", "essai:1")
    dire("essai_suivi", "dashboard")

    with django_assert_num_queries(1):
        acte.send(None)
    publier("essai_fini", ["dashboard"], {})

    assert list(Evenement.objects.order_by("pk").values_list("type", "canal")) == [
        ("essai_fait", "equipe"),
        ("essai_fait", "essai:1"),
        ("essai_suivi", "dashboard"),
        ("essai_fini", "dashboard"),
    ]


def test_ce_que_l_un_annonce_d_un_acte_ou_l_autre_echoue_ne_s_ecrit_pas(db):
    acte = SignalAnnonce()
    acte.connect(lambda **_: publier("essai_fait", ["dashboard"], {}), weak=False)
    acte.connect(lambda **_: 1 / 0, weak=False)

    with pytest.raises(ZeroDivisionError):
        acte.send(None)
    publier("essai_fini", ["dashboard"], {})

    assert list(Evenement.objects.values_list("type", flat=True)) == ["essai_fini"]


def test_un_type_que_personne_ne_declare_est_refuse_ou_l_on_developpe(db, settings):
    settings.EVENEMENTS_INCONNUS_REFUSES = True

    with pytest.raises(CoutureVide, match="essai_fait"):
        publier("essai_fait", ["equipe"], {})
    with pytest.raises(CoutureVide, match="essai_fait"):
        publier("essai_fait", [f"essai:{rang}" for rang in range(BEAUCOUP + 1)], {})
    fermer_sockets(sessions=[uuid4()])

    assert list(Evenement.objects.values_list("type", flat=True)) == ["fermer_sockets"]


def test_un_type_que_personne_ne_declare_part_quand_meme_en_production(db, caplog):
    publier("essai_fait", ["equipe"], {})

    assert Evenement.objects.get().type == "essai_fait"
    assert "type non déclaré : essai_fait" in caplog.text

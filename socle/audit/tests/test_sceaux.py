"""The chain: what was written is sealed, and anything done to it shows."""

from datetime import timedelta
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from socle.audit import entretien, protection, sceaux
from socle.audit.models import Sceau, Trace
from socle.audit.registre import consigner
from socle.audit.sceaux import EtatDesSceaux, consigner_la_purge, sceller, verifier
from socle.audit.vocabulaire import Acte, Sorte

pytestmark = pytest.mark.django_db


@pytest.fixture
def protegee(db):
    protection.poser(connection)
    yield
    protection.lever(connection)


def ecrire(nombre=3):
    for _ in range(nombre):
        consigner(Acte.COMPTE_DESACTIVE, par=None, objet=uuid4(), sorte=Sorte.COMPTE, motif="é\u2028", n=1, oui=True)
    return list(Trace.objects.order_by("id"))


def anomalies(**options):
    return [str(une) for une in verifier(EtatDesSceaux(), **options)]


def auditer(*mots):
    sortie = StringIO()
    call_command("audit", *mots, stdout=sortie)
    return sortie.getvalue()


def test_rien_est_une_chaine_qui_tient():
    etat = EtatDesSceaux()

    assert list(verifier(etat)) == []
    assert (etat.traces, etat.scellees, etat.tete) == (0, 0, None)
    assert sceller() == 0


def test_chaque_trace_est_dans_un_sceau_et_chaque_sceau_suit_le_precedent(monkeypatch):
    monkeypatch.setattr(sceaux, "LOT", 2)
    ecrire(5)

    assert sceller() == 5
    assert sceller() == 0
    ecrire(1)
    assert sceller() == 1

    lus = list(Sceau.objects.order_by("numero"))
    assert [un.numero for un in lus] == [1, 2, 3, 4]
    assert [len(un.traces) for un in lus] == [2, 2, 1, 1]
    assert [un.precedent for un in lus[1:]] == [un.empreinte for un in lus[:-1]]
    assert anomalies() == []


@pytest.mark.parametrize(
    "valeurs",
    [
        {"acteur": uuid4()},
        {"objet": None},
        {"acte": Acte.CONNEXION},
        {"adresse": "192.0.2.7"},
        {"details": {}},
        {"date": timezone.now() - timedelta(seconds=1)},
        {"requete": "0" * 32},
        {"role": "UTILISATEUR"},
        {"sorte": ""},
    ],
    ids=lambda valeurs: next(iter(valeurs)),
)
def test_une_valeur_changee_se_voit(valeurs):
    premiere, *_ = ecrire()
    sceller()

    Trace.objects.filter(pk=premiere.pk).update(**valeurs)

    (anomalie,) = anomalies()
    assert "l'une d'elles a changé" in anomalie


def test_une_trace_retiree_se_voit():
    premiere, *_ = ecrire()
    sceller()
    cle = premiere.pk
    premiere.delete()

    assert anomalies() == [f"La trace {cle}, du sceau 1, a disparu."]


def test_une_trace_glissee_dans_le_passe_se_voit():
    ecrire()
    sceller()
    intruse = Trace.objects.create(acte=Acte.CONNEXION, date=timezone.now() - timedelta(days=2))
    assert sceller() == 0  # the minute's work does not look so far back: it must not bless it

    (anomalie,) = anomalies()

    assert f"La trace {intruse.pk}" in anomalie
    assert "n'est dans aucun sceau" in anomalie


def test_ce_qu_un_service_arrete_n_a_pas_scelle_attend_et_n_est_pas_dit_touche(monkeypatch):
    hier = timezone.now() - timedelta(days=1)
    Trace.objects.create(acte=Acte.CONNEXION, date=hier)
    monkeypatch.setattr(sceaux.timezone, "now", lambda: hier)
    sceller()
    monkeypatch.undo()
    Trace.objects.create(acte=Acte.CONNEXION, date=hier + timedelta(minutes=1))  # then the machine died
    etat = EtatDesSceaux()

    assert list(verifier(etat)) == []
    assert (etat.traces, etat.scellees) == (2, 1)
    assert sceller() == 1  # when it is back


def test_ce_qui_a_ete_valide_en_retard_est_scelle():
    ecrire()
    sceller()
    Trace.objects.create(acte=Acte.CONNEXION, date=timezone.now() - timedelta(minutes=10))

    assert sceller() == 1
    assert anomalies() == []


def test_ce_qui_s_est_accumule_sans_ouvrier_est_scelle_en_entier(monkeypatch):
    monkeypatch.setattr(sceaux, "LOT", 2)
    depuis = timezone.now() - timedelta(days=2)
    with monkeypatch.context() as alors:
        alors.setattr(sceaux.timezone, "now", lambda: depuis)
        Trace.objects.create(acte=Acte.CONNEXION, date=depuis)
        sceller()
    Trace.objects.bulk_create([Trace(acte=Acte.CONNEXION, date=depuis + timedelta(hours=n)) for n in range(7)])

    assert sceller() == 7
    assert sceller() == 0
    assert anomalies() == []


def test_un_ouvrier_tue_entre_deux_sceaux_reprend_ou_il_en_etait(monkeypatch):
    monkeypatch.setattr(sceaux, "LOT", 2)
    depuis = timezone.now() - timedelta(days=2)
    Trace.objects.bulk_create([Trace(acte=Acte.CONNEXION, date=depuis + timedelta(hours=n)) for n in range(5)])
    assert sceaux._sceller_un_lot(depuis_toujours=False) == 2

    assert sceller() == 3
    assert anomalies() == []


def test_un_sceau_retire_au_milieu_se_voit(monkeypatch):
    monkeypatch.setattr(sceaux, "LOT", 1)
    ecrire(3)
    sceller()
    Sceau.objects.get(numero=2).delete()

    assert "Des sceaux manquent avant le sceau 3." in anomalies()


def test_le_debut_coupe_se_voit(monkeypatch, settings):
    """Of a beginning that retention took away, the purge has left a proof that the base alone cannot make."""
    monkeypatch.setattr(sceaux, "LOT", 1)
    ecrire(3)
    sceller()
    premier = Sceau.objects.get(numero=1)
    Trace.objects.filter(pk__in=premier.traces).delete()
    premier.delete()
    assert anomalies() == ["Le registre commence au sceau 2, et aucune purge n'a retiré ceux d'avant."]

    fausse = Trace.objects.create(acte=Acte.REGISTRE_PURGE, details={"jusque": 1, "preuve": "0" * 64})
    assert len(anomalies()) == 1
    fausse.delete()
    consigner_la_purge(0)
    assert len(anomalies()) == 1
    consigner_la_purge(1)
    assert anomalies() == []


def test_la_fin_coupee_ne_se_voit_que_par_un_sceau_note_ailleurs(monkeypatch):
    monkeypatch.setattr(sceaux, "LOT", 1)
    ecrire(3)
    sceller()
    tete = Sceau.objects.get(numero=3)
    Trace.objects.filter(pk__in=tete.traces).delete()
    tete.delete()

    assert anomalies() == []
    assert anomalies(tetes={3: tete.empreinte}) == ["Le sceau 3, qui a été noté, a disparu."]
    sceller()
    ecrire(1)
    sceller()
    assert anomalies(tetes={3: tete.empreinte}) == ["Le sceau 3 n'est plus celui qui a été noté."]


def test_qui_n_a_que_la_base_ne_fait_pas_de_sceau(settings):
    ecrire()
    settings.HASH_KEY = "une-autre-cle-" + "x" * 40
    sceller()
    settings.HASH_KEY = "hachage-de-test-" + "h" * 40

    assert "l'une d'elles a changé" in anomalies()[0]


def test_une_trace_dans_deux_sceaux_se_voit():
    lignes = ecrire(1)
    sceller()
    tete = Sceau.objects.get()
    cles = [une.pk for une in lignes]
    autre = Sceau(numero=2, precedent=tete.empreinte, traces=cles)
    autre.empreinte = sceaux.calculer(autre, lignes)
    autre.save()

    assert anomalies() == [f"La trace {cles[0]} est dans deux sceaux."]


@pytest.mark.usefixtures("protegee")
@pytest.mark.parametrize("modele", [Trace, Sceau])
def test_la_base_refuse_de_changer_et_d_effacer(modele):
    ecrire(1)
    sceller()
    assert protection.est_posee(connection)

    for acte in (lambda: modele.objects.update(date=timezone.now()), lambda: modele.objects.all().delete()):
        with pytest.raises(IntegrityError), transaction.atomic():
            acte()

    assert modele.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.usefixtures("protegee")
def test_la_base_refuse_de_vider_la_table():
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as curseur:
        curseur.execute("TRUNCATE audit_trace")


@pytest.mark.usefixtures("protegee")
def test_ce_qui_a_plus_d_un_an_se_retire_avec_ses_sceaux_et_la_chaine_tient(settings, monkeypatch):
    settings.AUDIT_KEPT_DAYS = 400
    monkeypatch.setattr(sceaux, "LOT", 2)
    vieille = timezone.now() - timedelta(days=401)
    Trace.objects.bulk_create([Trace(acte=Acte.CONNEXION, date=vieille) for _ in range(3)])
    ecrire(2)
    monkeypatch.setattr(sceaux.timezone, "now", lambda: vieille)
    sceller(depuis_toujours=True)
    monkeypatch.undo()

    assert entretien.traces(simulation=True) == 2
    assert entretien.traces(simulation=False) == 2  # the third shares a seal with a young one
    assert Trace.objects.exclude(acte=Acte.REGISTRE_PURGE).count() == 3
    assert list(Sceau.objects.order_by("numero").values_list("numero", flat=True)) == [2, 3]
    assert anomalies() == []


@pytest.mark.usefixtures("protegee")
def test_la_commande_dit_que_la_chaine_tient_et_son_dernier_sceau():
    ecrire(2)
    assert "2 trace(s), 2 à sceller" in auditer("verify")
    assert "2 trace(s) scellée(s)" in auditer("seal")

    texte = auditer("verify")

    tete = Sceau.objects.get()
    assert f"1:{tete.empreinte}" in texte
    assert "tient" in auditer("verify", "--head", str(tete))


@pytest.mark.usefixtures("protegee")
def test_la_commande_sort_1_et_nomme_l_anomalie():
    Trace.objects.create(acte=Acte.CONNEXION, date=timezone.now() - timedelta(days=2))

    with pytest.raises(CommandError, match="n'est dans aucun sceau") as refus:
        auditer("verify")

    assert refus.value.returncode == 1


def test_la_commande_dit_qu_une_base_n_est_plus_protegee():
    with pytest.raises(CommandError, match="déclencheurs"):
        auditer("verify")


def test_la_commande_liste_par_acte_acteur_et_objet():
    un, _deux = ecrire(2)
    assert len(auditer("list").strip().split("\n")) == 2
    assert len(auditer("list", "--objet", str(un.objet)).strip().split("\n")) == 1
    assert auditer("list", "--acte", "CONNEXION") == ""
    assert len(auditer("list", "--limit", "1").strip().split("\n")) == 1


@pytest.mark.parametrize("mots", [("list", "--objet", "x"), ("verify", "--head", "3"), ("rien",)])
def test_une_demande_mal_faite_sort_2(mots):
    with pytest.raises(CommandError):
        auditer(*mots)

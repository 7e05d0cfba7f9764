"""Whoever adds a column, or a table, to what a merge touches says what becomes of it."""

from types import SimpleNamespace

import pytest
from django.db import models
from django.test.utils import isolate_apps

from config.checks import exiger_coherence
from config.env import ReglageInvalide
from discussions.models import Discussion, Lecture, Message
from guests.checks import fusions_completes
from guests.fusion.colonnes_sans_regle import oubliees
from guests.fusion.retour import annuler
from guests.fusion.verification import modeles_possedes
from guests.models import AuditFusion
from guests.tests import fabriques
from resources.models import Fichier
from signalements.models import EntreeTimeline, Signalement
from socle.domaine import fusions
from socle.domaine.fusions import COMMUNES, Colonnes, colonnes
from socle.domaine.modeles import AvecActeur, ModeleBase

MODELES = [Signalement, EntreeTimeline, Discussion, Message, Lecture, Fichier]


@pytest.fixture
def declarer(monkeypatch):
    """declarer(model, column=...): as if the app of this model said that of its columns."""

    def declarer(modele, **champs):
        autres = {nom: valeur for nom, valeur in colonnes.items() if nom != modele._meta.label}
        monkeypatch.setattr(colonnes, "_entrees", {**autres, modele._meta.label: Colonnes(**champs)})

    return declarer


def test_chaque_table_d_un_invite_est_connue():
    assert set(modeles_possedes()) == set(MODELES)
    assert fusions_completes(None) == []


@pytest.mark.parametrize("modele", MODELES)
def test_une_colonne_ajoutee_sans_un_mot_est_nommee_et_arrete_un_serveur(monkeypatch, modele):
    urgence = models.BooleanField(name="urgence")
    monkeypatch.setitem(modele._meta.__dict__, "concrete_fields", (*modele._meta.concrete_fields, urgence))

    (probleme,) = fusions_completes(None)

    assert probleme.id == "campus.E011"
    assert f"{modele._meta.label}.urgence." in probleme.msg
    with pytest.raises(ReglageInvalide, match=r"campus\.E011"):
        exiger_coherence()


def test_une_colonne_est_dite_une_fois_et_existe(declarer):
    dites = colonnes[Lecture._meta.label]

    declarer(Lecture, recalculees=("numero", "absente"), gardees=(*dites.gardees, "numero"))

    assert list(oubliees(MODELES)) == ["discussions.Lecture.numero", "discussions.Lecture.absente"]


@isolate_apps("guests")
def test_une_table_ajoutee_sans_un_mot_est_nommee():
    class Photo(ModeleBase, AvecActeur):
        legende = models.TextField()

        class Meta(AvecActeur.Meta):
            app_label = "guests"

    assert list(oubliees([*MODELES, Photo])) == ["guests.Photo.date_modification", "guests.Photo.legende"]


@pytest.mark.parametrize("modele", [Signalement, Discussion])
def test_ce_qui_pend_a_une_ligne_que_l_on_peut_joindre_est_nomme(monkeypatch, modele):
    """Its rows would stay on what was absorbed, where nobody reads them."""
    etiquette = SimpleNamespace(_meta=SimpleNamespace(label="forum.Etiquette"))
    relation = SimpleNamespace(
        auto_created=True, concrete=False, related_model=etiquette, field=SimpleNamespace(name="dossier")
    )
    champs = modele._meta.get_fields(include_hidden=True)
    monkeypatch.setattr(modele._meta, "get_fields", lambda include_hidden: (*champs, relation))

    assert list(oubliees(MODELES)) == ["forum.Etiquette.dossier"]


@pytest.mark.django_db
def test_chaque_table_est_rattachee_puis_rendue(monkeypatch, etudiante, invite):
    """A table that is forgotten leaves its rows with a session that opens nothing."""
    appels = {"rattacher": set(), "detacher": set()}

    def noter(acte):
        entier = getattr(AvecActeur, acte).__func__

        def noter_et_faire(cls, *gens):
            appels[acte].add(cls)
            return entier(cls, *gens)

        monkeypatch.setattr(AvecActeur, acte, classmethod(noter_et_faire))

    for acte in appels:
        noter(acte)
    fabriques.fusionner(invite, etudiante)
    annuler(AuditFusion.objects.get())

    assert appels == {"rattacher": set(modeles_possedes()), "detacher": set(modeles_possedes())}


@pytest.mark.parametrize("modele", [Signalement, Discussion])
def test_ce_qui_est_porte_est_rendu(modele):
    """What is made of two rows and cannot be computed again is in the record of the merge."""
    dites = colonnes[modele._meta.label]

    assert set(dites.rendues) == dites.portees.keys() - {"date_modification"}
    assert not set(dites.toutes) & set(COMMUNES)


def test_porter_lit_les_deux_lignes_avant_d_en_changer_une():
    def moitie(nom, autre):
        return lambda cible, source, action: getattr(cible, autre) + getattr(source, nom)

    champs = SimpleNamespace(get_field=lambda nom: SimpleNamespace(attname=nom))
    cible, source = SimpleNamespace(a=1, b=2, _meta=champs), SimpleNamespace(a=10, b=20)

    Colonnes(portees={"a": moitie("a", "b"), "b": moitie("b", "a")}).porter(source, cible, fusions.Action.KEEP_TARGET)

    assert (cible.a, cible.b) == (12, 21)

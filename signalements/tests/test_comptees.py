"""No counted column is written uncounted, whichever way: what forgets it fails, and leaves the report as it was."""

import pytest
from django.db import transaction

from config.tests.outils import acteur_de
from signalements.comptees import COMPTEES, ChangementNonCompte
from signalements.compteurs import cellules
from signalements.compteurs.cellules import Cellule, Mesures
from signalements.compteurs.lectures import total
from signalements.compteurs.recompte import ecarts
from signalements.compteurs.suivi import suivre, suivre_lignes
from signalements.models import Signalement
from signalements.tests import fabriques
from signalements.vocabulaire import Axe

pytestmark = pytest.mark.django_db


def changer(dossier, **champs):
    for nom, valeur in champs.items():
        setattr(dossier, nom, valeur)
    return dossier


def neuf(dossier):
    """A report that would be written beside this one."""
    champs = {"empreinte_faits": dossier.empreinte_faits, "reference": "SIG-2026-7K3M9QXT", "reference_tiree": False}
    return Signalement(compte=dossier.compte, titre="Vol", description="Un sac.", type="VOL", **champs)


OUBLIS = {
    "save()": lambda dossier: changer(dossier, priorite="LOW").save(),
    "enregistrer()": lambda dossier: changer(dossier, priorite="LOW").enregistrer("priorite"),
    "enregistrer() par le nom de la relation": lambda d: changer(d, compte=None, invite=d.sien).enregistrer(
        "compte", "invite"
    ),
    "save() d'une lecture partielle": lambda d: changer(
        Signalement.objects.only("pk").get(pk=d.pk), priorite="LOW"
    ).save(update_fields=["priorite"]),
    "save() d'un nouveau": lambda dossier: neuf(dossier).save(),
    "create()": lambda dossier: Signalement.objects.create(
        compte=dossier.compte, type="VOL", empreinte_faits=dossier.empreinte_faits
    ),
    "update()": lambda dossier: Signalement.objects.update(priorite="LOW"),
    "update() du gestionnaire de base": lambda dossier: Signalement._base_manager.update(priorite="LOW"),
    "update() par le nom de la relation": lambda dossier: Signalement.objects.update(gestionnaire=dossier.compte),
    "update() d'une relation": lambda dossier: dossier.absorbes.update(absorbe_par=None),
    "bulk_update()": lambda d: Signalement.objects.bulk_update([changer(d, priorite="LOW")], ["titre", "priorite"]),
    "bulk_create()": lambda dossier: Signalement.objects.bulk_create([neuf(dossier)]),
    "rattacher()": lambda dossier: Signalement.rattacher(dossier.sien, dossier.compte),
    "delete()": lambda dossier: dossier.delete(),
    "delete() de plusieurs": lambda dossier: Signalement.objects.filter(pk=dossier.pk).delete(),
}


@pytest.fixture
def dossier(signalement, invite):
    signalement.timeline.all().delete()  # what refers to it would forbid its deletion
    signalement.sien = invite
    return signalement


def lignes():
    return list(Signalement.objects.order_by("pk").values())


@pytest.mark.parametrize("oubli", OUBLIS)
def test_un_changement_hors_de_suivre_leve_et_ne_change_rien(dossier, oubli):
    avant = lignes()

    with pytest.raises(ChangementNonCompte), transaction.atomic():
        OUBLIS[oubli](dossier)

    assert lignes() == avant
    assert ecarts() == {}


@pytest.mark.parametrize("oubli", OUBLIS)
def test_le_meme_changement_est_compte_parmi_des_lignes_suivies(dossier, oubli):
    """The acts above are refused for nothing else than that nobody counts them."""
    nouveau = neuf(dossier).pk

    with suivre_lignes([dossier.pk]):
        if "nouveau" in oubli or "create" in oubli:
            with pytest.raises(ChangementNonCompte), transaction.atomic():
                OUBLIS[oubli](dossier)  # not one of these
        else:
            OUBLIS[oubli](dossier)

    assert not Signalement.objects.filter(pk=nouveau).exists()
    assert ecarts() == {}


def test_ce_qui_n_est_pas_compte_s_ecrit_librement(dossier):
    changer(dossier, titre="Un autre titre").save()
    Signalement.objects.update(titre="Encore un autre")
    Signalement.objects.bulk_update([changer(dossier, description="Autrement.")], ["description"])
    changer(dossier, priorite="LOW").enregistrer("titre")  # the priorite is not written

    assert Signalement.objects.values_list("titre", "description", "priorite").get() == (
        "Un autre titre",
        "Autrement.",
        "MEDIUM",
    )
    with pytest.raises(ChangementNonCompte):
        dossier.save()


def test_suivre_laisse_ecrire_ces_lignes_la_et_aucune_autre(dossier, etudiante):
    autre = fabriques.signalement(acteur_de(etudiante))

    with suivre(dossier):
        changer(dossier, priorite="LOW").save()
        for oubli in (
            lambda: changer(autre, priorite="LOW").save(),
            lambda: changer(Signalement.objects.get(pk=dossier.pk), priorite="HIGH").save(),  # another reading of it
            lambda: Signalement.objects.filter(pk=dossier.pk).update(priorite="HIGH"),  # the row would not know
            lambda: suivre(dossier).__enter__(),  # counted twice
        ):
            with pytest.raises(ChangementNonCompte):
                oubli()

    assert ecarts() == {}


def test_des_lignes_suivies_sont_celles_que_l_on_a_nommees(dossier, etudiante):
    autre = fabriques.signalement(acteur_de(etudiante))

    with suivre_lignes([dossier.pk]):
        for oubli in (
            lambda: changer(autre, priorite="LOW").save(),
            lambda: Signalement.objects.bulk_update([changer(autre, priorite="LOW")], ["priorite"]),
        ):
            with pytest.raises(ChangementNonCompte):
                oubli()

    assert ecarts() == {}


def test_ce_qui_est_ecrit_est_compte_et_rien_d_autre(dossier, etudiante):
    changer(dossier, priorite="LOW")  # before it is followed
    with suivre(dossier):
        dossier.save()
    with suivre(dossier):
        changer(dossier, priorite="HIGH")  # and never saved
    with suivre(neuf(dossier)):
        pass

    assert Signalement.objects.get().priorite == "LOW"
    assert ecarts() == {}


def test_plusieurs_nouveaux_sont_comptes_ensemble(dossier):
    autre = neuf(dossier)
    with suivre(autre, dossier):
        Signalement.objects.bulk_create([autre])
        changer(dossier, priorite="LOW").save()

    assert total(axe=Axe.TOUT).nombre == 2
    assert ecarts() == {}


def test_ce_qui_echoue_ne_compte_pas(dossier):
    with pytest.raises(RuntimeError), transaction.atomic(), suivre(dossier):
        changer(dossier, priorite="LOW").save()
        raise RuntimeError

    assert ecarts() == {}
    with pytest.raises(ChangementNonCompte):
        changer(dossier, priorite="HIGH").save()  # closed again


def test_suivre_ne_lit_rien(dossier, django_assert_num_queries):
    with django_assert_num_queries(2) as requetes, suivre(dossier):
        changer(dossier, priorite="LOW").save()

    assert [une["sql"].split()[0] for une in requetes.captured_queries] == ["UPDATE", "INSERT"]


def test_ce_qui_est_compte_est_une_colonne():
    assert set(COMPTEES) <= {champ.attname for champ in Signalement._meta.concrete_fields}


@pytest.mark.parametrize("en_masse", [False, True])
def test_une_dimension_qui_regarde_une_colonne_que_rien_ne_garde_leve(dossier, monkeypatch, en_masse):
    """Somebody counts by place, and does not say so in `Ligne`: nothing would have told of a place that changes."""

    def par_lieu(ligne, vu_par=None):
        yield Cellule(Axe.TOUT, type=ligne.lieu_incident), Mesures(1)

    monkeypatch.setattr(cellules, "_parts", par_lieu)

    suivi = suivre_lignes([dossier.pk]) if en_masse else suivre(dossier)
    with pytest.raises(AttributeError, match="lieu_incident"), transaction.atomic(), suivi:
        changer(dossier, priorite="LOW").save()
    assert Signalement.objects.get().priorite == "MEDIUM"

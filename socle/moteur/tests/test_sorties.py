"""What is rendered by what was asked once is what DRF renders, field by field."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.safestring import mark_safe
from rest_framework import serializers

from config.tests.outils import acteur_de
from forum.serializers import PosteDetail
from forum.tests import fabriques as publications
from signalements.models import Signalement
from signalements.serializers import SignalementDetail
from signalements.tests import fabriques
from signalements.vocabulaire import Statut
from socle.api import serializers as formes
from socle.moteur import sorties

pytestmark = pytest.mark.django_db


def comparer(serialiseur: Any, objet: Any) -> dict[str, Any]:
    par_le_notre = sorties.rendre(serialiseur, objet)
    par_drf = serializers.Serializer.to_representation(serialiseur, objet)
    assert list(par_le_notre.items()) == list(par_drf.items())
    assert [type(valeur) for valeur in par_le_notre.values()] == [type(valeur) for valeur in par_drf.values()]
    return par_le_notre


class Forme(formes.SortieSimple):
    id = serializers.UUIDField()
    en_hexa = serializers.UUIDField(source="cle", format="hex")
    texte = serializers.CharField()
    texte_ou_rien = formes.ChampTexte(source="texte")
    nombre = serializers.IntegerField()
    est_vrai = serializers.BooleanField(allow_null=True)
    statut = serializers.ChoiceField(choices=Statut.choices)
    rang = serializers.ChoiceField(choices=[(1, "un"), (2, "deux")])
    le = formes.ChampDate()
    mots = serializers.ListField(child=serializers.CharField())
    ids = serializers.ListField(child=serializers.UUIDField())
    loin = serializers.CharField(source="lien.texte", allow_null=True)
    loin_sinon = serializers.CharField(source="lien.texte", default="absent")
    appele = serializers.IntegerField(source="compter")


class AuChoix(Forme):
    peut_etre = serializers.CharField(required=False)


class Objet(SimpleNamespace):
    def compter(self) -> int:
        return 3


ORDINAIRE = {
    "id": uuid4(),
    "cle": uuid4(),
    "texte": "Dit.",
    "nombre": 3,
    "est_vrai": True,
    "statut": "NOUVEAU",
    "rang": 1,
    "le": datetime(2026, 11, 22, 16, 8, 58, 720_999, UTC),
    "mots": ["a", "b"],
    "ids": [uuid4(), str(uuid4())],
    "lien": SimpleNamespace(texte="là"),
}
AUTRES: list[dict[str, Any]] = [
    {},
    {"id": "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"},
    {"texte": ""},
    {"texte": mark_safe("<b>")},
    {"texte": Statut.CLOTURE, "statut": Statut.CLOTURE},
    {"texte": 12, "nombre": "12", "est_vrai": "true", "rang": "1"},
    {"nombre": True, "est_vrai": 0, "statut": "INCONNU", "rang": 7},
    {"statut": "", "est_vrai": "null"},
    {"le": datetime(2026, 1, 1, tzinfo=UTC)},
    {"le": datetime(2026, 1, 1, 0, 0, 0, 999, ZoneInfo("Africa/Kinshasa"))},
    {"mots": [], "ids": ()},
    {"mots": ["a", None, 3, Statut.CLOTURE], "ids": [None]},
    {"lien": None},
    {"lien": SimpleNamespace()},
    *({nom: None} for nom in ORDINAIRE),
]


@pytest.mark.parametrize("autre", AUTRES, ids=str)
def test_des_valeurs_inattendues_sont_rendues_comme_par_drf(autre):
    valeurs = ORDINAIRE | autre

    comparer(Forme(), Objet(**valeurs))
    if valeurs["lien"] is not None:
        comparer(Forme(), {**valeurs, "lien": vars(valeurs["lien"]), "compter": 3})


@pytest.mark.parametrize("autre", [{}, {"peut_etre": "Dit."}, {"peut_etre": None}], ids=str)
def test_un_champ_au_choix_que_l_on_n_a_pas_manque_comme_par_drf(autre):
    valeurs = ORDINAIRE | {"lien": {"texte": "là"}, "compter": 3} | autre

    assert ("peutEtre" in comparer(AuChoix(), valeurs)) is bool(autre)
    comparer(AuChoix(), Objet(**ORDINAIRE | autre))


def test_un_membre_et_le_mot_qu_il_vaut_ne_se_confondent_pas():
    """Of words that are no choice DRF shows the value itself."""
    for statut in (Statut.CLOTURE, "CLOTURE", formes.Niveau.SIGNALEMENT, str(formes.Niveau.SIGNALEMENT)) * 2:
        comparer(Forme(), Objet(**ORDINAIRE | {"statut": statut}))


def test_ce_qui_est_absent_est_refuse_comme_par_drf():
    del (sans := Objet(**ORDINAIRE)).nombre

    for rendre in (sorties.rendre, serializers.Serializer.to_representation):
        with pytest.raises(AttributeError, match="nombre"):
            rendre(Forme(), sans)


def test_une_colonne_differee_est_lue(etudiante):
    dossier = fabriques.signalement(acteur_de(etudiante))
    differe = Signalement.objects.defer("titre").get(pk=dossier.pk)

    assert comparer(SignalementDetail(), differe)["titre"] == dossier.titre


def test_un_lien_se_lit_sans_requete_ou_par_une(etudiante, gestionnaire):
    poste = publications.poste(acteur_de(etudiante), par=acteur_de(gestionnaire))
    neuf = type(poste).objects.get(pk=poste.pk)
    joint = type(poste).objects.select_related("compte").get(pk=poste.pk)

    with CaptureQueriesContext(connection) as requetes:
        assert sorties.rendre(PosteDetail(), joint)["auteurNom"] == "Awa Diop"
    assert len(requetes) == 0
    assert sorties.rendre(PosteDetail(), neuf)["auteurNom"] == "Awa Diop"


def test_ce_qui_change_dans_un_objet_est_rendu_change(etudiante, gestionnaire):
    """A function of a class remembers nothing of an object, nor a serializer of the row before."""
    regard = formes.Regard(vu_par=acteur_de(gestionnaire)).contexte
    sien, autre = (fabriques.signalement(acteur_de(qui)) for qui in (gestionnaire, etudiante))
    un_seul = SignalementDetail(context=regard)

    for dossier in (sien, autre, sien):
        assert un_seul.to_representation(dossier) == SignalementDetail(dossier, context=regard).data
    sien.compte, sien.mode_identification = etudiante, "IDENTIFIE"
    assert un_seul.to_representation(sien)["acteurId"] == str(etudiante.pk)
    assert un_seul.to_representation(sien)["gestionnaireNom"] is None

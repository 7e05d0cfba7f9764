import random
from unittest import mock
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from config.tests.outils import acteur_de
from signalements.models import EntreeTimeline
from signalements.tests import fabriques
from socle.api.champs import AdresseWeb, Courriel, Vocabulaire
from socle.domaine import identite
from socle.domaine.acteurs import Acteur, ActeurCompte, ActeurInvite
from socle.domaine.chiffrement import empreinte
from socle.domaine.identite import (
    IDENTIFIANTS_MAX,
    PSEUDONYMES_RETENUS,
    Visage,
    guest_ids_connus,
    id_montre,
    nom_montre,
    pseudonyme,
    sans_guest_ids,
    source_montree,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("mode", ["IDENTIFIE", "ANONYME"])
@pytest.mark.parametrize("proprietaire", ["etudiante", "invite"])
@pytest.mark.parametrize("spectateur", ["proprietaire", "gestionnaire", "personne"])
def test_qui_voit_qui(personne, gestionnaire, mode, proprietaire, spectateur):
    qui = personne(proprietaire)
    dossier = fabriques.signalement(acteur_de(qui), mode_identification=mode)
    vu_par = {"proprietaire": acteur_de(qui), "gestionnaire": acteur_de(gestionnaire), "personne": None}[spectateur]

    montre = id_montre(dossier, vu_par=vu_par, dossier=dossier)
    nom = nom_montre(dossier, vu_par=vu_par, dossier=dossier)

    vrai = str(getattr(qui, "guest_id", None) or qui.pk)
    est_montre = spectateur == "proprietaire" or (proprietaire == "etudiante" and mode == "IDENTIFIE")
    assert (montre == vrai) == est_montre
    assert nom == ("Invité" if proprietaire == "invite" else "Awa Diop" if est_montre else "Anonyme")


def test_le_pseudonyme_d_un_dossier_ne_depend_pas_de_qui_le_possede(etudiante, invite):
    dossier = fabriques.signalement(acteur_de(invite))
    avant = id_montre(dossier, vu_par=None, dossier=dossier)
    dossier.compte, dossier.invite = etudiante, None

    apres = id_montre(dossier, vu_par=None, dossier=dossier)

    assert avant == apres


@pytest.mark.parametrize(
    ("mode", "source", "nom", "est_fusionne"),
    [
        ("ANONYME", "GUEST", "Invité", False),
        ("PSEUDONYME", "GUEST", "Invité", False),
        ("identifie", "GUEST", "Invité", False),
        ("IDENTIFIE", "AUTH_USER", "Awa Diop", True),
    ],
)
def test_un_dossier_rattache_qui_se_cache_garde_le_visage_de_l_invite(
    etudiante, gestionnaire, invite, mode, source, nom, est_fusionne
):
    dossier = fabriques.signalement(acteur_de(invite), mode_identification=mode)
    dossier.compte, dossier.invite, dossier.fusionne_de = etudiante, None, invite
    ecrit_apres = EntreeTimeline(signalement=dossier, compte=etudiante, type="CREATION")

    for vu_par in (None, acteur_de(gestionnaire)):
        visages = [
            (source_montree(ligne, **vue), nom_montre(ligne, **vue))
            for ligne in (dossier, ecrit_apres)
            for vue in ({"vu_par": vu_par, "dossier": dossier},)
        ]
        assert visages == [(source, nom)] * 2
        assert Visage(dossier, vu_par, dossier).est_fusionne is est_fusionne
    a_soi = {"vu_par": acteur_de(etudiante), "dossier": dossier}
    assert (source_montree(dossier, **a_soi), nom_montre(dossier, **a_soi)) == ("AUTH_USER", "Awa Diop")
    assert Visage(dossier, a_soi["vu_par"], dossier).est_fusionne


def test_le_pseudonyme_ne_relie_pas_deux_dossiers_anonymes(etudiante):
    dossiers = [fabriques.signalement(acteur_de(etudiante), mode_identification="ANONYME") for _ in range(2)]

    montres = {id_montre(d, vu_par=None, dossier=d) for d in dossiers}

    assert len(montres) == 2


def test_un_pseudonyme_retenu_est_de_sa_cle_et_de_son_espece(settings):
    cle = uuid4()
    faits = [pseudonyme("invite", cle) for _fois in range(2)] + [pseudonyme("signalement", cle)]

    settings.HASH_KEY = "une-autre-cle-de-hachage"

    assert faits[0] == faits[1] != faits[2]
    assert pseudonyme("invite", cle) not in faits
    assert UUID(faits[0]).version == 4


def test_les_pseudonymes_retenus_sont_bornes():
    for _fois in range(PSEUDONYMES_RETENUS + 10):
        pseudonyme("invite", uuid4())

    assert identite._pseudonyme.cache_info().currsize == PSEUDONYMES_RETENUS


def test_l_equipe_garde_son_nom_dans_un_dossier_anonyme(gestionnaire, invite):
    dossier = fabriques.signalement(acteur_de(invite))
    entree = EntreeTimeline(signalement=dossier, compte=gestionnaire, type="STATUT")

    assert id_montre(entree, vu_par=None, dossier=dossier) == str(gestionnaire.pk)


def test_un_acteur_est_exactement_un(etudiante, invite):
    with pytest.raises(TypeError):
        Acteur()
    with pytest.raises(TypeError):
        ActeurCompte()
    with pytest.raises(TypeError):
        ActeurInvite(compte=etudiante)

    assert (ActeurCompte(etudiante).invite, ActeurInvite(invite).compte) == (None, None)


# --- Guest ids in texts ---------------------------------------------------------------------------------------------

CHIFFRES = "0123456789abcdef"
# Half of all places look like an id; the second has few that differ, the first thousands.
PERIODIQUE = "".join("4" if rang % 8 < 4 else "89ab"[rang * 7 % 4] for rang in range(20_000))
PIRES = {
    "hasard": "".join(random.Random(17).choices(CHIFFRES, k=20_000)),
    "periodique": PERIODIQUE,
    "constant": "44448888" * 2_500,
    "identifiants": " ".join(str(uuid4()) for _fois in range(540)),
    "meme": f"{uuid4()} " * 540,
}


@pytest.fixture
def comptes_faits(monkeypatch):
    """How many values are hashed, and how many look-ups are made."""
    faits = {"empreintes": 0, "questions": 0}

    def empreinte_comptee(espece, valeur):
        faits["empreintes"] += 1
        return empreinte(espece, valeur)

    def connus(empreintes):
        faits["questions"] += 1
        return guest_ids_connus["connus"](empreintes)

    monkeypatch.setattr(identite, "empreinte", empreinte_comptee)
    monkeypatch.setattr(identite, "guest_ids_connus", {"connus": connus})
    return faits


@pytest.mark.parametrize("texte", PIRES.values(), ids=PIRES)
def test_le_pire_texte_ne_coute_que_quelques_empreintes_et_une_question(comptes_faits, invite, texte):
    masque = sans_guest_ids({"titre": str(invite.guest_id), "description": texte, "temoins": texte})

    assert comptes_faits["empreintes"] <= IDENTIFIANTS_MAX
    assert comptes_faits["questions"] <= 1
    assert masque["titre"] == "[identifiant masqué]"


def test_un_texte_ordinaire_ne_coute_rien(comptes_faits):
    sans_guest_ids(["Il m'a suivie dans le couloir, le 2026-03-01 à 12:00. " * 300, 12, None])

    assert comptes_faits == {"empreintes": 0, "questions": 0}


@given(
    st.text(CHIFFRES + "48-" + "AF xé", max_size=120),
    st.sampled_from([str, lambda i: i.hex, lambda i: str(i).upper()]),
    st.text(CHIFFRES + "48-" + "AF xé", max_size=120),
    st.booleans(),
)
def test_un_identifiant_connu_ne_reste_jamais_quoi_qui_l_entoure(avant, ecrire, apres, beaucoup):
    """Also among so many that nobody asks which of them are known."""
    secret = uuid4()
    texte = f"{avant}{ecrire(secret)}{apres}{PERIODIQUE[:2_000] if beaucoup else ''}"
    connus = {"connus": lambda empreintes: empreintes & {identite.empreinte_guest_id(secret)}}
    with mock.patch.object(identite, "guest_ids_connus", connus):
        masque = sans_guest_ids(texte)

    assert secret.hex not in masque.lower().replace("-", "")
    assert sum(map(len, masque.split("[identifiant masqué]"))) <= len(avant) + len(apres) + 2_000 * beaucoup


@pytest.mark.parametrize("etat", ["ACTIVE", "DISABLED", "MERGED"])
def test_l_identifiant_d_une_session_est_masque_dans_tous_ses_etats(invite, etudiante, etat):
    fusion = {"fusionnee_dans": etudiante, "date_fusion": timezone.now()} if etat == "MERGED" else {}
    type(invite).objects.filter(pk=invite.pk).update(statut=etat, **fusion)

    assert sans_guest_ids(f"Voir {invite.guest_id} et {invite.pk}.") == f"Voir [identifiant masqué] et {invite.pk}."


@pytest.mark.parametrize(
    ("champ", "forme"),
    [
        (Courriel(), "{0}@campus.test"),
        (AdresseWeb(), "https://campus.test/suivi?guestId={0}"),
        (Vocabulaire("type_signalement"), "a{0.hex}"),
    ],
    ids=["adresse e-mail", "adresse web", "mot d'un vocabulaire"],
)
def test_ce_que_masquer_casserait_est_refuse(invite, champ, forme):
    with pytest.raises(ValidationError) as refus:
        champ.run_validation(forme.format(invite.guest_id))

    assert [detail.code for detail in refus.value.detail] == ["guest_id"]
    assert champ.run_validation(forme.format(uuid4()))

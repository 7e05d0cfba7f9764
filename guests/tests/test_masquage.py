"""Texts that were stored with the id of a guest session lose it, and what was compared with them still agrees."""

from importlib import import_module
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor

from accounts.models import Preferences, Session
from config.tests.outils import acteur_de, client_de
from discussions.models import Discussion, Message
from discussions.tests import fabriques as discussions
from forum import mots
from forum.models import Commentaire, MotSurveille, Poste
from forum.tests import fabriques as forum
from guests.fusion.retour import annuler
from guests.fusion.verification import verifier
from guests.models import AuditFusion
from guests.tests import fabriques
from resources.models import Fichier
from resources.tests import fabriques as ressources
from resources.vocabulaire import Portee
from signalements.models import EntreeTimeline, Signalement
from signalements.tests import fabriques as signalements
from socle.domaine.identite import empreinte_guest_id
from stats.tests import fabriques as exports

pytestmark = [pytest.mark.django_db, pytest.mark.longue]
MIGRATION = import_module("guests.migrations.0007_masquer_les_identifiants")
# Columns that are younger than it, and never held an id.
DEPUIS = {"gel_motif", "motif", "fonction"}
# Tables that are, or whose columns of that kind are.
TABLES_DEPUIS = {
    *(("reponses", "ModeleDeReponse"), ("reponses", "Orientation"), ("accounts", "Invitation"), ("equipes", "Equipe")),
    *(("echeances", nom) for nom in ("Delai", "Echeance", "JourFerme")),
}


def masquer():
    MIGRATION.masquer(apps, None)


def ecrire_brut(ligne, **textes):
    """As an earlier version stored it; `recherche` of reports, posts and comments was masked already."""
    type(ligne)._base_manager.filter(pk=ligne.pk).update(**textes)


def tout_ce_qui_est_ecrit():
    modeles = [m for m in apps.get_models() if hasattr(m, "ECRITS")]
    return str([list(m._base_manager.values_list()) for m in [*modeles, AuditFusion, LogEntry]])


def test_chaque_table_ou_l_on_ecrit_est_parcourue():
    ecrites = {tuple(m._meta.label.split(".")): m.ECRITS for m in apps.get_models() if hasattr(m, "ECRITS")}

    parcourues = {cle: textes for cle, (textes, _autres, _derives, _deriver) in MIGRATION.TABLES.items()}

    anciennes = {cle: tuple(nom for nom in noms if nom not in DEPUIS) for cle, noms in ecrites.items()}
    d_alors = {cle: noms for cle, noms in anciennes.items() if noms and cle not in TABLES_DEPUIS}
    assert parcourues | {("forum", "MotSurveille"): ("mot",)} == d_alors | {
        ("admin", "LogEntry"): ("object_repr", "change_message")
    }


@pytest.fixture
def lignes(etudiante, gestionnaire, invite, evenement, poste):
    """A row of every table where people write."""
    dossier = signalements.signalement(acteur_de(invite))
    echange = discussions.discussion(acteur_de(invite), signalement=dossier)
    return [
        dossier,
        EntreeTimeline.objects.create(signalement=dossier, type="NOTE", compte=gestionnaire),
        echange,
        discussions.message(acteur_de(invite), echange),
        poste,
        forum.commentaire(acteur_de(etudiante), poste),
        ressources.fichier(acteur_de(invite)),
        ressources.ressource(etudiante),
        ressources.faq(),
        ressources.contact(),
        evenement,
        etudiante,
        Session.objects.create(compte=etudiante, date_expiration=etudiante.date_creation),
        Preferences.objects.create(compte=etudiante),
        exports.export(gestionnaire),
    ]


@pytest.fixture
def poste(etudiante):
    return forum.poste(acteur_de(etudiante))


def test_aucun_texte_ne_garde_d_identifiant_et_ce_qui_en_derive_suit(lignes, invite, gestionnaire):
    guest_id = invite.guest_id
    Fichier.objects.update(portee=Portee.OUVERTE)  # one that may be found by its name
    for ligne in lignes:
        colonnes = {nom: ligne._meta.get_field(nom) for nom in type(ligne).ECRITS if nom not in DEPUIS}
        court = {n: guest_id.hex for n, c in colonnes.items() if not isinstance(c, models.JSONField)}
        ecrire_brut(ligne, **court, **{n: [str(guest_id)] for n in colonnes.keys() - court.keys()})
    LogEntry.objects.create(user=gestionnaire, object_repr=f"Q. {guest_id}", action_flag=2, change_message=guest_id.hex)
    MotSurveille.objects.create(mot=str(guest_id), forme=mots.forme(str(guest_id)))
    MotSurveille.objects.create(mot="injure", forme="injure")

    masquer()

    assert guest_id.hex not in tout_ce_qui_est_ecrit().replace("-", "")
    assert list(MotSurveille.objects.values_list("mot", flat=True)) == ["injure"]
    for ligne in lignes:
        ligne.refresh_from_db()
        colonnes = [
            champ.attname for champ in ligne._meta.concrete_fields if champ.attname != "noms_portes"
        ]  # of later
        migree = {nom: getattr(ligne, nom) for nom in colonnes}
        if not isinstance(ligne, Signalement | Poste) and hasattr(ligne, "indexer"):
            ligne.indexer()
        assert {nom: getattr(ligne, nom) for nom in colonnes} == migree


@pytest.mark.parametrize("lot", [1, 2, 1_000])
def test_ce_qui_n_est_pas_l_identifiant_d_une_session_reste(invite, etudiante, monkeypatch, lot):
    monkeypatch.setattr(MIGRATION, "LOT", lot)
    textes = [f"Voir {uuid4()}.", f"Voir {invite.pk}.", f"Voir {invite.guest_id}.", "Rien à voir.", f"Et {uuid4().hex}"]
    dossiers = [signalements.signalement(acteur_de(etudiante)) for _texte in textes]
    for dossier, texte in zip(dossiers, textes, strict=True):
        ecrire_brut(dossier, description=texte)

    masquer()

    migres = [Signalement.objects.get(pk=dossier.pk).description for dossier in dossiers]
    assert migres == [*textes[:2], "Voir [identifiant masqué].", *textes[3:]]


def test_une_fusion_voit_le_meme_fait_et_le_meme_message_avant_et_apres(invite, etudiante):
    """What was stored by an earlier version is compared with what is stored now."""
    colle = f"C'est moi, {invite.guest_id}."
    anciens = signalements.signalement(acteur_de(invite)), discussions.discussion(acteur_de(invite))
    ancien_message = discussions.message(acteur_de(invite), anciens[1])
    for ligne, nom in zip((*anciens, ancien_message), ("description", "titre", "contenu"), strict=True):
        ecrire_brut(ligne, **{nom: colle})
    Signalement.objects.update(empreinte_faits=uuid4())
    Discussion.objects.update(empreinte_titre=uuid4())
    Message.objects.update(signature=uuid4())

    masquer()

    nouveau = signalements.signalement(acteur_de(etudiante), description=colle.upper())
    nouvelle = discussions.discussion(acteur_de(etudiante), colle)
    message = discussions.message(acteur_de(etudiante), nouvelle, colle)
    assert Signalement.objects.get(pk=anciens[0].pk).empreinte_faits == nouveau.empreinte_faits
    assert Discussion.objects.get(pk=anciens[1].pk).empreinte_titre == nouvelle.empreinte_titre
    assert Message.objects.get(pk=ancien_message.pk).signature == message.signature


def test_une_fusion_d_avant_se_defait_encore(invite, etudiante, autre_invite, en_conflit):
    """Its record holds the texts of its targets as they were stored then."""
    (_apporte, dossier), (_de_l_invite, echange) = en_conflit
    colle = f"Suite de {autre_invite.guest_id}"
    ecrire_brut(dossier, description=colle, empreinte_faits=uuid4())
    ecrire_brut(echange, titre=colle, empreinte_titre=uuid4())
    fabriques.fusionner(invite, etudiante)
    audit = AuditFusion.objects.get()
    dossiers, conversations = (audit.retour[partie]["cibles"] for partie in ("signalements", "discussions"))
    for etat in dossiers[str(dossier.pk)].values():
        etat["description"] = colle
    for etat in conversations[str(echange.pk)].values():
        etat["titre"] = colle
    audit.enregistrer("retour")
    ecrire_brut(dossier, description=colle)
    ecrire_brut(echange, titre=colle)

    masquer()
    audit.refresh_from_db()
    annuler(audit)

    dossier.refresh_from_db()
    echange.refresh_from_db()
    assert (dossier.description, echange.titre) == ("Suite de [identifiant masqué]",) * 2
    assert autre_invite.guest_id.hex not in str(audit.retour).replace("-", "")
    assert list(verifier()) == []


def test_un_texte_fait_pour_couter_est_masque_en_entier_alors_et_aujourd_hui(etudiante):
    texte = " ".join(str(uuid4()) for _fois in range(501))
    dossier = signalements.signalement(acteur_de(etudiante), description=texte)
    assert set(dossier.description.replace("[identifiant masqué]", "")) <= {" "}
    ecrire_brut(dossier, description=texte, empreinte_faits=uuid4())

    masquer()

    dossier.refresh_from_db()
    assert dossier.description == " ".join(["[identifiant masqué]"] * 501)


@pytest.mark.parametrize(
    "couper",
    [
        lambda texte: texte.replace("-", "-\n"),
        lambda texte: texte.replace("-", "\u2011"),
        lambda texte: "\u200b".join(texte),
        lambda texte: texte.upper().translate({n: n + 0xFEE0 for n in range(0x21, 0x7F)}),
    ],
)
def test_un_identifiant_coupe_est_masque_par_toutes_les_voies(invite, etudiante, couper):
    ecrit = couper(str(invite.guest_id))
    dossier = signalements.signalement(acteur_de(invite))
    chemins = {
        "/api/v1/signalements/": {"titre": f"Vu {ecrit}", "description": ecrit, "type": "VOL"},
        "/api/v1/discussions/": {"titre": f"{ecrit} ici", "signalementId": str(dossier.pk)},
    }
    for chemin, corps in chemins.items():
        reponse = client_de(invite).post(chemin, corps)
        assert reponse.status_code == 201, reponse.content
        assert "[identifiant masqué]" in reponse.content.decode()
    poste = client_de(etudiante).post("/api/v1/postes/", {"titre": f"T {ecrit}", "contenu": ecrit})
    assert poste.status_code == 201, poste.content
    gardes = [
        Signalement.objects.latest("date_creation").description,
        Discussion.objects.latest("date_creation").titre,
        Poste.objects.get().contenu,
    ]
    assert gardes == ["[identifiant masqué]", "[identifiant masqué] ici", "[identifiant masqué]"]


@pytest.fixture
def d_avant(transactional_db):
    """The models as they were; whatever happens the base is up to date again afterwards."""
    executeur = MigrationExecutor(connection)
    executeur.migrate(cibles := [("guests", "0006_sans_empreintes"), ("signalements", "0010_pieces_supprimees")])
    yield executeur.loader.project_state(cibles).apps
    migrer_jusqu_au_bout()


def migrer_jusqu_au_bout():
    executeur = MigrationExecutor(connection)
    executeur.migrate(executeur.loader.graph.leaf_nodes())


def test_une_base_qui_a_vecu_perd_ses_identifiants_et_ses_colonnes(d_avant):
    guest_id = uuid4()
    invite = d_avant.get_model("guests", "SessionInvitee").objects.create(
        guest_id_empreinte=empreinte_guest_id(guest_id), telephone="+243812345621"
    )
    brut = {"titre": "Vol", "description": f"Je suis {guest_id}.", "type": "VOL", "empreinte_faits": uuid4()}
    d_avant.get_model("signalements", "Signalement").objects.create(
        **brut, reference="SIG-2026-7K3M9QXT", mode_identification="ANONYME", invite_id=invite.pk, secrets_colles=["x"]
    )

    migrer_jusqu_au_bout()

    dossier = Signalement.objects.get()
    assert dossier.description == "Je suis [identifiant masqué]."
    assert not hasattr(dossier, "secrets_colles")


def test_la_migration_sans_rien_a_masquer_ne_change_rien(lignes, gestionnaire):
    avant = tout_ce_qui_est_ecrit()

    masquer()

    assert tout_ce_qui_est_ecrit() == avant
    assert Commentaire.objects.count() == 1

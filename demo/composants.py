"""The page of samples: every component and state, in the frame of the portal and in that of the team.

Served under DEBUG alone; no sample reads the base.
"""

from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.models import Compte
from demo.aide import CONTACTS
from demo.reponses import ORIENTATIONS
from demo.textes import ADMIN, GESTIONNAIRE
from reponses.models import AccuseAutomatique
from reponses.selections import Lue
from signalements.dates import DateMontree
from signalements.vocabulaire import Priorite, Statut
from socle.pages.vues import Page

CHOIX = [("VOL", "Un vol"), ("HARCELEMENT", "Du harcèlement"), ("AUTRE", "Autre chose")]
PAS = ["Les faits", "Précisions", "Vos souhaits", "Relire et envoyer"]


class Echantillon(forms.Form):
    """One field of each sort; empty, all of it is a fault."""

    quand = forms.CharField(label="Quand", help_text="Un jour, ou « novembre ».")
    recit = forms.CharField(label="Que s'est-il passé ?", widget=forms.Textarea(attrs={"rows": 3}))
    type = forms.ChoiceField(label="De quoi s'agit-il ?", choices=CHOIX, widget=forms.RadioSelect)
    ordre = forms.ChoiceField(label="Ordre", choices=CHOIX)
    fichier = forms.FileField(label="Ajouter des fichiers", help_text="10 Mo chacun. Le lieu est retiré.")


class Preuve(forms.Form):
    code = forms.CharField(label="Vos six mots")


class Composants(Page):
    """The samples in one frame: `cadre` is its template."""

    cadre = ""

    def get(self, request: HttpRequest) -> HttpResponse:
        gabarit = f"composants/{self.cadre}.html"
        return self.rendre(request, gabarit=gabarit, titre="Composants et états", **_echantillons())


def _echantillons() -> dict[str, Any]:
    """The context that the components read; what a page reads from the base is made here."""
    return {
        **_du_cadre(),
        "rempli": Echantillon(initial={"quand": "27 novembre", "type": "VOL"}, auto_id="rempli_%s"),
        "form": Echantillon({"quand": "", "type": ""}),
        "preuve": Preuve(),
        "pas": [SimpleNamespace(titre=titre, est_fait=rang < 1, est_ici=rang == 1) for rang, titre in enumerate(PAS)],
        "contacts": CONTACTS[:2],
        "accuses": [AccuseAutomatique(texte_fr=ORIENTATIONS["VOL"][0])],
        "savoir": (vol := Lue("VOL", ORIENTATIONS["VOL"][0], "fr")),
        "orientations": [vol],
        "urgence": "112",
        "six_mots": ["abeille", "ballon", "cascade", "domino", "fougère", "galet"],
        "noms": ["photo.jpg", "relevé.pdf"],
        "dits": {"grand": "Trop grand.", "pris": "Envoyé.", "perdu": "Perdu."},
        "statuts": Statut.choices,
        "priorites": Priorite.choices,
        "equipe": [("1", "Nadia Benali"), ("2", "Paul Ilunga")],
        "entrees": [
            SimpleNamespace(id=rang, phrase=dit, auteurNom="Nadia Benali", deMoi=rang == 1, le=timezone.now())
            for rang, dit in enumerate(["Signalement reçu.", "Le dossier est en cours."], start=1)
        ],
        "jour": date(2026, 11, 27),
        "lignes": _lignes(),
        "choisit": True,
        "dates": _dates(),
        "textes": [("contenu", "Ce que j'avais écrit.")],
        "dossier": SimpleNamespace(statut=Statut.EN_COURS, priorite=Priorite.HIGH),
    }


def _du_cadre() -> dict[str, Any]:
    """The reader's place: an open space in the portal, an account in the team."""
    return {
        "autre_langue": ("en", "English"),
        "acces": SimpleNamespace(est_garde=True),
        "moi": Compte(prenom=GESTIONNAIRE.prenom, nom=GESTIONNAIRE.nom),
        "lit_le_registre": True,
        "voit_le_tableau": True,
        "dernier_rang": 1,
    }


def _lignes() -> list[dict[str, Any]]:
    """Rows to triage: unread, late and handled; due, and nobody's; written in after it was closed."""
    une: dict[str, Any] = {
        "id": UUID(int=1),
        "titre": "Vitrine brisée devant la bibliothèque",
        "extrait": "Ce matin vers huit heures, côté parc",
        "reference": "SIG-2026-0A1B2C3D",
        "type": "Dégradation",
        "sourceActeur": "GUEST",
        "priorite": Priorite.HIGH,
        "urgence": Priorite.HIGH.label,
        "statut": Statut.EN_COURS,
        "etat": Statut.EN_COURS.label,
        "promis": date(2026, 11, 20),
        "est_en_retard": True,
        "messagesNonLusCount": 3,
        "responsable": Compte(prenom=ADMIN.prenom, nom=ADMIN.nom),
        "gestionnaireNom": f"{ADMIN.prenom} {ADMIN.nom}",
        "le": timezone.now() - timedelta(hours=2),
        "recu": timezone.now() - timedelta(days=3),
    }
    libre = {"responsable": None, "messagesNonLusCount": 0, "peut_prendre": True}
    due = {"statut": Statut.NOUVEAU, "etat": Statut.NOUVEAU.label, "promis": date(2026, 11, 27), "est_en_retard": False}
    finie = {"statut": Statut.TRAITE, "etat": Statut.TRAITE.label, "promis": None, "a_ecrit_apres": True}
    return [
        une,
        {**une, **libre, **due, "id": UUID(int=2)},
        {**une, **finie, "id": UUID(int=3), "priorite": Priorite.LOW, "urgence": Priorite.LOW.label},
    ]


def _dates() -> list[DateMontree]:
    """One that is kept, one that is late, one put off."""
    accuse, retour, entretien = date(2026, 11, 20), date(2026, 11, 27), date(2027, 1, 15)
    return [
        DateMontree("1", "ACCUSE", "Une première réponse", accuse, accuse, None, "", False),
        DateMontree("2", "ENTRETIEN", "Un entretien", retour, None, None, "", True),
        DateMontree("3", "RETOUR", "Un retour sur les suites", entretien, None, retour, "Enquête en cours.", False),
    ]

"""Table of the register's sentences: what each act is said to be, by whom where nobody is named, and its details."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.models import Compte
from accounts.vocabulaire import Facteur
from calendrier.models import EvenementCampus
from calendrier.vocabulaire import StatutParticipation
from echeances.models import Delai, JourFerme
from equipes.models import Equipe, RegleDeRoutage
from espace.pages.formulaires import SOURCES
from espace.vocabulaire import VUES
from guests.vocabulaire import StatutInvite
from reponses.models import ModeleDeReponse, Orientation
from resources.models import ContactUrgence, Faq
from signalements.filters import AUCUN
from signalements.vocabulaire import Ouverture, Priorite, Statut
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.droits import Role

DOSSIER, COMPTE = Sorte.SIGNALEMENT, Sorte.COMPTE
SOI = "SOI"  # about one's own account
DEPART = "DEPART"  # of a team, by oneself
# Act, or act and what tells it apart (a value of its details, SOI, the kind of its object) -> the rest of the sentence.
# `{objet}` is the reference of a case, the name of a person; `{ecartes}` and `{admis}` are names.
PHRASES: dict[Any, Any] = {
    (Acte.SIGNALEMENT_OUVERT, DOSSIER): _("a ouvert le dossier {objet}"),
    Acte.SIGNALEMENT_OUVERT: _("a ouvert un dossier"),
    (Acte.SIGNALEMENT_MONTRE, DOSSIER): _("a vu le dossier {objet} dans une liste"),
    Acte.SIGNALEMENT_MONTRE: _("a vu un dossier dans une liste"),
    (Acte.SIGNALEMENTS_CHERCHES, DOSSIER): _("a cherché le dossier {objet}"),
    Acte.SIGNALEMENTS_CHERCHES: _("a cherché des dossiers"),
    (Acte.LECTEURS_CHANGES, Ouverture.TOUS): _("a ouvert le dossier {objet} à toute l'équipe"),
    (Acte.LECTEURS_CHANGES, Ouverture.SAUF): _("a réglé qui lit le dossier {objet} : l'équipe, sauf {ecartes}"),
    (Acte.LECTEURS_CHANGES, Ouverture.SEULS): _("a réglé qui lit le dossier {objet} : {admis}, et personne d'autre"),
    Acte.LECTEURS_CHANGES: _("a réglé qui lit un dossier"),
    (Acte.LECTEURS_CONSULTES, DOSSIER): _("a regardé qui lit le dossier {objet}"),
    Acte.LECTEURS_CONSULTES: _("a regardé qui lit un dossier"),
    (Acte.EQUIPE_CHANGEE, DOSSIER): _("a confié le dossier {objet} à une autre équipe, ou à toute l'équipe"),
    Acte.EQUIPE_CHANGEE: _("a confié un dossier à une autre équipe, ou à toute l'équipe"),
    (Acte.OUVERTURE_MOTIVEE, DOSSIER): _("a ouvert le dossier {objet} avec un motif, pour une heure"),
    Acte.OUVERTURE_MOTIVEE: _("a ouvert un dossier avec un motif, pour une heure"),
    (Acte.EQUIPE_DEFINIE, "creee"): _("a créé l'équipe {objet}"),
    (Acte.EQUIPE_DEFINIE, "changee"): _("a modifié l'équipe {objet}"),
    Acte.EQUIPE_DEFINIE: _("a modifié l'équipe {objet}"),
    (Acte.MEMBRE_CHANGE, "demande"): _("a demandé à être de l'équipe {objet}"),
    (Acte.MEMBRE_CHANGE, "accord"): _("a accepté {compte} dans l'équipe {objet}"),
    (Acte.MEMBRE_CHANGE, DEPART): _("a quitté l'équipe {objet}"),
    (Acte.MEMBRE_CHANGE, "retrait"): _("a retiré {compte} de l'équipe {objet}"),
    (Acte.MEMBRE_CHANGE, "ajout"): _("a ajouté {compte} à l'équipe {objet}"),
    Acte.MEMBRE_CHANGE: _("a ajouté {compte} à l'équipe {objet}"),
    (Acte.ROUTAGE_CHANGE, "creee"): _("a ajouté une règle qui confie des dossiers à l'équipe {objet}"),
    (Acte.ROUTAGE_CHANGE, "supprimee"): _("a retiré une règle qui confiait des dossiers à l'équipe {objet}"),
    (Acte.ROUTAGE_CHANGE, "changee"): _("a changé une règle qui confie des dossiers à l'équipe {objet}"),
    Acte.ROUTAGE_CHANGE: _("a changé les règles qui confient des dossiers à l'équipe {objet}"),
    (Acte.GEL_CHANGE, "True"): _("a gelé le dossier {objet}"),
    (Acte.GEL_CHANGE, "False"): _("a levé le gel du dossier {objet}"),
    Acte.GEL_CHANGE: _("a gelé un dossier, ou en a levé le gel"),
    Acte.DOSSIERS_EFFACES: _("a effacé des dossiers, leur temps de garde passé"),
    (Acte.DISCUSSION_OUVERTE, DOSSIER): _("a lu une discussion du dossier {objet}"),
    Acte.DISCUSSION_OUVERTE: _("a lu une discussion"),
    (Acte.DISCUSSION_COMMENCEE, DOSSIER): _("a commencé une discussion sur le dossier {objet}"),
    Acte.DISCUSSION_COMMENCEE: _("a commencé une discussion"),
    (Acte.FICHIER_OUVERT, DOSSIER): _("a ouvert une pièce du dossier {objet}"),
    Acte.FICHIER_OUVERT: _("a ouvert un fichier"),
    (Acte.FICHIER_MONTRE, DOSSIER): _("a vu dans une liste le nom d'une pièce du dossier {objet}"),
    Acte.FICHIER_MONTRE: _("a vu le nom d'une pièce dans une liste"),
    (Acte.FICHIERS_CHERCHES, DOSSIER): _("a cherché des pièces, et trouvé celles du dossier {objet}"),
    Acte.FICHIERS_CHERCHES: _("a cherché des pièces par leur nom"),
    (Acte.FICHIER_SUPPRIME, DOSSIER): _("a supprimé une pièce du dossier {objet}"),
    Acte.FICHIER_SUPPRIME: _("a supprimé un fichier"),
    (Acte.FICHIER_RETABLI, DOSSIER): _("a rétabli une pièce du dossier {objet}"),
    Acte.FICHIER_RETABLI: _("a rétabli un fichier"),
    (Acte.CANAL_ECOUTE, DOSSIER): _("a suivi en direct le dossier {objet}"),
    (Acte.CANAL_ECOUTE, Sorte.DISCUSSION): _("a suivi en direct une discussion"),
    Acte.CANAL_ECOUTE: _("a suivi en direct tous les dossiers"),
    Acte.EXPORT_DEMANDE: _("a demandé un export"),
    Acte.EXPORT_OUVERT: _("a ouvert l'export d'autrui"),
    Acte.EXPORT_TELECHARGE: _("a téléchargé un export"),
    Acte.DONNEES_EXPORTEES: _("a téléchargé ses propres données"),
    Acte.CONNEXION: _("a ouvert une session"),
    Acte.CONNEXION_REFUSEE: _("a essayé d'entrer sous le nom de {objet}, sans y parvenir"),
    Acte.DECONNEXION: _("a fermé sa session"),
    Acte.SECOND_FACTEUR_ACTIVE: _("a activé sa connexion en deux étapes"),
    Acte.SECOND_FACTEUR_RETIRE: _("a retiré sa connexion en deux étapes"),
    Acte.SECOND_FACTEUR_REINITIALISE: _("a réinitialisé la connexion en deux étapes de {objet}"),
    Acte.CODES_DE_SECOURS_REFAITS: _("a refait ses codes de secours"),
    Acte.CODE_DE_SECOURS_UTILISE: _("a utilisé un code de secours"),
    (Acte.COMPTE_CREE, SOI): _("a créé son compte, sur invitation"),
    Acte.COMPTE_CREE: _("a créé le compte de {objet}"),
    Acte.COMPTE_MODIFIE: _("a modifié le compte de {objet}"),
    Acte.SON_COMPTE_MODIFIE: _("a modifié son propre compte"),
    Acte.ADRESSE_CONFIRMEE: _("a confirmé la nouvelle adresse de {objet}"),
    Acte.ADRESSE_CONTESTEE: _("a contesté la nouvelle adresse de {objet}"),
    Acte.ROLE_CHANGE: _("a changé le rôle de {objet}"),
    Acte.COMPTE_DESACTIVE: _("a désactivé le compte de {objet}"),
    Acte.COMPTE_REACTIVE: _("a réactivé le compte de {objet}"),
    Acte.MOT_DE_PASSE_IMPOSE: _("a remplacé le mot de passe de {objet}"),
    Acte.EFFACEMENT_DEMANDE: _("a demandé que son compte soit effacé"),
    Acte.EFFACEMENT_RETIRE: _("a retiré sa demande d'effacement"),
    Acte.MOT_DE_PASSE_CHANGE: _("a changé son propre mot de passe"),
    Acte.LIEN_DE_MOT_DE_PASSE_ENVOYE: _("a fait envoyer à {objet} un lien de nouveau mot de passe"),
    (Acte.INVITATION_ENVOYEE, Sorte.INVITATION): _("a envoyé une invitation à {objet}"),
    Acte.INVITATION_ENVOYEE: _("a envoyé une invitation"),
    (Acte.INVITATION_REVOQUEE, Sorte.INVITATION): _("a retiré l'invitation envoyée à {objet}"),
    Acte.INVITATION_REVOQUEE: _("a retiré une invitation"),
    (Acte.SESSION_INVITEE_CHANGEE, DOSSIER): _("a désactivé ou réactivé la session invitée du dossier {objet}"),
    Acte.SESSION_INVITEE_CHANGEE: _("a désactivé ou réactivé une session invitée"),
    (Acte.AIDE_CHANGEE, "creee"): _("a ajouté une page d'aide ou un contact d'urgence"),
    (Acte.AIDE_CHANGEE, "montree"): _("a montré à tous une page d'aide ou un contact d'urgence"),
    (Acte.AIDE_CHANGEE, "retiree"): _("ne montre plus une page d'aide ou un contact d'urgence"),
    (Acte.AIDE_CHANGEE, "supprimee"): _("a supprimé une page d'aide ou un contact d'urgence"),
    (Acte.AIDE_CHANGEE, "changee"): _("a changé une page d'aide ou un contact d'urgence"),
    Acte.AIDE_CHANGEE: _("a changé une page d'aide ou un contact d'urgence"),
    (Acte.DATES_CHOISIES, "OUI"): _("a donné des dates aux dossiers"),
    (Acte.DATES_CHOISIES, "NON"): _("a choisi de ne pas donner de dates aux dossiers"),
    Acte.DATES_CHOISIES: _("a choisi de ne pas donner de dates aux dossiers"),
    Acte.DELAI_CHANGE: _("a changé un délai ou un jour de fermeture"),
    (Acte.DATE_CHANGEE, "POSEE"): _("a prévu un entretien dans {objet}"),
    (Acte.DATE_CHANGEE, "FAITE"): _("a dit tenue une date de {objet}"),
    (Acte.DATE_CHANGEE, "PROLONGEE"): _("a prolongé une date de {objet}"),
    Acte.DATE_CHANGEE: _("a prolongé une date de {objet}"),
    (Acte.REPONSE_CHANGEE, "creee"): _("a ajouté une réponse type ou une orientation"),
    (Acte.REPONSE_CHANGEE, "supprimee"): _("a supprimé une réponse type ou une orientation"),
    (Acte.REPONSE_CHANGEE, "changee"): _("a changé une réponse type ou une orientation"),
    Acte.REPONSE_CHANGEE: _("a changé une réponse type ou une orientation"),
    (Acte.RESSOURCE_CHANGEE, "AJOUTEE"): _("a ajouté une ressource à la bibliothèque"),
    (Acte.RESSOURCE_CHANGEE, "SUPPRIMEE"): _("a supprimé une ressource de la bibliothèque"),
    (Acte.RESSOURCE_CHANGEE, "RETABLIE"): _("a rétabli une ressource de la bibliothèque"),
    Acte.RESSOURCE_CHANGEE: _("a changé une ressource de la bibliothèque"),
    (Acte.PUBLICATION_MODEREE, "APPROUVER"): _("a approuvé une publication"),
    (Acte.PUBLICATION_MODEREE, "REJETER"): _("a rejeté une publication"),
    (Acte.PUBLICATION_MODEREE, "ARCHIVER"): _("a archivé une publication"),
    (Acte.PUBLICATION_MODEREE, "EPINGLEE"): _("a épinglé une publication"),
    (Acte.PUBLICATION_MODEREE, "DESEPINGLEE"): _("n'épingle plus une publication"),
    (Acte.PUBLICATION_MODEREE, "SUPPRIMEE"): _("a supprimé la publication d'autrui"),
    (Acte.PUBLICATION_MODEREE, "SUPPRIME"): _("a supprimé le commentaire d'autrui"),
    (Acte.PUBLICATION_MODEREE, "RELUE"): _("a relu une publication signalée, sans rien y changer"),
    (Acte.PUBLICATION_MODEREE, "RELU"): _("a relu un commentaire signalé, sans rien y changer"),
    Acte.PUBLICATION_MODEREE: _("a modéré une publication"),
    (Acte.MOT_SURVEILLE_CHANGE, "AJOUTE"): _("a ajouté un mot surveillé"),
    (Acte.MOT_SURVEILLE_CHANGE, "RETIRE"): _("a retiré un mot surveillé"),
    Acte.MOT_SURVEILLE_CHANGE: _("a changé un mot surveillé"),
    (Acte.EVENEMENT_CHANGE, "CREE"): _("a créé un événement du calendrier"),
    (Acte.EVENEMENT_CHANGE, "ANNULE"): _("a annulé un événement du calendrier"),
    (Acte.EVENEMENT_CHANGE, "CHANGE"): _("a changé un événement du calendrier"),
    Acte.EVENEMENT_CHANGE: _("a changé un événement du calendrier"),
    Acte.INSCRIPTION_CHANGEE: _("a changé l'inscription de quelqu'un à un événement"),
    Acte.PERSONNE_EFFACEE: _("a effacé une personne"),
    Acte.REGLAGES_CHANGES: _("a démarré avec d'autres réglages"),
    Acte.SAUVEGARDE_REMISE: _("a remis une sauvegarde"),
    (Acte.REGISTRE_CONSULTE, DOSSIER): _("a consulté ce registre sur le dossier {objet}"),
    (Acte.REGISTRE_CONSULTE, COMPTE): _("a consulté ce registre sur le compte de {objet}"),
    Acte.REGISTRE_CONSULTE: _("a consulté ce registre"),
    Acte.JOURNAL_CONSULTE: _("a consulté le journal de l'administration"),
    Acte.REGISTRE_PURGE: _("a retiré les lignes les plus anciennes de ce registre"),
}
# What one list has shown of several cases is one line: `{n}` is how many.
ENSEMBLES: dict[str, Any] = {
    Acte.SIGNALEMENT_MONTRE: _("a vu {n} dossiers dans une liste"),
    Acte.FICHIER_MONTRE: _("a vu dans une liste des pièces de {n} dossiers"),
}
# Left out until they are asked for: what pages do by themselves, many lines for one look.
REPLIES = (Acte.SIGNALEMENT_MONTRE, Acte.FICHIER_MONTRE, Acte.CANAL_ECOUTE)

QUELQU_UN, LE_SERVICE, QUI_EXPLOITE = _("Quelqu'un"), _("Le service"), _("Qui exploite le service")
SANS_NOM: dict[str, Any] = {
    **dict.fromkeys((Acte.REGLAGES_CHANGES, Acte.REGISTRE_PURGE, Acte.DOSSIERS_EFFACES, Acte.GEL_CHANGE), LE_SERVICE),
    **dict.fromkeys((Acte.PERSONNE_EFFACEE, Acte.SAUVEGARDE_REMISE, Acte.COMPTE_CREE), QUI_EXPLOITE),
    **dict.fromkeys((Acte.MOT_DE_PASSE_IMPOSE, Acte.SECOND_FACTEUR_REINITIALISE), QUI_EXPLOITE),
}

# « À relire »: what goes out, who is given rights or loses a protection, what does not come back.
A_RELIRE = frozenset(
    {
        Acte.EXPORT_DEMANDE,
        Acte.EXPORT_OUVERT,
        Acte.EXPORT_TELECHARGE,
        Acte.LECTEURS_CHANGES,
        Acte.EQUIPE_CHANGEE,
        Acte.OUVERTURE_MOTIVEE,
        Acte.EQUIPE_DEFINIE,
        Acte.MEMBRE_CHANGE,
        Acte.ROUTAGE_CHANGE,
        Acte.ROLE_CHANGE,
        Acte.COMPTE_CREE,
        Acte.COMPTE_REACTIVE,
        Acte.INVITATION_ENVOYEE,
        Acte.MOT_DE_PASSE_IMPOSE,
        Acte.SECOND_FACTEUR_RETIRE,
        Acte.SECOND_FACTEUR_REINITIALISE,
        Acte.ADRESSE_CONTESTEE,
        Acte.FICHIER_SUPPRIME,
        Acte.DOSSIERS_EFFACES,
        Acte.PERSONNE_EFFACEE,
        Acte.SAUVEGARDE_REMISE,
        Acte.REGLAGES_CHANGES,
        Acte.REGISTRE_PURGE,
    }
)
# The same, of a case that some of the team may not read.
LECTURES = frozenset({Acte.SIGNALEMENT_OUVERT, Acte.DISCUSSION_OUVERTE, Acte.FICHIER_OUVERT, Acte.LECTEURS_CONSULTES})

# Name of a detail -> its words; of one that is not here, the name as it is stored.
DETAILS: dict[str, Any] = {
    "part": _("Liste"),
    "search": _("Recherche"),
    "statut": _("Statut"),
    "priorite": _("Priorité"),
    "type": _("Type"),
    "gestionnaireId": _("Suivi par"),
    "sourceActeur": _("Qui signale"),
    "nonLus": _("Non lus"),
    "debut": _("Du"),
    "fin": _("Au"),
    "acte": _("Acte"),
    "acteurId": _("Qui"),
    "objetId": _("Dossier ou objet"),
    "format": _("Format"),
    "role": _("Rôle"),
    "champs": _("Champs"),
    "facteur": _("Preuve"),
    "acces": _("Accès"),
    "motif": _("Motif"),
    "ecartes": _("Personnes écartées"),
    "demandeePar": _("Demandée par"),
    "restants": _("Codes restants"),
    "nombre": _("Nombre"),
    "references": _("Références"),
    "fichier": _("Fichier"),
    "commentaire": _("Commentaire"),
    "participation": _("Inscription"),
    "canal": _("Canal"),
    "categorie": _("Catégorie"),
    "compte": _("Compte"),
    "avant": _("Avant"),
    "apres": _("Après"),
    "table": _("Table"),
    "criteres": _("Critères"),
    "entree": _("Entrée"),
    "quoi": _("Changement"),
    "date": _("Date"),
    "version": _("Version"),
    "rejoue": _("Rejoué après une restauration"),
    "jusque": _("Jusqu'au sceau"),
    "preuve": _("Preuve"),
}
# What the team writes by forms, whose columns and tables a line names; of two words for one column, the last holds.
_ECRITS = (
    *(EvenementCampus, Faq, ContactUrgence, ModeleDeReponse, Orientation),
    *(Equipe, RegleDeRoutage, Delai, JourFerme, Compte),
)
_COLONNES = {champ.attname: champ.verbose_name for modele in _ECRITS for champ in modele._meta.concrete_fields}
_TABLES = {str(modele._meta.model_name): modele._meta.verbose_name for modele in _ECRITS}
# Name of a detail whose values are codes -> their words.
VALEURS: dict[str, dict[Any, Any]] = {
    "part": VUES,
    "acces": {"espace": _("par l'espace de l'équipe"), "jeton": _("par l'API")},
    "nonLus": {"true": _("oui"), "false": _("non")},
    "gestionnaireId": {AUCUN: _("Personne")},
    "statut": {**dict(StatutInvite.choices), **dict(Statut.choices)},
    "priorite": dict(Priorite.choices),
    "sourceActeur": dict(SOURCES),
    "acte": dict(Acte.choices),
    "role": dict(Role.choices),
    "facteur": dict(Facteur.choices),
    "champs": {**_COLONNES, "active": _("en service"), "email_en_attente": _("nouvelle adresse")},
    "table": _TABLES,
    "motif": {
        "motDePasse": _("mot de passe faux"),
        "otp": _("code faux"),
        "desactive": _("compte désactivé"),
        "enrolement": _("second facteur à activer"),
    },
    "canal": {"dashboard": _("le tableau de bord"), "signalements": _("tous les dossiers")},
    "changement": {**dict(Role.choices), **dict(StatutParticipation.choices)},
}
# Details that are ids of accounts, shown by their names.
PERSONNES = ("ecartes", "admis", "compte", "demandeePar", "gestionnaireId", "acteurId")
# Details that are ids of what has its page in the administration.
LIENS = {
    "fichier": "admin:resources_fichier_change",
    "commentaire": "admin:forum_commentaire_change",
    "participation": "admin:calendrier_participation_change",
}
# Details for programs alone: ids that no page leads from, and what the sentence says in words.
TUS = ("regle", "minutes", "discussion")
# Details that tell acts of one kind apart: where the sentence says them, its details do not again.
DISTINCTIFS = ("quoi", "gele", "ouverture")

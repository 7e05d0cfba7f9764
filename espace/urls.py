from django.urls import path
from django.views.generic import RedirectView

from espace.pages import (
    actes,
    compte,
    dossier,
    exporter,
    garde,
    lecteurs,
    liste,
    lot,
    membre,
    membres,
    registre,
    second_facteur,
    tableau,
)

app_name = "espace"
UN = "dossiers/<uuid:dossier_id>/"
urlpatterns = [
    path("", RedirectView.as_view(pattern_name="espace:liste")),
    path("dossiers/", liste.Liste.as_view(), name="liste"),
    path("bientot-effaces/", garde.BientotEffaces.as_view(), name="bientot_effaces"),
    path("tableau/", tableau.TableauDeBord.as_view(), name="tableau"),
    path("exporter/", exporter.Exporter.as_view(), name="exporter"),
    path("exports/<uuid:export_id>/", exporter.UnExport.as_view(), name="export"),
    path("registre/", registre.Registre.as_view(), name="registre"),
    path("membres/", membres.Membres.as_view(), name="membres"),
    path("membres/<uuid:membre_id>/", membre.Membre.as_view(), name="membre"),
    path("membres/invitations/<uuid:invitation_id>/", membres.GererUneInvitation.as_view(), name="invitation"),
    path("connexion/", second_facteur.PageDuCode.as_view(), name="connexion"),
    path("compte/", compte.LeCompte.as_view(), name="compte"),
    path("second-facteur/", second_facteur.SecondFacteur.as_view(), name="second_facteur"),
    path("filtres/", liste.GarderUnFiltre.as_view(), name="filtres"),
    path("confier/", lot.Confier.as_view(), name="confier"),
    path("raccourcis/", liste.ChoisirLesRaccourcis.as_view(), name="raccourcis"),
    path(UN, dossier.Dossier.as_view(), name="dossier"),
    path(f"{UN}imprimer/", dossier.Imprimer.as_view(), name="imprimer"),
    path(f"{UN}statut/", actes.ChangerStatut.as_view(), name="statut"),
    path(f"{UN}priorite/", actes.ChangerPriorite.as_view(), name="priorite"),
    path(f"{UN}assigner/", actes.Assigner.as_view(), name="assigner"),
    path(f"{UN}lecteurs/", lecteurs.Lecteurs.as_view(), name="lecteurs"),
    path(f"{UN}gel/", garde.Gel.as_view(), name="gel"),
    path(f"{UN}notes/", actes.Noter.as_view(), name="noter"),
    path(f"{UN}messages/", actes.Repondre.as_view(), name="repondre"),
    path(f"{UN}lus/", actes.Lus.as_view(), name="lus"),
    path(f"{UN}fichier/", dossier.AjouterUnFichier.as_view(), name="fichier"),
    path("fichiers/envoyer/", dossier.Envoyer.as_view(), name="envoyer"),
    path("fichiers/<uuid:file_id>/", dossier.Fichier.as_view(), name="piece"),
]

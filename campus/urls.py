from django.urls import path

from campus.pages import accueil, ajout, calendrier, documents, evenement, forum, publication

app_name = "campus"
urlpatterns = [
    path("", accueil.Accueil.as_view(), name="accueil"),
    path("calendrier/", calendrier.Mois.as_view(), name="calendrier"),
    path("calendrier/<int:annee>/<int:mois_>/", calendrier.Mois.as_view(), name="mois"),
    path("calendrier/liste/", calendrier.Liste.as_view(), name="liste"),
    path("calendrier/inscriptions/", calendrier.Inscriptions.as_view(), name="inscriptions"),
    path("calendrier/abonnement/", evenement.Abonnement.as_view(), name="abonnement"),
    path("calendrier/<uuid:evenement_id>/", evenement.Evenement.as_view(), name="evenement"),
    path("calendrier/<uuid:evenement_id>/inscription/", evenement.SInscrire.as_view(), name="s_inscrire"),
    path("calendrier/<uuid:evenement_id>/desinscription/", evenement.SeDesinscrire.as_view(), name="se_desinscrire"),
    path("calendrier/<uuid:evenement_id>/evenement.ics", evenement.FichierDAgenda.as_view(), name="ics"),
    path("documents/", documents.Documents.as_view(), name="documents"),
    path("documents/ajouter/", ajout.Ajouter.as_view(), name="ajouter_un_document"),
    path("documents/envoyer/", ajout.Envoyer.as_view(), name="envoyer_un_document"),
    path("documents/<uuid:ressource_id>/supprimer/", ajout.Supprimer.as_view(), name="supprimer_un_document"),
    path("documents/<uuid:ressource_id>/fichier/", documents.PieceDeLaBibliotheque.as_view(), name="piece"),
    path("forum/", forum.Forum.as_view(), name="forum"),
    path("forum/ecrire/", publication.Ecrire.as_view(), name="ecrire_au_forum"),
    path("forum/<uuid:poste_id>/", publication.Publication.as_view(), name="publication"),
    path("forum/<uuid:poste_id>/repondre/", publication.Repondre.as_view(), name="repondre_au_forum"),
    path("forum/<uuid:poste_id>/reagir/", publication.Reagir.as_view(), name="reagir"),
    path("forum/<uuid:poste_id>/supprimer/", publication.Supprimer.as_view(), name="supprimer_publication"),
    path(
        "forum/<uuid:poste_id>/reponses/<uuid:commentaire_id>/supprimer/",
        publication.SupprimerLaReponse.as_view(),
        name="supprimer_reponse",
    ),
    path("forum/<uuid:poste_id>/signaler/", publication.Signaler.as_view(), name="signaler_publication"),
    path(
        "forum/<uuid:poste_id>/reponses/<uuid:commentaire_id>/signaler/",
        publication.SignalerLaReponse.as_view(),
        name="signaler_reponse",
    ),
    path(
        "forum/<uuid:poste_id>/fichiers/<uuid:fichier_id>/",
        publication.PieceDePublication.as_view(),
        name="piece_de_publication",
    ),
]

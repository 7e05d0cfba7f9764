from django.urls import path

from portail.pages import accueil, compte, dossiers, ecrire, fichiers, retour, sortie

app_name = "portail"
urlpatterns = [
    path("", accueil.Accueil.as_view(), name="accueil"),
    path("aide/", accueil.Aide.as_view(), name="aide"),
    path("securite/", accueil.Securite.as_view(), name="securite"),
    path("qui-lit/", accueil.QuiLit.as_view(), name="qui_lit"),
    path("langue/", accueil.Langue.as_view(), name="langue"),
    path("ecrire/", ecrire.Avant.as_view(), name="ecrire"),
    path("ecrire/faits/", ecrire.Faits.as_view(), name="faits"),
    path("ecrire/details/", ecrire.Details.as_view(), name="details"),
    path("ecrire/numero/", ecrire.Numero.as_view(), name="numero"),
    path("ecrire/verifier/", ecrire.Verifier.as_view(), name="verifier"),
    path("recu/", retour.Recu.as_view(), name="recu"),
    path("recu/verifier/", retour.VerifierLeCode.as_view(), name="recu_verifier"),
    path("retrouver/", retour.Retrouver.as_view(), name="retrouver"),
    path("dossiers/", dossiers.Dossiers.as_view(), name="dossiers"),
    path("dossiers/<int:rang>/", dossiers.Dossier.as_view(), name="dossier"),
    path("dossiers/<int:rang>/repondre/", dossiers.Repondre.as_view(), name="repondre"),
    path("dossiers/<int:rang>/lus/", dossiers.Lus.as_view(), name="lus"),
    path("dossiers/<int:rang>/fichier/", fichiers.AjouterUnFichier.as_view(), name="fichier"),
    path("fichiers/envoyer/", fichiers.Envoyer.as_view(), name="envoyer"),
    path("fichiers/<uuid:file_id>/", fichiers.Fichier.as_view(), name="piece"),
    path("acces/", retour.MonAcces.as_view(), name="acces"),
    path("acces/terminer/", retour.Terminer.as_view(), name="terminer"),
    path("acces/code/", retour.ChangerDeCode.as_view(), name="code"),
    path("acces/ailleurs/", retour.FermerAilleurs.as_view(), name="ailleurs"),
    path("compte/connexion/", compte.Connexion.as_view(), name="connexion"),
    path("compte/inscription/", compte.Inscription.as_view(), name="inscription"),
    path("compte/oubli/", compte.Oubli.as_view(), name="oubli"),
    path("quitter/", sortie.Quitter.as_view(), name="quitter"),
    path("quitter/suite/", sortie.Suite.as_view(), name="suite"),
]

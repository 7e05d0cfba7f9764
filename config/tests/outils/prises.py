"""Every page and state that is looked at, in one list: by `make pictures`, and by a browser test with axe.

Who looks comes first, in an order where nobody's acts take away what another has to see.
"""

from collections.abc import Callable
from typing import NamedTuple

from playwright.sync_api import Page

from demo.textes import ADMIN, ETUDIANTE, GESTIONNAIRE, MOT_DE_PASSE, Personne
from portail.tests.navigateur import continuer, signaler

DOSSIERS, MEMBRES, AIDE = "/equipe/dossiers/", "/equipe/membres/", "/admin/resources/faq/"
UN_DOSSIER, UN_MEMBRE, UNE_LIGNE = "#lignes h3 a", ".membres a", "#result_list tbody th a"
EQUIPES, UNE_EQUIPE, UNE_OUVERTURE = "/equipe/equipes/", ".membres a", ".membres a[href$='/ouverture/']"
UN_EVENEMENT, UNE_PUBLICATION = ".agenda h3 a", ".fil h2 a"


class Prise(NamedTuple):
    """A page, and what is done there before it is looked at."""

    nom: str
    adresse: str
    lien: str = ""  # the first that this selector finds leads to the page
    puis: str = ""  # the first that this one finds there leads on
    suite: str = ""  # of the address of the last link
    bouton: str = ""  # pressed there

    def ouvrir(self, page: Page) -> None:
        page.goto(self.adresse)
        liens = [lien for lien in (self.lien, self.puis) if lien]
        for lien in liens:
            suite = self.suite if lien == liens[-1] else ""
            page.goto(page.locator(lien).first.evaluate("un => un.href.split('?')[0]") + suite)
        if self.bouton:
            continuer(page, self.bouton)
        page.evaluate("scrollTo(0, 0)")


def _rien(page: Page) -> None:
    """Somebody without anything here."""


def _au_portail(page: Page) -> None:
    page.goto("/compte/connexion/")
    page.get_by_label("Adresse e-mail").fill(ETUDIANTE.email)
    page.get_by_label("Mot de passe").fill(MOT_DE_PASSE)
    continuer(page, "Se connecter")


def _avec_un_dossier_a_rattacher(page: Page) -> None:
    signaler(page)
    page.goto("/rattacher/connexion/")
    page.get_by_label("Adresse e-mail").fill(ETUDIANTE.email)
    page.get_by_label("Mot de passe").fill(MOT_DE_PASSE)
    continuer(page)


def _a_l_equipe(qui: Personne) -> Callable[[Page], None]:
    def entrer(page: Page) -> None:
        page.goto("/admin/")
        page.get_by_label("E-mail").fill(qui.email)
        page.get_by_label("Mot de passe").fill(MOT_DE_PASSE)
        with page.expect_navigation():
            page.get_by_role("button", name="Se connecter").click()

    return entrer


def _signaler(page: Page) -> None:
    signaler(page)


PERSONNE = [
    Prise("composants", "/composants/"),
    Prise("portail-accueil", "/"),
    Prise("portail-aide", "/aide/"),
    Prise("portail-securite", "/securite/"),
    Prise("portail-accessibilite", "/accessibilite/"),
    Prise("portail-qui-lit", "/qui-lit/"),
    Prise("portail-confidentialite", "/confidentialite/"),
    Prise("portail-mentions", "/mentions-legales/"),
    Prise("portail-droits", "/mes-droits/"),
    Prise("portail-ecrire", "/ecrire/"),
    Prise("portail-faits", "/ecrire/faits/"),
    Prise("portail-faits-refuses", "/ecrire/faits/", bouton="Continuer"),
    Prise("portail-details", "/ecrire/details/"),
    Prise("portail-retrouver", "/retrouver/"),
    Prise("portail-retrouver-refuse", "/retrouver/", bouton="Ouvrir mon espace"),
    Prise("portail-sans-acces", "/dossiers/"),
    Prise("portail-connexion", "/compte/connexion/"),
    Prise("portail-connexion-refusee", "/compte/connexion/", bouton="Se connecter"),
    Prise("portail-inscription", "/compte/inscription/"),
    Prise("portail-oubli", "/compte/oubli/"),
    Prise("portail-oubli-envoye", "/compte/oubli/?envoye"),
    Prise("pages-lien-mort", "/invitation?token=x"),
    Prise("pages-e-mail-mort", "/confirmer-e-mail?token=x"),
    Prise("pages-oubli", "/mot-de-passe-oublie"),
    Prise("equipe-sans-acces", DOSSIERS),
    Prise("admin-connexion", "/admin/login/"),
    Prise("admin-connexion-refusee", "/admin/login/", bouton="Se connecter"),
]
INVITEE = [
    Prise("portail-recu", "/recu/"),
    Prise("portail-recu-verifier", "/recu/verifier/"),
    Prise("portail-recu-refuse", "/recu/verifier/", bouton="Vérifier"),
    Prise("portail-dossiers", "/dossiers/"),
    Prise("portail-dossier", "/dossiers/1/"),
    Prise("portail-dossier-refuse", "/dossiers/1/", bouton="Envoyer"),
    Prise("portail-fichier", "/dossiers/1/fichier/"),
    Prise("portail-fichier-refuse", "/dossiers/1/fichier/", bouton="Envoyer"),
    Prise("portail-verifier", "/ecrire/verifier/"),
    Prise("portail-ne-pas-montrer", "/ecrire/lecteurs/"),
    Prise("portail-lecteurs", "/dossiers/1/lecteurs/"),
    Prise("portail-acces", "/acces/"),
    Prise("portail-code", "/acces/code/"),
    Prise("portail-garder", "/acces/garder/"),
    Prise("portail-prevenir", "/acces/prevenir/"),
    Prise("portail-prevenir-refuse", "/acces/prevenir/", bouton="Me prévenir"),
    Prise("portail-terminer", "/acces/terminer/"),
    Prise("portail-rattacher", "/rattacher/"),
    Prise("portail-rattacher-connexion", "/rattacher/connexion/"),
    Prise("portail-rattacher-inscription", "/rattacher/inscription/"),
]
ETUDIANT = [
    Prise("campus-acces", "/acces/"),
    Prise("campus-compte", "/compte/"),
    Prise("campus-prevenir", "/acces/prevenir/"),
    Prise("campus-accueil", "/campus/"),
    Prise("campus-mois", "/campus/calendrier/"),
    Prise("campus-mois-vide", "/campus/calendrier/2031/2/"),
    Prise("campus-liste", "/campus/calendrier/liste/"),
    Prise("campus-inscriptions", "/campus/calendrier/inscriptions/"),
    Prise("campus-abonnement", "/campus/calendrier/abonnement/"),
    Prise("campus-evenement", "/campus/calendrier/liste/", lien=UN_EVENEMENT),
    Prise("campus-documents", "/campus/documents/"),
    Prise("campus-documents-rien", "/campus/documents/?search=zzz"),
    Prise("campus-forum", "/campus/forum/"),
    Prise("campus-forum-rien", "/campus/forum/?search=zzz"),
    Prise("campus-ecrire", "/campus/forum/ecrire/"),
    Prise("campus-ecrire-refuse", "/campus/forum/ecrire/", bouton="Publier"),
    Prise("campus-publication", "/campus/forum/", lien=UNE_PUBLICATION),
    Prise("campus-preuve", "/compte/preuve/"),
]
RATTACHEE = [
    Prise("portail-apercu", "/rattacher/apercu/"),
    Prise("portail-rattache", "/rattacher/apercu/", bouton="Rattacher à mon compte"),
]
EQUIPE = [
    Prise("composants-equipe", "/composants/equipe/"),
    Prise("equipe-a-faire", DOSSIERS),
    Prise("equipe-ouverts", f"{DOSSIERS}?vue=ouverts"),
    Prise("equipe-clos", f"{DOSSIERS}?vue=clos"),
    Prise("equipe-rien", f"{DOSSIERS}?search=rien+du+tout"),
    Prise("equipe-filtre-refuse", f"{DOSSIERS}?statut=X"),
    Prise("equipe-dossier", DOSSIERS, lien=UN_DOSSIER),
    Prise("equipe-reponse-refusee", DOSSIERS, lien=UN_DOSSIER, bouton="Envoyer à qui a signalé"),
    Prise("equipe-modele-refuse", DOSSIERS, lien=UN_DOSSIER, bouton="Insérer"),
    Prise("equipe-fichier", DOSSIERS, lien=UN_DOSSIER, suite="fichier/"),
    Prise("equipe-lecteurs", DOSSIERS, lien=UN_DOSSIER, suite="lecteurs/"),
    Prise("equipe-retrait", DOSSIERS, lien=UN_DOSSIER, suite="retrait/"),
    Prise("equipe-confier", DOSSIERS, lien=UN_DOSSIER, suite="equipe/"),
    Prise("equipe-confier-refuse", DOSSIERS, lien=UN_DOSSIER, suite="equipe/", bouton="Confier"),
    Prise("equipe-dates", DOSSIERS, lien=UN_DOSSIER, suite="dates/"),
    Prise("equipe-dates-refuse", DOSSIERS, lien=UN_DOSSIER, suite="dates/", bouton="Prolonger, une seule fois"),
    Prise("equipe-gel", DOSSIERS, lien=UN_DOSSIER, suite="gel/"),
    Prise("equipe-imprimer", DOSSIERS, lien=UN_DOSSIER, suite="imprimer/"),
    Prise("equipe-inconnu", f"{DOSSIERS}5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f/"),
    Prise("equipe-bientot-effaces", "/equipe/bientot-effaces/"),
    Prise("equipe-tableau", "/equipe/tableau/"),
    Prise("equipe-tableau-vide", "/equipe/tableau/?debut=2020-02-01&fin=2020-02-02"),
    Prise("equipe-membres", MEMBRES),
    Prise("equipe-equipes", EQUIPES),
    Prise("equipe-equipe", EQUIPES, lien=UNE_EQUIPE),
    Prise("equipe-avis", "/equipe/avis/"),
    Prise("equipe-compte", "/equipe/compte/"),
    Prise("equipe-second-facteur", "/equipe/second-facteur/"),
    Prise("equipe-second-facteur-refuse", "/equipe/second-facteur/", bouton="Commencer"),
]
ADMINISTRATRICE = [
    Prise("equipe-courriels", "/equipe/courriels/"),
    Prise("equipe-delais", "/equipe/delais/"),
    Prise("equipe-registre", "/equipe/registre/"),
    Prise("equipe-registre-rien", "/equipe/registre/?objetId=5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"),
    Prise("equipe-inviter-refuse", MEMBRES, bouton="Envoyer l’invitation"),
    Prise("equipe-membre", MEMBRES, lien=UN_MEMBRE),
    Prise("equipe-definir-refuse", EQUIPES, bouton="Définir l’équipe"),
    Prise("equipe-equipe-gerer", EQUIPES, lien=UNE_EQUIPE),
    Prise("equipe-ouverture", EQUIPES, lien=UNE_EQUIPE, puis=UNE_OUVERTURE),
    Prise("equipe-ouverture-refusee", EQUIPES, lien=UNE_EQUIPE, puis=UNE_OUVERTURE, bouton="Ouvrir le dossier"),
    Prise("equipe-noms", "/equipe/noms/"),
    Prise("equipe-routage", "/equipe/routage/"),
    Prise("equipe-routage-essai", "/equipe/routage/?type=DISCRIMINATION&bureau_genre_id="),
    Prise("equipe-regle", "/equipe/routage/", lien=UNE_EQUIPE),
    Prise("equipe-regle-refusee", "/equipe/routage/", bouton="Ajouter la règle"),
    Prise("equipe-depart", MEMBRES, lien=UN_MEMBRE, suite="?depart=oui&repreneurId="),
    Prise("admin-accueil", "/admin/"),
    Prise("admin-liste", AIDE),
    Prise("admin-liste-vide", f"{AIDE}?q=zzz"),
    Prise("admin-ajouter", f"{AIDE}add/"),
    Prise("admin-ajouter-refuse", f"{AIDE}add/", bouton="Enregistrer et continuer les modifications"),
    Prise("admin-changer", AIDE, lien=UNE_LIGNE),
    Prise("admin-historique", AIDE, lien=UNE_LIGNE, suite="../history/"),
    Prise("admin-supprimer", AIDE, lien=UNE_LIGNE, suite="../delete/"),
    Prise("admin-modeles", "/admin/reponses/modeledereponse/"),
    Prise("admin-modele", "/admin/reponses/modeledereponse/", lien=UNE_LIGNE),
    Prise("admin-orientation", "/admin/reponses/orientation/", lien=UNE_LIGNE),
    Prise("admin-comptes", "/admin/accounts/compte/"),
    Prise("admin-compte", "/admin/accounts/compte/", lien=UNE_LIGNE),
    Prise("admin-publications", "/admin/forum/poste/"),
    Prise("admin-publication", "/admin/forum/poste/", lien=UNE_LIGNE),
    Prise("admin-evenement", "/admin/calendrier/evenementcampus/", lien=UNE_LIGNE),
    Prise("admin-mot-de-passe", "/admin/password_change/"),
]
# Who looks, how they come in, what they look at.
PRISES: list[tuple[Callable[[Page], None], list[Prise]]] = [
    (_rien, PERSONNE),
    (_signaler, INVITEE),
    (_au_portail, ETUDIANT),
    (_a_l_equipe(GESTIONNAIRE), EQUIPE),
    (_a_l_equipe(ADMIN), ADMINISTRATRICE),
    (_avec_un_dossier_a_rattacher, RATTACHEE),
]

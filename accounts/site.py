"""The admin site: the team's place to work in."""

from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.admin.templatetags import admin_list
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from accounts.appareils import connait, reconnaitre, retenir
from accounts.authentication import a_prouve, mettre_en_attente, noter_le_mot_de_passe
from accounts.models import Compte
from accounts.services.comptes import imposer_mot_de_passe
from accounts.services.sessions import a_un_second_facteur
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.droits import Droit
from socle.erreurs import TropDeRequetes
from socle.pages.langue import poser_la_langue

# The sections of the first page in the order of an administrator's work, and their tables where Django's order, by
# the alphabet, is not that one.
SECTIONS = {
    "forum": ("DemandeDeRelecture", "Poste", "Commentaire", "MotSurveille"),
    "calendrier": ("EvenementCampus", "Participation"),
    "reponses": ("ModeleDeReponse", "Orientation"),
    "echeances": ("Delai", "JourFerme"),
    "equipes": ("Equipe", "RegleDeRoutage"),
    "resources": ("Faq", "ContactUrgence", "Ressource", "Fichier"),
    "guests": (),
    "accounts": (),
    "stats": (),
    "admin": (),
}

# The first page: what somebody comes to do, and the tables where it is done, each with what for.
QUE_FAIRE: tuple[tuple[Any, dict[str, Any]], ...] = (
    (
        _("Répondre aux questions"),
        {
            "resources.Faq": _("Écrire les questions de l'aide, « Qui lit ? » et les pages que la loi demande."),
            "resources.ContactUrgence": _("Tenir à jour les numéros que l'on appelle en danger."),
            "reponses.ModeleDeReponse": _("Préparer les réponses que l'équipe écrit souvent."),
            "reponses.Orientation": _("Dire, selon ce qui est arrivé, qui appeler, quoi garder, où être reçu."),
        },
    ),
    (
        _("Tenir les délais"),
        {
            "echeances.Delai": _("Choisir dans quels temps quelque chose est promis sur un dossier."),
            "echeances.JourFerme": _("Noter les jours où le campus est fermé : ils ne sont pas ouvrés."),
        },
    ),
    (
        _("Animer le campus"),
        {
            "calendrier.EvenementCampus": _("Annoncer un événement, le changer, l'annuler."),
            "calendrier.Participation": _("Voir qui vient, confirmer une inscription ou la retirer."),
            "forum.DemandeDeRelecture": _("Relire ce que quelqu'un a signalé sur le forum, et décider."),
            "forum.Poste": _("Approuver, rejeter ou épingler ce qui est publié."),
            "forum.Commentaire": _("Lire les commentaires, retirer celui qui blesse."),
            "forum.MotSurveille": _("Choisir les mots qu'une publication ne peut pas contenir."),
        },
    ),
    (
        _("Documents"),
        {
            "resources.Ressource": _("Retirer ou rétablir ce que la bibliothèque donne à lire."),
            "resources.Fichier": _("Retrouver un fichier envoyé, le supprimer, le rétablir."),
            "stats.Export": _("Retrouver les exports demandés, et par qui."),
        },
    ),
    (
        _("Comptes et sécurité"),
        {
            "accounts.Compte": _("Changer un nom, une adresse, un rôle ; désactiver ou réactiver un compte."),
            "equipes.Equipe": _("Voir qui lit quels dossiers ; on le change dans l'espace."),
            "equipes.RegleDeRoutage": _("Voir où vont les nouveaux dossiers ; on le change dans l'espace."),
            "accounts.Invitation": _("Voir qui fut invité, et ce qu'il en est advenu."),
            "accounts.Session": _("Voir d'où un compte est connecté, et fermer une session."),
            "guests.SessionInvitee": _("Fermer ou rouvrir l'accès de qui signale sans compte."),
            "admin.LogEntry": _("Relire ce qui fut changé dans l'administration."),
        },
    ),
)


def icone(valeur: bool | None) -> str:
    """A boolean as Django draws it, but read aloud in words: Django's own says "True"."""
    nom, texte = {True: ("yes", _("oui")), False: ("no", _("non")), None: ("unknown", _("inconnu"))}[valeur]
    return format_html('<img src="{}" alt="{}">', static(f"admin/img/icon-{nom}.svg"), texte)


admin_list._boolean_icon = icone  # type: ignore[attr-defined]  # Django has no setting for it


def _rang(noms: tuple[str, ...], nom: str) -> int:
    return noms.index(nom) if nom in noms else len(noms)


def que_faire(sections: list[dict[str, Any]]) -> list[tuple[Any, list[tuple[dict[str, Any], Any]]]]:
    """Group the tables of `get_app_list` by purpose, `(title, [(table, sentence)])`; what no group names comes last."""
    tables = {
        f"{section['app_label']}.{table['object_name']}": table for section in sections for table in section["models"]
    }
    groupes = [
        (titre, [(tables.pop(nom), phrase) for nom, phrase in phrases.items() if nom in tables])
        for titre, phrases in QUE_FAIRE
    ]
    autres = [(table, "") for table in tables.values()]
    return [(titre, les_siennes) for titre, les_siennes in [*groupes, (_("Autres"), autres)] if les_siennes]


class CodeAttendu(Exception):
    """The password is right, and the account has a second factor."""

    def __init__(self, compte: Compte) -> None:
        super().__init__()
        self.compte = compte


class FormulaireConnexion(AdminAuthenticationForm):
    """Login form that shows the wait of a 429, and nothing about the password; keeps the refusal in `refus`.

    CodeAttendu where a code is asked too: the form never signs in whoever has a second factor.
    """

    refus: TropDeRequetes | None = None
    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": _("E-mail ou mot de passe incorrect, ou compte qui n'est pas de l'équipe."),
    }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.is_bound:  # the summary of its faults takes the focus
            self.fields["username"].widget.attrs.pop("autofocus", None)

    def clean(self) -> dict[str, Any]:
        try:
            donnees = super().clean()
        except TropDeRequetes as refus:
            self.refus = refus
            raise ValidationError(str(refus.message), code="trop") from refus
        compte: Any = self.get_user()
        if compte is not None and a_un_second_facteur(compte):
            raise CodeAttendu(compte)
        return donnees


class _MotDePasseDe(forms.PasswordInput):
    """With the name of its account beside it, for what keeps passwords."""

    def __init__(self, email: str, attrs: Any) -> None:
        self._email = email
        super().__init__(attrs)

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        compte = format_html('<input type="text" autocomplete="username" value="{}" readonly hidden>', self._email)
        return compte + super().render(name, value, attrs, renderer)


class FormulaireNouveauMotDePasse(AdminPasswordChangeForm):
    """Set the password through the service: the account's sessions end, as over the API."""

    def __init__(self, user: Any, *args: Any, **options: Any) -> None:
        super().__init__(user, *args, **options)
        champ = self.fields["old_password"]
        champ.widget = _MotDePasseDe(user.email, champ.widget.attrs)

    def save(self, commit: bool = True) -> Any:
        choisi = self.cleaned_data["new_password1"]
        imposer_mot_de_passe(compte=self.user, nouveau_mot_de_passe=choisi, acteur=ActeurCompte(compte=self.user))
        return self.user


class EspaceEquipe(AdminSite):
    site_header = _("Espace de l'équipe")
    index_title = _("Administration")
    login_form = FormulaireConnexion
    logout_template = "pages/deconnexion.html"

    def each_context(self, request: Any) -> dict[str, Any]:
        """Context of the frame of every page; the team's places, as its workspace shows them."""
        contexte = super().each_context(request)
        compte: Any = request.user
        lit = contexte["has_permission"] and ActeurCompte(compte=compte).peut(Droit.REGISTRE_CONSULTER)
        return {**contexte, "lit_le_registre": lit, "site_title": settings.PORTAIL_NOM}

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Run the view and its rendering in the campus time zone, in which dates are shown and typed."""
        vue = super().admin_view(view, cacheable)
        sortie = never_cache(view) if view == self.logout else None

        @wraps(vue)
        def a_l_heure_du_campus(request: HttpRequest, *args: Any, **options: Any) -> Any:
            with timezone.override(settings.TIME_ZONE_CAMPUS):
                # Whoever must enrol first may also leave, which Django keeps for those it lets in.
                reponse = (sortie if sortie and self.doit_s_enroler(request) else vue)(request, *args, **options)
                return reponse.render() if isinstance(reponse, SimpleTemplateResponse) else reponse

        return a_l_heure_du_campus

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not self.doit_s_enroler(request)

    def doit_s_enroler(self, request: HttpRequest) -> bool:
        """True for staff who are signed in without the second factor that the service asks them for."""
        compte: Any = request.user
        return compte.is_authenticated and compte.doit_un_second_facteur(prouve=a_prouve(request))

    def get_app_list(self, request: HttpRequest, app_label: Any = None) -> Any:
        """Sort the sections and their tables by `SECTIONS`; what it does not name keeps its place after the rest."""
        sections = super().get_app_list(request, app_label)
        for section in sections:
            tables = SECTIONS.get(section["app_label"], ())
            section["models"].sort(key=lambda table, tables=tables: _rang(tables, table["object_name"]))
        return sorted(sections, key=lambda section: _rang(tuple(SECTIONS), section["app_label"]))

    def index(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """The first page, by what it is for: the tables that this person may open, none of them twice."""
        sections = self.get_app_list(request)
        for table in (table for section in sections for table in section["models"]):
            attendent = getattr(self.get_model_admin(table["model"]), "attendent", None)  # of `accounts.admin.Table`
            table["attendent"] = attendent(request) if attendent else 0
        return super().index(request, {"que_faire": que_faire(sections), **(extra_context or {})})

    def login(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Answer 429 and Retry-After past a limit, for programs that try passwords; the page says it to a person."""
        if request.method == "GET" and self.doit_s_enroler(request):
            return redirect("espace:second_facteur")
        if request.method == "POST" and request.POST.get("vers") in dict(settings.LANGUAGES):
            return _dans_l_autre_langue(request)
        try:
            reponse = super().login(request, {**_cadre_de_la_connexion(), **(extra_context or {})})
        except CodeAttendu as attendu:
            mettre_en_attente(request, attendu.compte, suite=_suite(request))
            return redirect("espace:connexion")
        if request.method == "POST" and isinstance(reponse, HttpResponseRedirect):
            noter_le_mot_de_passe(request)
            if self.doit_s_enroler(request):
                reponse = redirect("espace:second_facteur")
            reconnaitre(request, reponse)
            return reponse
        formulaire = (getattr(reponse, "context_data", None) or {}).get("form")
        if refus := getattr(formulaire, "refus", None):
            reponse.status_code = refus.statut_http
            reponse["Retry-After"] = str(refus.attente)
        return reponse

    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Sign out of the workspace as of these pages, which share it: the page leads back to the cases."""
        return super().logout(request, {"titre": _("Vous êtes déconnecté·e"), **(extra_context or {})})

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        if request.method != "POST":  # « Mon compte » has the boxes, in the words of the rest
            return redirect(f"{reverse('espace:compte')}#mot-de-passe-titre")
        request.current_app = self.name
        vue = PasswordChangeView.as_view(
            form_class=FormulaireNouveauMotDePasse,
            success_url=reverse("admin:password_change_done", current_app=self.name),
            extra_context={**self.each_context(request), **(extra_context or {})},
        )
        etait_connu = request.method == "POST" and connait(request)
        reponse = vue(request)
        if etait_connu and isinstance(reponse, HttpResponseRedirect):
            retenir(request, reponse)
        return reponse


def _cadre_de_la_connexion() -> dict[str, Any]:
    """Context of the frame of the pages that a link opens."""
    autre = next(une for une in settings.LANGUAGES if une[0] != get_language())
    return {"titre": _("Se connecter"), "portail": settings.PORTAIL_ENABLED, "autre_langue": autre}


def _dans_l_autre_langue(request: HttpRequest) -> HttpResponse:
    """The sign-in again, in the other language, on its way to where it led."""
    reponse = redirect(f"{request.path}?{urlencode({'next': _suite(request)})}")
    poser_la_langue(reponse, request.POST["vers"])
    return reponse


def _suite(request: HttpRequest) -> str:
    """Return the address that the sign-in was to lead to, on this host alone."""
    suite = request.POST.get("next") or request.GET.get("next") or ""
    sur = url_has_allowed_host_and_scheme(suite, {request.get_host()}, require_https=request.is_secure())
    return suite if sur else reverse("admin:index")

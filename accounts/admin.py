from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import django.contrib.auth.admin  # noqa: F401 -- it registers what is withdrawn below
import django_tasks_db.admin  # noqa: F401 -- so does it
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import unquote
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import date_format, localize
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django_tasks_db.models import DBTaskResult

from accounts.historique import AvecHistorique, ConsultationNotee, en_tableau
from accounts.journal import visibles_par
from accounts.models import Compte, DemandeAdresse, Invitation, SecondFacteur, Session
from accounts.services import adresses, comptes, mot_de_passe_oublie, second_facteur
from accounts.vocabulaire import StatutInvitation
from socle.domaine.acteurs import Acteur, ActeurCompte
from socle.domaine.adresses import dans_une_question
from socle.domaine.droits import Droit, Role, a_le_droit
from socle.domaine.recherche import correspond
from socle.erreurs import ErreurMetier
from socle.pages.formulaires import SAISIES, TelephoneSaisi
from socle.pages.typographie import dite

A_LA_FOIS = 100  # one page of the list

admin.site.unregister([Group, DBTaskResult])


class Table(admin.ModelAdmin):
    show_full_result_count = False  # it counts the whole table at each search

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        titre = capfirst(str(self.opts.verbose_name_plural))
        return super().changelist_view(request, {"title": titre, **(extra_context or {})})

    def get_action_choices(self, request: HttpRequest, default_choices: Any = ()) -> Any:
        """The acts on what is ticked, after a question in the place of Django's dashes."""
        return super().get_action_choices(request, default_choices=[("", dite(_("Que faire ?")))])

    def changeform_view(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        """Judge the form again where another has just saved what it may not repeat: it then says so, as it was typed.

        Nothing is left of the first try, which is a transaction.
        """
        try:
            return super().changeform_view(request, *args, **options)
        except IntegrityError:
            return super().changeform_view(request, *args, **options)

    def attendent(self, request: HttpRequest) -> int:
        """Number of its rows that wait for this person, for the first page; 0 of a table where none does."""
        return 0

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow exact and isnull on the columns of `list_filter`: another lookup is an oracle on hashes, or a fault."""
        nom, _separe, comment = lookup.partition("__")
        offerts = [_nom_du_filtre(filtre) for filtre in self.list_filter]
        return nom in offerts and comment in ("", "exact", "isnull")

    def agir(self, request: HttpRequest, lignes: Any, acte: Callable[[Acteur, Any], Any], champ: Any = "") -> None:
        """Call `acte` on each row, by the API's services; a refusal becomes an error message, and is not counted.

        `champ` names the changed column for the journal, where the service does not write it; `acte` answers False
        for a row that it left unchanged.
        """
        acteur, faites = ActeurCompte(compte=request.user), 0  # type: ignore[arg-type]
        for ligne in lignes:
            try:
                a_change = acte(acteur, ligne)
            except ErreurMetier as refus:
                dit = _("%(quoi)s : %(dit)s") % {"quoi": ligne, "dit": refus.message}
                self.message_user(request, dit, level="error")
            else:
                faites += 1
                if champ and a_change is not False:
                    self.log_change(request, ligne, [{"changed": {"fields": [str(champ)]}}])
        self.dire_combien(request, faites)

    def dire_combien(self, request: HttpRequest, faites: int) -> None:
        texte = ngettext("%(n)d ligne traitée.", "%(n)d lignes traitées.", faites) % {"n": faites}
        self.message_user(request, texte)


def _jour(moment: datetime | None) -> str:
    """Format the UTC day, empty for None: the hour would tell which anonymous writing is whose."""
    return date_format(moment.astimezone(UTC).date()) if moment else ""


def _etat_de_la_demande(demande: DemandeAdresse) -> str:
    if demande.date_confirmation is None and demande.date_fin is None:
        texte = _("%(email)s, à confirmer jusqu'au %(jour)s") % {
            "email": demande.email,
            "jour": date_format(localtime(demande.date_expiration)),
        }
    else:
        texte = (_("%(email)s, confirmée") if demande.date_confirmation else _("%(email)s, abandonnée")) % {
            "email": demande.email
        }
    if demande.date_contestation is None:
        return texte
    conteste = _("qui lit %(email)s ne s'y attendait pas : vérifiez avec la personne") % {"email": demande.ancienne}
    return f"{texte} ; {conteste}"


def _ou_confier(compte: Compte) -> str:
    """Address where its cases go to somebody else: the page of a member, the list of its cases for anybody else."""
    if a_le_droit(compte.role, Droit.ESPACE_ENTRER):
        return reverse("espace:membre", args=[compte.pk])
    return f"{reverse('espace:liste')}?vue=ouverts&gestionnaireId={compte.pk}"


def _nom_du_filtre(filtre: Any) -> str:
    """The column of a filter, or the parameter of one that has its own."""
    return str(getattr(filtre, "parameter_name", filtre[0] if isinstance(filtre, tuple) else filtre))


class ChercheSansAccents(Table):
    """Searches the text that the model indexes, as the API does."""

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        (champ,) = self.search_fields
        return queryset.filter(correspond(dans_une_question(search_term), str(champ).removesuffix("__contains"))), False


class ParLesServices(Table):
    """Save through a service: its refusal becomes an error message and a redirect; nothing is written or noted."""

    def changeform_view(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        try:
            return super().changeform_view(request, *args, **options)
        except ErreurMetier as refus:
            self.message_user(request, str(refus.message), level="error")
            return HttpResponseRedirect(request.path)


class LectureSeule(Table):
    """A read-only table: no add, change or delete here; rows change through their service alone."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ActesSurPlace(Table):
    """Actions of the list as buttons on the page of one row: same permission, same service, same journal."""

    change_form_template = "admin/actes.html"

    def actes_sur(self, ligne: Any) -> dict[str, Any]:
        """Map each action name that this row's state allows to the label of its button."""
        raise NotImplementedError

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **options: Any) -> Any:
        permis = self.get_actions(request)
        actes = [(nom, texte) for nom, texte in self.actes_sur(options["obj"]).items() if nom in permis]
        return super().render_change_form(request, {**context, "actes": actes}, *args, **options)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **options: Any) -> Any:
        """Run a posted `action` on this row as the list would, permissions included, then redirect to the page."""
        ligne = self.get_object(request, unquote(object_id)) if "action" in request.POST else None
        if ligne is None:
            return super().change_view(request, object_id, *args, **options)
        if not self.has_view_permission(request, ligne):
            raise PermissionDenied
        fait = self.response_action(request, self.get_queryset(request).filter(pk=ligne.pk))
        return fait or HttpResponseRedirect(request.get_full_path())


@admin.register(Compte)
class CompteAdmin(ParLesServices, ChercheSansAccents, AvecHistorique):
    """Names, role and activity, changed by the same services as over the API, which write the journal."""

    list_display = ("personne", "email", "type_utilisateur", "est_actif", "a_un_second_facteur", "jour_de_connexion")
    list_filter = ("type_utilisateur", "est_actif")
    search_fields = ("recherche__contains",)  # as the index serves it
    ordering = ("-date_creation",)
    fields = (
        "email",
        "prenom",
        "nom",
        "type_utilisateur",
        "telephone",
        "bureau_genre_id",
        "est_actif",
        "email_verifie",
        "nouvelle_adresse",
        "a_un_second_facteur",
        "jour_de_connexion",
    )
    readonly_fields = ("nouvelle_adresse", "est_actif", "email_verifie", "a_un_second_facteur", "jour_de_connexion")
    formfield_overrides = SAISIES
    actions = ("envoyer_un_lien", "renoncer_a_l_adresse", "reinitialiser_le_second_facteur", "desactiver", "reactiver")

    def get_queryset(self, request: HttpRequest) -> Any:
        actifs = SecondFacteur.objects.filter(pk=OuterRef("pk"), date_activation__isnull=False)
        return super().get_queryset(request).annotate(second_facteur_actif=Exists(actifs))

    def formfield_for_dbfield(self, db_field: Any, request: Any, **options: Any) -> Any:
        if db_field.name == "telephone":
            options |= {"form_class": TelephoneSaisi, "max_length": None}  # judged once it is read
        return super().formfield_for_dbfield(db_field, request, **options)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # an account is invited, or made over the API with its password

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # an account is deactivated; its cases stay

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        valeurs = {champ: getattr(obj, champ) for champ in form.changed_data}
        comptes.modifier(compte=Compte.objects.get(pk=obj.pk), acteur=ActeurCompte(compte=request.user), **valeurs)  # type: ignore[arg-type]
        if "email" in valeurs and adresses.se_confirment():
            texte = _("L'adresse ne change pas encore : un lien part à %(email)s, à ouvrir dans les sept jours.")
            self.message_user(request, texte % {"email": valeurs["email"]}, level="warning")

    def response_change(self, request: HttpRequest, obj: Any) -> Any:
        """Lead who has just given up the role that opens these pages to the first one that their new role does."""
        moi = Compte.objects.get(pk=request.user.pk)
        request.user = moi
        if self.has_view_or_change_permission(request):
            return super().response_change(request, obj)
        if not moi.is_staff:
            return redirect("portail:accueil")  # whose pages show no message of this site
        texte = _("Votre rôle est changé : %(role)s. Les comptes ne vous sont plus ouverts.")
        self.message_user(request, texte % {"role": Role(moi.role).label}, level="success")
        return redirect("admin:index")

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Write nothing: the service has made the journal entry, with the values."""

    @admin.display(description=_("personne"))
    def personne(self, compte: Compte) -> str:
        return compte.nom_complet

    @admin.display(description=_("nouvelle adresse"), empty_value="-")
    def nouvelle_adresse(self, compte: Compte) -> str:
        """Changes asked for within the last seven days: those that wait, and all that were contested."""
        demandes = DemandeAdresse.objects.en_cours().filter(compte=compte).order_by("-date_creation", "pk")
        dites = [une for une in demandes if une.date_contestation or not (une.date_confirmation or une.date_fin)]
        return " · ".join(map(_etat_de_la_demande, dites)) or self.get_empty_value_display()

    @admin.display(description=_("connexion en deux étapes"), boolean=True)
    def a_un_second_facteur(self, compte: Any) -> bool:
        return bool(compte.second_facteur_actif)

    @admin.display(description=_("dernière connexion"))
    def jour_de_connexion(self, compte: Compte) -> Any:
        return _jour(compte.derniere_connexion)

    @admin.action(description=_("Envoyer un lien de réinitialisation"))
    def envoyer_un_lien(self, request: HttpRequest, lignes: Any) -> None:
        self.agir(
            request, lignes, lambda acteur, compte: mot_de_passe_oublie.envoyer_un_lien(acteur=acteur, compte=compte)
        )

    @admin.action(description=_("Renoncer à la nouvelle adresse"))
    def renoncer_a_l_adresse(self, request: HttpRequest, lignes: Any) -> None:
        self.agir(request, lignes, lambda acteur, compte: adresses.renoncer(acteur=acteur, compte=compte))

    @admin.action(description=_("Réinitialiser la connexion en deux étapes"))
    def reinitialiser_le_second_facteur(self, request: HttpRequest, lignes: Any) -> None:
        self.agir(request, lignes, lambda acteur, une: second_facteur.reinitialiser(acteur=acteur, compte=une))

    @admin.action(description=_("Désactiver les comptes choisis"))
    def desactiver(self, request: HttpRequest, lignes: Any) -> TemplateResponse | None:
        """Ask first, on a page that says who cannot be and why; then each by the service, which judges again."""
        choisis = list(lignes[: A_LA_FOIS + 1])
        if len(choisis) > A_LA_FOIS:
            self.message_user(request, _("Choisissez au plus %(n)d comptes.") % {"n": A_LA_FOIS}, level="error")
            return None
        if "confirme" not in request.POST:
            return self._demander(request, choisis)
        self.agir(
            request,
            choisis,
            lambda acteur, compte: comptes.desactiver_qui_ne_tient_rien(acteur=acteur, compte=compte),
        )
        return None

    def _demander(self, request: HttpRequest, choisis: list[Compte]) -> TemplateResponse:
        acteur = ActeurCompte(compte=request.user)  # type: ignore[arg-type]
        tenus = comptes.tenus_par["dossiers"](acteur, [compte.pk for compte in choisis])
        contexte = {
            **self.admin_site.each_context(request),
            "title": _("Désactiver les comptes choisis"),
            "opts": self.opts,
            "soi": next((compte for compte in choisis if compte.pk == acteur.pk), None),
            "deja": [compte for compte in choisis if not compte.est_actif],
            "tiennent": [
                (compte, tenus[compte.pk], _ou_confier(compte))
                for compte in choisis
                if compte.est_actif and compte.pk in tenus and compte.pk != acteur.pk
            ],
            "partent": [
                compte for compte in choisis if compte.est_actif and compte.pk not in tenus and compte.pk != acteur.pk
            ],
        }
        return TemplateResponse(request, "admin/accounts/desactiver.html", contexte)

    @admin.action(description=_("Réactiver les comptes choisis"))
    def reactiver(self, request: HttpRequest, lignes: Any) -> None:
        self.agir(request, lignes, lambda acteur, compte: comptes.reactiver(acteur=acteur, compte=compte))


@admin.register(Invitation)
class InvitationAdmin(LectureSeule):
    list_display = ("email", "type_utilisateur", "statut_montre", "expire_le", "invitee_par")
    list_filter = ("statut",)
    list_select_related = ("invitee_par",)
    search_fields = ("email",)
    ordering = ("-date_creation",)

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        return super().get_search_results(request, queryset, dans_une_question(search_term))

    @admin.display(description=_("statut"))
    def statut_montre(self, invitation: Invitation) -> str:
        return str(StatutInvitation(invitation.statut_montre).label)


@admin.register(Session)
class SessionAdmin(LectureSeule, ChercheSansAccents):
    """Logins by account and device, dated to the day only, as the last login of an account."""

    list_display = ("compte", "appareil", "localisation", "ouverte", "terminee", "motif_fin")
    list_filter = ("motif_fin",)
    list_select_related = ("compte",)
    fields = ("compte", "appareil", "localisation", "ouverte", "expire", "terminee", "motif_fin")
    search_fields = ("compte__recherche__contains",)
    ordering = ("-date_creation",)

    @admin.display(description=_("ouverte le"))
    def ouverte(self, session: Session) -> Any:
        return _jour(session.date_creation)

    @admin.display(description=_("expire le"))
    def expire(self, session: Session) -> Any:
        return _jour(session.date_expiration)

    @admin.display(description=_("terminée le"))
    def terminee(self, session: Session) -> Any:
        return _jour(session.date_fin)


class FiltreActe(admin.ChoicesFieldListFilter):
    """Choices filter with a title of ours: Django would name it after its column."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.title = str(_("action"))


@admin.register(LogEntry)
class JournalAdmin(ConsultationNotee, LectureSeule):
    """Journal of the changes made in the admin site, deletions included; for accounts and invitations, by API too."""

    list_display = ("moment", "auteur", "acte", "sorte", "objet", "resume")
    list_filter = (("action_flag", FiltreActe),)
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr",)
    fields = ("moment", "auteur", "acte", "sorte", "objet", "resume", "valeurs")
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Exclude what the register hides: one's own cases, and those that one is shut out of, with their files."""
        return visibles_par(ActeurCompte(compte=request.user), super().get_queryset(request))  # type: ignore[arg-type]

    @admin.display(description=_("date"), ordering="action_time")
    def moment(self, entree: LogEntry) -> str:
        return localize(localtime(entree.action_time))

    @admin.display(description=_("par"))
    def auteur(self, entree: LogEntry) -> str:
        return str(entree.user)

    @admin.display(description=_("action"))
    def acte(self, entree: LogEntry) -> str:
        return str(entree.get_action_flag_display())

    @admin.display(description=_("dans"))
    def sorte(self, entree: LogEntry) -> str:
        return str(entree.content_type.name).capitalize() if entree.content_type else ""

    @admin.display(description=_("objet"))
    def objet(self, entree: LogEntry) -> str:
        return entree.object_repr

    @admin.display(description=_("détail"))
    def resume(self, entree: LogEntry) -> str:
        return entree.get_change_message()

    @admin.display(description=_("valeurs"))
    def valeurs(self, entree: LogEntry) -> str:
        return en_tableau(entree)

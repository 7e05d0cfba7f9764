"""Readers of a reserved case in the team: the people behind the rule of `visibles_par`."""

from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, UUIDField, Value
from django.db.models.functions import Coalesce

from accounts.models import Compte
from equipes.en_vigueur import regle_pour
from equipes.models import MembreDEquipe
from signalements.models import OuvertureMotivee, RegleDeLecture, Signalement
from signalements.vocabulaire import DE_L_AUTEUR, Origine, Ouverture
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit, roles_ayant
from socle.domaine.registre import Registre
from socle.domaine.verrous import verrouiller_dans_l_ordre


class NomsDits(NamedTuple):
    """Accounts of the staff that a case names: that nobody has looked at yet, and those whom it means."""

    en_attente: frozenset[UUID]
    confirmes: frozenset[UUID]


# "homonymes" -> (the presumed author that a case gives, key of its author's account, key of the case, keys of those
# joined to it, accounts shut out by their name so far) -> the accounts to be shut out by their name from now on.
qui_ecarter: Registre[Callable[..., set[UUID]]] = Registre("écartés d'office", attendus=["homonymes"])
# "homonymes" -> (key of a case) -> what was said of the names that it gives.
noms_dits: Registre[Callable[[UUID], NomsDits]] = Registre("noms dits d'un dossier", attendus=["homonymes"])


class Acces(NamedTuple):
    """Access to a case, by its column and its rows together; nobody is in both sets."""

    ouverture: Ouverture
    ecartes: frozenset[UUID]
    admis: frozenset[UUID]
    equipe: UUID | None = None

    @classmethod
    def de(cls, signalement: Signalement) -> Self:
        regles = dict(signalement.regles.values_list("compte", "admis")) if signalement.est_reserve else {}
        admis = frozenset(compte for compte, admise in regles.items() if admise)
        return cls(Ouverture(signalement.ouvert_a), frozenset(regles) - admis, admis, signalement.equipe_id)

    @classmethod
    def pour(cls, ecartes: Iterable[UUID], admis: Iterable[UUID], equipe: UUID | None = None) -> Self:
        """Everybody, or everybody of the team, but those shut out; with somebody admitted, they alone."""
        hors, seuls = frozenset(ecartes), frozenset(admis)
        a_qui = Ouverture.TOUS if equipe is None else Ouverture.EQUIPE
        return cls(Ouverture.SEULS if seuls else Ouverture.SAUF if hors else a_qui, hors, seuls, equipe)

    def sans(self, comptes: Iterable[UUID], *, de_nouveau: Iterable[UUID] = ()) -> Self:
        """The same with these accounts shut out, and those of `de_nouveau` not any more; nobody else comes to read."""
        hors = (self.ecartes - frozenset(de_nouveau)) | frozenset(comptes)
        if self.ouverture == Ouverture.SEULS:
            return type(self)(Ouverture.SEULS, hors, self.admis - hors, self.equipe)
        return self.pour(hors, (), self.equipe)

    def vers(self, equipe: UUID | None) -> Self:
        """The same, of another team or of none: whom it names alone, were it nobody, stay alone."""
        if self.ouverture == Ouverture.SEULS:
            return self._replace(equipe=equipe)
        return self.pour(self.ecartes, (), equipe)

    @property
    def est_a_personne(self) -> bool:
        """True where only those named read it and none is, as after a merge of cases that no one read both of."""
        return self.ouverture == Ouverture.SEULS and not self.admis

    def avec(self, autre: Self) -> Self:
        """The stricter of both: who was shut out of either is, and only who was admitted by each that names people.

        Of two teams it stays the first one's, for who reads both alone, or for nobody.
        """
        ecartes, equipe = self.ecartes | autre.ecartes, self.equipe or autre.equipe
        seuls = [acces.admis for acces in (self, autre) if acces.ouverture == Ouverture.SEULS]
        if None not in (self.equipe, autre.equipe) and self.equipe != autre.equipe:
            seuls += [frozenset(acces.lecteurs().values_list("pk", flat=True)) for acces in (self, autre)]
        if not seuls:
            return self.pour(ecartes, (), equipe)
        return type(self)(Ouverture.SEULS, ecartes, frozenset.intersection(*seuls) - ecartes, equipe)

    def lecteurs(self) -> Any:
        """Active members of the team who may read the case."""
        if self.ouverture == Ouverture.SEULS:
            return Compte.objects.equipe_active().filter(pk__in=self.admis)
        return self._de_l_equipe().exclude(pk__in=self.ecartes)

    def recours(self) -> Any:
        """Active administrators who may open it again: all that were not shut out."""
        return _administrateurs().exclude(pk__in=self.ecartes)

    def recours_pour(self, signalement: Signalement) -> Any:
        """Accounts of `recours` that did not write the case: its author may not say who reads it."""
        return self.recours().exclude(pk=signalement.compte_id or UUID(int=0))

    def elargit(self, avant: Self) -> bool:
        """True where it shuts out nobody who was not, and leaves out nobody who was admitted."""
        if self.ouverture == Ouverture.SEULS and not (avant.ouverture == Ouverture.SEULS and self.admis >= avant.admis):
            return False
        return self.ecartes <= avant.ecartes

    def ferme_a_la_moitie(self, signalement: Signalement) -> bool:
        """True where half of the active team or more, its author aside, may not read the case."""
        auteur = signalement.compte_id or UUID(int=0)
        equipe = self._de_l_equipe().exclude(pk=auteur).count()
        return bool(2 * self.lecteurs().exclude(pk=auteur).count() <= equipe)

    def a_quelqu_un(self, signalement: Signalement) -> bool:
        """True where somebody who did not write the case reads it, or may let somebody read it."""
        auteur = signalement.compte_id or UUID(int=0)
        return bool(self.lecteurs().exclude(pk=auteur).exists() or self.recours_pour(signalement).exists())

    def admet(self, compte_id: UUID) -> bool:
        """True where this account of the team may read the case, and so handle it."""
        if self.ouverture == Ouverture.SEULS:
            return compte_id in self.admis
        return compte_id not in self.ecartes and (
            self.equipe is None or self._de_l_equipe().filter(pk=compte_id).exists()
        )

    def rouvrable_par(self, acteur: Acteur) -> bool:
        """The rule of `rouvrables` for a case that is not this administrator's own."""
        if not acteur.peut(Droit.SIGNALEMENTS_ROUVRIR) or acteur.pk in self.ecartes:
            return False
        return self.equipe is None or self._de_l_equipe().filter(pk=acteur.pk).exists()

    def _de_l_equipe(self) -> Any:
        """Active staff, or those of them who are of the team."""
        comptes = Compte.objects.equipe_active()
        return comptes if self.equipe is None else comptes.filter(pk__in=MembreDEquipe.objects.comptes_de(self.equipe))


class Designation(NamedTuple):
    """A case and the people whom its rules name, by name: the answer about its readers."""

    id: UUID
    reference: str
    ouvert_a: str
    ecartes: list[RegleDeLecture]
    admis: list[RegleDeLecture]

    @classmethod
    def de(cls, signalement: Signalement) -> Self:
        regles = list(
            signalement.regles.select_related("compte", "par").order_by("compte__nom", "compte__prenom", "compte")
        )
        ecartes, admis = ([une for une in regles if une.admis is admise] for admise in (False, True))
        return cls(signalement.pk, signalement.reference, signalement.ouvert_a, ecartes, admis)


def poser(
    signalement: Signalement, acces: Acces, par: Compte | None, origines: Mapping[UUID, str] = MappingProxyType({})
) -> None:
    """Make the rows of this locked case those of `acces`, and set its column, unsaved.

    A row that is new, or says otherwise, is of its account's of `origines`, else the team's.
    """
    voulues = dict.fromkeys(acces.ecartes, False) | dict.fromkeys(acces.admis, True)
    presentes = dict(signalement.regles.values_list("compte", "admis"))
    changees = [compte for compte, admis in presentes.items() if voulues.get(compte) != admis]
    signalement.regles.filter(compte__in=changees).delete()
    RegleDeLecture.objects.bulk_create(
        RegleDeLecture(
            signalement=signalement,
            compte_id=compte,
            admis=admis,
            par=par,
            origine=origines.get(compte, Origine.EQUIPE),
        )
        for compte, admis in voulues.items()
        if presentes.get(compte) != admis
    )
    signalement.ouvert_a, signalement.equipe_id = acces.ouverture, acces.equipe
    if signalement.gestionnaire_id is not None and not acces.admet(signalement.gestionnaire_id):
        signalement.gestionnaire = None


def destinataire(signalement: Signalement) -> UUID | None:
    """Account that the rule of a new case gives it to, unless it may not read it."""
    regle = regle_pour(signalement.type, signalement.bureau_genre_id)
    return None if regle is None else regle.gestionnaire_id


def acheminer(signalement: Signalement, ecartes: Iterable[UUID] = ()) -> Acces:
    """Give a new case, unsaved, to the team of the first rule that suits it, and to whoever handles it there.

    Not to its own author, nor to somebody who is shut out of it, or does not read the cases of that team any more.
    Return the access to it, whose rows are to be written once the case is.
    """
    regle = regle_pour(signalement.type, signalement.bureau_genre_id)
    acces = Acces.pour(ecartes, (), None if regle is None else regle.equipe_id)
    signalement.equipe_id, signalement.ouvert_a = acces.equipe, acces.ouverture
    if regle is None or regle.gestionnaire_id in (None, signalement.compte_id):
        return acces
    # Row lock: somebody who is being taken out of the team at this moment does not receive a case.
    comptes = Compte.objects.equipe_active().select_for_update(no_key=True)
    gestionnaire = comptes.filter(pk=regle.gestionnaire_id).first()
    if gestionnaire is not None and acces.admet(gestionnaire.pk):
        signalement.gestionnaire = gestionnaire
    return acces


def unir(source: Signalement, cible: Signalement) -> None:
    """Give the target, unsaved, the stricter rules of both.

    The source keeps its rows, for when the merge is taken back.
    """
    if not source.est_ouvert_a_tous:
        des_deux = origines_de(source), origines_de(cible)
        poser(cible, Acces.de(cible).avec(Acces.de(source)), None, des_deux[0])
        for compte in des_deux[0].keys() & des_deux[1].keys():
            une, autre = (origines[compte] for origines in des_deux)
            if une != autre:
                cible.regles.filter(compte=compte).update(origine=_unie(une, autre))
    ecarter_d_office(cible, (source.pk,))


def ecarter_d_office(cas: Signalement, joints: Collection[UUID] = ()) -> None:
    """Shut out of this case, unsaved, whom its text and its reports name, and have not been looked at.

    Not where they are too many, nor where nobody would be left: then nobody is by their name, were they before.
    """
    origines = origines_de(cas) if cas.est_reserve else {}
    deja = {compte for compte, origine in origines.items() if origine == Origine.HOMONYME}
    nommes = qui_ecarter["homonymes"](cas.auteur_presume, cas.compte_id, cas.pk, joints, deja)
    nommes -= origines.keys() - deja
    avant = Acces.de(cas)
    acces = avant.sans(nommes, de_nouveau=deja - nommes)
    if nommes and not acces.a_quelqu_un(cas):
        nommes, acces = set(), avant.sans((), de_nouveau=deja)
    if nommes != deja:
        poser(cas, acces, None, dict.fromkeys(nommes, Origine.HOMONYME))


def _unie(une: str, autre: str) -> str:
    """Origin of a row that two cases have by different words: the author's stays beside another's.

    A name's gives way: that it is to be looked at is kept apart.
    """
    if Origine.HOMONYME in (une, autre):
        return une if autre == Origine.HOMONYME else autre
    return Origine.LES_DEUX if {une, autre} & set(DE_L_AUTEUR) else Origine.EQUIPE


def origines_de(signalement: Signalement) -> dict[UUID, str]:
    """Origin of the rule of each account that is shut out of this case."""
    return dict(signalement.regles.filter(admis=False).values_list("compte", "origine"))


def demandees(signalement: Signalement) -> set[UUID]:
    """Accounts that its author does not want to read it."""
    return {compte for compte, origine in origines_de(signalement).items() if origine in DE_L_AUTEUR}


def tenir_a_ce_que_dit_l_auteur(rendu: Signalement, cible: Signalement) -> None:
    """Give this report, unsaved, that a merge had joined to that case, what its author has said of the case since."""
    dites = demandees(cible) if cible.est_reserve else set()
    if dites - demandees(rendu):
        poser(rendu, Acces.de(rendu).sans(dites), None, dict.fromkeys(dites, Origine.AUTEUR))


def lecteurs_de(signalement: Signalement) -> Any:
    """Keys of the active members of the staff who may read this case."""
    return Acces.de(signalement).lecteurs().values_list("pk", flat=True)


def acces_en_json(signalement: Signalement) -> dict[str, Any]:
    """JSON of the columns and the rows by which a case is read, which `retablir_l_acces` takes back."""
    regles = signalement.regles.values_list("compte", "admis", "origine") if signalement.est_reserve else ()
    return {
        "ouvert_a": signalement.ouvert_a,
        "equipe": signalement.equipe_id and str(signalement.equipe_id),
        "regles": sorted([str(compte), admis, origine] for compte, admis, origine in regles),
    }


def retablir_l_acces(signalement: Signalement, lu: dict[str, Any], rendus: Iterable[Signalement]) -> None:
    """Give this case, unsaved, in which nothing was written since, to those who read it before these were joined to it.

    Not to whom either had shut out, nor where one of them is for people whom it names.
    """
    if any(rendu.ouvert_a == Ouverture.SEULS for rendu in rendus):
        return
    ecartes = Acces.de(signalement).ecartes | {UUID(compte) for compte, admise, _origine in lu["regles"] if not admise}
    admis = frozenset(UUID(compte) for compte, admise, _origine in lu["regles"] if admise) - ecartes
    equipe = lu["equipe"] and UUID(lu["equipe"])
    if lu["ouvert_a"] == Ouverture.SEULS:
        acces = Acces(Ouverture.SEULS, ecartes, admis, equipe)
    else:
        acces = Acces.pour(ecartes, (), equipe)
    poser(signalement, acces, None, {UUID(compte): origine for compte, admise, origine in lu["regles"] if not admise})


def ne_laisser_qu_a_qui_le_lit(signalement: Signalement) -> None:
    """Take this case, unsaved, from a handler who may not read it."""
    gestionnaire = signalement.gestionnaire_id
    if gestionnaire is None or signalement.est_ouvert_a_tous or Acces.de(signalement).admet(gestionnaire):
        return
    signalement.gestionnaire = None


def sans_lecteur() -> Any:
    """Reserved live cases that nobody active may read."""
    reserves = Signalement.objects.vivants().reserves().order_by("-date_creation", "-id")
    return _que_ne_lit(Compte.objects.equipe_active().order_by(), reserves)


def sans_recours() -> Any:
    """Reserved live cases that no active administrator may open again: all were shut out, or wrote it."""
    return Signalement.objects.vivants().reserves().exclude(_un_administrateur()).order_by()


def tenir_les_administrateurs(aussi: UUID | None = None) -> None:
    """Lock the active administrators, in the order of a deactivation: none leaves while a decision counts on them.

    With this account, where the act takes it too.
    """
    verrouiller_dans_l_ordre((_administrateurs() | Compte.objects.filter(pk=aussi)).values_list("pk"))


def sont_administrateurs(comptes: Iterable[UUID]) -> bool:
    """True where one of these accounts has the right to open cases again, active or not: who left may come back."""
    roles = roles_ayant(Droit.SIGNALEMENTS_ROUVRIR)
    return bool(Compte.objects.filter(type_utilisateur__in=roles, pk__in=list(comptes)).order_by().exists())


def sans_administrateur(lignes: Any) -> Any:
    """Filter to the cases that nobody reads who could hold them, or let others read them."""
    membres = MembreDEquipe.objects.qui_lisent().filter(compte__in=_administrateurs(), equipe=OuterRef("equipe"))
    d_equipe = lignes.filter(~Exists(membres), ouvert_a=Ouverture.EQUIPE, equipe__isnull=False)
    return _que_ne_lit(_administrateurs(), lignes) | d_equipe


def recours_existe() -> Any:
    """Condition on cases: an active administrator who did not write it reads it or may open it again.

    Where there is none at all, whoever runs the machine is.
    """
    return _un_administrateur() | ~Exists(_administrateurs())


def rouvrables(lignes: Any, acteur: Acteur) -> Any:
    """Filter to the cases that this administrator may open again: not shut out of them, nor of their own.

    Of no team, or of one of theirs: who reads the others is for their team to say.
    """
    siens = Q(equipe__isnull=True) | Q(equipe__in=MembreDEquipe.objects.equipes_de(acteur.pk))
    return deplacables(lignes, acteur).filter(siens)


def deplacables(lignes: Any, acteur: Acteur) -> Any:
    """Filter to the cases that this administrator may know of: not shut out of them, nor of their own."""
    if not acteur.peut(Droit.SIGNALEMENTS_ROUVRIR):
        return lignes.none()
    ecartes = RegleDeLecture.objects.filter(compte=acteur.pk, admis=False).values("signalement")
    return lignes.exclude(pk__in=ecartes).exclude(compte=acteur.pk)


def a_ouvrir(lignes: Any, acteur: Acteur) -> Any:
    """Filter to the cases of teams that a reason opens to this administrator, if they do not read them already."""
    return deplacables(lignes, acteur).filter(equipe__isnull=False)


def connus_de(acteur: Acteur, equipe: UUID) -> Any:
    """Live cases of this team whose being there this administrator may know, with their dates, newest first."""
    lignes = a_ouvrir(Signalement.objects.vivants().filter(equipe=equipe), acteur)
    lus = lignes.only("reference", "equipe", "date_creation", "prochaine_echeance")
    return lus.order_by("-date_creation", "-id")


def ouverts_a(acteur: Acteur) -> Any:
    """Live cases that this administrator reads at this moment by an `OuvertureMotivee`."""
    en_cours = OuvertureMotivee.objects.en_cours(acteur).order_by().values("signalement")
    return a_ouvrir(Signalement.objects.vivants().filter(pk__in=en_cours), acteur).order_by()


def est_ouvert_sur_motif(signalement: Signalement, acteur: Acteur) -> bool:
    """True while this person reads the case by an `OuvertureMotivee`; asked where no rule lets them."""
    return bool(ouverts_a(acteur).filter(pk=signalement.pk).exists())


def _un_administrateur() -> Exists:
    auteur = Coalesce(OuterRef("compte"), Value(UUID(int=0)), output_field=UUIDField())
    return Exists(_sauf_les_ecartes(_administrateurs()).exclude(pk=auteur))


def _que_ne_lit(comptes: Any, lignes: Any) -> Any:
    admis = RegleDeLecture.objects.order_by().filter(signalement=OuterRef("pk"), admis=True)
    seuls = lignes.filter(~Exists(admis.filter(compte__in=comptes.values("pk"))), ouvert_a=Ouverture.SEULS)
    sauf, restent = lignes.filter(ouvert_a=Ouverture.SAUF), _sauf_les_ecartes(comptes)
    membres = MembreDEquipe.objects.qui_lisent().filter(compte=OuterRef("pk"), equipe=OuterRef(OuterRef("equipe")))
    de_tous = sauf.filter(~Exists(restent), equipe__isnull=True)
    return seuls | de_tous | sauf.filter(~Exists(restent.filter(Exists(membres))), equipe__isnull=False)


def _sauf_les_ecartes(comptes: Any) -> Any:
    """Of these accounts, those that are not shut out of the case that the query is about."""
    ecartes = RegleDeLecture.objects.order_by().filter(signalement=OuterRef(OuterRef("pk")), admis=False)
    return comptes.exclude(pk__in=ecartes.values("compte"))


def _administrateurs() -> Any:
    roles = roles_ayant(Droit.SIGNALEMENTS_ROUVRIR)
    return Compte.objects.filter(type_utilisateur__in=roles, est_actif=True).order_by()

"""« Ce qui m'attend »: the notices of a person, on the cases that they read now, or may know of."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.vocabulaire import NatureAvis
from avis.destinataires import connus_par, encore_a_dire, lisibles
from avis.models import Avis
from espace.pages.base import PageDEquipe
from espace.vocabulaire import TAILLE
from socle.audit.registre import montrer


class CeQuiMAttend(PageDEquipe):
    """The latest `TAILLE`, newest first; what has been seen to since is told apart.

    Of a case past its date that an administrator does not read, they see what they see of it anyway: its reference.
    """

    gabarit = "espace/avis.html"
    titre = _("Ce qui m'attend")

    def get(self, request: HttpRequest) -> HttpResponse:
        lus = list(Avis.objects.de(self.compte).filter(nature__in=NatureAvis.values)[:TAILLE])
        dossiers = lisibles(self.compte, lus)
        connus = {pk: un for pk, un in connus_par(self.compte, lus).items() if pk not in dossiers}
        tous = connus | dossiers
        attendent = {un.pk for un in encore_a_dire(self.compte, lus, tous)}
        lignes = [(un, tous[un.objet], un.pk in attendent, un.objet in connus) for un in lus if un.objet in tous]
        montrer(self.acteur, [un.objet for un in lus if un.objet in dossiers], {})
        return self.rendre(request, lignes=lignes)

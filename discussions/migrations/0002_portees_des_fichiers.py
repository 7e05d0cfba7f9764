"""Files that are there already learn where they may still go: here, where their cases and messages are known."""

from django.db import migrations
from django.db.models import Exists, F, OuterRef, Q

from socle.domaine.fige import normaliser
from socle.domaine.migrations import sans_limite_de_temps
from resources.noms import nom_neutre

LOT = 1_000


def destiner(apps, schema_editor):
    Fichier, Attache, Ressource = (apps.get_model("resources", nom) for nom in ("Fichier", "Attache", "Ressource"))
    Signalement, Message = apps.get_model("signalements", "Signalement"), apps.get_model("discussions", "Message")
    nommes = Q(mode_identification="IDENTIFIE") & (
        Q(absorbe_par__isnull=True) | Q(absorbe_par__mode_identification="IDENTIFIE")
    )
    caches = Signalement._base_manager.exclude(pk__in=Signalement._base_manager.filter(nommes).values("pk"))
    ici = Attache._base_manager.filter(fichier=OuterRef("pk"))
    # Who wrote the message sent its files.
    a_soi = Q(compte=F("discussion__signalement__compte")) | Q(invite=F("discussion__signalement__invite"))
    messages = Message._base_manager.filter(a_soi, discussion__signalement__in=caches.values("pk"))
    anonymes = Exists(ici.filter(sorte="signalement", objet__in=caches.values("pk"))) | Exists(
        ici.filter(sorte="message", objet__in=messages.values("pk"))
    )
    partages = Exists(ici) | Exists(Ressource._base_manager.filter(fichier=OuterRef("pk")))
    fichiers = Fichier._base_manager
    fichiers.filter(anonymes).update(portee="ANONYME")
    fichiers.filter(partages, portee="LIBRE").update(portee="OUVERTE")
    _indexer(fichiers, lambda fichier: nom_neutre(fichier.pk, fichier.nom, fichier.type_mime))


def revenir(apps, schema_editor):
    _indexer(apps.get_model("resources", "Fichier")._base_manager, lambda fichier: fichier.nom)


def _indexer(fichiers, nommer):
    """The names by which those that hide, or may come to hide, their owner are found."""
    lot = []
    for fichier in fichiers.exclude(portee="OUVERTE").only("nom", "type_mime").order_by().iterator(LOT):
        fichier.recherche = normaliser(nommer(fichier))
        lot.append(fichier)
        if len(lot) == LOT:
            fichiers.bulk_update(lot, ["recherche"])
            lot = []
    fichiers.bulk_update(lot, ["recherche"])


class Migration(migrations.Migration):
    dependencies = [("discussions", "0001_discussion"), ("resources", "0007_fichier_portee")]
    operations = [sans_limite_de_temps(), migrations.RunPython(destiner, revenir, elidable=True)]

"""Texts that hold the id of a guest session are stored without it, and what derives from them follows.

The rule is the one that new texts are held to; it is written out here, so that it stays what it was.
"""

import hashlib
import hmac
import re
from itertools import chain, islice

from django.conf import settings
from django.db import migrations
from django.db.models import Q, TextField
from django.db.models.functions import Cast

from socle.domaine.fige import condenser, horodatage, normaliser, sans_ponctuation, unifier
from socle.domaine.migrations import sans_limite_de_temps

LOT = 1_000
MAXIMUM = 500  # past it, in one row, whatever looks like one is masked unasked
MASQUE = "[identifiant masqué]"
MOTIF = "[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?4[0-9a-fA-F]{3}-?[89abAB][0-9a-fA-F]{3}-?[0-9a-fA-F]{12}"
SUITE = re.compile("[0-9a-fA-F-]{32,}")
CANDIDAT = re.compile(f"(?=({MOTIF}))")


def _signalement(s):
    s.empreinte_faits = condenser(
        s.type,
        horodatage(s.date_incident) if s.date_incident else None,
        sans_ponctuation(s.lieu_incident) or None,
        sans_ponctuation(s.description),
    )


def _discussion(d):
    d.empreinte_titre = condenser(sans_ponctuation(d.titre))


def _message(m):
    m.signature = condenser(unifier(m.contenu), m.type, sorted(str(fichier) for fichier in m.pieces_jointes))


def _commentaire(c):
    c.recherche = normaliser(c.contenu)


def _fichier(f):
    """Those that hide, or may come to hide, their owner are found by a neutral name."""
    if f.portee == "OUVERTE":
        f.recherche = normaliser(f.nom)


def _ressource(r):
    r.titre_tri = normaliser(r.titre)[:255]
    r.recherche = normaliser(" ".join((r.titre, r.description, r.nom_fichier)))


def _faq(f):
    f.recherche = normaliser(" ".join((f.question, f.reponse, f.categorie)))


def _contact(c):
    c.recherche = normaliser(" ".join((c.nom, c.description, c.telephone, c.email)))


def _evenement(e):
    e.recherche = normaliser(" ".join((e.titre, e.lieu, *e.tags)))


def _compte(c):
    c.recherche = normaliser(f"{c.prenom} {c.nom} {c.prenom} {c.email}")


def _rien(_ligne):
    """What is searched of reports and posts was always made from the masked text."""


# Table -> texts, other columns that the derived ones are made of, derived columns, how they are made.
TABLES = {
    ("signalements", "Signalement"): (
        ("titre", "description", "lieu_incident", "auteur_presume", "description_temoins", "bureau_genre_id"),
        ("type", "date_incident"),
        ("empreinte_faits",),
        _signalement,
    ),
    ("signalements", "EntreeTimeline"): (("contenu",), (), (), _rien),
    ("discussions", "Discussion"): (("titre",), (), ("empreinte_titre",), _discussion),
    ("discussions", "Message"): (("contenu",), ("type", "pieces_jointes"), ("signature",), _message),
    ("forum", "Poste"): (("titre", "contenu", "tags"), (), (), _rien),
    ("forum", "Commentaire"): (("contenu",), (), ("recherche",), _commentaire),
    ("resources", "Fichier"): (("nom",), ("portee",), ("recherche",), _fichier),
    ("resources", "Ressource"): (
        ("titre", "description", "seau", "url_publique", "url_telechargement", "nom_fichier", "type_mime"),
        (),
        ("titre_tri", "recherche"),
        _ressource,
    ),
    ("resources", "Faq"): (("question", "reponse"), ("categorie",), ("recherche",), _faq),
    ("resources", "ContactUrgence"): (
        ("nom", "description", "telephone", "email", "disponibilite"),
        (),
        ("recherche",),
        _contact,
    ),
    ("calendrier", "EvenementCampus"): (
        ("titre", "description", "lieu", "lien_en_ligne", "image_url", "tags"),
        (),
        ("recherche",),
        _evenement,
    ),
    ("accounts", "Compte"): (("email", "nom", "prenom", "bureau_genre_id"), (), ("recherche",), _compte),
    ("accounts", "Session"): (("appareil", "localisation"), (), (), _rien),
    ("accounts", "Preferences"): (("theme", "parametres"), (), (), _rien),
    ("stats", "Export"): (("filtres",), (), (), _rien),
    ("admin", "LogEntry"): (("object_repr", "change_message"), (), (), _rien),
}


def _chiffres(uuid):
    return uuid.replace("-", "").lower()


def _textes(valeur):
    if isinstance(valeur, str):
        yield valeur
    elif isinstance(valeur, dict | list):
        for element in chain(valeur, valeur.values()) if isinstance(valeur, dict) else valeur:
            yield from _textes(element)


def _candidats(valeur):
    """None past the bound."""
    lieux = (trouve[1] for texte in _textes(valeur) for trouve in CANDIDAT.finditer(texte))
    trouves = list(islice(lieux, MAXIMUM + 1))
    return None if len(trouves) > MAXIMUM else set(map(_chiffres, trouves))


def _masquer_texte(texte, a_masquer):
    if a_masquer is None:
        return SUITE.sub(MASQUE, texte)
    morceaux, fin = [], 0
    for trouve in CANDIDAT.finditer(texte):
        if _chiffres(trouve[1]) in a_masquer:
            if trouve.start() >= fin:
                morceaux += [texte[fin : trouve.start()], MASQUE]
            fin = trouve.end(1)
    return "".join([*morceaux, texte[fin:]])


def _masquer(valeur, a_masquer):
    if isinstance(valeur, str):
        return _masquer_texte(valeur, a_masquer)
    if isinstance(valeur, dict):
        return {_masquer_texte(cle, a_masquer): _masquer(v, a_masquer) for cle, v in valeur.items()}
    return [_masquer(v, a_masquer) for v in valeur] if isinstance(valeur, list) else valeur


def _connus(apps, candidats):
    """Those that are the id of a guest session."""
    cle = str(settings.HASH_KEY).encode()
    empreintes = {hmac.new(cle, f"guest-id\x00{c}".encode(), hashlib.sha256).hexdigest(): c for c in candidats}
    sessions = apps.get_model("guests", "SessionInvitee")._base_manager
    toutes, trouvees = list(empreintes), set()
    for debut in range(0, len(toutes), LOT):
        lot = sessions.filter(guest_id_empreinte__in=toutes[debut : debut + LOT])
        trouvees.update(lot.values_list("guest_id_empreinte", flat=True))
    return {empreintes[trouvee] for trouvee in trouvees}


def _sans_guest_ids(apps, ecrits):
    """The rows, or states, of one batch, each a dict of what people wrote; those that do not change are equal."""
    candidats = [_candidats(valeurs) for valeurs in ecrits]
    connus = _connus(apps, {candidat for siens in candidats for candidat in siens or ()})
    return [
        _masquer(valeurs, None if siens is None else siens & connus)
        for valeurs, siens in zip(ecrits, candidats, strict=True)
    ]


def _masquer_une_table(apps, modele, textes, autres, derives, deriver):
    lignes, noms = modele._base_manager, [f"{nom}_en_texte" for nom in textes]
    en_texte = {nom: Cast(texte, TextField()) for nom, texte in zip(noms, textes, strict=True)}
    ressemble = Q()
    for nom in noms:
        ressemble |= Q(**{f"{nom}__regex": MOTIF})
    # One pass over the table, for the keys alone.
    cles = list(lignes.alias(**en_texte).filter(ressemble).order_by().values_list("pk", flat=True))
    for debut in range(0, len(cles), LOT):
        lot = list(lignes.filter(pk__in=cles[debut : debut + LOT]).only(*textes, *autres, *derives))
        avant = [{nom: getattr(ligne, nom) for nom in textes} for ligne in lot]
        changees = []
        for ligne, ancien, nouveau in zip(lot, avant, _sans_guest_ids(apps, avant), strict=True):
            if nouveau != ancien:
                for nom, valeur in nouveau.items():
                    setattr(ligne, nom, valeur)
                deriver(ligne)
                changees.append(ligne)
        lignes.bulk_update(changees, [*textes, *derives], batch_size=LOT)


def _retirer_les_mots(apps):
    """A watched word that holds such an id is in no text any more."""
    mots = apps.get_model("forum", "MotSurveille")._base_manager
    ressemblants = list(mots.filter(mot__regex=MOTIF))
    avant = [{"mot": mot.mot} for mot in ressemblants]
    for mot, ancien, nouveau in zip(ressemblants, avant, _sans_guest_ids(apps, avant), strict=True):
        if nouveau != ancien:
            mot.delete()


def _masquer_les_retours(apps):
    """What a merge kept of its targets is what they are compared with, and put back to."""
    audits = apps.get_model("guests", "AuditFusion")._base_manager
    textes = {
        "signalements": TABLES["signalements", "Signalement"][0],
        "discussions": TABLES["discussions", "Discussion"][0],
    }
    for pk in list(audits.order_by().values_list("pk", flat=True)):
        audit = audits.only("retour").get(pk=pk)
        etats, avant = [], []
        for partie, noms in textes.items():
            for cible in audit.retour.get(partie, {}).get("cibles", {}).values():
                for etat in cible.values():
                    etats.append(etat)
                    avant.append({nom: etat[nom] for nom in noms if etat.get(nom)})
        apres = _sans_guest_ids(apps, avant)
        if apres != avant:
            for etat, valeurs in zip(etats, apres, strict=True):
                etat.update(valeurs)
            audit.save(update_fields=["retour"])


def masquer(apps, schema_editor):
    for (application, modele), (textes, autres, derives, deriver) in TABLES.items():
        _masquer_une_table(apps, apps.get_model(application, modele), textes, autres, derives, deriver)
    _retirer_les_mots(apps)
    _masquer_les_retours(apps)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_compte_nb_coupures"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("calendrier", "0004_inscrits_herites"),
        ("discussions", "0002_portees_des_fichiers"),
        ("forum", "0004_commentaires_indexes"),
        ("guests", "0006_sans_empreintes"),
        ("resources", "0007_fichier_portee"),
        ("signalements", "0010_pieces_supprimees"),
        ("stats", "0001_exports"),
    ]

    operations = [sans_limite_de_temps(), migrations.RunPython(masquer, migrations.RunPython.noop)]

"""Our own generators against the service: each field of each input, and requests that no client writes."""

from random import Random
from urllib.parse import unquote

import httpx
import pytest

from config.tests.preuves.hasard.bilan import Comptes
from config.tests.preuves.hasard.fil import Fil
from config.tests.preuves.hasard.generateurs import Generateur
from config.tests.preuves.hasard.reserve import Reserve, semer
from config.tests.preuves.hasard.verdict import code_de, faute

pytestmark = pytest.mark.preuve
PART = 0.42  # of the requests of a run, with those of schemathesis a little more than all of them


def test_aucun_champ_d_aucune_entree_ne_sort_de_ce_que_dit_le_document(service, course, actrice, chiffre):
    comptes, reserve, fil = Comptes(), Reserve(), Fil(service.port)
    document = httpx.get(f"{service.url}/openapi.json").json()
    with httpx.Client(base_url=f"{service.url}/api/v1") as client:
        semer(reserve, client, actrice.entetes)
    identifiant = "invite" if actrice.nom == "invite" else "bearer"
    generateur = Generateur(document, reserve, Random(f"{course.graine} {actrice.nom}"), identifiant)

    for _rang, requete in zip(range(course.part(PART)), generateur.requetes(), strict=False):
        envoyes = {nom: valeur.encode() for nom, valeur in actrice.entetes.items()}
        reponse = fil.envoyer(requete, envoyes)
        chemin = unquote(requete.chemin)
        comptes.noter(requete.operation, reponse.status_code)
        if ecart := faute(requete.methode, chemin, reponse):
            adresse = f"{requete.methode} {requete.chemin[:200]}?{requete.question[:300]}"
            exemple = f"{adresse} {requete.entetes!r:.600} {requete.corps[:300]!r}"
            comptes.accuser(f"{requete.operation} ({requete.quoi})", ecart, exemple)
        reserve.apprendre(chemin, reponse)
        recus = {nom: valeur.decode("latin-1") for nom, valeur in {**envoyes, **requete.entetes}.items()}
        actrice.relire(recus, reponse.status_code, code_de(reponse))

    fil.fermer()
    chiffre(f"générateurs, {actrice.nom}", f"{comptes.resume} ; {generateur.nombre_de_champs} champs")
    assert not comptes.fautes, comptes.dites

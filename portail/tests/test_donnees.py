"""« Télécharger mes données »: the button of a space and of an account, and what it gives."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest

from portail.models import CodeRetour
from portail.tests.outils import PERSONNE, la_session, texte_de
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db


def telecharger(visiteuse) -> ZipFile:
    reponse = visiteuse.envoyer("/acces/donnees/")
    assert (reponse.status_code, reponse.headers["Content-Type"]) == (200, "application/zip")
    assert reponse.headers["Cache-Control"] == "no-store"
    return ZipFile(BytesIO(b"".join(reponse)))


def lu(archive: ZipFile, nom: str) -> list:
    return json.loads(archive.read(f"{nom}.json"))


def test_un_espace_emporte_ses_dossiers_sans_ce_qui_l_ouvre(visiteuse):
    six_mots = visiteuse.signaler()

    archive = telecharger(visiteuse)

    assert len(lu(archive, "signalements")) == len(lu(archive, "navigateurs")) == 1
    assert lu(archive, "session-invitee")[0]["telephoneMasked"] is None
    secrets = [six_mots, visiteuse.cookies["espace"].value, la_session().guest_id_empreinte]
    secrets.append(CodeRetour.objects.get().empreinte)
    texte = "\n".join(archive.read(nom).decode() for nom in archive.namelist())
    assert [un for un in secrets if un in texte] == []


def test_un_compte_emporte_le_sien(visiteuse):
    visiteuse.envoyer("/compte/inscription/", PERSONNE)

    archive = telecharger(visiteuse)

    assert [un["email"] for un in lu(archive, "compte")] == [PERSONNE["email"]]
    assert len(lu(archive, "navigateurs")) == 1


def test_un_autre_espace_n_y_est_pas(visiteuse, autre_visiteuse):
    visiteuse.signaler()
    autre_visiteuse.signaler(description="CANARI-D-UNE-AUTRE")

    archive = telecharger(visiteuse)

    assert "CANARI-D-UNE-AUTRE" not in "".join(archive.read(nom).decode() for nom in archive.namelist())


@pytest.mark.parametrize("avec_un_compte", [False, True])
def test_la_page_l_offre_et_dit_ce_qui_reste_sur_l_appareil(visiteuse, avec_un_compte):
    """At « Mon compte », which asks for the password first minutes later, for who has one."""
    if avec_un_compte:
        visiteuse.envoyer("/compte/inscription/", PERSONNE)
    else:
        visiteuse.signaler()

    page = visiteuse.lire("/compte/" if avec_un_compte else "/acces/")

    assert ('name="acte" value="donnees"' if avec_un_compte else 'action="/acces/donnees/"') in page
    assert "Télécharger mes données" in page
    assert "« Quitter vite » ne l'enlève pas" in page


def test_sans_acces_il_n_y_a_rien(visiteuse, autre_visiteuse):
    visiteuse.signaler()

    assert visiteuse.envoyer("/acces/donnees/").status_code == 200
    assert autre_visiteuse.envoyer("/acces/donnees/").status_code == 401


def test_trop_de_fois_est_une_page_qui_le_dit(visiteuse, settings):
    visiteuse.signaler()
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "personal_export": Taux(1, 3600)}
    telecharger(visiteuse)

    refus = visiteuse.envoyer("/acces/donnees/")

    assert refus.status_code == 429
    assert "Réessayez dans" in texte_de(refus)

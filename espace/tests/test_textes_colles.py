"""A text pasted from a word processor or a PDF is taken as it reads, on the team's pages too."""

import pytest

from discussions.models import Message
from espace.tests.outils import LISTE
from signalements.models import EntreeTimeline

pytestmark = pytest.mark.django_db
COLLE, LU = "Première.\x0bSeconde\x0cfin\xad\x00\x92", "Première.\nSeconde\nfin"


def test_une_reponse_et_une_note_collees_arrivent_avec_leurs_lignes(elle, signalement):
    repondu = elle.agir(signalement, "messages", **{"reponse-contenu": COLLE, "vu": ""})
    note = elle.agir(signalement, "notes", **{"note-contenu": COLLE})

    assert (repondu.status_code, note.status_code) == (303, 303)
    assert Message.objects.get().contenu == LU
    assert EntreeTimeline.objects.filter(type="NOTE").get().contenu == LU


def test_le_nom_d_un_filtre_tient_en_une_ligne(elle):
    garde = elle.envoyer("/equipe/filtres/", {"nom": "Les\tmiens\x0bà moi", "adresse": "?vue=a-moi"})

    assert garde.status_code == 303
    assert "Les miens à moi" in elle.lire(LISTE)

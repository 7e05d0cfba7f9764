import hashlib
import hmac

import pytest
from cryptography.fernet import Fernet, InvalidToken
from django.db import connection, transaction

from guests.models import SessionInvitee
from guests.tests.fabriques import session_invitee
from guests.tests.outils import colonne
from socle.domaine.chiffrement import Illisible, empreinte


@pytest.mark.django_db
def test_le_telephone_est_chiffre_au_repos(invite):
    with connection.cursor() as curseur:
        curseur.execute("SELECT telephone FROM guests_sessioninvitee")
        (brut,) = curseur.fetchone()

    assert "812345621" not in brut
    assert SessionInvitee.objects.get().telephone == "+243812345621"


@pytest.mark.django_db
def test_une_nouvelle_cle_lit_ce_que_l_ancienne_a_ecrit(settings, invite):
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode(), *settings.FIELD_ENCRYPTION_KEYS]

    assert SessionInvitee.objects.get().telephone == "+243812345621"


@pytest.mark.django_db
def test_une_valeur_qu_aucune_cle_n_ouvre_n_est_ni_un_vide_ni_reecrite(settings):
    session_invitee()
    avant = colonne("telephone", SessionInvitee.objects.get())
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

    lue = SessionInvitee.objects.get()

    assert (lue.telephone, lue.telephone_masque) == (Illisible.SANS_CLE, None)
    lue.clean_fields()
    with pytest.raises(InvalidToken), transaction.atomic():
        lue.save()
    with pytest.raises(InvalidToken):
        SessionInvitee._meta.get_field("telephone").value_to_string(lue)
    assert colonne("telephone", lue) == avant


@pytest.mark.django_db
def test_on_ne_cherche_pas_dans_un_champ_chiffre():
    with pytest.raises(Exception, match="Unsupported lookup"):
        list(SessionInvitee.objects.filter(telephone="+243812345621"))


def test_les_empreintes_de_deux_especes_different():
    assert empreinte("a", "x") == empreinte("a", "x")
    assert empreinte("a", "x") != empreinte("b", "x")
    assert empreinte("a", "bc") != empreinte("ab", "c")


def test_une_empreinte_est_un_hmac_de_sha_256(settings):
    settings.HASH_KEY = "une-cle"

    assert empreinte("a", "é") == hmac.new(b"une-cle", "a\x00é".encode(), hashlib.sha256).hexdigest()

import unicodedata

import idna
from django.db import migrations

INVISIBLES = (
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0xE0000, 0xE0FFF),
)
AUTREMENT = r"[^ -~]"  # an address with anything but ASCII; one of ASCII has its form already
ATTEND = "PENDING"
LONGUEUR = 254  # of the column


def forme(adresse):
    """The form under which the service looks for an address, as it was when this migration was written."""
    vue = "".join(c for c in adresse if not any(debut <= ord(c) <= fin for debut, fin in INVISIBLES))
    local, arobase, domaine = unicodedata.normalize("NFKC", vue).strip().lower().rpartition("@")
    try:
        return f"{local}{arobase}{domaine if domaine.isascii() else idna.encode(domaine, uts46=True).decode()}"
    except idna.IDNAError:
        return adresse


def mettre(apps, schema_editor):
    """Give each address its form where no other has it or would take it; the others stay, and `doctor` counts them."""
    comptes = apps.get_model("accounts", "Compte")._base_manager
    for compte in _sans_double(comptes.filter(email__regex=AUTREMENT), comptes):
        # The search text ends with the address.
        compte.recherche = f"{compte.recherche.rpartition(' ')[0]} {compte.email}".strip()
        compte.save(update_fields=["email", "recherche"])
    invitations = apps.get_model("accounts", "Invitation")._base_manager
    attendent = invitations.filter(statut=ATTEND)
    for invitation in _sans_double(attendent.filter(email__regex=AUTREMENT), attendent):
        invitation.save(update_fields=["email"])


def _sans_double(lignes, parmi):
    par_forme = {}
    for ligne in lignes:
        par_forme.setdefault(forme(ligne.email), []).append(ligne)
    prises = set(parmi.filter(email__in=list(par_forme)).values_list("email", flat=True))
    for adresse, siennes in par_forme.items():
        if len(siennes) == 1 and adresse not in prises and len(adresse) <= LONGUEUR:
            siennes[0].email = adresse
            yield siennes[0]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0013_sessions_de_page_sous_empreinte")]
    operations = [migrations.RunPython(mettre, migrations.RunPython.noop)]

import json

import pytest
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.core.management import CommandError, call_command
from django.db import transaction

from accounts.models import Compte, Invitation
from accounts.services import comptes, invitations
from accounts.tests import fabriques
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import AUTH, entrer, hors_surete, jeton_recu, se_connecter, statut_du_jeton
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import ActeurCompte
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
URL = "/api/v1/comptes/"
COMPTES = "/admin/accounts/compte/"
NOUVEAU = "Baobab-penché-77"
CREATION = {
    "email": "ines@campus.test",
    "motDePasse": NOUVEAU,
    "nom": "Lukusa",
    "prenom": "Inès",
    "typeUtilisateur": "GESTIONNAIRE",
}


def journal():
    """What each entry says, oldest first: on whom, which act, the values before and after, what is not told."""
    lues = []
    for entree in LogEntry.objects.order_by("id"):
        (partie,) = json.loads(entree.change_message)
        (detail,) = partie.values()
        valeurs = {nom: tuple(paire) for nom, paire in detail["valeurs"].items()}
        lues.append((entree.object_repr, entree.action_flag, valeurs, detail["tus"]))
    return lues


def formulaire(compte, **champs):
    noms = ("email", "prenom", "nom", "type_utilisateur", "telephone", "bureau_genre_id")
    return {**{nom: getattr(compte, nom) for nom in noms}, **champs}


def agir(client, action, compte, **champs):
    return client.post(COMPTES, {"action": action, "_selected_action": [str(compte.pk)], **champs}, follow=True)


# --- Over the API ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("sans_confirmation")
@pytest.mark.parametrize(
    ("chemin", "corps", "valeurs", "tus"),
    [
        ("", {"email": "Eva@Campus.test"}, {"email": ("awa@campus.test", "eva@campus.test")}, []),
        ("", {"typeUtilisateur": "GESTIONNAIRE"}, {"type_utilisateur": ("UTILISATEUR", "GESTIONNAIRE")}, []),
        ("", {"prenom": "Eva", "telephone": "+243812345621"}, {"prenom": ("Awa", "Eva")}, ["telephone"]),
        ("/reset-password", {"nouveauMotDePasse": NOUVEAU}, {}, ["password"]),
        ("/deactivate", {}, {"est_actif": (True, False)}, []),
    ],
)
def test_ce_qu_une_administratrice_change_d_un_compte_est_note(
    api, admin, etudiante, gestionnaire, chemin, corps, valeurs, tus
):
    api(admin).put(f"{URL}{etudiante.pk}{chemin}", corps)

    (entree,) = LogEntry.objects.all()
    assert (entree.user, entree.object_id) == (admin, str(etudiante.pk))
    assert [ligne[1:] for ligne in journal()] == [(CHANGE, valeurs, tus)]


def test_une_reactivation_est_notee_une_fois(api, admin, etudiante):
    Compte.objects.filter(pk=etudiante.pk).update(est_actif=False)

    for _rang in range(2):
        api(admin).put(f"{URL}{etudiante.pk}/reactivate")

    assert journal() == [("Awa Diop", CHANGE, {"est_actif": (False, True)}, [])]


def test_un_compte_cree_pour_quelqu_un_est_note(api, admin):
    api(admin).post(URL, CREATION)

    valeurs = {"email": (None, "ines@campus.test"), "type_utilisateur": (None, "GESTIONNAIRE")}
    assert journal() == [("Inès Lukusa", ADDITION, valeurs, [])]
    assert LogEntry.objects.get().user == admin


def test_une_invitation_faite_renvoyee_remplacee_revoquee_est_notee_a_chaque_fois(api, admin):
    client, url = api(admin), f"{URL}invitations"
    corps = {"email": "ines@campus.test", "typeUtilisateur": "GESTIONNAIRE"}

    premiere = client.post(url, corps).json()["data"]["invitationId"]
    client.post(f"{url}/{premiere}/renvoyer")
    seconde = client.post(url, {**corps, "typeUtilisateur": "ADMIN_SYSTEME"}).json()["data"]["invitationId"]
    for _rang in range(2):
        client.delete(f"{url}/{seconde}")

    revoquee = ("ines@campus.test", CHANGE, {"statut": ("PENDING", "REVOKED")}, [])
    assert journal() == [
        ("ines@campus.test", ADDITION, {"type_utilisateur": (None, "GESTIONNAIRE")}, []),
        ("ines@campus.test", CHANGE, {"envoi": (1, 2)}, []),
        revoquee,
        ("ines@campus.test", ADDITION, {"type_utilisateur": (None, "ADMIN_SYSTEME")}, []),
        revoquee,
    ]
    assert {entree.user for entree in LogEntry.objects.all()} == {admin}


def test_ce_que_l_on_change_soi_meme_n_est_pas_note(api, etudiante):
    client = api(etudiante)

    client.put(f"{URL}me", {"prenom": "Eva", "telephone": "+243812345621"})
    client.put(f"{URL}me/password", {"ancienMotDePasse": MOT_DE_PASSE, "nouveauMotDePasse": NOUVEAU})

    assert journal() == []


@pytest.mark.parametrize(
    ("chemin", "corps"),
    [
        ("", {"email": "lea@campus.test"}),
        ("", {"nom": "Diop"}),
        ("/reset-password", {"nouveauMotDePasse": "court"}),
        ("/reactivate", {}),
    ],
)
def test_ce_qui_est_refuse_ou_ne_change_rien_n_est_pas_note(api, admin, etudiante, autre_etudiante, chemin, corps):
    api(admin).put(f"{URL}{etudiante.pk}{chemin}", corps)

    assert journal() == []


@pytest.mark.parametrize(
    "acte",
    [
        lambda admin, compte, invitation: comptes.modifier(
            compte=compte, acteur=ActeurCompte(compte=admin), email="eva@campus.test"
        ),
        lambda admin, compte, invitation: comptes.imposer_mot_de_passe(
            compte=compte, acteur=ActeurCompte(compte=admin), nouveau_mot_de_passe=NOUVEAU
        ),
        lambda admin, compte, invitation: comptes.desactiver(compte=compte, acteur=ActeurCompte(compte=admin)),
        lambda admin, compte, invitation: invitations.revoquer(invitation=invitation, par=admin),
    ],
    ids=["modifier", "imposer_mot_de_passe", "desactiver", "revoquer"],
)
def test_rien_n_est_note_ni_dit_quand_la_transaction_echoue(admin, etudiante, mailoutbox, acte):
    invitation = fabriques.invitation(admin)

    with pytest.raises(RuntimeError), transaction.atomic():
        acte(admin, etudiante, invitation)
        raise RuntimeError
    faire_les_taches()

    assert (journal(), mailoutbox) == ([], [])


def test_ni_mot_de_passe_ni_jeton_n_est_dans_le_journal(api, admin, etudiante, mailoutbox):
    client = api(admin)
    client.post(URL, CREATION)
    client.put(f"{URL}{etudiante.pk}/reset-password", {"nouveauMotDePasse": f"{NOUVEAU}8"})
    client.post(f"{URL}invitations", {"email": "zoe@campus.test", "typeUtilisateur": "GESTIONNAIRE"})
    agir(entrer(admin.email), "envoyer_un_lien", etudiante)
    faire_les_taches()
    secrets = [NOUVEAU, *Compte.objects.values_list("password", flat=True)]
    secrets += [jeton_recu(message) for message in mailoutbox if "token=" in message.body]

    ecrit = " ".join(entree.change_message + entree.object_repr for entree in LogEntry.objects.all())

    assert len(secrets) == 1 + 3 + 2
    assert [secret for secret in secrets if secret in ecrit] == []


# --- From the admin site, and from the machine ----------------------------------------------------------------------


@pytest.mark.usefixtures("sans_confirmation")
@pytest.mark.parametrize(
    ("acte", "attendu"),
    [
        (
            lambda client, compte: client.post(
                f"{COMPTES}{compte.pk}/change/", formulaire(compte, type_utilisateur="GESTIONNAIRE")
            ),
            ({"type_utilisateur": ("UTILISATEUR", "GESTIONNAIRE")}, []),
        ),
        (lambda client, compte: agir(client, "desactiver", compte, confirme="oui"), ({"est_actif": (True, False)}, [])),
        (lambda client, compte: agir(client, "envoyer_un_lien", compte), ({}, ["lien de réinitialisation"])),
    ],
    ids=["formulaire", "désactiver", "envoyer_un_lien"],
)
def test_un_acte_de_l_espace_de_l_equipe_est_note_une_fois_comme_par_l_api(admin, etudiante, acte, attendu):
    acte(entrer(admin.email), etudiante)

    assert journal() == [("Awa Diop", CHANGE, *attendu)]
    assert LogEntry.objects.get().user == admin


@pytest.mark.usefixtures("sans_confirmation")
def test_le_journal_et_l_historique_montrent_l_ancienne_valeur_et_la_nouvelle(api, admin, etudiante):
    api(admin).put(f"{URL}{etudiante.pk}", {"email": "eva@campus.test"}, headers={"Accept-Language": "en"})
    client = entrer(admin.email)

    pages = [
        client.get(page, headers={"Accept-Language": "fr"}).content.decode()
        for page in (f"/admin/admin/logentry/{LogEntry.objects.get().pk}/change/", f"{COMPTES}{etudiante.pk}/history/")
    ]

    for page in pages:
        assert '<th scope="row">E-mail</th><td>awa@campus.test</td><td>eva@campus.test</td>' in page.replace(
            "<p>", ""
        ).replace("</p>", "")
        assert "Modification : e-mail." in page


def test_createsuperuser_est_note_comme_un_acte_de_la_machine(monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", MOT_DE_PASSE)

    call_command("createsuperuser", "--noinput", email="Chef@Campus.test", nom="Kalala", prenom="Jo", verbosity=0)

    valeurs = {"email": (None, "chef@campus.test"), "type_utilisateur": (None, "ADMIN_SYSTEME")}
    assert journal() == [("Jo Kalala", ADDITION, valeurs, [])]
    assert "compte (manage.py)" in LogEntry.objects.get().get_change_message()

    (trace,) = Trace.objects.filter(acte=Acte.COMPTE_CREE)
    assert (trace.acteur, trace.objet, trace.sorte) == (None, Compte.objects.get().pk, Sorte.COMPTE)
    assert trace.details == {"role": "ADMIN_SYSTEME"}


def test_changepassword_passe_par_le_meme_service(etudiante, monkeypatch, capsys, mailoutbox):
    monkeypatch.setattr("getpass.getpass", lambda *_: NOUVEAU)
    jeton = se_connecter(etudiante).json()["data"]["token"]

    call_command("changepassword", "AWA@campus.test")
    faire_les_taches()

    etudiante.refresh_from_db()
    assert etudiante.check_password(NOUVEAU)
    assert statut_du_jeton(jeton) == 401
    assert journal() == [("Awa Diop", CHANGE, {}, ["password"])]
    assert "(manage.py)" in LogEntry.objects.get().get_change_message()
    assert [message.to for message in mailoutbox] == [["awa@campus.test"]]
    assert "Mot de passe changé." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("email", "saisies"),
    [
        ("personne@campus.test", [NOUVEAU, NOUVEAU]),
        ("awa@campus.test", [NOUVEAU, "autre"]),
        ("awa@campus.test", ["court", "court"]),
    ],
)
def test_changepassword_dit_ce_qui_ne_va_pas_et_ne_change_rien(etudiante, monkeypatch, email, saisies):
    monkeypatch.setattr("getpass.getpass", lambda *_: saisies.pop(0))

    with pytest.raises(CommandError):
        call_command("changepassword", email)

    etudiante.refresh_from_db()
    assert etudiante.check_password(MOT_DE_PASSE)
    assert journal() == []


# --- The link -------------------------------------------------------------------------------------------------------


def test_un_lien_envoye_de_l_espace_de_l_equipe_sert_a_qui_le_recoit(api, admin, etudiante, mailoutbox):
    agir(entrer(admin.email), "envoyer_un_lien", etudiante)
    faire_les_taches()

    (message,) = hors_surete(mailoutbox)
    corps = {"token": jeton_recu(message), "nouveauMotDePasse": NOUVEAU}
    assert message.to == ["awa@campus.test"]
    assert api(None).post(f"{AUTH}reset-password", corps).status_code == 200
    assert se_connecter(etudiante, motDePasse=NOUVEAU).status_code == 200


def test_un_compte_desactive_ne_recoit_pas_de_lien_et_la_page_dit_pourquoi(admin, etudiante, mailoutbox):
    Compte.objects.filter(pk=etudiante.pk).update(est_actif=False)

    reponse = agir(entrer(admin.email), "envoyer_un_lien", etudiante)
    faire_les_taches()

    assert "Ce compte est désactivé : réactivez-le d&#x27;abord." in reponse.content.decode()
    assert (journal(), hors_surete(mailoutbox)) == ([], [])


def test_reinviter_apres_l_echeance_dit_expiree_la_precedente(api, admin):
    fabriques.invitation(admin, email="ines@campus.test", expire_le="2020-01-01T00:00:00Z")

    api(admin).post(f"{URL}invitations", {"email": "ines@campus.test", "typeUtilisateur": "GESTIONNAIRE"})

    assert sorted(Invitation.objects.values_list("statut", flat=True)) == ["EXPIRED", "PENDING"]

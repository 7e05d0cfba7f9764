import pytest

from accounts.models import Compte, Preferences
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import AUTH, entrer, hors_surete
from config.tests.outils.typographie import ordinaire
from socle.taches.tests.outils import en_file, faire_les_taches

pytestmark = pytest.mark.django_db
URL = "/api/v1/comptes/"
NOUVEAU = "Baobab-penché-77"


def textes(message):
    return ordinaire(message.body), ordinaire(message.alternatives[0][0])


def change(api, admin, compte, chemin="", **corps):
    reponse = api(admin).put(f"{URL}{compte.pk}{chemin}", corps)
    assert reponse.status_code == 200
    faire_les_taches()


def test_un_mot_de_passe_pose_par_autrui_est_dit_a_la_personne_sans_le_dire(api, admin, etudiante, mailoutbox):
    change(api, admin, etudiante, "/reset-password", nouveauMotDePasse=NOUVEAU)

    (message,) = mailoutbox
    assert (message.to, message.subject) == (["awa@campus.test"], "Votre compte a été modifié")
    for texte in textes(message):
        assert "Un nouveau mot de passe a été posé" in texte
        assert NOUVEAU not in texte
        assert "Rose" not in texte


def test_un_role_change_par_autrui_est_dit_a_la_personne(api, admin, etudiante, mailoutbox):
    change(api, admin, etudiante, typeUtilisateur="GESTIONNAIRE")

    (message,) = mailoutbox
    assert message.to == ["awa@campus.test"]
    for texte in textes(message):
        assert "Votre rôle est maintenant : Gestionnaire." in texte
        assert "mot de passe" not in texte


@pytest.mark.usefixtures("sans_confirmation")
def test_une_adresse_changee_par_autrui_est_dite_aux_deux_et_l_ancienne_ignore_la_nouvelle(
    api, admin, etudiante, mailoutbox
):
    change(api, admin, etudiante, email="eva@campus.test", typeUtilisateur="GESTIONNAIRE")

    recus = {message.to[0]: message for message in mailoutbox}
    assert recus.keys() == {"awa@campus.test", "eva@campus.test"}
    for texte in textes(recus["awa@campus.test"]):
        assert "cette adresse n" in texte
        assert "eva@campus.test" not in texte
        assert "Gestionnaire" not in texte
    for texte in textes(recus["eva@campus.test"]):
        assert "Cette adresse e-mail est maintenant celle du compte." in texte
        assert "awa@campus.test" not in texte
        assert "Votre rôle est maintenant : Gestionnaire." in texte


@pytest.mark.usefixtures("sans_confirmation")
@pytest.mark.parametrize(("verifiee", "a_l_ancienne"), [(True, "Bonjour Awa,"), (False, "Bonjour,")])
def test_seule_une_adresse_prouvee_recoit_un_prenom(api, admin, etudiante, mailoutbox, verifiee, a_l_ancienne):
    Compte.objects.filter(pk=etudiante.pk).update(email_verifie=verifiee)

    change(api, admin, etudiante, email="eva@campus.test")

    saluts = {message.to[0]: message.body.partition("\n")[0] for message in mailoutbox}
    assert saluts == {"awa@campus.test": a_l_ancienne, "eva@campus.test": "Bonjour,"}


def test_le_message_suit_la_langue_de_la_personne_et_non_de_qui_change(api, admin, etudiante, mailoutbox):
    Preferences.objects.create(compte=etudiante, langue="en")

    change(api, admin, etudiante, typeUtilisateur="GESTIONNAIRE")

    (message,) = mailoutbox
    assert '<html lang="en">' in message.alternatives[0][0]
    assert "Bonjour" not in message.body


@pytest.mark.usefixtures("sans_confirmation")
@pytest.mark.parametrize("chemin", ["api", "espace"])
def test_ce_que_l_on_change_de_son_propre_compte_n_est_pas_l_acte_d_autrui(api, admin, mailoutbox, chemin):
    corps = {"ancienMotDePasse": MOT_DE_PASSE, "nouveauMotDePasse": NOUVEAU}
    if chemin == "api":
        api(admin).put(f"{URL}me/password", corps)
    else:
        champs = {"old_password": MOT_DE_PASSE, "new_password1": NOUVEAU, "new_password2": NOUVEAU}
        entrer(admin.email).post("/admin/password_change/", champs)
    api(admin).put(f"{URL}me", {"email": "reine@campus.test"})
    faire_les_taches()

    admin.refresh_from_db()
    assert (admin.check_password(NOUVEAU), hors_surete(mailoutbox)) == (True, [])


@pytest.mark.parametrize("corps", [{"nom": "Ndiaye", "telephone": "+243812345621"}, {"email": "AWA@campus.test"}, {}])
def test_un_nom_ou_un_telephone_corrige_n_envoie_rien(api, admin, etudiante, mailoutbox, corps):
    change(api, admin, etudiante, **corps)

    assert mailoutbox == []


def test_un_lien_de_mot_de_passe_utilise_n_est_pas_l_acte_d_autrui(api, etudiante, mailoutbox):
    api(None).post(f"{AUTH}forgot-password", {"email": etudiante.email})
    faire_les_taches()
    jeton = mailoutbox[0].body.partition("?token=")[2].split()[0]

    api(None).post(f"{AUTH}reset-password", {"token": jeton, "nouveauMotDePasse": NOUVEAU})
    faire_les_taches()

    assert len(hors_surete(mailoutbox)) == 1


@pytest.mark.usefixtures("sans_confirmation")
def test_la_file_ne_garde_ni_adresse_ni_nom(api, admin, etudiante):
    api(admin).put(f"{URL}{etudiante.pk}", {"email": "eva@campus.test"})

    gardes = str([tache.args_kwargs for tache in en_file()])

    assert en_file().count() == 2
    assert [mot for mot in ("campus.test", "Awa", "Diop") if mot in gardes] == []

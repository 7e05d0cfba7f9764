"""Two at once, on real connections."""

import threading

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection, transaction

from accounts.models import Compte, DemandeMotDePasse, Invitation, Session
from accounts.services import comptes
from accounts.tests import fabriques
from accounts.tests.outils import AUTH, Application, ensemble, munir, se_connecter
from config.tests.outils import ClientApi, acteur_de, client_de, document
from signalements.models import Signalement
from signalements.tests.fabriques import signalement
from socle.realtime.models import Evenement

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
CORPS = {"email": "ines@campus.test", "motDePasse": "Baobab-penché-77", "nom": "Lukusa", "prenom": "Inès"}


@pytest.fixture(autouse=True)
def _document_pret():
    document()


def poster(chemin, corps):
    return lambda: ClientApi().post(f"{AUTH}{chemin}", corps).status_code


def test_un_jeton_presente_trente_deux_fois_a_la_fois_n_ouvre_qu_une_session(etudiante):
    jeton = se_connecter(etudiante).json()["data"]["refreshToken"]

    statuts = ensemble([poster("refresh", {"refreshToken": jeton})] * 32)

    assert sorted(map(str, statuts)) == ["200"] + ["401"] * 31
    assert Session.objects.actives().count() == 1
    assert not Evenement.objects.filter(type="system_alert").exists()


def test_un_code_presente_huit_fois_a_la_fois_n_ouvre_qu_une_session(gestionnaire):
    application, codes = munir(gestionnaire)

    for otp in (application.code(), codes[0]):
        corps = {"email": gestionnaire.email, "motDePasse": fabriques.MOT_DE_PASSE, "otp": otp}
        statuts = ensemble([poster("login", corps)] * 8)
        assert sorted(map(str, statuts)) == ["200"] + ["401"] * 7

    assert Session.objects.actives().count() == 2


def test_deux_premiers_codes_a_la_fois_n_activent_qu_une_fois(gestionnaire):
    client = client_de(gestionnaire)
    url = "/api/v1/comptes/me/second-facteur"
    secret = client.post(url, {"motDePasse": fabriques.MOT_DE_PASSE}).json()["data"]["secret"]
    code = Application(secret).code()

    reponses = ensemble([lambda: client_de(gestionnaire).post(f"{url}/confirmer", {"otp": code})] * 4)

    assert sorted(reponse.status_code for reponse in reponses).count(200) == 1


def test_deux_admins_qui_se_desactivent_l_un_l_autre_n_y_arrivent_pas_tous_deux(admin):
    autre = fabriques.admin()
    clients = [(client_de(admin), autre), (client_de(autre), admin)]

    statuts = ensemble([lambda c=c, x=x: c.put(f"/api/v1/comptes/{x.pk}/deactivate").status_code for c, x in clients])

    assert Compte.objects.filter(est_actif=True).count() == 1
    assert statuts.count(200) == 1
    assert set(statuts) <= {200, 401, 409}


def test_deux_admins_qui_se_retrogradent_l_un_l_autre_n_y_arrivent_pas_tous_deux(admin):
    autre = fabriques.admin()
    clients = [(client_de(admin), autre), (client_de(autre), admin)]
    corps = {"typeUtilisateur": "UTILISATEUR"}

    statuts = ensemble([lambda c=c, x=x: c.put(f"/api/v1/comptes/{x.pk}", corps).status_code for c, x in clients])

    assert Compte.objects.filter(type_utilisateur="ADMIN_SYSTEME").count() == 1
    assert set(statuts) <= {200, 403, 409}


@pytest.mark.usefixtures("sans_confirmation")
def test_deux_admins_qui_changent_l_adresse_l_un_de_l_autre_y_arrivent_tous_deux(admin):
    autre = fabriques.admin(email="reine@campus.test")
    clients = [(client_de(admin), autre), (client_de(autre), admin)]

    statuts = [
        statut
        for rang in range(5)
        for statut in ensemble(
            [
                lambda c=c, x=x, n=rang: c.put(f"/api/v1/comptes/{x.pk}", {"email": f"{n}-{x.email}"}).status_code
                for c, x in clients
            ]
        )
    ]

    assert statuts == [200] * 10
    assert LogEntry.objects.count() == 10


def test_reactiver_plusieurs_fois_a_la_fois_n_est_note_qu_une(admin, etudiante):
    Compte.objects.filter(pk=etudiante.pk).update(est_actif=False)
    clients = [client_de(admin) for _rang in range(6)]

    statuts = ensemble([lambda c=c: c.put(f"/api/v1/comptes/{etudiante.pk}/reactivate").status_code for c in clients])

    assert statuts == [200] * 6
    assert LogEntry.objects.count() == 1


@pytest.mark.parametrize(
    "acte",
    [
        lambda compte, par: comptes.desactiver(compte=compte, acteur=acteur_de(par)),
        lambda compte, par: comptes.modifier(compte=compte, acteur=acteur_de(par), type_utilisateur="UTILISATEUR"),
    ],
    ids=["desactiver", "retrograder"],
)
def test_qui_retire_un_admin_attend_l_autre_retrait_puis_en_voit_l_issue(admin, acte):
    autre, issue = fabriques.admin(), []
    seconde = threading.Thread(target=lambda: issue.extend(ensemble([lambda: acte(admin, autre)])))

    with transaction.atomic():
        acte(Compte.objects.get(pk=autre.pk), admin)
        seconde.start()
        seconde.join(timeout=0.5)
        attendait = seconde.is_alive()
    seconde.join(timeout=10)

    assert attendait
    assert [echec.code for echec in issue] == ["LAST_ADMIN"]
    assert Compte.objects.filter(est_actif=True, type_utilisateur="ADMIN_SYSTEME").count() == 1


def test_deux_inscriptions_d_une_meme_adresse_ne_font_qu_un_compte():
    actes = [poster("signup", {**CORPS, "email": email}) for email in ("ines@campus.test", "INES@campus.test")]

    statuts = ensemble(actes * 4)

    assert sorted(map(str, statuts)) == ["201"] + ["409"] * 7
    assert Compte.objects.count() == 1


def test_une_invitation_acceptee_deux_fois_a_la_fois_ne_sert_qu_une(admin):
    invitation = fabriques.invitation(admin, email=CORPS["email"])
    acte = poster("signup", {**CORPS, "invitationToken": invitation.jeton})

    statuts = ensemble([acte] * 8)

    assert sorted(map(str, statuts)) == ["201"] + ["422"] * 7
    assert Compte.objects.get(email=CORPS["email"]).type_utilisateur == "GESTIONNAIRE"
    assert Invitation.objects.get().acceptee_par.email == CORPS["email"]


def test_inviter_deux_fois_a_la_fois_laisse_une_seule_invitation_en_attente(admin):
    client = client_de(admin)
    corps = {"email": CORPS["email"], "typeUtilisateur": "GESTIONNAIRE"}

    statuts = ensemble([lambda: client_de(admin).post("/api/v1/comptes/invitations", corps).status_code] * 6)

    assert set(statuts) <= {201, 409}
    assert 201 in statuts
    assert client.get("/api/v1/comptes/invitations?statut=PENDING").json()["data"]["total"] == 1


def test_un_lien_de_mot_de_passe_utilise_plusieurs_fois_a_la_fois_ne_sert_qu_une(etudiante):
    ClientApi().post(f"{AUTH}forgot-password", {"email": etudiante.email})
    jeton = DemandeMotDePasse.objects.get().jeton
    actes = [poster("reset-password", {"token": jeton, "nouveauMotDePasse": f"Baobab-penché-{n}"}) for n in range(8)]

    statuts = ensemble(actes)

    assert sorted(map(str, statuts)) == ["200"] + ["422"] * 7


def test_une_connexion_pendant_une_desactivation_ne_laisse_pas_de_session(admin, etudiante):
    desactiver = client_de(admin)
    actes = [lambda: se_connecter(etudiante).status_code for _rang in range(6)]

    statuts = ensemble([*actes, lambda: desactiver.put(f"/api/v1/comptes/{etudiante.pk}/deactivate").status_code])

    assert set(statuts) <= {200, 403}
    assert not Session.objects.filter(compte=etudiante, date_fin__isnull=True).exists()


def test_des_preferences_lues_pour_la_premiere_fois_plusieurs_fois_a_la_fois(etudiante):
    clients = [client_de(etudiante) for _rang in range(6)]

    statuts = ensemble([lambda c=c: c.get("/api/v1/preferences/").status_code for c in clients])

    assert statuts == [200] * 6


def test_deux_cents_references_tirees_a_la_fois_sont_distinctes(etudiante, invite):
    acteurs = [acteur_de(etudiante), acteur_de(invite)] * 4

    lots = ensemble([lambda a=a: [signalement(a).reference for _rang in range(25)] for a in acteurs])

    references = [reference for lot in lots for reference in lot]
    assert len(set(references)) == len(references) == Signalement.objects.count() == 200


def test_les_essais_se_font_bien_sur_plusieurs_connexions():
    def processus():
        with connection.cursor() as curseur:
            curseur.execute("SELECT pg_backend_pid()")
            return curseur.fetchone()[0]

    assert len(set(ensemble([processus] * 4))) == 4

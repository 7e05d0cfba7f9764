"""The second factor over the API: enrolment, sign-in, recovery codes, removal, reset; what is kept and recorded."""

import json
import logging
from datetime import UTC, datetime

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.models import SecondFacteur, Session
from accounts.services.preuves import NOMBRE_DE_CODES
from accounts.tests import fabriques
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import Application, munir, renouveler, se_connecter, statut_du_jeton
from config.tests.outils import ClientApi, client_de
from config.tests.outils.typographie import ordinaire
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte
from socle.realtime.models import Evenement
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
LE_MIEN = "/api/v1/comptes/me/second-facteur"


def celui_de(compte):
    return f"/api/v1/comptes/{compte.pk}/second-facteur"


def jeton(reponse):
    assert reponse.status_code == 200, reponse.content
    return reponse.json()["data"]["token"]


def code_d_erreur(reponse):
    return reponse.status_code, reponse.json()["code"]


def actes():
    return list(Trace.objects.order_by("id").values_list("acte", flat=True))


def enroler(client):
    """Enrol over the API; the application, the recovery codes."""
    secret = client.post(LE_MIEN, {"motDePasse": MOT_DE_PASSE}).json()["data"]["secret"]
    application = Application(secret)
    reponse = client.post(f"{LE_MIEN}/confirmer", {"otp": application.code()})
    assert reponse.status_code == 200, reponse.content
    return application, reponse.json()["data"]["codes"]


# --- Enrolment


def test_un_premier_code_active_le_second_facteur_et_donne_dix_codes_de_secours(gestionnaire):
    client = ClientApi(jeton=jeton(se_connecter(gestionnaire)))
    avant = client.get(LE_MIEN).json()["data"]

    _application, codes = enroler(client)

    apres = client.get(LE_MIEN).json()["data"]
    assert avant == {"actif": False, "dateActivation": None, "codesRestants": 0, "exige": False}
    assert (apres["actif"], apres["codesRestants"]) == (True, NOMBRE_DE_CODES)
    assert len(set(codes)) == NOMBRE_DE_CODES
    assert Acte.SECOND_FACTEUR_ACTIVE in actes()


def test_activer_termine_les_autres_sessions_et_garde_celle_qui_demande(gestionnaire):
    ailleurs = jeton(se_connecter(gestionnaire))
    ici = jeton(se_connecter(gestionnaire))

    enroler(ClientApi(jeton=ici))

    assert (statut_du_jeton(ailleurs), statut_du_jeton(ici)) == (401, 200)
    assert Session.objects.actives().get().second_facteur is True


def test_le_secret_demande_le_mot_de_passe(gestionnaire):
    reponse = client_de(gestionnaire).post(LE_MIEN, {"motDePasse": "Un-autre-2026"})

    assert code_d_erreur(reponse) == (422, "VALIDATION_ERROR")
    assert not SecondFacteur.objects.exists()


def test_un_premier_code_faux_n_active_rien(gestionnaire):
    client = client_de(gestionnaire)
    application = Application(client.post(LE_MIEN, {"motDePasse": MOT_DE_PASSE}).json()["data"]["secret"])

    reponse = client.post(f"{LE_MIEN}/confirmer", {"otp": application.faux()})

    assert code_d_erreur(reponse) == (422, "VALIDATION_ERROR")
    assert jeton(se_connecter(gestionnaire))


def test_confirmer_sans_avoir_demande_de_secret_est_un_conflit(gestionnaire):
    reponse = client_de(gestionnaire).post(f"{LE_MIEN}/confirmer", {"otp": "123456"})

    assert code_d_erreur(reponse) == (409, "CONFLICT")


def test_demander_un_secret_ou_confirmer_quand_un_autre_est_actif_est_un_conflit(gestionnaire):
    application, _codes = munir(gestionnaire)
    client = client_de(gestionnaire)

    reponses = [
        client.post(LE_MIEN, {"motDePasse": MOT_DE_PASSE}),
        client.post(f"{LE_MIEN}/confirmer", {"otp": application.code()}),
    ]

    assert [code_d_erreur(reponse) for reponse in reponses] == [(409, "CONFLICT")] * 2
    assert se_connecter(gestionnaire, otp=application.code()).status_code == 200


# --- Signing in


def test_le_code_est_demande_apres_le_mot_de_passe_seulement(gestionnaire):
    application, _codes = munir(gestionnaire)

    assert code_d_erreur(se_connecter(gestionnaire)) == (401, "OTP_REQUIRED")
    assert code_d_erreur(se_connecter(gestionnaire, otp="  ")) == (401, "OTP_REQUIRED")
    assert code_d_erreur(se_connecter(gestionnaire, motDePasse="Faux-2026")) == (401, "INVALID_CREDENTIALS")
    faux_aussi = se_connecter(gestionnaire, motDePasse="Faux-2026", otp=application.code())
    assert code_d_erreur(faux_aussi) == (401, "INVALID_CREDENTIALS")
    assert code_d_erreur(se_connecter(gestionnaire, otp=application.faux())) == (401, "OTP_INVALID")
    assert se_connecter(gestionnaire, otp=application.code()).status_code == 200


def test_un_compte_sans_second_facteur_ne_voit_rien_de_tout_cela(etudiante):
    assert se_connecter(etudiante).status_code == 200
    assert se_connecter(etudiante, otp="000000").status_code == 200


def test_un_code_ne_sert_qu_une_fois_ni_un_plus_ancien_apres_lui(gestionnaire):
    application, _codes = munir(gestionnaire)
    code, precedent = application.code(), application.code(-1)

    premiere = se_connecter(gestionnaire, otp=code)

    assert premiere.status_code == 200
    assert code_d_erreur(se_connecter(gestionnaire, otp=code)) == (401, "OTP_INVALID")
    assert code_d_erreur(se_connecter(gestionnaire, otp=precedent)) == (401, "OTP_INVALID")


@pytest.mark.parametrize(("ecart", "statut"), [(-3, 401), (-1, 200), (0, 200), (1, 200), (3, 401)])
def test_une_horloge_decalee_d_un_pas_passe_et_pas_davantage(gestionnaire, ecart, statut):
    application, _codes = munir(gestionnaire)

    assert se_connecter(gestionnaire, otp=application.code(ecart)).status_code == statut


def test_un_code_de_secours_sert_une_fois_avec_ou_sans_tiret(gestionnaire):
    _application, codes = munir(gestionnaire)

    premiere = se_connecter(gestionnaire, otp=codes[0])
    encore = se_connecter(gestionnaire, otp=codes[0])
    sans_tiret = se_connecter(gestionnaire, otp=f" {codes[1].replace('-', '').upper()} ")

    assert [r.status_code for r in (premiere, encore, sans_tiret)] == [200, 401, 200]
    assert client_de(gestionnaire).get(LE_MIEN).json()["data"]["codesRestants"] == NOMBRE_DE_CODES - 2
    assert actes().count(Acte.CODE_DE_SECOURS_UTILISE) == 2


def test_une_cle_perdue_laisse_les_codes_de_secours(gestionnaire, settings):
    application, codes = munir(gestionnaire)
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

    assert code_d_erreur(se_connecter(gestionnaire, otp=application.code(1))) == (401, "OTP_INVALID")
    assert se_connecter(gestionnaire, otp=codes[0]).status_code == 200


def test_un_enrolement_commence_avant_une_cle_perdue_se_recommence(gestionnaire, settings):
    client = ClientApi(jeton=jeton(se_connecter(gestionnaire)))
    assert client.post(LE_MIEN, {"motDePasse": MOT_DE_PASSE}).status_code == 200
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

    assert code_d_erreur(client.post(f"{LE_MIEN}/confirmer", {"otp": "123456"})) == (422, "VALIDATION_ERROR")
    enroler(client)


def test_le_code_de_secours_d_une_autre_n_ouvre_rien(gestionnaire, admin):
    _application, codes = munir(admin)
    munir(gestionnaire)

    assert code_d_erreur(se_connecter(gestionnaire, otp=codes[0])) == (401, "OTP_INVALID")


ECRITURES = [
    lambda code: f"{code[:3]}\u202f{code[3:]}",
    lambda code: "–".join(code),
    lambda code: f"\u2068{code[:2]}\u200b{code[2:]}\u2069\ufeff",
    lambda code: "".join(chr(ord(c) + 0x660 - 0x30) if c.isdigit() else c for c in code),
    lambda code: "".join(chr(ord(c) + 0x6F0 - 0x30) if c.isdigit() else c for c in code),
    lambda code: "".join(chr(ord(c) + 0xFEE0) for c in code),
    lambda code: "".join(f"{c}\u3164 " for c in code).upper(),
]


@pytest.mark.parametrize("ecrire", ECRITURES)
def test_un_code_se_lit_dans_tous_les_chiffres_et_quoi_qu_on_mette_entre(gestionnaire, ecrire):
    application, codes = munir(gestionnaire)

    assert se_connecter(gestionnaire, otp=ecrire(application.code())).status_code == 200
    assert se_connecter(gestionnaire, otp=ecrire(codes[0])).status_code == 200
    corps = {"motDePasse": MOT_DE_PASSE, "otp": ecrire(codes[1])}
    assert client_de(gestionnaire).post(f"{LE_MIEN}/codes", corps).status_code == 200


def test_un_premier_code_se_lit_de_meme(gestionnaire):
    client = client_de(gestionnaire)
    application = Application(client.post(LE_MIEN, {"motDePasse": MOT_DE_PASSE}).json()["data"]["secret"])

    assert client.post(f"{LE_MIEN}/confirmer", {"otp": ECRITURES[3](application.code())}).status_code == 200


@pytest.mark.parametrize("ecart", [-2, 2])
def test_une_horloge_decalee_de_deux_pas_est_dite_et_n_ouvre_rien(gestionnaire, ecart):
    application, _codes = munir(gestionnaire)
    decale = application.code(ecart)

    refus = se_connecter(gestionnaire, otp=decale)
    assert code_d_erreur(refus) == (401, "OTP_INVALID")
    assert "L'heure de votre téléphone" in refus.json()["message"]
    assert "L'heure" not in se_connecter(gestionnaire, otp=application.faux()).json()["message"]
    assert "L'heure" not in se_connecter(gestionnaire, otp=application.code(3)).json()["message"]
    sans_mot_de_passe = se_connecter(gestionnaire, motDePasse="Faux-2026", otp=decale)
    assert code_d_erreur(sans_mot_de_passe) == (401, "INVALID_CREDENTIALS")
    assert "L'heure" not in sans_mot_de_passe.json()["message"]
    assert actes().count(Acte.CONNEXION_REFUSEE) >= 3


def test_un_code_a_venir_que_l_on_a_dit_juste_ne_sert_pas_quand_son_heure_vient(gestionnaire, time_machine):
    time_machine.move_to(datetime(2026, 3, 2, 9, 0, 15, tzinfo=UTC), tick=False)
    application, _codes = munir(gestionnaire)
    devine = application.code(2)
    assert "L'heure" in se_connecter(gestionnaire, otp=devine).json()["message"]

    time_machine.move_to(datetime(2026, 3, 2, 9, 1, 15, tzinfo=UTC), tick=False)
    assert code_d_erreur(se_connecter(gestionnaire, otp=devine)) == (401, "OTP_INVALID")
    time_machine.move_to(datetime(2026, 3, 2, 9, 2, 15, tzinfo=UTC), tick=False)
    assert se_connecter(gestionnaire, otp=application.code()).status_code == 200


def test_une_horloge_decalee_est_dite_a_qui_active_le_sien(gestionnaire):
    client = client_de(gestionnaire)
    application = Application(client.post(LE_MIEN, {"motDePasse": MOT_DE_PASSE}).json()["data"]["secret"])

    refus = client.post(f"{LE_MIEN}/confirmer", {"otp": application.code(2)}).json()
    assert "réglez-la sur" in refus["details"][0]["message"]


@pytest.mark.parametrize("otp", ["12345", "1234567", "١٢٣٤٥٦", "abcde-fghij", "000000 000000", "-" * 60])
def test_ce_qui_n_est_pas_un_code_est_refuse_sans_erreur(gestionnaire, otp):
    munir(gestionnaire)

    assert se_connecter(gestionnaire, otp=otp).status_code == 401


def test_le_renouvellement_garde_ce_qui_fut_prouve(gestionnaire):
    application, _codes = munir(gestionnaire)
    donnees = se_connecter(gestionnaire, otp=application.code()).json()["data"]

    assert renouveler(donnees["refreshToken"]).status_code == 200
    assert Session.objects.actives().get().second_facteur is True


def test_les_codes_faux_sont_comptes_par_compte_d_ou_qu_ils_viennent(gestionnaire, settings):
    settings.THROTTLE_ENABLED = True
    application, _codes = munir(gestionnaire)
    faux = application.faux()

    def essayer(n, otp):
        corps = {"email": gestionnaire.email, "motDePasse": MOT_DE_PASSE, "otp": otp}
        return ClientApi().post("/api/v1/auth/login", corps, REMOTE_ADDR=f"192.0.2.{n}")

    statuts = [essayer(n, faux).status_code for n in range(10)]
    ensuite = essayer(50, application.code())

    assert statuts == [401] * 10
    assert code_d_erreur(ensuite) == (429, "RATE_LIMITED")


def test_cinq_codes_faux_en_une_heure_previennent_la_personne_une_fois(gestionnaire, mailoutbox):
    application, _codes = munir(gestionnaire)
    recus = []
    for _essai in range(7):
        se_connecter(gestionnaire, otp=application.faux())
        faire_les_taches()
        recus.append(len(mailoutbox))

    assert recus == [0, 0, 0, 0, 1, 1, 1]
    assert mailoutbox[0].to == [gestionnaire.email]
    assert "votre mot de passe est connu de quelqu'un d'autre" in ordinaire(mailoutbox[0].body)


def test_qui_n_a_pas_le_mot_de_passe_n_arrete_personne(gestionnaire, settings):
    settings.THROTTLE_ENABLED = True
    application, _codes = munir(gestionnaire)
    corps = {"email": gestionnaire.email, "motDePasse": "Faux-2026", "otp": "000000"}
    for n in range(30):
        ClientApi().post("/api/v1/auth/login", corps, REMOTE_ADDR=f"192.0.2.{n}")

    assert se_connecter(gestionnaire, otp=application.code()).status_code == 200


def test_le_registre_dit_par_quel_facteur_et_chaque_code_faux(gestionnaire):
    application, codes = munir(gestionnaire)
    se_connecter(gestionnaire, otp=application.faux())
    se_connecter(gestionnaire, otp=application.code())
    se_connecter(gestionnaire, otp=codes[0])

    refus = Trace.objects.get(acte=Acte.CONNEXION_REFUSEE)
    entrees = Trace.objects.filter(acte=Acte.CONNEXION).order_by("id")

    assert (refus.objet, refus.details) == (gestionnaire.pk, {"motif": "otp"})
    assert [une.details["facteur"] for une in entrees] == ["application", "codeDeSecours"]


# --- Recovery codes, removal, reset


def test_refaire_les_codes_annule_les_anciens(gestionnaire):
    application, anciens = munir(gestionnaire)
    corps = {"motDePasse": MOT_DE_PASSE, "otp": application.code()}

    nouveaux = client_de(gestionnaire).post(f"{LE_MIEN}/codes", corps).json()["data"]["codes"]

    assert len(nouveaux) == NOMBRE_DE_CODES
    assert not set(nouveaux) & set(anciens)
    assert se_connecter(gestionnaire, otp=anciens[0]).status_code == 401
    assert se_connecter(gestionnaire, otp=nouveaux[0]).status_code == 200
    assert Acte.CODES_DE_SECOURS_REFAITS in actes()


@pytest.mark.parametrize("route", ["codes", "retirer"])
def test_refaire_et_retirer_demandent_le_mot_de_passe_et_un_code(gestionnaire, route):
    application, _codes = munir(gestionnaire)
    client = client_de(gestionnaire)
    sans_mot = {"motDePasse": "Faux-2026", "otp": application.code()}
    sans_code = {"motDePasse": MOT_DE_PASSE, "otp": application.faux()}

    refus = [client.post(f"{LE_MIEN}/{route}", corps) for corps in (sans_mot, sans_code)]
    juste = client.post(f"{LE_MIEN}/{route}", {"motDePasse": MOT_DE_PASSE, "otp": application.code()})

    assert [reponse.json()["details"][0]["field"] for reponse in refus] == ["motDePasse", "otp"]
    assert juste.status_code == 200
    assert actes().count(Acte.CONNEXION_REFUSEE) == 1


@pytest.mark.parametrize("route", ["codes", "retirer"])
def test_sans_second_facteur_il_n_y_a_rien_a_refaire_ni_a_retirer(gestionnaire, route):
    corps = {"motDePasse": MOT_DE_PASSE, "otp": "123456"}

    assert code_d_erreur(client_de(gestionnaire).post(f"{LE_MIEN}/{route}", corps)) == (409, "CONFLICT")


def test_retirer_le_sien_termine_les_autres_sessions_et_ne_demande_plus_de_code(gestionnaire):
    application, codes = munir(gestionnaire)
    ailleurs = jeton(se_connecter(gestionnaire, otp=codes[0]))
    ici = jeton(se_connecter(gestionnaire, otp=codes[1]))

    ClientApi(jeton=ici).post(f"{LE_MIEN}/retirer", {"motDePasse": MOT_DE_PASSE, "otp": application.code()})

    assert (statut_du_jeton(ailleurs), statut_du_jeton(ici)) == (401, 200)
    assert se_connecter(gestionnaire).status_code == 200
    assert Acte.SECOND_FACTEUR_RETIRE in actes()


def test_un_administrateur_reinitialise_celui_d_une_autre_qui_l_apprend(admin, gestionnaire, mailoutbox):
    application, _codes = munir(gestionnaire)
    avant = jeton(se_connecter(gestionnaire, otp=application.code()))

    reponse = client_de(admin).delete(celui_de(gestionnaire))
    faire_les_taches()

    assert reponse.status_code == 204
    assert statut_du_jeton(avant) == 401
    assert se_connecter(gestionnaire).status_code == 200
    trace = Trace.objects.get(acte=Acte.SECOND_FACTEUR_REINITIALISE)
    assert (trace.acteur, trace.objet) == (admin.pk, gestionnaire.pk)
    assert "second facteur" in mailoutbox[-1].body
    assert mailoutbox[-1].to == [gestionnaire.email]


def test_ni_le_sien_ni_celui_qui_n_existe_pas_ne_se_reinitialisent(admin, gestionnaire):
    application, _codes = munir(admin)

    assert code_d_erreur(client_de(admin).delete(celui_de(admin))) == (409, "CONFLICT")
    assert code_d_erreur(client_de(admin).delete(celui_de(gestionnaire))) == (409, "CONFLICT")
    assert se_connecter(admin, otp=application.code()).status_code == 200


def test_la_commande_retire_celui_du_seul_administrateur(admin, capsys):
    munir(admin)

    call_command("second_facteur", "reset", " ROSE@campus.test ")

    assert "retiré" in capsys.readouterr().out
    assert se_connecter(admin).status_code == 200
    assert Trace.objects.get(acte=Acte.SECOND_FACTEUR_REINITIALISE).acteur is None
    for adresse in ("rose@campus.test", "personne@campus.test"):
        with pytest.raises(CommandError):
            call_command("second_facteur", "reset", adresse)


def test_qui_quitte_l_equipe_garde_le_sien_et_peut_le_retirer():
    compte = fabriques.compte()
    application, codes = munir(compte)

    client = ClientApi(jeton=jeton(se_connecter(compte, otp=codes[0])))

    assert client.post(LE_MIEN, {"motDePasse": MOT_DE_PASSE}).status_code == 403
    corps = {"motDePasse": MOT_DE_PASSE, "otp": application.code()}
    assert client.post(f"{LE_MIEN}/retirer", corps).status_code == 200
    assert not Trace.objects.filter(acte__in=[Acte.CONNEXION, Acte.CODE_DE_SECOURS_UTILISE]).exists()


# --- What is kept, and told


def test_ni_secret_ni_code_n_est_garde_lisible_ni_dit_ailleurs(gestionnaire, caplog):
    caplog.set_level(logging.DEBUG)
    client = ClientApi(jeton=jeton(se_connecter(gestionnaire)))
    secret = client.post(LE_MIEN, {"motDePasse": MOT_DE_PASSE}).json()["data"]["secret"]
    application = Application(secret)
    code = application.code()
    codes = client.post(f"{LE_MIEN}/confirmer", {"otp": code}).json()["data"]["codes"]
    se_connecter(gestionnaire, otp=codes[0])

    with connection.cursor() as curseur:
        curseur.execute("SELECT secret, codes FROM accounts_secondfacteur")
        garde = str(curseur.fetchall())
    dits = json.dumps([*Trace.objects.values_list("details", flat=True), *Evenement.objects.values_list("payload")])
    for clair in (secret, code, *codes, *(un.replace("-", "") for un in codes)):
        assert clair not in garde
        assert clair not in caplog.text
        assert clair not in dits
    assert SecondFacteur.objects.get().secret == secret

"""A manager whom a case accuses cannot bury it: who keeps a way to it, and who is told, without the case."""

import json

import pytest
from django.core.cache import cache
from django.db import transaction

from accounts.models import Compte
from accounts.services.comptes import desactiver
from accounts.tests import fabriques as comptes
from accounts.tests.outils import ensemble, entrer
from config.examens.base import lecteurs as examiner_les_lecteurs
from config.examens.constat import Gravite
from config.tests.outils import acteur_de
from espace.tests.outils import valeur
from signalements.compteurs.suivi import suivre
from signalements.entretien import dire_les_dossiers_sans_recours
from signalements.lecteurs import Acces, poser, sans_recours
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques
from socle.audit.greffe import greffe
from socle.erreurs import ChampsInvalides
from socle.realtime.models import Evenement
from socle.realtime.vocabulaire import CONTROLE
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
SIGNALEMENTS = "/api/v1/signalements/"


@pytest.fixture
def ruth(db):
    """The manager whom the report is about."""
    return comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth")


@pytest.fixture
def autre_admin(db):
    return comptes.admin(email="sophie@campus.test", nom="Tshala", prenom="Sophie")


def choisir(client, dossier, ecartes=(), admis=()):
    corps = {"ecartes": [str(un.pk) for un in ecartes], "admis": [str(un.pk) for un in admis]}
    return client.put(f"{SIGNALEMENTS}{dossier.pk}/lecteurs", corps)


def refus(reponse):
    return reponse.status_code, [un["field"] for un in reponse.json().get("details") or []]


def acces_de(dossier):
    return Acces.de(Signalement.objects.get(pk=dossier.pk))


def imposer(dossier, ecartes=(), admis=()):
    """As a base may hold it already, whoever decided."""
    with transaction.atomic():
        dossier.verrouiller()
        with suivre(dossier):
            poser(dossier, Acces.pour([un.pk for un in ecartes], [un.pk for un in admis]), None)
            dossier.save(update_fields=["ouvert_a"])


def partir(compte):
    Compte.objects.filter(pk=compte.pk).update(est_actif=False)


@pytest.mark.parametrize("etat", ["en poste", "désactivé"])
@pytest.mark.parametrize("seule", [True, False])
def test_une_gestionnaire_n_ecarte_pas_un_administrateur(
    api, admin, autre_admin, ruth, gestionnaire, signalement, etat, seule
):
    if etat == "désactivé":
        partir(autre_admin)
    ecartes = [autre_admin] if seule else [gestionnaire, autre_admin]

    reponse = choisir(api(ruth), signalement, ecartes=ecartes, admis=() if seule else [ruth])

    assert refus(reponse) == (422, ["ecartes"])
    assert "demandez-le à l'un d'eux" in reponse.json()["details"][0]["message"].replace("’", "'")
    assert acces_de(signalement).ouverture == "TOUS"


def test_la_page_le_refuse_aussi(admin, ruth, gestionnaire, signalement):
    site, page = entrer(ruth.email), f"/equipe/dossiers/{signalement.pk}/lecteurs/"
    vu = valeur(site.get(page).text, "vu_lecteurs")

    refusee = site.post(page, {"ecartes": [str(admin.pk)], "vu_lecteurs": vu})

    assert refusee.status_code == 422
    assert acces_de(signalement).ouverture == "TOUS"


def test_un_administrateur_n_est_pas_borne(api, admin, autre_admin, ruth, signalement):
    assert choisir(api(admin), signalement, ecartes=[autre_admin, ruth]).status_code == 200


def test_ce_qu_un_administrateur_a_decide_une_gestionnaire_le_garde(
    api, admin, autre_admin, ruth, gestionnaire, signalement
):
    choisir(api(admin), signalement, ecartes=[autre_admin])
    tiers = comptes.gestionnaire()

    assert choisir(api(ruth), signalement, ecartes=[autre_admin, tiers]).status_code == 200
    assert acces_de(signalement).ecartes == {autre_admin.pk, tiers.pk}


@pytest.mark.parametrize("comment", ["écarter", "nommer"])
@pytest.mark.parametrize("manque", ["désactivé", "auteur", "écarté", "sans le droit"])
def test_elle_ne_le_ferme_pas_quand_aucun_administrateur_ne_le_rouvrirait(
    api, admin, ruth, gestionnaire, etudiante, comment, manque
):
    dossier = fabriques.signalement(acteur_de(admin if manque == "auteur" else etudiante))
    if manque == "désactivé":
        partir(admin)
    elif manque == "écarté":
        imposer(dossier, ecartes=[admin])
    elif manque == "sans le droit":
        Compte.objects.filter(pk=admin.pk).update(type_utilisateur="GESTIONNAIRE")
    deja = [admin] if manque == "écarté" else []
    avant = acces_de(dossier)

    choix = {"ecartes": [gestionnaire, *deja]} if comment == "écarter" else {"ecartes": deja, "admis": [ruth]}
    reponse = choisir(api(ruth), dossier, **choix)

    assert refus(reponse) == (422, ["ecartes" if comment == "écarter" else "admis"])
    assert acces_de(dossier) == avant


def test_ni_en_retirant_une_personne_admise(api, admin, ruth, gestionnaire, signalement):
    choisir(api(admin), signalement, admis=[ruth, gestionnaire])
    partir(admin)

    assert refus(choisir(api(ruth), signalement, admis=[ruth])) == (422, ["admis"])
    assert choisir(api(ruth), signalement).status_code == 200  # to open it is always possible


def test_de_deux_gestionnaires_ensemble_rien_n_enterre_le_dossier(admin, ruth, gestionnaire, signalement):
    tenu = Signalement.objects.get(pk=signalement.pk)
    changer_lecteurs(signalement=signalement, acteur=acteur_de(admin), admis=[ruth.pk, gestionnaire.pk])
    partir(admin)

    with pytest.raises(ChampsInvalides):
        changer_lecteurs(signalement=tenu, acteur=acteur_de(ruth), admis=[ruth.pk])


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_un_administrateur_desactive_pendant_le_choix_est_compte_une_fois(admin, autre_admin, ruth, etudiante):
    """Whichever is first: the choice of the manager is refused, or was made while somebody could open it again."""
    for _tour in range(8):
        dossier = fabriques.signalement(acteur_de(autre_admin), description=str(_tour))
        seul = comptes.admin()
        partir(admin)
        rendus = ensemble(
            [
                lambda dossier=dossier: changer_lecteurs(
                    signalement=Signalement.objects.get(pk=dossier.pk), acteur=acteur_de(ruth), admis=[ruth.pk]
                ),
                lambda seul=seul: desactiver(compte=Compte.objects.get(pk=seul.pk), acteur=acteur_de(autre_admin)),
            ]
        )
        assert rendus[1] is None
        assert rendus[0] is None or isinstance(rendus[0], ChampsInvalides)


def alertes():
    lignes = Evenement.objects.filter(type="system_alert").order_by("canal")
    return [(une.canal, une.payload) for une in lignes]


def mails_de_fermeture(mailoutbox):
    faire_les_taches()
    return [message for message in mailoutbox if "fermé" in message.subject]


def test_les_administrateurs_l_apprennent_sans_le_dossier(
    api, admin, autre_admin, ruth, gestionnaire, signalement, mailoutbox
):
    comptes.gestionnaire()
    choisir(api(ruth), signalement, admis=[ruth, gestionnaire])

    mails = mails_de_fermeture(mailoutbox)
    assert sorted(message.to[0] for message in mails) == sorted([admin.email, autre_admin.email])
    assert [canal for canal, _payload in alertes()] == ["admin"]
    dits = [*(m.subject + m.body + str(m.alternatives) for m in mails), json.dumps([p for _c, p in alertes()])]
    secrets = (str(signalement.pk), signalement.reference, signalement.titre, ruth.nom_complet, ruth.email)
    assert [secret for secret in secrets if any(secret in dit for dit in dits)] == []
    assert all("/equipe/registre/" in message.body for message in mails)


def test_leurs_sockets_l_entendent_avant_de_se_fermer(api, admin, ruth, signalement):
    choisir(api(ruth), signalement, admis=[ruth])

    dits = [une.type for une in Evenement.objects.filter(canal__in=["admin", CONTROLE]).order_by("pk")]
    assert dits == ["system_alert", "fermer_sockets"]


def test_le_registre_dit_lequel_a_qui_peut_le_rouvrir_et_rien_d_autre(api, admin, ruth, gestionnaire, signalement):
    api(gestionnaire).get(f"{SIGNALEMENTS}{signalement.pk}")
    choisir(api(ruth), signalement, admis=[ruth])
    greffe.vider()

    lus = api(admin).get(f"/api/v1/audit/?objetId={signalement.pk}").json()["data"]["items"]
    assert [(un["acte"], un["acteurId"]) for un in lus] == [("LECTEURS_CHANGES", str(ruth.pk))]
    assert signalement.reference in entrer(admin.email).get("/equipe/registre/?acte=LECTEURS_CHANGES").text


@pytest.mark.parametrize("qui", ["écarté", "auteur"])
def test_qui_est_concerne_n_apprend_rien(api, admin, autre_admin, ruth, etudiante, gestionnaire, qui, mailoutbox):
    comptes.gestionnaire()
    dossier = fabriques.signalement(acteur_de(autre_admin if qui == "auteur" else etudiante))
    if qui == "écarté":
        choisir(api(admin), dossier, ecartes=[autre_admin])
    Evenement.objects.all().delete()

    choisir(api(ruth), dossier, ecartes=[autre_admin] if qui == "écarté" else (), admis=[ruth])

    assert [message.to for message in mails_de_fermeture(mailoutbox)] == [[admin.email]]
    assert [canal for canal, _payload in alertes()] == [f"user:{admin.pk}"]
    greffe.vider()
    assert str(dossier.pk) not in json.dumps(api(autre_admin).get("/api/v1/audit/?size=100").json())


def test_sous_la_moitie_ni_d_un_administrateur_on_n_est_prevenu(
    api, admin, autre_admin, ruth, gestionnaire, signalement, mailoutbox
):
    choisir(api(ruth), signalement, ecartes=[gestionnaire])  # one of four
    choisir(api(admin), signalement, admis=[admin])

    assert (mails_de_fermeture(mailoutbox), alertes()) == ([], [])


def test_ouvrir_ne_previent_personne(api, admin, autre_admin, ruth, gestionnaire, signalement, mailoutbox):
    choisir(api(admin), signalement, admis=[ruth])

    choisir(api(ruth), signalement, admis=[ruth, gestionnaire])

    assert (mails_de_fermeture(mailoutbox), alertes()) == ([], [])


def test_rien_n_est_dit_d_un_choix_annule(ruth, admin, signalement, evenements, mailoutbox):
    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        changer_lecteurs(signalement=signalement, acteur=acteur_de(ruth), admis=[ruth.pk])
        raise RuntimeError

    assert (recus, mails_de_fermeture(mailoutbox)) == ([], [])


@pytest.fixture
def sans_issue(signalement, admin, ruth):
    """Its only administrator left after it was closed."""
    changer_lecteurs(signalement=signalement, acteur=acteur_de(ruth), admis=[ruth.pk])
    partir(admin)
    return signalement


def test_doctor_les_compte_et_ne_dit_pas_lesquels(sans_issue):
    (constat,) = examiner_les_lecteurs()

    assert constat.etat == Gravite.ATTENTION
    assert constat.constat.startswith("1 dossier")
    assert sans_issue.reference not in constat.constat + constat.remede
    assert list(sans_recours()) == [sans_issue]


def test_tant_que_quelqu_un_peut_le_rouvrir_il_n_y_est_pas(signalement, admin, ruth):
    changer_lecteurs(signalement=signalement, acteur=acteur_de(ruth), admis=[ruth.pk])

    (constat,) = examiner_les_lecteurs()

    assert constat.etat == Gravite.OK


def test_l_exploitant_l_apprend_une_fois_sans_sa_reference(sans_issue, caplog):
    cache.clear()
    for _tour in range(3):
        dire_les_dossiers_sans_recours()

    dits = [ligne.getMessage() for ligne in caplog.records if ligne.name == "campus.dossiers"]
    assert len(dits) == 1
    assert dits[0].endswith(": 1")
    assert sans_issue.reference not in dits[0]


def test_un_administrateur_nomme_depuis_le_rouvre(sans_issue, api, ruth, gestionnaire):
    neuve = comptes.admin()

    assert choisir(api(neuve), sans_issue).status_code == 200
    assert api(gestionnaire).get(f"{SIGNALEMENTS}{sans_issue.pk}").status_code == 200

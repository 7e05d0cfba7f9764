"""What people ask the moderators to read again: once each, by nobody's name, decided by who did not write it."""

import html
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.tests import fabriques as comptes
from accounts.tests.outils import entrer
from config.tests.outils import acteur_de, client_de
from forum import services
from forum.erreurs import TropDeDemandes
from forum.models import DemandeDeRelecture
from forum.tests import fabriques
from forum.vocabulaire import DEMANDES_PAR_JOUR, Statut
from socle.audit.greffe import greffe
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte
from socle.erreurs import Introuvable, PermissionRefusee

pytestmark = pytest.mark.django_db
LISTE = "/admin/forum/demandederelecture/"


def ouvertes():
    return DemandeDeRelecture.objects.ouvertes().count()


def page_de(demande):
    return f"{LISTE}{demande.pk}/change/"


def lire(client, url=LISTE):
    return html.unescape(client.get(url).content.decode())


def decider(client, action, *demandes):
    donnees = {"action": action, "_selected_action": [str(une.pk) for une in demandes]}
    return client.post(LISTE, donnees, follow=True)


@pytest.fixture
def elle(autre_etudiante):
    return acteur_de(autre_etudiante)


@pytest.fixture
def reponse(etudiante, poste):
    return fabriques.commentaire(acteur_de(etudiante), poste, "Une réponse qui blesse.")


@pytest.fixture
def du_gestionnaire(gestionnaire, admin):
    """A post that a moderator wrote."""
    return fabriques.poste(acteur_de(gestionnaire), par=acteur_de(admin), contenu="Un mot de trop.")


# --- Asking -----------------------------------------------------------------------------------------------------------


def test_une_demande_ouverte_par_personne_et_par_ecrit(elle, gestionnaire, poste, reponse):
    premiere = fabriques.demande(elle, poste, motif="Elle blesse.")

    assert fabriques.demande(elle, poste, motif="Encore.") == premiere
    assert fabriques.demande(elle, poste, reponse) != premiere
    assert fabriques.demande(acteur_de(gestionnaire), poste) != premiere
    premiere.refresh_from_db()
    assert (premiere.motif, ouvertes()) == ("Elle blesse.", 3)


@pytest.mark.parametrize("sur_la_reponse", [False, True])
def test_la_base_refuse_la_seconde_ouverte_et_admet_apres_la_fin(elle, poste, reponse, sur_la_reponse):
    une = fabriques.demande(elle, poste, reponse if sur_la_reponse else None)
    copie = {"poste": une.poste, "commentaire": une.commentaire, "compte": une.compte}

    with pytest.raises(IntegrityError), transaction.atomic():
        DemandeDeRelecture.objects.create(**copie)
    une.date_fin = timezone.now()
    une.enregistrer("date_fin")

    assert DemandeDeRelecture.objects.create(**copie).date_fin is None


def test_on_ne_signale_ni_le_sien_ni_ce_qu_on_ne_voit_pas(elle, etudiante, gestionnaire, poste, reponse):
    cachee = fabriques.poste(acteur_de(etudiante))
    services.supprimer_commentaire(acteur=acteur_de(etudiante), poste=poste, commentaire=reponse)

    for acteur, cible, refus in (
        (acteur_de(etudiante), (poste,), PermissionRefusee),
        (elle, (cachee,), Introuvable),
        (elle, (poste, reponse), Introuvable),
    ):
        with pytest.raises(refus):
            fabriques.demande(acteur, *cible)
    assert ouvertes() == 0


def test_vingt_par_jour_et_pas_une_de_plus(elle, etudiante, gestionnaire):
    postes = [fabriques.poste(acteur_de(etudiante), par=acteur_de(gestionnaire)) for _n in range(DEMANDES_PAR_JOUR + 1)]
    for poste in postes[:-1]:
        fabriques.demande(elle, poste)

    with pytest.raises(TropDeDemandes) as refus:
        fabriques.demande(elle, postes[-1])
    assert (refus.value.statut_http, refus.value.code) == (429, "RATE_LIMITED")
    assert 86_000 < refus.value.attente <= 86_401
    assert fabriques.demande(elle, postes[0]).poste == postes[0]  # a second click is no other

    DemandeDeRelecture.objects.filter(poste=postes[0]).update(date_creation=timezone.now() - timedelta(days=1))
    fabriques.demande(elle, postes[-1])
    assert ouvertes() == DEMANDES_PAR_JOUR + 1


# --- What is announced ------------------------------------------------------------------------------------------------


def test_chaque_moderateur_l_entend_sauf_qui_l_a_ecrit(evenements, elle, gestionnaire, admin, du_gestionnaire):
    collegue = comptes.gestionnaire(email="autre.gestionnaire@campus.test")
    mot = fabriques.commentaire(acteur_de(collegue), du_gestionnaire)

    with evenements() as sur_le_poste:
        fabriques.demande(elle, du_gestionnaire, motif="Il blesse.")
    with evenements() as sur_la_reponse:
        fabriques.demande(elle, du_gestionnaire, mot)

    assert {e["canal"] for e in sur_le_poste} == {f"user:{un.pk}" for un in (admin, collegue)}
    assert {e["canal"] for e in sur_la_reponse} == {f"user:{admin.pk}"}
    assert {e["type"] for e in [*sur_le_poste, *sur_la_reponse]} == {"relecture_requested"}
    assert sur_la_reponse[0]["payload"] == {"posteId": str(du_gestionnaire.pk), "commentaireId": str(mot.pk)}
    with evenements() as ensuite:
        fabriques.demande(elle, du_gestionnaire)
    assert ensuite == []


def test_rien_n_est_annonce_quand_la_transaction_echoue(evenements, elle, poste):
    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        fabriques.demande(elle, poste)
        raise RuntimeError

    assert (recus, ouvertes()) == ([], 0)


# --- Deciding ---------------------------------------------------------------------------------------------------------


def test_rien_a_changer_clot_toutes_celles_du_meme_ecrit(elle, admin, gestionnaire, poste, reponse):
    une = fabriques.demande(elle, poste)
    fabriques.demande(acteur_de(admin), poste)
    autre = fabriques.demande(elle, poste, reponse)

    assert services.rien_a_changer(acteur=acteur_de(gestionnaire), demande=une) is True
    assert services.rien_a_changer(acteur=acteur_de(gestionnaire), demande=une) is False

    assert list(DemandeDeRelecture.objects.ouvertes()) == [autre]
    poste.refresh_from_db()
    assert (poste.statut, poste.date_suppression) == (Statut.APPROUVER, None)


@pytest.mark.parametrize(
    ("statut", "restent"),
    [
        (Statut.REJETER, 0),
        (Statut.REJETER_IA, 0),
        (Statut.ARCHIVER, 0),
        (Statut.APPROUVER, 2),
        (Statut.APPROUVER_IA, 2),
        (Statut.NOUVEAU, 2),
    ],
)
def test_refuser_clot_approuver_non(api, elle, gestionnaire, poste, reponse, statut, restent):
    fabriques.demande(elle, poste)
    fabriques.demande(elle, poste, reponse)

    assert api(gestionnaire).patch(f"/api/v1/postes/{poste.pk}/statut", {"statut": statut}).status_code == 200

    assert ouvertes() == restent


def test_supprimer_clot_ce_qui_part_avec(elle, admin, poste, reponse):
    fabriques.demande(elle, poste)
    fabriques.demande(elle, poste, reponse)

    services.supprimer_commentaire(acteur=acteur_de(admin), poste=poste, commentaire=reponse)
    assert ouvertes() == 1
    services.supprimer(acteur=acteur_de(admin), poste=poste)
    assert ouvertes() == 0


def test_qui_l_a_ecrit_ne_decide_de_rien(elle, gestionnaire, du_gestionnaire):
    """Refused and approved again by its own author, it waits for somebody else still."""
    soi = acteur_de(gestionnaire)
    demande = fabriques.demande(elle, du_gestionnaire)

    with pytest.raises(PermissionRefusee):
        services.rien_a_changer(acteur=soi, demande=demande)
    for statut in (Statut.REJETER, Statut.APPROUVER):
        services.moderer(acteur=soi, poste=du_gestionnaire, statut=statut)

    assert ouvertes() == 1


def test_qui_a_ecrit_la_reponse_n_en_decide_pas_par_la_publication(elle, gestionnaire, poste):
    soi = acteur_de(gestionnaire)
    demande = fabriques.demande(elle, poste, fabriques.commentaire(soi, poste))

    with pytest.raises(PermissionRefusee):
        services.rien_a_changer(acteur=soi, demande=demande)
    services.moderer(acteur=soi, poste=poste, statut=Statut.ARCHIVER)

    assert ouvertes() == 1


# --- Where moderators read --------------------------------------------------------------------------------------------


def test_la_liste_dit_quoi_et_pourquoi_jamais_qui(elle, gestionnaire, poste, reponse):
    demandes = fabriques.demande(elle, poste, motif="Elle <b>blesse</b>."), fabriques.demande(elle, poste, reponse)
    client = entrer(gestionnaire.email)

    pages = {url: client.get(url).content.decode() for url in (LISTE, *map(page_de, demandes), "/admin/")}

    assert "Elle &lt;b&gt;blesse&lt;/b&gt;." in pages[LISTE]
    assert "Une réponse qui blesse." in pages[LISTE]
    assert f'href="/admin/forum/poste/{poste.pk}/change/"' in pages[page_de(demandes[1])]
    assert "2 attendent" in pages["/admin/"]
    dits = (str(elle.compte.pk), elle.compte.nom, elle.compte.email)
    assert [(url, mot) for url, page in pages.items() for mot in dits if mot in page] == []


@pytest.mark.parametrize("filtre", ["compte__exact=", "compte__id__exact=", "compte__email=", "o=5&compte="])
def test_on_ne_filtre_pas_par_qui_demande(elle, gestionnaire, poste, filtre):
    fabriques.demande(elle, poste)

    rendu = entrer(gestionnaire.email).get(f"{LISTE}?{filtre}{elle.compte.pk}", follow=True)

    assert rendu.status_code in (200, 400)
    assert rendu.request["QUERY_STRING"] in ("e=1", "") or rendu.status_code == 400


def test_qui_l_a_ecrit_n_en_voit_ni_la_demande_ni_le_compte(elle, gestionnaire, admin, poste, du_gestionnaire):
    siennes = [
        fabriques.demande(elle, du_gestionnaire, motif="Un motif secret."),
        fabriques.demande(
            elle, du_gestionnaire, fabriques.commentaire(acteur_de(admin), du_gestionnaire), "Un motif secret."
        ),
        fabriques.demande(elle, poste, fabriques.commentaire(acteur_de(gestionnaire), poste), "Un motif secret."),
    ]
    client = entrer(gestionnaire.email)

    assert "Un motif secret." not in lire(client)
    assert "attend" not in lire(client, "/admin/").partition("À relire")[2].partition("</li>")[0]
    assert [client.get(page_de(une)).status_code for une in siennes] == [302] * 3
    for une in siennes:
        client.post(page_de(une), {"action": "rien_a_changer", "_selected_action": str(une.pk)})
    decider(client, "rien_a_changer", *siennes)
    assert ouvertes() == 3
    assert "2 attendent" in lire(entrer(admin.email), "/admin/")  # not the one about an answer that is theirs


@pytest.mark.parametrize(
    ("persona", "sur_le_poste", "sur_la_reponse"),
    [
        ("gestionnaire", ["rien_a_changer", "rejeter"], ["rien_a_changer"]),
        ("admin", ["rien_a_changer", "rejeter", "supprimer"], ["rien_a_changer", "supprimer"]),
    ],
)
def test_chaque_page_a_les_decisions_de_ses_droits(
    personne, elle, poste, reponse, persona, sur_le_poste, sur_la_reponse
):
    du_poste, de_la_reponse = fabriques.demande(elle, poste), fabriques.demande(elle, poste, reponse)
    client = entrer(personne(persona).email)

    assert [nom for nom, _mot in client.get(page_de(du_poste)).context["actes"]] == sur_le_poste
    assert [nom for nom, _mot in client.get(page_de(de_la_reponse)).context["actes"]] == sur_la_reponse
    fait = client.post(page_de(du_poste), {"action": "rien_a_changer", "_selected_action": str(du_poste.pk)})
    assert (fait.status_code, fait.headers["Location"]) == (302, LISTE)
    assert ouvertes() == 1


def test_une_etudiante_n_y_entre_pas(elle, etudiante, poste):
    demande = fabriques.demande(elle, poste)
    client = entrer(etudiante.email)

    assert [client.get(url).status_code for url in (LISTE, page_de(demande))] == [302, 302]
    decider(client, "rien_a_changer", demande)
    assert ouvertes() == 1


def test_rejeter_et_supprimer_de_la_liste(elle, etudiante, gestionnaire, admin, poste, reponse):
    autre = fabriques.poste(acteur_de(etudiante), par=acteur_de(gestionnaire))
    choisies = [fabriques.demande(elle, autre), fabriques.demande(elle, poste, reponse)]

    decider(entrer(gestionnaire.email), "rejeter", *choisies)
    assert [un.statut for un in map(_relu, (autre, poste))] == [Statut.REJETER, Statut.APPROUVER]
    assert ouvertes() == 1
    decider(entrer(gestionnaire.email), "supprimer", *choisies)
    assert ouvertes() == 1
    decider(entrer(admin.email), "supprimer", choisies[1])
    assert (ouvertes(), _relu(reponse).supprime_par) == (0, admin)
    assert {entree.object_id for entree in LogEntry.objects.all()} == {str(autre.pk), str(reponse.pk)}


def _relu(ligne):
    return type(ligne).objects.get(pk=ligne.pk)


def test_la_liste_coute_autant_pour_une_demande_que_pour_neuf(elle, etudiante, gestionnaire, poste):
    client = entrer(gestionnaire.email)
    fabriques.demande(elle, poste)

    def compter():
        with CaptureQueriesContext(connection) as requetes:
            assert client.get(LISTE).status_code == 200
        return len(requetes)

    compter()
    une = compter()
    for rang in range(8):
        mot = fabriques.commentaire(acteur_de(etudiante), poste) if rang % 2 else None
        autre = poste if mot else fabriques.poste(acteur_de(etudiante), par=acteur_de(gestionnaire))
        fabriques.demande(elle, autre, mot)

    assert compter() == une


# --- The register, the time -------------------------------------------------------------------------------------------


def test_la_relecture_est_au_registre_et_l_auteur_ne_l_y_lit_pas(elle, gestionnaire, admin, du_gestionnaire):
    mot = fabriques.commentaire(acteur_de(admin), du_gestionnaire)
    collegue = comptes.gestionnaire(email="autre.gestionnaire@campus.test")
    for vise in (None, mot):
        services.rien_a_changer(acteur=acteur_de(collegue), demande=fabriques.demande(elle, du_gestionnaire, vise))

    ecrites = Trace.objects.filter(acte=Acte.PUBLICATION_MODEREE, acteur=collegue.pk).order_by("id")
    assert [(une.objet, une.details) for une in ecrites] == [
        (du_gestionnaire.pk, {"quoi": "RELUE"}),
        (mot.pk, {"quoi": "RELU"}),
    ]

    def lues(compte):
        return list(ecrites.visibles_par(acteur_de(compte)).values_list("details__quoi", flat=True))

    assert lues(gestionnaire) == []
    assert lues(admin) == ["RELUE"]  # not of the answer that is theirs
    assert sorted(lues(collegue)) == ["RELU", "RELUE"]


def test_demander_n_est_pas_au_registre(elle, poste):
    fabriques.demande(elle, poste)
    greffe.exiger()

    assert not Trace.objects.filter(acteur=elle.compte.pk).exclude(acte=Acte.CONNEXION).exists()


def test_une_demande_decidee_s_en_va_avec_le_temps(elle, poste, reponse, gestionnaire):
    ouverte = fabriques.demande(elle, poste, reponse)
    decidee, ancienne = (
        fabriques.demande(acteur_de(comptes.compte(email=f"{n}@campus.test")), poste) for n in ("b", "c")
    )
    services.rien_a_changer(acteur=acteur_de(gestionnaire), demande=decidee)
    DemandeDeRelecture.objects.filter(pk=ancienne.pk).update(date_fin=timezone.now() - timedelta(days=91))

    call_command("purge")

    assert set(DemandeDeRelecture.objects.all()) == {ouverte, decidee}


def test_l_api_ne_dit_rien_des_demandes(elle, etudiante, gestionnaire, poste):
    url = f"/api/v1/postes/{poste.pk}"
    avant = client_de(etudiante).get(url).json()["data"]
    fabriques.demande(elle, poste, motif="Elle blesse.")

    assert client_de(etudiante).get(url).json()["data"] == avant
    assert client_de(gestionnaire).get(url).json()["data"] == avant

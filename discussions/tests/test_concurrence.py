import threading

import pytest
from django.db import connection, transaction

from accounts.tests.outils import attendre_un_verrou, ensemble
from config.tests.outils import acteur_de
from discussions import recompte, services
from discussions.models import Discussion, Lecture, Message
from discussions.participants import TOUS
from discussions.tests import fabriques
from signalements import services as dossiers
from signalements.models import Signalement
from socle.moteur.ecritures import de_cle

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
FILS, CHACUN = 16, 5


def echecs(rendus):
    return [rendu for rendu in rendus if isinstance(rendu, Exception)]


def en_fil(acte):
    """A thread for this act, to be started."""

    def courir():
        try:
            acte()
        finally:
            connection.close()

    return threading.Thread(target=courir)


def relue(discussion):
    return Discussion.objects.select_related("signalement").get(pk=discussion.pk)


def numeros(discussion):
    return list(discussion.messages.order_by("numero_sequence").values_list("numero_sequence", flat=True))


def test_ecrits_ensemble_les_messages_sont_numerotes_sans_trou_ni_doublon(etudiante, gestionnaire, admin, discussion):
    auteurs = (etudiante, gestionnaire, admin)

    def ecrire_plusieurs(rang):
        for _fois in range(CHACUN):
            fabriques.message(acteur_de(auteurs[rang % 3]), relue(discussion), f"du fil {rang}")

    rendus = ensemble([lambda rang=rang: ecrire_plusieurs(rang) for rang in range(FILS)])

    assert echecs(rendus) == []
    assert not recompte.ecarts()
    assert numeros(discussion) == list(range(1, FILS * CHACUN + 1))
    assert relue(discussion).dernier_numero == FILS * CHACUN


def test_un_invite_ecrit_aussi_d_ou_qu_il_soit_connecte(invite, gestionnaire, discussion_invitee):
    actes = [
        lambda qui=qui: fabriques.message(acteur_de(qui), relue(discussion_invitee))
        for qui in (invite, gestionnaire) * (FILS // 2)
    ]

    rendus = ensemble(actes)

    assert echecs(rendus) == []
    assert numeros(discussion_invitee) == list(range(1, FILS + 1))


def test_lire_pendant_que_l_on_ecrit_ne_bloque_ni_ne_fausse_rien(api, etudiante, gestionnaire, admin, discussion):
    def ecrire():
        for _fois in range(CHACUN):
            fabriques.message(acteur_de(etudiante), relue(discussion))

    def lire(qui):
        for _fois in range(CHACUN):
            services.marquer_lus(acteur=acteur_de(qui), discussion=relue(discussion))

    rendus = ensemble(
        [ecrire] * 8 + [lambda: lire(gestionnaire)] * 4 + [lambda: lire(admin)] * 2 + [lambda: lire(etudiante)] * 2
    )

    assert echecs(rendus) == []
    assert not recompte.ecarts()
    assert numeros(discussion) == list(range(1, 8 * CHACUN + 1))
    for lecteur in (gestionnaire, admin):
        marque = Lecture.objects.get(discussion=discussion, compte=lecteur).numero
        compte = api(lecteur).get(f"/api/v1/discussions/{discussion.pk}").json()["data"]["messagesNonLusCount"]
        assert compte == Message.objects.filter(numero_origine__gt=marque).count()
    lus = max(Lecture.objects.exclude(compte=etudiante).values_list("numero", flat=True))
    assert not Message.objects.filter(est_lu=True, numero_sequence__gt=lus).exists()
    assert not Message.objects.filter(est_lu=False, numero_sequence__lte=lus).exists()


def test_les_lectures_d_une_personne_sur_deux_appareils_ne_laissent_qu_une_marque(etudiante, gestionnaire, discussion):
    for _rang in range(3):
        fabriques.message(acteur_de(etudiante), discussion)

    rendus = ensemble(
        [lambda: services.marquer_lus(acteur=acteur_de(gestionnaire), discussion=relue(discussion))] * FILS
    )

    assert echecs(rendus) == []
    assert Lecture.objects.get().numero == 3


def test_discuter_et_faire_avancer_le_dossier_ensemble_ne_se_bloquent_jamais(
    etudiante, gestionnaire, signalement, discussion
):
    def avancer(statut):
        dossiers.changer_statut(
            signalement=Signalement.objects.get(pk=signalement.pk), statut=statut, acteur=acteur_de(gestionnaire)
        )

    actes = [
        lambda: fabriques.discussion(acteur_de(etudiante), signalement=signalement),
        lambda: fabriques.message(acteur_de(etudiante), relue(discussion)),
        lambda: services.marquer_lus(acteur=acteur_de(gestionnaire), discussion=relue(discussion)),
        lambda: avancer("EN_COURS"),
        lambda: avancer("TRAITE"),
    ]

    rendus = ensemble(actes * 4)

    assert echecs(rendus) == []
    assert Discussion.objects.filter(signalement=signalement).count() == 5
    assert numeros(discussion) == [1, 2, 3, 4]


def test_qui_ecrit_dans_une_jointe_ne_la_tient_pas_pendant_qu_il_attend_l_autre(etudiante, discussion, signalement):
    """A merge holds the one that lives, then comes to those it joins: two that held them crosswise would both fail."""
    jointe = fabriques.discussion(acteur_de(etudiante), signalement=signalement)
    fabriques.joindre(jointe, discussion)
    trouves = []

    def ecrire():
        message = services.ecrire(
            acteur=acteur_de(etudiante), discussion=de_cle(Discussion, jointe.pk), contenu="Bonjour."
        )
        trouves.append((message.discussion_id, message.numero_sequence))

    fil = en_fil(ecrire)
    with transaction.atomic():
        relue(discussion).verrouiller()
        fil.start()
        attendre_un_verrou()
        assert Discussion._base_manager.select_for_update(nowait=True).get(pk=jointe.pk).absorbe_par_id == discussion.pk
    fil.join(30)

    assert trouves == [(discussion.pk, 1)]


def test_un_verrou_pris_pendant_que_l_on_joint_est_celui_de_la_discussion_qui_demeure(
    etudiante, discussion, signalement
):
    jointe = fabriques.discussion(acteur_de(etudiante), signalement=signalement)
    trouves = []

    @transaction.atomic
    def verrouiller():
        ligne = de_cle(Discussion, jointe.pk)
        ligne.verrouiller()
        trouves.append((ligne.pk, ligne.titre))

    fil = en_fil(verrouiller)
    with transaction.atomic():
        for une in (discussion, jointe):
            relue(une).verrouiller()
        fil.start()
        attendre_un_verrou()
        Discussion._base_manager.filter(pk=jointe.pk).update(absorbe_par=discussion)
    fil.join(30)

    assert trouves == [(discussion.pk, discussion.titre)]


def test_recompter_pendant_que_l_on_ecrit_et_lit_ne_bloque_ni_ne_fausse_rien(etudiante, signalement):
    """Whoever answers in one discussion of a case and then reads the others holds them in an order of their own."""
    siennes = [fabriques.discussion(acteur_de(etudiante), signalement=signalement) for _rang in range(4)]
    par_cle = sorted(siennes, key=lambda une: une.pk, reverse=True)

    def repondre():
        for _fois in range(CHACUN):
            with transaction.atomic():
                services.ecrire(acteur=acteur_de(etudiante), discussion=relue(par_cle[0]), contenu="Bonjour.")
                for discussion in par_cle:
                    services.marquer_lus(acteur=acteur_de(etudiante), discussion=relue(discussion))

    def recompter():
        for _fois in range(CHACUN):
            for une in siennes:
                Discussion.objects.filter(pk=une.pk).update(participants=TOUS)
            recompte.corriger()

    rendus = ensemble([recompter, repondre, repondre, recompter])

    assert echecs(rendus) == []
    assert not recompte.ecarts()


def test_recompter_passe_ce_que_quelqu_un_tient_et_n_attend_pas_le_dossier(etudiante, gestionnaire, signalement):
    """A purge holds the report, then comes to its discussions."""
    tenue, libre, fausse = (fabriques.discussion(acteur_de(etudiante), signalement=signalement) for _rang in range(3))
    for une in (tenue, libre, fausse):
        fabriques.message(acteur_de(gestionnaire), une)
    exacts = relue(libre).participants
    Discussion.objects.update(participants=TOUS)
    Discussion.objects.filter(pk=fausse.pk).update(non_lus=7)
    trouves = []

    fil = en_fil(lambda: trouves.append(recompte.corriger()))
    with transaction.atomic():
        Signalement.objects.select_for_update().get(pk=signalement.pk)
        relue(tenue).verrouiller()
        fil.start()
        fil.join(10)
        assert trouves == [1]

    assert [relue(une).participants for une in (tenue, libre, fausse)] == [TOUS, exacts, exacts]
    assert relue(fausse).non_lus == 1
    assert recompte.corriger() == 0
    assert relue(tenue).participants == exacts

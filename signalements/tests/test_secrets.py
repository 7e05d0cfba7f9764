import pytest

from config.tests.outils import acteur_de
from signalements.models import EntreeTimeline, Signalement
from signalements.tests import fabriques
from socle.realtime.models import Evenement

pytestmark = pytest.mark.django_db
URL = "/api/v1/signalements/"


def vu_par_l_equipe(api, gestionnaire, dossier):
    return str(api(gestionnaire).get(f"{URL}{dossier.pk}").json()["data"])


@pytest.mark.parametrize("autour", ["ID{}", "a{}f", "{}0", "0{}", "x{}y"])
@pytest.mark.parametrize("forme", ["{}", "{.hex}"])
def test_un_identifiant_colle_a_des_lettres_est_masque(api, gestionnaire, invite, autour, forme):
    secret = forme.format(invite.guest_id)
    dossier = fabriques.signalement(acteur_de(invite), description=autour.format(secret))

    assert secret not in vu_par_l_equipe(api, gestionnaire, dossier)


def test_l_identifiant_d_une_autre_session_est_masque(api, gestionnaire, invite, autre_invite):
    dossier = fabriques.signalement(acteur_de(autre_invite), titre=f"Voir {invite.guest_id}")

    assert str(invite.guest_id) not in vu_par_l_equipe(api, gestionnaire, dossier)
    assert api(autre_invite).get(f"{URL}{dossier.pk}").json()["data"]["titre"] == "Voir [identifiant masqué]"


def test_l_identifiant_qu_un_compte_colle_est_masque(api, gestionnaire, etudiante, invite):
    dossier = fabriques.signalement(acteur_de(etudiante), description=f"Avant, j'étais {invite.guest_id}.")

    assert str(invite.guest_id) not in vu_par_l_equipe(api, gestionnaire, dossier)


def test_la_recherche_ne_retrouve_pas_un_identifiant_masque(api, gestionnaire, invite):
    fabriques.signalement(acteur_de(invite), description=f"mon identifiant est {invite.guest_id}")

    trouves = api(gestionnaire).get(f"{URL}?search=identifiant est {str(invite.guest_id)[:4]}").json()["data"]

    assert trouves["total"] == 0


def test_ce_que_la_base_garde_d_un_dossier_n_ouvre_rien(api, invite, gestionnaire):
    colle = f"mon identifiant est {invite.guest_id}"
    dossier = fabriques.signalement(acteur_de(invite), **dict.fromkeys(Signalement.ECRITS, str(invite.guest_id)))
    api(gestionnaire).post(f"{URL}{dossier.pk}/notes", {"contenu": colle})

    garde = [*Signalement.objects.values(), *EntreeTimeline.objects.values(), *Evenement.objects.values()]

    assert EntreeTimeline.objects.get(type="NOTE").contenu == "mon identifiant est [identifiant masqué]"
    assert invite.guest_id.hex not in str(garde).replace("-", "")


def test_deux_recits_du_meme_fait_restent_un_seul_une_fois_masques(invite, etudiante):
    """What a merge compares is made of what is stored."""
    le_sien, l_autre = (
        fabriques.signalement(acteur_de(qui), description=f"J'étais {forme}.")
        for qui, forme in ((invite, invite.guest_id.hex), (etudiante, str(invite.guest_id).upper()))
    )

    assert le_sien.empreinte_faits == l_autre.empreinte_faits


def test_la_note_d_un_gestionnaire_sur_son_dossier_anonyme_ne_le_nomme_pas(api, evenements, gestionnaire):
    dossier = fabriques.signalement(acteur_de(gestionnaire), mode_identification="ANONYME")

    with evenements() as recus:
        api(gestionnaire).post(f"{URL}{dossier.pk}/notes", {"contenu": "À suivre."})

    assert str(gestionnaire.pk) not in str([evenement["payload"] for evenement in recus])


def test_qui_traite_le_dossier_d_un_gestionnaire_ne_se_devine_pas_par_un_filtre(api, gestionnaire, admin):
    dossier = fabriques.signalement(acteur_de(gestionnaire))
    api(admin).put(f"{URL}{dossier.pk}/assigner", {"gestionnaireId": str(admin.pk)})

    url = f"{URL}?gestionnaireId={admin.pk}"

    assert api(gestionnaire).get(url).json()["data"]["total"] == 0
    assert api(admin).get(url).json()["data"]["total"] == 1

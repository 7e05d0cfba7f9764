"""The register told in sentences: who did what, to which case; what is folded, and how its pages go on."""

import html
import re
from datetime import datetime
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.html import strip_tags

from accounts.tests import fabriques as comptes
from accounts.vocabulaire import DOMAINE_DES_EFFACES
from config.tests.outils import acteur_de
from config.tests.outils.typographie import ordinaire
from equipes.lectures import noms_des_equipes
from equipes.tests import fabriques as equipes
from espace.pages.lignes import par_jour
from espace.pages.phrases import A_RELIRE, ENSEMBLES, LECTURES, PHRASES, REPLIES
from espace.tests.outils import Equipiere, section
from signalements.reserve import changer_lecteurs
from signalements.services import changer_statut
from signalements.tests import fabriques as signalements
from socle.audit.models import Trace
from socle.audit.registre import consigner
from socle.audit.tests.outils import traces
from socle.audit.vocabulaire import POUR_L_EXPLOITANT, Acte, Sorte

pytestmark = pytest.mark.django_db
REGISTRE = "/equipe/registre/"
COMPTE_SANS_NOM = re.compile(r'Compte : <bdi><a href="[^"]*objetId=([0-9a-f-]{36})"')
PHRASE = re.compile(r"<p><strong>(.*?)</strong> (.*?)</p>", re.DOTALL)


@pytest.fixture
def rose(admin):
    """The browser of the administrator, whose own arrival is not in the register."""
    navigatrice = Equipiere(admin)
    Trace.objects.all().delete()
    return navigatrice


def phrases(page):
    return [" ".join(strip_tags(f"{qui} {dit}").split()) for qui, dit in PHRASE.findall(page)]


def dit(acteur, *lues):
    """What these traces, unsaved, are said to be, in words alone."""
    for rang, une in enumerate(lues):
        une.pk = rang
    lignes = [un for _jour, du_jour in par_jour(lues, acteur_de(acteur)) for un in du_jour]
    return [html.unescape(strip_tags(f"{un.qui} {un.phrase}")) for un in lignes]


@pytest.mark.parametrize("langue", ["fr", "en"])
@pytest.mark.parametrize("acte", [un for un in Acte if un not in POUR_L_EXPLOITANT])
def test_chaque_acte_de_la_page_a_sa_phrase(admin, acte, langue):
    compte = comptes.gestionnaire()
    details = {"ecartes": [str(compte.pk)], "admis": [str(compte.pk)]}
    cles = [acte, *(cle for cle in PHRASES if isinstance(cle, tuple) and cle[0] == acte)]
    with translation.override(langue):
        for cle in cles:
            precise = str(cle[1]) if isinstance(cle, tuple) else ""
            sorte = precise if precise in Sorte.values else Sorte.COMPTE
            gele = {"True": True, "False": False}.get(precise, precise)
            distinctifs = {"gele": gele} if isinstance(gele, bool) else {"quoi": precise, "ouverture": precise}
            une = Trace(acte=acte, objet=compte.pk, sorte=sorte, details={**details, **distinctifs})
            (texte,) = dit(admin, une)
            assert acte not in texte
            assert not re.search(r"[{}]|  ", texte), texte


def test_une_equipe_et_qui_y_vient_se_lisent_par_leurs_noms(admin, gestionnaire):
    une = equipes.equipe(nom="Égalité")
    noms_des_equipes.oublier()
    venue = {"quoi": "ajout", "compte": str(gestionnaire.pk)}
    membre = Trace(acte=Acte.MEMBRE_CHANGE, objet=une.pk, sorte=Sorte.EQUIPE, details=venue)
    regle = Trace(
        acte=Acte.ROUTAGE_CHANGE, objet=une.pk, sorte=Sorte.EQUIPE, details={"quoi": "creee", "regle": str(uuid4())}
    )
    confie = Trace(
        acte=Acte.EQUIPE_CHANGEE, objet=None, sorte=Sorte.SIGNALEMENT, details={"avant": "", "apres": str(une.pk)}
    )

    assert dit(admin, membre) == [f"Quelqu'un a ajouté {gestionnaire.nom_complet} à l'équipe Égalité"]
    regle.pk, confie.pk = 1, 2
    lignes = [un for _jour, du_jour in par_jour([regle, confie], acteur_de(admin)) for un in du_jour]
    dites = [[strip_tags(f"{nom} : {valeur}") for nom, valeur in un.details] for un in lignes]
    assert dites == [[], ["Après : Égalité"]]


def test_ce_qui_change_d_une_equipe_a_l_autre_se_lit_comme_elles_s_ecrivent(rose, admin):
    une, autre = equipes.equipe(nom="L'Écoute"), equipes.equipe(nom="Santé & soins")
    noms_des_equipes.oublier()
    details = {"avant": str(une.pk), "apres": str(autre.pk)}
    consigner(Acte.EQUIPE_CHANGEE, par=acteur_de(admin), **details)
    consigner(
        Acte.EQUIPE_DEFINIE, par=acteur_de(admin), objet=une.pk, sorte=Sorte.EQUIPE, quoi="changee", champs=["nom"]
    )

    page = rose.lire(REGISTRE)

    lue = ordinaire(html.unescape(strip_tags(page)))
    assert "de « L'Écoute » à « Santé & soins »" in lue
    assert "a modifié l'équipe L'Écoute" in lue
    assert "&lt;bdi&gt;" not in page
    assert "règle" not in lue


@pytest.mark.parametrize(
    ("par", "quoi", "phrase"),
    [
        ("elle", "retrait", "a quitté l'équipe Égalité"),
        ("autre", "retrait", "a retiré {nom} de l'équipe Égalité"),
        ("elle", "demande", "a demandé à être de l'équipe Égalité"),
    ],
)
def test_qui_part_de_soi_meme_ne_se_dit_pas_comme_qui_est_retire(admin, gestionnaire, par, quoi, phrase):
    une = equipes.equipe(nom="Égalité")
    noms_des_equipes.oublier()
    acteur = gestionnaire.pk if par == "elle" else admin.pk
    details = {"quoi": quoi, "compte": str(gestionnaire.pk)}
    trace = Trace(pk=1, acte=Acte.MEMBRE_CHANGE, acteur=acteur, objet=une.pk, sorte=Sorte.EQUIPE, details=details)

    ((_jour, (ligne,)),) = par_jour([trace], acteur_de(admin))

    assert strip_tags(ligne.phrase) == phrase.format(nom=gestionnaire.nom_complet)
    assert ligne.details == []


def test_les_details_se_lisent_en_mots(rose, admin, gestionnaire):
    """No name of a column, of a table or of a program's reason; dates as people write them."""
    for acte, details in (
        (Acte.AIDE_CHANGEE, {"quoi": "changee", "table": "faq", "champs": ["categorie", "question", "reponse"]}),
        (Acte.CONNEXION_REFUSEE, {"motif": "motDePasse"}),
        (Acte.OUVERTURE_MOTIVEE, {"minutes": 60}),
        (Acte.SIGNALEMENTS_CHERCHES, {"debut": "2026-11-30", "type": "VOL"}),
        (Acte.CANAL_ECOUTE, {"canal": "dashboard"}),
        (Acte.EXPORT_DEMANDE, {"format": "CSV", "part": "ouverts", "nonLus": "true", "gestionnaireId": "aucun"}),
        (Acte.CONNEXION, {"acces": "espace"}),
        (Acte.DECONNEXION, {"acces": "jeton"}),
        (Acte.DATE_CHANGEE, {"quoi": "PROLONGEE"}),
        (Acte.EVENEMENT_CHANGE, {"quoi": "CHANGE"}),
        (Acte.DELAI_CHANGE, {"table": "jourferme"}),
    ):
        consigner(acte, par=gestionnaire, **details)

    page = strip_tags(section(rose.lire(f"{REGISTRE}?tout=1"), "liste"))

    for dit in (
        "Table : question fréquente",
        "Champs : catégorie, question, réponse",
        "Motif : mot de passe faux",
        "Du : 30 novembre 2026",
        "Canal : le tableau de bord",
        "Liste : Ouverts",
        "Non lus : oui",
        "Suivi par : Personne",
        "Accès : par l'espace de l'équipe",
        "Accès : par l'API",
        "Table : jour de fermeture",
    ):
        assert dit in page
    assert not re.search(r"minutes|motDePasse|2026-11-30|faq|dashboard|ouverts|aucun|jeton|[A-Z]{6}|jourf", page)


def test_une_invitation_dit_a_qui_et_ce_qui_n_a_pas_de_nom_mene_a_ses_lignes(rose, admin, gestionnaire):
    invitation = comptes.invitation(admin, email="neuve@campus.example")
    export, effacee = uuid4(), comptes.invitation(admin, email=f"efface-1@{DOMAINE_DES_EFFACES}").pk
    for acte, objet, sorte in (
        (Acte.EXPORT_DEMANDE, export, Sorte.EXPORT),
        (Acte.EXPORT_TELECHARGE, export, Sorte.EXPORT),
        (Acte.INVITATION_ENVOYEE, invitation.pk, Sorte.INVITATION),
        (Acte.INVITATION_REVOQUEE, effacee, Sorte.INVITATION),
    ):
        consigner(acte, par=gestionnaire, objet=objet, sorte=sorte)

    page = rose.lire(REGISTRE)

    assert phrases(page) == [
        f"{gestionnaire.nom_complet} a retiré l'invitation envoyée à quelqu'un",
        f"{gestionnaire.nom_complet} a envoyé une invitation à neuve@campus.example À relire",
        f"{gestionnaire.nom_complet} a téléchargé un export À relire",
        f"{gestionnaire.nom_complet} a demandé un export À relire",
    ]
    lien = f'Export : <bdi><a href="{REGISTRE}?objetId={export}">{str(export)[:8]}</a></bdi>'
    assert page.count(lien) == 2
    assert str(invitation.pk) not in page
    assert len([un for un in phrases(rose.lire(f"{REGISTRE}?objetId={export}")) if "export" in un]) == 2


def test_une_discussion_ou_un_fichier_d_un_dossier_ne_s_ecrit_pas_en_identifiant(rose, gestionnaire, signalement):
    discussion, fichier = uuid4(), uuid4()
    dossier = {"objet": signalement.pk, "sorte": Sorte.SIGNALEMENT}
    consigner(Acte.DISCUSSION_OUVERTE, par=gestionnaire, discussion=discussion, **dossier)
    consigner(Acte.FICHIER_OUVERT, par=gestionnaire, fichier=fichier, **dossier)

    page = rose.lire(REGISTRE)

    assert str(discussion) not in page
    assert f'<a href="/admin/resources/fichier/{fichier}/change/">{str(fichier)[:8]}</a>' in page


def test_les_tables_ne_nomment_que_des_actes_de_la_page():
    nommes = {cle[0] if isinstance(cle, tuple) else cle for cle in PHRASES}

    assert nommes == set(Acte) - set(POUR_L_EXPLOITANT)
    assert set(REPLIES) | set(ENSEMBLES) | A_RELIRE | LECTURES <= nommes


def test_ecarter_quelqu_un_se_lit_en_une_phrase_avec_les_noms(rose, admin, gestionnaire, signalement):
    nadia = comptes.admin(prenom="Nadia", nom="Benali")
    changer_lecteurs(signalement=signalement, acteur=acteur_de(nadia), ecartes=[gestionnaire.pk])

    page = rose.lire(REGISTRE)

    reference = signalement.reference
    assert phrases(page) == [
        f"Nadia Benali a réglé qui lit le dossier {reference} : l'équipe, sauf {gestionnaire.nom_complet} À relire"
    ]
    assert f'<a href="/equipe/dossiers/{signalement.pk}/">' in page
    assert str(gestionnaire.pk) not in section(page, "liste")


def test_un_dossier_que_l_on_peut_seulement_rouvrir_est_nomme_sans_lien(rose, signalement):
    lectrice, autre = comptes.gestionnaire(prenom="Léa"), comptes.admin(prenom="Nadia", nom="Benali")
    changer_lecteurs(signalement=signalement, acteur=acteur_de(autre), admis=[lectrice.pk, autre.pk])

    page = rose.lire(REGISTRE)

    assert signalement.reference in page
    assert f"/equipe/dossiers/{signalement.pk}/" not in page
    assert "et personne d'autre" in page


def test_qui_est_ecarte_n_en_lit_rien_par_sa_reference_non_plus(rose, admin, gestionnaire, signalement):
    autre = comptes.admin(prenom="Nadia", nom="Benali")
    changer_lecteurs(signalement=signalement, acteur=acteur_de(autre), ecartes=[admin.pk])
    consigner(Acte.SIGNALEMENT_OUVERT, par=gestionnaire, objet=signalement.pk, sorte=Sorte.SIGNALEMENT)

    ferme, inconnu = (
        rose.lire(REGISTRE, objetId=reference).partition("<main")[2].replace(reference, "x")
        for reference in (signalement.reference, "SIG-2026-ZZZZZZZZ")
    )

    assert phrases(ferme) == []
    assert ferme == inconnu
    assert phrases(rose.lire(REGISTRE)) == []


@pytest.mark.parametrize("statut", ["NOUVEAU", "CLOTURE"])
def test_la_reference_d_un_dossier_mene_a_tout_ce_qui_y_fut_fait(rose, admin, gestionnaire, signalement, statut):
    changer_statut(signalement=signalement, statut=statut, acteur=acteur_de(admin))
    autre = signalements.signalement(acteur_de(gestionnaire))
    for dossier in (signalement, autre):
        consigner(Acte.CANAL_ECOUTE, par=gestionnaire, objet=dossier.pk, sorte=Sorte.SIGNALEMENT)

    page = rose.lire(REGISTRE, objetId=f" {signalement.reference.lower().replace('-', ' ')} ")

    assert phrases(page) == [f"{gestionnaire.nom_complet} a suivi en direct le dossier {signalement.reference}"]
    (lecture,) = traces(Acte.REGISTRE_CONSULTE)
    assert (lecture.objet, lecture.details) == (signalement.pk, {})


def test_un_dossier_joint_mene_a_celui_qui_demeure(rose, gestionnaire, etudiante, invite):
    garde, joint = signalements.signalement(acteur_de(etudiante)), signalements.signalement(acteur_de(invite))
    consigner(Acte.SIGNALEMENT_OUVERT, par=gestionnaire, objet=joint.pk, sorte=Sorte.SIGNALEMENT)
    consigner(Acte.SIGNALEMENT_OUVERT, par=gestionnaire, objet=garde.pk, sorte=Sorte.SIGNALEMENT)
    signalements.joindre(joint, garde)

    assert phrases(rose.lire(REGISTRE, objetId=joint.reference)) == [
        f"{gestionnaire.nom_complet} a ouvert le dossier {garde.reference}"
    ]
    assert f"/equipe/dossiers/{joint.pk}/" in rose.lire(REGISTRE)  # which opens the other


def test_l_ecoute_et_les_listes_sont_repliees_jusqu_a_ce_qu_on_les_demande(rose, gestionnaire, signalement):
    for acte in (*REPLIES, Acte.SIGNALEMENT_OUVERT):
        consigner(acte, par=gestionnaire, objet=signalement.pk, sorte=Sorte.SIGNALEMENT)

    assert phrases(rose.lire(REGISTRE)) == [f"{gestionnaire.nom_complet} a ouvert le dossier {signalement.reference}"]
    assert "3 sortes d'actes ne sont pas montrées ici" in rose.lire(REGISTRE)
    for question in ({"tout": "1"}, {"objetId": str(signalement.pk)}):
        page = rose.lire(REGISTRE, **question)
        assert [un for un in phrases(page) if "consulté ce registre" not in un][-4:] == [
            f"{gestionnaire.nom_complet} a ouvert le dossier {signalement.reference}",
            f"{gestionnaire.nom_complet} a suivi en direct le dossier {signalement.reference}",
            f"{gestionnaire.nom_complet} a vu dans une liste le nom d'une pièce du dossier {signalement.reference}",
            f"{gestionnaire.nom_complet} a vu le dossier {signalement.reference} dans une liste",
        ]
        assert "ne sont pas montrées" not in page
    assert len(phrases(rose.lire(REGISTRE, acte=Acte.CANAL_ECOUTE))) == 1


def test_l_ancien_et_le_nouveau_se_lisent_sous_la_phrase(rose, admin, etudiante):
    consigner(
        Acte.ROLE_CHANGE, par=admin, objet=etudiante.pk, sorte=Sorte.COMPTE, avant="UTILISATEUR", apres="GESTIONNAIRE"
    )

    page = rose.lire(REGISTRE)

    assert phrases(page) == [f"{admin.nom_complet} a changé le rôle de {etudiante.nom_complet} À relire"]
    assert "de « Utilisateur » à « Gestionnaire »" in page


def test_personne_de_nomme_a_son_mot(admin, gestionnaire):
    compte = {"objet": gestionnaire.pk, "sorte": Sorte.COMPTE}

    assert dit(
        admin,
        Trace(acte=Acte.CONNEXION_REFUSEE, **compte),
        Trace(acte=Acte.REGLAGES_CHANGES),
        Trace(acte=Acte.SAUVEGARDE_REMISE),
        Trace(acte=Acte.COMPTE_DESACTIVE, objet=uuid4(), sorte=Sorte.COMPTE),
        Trace(acte="D_UNE_AUTRE_VERSION"),
    ) == [
        f"Quelqu'un a essayé d'entrer sous le nom de {gestionnaire.nom_complet}, sans y parvenir",
        "Le service a démarré avec d'autres réglages",
        "Qui exploite le service a remis une sauvegarde",
        "Quelqu'un a désactivé le compte de quelqu'un",
        "Quelqu'un D_UNE_AUTRE_VERSION",
    ]


def test_lire_un_dossier_reserve_est_a_relire_et_non_les_autres(rose, admin, gestionnaire, etudiante, signalement):
    reserve = signalements.signalement(acteur_de(etudiante))
    changer_lecteurs(signalement=reserve, acteur=acteur_de(admin), admis=[admin.pk, gestionnaire.pk])
    Trace.objects.all().delete()
    for dossier in (signalement, reserve):
        consigner(Acte.SIGNALEMENT_OUVERT, par=gestionnaire, objet=dossier.pk, sorte=Sorte.SIGNALEMENT)

    assert phrases(rose.lire(REGISTRE)) == [
        f"{gestionnaire.nom_complet} a ouvert le dossier {reserve.reference} À relire",
        f"{gestionnaire.nom_complet} a ouvert le dossier {signalement.reference}",
    ]


@pytest.mark.parametrize(("gele", "a_relire"), [(True, False), (False, True)])
def test_lever_un_gel_est_a_relire(admin, signalement, gele, a_relire):
    trace = Trace(acte=Acte.GEL_CHANGE, objet=signalement.pk, sorte=Sorte.SIGNALEMENT, details={"gele": gele})

    ((_jour, (ligne,)),) = par_jour([trace], acteur_de(admin))

    assert ligne.est_a_relire is a_relire
    assert ligne.details == []


def test_les_pages_vont_de_suite_sans_perdre_ni_redire_une_ligne(rose, gestionnaire):
    for _rang in range(101):
        consigner(Acte.COMPTE_MODIFIE, par=gestionnaire, objet=uuid4(), sorte=Sorte.COMPTE)
    adresse, vues = "?acte=COMPTE_MODIFIE", []
    while adresse:
        page = rose.lire(f"{REGISTRE}{adresse}")
        vues.append(re.findall(COMPTE_SANS_NOM, page))
        consigner(Acte.COMPTE_MODIFIE, par=gestionnaire, objet=uuid4(), sorte=Sorte.COMPTE)  # moves no page
        suite = re.search(r'rel="next" href="([^"]+)"', page)
        adresse = suite[1] if suite else ""
    avant = re.search(r'rel="prev" href="([^"]+)"', page)[1]

    assert [len(vue) for vue in vues] == [50, 50, 1]
    assert len(set().union(*vues)) == 101
    assert re.findall(COMPTE_SANS_NOM, rose.lire(f"{REGISTRE}{avant}")) == vues[1]


@pytest.mark.parametrize(
    ("question", "lignes"),
    [
        ({"apres": "0.x"}, 1),
        ({"apres": f"0.{'9' * 40}"}, 0),  # before all that is written
        ({"avant": f"{'9' * 50}.1"}, 1),
        ({"apres": "1.abc"}, 1),
        ({"avant": "-1.-5"}, 1),
        ({"tout": "0"}, 1),
        ({"page": "4"}, 1),
    ],
)
def test_une_suite_que_la_page_n_a_pas_ecrite_montre_le_debut(rose, gestionnaire, question, lignes):
    consigner(Acte.DECONNEXION, par=gestionnaire)

    assert rose.lire(REGISTRE, acte=Acte.DECONNEXION, **question).count("<li><time") == lignes


def test_un_identifiant_illisible_se_redemande(rose):
    page = rose.lire(REGISTRE, attendu=422, objetId="SIG-12")

    assert 'value="SIG-12"' in page
    assert "Donnez la référence d'un dossier (SIG-…) ou un identifiant entier." in page
    assert "Corrigez le filtre" in page


def test_la_page_coute_autant_de_requetes_pour_cinquante_que_pour_un(rose, admin, gestionnaire, etudiante):
    def peupler(nombre):
        for _rang in range(nombre):
            dossier, compte = signalements.signalement(acteur_de(etudiante)), comptes.gestionnaire()
            for acte, objet, sorte in (
                (Acte.SIGNALEMENT_OUVERT, dossier.pk, Sorte.SIGNALEMENT),
                (Acte.ROLE_CHANGE, compte.pk, Sorte.COMPTE),
            ):
                consigner(acte, par=gestionnaire, objet=objet, sorte=sorte)

    def requetes():
        with CaptureQueriesContext(connection) as lues:
            page = rose.lire(REGISTRE)
        return len(lues), len(phrases(page))

    peupler(1)
    requetes()
    une, _combien = requetes()
    peupler(24)

    assert requetes() == (une, 50)


def test_les_jours_sont_ceux_du_campus(rose, admin, gestionnaire, settings):
    for jour, heure in ((26, 23), (27, 0)):
        quand = datetime(2026, 11, jour, heure, 30, tzinfo=settings.TIME_ZONE_CAMPUS)
        Trace.objects.create(acte=Acte.DECONNEXION, acteur=gestionnaire.pk, date=quand)

    page = rose.lire(REGISTRE, acte=Acte.DECONNEXION)

    assert re.findall(r'<h3><time datetime="([^"]+)">([^<]+)', page) == [
        ("2026-11-27", "Vendredi 27 novembre 2026"),
        ("2026-11-26", "Jeudi 26 novembre 2026"),
    ]
    assert re.findall(r"<li><time [^>]+>([^<]+)", page) == ["00:30", "23:30"]

"""The house's own icons: 24 grid, stroke 1.75, drawn once a page and used by name."""

from django.utils.safestring import SafeString, mark_safe

DESSINS = {
    "quitter": '<path d="M10 4H5v16h5M15 8l4 4-4 4M19 12H9"/>',
    "tel": '<path d="M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z"/>',
    "aide": '<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17v.01"/>',
    "crayon": '<path d="M4 20l1-4L16 5l3 3L8 19zM14 7l3 3"/>',
    "cle": '<circle cx="8" cy="15" r="4"/><path d="M11 12l8-8M16 7l3 3M13 10l2 2"/>',
    "dossier": '<path d="M3 6h6l2 2.5h10V19H3z"/>',
    "bilan": '<path d="M5 20v-9M11 20V5M17 20v-6M3 20h18"/>',
    "cal": '<path d="M4 6h16v14H4zM4 10.5h16M8 3v4M16 3v4"/>',
    "forum": '<path d="M4 5h16v11h-9l-5 4v-4H4z"/>',
    "livre": '<path d="M12 6c-2-1.5-5-2-8-1.5V19c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V4.5C17 4 14 4.5 12 6zM12 6v14"/>',
    "maison": '<path d="M4 11l8-7 8 7M6 10v10h12V10"/>',
    "moi": '<circle cx="12" cy="8" r="4"/><path d="M4 21c1-5 4-7 8-7s7 2 8 7"/>',
    "equipe": (
        '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20c.8-4.5 3.3-6 6.5-6s5.7 1.5 6.5 6M16 5a3.5 3.5 0 0 1 '
        '0 6.5M18 14.5c2 .8 3 2.5 3.5 5.5"/>'
    ),
    "abri": '<path d="M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z"/>',
    "oeil": '<path d="M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7z"/><circle cx="12" cy="12" r="3"/>',
    "cadenas": '<path d="M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3"/>',
    "heure": '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>',
    "alerte": '<path d="M12 3.5l9.5 16.5h-19zM12 10v4M12 17v.01"/>',
    "info": '<circle cx="12" cy="12" r="9"/><path d="M12 11v5M12 8v.01"/>',
    "ok": '<path d="M5 12.5l4.5 4.5L19 7"/>',
    "croix": '<path d="M6 6l12 12M18 6L6 18"/>',
    "loupe": '<circle cx="11" cy="11" r="6"/><path d="M15.5 15.5L21 21"/>',
    "filtre": '<path d="M4 6h16M7 12h10M10 18h4"/>',
    "trombone": '<path d="M20 11l-8 8a5 5 0 0 1-7-7l9-9a3.5 3.5 0 0 1 5 5l-9 9a2 2 0 0 1-3-3l8-8"/>',
    "image": '<path d="M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4"/><circle cx="15" cy="9" r="1"/>',
    "fichier": '<path d="M6 3h8l4 4v14H6zM14 3v4h4"/>',
    "envoyer": '<path d="M4 12L20 4l-5 16-4-6z"/>',
    "plus": '<path d="M12 5v14M5 12h14"/>',
    "g": '<path d="M15 5l-7 7 7 7"/>',
    "d": '<path d="M9 5l7 7-7 7"/>',
    "bas": '<path d="M6 9l6 6 6-6"/>',
    "haut": '<path d="M6 15l6-6 6 6"/>',
    "imprimer": '<path d="M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z"/>',
    "prendre": '<path d="M12 4v11M7 11l5 5 5-5M4 20h16"/>',
    "cloche": '<path d="M6 17v-6a6 6 0 0 1 12 0v6l2 1H4zM10 21h4"/>',
    "lieu": '<path d="M12 21c-5-6-7-8-7-11a7 7 0 0 1 14 0c0 3-2 5-7 11z"/><circle cx="12" cy="10" r="2.5"/>',
    "coeur": '<path d="M12 20C5 15 3 12 3 9a4.5 4.5 0 0 1 9-1 4.5 4.5 0 0 1 9 1c0 3-2 6-9 11z"/>',
    "registre": '<path d="M9 6h11M9 12h11M9 18h11M4.5 6v.01M4.5 12v.01M4.5 18v.01"/>',
    "reglages": (
        '<path d="M4 7h9M19 7h1M4 17h3M13 17h7"/><circle cx="16" cy="7" r="2.5"/><circle cx="10" cy="17" r="2.5"/>'
    ),
    "rep": '<path d="M9 6l-5 5 5 5M4 11h9a7 7 0 0 1 7 7"/>',
    "nouveau": (
        '<circle cx="12" cy="12" r="9" stroke-dasharray="3.5 3"/><circle cx="12" cy="12" r="3" '
        'fill="currentColor" stroke="none"/>'
    ),
    "assigne": '<circle cx="12" cy="12" r="9"/><path d="M12 6a6 6 0 0 1 6 6h-6z" fill="currentColor" stroke="none"/>',
    "encours": '<circle cx="12" cy="12" r="9"/><path d="M12 6a6 6 0 0 1 0 12z" fill="currentColor" stroke="none"/>',
    "attente": '<circle cx="12" cy="12" r="9"/><path d="M10 9v6M14 9v6"/>',
    "traite": '<circle cx="12" cy="12" r="9"/><path d="M8 12l3 3 5-6"/>',
    "clos": '<path d="M3 5h18v4H3zM5 9v11h14V9M10 13h4"/>',
    "critique": '<path d="M8 3h8l5 5v8l-5 5H8l-5-5V8zM12 8v5M12 16v.01"/>',
    "haute": '<path stroke-width="3.5" d="M5 19v-3M12 19v-8M19 19V5"/>',
    "moyenne": '<path stroke-width="3.5" d="M5 19v-3M12 19v-8"/><path stroke-width="3.5" opacity=".3" d="M19 19V5"/>',
    "basse": '<path stroke-width="3.5" d="M5 19v-3"/><path stroke-width="3.5" opacity=".3" d="M12 19v-8M19 19V5"/>',
    "tri": '<path d="M8 5v14M4 15l4 4 4-4M14 7h7M14 12h5M14 17h3"/>',
}


def icone(nom: str) -> SafeString:
    """The use of an icon, hidden from screen readers: a word is always beside it. KeyError for an unknown name."""
    DESSINS[nom]
    return mark_safe(f'<svg class="ic" aria-hidden="true"><use href="#i-{nom}"/></svg>')  # noqa: S308 -- of ours


def symboles(noms: set[str]) -> SafeString:
    """The drawings of these icons, once at the end of a body; `""` where there is none."""
    dessins = "".join(f'<symbol id="i-{nom}" viewBox="0 0 24 24">{DESSINS[nom]}</symbol>' for nom in sorted(noms))
    return mark_safe(f'<svg class="cache" aria-hidden="true">{dessins}</svg>' if noms else "")  # noqa: S308 -- of ours

// What stops a person who does not see the page, or whose hand is not sure, as "fault : element": a control that only
// its place names, a word that is read aloud in another language, a target under 24 px too near to another one, a
// button that another one touches from below.
() => {
  const COTE = 24;
  const COMMANDES = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  const dit = (texte) => (texte || "").trim();
  const dits = (elements, lire) => dit([...elements].map(lire).join(" "));
  const est_montre = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;

  const lu = (e) => dit(`${e.textContent} ${dits(e.querySelectorAll("img, [title]"), (i) => i.alt || i.title)}`);
  const nom = (e) => {
    const de_lui = e.matches("a, button, summary") ? lu(e) || dit(e.title) : e.type === "submit" && dit(e.value);
    const ids = dit(e.getAttribute("aria-labelledby")).split(/ +/).filter(Boolean);
    return dit(e.getAttribute("aria-label")) || dits(ids, (id) => document.getElementById(id)?.textContent)
      || dits(e.labels || [], lu) || de_lui;
  };

  // A link within a sentence is as tall as its line: no rule asks more of it.
  const est_dans_une_phrase = (e) => getComputedStyle(e).display === "inline"
    && [...e.parentElement.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && /\p{L}/u.test(n.data));
  const cible = (e) => {
    const { left, top, right, bottom, width, height } = e.getBoundingClientRect();
    const est_petite = Math.round(Math.min(width, height)) < COTE;
    return { e, left, top, right, bottom, x: (left + right) / 2, y: (top + bottom) / 2, est_petite };
  };
  const entre = (valeur, bas, haut) => Math.min(Math.max(valeur, bas), haut);
  const est_trop_pres = (une, autre) => {
    if (une.e.contains(autre.e) || autre.e.contains(une.e)) return false;
    const [x, y] = [entre(une.x, autre.left, autre.right), entre(une.y, autre.top, autre.bottom)];
    return Math.hypot(une.x - x, une.y - y) < COTE / 2
      || (autre.est_petite && Math.hypot(une.x - autre.x, une.y - autre.y) < COTE);
  };

  const est_touche = (une, autre) => une.e.matches(".bouton") && autre.e.matches(".bouton")
    && une.left < autre.right && autre.left < une.right && autre.top > une.top && autre.top - une.bottom < 4;

  // Behind an open dialog nothing can be pressed.
  const ouverte = document.querySelector("dialog:modal") || document;
  const commandes = [...ouverte.querySelectorAll(COMMANDES)].filter(est_montre);
  const cibles = commandes.filter((e) => !est_dans_une_phrase(e)).map(cible);
  const fautes = {
    "sans nom": commandes.filter((e) => !nom(e)),
    "en anglais": [...document.images].filter((image) => /^(True|False|None|Search)$/.test(image.alt)),
    "trop petite": cibles.filter((c) => c.est_petite && cibles.some((autre) => est_trop_pres(c, autre))).map((c) => c.e),
    "touchée": cibles.filter((c) => cibles.some((autre) => est_touche(c, autre))).map((c) => c.e),
  };
  return Object.entries(fautes).flatMap(([faute, elements]) => elements.map((e) => `${faute} : ${e.outerHTML.slice(0, 160)}`));
}

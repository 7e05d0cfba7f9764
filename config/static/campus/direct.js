"use strict";
// Keeps a page true: hears its channels, asks for it again, and replaces the blocks that differ; never what is typed,
// the focus or a selection.
(() => {
  const racine = document.querySelector("[data-socket]");
  if (!racine) return;
  const { dataset } = racine;

  const etat = document.getElementById(`${racine.id}-etat`);
  const ENTRE_DEUX = 2000; // two readings
  const DOUCEMENT = 60000; // not every act is told on a channel
  const PING = 25000;
  const PARTIR = 5000;
  const ATTENTE_MAXIMALE = 60000;
  const CACHEE = 300000; // after it a page of the team that nobody looks at holds no socket
  const QUI_FINIT = [4001, 4003];
  const PERDUS = [401, 403, 404, 409];
  const TROP_DE_SOCKETS = 4008;
  const qui_change = (dataset.evenements || "").split(" ").filter(Boolean); // none: all of them
  const prises = new Map(); // channel -> socket
  const depuis = new Map();

  let estFini = false;
  let estEnPause = false;
  let estEnCours = false;
  let estAttendue = false; // a reading, by its turn or until the page is looked at
  let derniere = 0;
  let quittee = 0; // when it was about to be left; a download leaves it there

  // `direct`: every socket open; `coupe`: one is to be opened again; `fini`: closed for good.
  const passer = (nom, texte) => {
    dataset.etat = nom;
    if (etat.textContent !== texte) etat.textContent = texte;
  };

  const fermer = (prise) => prise.readyState === WebSocket.OPEN && prise.close();
  // Nothing of a space that has closed stays on the screen; an empty page is being left.
  const sortir = () => racine.isConnected && location.replace(dataset.sortie);

  const dire = () => {
    const toutes = [...prises.values()];
    if (estFini || !toutes.every((une) => une.vit || une.estDeTrop)) return;
    passer("direct", toutes.some((une) => une.estDeTrop) ? dataset.texteMinute : dataset.texteDirect);
  };

  const arreter = () => {
    estFini = true;
    prises.forEach(fermer);
  };
  const finir = () => {
    arreter();
    if (!dataset.sortie) passer("fini", dataset.texteFin);
    else setTimeout(sortir, Date.now() - quittee < PARTIR ? PARTIR : 0);
  };

  // The case was joined to another: there at once, or once what is being typed is sent.
  const suivre = (adresse) => {
    if (!estTouche(racine)) return location.replace(adresse);
    arreter();
    passer("fini", dataset.texteJoint);
  };

  const forme = (element) => element.outerHTML.replace(/(csrfmiddlewaretoken" value=")[^"]*/g, "$1");
  const estTouche = (element) =>
    element.contains(document.activeElement) ||
    (!getSelection().isCollapsed && getSelection().containsNode(element, true)) ||
    [...element.querySelectorAll("textarea, input:not([type=hidden]), option")].some((champ) =>
      champ.matches("option") ? champ.selected !== champ.defaultSelected
        : champ.value !== champ.defaultValue || champ.checked !== champ.defaultChecked,
    );

  // Make the children of a block those of the new one, by their ids.
  const accorder = (bloc, nouveau) => {
    const enfants = [...nouveau.children];
    if (!bloc.dataset.demande && (!enfants.length || enfants.some((un) => !un.id))) {
      if (forme(bloc) !== forme(nouveau) && !estTouche(bloc)) bloc.replaceWith(document.adoptNode(nouveau));
      return;
    }
    const anciens = new Map([...bloc.children].map((un) => [un.id, un]));
    const memes = anciens.size === enfants.length && enfants.every((un, rang) => bloc.children[rang].id === un.id);
    const attend = !memes && "demande" in bloc.dataset; // until it is asked for
    const voulus = enfants.map((un) => {
      const ancien = anciens.get(un.id);
      if (ancien && (forme(ancien) === forme(un) || estTouche(ancien))) return ancien;
      if (!ancien && attend) return null;
      const pose = document.adoptNode(un);
      if (ancien) ancien.replaceWith(pose);
      return pose;
    });
    const demande = bloc.dataset.demande && document.getElementById(bloc.dataset.demande);
    if (demande) {
      const neufs = enfants.filter((un) => !anciens.has(un.id)).length;
      const texte = neufs ? demande.dataset.neufs.replace("{n}", String(neufs)) : demande.dataset.ordre;
      if (demande.textContent !== texte) demande.textContent = texte;
      demande.hidden = memes;
    }
    if (attend) return;
    voulus.forEach((un, rang) => bloc.children[rang] === un || bloc.insertBefore(un, bloc.children[rang] || null));
    while (bloc.children.length > voulus.length) bloc.lastElementChild.remove();
  };

  const lire = async () => {
    const adresse = dataset.adresse || location.pathname + location.search;
    const reponse = await fetch(adresse, { cache: "no-store", headers: { "X-Direct": dataset.de || "1" }, signal: (self.AbortSignal || {}).timeout && AbortSignal.timeout(20000) });
    if (PERDUS.includes(reponse.status)) return finir();
    if (!reponse.ok) return;
    const page = new DOMParser().parseFromString(await reponse.text(), "text/html");
    const nouvelle = page.getElementById(racine.id);
    if (!nouvelle) return finir(); // the sign-in page
    if (estFini) return;
    if (nouvelle.dataset.de !== dataset.de) return suivre(reponse.url);
    for (const nouveau of nouvelle.querySelectorAll("[data-bloc]")) {
      const bloc = document.getElementById(nouveau.id);
      if (bloc && bloc.hasAttribute("data-bloc")) accorder(bloc, nouveau);
    }
    document.title = page.title;
    dataset.texteDirect = nouvelle.dataset.texteDirect;
    dataset.socket = nouvelle.dataset.socket;
    dire();
    ouvrirTout();
  };

  const aSonTour = () => setTimeout(faire, Math.max(0, derniere + ENTRE_DEUX - Date.now()));
  const rafraichir = () => {
    if (estFini || estAttendue) return;
    estAttendue = true;
    aSonTour();
  };

  const faire = async () => {
    if (estFini || estEnPause || !estAttendue || estEnCours || document.hidden) return;
    estAttendue = false;
    estEnCours = true;
    derniere = Date.now();
    try {
      await lire();
    } catch (_) {
      if (!estFini) passer("coupe", dataset.texteCoupe);
      setTimeout(rafraichir, ENTRE_DEUX * 5);
    }
    estEnCours = false;
    if (estAttendue) aSonTour();
  };

  const entendre = (canal, texte) => {
    if (texte === "pong") return;
    const { type, eventId, payload } = JSON.parse(texte);
    const relire = type === "refresh_required";
    const numero = eventId || (relire && payload.eventId);
    if (numero) depuis.set(canal, numero);
    const change = qui_change.length ? qui_change.includes(type) : eventId || relire;
    if (change) rafraichir();
  };

  const ouvrirTout = () => {
    const voulus = dataset.socket.split(" ");
    voulus.forEach((canal) => prises.has(canal) || ouvrir(canal, 0));
    for (const [canal, prise] of prises) {
      if (voulus.includes(canal)) continue;
      prises.delete(canal);
      fermer(prise);
    }
  };

  const ouvrir = (canal, essais) => {
    if (estFini || estEnPause) return;
    const adresse = new URL(canal, location.href);
    adresse.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    adresse.searchParams.set("depuis", depuis.get(canal) || dataset.depuis);
    let entendu = Date.now();
    let suite = essais + 1;
    const prise = new WebSocket(adresse);
    prises.set(canal, prise);
    const pouls = setInterval(() => {
      if (Date.now() - entendu > 3 * PING) fermer(prise);
      else if (prise.readyState === WebSocket.OPEN) prise.send("ping");
    }, PING);

    prise.addEventListener("message", ({ data }) => {
      entendu = Date.now();
      suite = 0;
      if (estEnPause) return fermer(prise);
      prise.vit = true;
      dire();
      entendre(canal, data);
    });
    prise.addEventListener("close", ({ code }) => {
      clearInterval(pouls);
      prise.vit = false;
      if (estFini || estEnPause || prises.get(canal) !== prise) return;
      prise.estDeTrop = code === TROP_DE_SOCKETS; // asked for each minute
      if (prise.estDeTrop) return dire();
      // The space has closed, or become another's, which may have the case: the page says.
      if (QUI_FINIT.includes(code)) lire().catch(finir);
      else passer("coupe", dataset.texteCoupe);
      const attente = Math.min(ATTENTE_MAXIMALE, 1000 * 2 ** Math.min(suite, 6));
      setTimeout(() => prises.get(canal) === prise && ouvrir(canal, suite), attente * (0.5 + Math.random() / 2));
    });
  };

  const dormir = () => {
    estEnPause = true;
    prises.forEach(fermer);
  };
  const veiller = () => {
    if (!estEnPause || estFini) return;
    estEnPause = false;
    prises.clear();
    ouvrirTout();
    estAttendue = true;
  };
  let sommeil = 0;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(sommeil);
    if (document.hidden && !dataset.sortie) sommeil = setTimeout(dormir, CACHEE);
    if (document.hidden) return;
    veiller();
    if (estAttendue) faire();
  });
  addEventListener("beforeunload", () => {
    quittee = Date.now();
  });
  addEventListener("pagehide", dormir);
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    veiller();
    faire();
  });
  setInterval(rafraichir, DOUCEMENT);
  if (document.hidden && !dataset.sortie) estEnPause = true;
  else ouvrirTout();
})();

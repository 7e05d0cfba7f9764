"use strict";
// Keeps the dashboard true: hears the `dashboard` channel, and asks the server for the drawings again.
(() => {
  const tableau = document.getElementById("tableau");
  if (!tableau) return;

  const etat = document.getElementById("tableau-etat");
  const ENTRE_DEUX = 2000; // between two readings
  const DOUCEMENT = 60000; // days go by, and not every act is told on the channel
  const PING = 25000;
  const ATTENTE_MAXIMALE = 60000;
  const QUI_CHANGE = ["stats_updated", "alert_created", "refresh_required"];
  const QUI_FINIT = [4001, 4003];

  let depuis = tableau.dataset.depuis;
  let texteAJour = etat.textContent;
  let estFini = false;
  let estEnCours = false;
  let estAttendue = false; // a reading that waits for its turn, or for the page to be looked at
  let derniere = 0;
  let essais = 0;
  let socket = null;

  // States of the socket: `direct`, open; `coupe`, to be opened again; `fini`, closed for good.
  const passer = (nom, texte) => {
    tableau.dataset.etat = nom;
    if (etat.textContent !== texte) etat.textContent = texte; // said aloud once
  };

  const finir = () => {
    estFini = true;
    passer("fini", tableau.dataset.texteFin);
    if (socket) socket.close();
  };

  // Replace only the blocks that differ: a screen reader, a selection or the focus elsewhere is left alone.
  const remplacer = (corps, nouveau) => {
    const anciens = new Map([...corps.children].map((bloc) => [bloc.id, bloc]));
    const blocs = [...nouveau.children];
    let aChange = anciens.size !== blocs.length;
    const voulus = blocs.map((bloc) => {
      const ancien = anciens.get(bloc.id);
      if (ancien && ancien.outerHTML === bloc.outerHTML) return ancien;
      aChange = true;
      return document.adoptNode(bloc);
    });
    if (!aChange) return false;
    const voulusEnPlace = new Set(voulus);
    voulus.forEach((bloc, rang) => {
      const ancien = anciens.get(bloc.id);
      if (ancien && ancien !== bloc) ancien.replaceWith(bloc);
      else if (!ancien) corps.insertBefore(bloc, corps.children[rang] || null);
    });
    [...corps.children].forEach((bloc) => voulusEnPlace.has(bloc) || bloc.remove());
    return true;
  };

  const lire = async () => {
    const reponse = await fetch(tableau.dataset.adresse, { credentials: "same-origin", cache: "no-store" });
    if (reponse.status === 403) return finir();
    if (!reponse.ok) return;
    const page = new DOMParser().parseFromString(await reponse.text(), "text/html");
    const nouveau = page.getElementById("tableau-corps");
    if (!nouveau) return finir(); // the sign-in page
    if (estFini || !remplacer(document.getElementById("tableau-corps"), nouveau)) return;
    texteAJour = nouveau.dataset.texteAJour;
    if (tableau.dataset.etat === "direct") passer("direct", texteAJour);
  };

  const rafraichir = () => {
    if (estFini || estAttendue) return;
    estAttendue = true;
    setTimeout(faire, Math.max(0, derniere + ENTRE_DEUX - Date.now()));
  };

  const faire = async () => {
    if (estFini || !estAttendue || estEnCours || document.hidden) return; // taken up at the end of the one under way, or when looked at
    estAttendue = false;
    estEnCours = true;
    derniere = Date.now();
    try {
      await lire();
    } catch {
      setTimeout(rafraichir, ENTRE_DEUX * 5); // the network is away
    }
    estEnCours = false;
    if (estAttendue) setTimeout(faire, Math.max(0, derniere + ENTRE_DEUX - Date.now()));
  };

  const entendre = (texte) => {
    if (texte === "pong") return;
    const evenement = JSON.parse(texte);
    const numero = evenement.eventId || (evenement.type === "refresh_required" && evenement.payload.eventId);
    if (numero) depuis = numero;
    if (QUI_CHANGE.includes(evenement.type)) rafraichir();
  };

  const ouvrir = () => {
    if (estFini) return;
    const adresse = new URL(tableau.dataset.socket, location.href);
    adresse.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    adresse.searchParams.set("depuis", depuis);
    let entendu = Date.now();
    const prise = new WebSocket(adresse);
    socket = prise;
    const pouls = setInterval(() => {
      if (Date.now() - entendu > 3 * PING) prise.close();
      else if (prise.readyState === WebSocket.OPEN) prise.send("ping");
    }, PING);

    prise.addEventListener("message", ({ data }) => {
      entendu = Date.now();
      essais = 0;
      if (!estFini) passer("direct", texteAJour);
      entendre(data);
    });
    prise.addEventListener("close", ({ code }) => {
      clearInterval(pouls);
      if (estFini) return;
      if (QUI_FINIT.includes(code)) return finir();
      passer("coupe", tableau.dataset.texteCoupe);
      essais += 1;
      const attente = Math.min(ATTENTE_MAXIMALE, 1000 * 2 ** Math.min(essais - 1, 6));
      setTimeout(ouvrir, attente * (0.5 + Math.random() / 2)); // not everybody at once
    });
  };

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && estAttendue) faire();
  });
  setInterval(rafraichir, DOUCEMENT);
  ouvrir();
})();

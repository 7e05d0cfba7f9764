"use strict";
// Leaving at once. Without this script the links do it, by a blank page.
(() => {
  const lien = document.getElementById("quitter");
  if (!lien) return;
  for (const bloc of document.querySelectorAll(".resume, #fait")) bloc.focus();
  const annonce = document.getElementById("annonce");
  const partir = () => {
    document.title = "…";
    document.body.textContent = annonce.dataset.chargement;
    location.replace(lien.href);
  };
  addEventListener("click", (evenement) => {
    if (!lien.contains(evenement.target) && evenement.target.href !== lien.href) return; // its icon too
    evenement.preventDefault();
    partir();
  });
  // Shift three times in five seconds, alone: not where it makes a capital, selects, or serves an input method.
  let appuis = [];
  let seule = false;
  const oublier = () => {
    seule = false;
    appuis = [];
  };
  addEventListener("keydown", ({ key, keyCode, repeat, isComposing, ctrlKey, altKey, metaKey }) => {
    if (key !== "Shift" || keyCode === 229 || repeat || isComposing || ctrlKey || altKey || metaKey) oublier();
    else seule = true;
  });
  for (const geste of ["input", "compositionstart", "compositionend", "pointerdown", "wheel", "blur"]) addEventListener(geste, oublier);
  addEventListener("keyup", ({ key }) => {
    if (key !== "Shift" || !seule) return;
    seule = false;
    const maintenant = Date.now();
    appuis = [...appuis.filter((moment) => maintenant - moment < 5000), maintenant];
    if (appuis.length >= 3) partir();
    else annonce.textContent = annonce.dataset.encore.replace("{n}", String(3 - appuis.length));
  });
  // What is kept for « Retour » is empty, and asked for again; nothing shows in the list of open apps.
  addEventListener("pagehide", () => (document.body.textContent = ""));
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
  document.addEventListener("visibilitychange", () => {
    document.body.classList.toggle("voile", document.hidden);
  });
  // Without a network nothing is sent, and what was typed stays.
  const coupe = document.getElementById("coupe");
  addEventListener("submit", (evenement) => {
    coupe.hidden = navigator.onLine;
    if (coupe.hidden) return;
    evenement.preventDefault();
    coupe.focus();
  });
  // An open space: typing is presence; its end is announced.
  const { inactivite, signe, accueil } = document.body.dataset;
  const veille = document.getElementById("veille");
  if (!veille) return;
  const fin = Number(inactivite) * 1000;
  let vu = Date.now();
  let dit = vu;
  // True where it is kept on this device meanwhile.
  const demander = async (headers) => {
    const lu = await fetch(signe, { method: "HEAD", redirect: "error", headers }).catch(() => {});
    const estGarde = lu && lu.headers.has("X-Garde");
    if (estGarde) clearInterval(horloge);
    return estGarde;
  };
  const dire = () => {
    dit = Date.now();
    demander({});
  };
  const presente = () => {
    vu = Date.now();
  };
  for (const geste of ["keydown", "pointerdown"]) addEventListener(geste, presente);
  const bouton = veille.querySelector("button");
  bouton.addEventListener("click", () => {
    veille.close ? veille.close() : veille.removeAttribute("open");
    presente();
    dire();
  });
  const estMontree = () => veille.hasAttribute("open");
  const montrer = () => {
    if (veille.showModal) return veille.showModal();
    // A browser without <dialog>: it stands above the page, wherever that was scrolled.
    veille.className = "posee";
    veille.setAttribute("open", "");
    bouton.focus();
  };
  const horloge = setInterval(async () => {
    const silence = Date.now() - vu;
    if (silence >= fin) location.replace(accueil);
    else if (silence >= fin * (5 / 6)) estMontree() || (await demander({ "X-Direct": "1" })) || Date.now() - vu < silence || estMontree() || montrer();
    else if (vu > dit && Date.now() - dit > fin / 6) dire();
  }, 10000);
})();

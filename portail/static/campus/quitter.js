"use strict";
// Leaving at once. Without this script the links do it, by a blank page.
(() => {
  const lien = document.getElementById("quitter");
  if (!lien) return;
  document.querySelector(".resume, #fait")?.focus();
  const annonce = document.getElementById("annonce");
  const partir = () => {
    document.title = "…";
    document.body.textContent = annonce.dataset.chargement;
    location.replace(lien.href);
  };
  addEventListener("click", (evenement) => {
    if (evenement.target.href !== lien.href) return;
    evenement.preventDefault();
    partir();
  });
  // Shift three times in five seconds; not where it makes a capital.
  let appuis = [];
  let seule = false;
  addEventListener("keydown", ({ key, repeat }) => {
    seule = key === "Shift" && !repeat;
    if (!seule) appuis = [];
  });
  addEventListener("keyup", ({ key }) => {
    if (key !== "Shift" || !seule) return;
    seule = false;
    const maintenant = Date.now();
    appuis = [...appuis.filter((moment) => maintenant - moment < 5000), maintenant];
    if (appuis.length >= 3) partir();
    else annonce.textContent = annonce.dataset.encore.replace("{n}", String(3 - appuis.length));
  });
  // What is kept for « Retour » is empty, and asked for again; nothing shows in the list of open apps.
  addEventListener("pagehide", () => document.body.replaceChildren());
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
  document.addEventListener("visibilitychange", () => {
    document.body.classList.toggle("voile", document.hidden);
  });
  // Without a network nothing is sent, and what was typed stays.
  const coupe = document.getElementById("coupe");
  addEventListener("submit", (evenement) => {
    coupe.hidden = navigator.onLine || evenement.target.method === "dialog";
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
    const estGarde = lu?.headers.has("X-Garde");
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
  veille.addEventListener("close", () => {
    presente();
    dire();
  });
  const horloge = setInterval(async () => {
    const silence = Date.now() - vu;
    if (silence >= fin) location.replace(accueil);
    else if (silence >= fin * (5 / 6)) veille.open || (await demander({ "X-Direct": "1" })) || Date.now() - vu < silence || veille.open || veille.showModal();
    else if (vu > dit && Date.now() - dit > fin / 6) dire();
  }, 10000);
})();

"use strict";
// Leaving at once. Without this script the link alone does it, by a blank page of ours.
(() => {
  const lien = document.getElementById("quitter");
  if (!lien) return;
  document.querySelector(".resume, #fait")?.focus();
  const annonce = document.getElementById("annonce");
  const vider = () => document.body.replaceChildren();
  const partir = () => {
    const texte = annonce.dataset.chargement;
    vider();
    document.title = "…";
    document.body.textContent = texte;
    location.replace(lien.href);
  };
  lien.addEventListener("click", (evenement) => {
    evenement.preventDefault();
    partir();
  });
  // Shift three times in five seconds; not where it makes a capital.
  let appuis = [];
  let seule = false;
  addEventListener("keydown", (evenement) => {
    seule = evenement.key === "Shift" && !evenement.repeat;
    if (!seule) appuis = [];
  });
  addEventListener("keyup", (evenement) => {
    if (evenement.key !== "Shift" || !seule) return;
    seule = false;
    const maintenant = Date.now();
    appuis = [...appuis.filter((moment) => maintenant - moment < 5000), maintenant];
    if (appuis.length >= 3) partir();
    else annonce.textContent = annonce.dataset.encore.replace("{n}", String(3 - appuis.length));
  });
  // What is kept for « Retour » is empty, and asked for again; nothing shows in the list of open apps.
  addEventListener("pagehide", vider);
  addEventListener("pageshow", (evenement) => {
    if (evenement.persisted) location.reload();
  });
  document.addEventListener("visibilitychange", () => {
    document.body.classList.toggle("voile", document.hidden);
  });
  // An open space: typing is presence; its end is announced, nothing stays.
  const { inactivite, signe, accueil } = document.body.dataset;
  const veille = document.getElementById("veille");
  if (!veille) return;
  const fin = Number(inactivite) * 1000;
  let vu = Date.now();
  let dit = vu;
  // True where it is kept on this device meanwhile.
  const demander = async (headers) => {
    const lu = await fetch(signe, { method: "HEAD", redirect: "error", headers }).catch(() => {});
    const estGarde = Boolean(lu && lu.headers.has("X-Garde"));
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
    else if (silence >= fin * (5 / 6)) veille.open || (await demander({ "X-Direct": "1" })) || veille.open || veille.showModal();
    else if (vu > dit && Date.now() - dit > fin / 6) dire();
  }, 10000);
})();

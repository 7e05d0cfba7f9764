"use strict";
// Leaving at once. Without this script the link alone does it: a blank page of ours, then the neutral site.
(() => {
  const lien = document.getElementById("quitter");
  if (!lien) return;
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
  // What a browser keeps for « Retour » is empty, and is asked for again; nothing shows in the list of open apps.
  addEventListener("pagehide", vider);
  addEventListener("pageshow", (evenement) => {
    if (evenement.persisted) location.reload();
  });
  document.addEventListener("visibilitychange", () => {
    document.body.classList.toggle("voile", document.hidden);
  });
})();

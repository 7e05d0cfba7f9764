"use strict";
document.querySelector(".resume, #fait")?.focus();
// Without a network nothing is sent, and what was typed stays.
addEventListener("submit", (evenement) => {
  const coupe = document.getElementById("coupe");
  coupe.hidden = navigator.onLine || evenement.target.method === "dialog";
  if (coupe.hidden) return;
  evenement.preventDefault();
  coupe.focus();
});
// Single keys, for who has asked for them: never while typing, never with a capital or a modifier.
(() => {
  const aide = document.getElementById("raccourcis");
  if (!aide) return;

  const lignes = () => [...document.querySelectorAll("#lignes > li")];
  const ici = () => lignes().findIndex((ligne) => ligne.contains(document.activeElement));
  const lien = (rang) => lignes()[rang]?.querySelector("h3 a");
  const ecrire = (bloc) => document.querySelector(`#${bloc} textarea`)?.focus();
  const actes = {
    j: () => lien(Math.min(ici() + 1, lignes().length - 1))?.focus(),
    k: () => lien(Math.max(ici() - 1, 0))?.focus(),
    o: () => lien(ici())?.click(),
    r: () => ecrire("repondre"),
    n: () => ecrire("noter"),
    "?": () => aide.showModal(),
  };

  addEventListener("keydown", (evenement) => {
    const { key, target, ctrlKey, altKey, metaKey, shiftKey, isComposing } = evenement;
    if (!Object.hasOwn(actes, key) || ctrlKey || altKey || metaKey || isComposing) return;
    if (shiftKey && key !== "?") return; // where a keyboard makes it so
    if (document.querySelector("dialog[open]")) return;
    if (target.matches?.("input, textarea, select") || target.isContentEditable) return;
    evenement.preventDefault();
    actes[key]();
  });
})();

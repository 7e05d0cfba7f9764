"use strict";
const sur = (element, acte) => element && element[acte]();
sur(document.querySelector(".resume, #fait"), "focus");
// Without a network nothing is sent, and what was typed stays.
addEventListener("submit", (evenement) => {
  const coupe = document.getElementById("coupe");
  coupe.hidden = navigator.onLine || evenement.target.method === "dialog";
  if (coupe.hidden) return;
  evenement.preventDefault();
  coupe.focus();
});
// Ctrl+Enter presses the button of the text that is being written.
addEventListener("keydown", ({ key, target, ctrlKey, metaKey, isComposing }) => {
  if (key !== "Enter" || !(ctrlKey || metaKey) || isComposing || target.tagName !== "TEXTAREA") return;
  const bloc = target.closest("#repondre, #noter");
  sur(bloc && bloc.querySelector("button.bouton"), "click");
});
// Single keys, for who has asked for them: never while typing, never with a capital or a modifier.
(() => {
  const aide = document.getElementById("raccourcis");
  if (!aide) return;

  const lignes = () => [...document.querySelectorAll("#lignes > li")];
  const ici = () => lignes().findIndex((ligne) => ligne.contains(document.activeElement));
  const lien = (rang) => document.querySelectorAll("#lignes > li h3 a")[rang];
  const ecrire = (bloc) => sur(document.querySelector(`#${bloc} textarea`), "focus");
  const actes = {
    j: () => sur(lien(Math.min(ici() + 1, lignes().length - 1)), "focus"),
    k: () => sur(lien(Math.max(ici() - 1, 0)), "focus"),
    o: () => sur(lien(ici()), "click"),
    r: () => ecrire("repondre"),
    n: () => ecrire("noter"),
    "?": () => aide.showModal && aide.showModal(),
  };

  addEventListener("keydown", (evenement) => {
    const { key, target, ctrlKey, altKey, metaKey, shiftKey, isComposing } = evenement;
    if (!actes.hasOwnProperty(key) || ctrlKey || altKey || metaKey || isComposing) return;
    if (shiftKey && key !== "?") return; // where a keyboard makes it so
    if (document.querySelector("dialog[open]")) return;
    if ((target.closest && target.closest("input, textarea, select")) || target.isContentEditable) return;
    evenement.preventDefault();
    actes[key]();
  });
})();

/**
 * The shop's own script: totals follow the chosen delivery, the SKU follows the chosen variant, a submitted order
 * cannot be clicked twice. Every page works without it.
 */
export const SCRIPT = `"use strict";
const live = (name) => document.querySelector('[data-live="' + name + '"]');
const checkout = document.querySelector("form[data-checkout]");
if (checkout) {
  checkout.querySelector("[data-without-script]").hidden = true;
  checkout.addEventListener("change", async (event) => {
    if (event.target.type !== "radio") return;
    const answer = await fetch("/checkout/options", {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams(new FormData(checkout)),
    });
    if (!answer.ok || answer.redirected) return;
    const totals = await answer.json();
    live("delivery-title").textContent = totals.delivery_title;
    live("delivery").textContent = totals.delivery;
    live("total").textContent = totals.total;
  });
}
for (const form of document.querySelectorAll("form[data-checkout], form[data-once]")) {
  const button = form.querySelector("button.main");
  const text = button.textContent;
  form.addEventListener("submit", () => {
    button.disabled = true;
    button.textContent = "One moment";
  });
  addEventListener("pageshow", () => {
    button.disabled = false;
    button.textContent = text;
  });
}
const variant = document.querySelector("select[data-shows-sku]");
if (variant) variant.addEventListener("change", () => { live("sku").textContent = variant.value; });
`;

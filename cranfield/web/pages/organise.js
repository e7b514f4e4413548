"use strict";
// Copies a field at the press of a button. Without it one selects the field by hand.
for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.closest("details")?.setAttribute("open", ""); // only what is in sight can be selected
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // the clipboard is for secure pages only
    }
    button.textContent = tr("Copied");
  });
}

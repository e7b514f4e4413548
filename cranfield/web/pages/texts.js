"use strict";
// Texts in the language of the page, whose <html> has the translations. A text is one literal in double quotes, which
// `python -m tests.web.catalogue` finds, with places for values such as %(n)s; without a translation it is English.
const translated = JSON.parse(document.documentElement.dataset.texts ?? "{}");

function tr(text, values = {}) {
  return (translated[text] ?? text).replace(/%\((\w+)\)s|%%/g, (found, name) => (name ? values[name] : "%"));
}

/**
 * Runs in each page of a live view, before its own scripts: lists of choices are drawn in the page instead of by the
 * browser, so that they are in the picture and can be clicked. Calendars and lists of suggestions cannot be drawn there:
 * what would open them is hidden, for an open one takes the keys and nobody sees it. A constructed sheet, which a content policy allows.
 */
export function drawSelectsInPage(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    "select:not([multiple]):not([size]),::picker(select){appearance:base-select}" +
      "input::-webkit-calendar-picker-indicator{display:none!important}",
  );
  document.adoptedStyleSheets.push(sheet);
}

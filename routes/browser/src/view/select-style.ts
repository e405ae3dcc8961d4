/**
 * Runs in each page of a live view, before its own scripts: lists of choices are drawn in the page instead of by the
 * browser, so that they are in the picture and can be clicked. A constructed sheet, which a content policy allows.
 */
export function drawSelectsInPage(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("select:not([multiple]):not([size]),::picker(select){appearance:base-select}");
  document.adoptedStyleSheets.push(sheet);
}

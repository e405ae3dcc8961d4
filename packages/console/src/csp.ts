/**
 * Hashes of the two fixed styles that React Aria's widgets inject (`usePress` everywhere, `usePreventScroll` on iOS),
 * for `style-src`. A test recomputes them from the library's own text, so that an update is noticed before a page breaks.
 */
export const CONSOLE_STYLE_HASHES: readonly string[] = ["PRESS", "SCROLL"];

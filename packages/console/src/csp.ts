/**
 * Hashes of the two fixed styles that React Aria's widgets inject (`usePress` everywhere, `usePreventScroll` on iOS),
 * for `style-src`. A test recomputes them from the library's own text, so that an update is noticed before a page breaks.
 */
export const CONSOLE_STYLE_HASHES: readonly string[] = [
  "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='",
  "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='",
];

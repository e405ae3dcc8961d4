const WIDTH_MIN = 320;
const WIDTH_MAX = 1280;
const NARROW = 600;
const HEIGHT_MIN = 380;
/** What stands around the picture: the address bar above, the buttons below. */
const AROUND_WIDE = 325;
const AROUND_NARROW = 200;

/** How large the remote page is: as wide as there is room, and so high that picture and buttons fit one screen. */
export function pageSize(boxWidth: number, windowHeight: number): { readonly width: number; readonly height: number } {
  const width = Math.round(Math.min(Math.max(boxWidth, WIDTH_MIN), WIDTH_MAX));
  const narrow = width < NARROW;
  const most = narrow ? width * 1.6 : width * 0.75;
  const fits = windowHeight - (narrow ? AROUND_NARROW : AROUND_WIDE);
  return { width, height: Math.round(Math.min(Math.max(fits, HEIGHT_MIN), most)) };
}

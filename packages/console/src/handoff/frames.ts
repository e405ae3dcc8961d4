/** One picture of the remote page: its number, the page's size in CSS pixels, and the JPEG. */
export interface Frame {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  readonly jpeg: Blob;
}

/** Reads a binary message: 4 bytes big-endian length of a JSON head, the head, the picture. */
export function readFrame(message: ArrayBuffer): Frame | undefined {
  if (message.byteLength < 4) return undefined;
  const length = new DataView(message).getUint32(0);
  if (4 + length > message.byteLength) return undefined;
  try {
    const head: unknown = JSON.parse(new TextDecoder().decode(new Uint8Array(message, 4, length)));
    if (typeof head !== "object" || head === null || !("id" in head) || !("width" in head) || !("height" in head))
      return undefined;
    const { id, width, height } = head;
    if (typeof id !== "number" || typeof width !== "number" || typeof height !== "number") return undefined;
    return { id, width, height, jpeg: new Blob([new Uint8Array(message, 4 + length)], { type: "image/jpeg" }) };
  } catch {
    return undefined;
  }
}

/** A point on the drawn picture, in the remote page's own pixels. */
export function pagePoint(
  at: { readonly clientX: number; readonly clientY: number },
  box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
  page: { readonly width: number; readonly height: number },
): { readonly x: number; readonly y: number } {
  const x = ((at.clientX - box.left) / Math.max(1, box.width)) * page.width;
  const y = ((at.clientY - box.top) / Math.max(1, box.height)) * page.height;
  return { x: Math.round(Math.min(Math.max(x, 0), page.width)), y: Math.round(Math.min(Math.max(y, 0), page.height)) };
}

/** Draws a picture, and notes its number on the canvas so that what is shown can be told from outside. */
export async function drawFrame(frame: Frame, canvas: HTMLCanvasElement): Promise<void> {
  const image = await createImageBitmap(frame.jpeg);
  if (canvas.width !== image.width || canvas.height !== image.height) {
    canvas.width = image.width;
    canvas.height = image.height;
  }
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  canvas.dataset["frame"] = String(frame.id);
  image.close();
}

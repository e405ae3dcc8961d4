/** One line of a page, in PDF points from the lower left corner. */
export interface PdfLine {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly text: string;
  readonly weight?: "bold";
}

/** A4. */
const WIDTH = 595;
const HEIGHT = 842;

function escaped(text: string): string {
  // Plain ASCII alone: the fonts of every reader have it, and the file's bytes are its characters.
  return text.replaceAll(/[^ -~]/g, "?").replaceAll(/[\\()]/g, "\\$&");
}

/**
 * A PDF 1.4 document of one page (ISO 32000-1), its text selectable and its cross-reference table exact. Nothing is
 * compressed, so that it can be read by eye and by any reader.
 */
export function onePagePdf(title: string, lines: readonly PdfLine[]): string {
  const drawn = lines.map(
    ({ x, y, size, text, weight }) =>
      `BT /${weight === "bold" ? "F2" : "F1"} ${size} Tf ${x} ${y} Td (${escaped(text)}) Tj ET`,
  );
  const content = ["0.8 w 56 700 m 539 700 l S", ...drawn].join("\n");
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font("Helvetica"),
    font("Helvetica-Bold"),
    `<< /Title (${escaped(title)}) /Producer (Northlight Energy practice site) >>`,
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  return `${body}xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
}

/** The known name nearest to a mistyped one, when it is near enough to be meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const best = [...known]
    .sort()
    .map((other) => ({ other, far: distance(name, other) }))
    .sort((a, b) => a.far - b.far)[0];
  return best !== undefined && best.far <= Math.max(2, Math.floor(name.length / 4)) ? best.other : undefined;
}

function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

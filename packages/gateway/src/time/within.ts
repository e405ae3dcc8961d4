/** Rejects when `work` takes longer than `limitMs`; the work itself goes on and its result is dropped. */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeLimit(limitMs)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

export class TimeLimit extends Error {
  override readonly name = "TimeLimit";
  constructor(limitMs: number) {
    super(`took longer than ${limitMs} ms`);
  }
}

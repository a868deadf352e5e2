/**
 * Waits for work for a limited time: a caller with an older answer uses that while the work continues.
 * @param work must not reject
 * @param milliseconds longest wait
 */
export async function waitPatiently(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const impatience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, impatience]);
  clearTimeout(timer);
}

/**
 * @returns milliseconds since a moment; Infinity if it lies ahead, because the clock was set back: nothing waits until
 * the clock is there again
 */
export function elapsed(since: number, now: number): number {
  return now < since ? Infinity : now - since;
}

/**
 * @param failures consecutive failed attempts, from 1
 * @param first pause in milliseconds after the first failure; it doubles with each, up to twelve times the first
 */
export function restAfterFailures(failures: number, first: number): number {
  return Math.min(first * 2 ** (failures - 1), first * 12);
}

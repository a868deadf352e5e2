/**
 * Waits for some work, but not for long: who has an old answer at hand goes on with that while the work goes on.
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
 * @param failures attempts that failed one after the other, 1 for the first
 * @param first milliseconds to leave a server alone after the first failure; it doubles with each, up to twelve times
 */
export function restAfterFailures(failures: number, first: number): number {
  return Math.min(first * 2 ** (failures - 1), first * 12);
}

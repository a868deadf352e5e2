/** Waits for all, even if one fails, because what the others started must be known before it can be stopped. */
export async function settleAll<Results extends readonly unknown[]>(
  work: readonly [...{ [Index in keyof Results]: Promise<Results[Index]> }],
): Promise<Results> {
  await Promise.allSettled(work);
  return await Promise.all(work);
}

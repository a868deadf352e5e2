/** Waits for all, even if one fails: what the others started can only be stopped once it is known. */
export async function settleAll<Results extends readonly unknown[]>(
  work: readonly [...{ [Index in keyof Results]: Promise<Results[Index]> }],
): Promise<Results> {
  await Promise.allSettled(work);
  return await Promise.all(work);
}

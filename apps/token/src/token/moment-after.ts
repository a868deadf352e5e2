/** The moment this many seconds after another. */
export function momentAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}

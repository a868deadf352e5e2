/**
 * @param place as `Details[0].Amount.Currency`; what it leads through is made where it is missing
 * @returns a copy of a document with this value there
 */
export function put<Document extends object>(document: Document, place: string, value: unknown): Document {
  const copy = structuredClone(document);
  const steps = place.split(/[.[\]]+/).filter((step) => step !== '');
  let at = copy as Record<string, unknown>;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    at = (at[step] ??= /^\d+$/.test(steps[index + 1] ?? '') ? [] : {}) as Record<string, unknown>;
  }
  at[steps.at(-1) ?? ''] = value;
  return copy;
}

/** @returns whether the text is a UUID in this service's form; only then may it be compared with a uuid column */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

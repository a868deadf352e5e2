/** @returns the values of the check boxes for accounts on a page */
export function parseAccountValues(html: string): string[] {
  return [...html.matchAll(/<input type="checkbox" name="accounts"[^>]* value="([^"]+)"/g)].map(
    ([, value = '']) => value,
  );
}

/** @throws Error if the page has no form that goes to this path: nobody could send it */
export function assertForm(html: string, path: string): void {
  if (!html.includes(`action="${path}"`)) throw new Error(`The page has no form that goes to ${path}.`);
}

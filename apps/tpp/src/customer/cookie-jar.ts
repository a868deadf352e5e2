/** The cookies of one site, as in a browser. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** Stores the Set-Cookie headers of an answer; Max-Age=0 deletes a cookie. */
  store(headers: readonly string[] | undefined): void {
    for (const header of headers ?? []) {
      const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
      const separator = pair.indexOf('=');
      const name = pair.slice(0, separator);
      if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) this.#cookies.delete(name);
      else this.#cookies.set(name, pair.slice(separator + 1));
    }
  }

  /** @returns the Cookie header; none while there are no cookies */
  header(): { cookie?: string } {
    if (this.#cookies.size === 0) return {};
    return { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }
}

import type { HttpsClient, HttpsRequest, HttpsResponse } from '../https-client.js';
import { expectStatus, JourneyError } from '../journey-error.js';
import { findForm, type HtmlForm, sentencesOf, textOf } from './html-page.js';

/** The cookies of one site, as in a browser. */
class CookieJar {
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

const mostRedirects = 5;

/** The customer's web browser on the bank's pages: keeps cookies, fills forms, follows redirects. */
export class CustomerBrowser {
  readonly #cookies = new CookieJar();
  #address = '';
  #html = '';
  #leftFor: string | undefined;

  /**
   * @param client HTTPS without a client certificate
   * @param redirectUri of the TPP; the browser does not follow it
   */
  constructor(
    private readonly client: HttpsClient,
    private readonly redirectUri: string,
  ) {}

  /** Address of the page that is shown. */
  get address(): string {
    return this.#address;
  }

  /** Address at the TPP to which the bank redirected. */
  get leftFor(): string | undefined {
    return this.#leftFor;
  }

  /** @returns the text of the element with this id on the page */
  text(id: string): string {
    return textOf(this.#html, id);
  }

  /** @returns whether the page has an element with this id */
  has(id: string): boolean {
    return this.#html.includes(` id="${id}"`);
  }

  /** @returns whether the page has a form control of this name */
  offers(name: string): boolean {
    return this.#html.includes(` name="${name}"`);
  }

  /** Goes to an address. */
  async open(url: string): Promise<void> {
    await this.#go({ method: 'GET', url });
  }

  /**
   * Fills the form of the page and presses a button.
   * @param buttonId id of the button
   * @param values what to type, by the ids of the fields
   * @param choice the radio button or check box to choose: its name, and words of its label
   */
  async submit(
    buttonId: string,
    values: Readonly<Record<string, string>> = {},
    choice?: { name: string; label: string },
  ): Promise<void> {
    const form = findForm(this.#html, buttonId);
    if (!form) {
      const { pathname } = new URL(this.#address);
      throw new JourneyError(`the page ${pathname} has no #${buttonId}; it says: ${sentencesOf(this.#html)}`);
    }
    const body = fill(form, values, choice).toString();
    const url = new URL(form.action, this.#address).href;
    const origin = new URL(this.#address).origin;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin };
    await this.#go({ method: 'POST', url, headers, body });
  }

  async #go(first: HttpsRequest): Promise<void> {
    let request = first;
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      const response = await this.#send(request);
      const { location } = response.headers;
      if (location === undefined) {
        expectStatus(200, request, response);
        this.#address = request.url;
        this.#html = response.body.toString();
        return;
      }
      const target = new URL(location, request.url).href;
      if (target.startsWith(this.redirectUri)) {
        this.#leftFor = target;
        return;
      }
      request = { method: 'GET', url: target };
    }
    throw new JourneyError(`${first.url} redirects in a loop`);
  }

  async #send(request: HttpsRequest): Promise<HttpsResponse> {
    const headers = { ...request.headers, ...this.#cookies.header(), accept: 'text/html' };
    const response = await this.client.send({ ...request, headers });
    this.#cookies.store(response.headers['set-cookie']);
    return response;
  }
}

const isChoice = (type: string): boolean => type === 'radio' || type === 'checkbox';

function fill(
  { controls }: HtmlForm,
  values: Readonly<Record<string, string>>,
  choice: { name: string; label: string } | undefined,
): URLSearchParams {
  const filled = new URLSearchParams();
  for (const control of controls) {
    const isChosen = choice?.name === control.name ? control.label.includes(choice.label) : control.isChecked;
    if (control.name === '' || control.type === 'submit' || (isChoice(control.type) && !isChosen)) continue;
    filled.append(control.name, values[control.id] ?? control.value);
  }
  if (choice && !filled.has(choice.name)) {
    const offered = controls.filter(({ name, label }) => name === choice.name && label !== '');
    const labels = offered.map(({ label }) => label).join('; ') || 'nothing to choose';
    throw new JourneyError(`the page does not offer ${choice.label}; it offers: ${labels}`);
  }
  return filled;
}

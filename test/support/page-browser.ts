import type { IncomingHttpHeaders } from 'node:http';
import type { Agent } from 'node:https';
import { httpsRequest, type TestRequest, type TestResponse } from './https-request.js';

/** What a browser is answered. */
export interface AuthorizationOutcome {
  kind: 'page' | 'redirect';
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** `page`: what it shows; empty otherwise */
  html: string;
  /** `redirect`: without query and fragment */
  address: string;
  query: URLSearchParams;
  fragment: URLSearchParams;
  cookies: readonly string[];
}

/** @returns the outcome in an answer of the authorize app */
export function toOutcome({ status, headers, text }: Omit<TestResponse, 'body' | 'json'>): AuthorizationOutcome {
  const { location } = headers;
  const target = location === undefined ? undefined : new URL(location, 'https://relative.invalid');
  return {
    kind: target === undefined ? 'page' : 'redirect',
    status,
    headers,
    body: text,
    html: target === undefined ? text : '',
    address: target === undefined ? '' : `${target.origin}${target.pathname}`,
    query: new URLSearchParams(target?.search),
    fragment: new URLSearchParams(target?.hash.slice(1)),
    cookies: headers['set-cookie'] ?? [],
  };
}

/** GET, without following redirects. */
export async function openAuthorization(agent: Agent, url: string, cookie?: string): Promise<AuthorizationOutcome> {
  return toOutcome(await httpsRequest({ url, agent, headers: { accept: 'text/html', cookie } }));
}

/** @returns the hidden fields of a page's forms */
export function hiddenFieldsOf({ body }: Pick<AuthorizationOutcome, 'body'>): Record<string, string> {
  const fields = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Where a browser goes: the bank's pages, in this process or in another. */
interface BankOfPages {
  readonly description: { readonly authorization_endpoint: string };
  readonly agent: Agent;
}

/** The browser of one person, without scripts: keeps cookies, and sends forms with their hidden fields. */
export class PageBrowser {
  readonly cookies = new Map<string, string>();
  /** which of several instances it comes to; undefined: that of the endpoint */
  port: number | undefined;

  /** @param isFollowing whether it follows redirects inside the bank by itself */
  constructor(
    protected readonly bank: BankOfPages,
    private readonly isFollowing = true,
  ) {}

  get(url: string): Promise<AuthorizationOutcome> {
    return this.#go('GET', url);
  }

  head(url: string): Promise<AuthorizationOutcome> {
    return this.#go('HEAD', url);
  }

  /** The form of another site, or of nobody. */
  post(url: string, form: string | Fields): Promise<AuthorizationOutcome> {
    return this.#go('POST', url, typeof form === 'string' ? form : encode(form));
  }

  /** Sends a form of the page as a person would. Decline may be a link to the page that asks why. */
  async submit(page: AuthorizationOutcome, path: string, fields: Fields = {}): Promise<AuthorizationOutcome> {
    const shown = path.endsWith('/decline') ? await this.openDecline(page) : page;
    if (!shown.body.includes(`action="${path}"`)) throw new Error(`The page has no form that goes to ${path}.`);
    return this.force(shown, path, fields);
  }

  /** Sends what the page need not have a form for, with its hidden fields. */
  force(page: AuthorizationOutcome, path: string, fields: Fields = {}): Promise<AuthorizationOutcome> {
    return this.post(path, { ...hiddenFieldsOf(page), ...fields });
  }

  /** As {@link submit}, up to the page that the answer leads to. */
  async press(page: AuthorizationOutcome, path: string, fields: Fields = {}): Promise<AuthorizationOutcome> {
    const answer = await this.submit(page, path, fields);
    return answer.status === 303 && answer.headers.location?.startsWith('/') ? this.follow(answer) : answer;
  }

  /** @returns the page that asks why, to which Decline leads from the payments or the access; else the page itself */
  async openDecline(page: AuthorizationOutcome): Promise<AuthorizationOutcome> {
    const [, href] = /id="decline"[^>]* href="([^"]+)"/.exec(page.body) ?? [];
    return href === undefined ? page : this.get(href.replaceAll('&amp;', '&'));
  }

  follow({ headers }: AuthorizationOutcome): Promise<AuthorizationOutcome> {
    return this.get(String(headers.location));
  }

  protected exchange(request: TestRequest): Promise<TestResponse> {
    return httpsRequest(request);
  }

  async #go(method: string, path: string, body?: string): Promise<AuthorizationOutcome> {
    const { description, agent } = this.bank;
    const { origin } = new URL(description.authorization_endpoint);
    const url = new URL(path, origin);
    if (this.port !== undefined) url.port = String(this.port);
    const headers = {
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') || undefined,
      'content-type': body === undefined ? undefined : 'application/x-www-form-urlencoded',
    };
    const request = { url: url.href, method, agent, headers, ...(body !== undefined && { body }) };
    const response = await this.exchange(request);
    const lost = / (?:\w*(?:href|src|action)|data-\w+)="(?![#/]|https?:|data:)| (?:id|for|name)=""/.exec(response.text);
    if (lost) throw new Error(`${url.href} has a part that leads nowhere:${lost[0]}`);
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const { location } = response.headers;
    const target = location === undefined ? undefined : new URL(location, url);
    return this.isFollowing && target?.origin === origin ? this.#go('GET', target.href) : toOutcome(response);
  }
}

function encode(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
  return form.toString();
}

/** The customers of the sandbox, as its pages ask for them. */
export const alice = { username: 'alice', password: 'alice-password', oneTimeCode: '111111' };
export const bob = { username: 'bob', password: 'bob-password', oneTimeCode: '222222' };
export const carol = { username: 'carol', password: 'carol-password', oneTimeCode: '333333' };
export const dave = { username: 'dave', password: 'dave-password', oneTimeCode: '444444' };

/** The customer signs in and decides; of several accounts the first one is chosen. */
export async function decideInPages(
  bank: BankOfPages,
  url: string,
  decision: 'approve' | 'decline',
  customer = alice,
): Promise<AuthorizationOutcome> {
  const browser = new PageBrowser(bank);
  const page = await browser.get(url);
  if (page.kind === 'redirect') return page;
  if (decision === 'decline') return browser.submit(page, '/decline');
  return approveInPages(browser, await signIn(browser, page, customer), customer);
}

/** @returns the page after the password */
export function signIn(
  browser: PageBrowser,
  page: AuthorizationOutcome,
  { username, password } = alice,
): Promise<AuthorizationOutcome> {
  return browser.submit(page, '/sign-in', { username, password });
}

/** From the page that says what it is about: an account if there is a choice, the button, the code. */
export async function approveInPages(
  browser: PageBrowser,
  page: AuthorizationOutcome,
  { oneTimeCode }: { oneTimeCode: string },
  account = /name="debtor_account"[^>]* value="([^"]+)"/.exec(page.html)?.[1],
): Promise<AuthorizationOutcome> {
  const asked = await browser.submit(page, '/consent', account === undefined ? {} : { debtor_account: account });
  return asked.kind === 'redirect' ? asked : browser.submit(asked, '/challenge', { one_time_code: oneTimeCode });
}

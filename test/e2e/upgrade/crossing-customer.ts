import type { Agent } from 'node:https';
import { findForm } from '../../support/apps/tpp.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';

import type { Operation } from './crossing-tpp.js';

/** Sends a request to one of the versions, and to the other one if it is refused there. */
export type Ask = (operation: Operation, send: (origin: string) => Promise<TestResponse>) => Promise<TestResponse>;

const mostPages = 10;

/** In the order of the search: a page that asks for a code also has a button for another one. */
const buttons: readonly { id: string; operation?: Operation; names: readonly string[] }[] = [
  { id: 'sign-in', operation: 'sign-in', names: ['username', 'password'] },
  { id: 'continue', operation: 'second-factor', names: ['one_time_code'] },
  { id: 'approve', names: ['debtor_account'] },
  { id: 'again', operation: 'second-factor', names: [] },
];

/**
 * A customer whose pages and forms may each be answered by another version: pages are linked by their addresses alone.
 */
export class CrossingCustomer {
  readonly #cookies = new Map<string, string>();
  #page = '';

  constructor(
    private readonly agent: Agent,
    private readonly ask: Ask,
  ) {}

  /** Follows an address of the bank. @returns the address at the TPP that it ends at, if it does */
  async open(operation: Operation, path: string): Promise<string | undefined> {
    return this.#go(operation, 'GET', path);
  }

  /** Sends a form of the open page, with its hidden fields. */
  async submit(
    operation: Operation,
    path: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<string | undefined> {
    const hidden = [...this.#page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
    const own = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    return this.#go(operation, 'POST', path, new URLSearchParams({ ...own, ...fields }).toString());
  }

  /**
   * Fills in each page and presses its button, whichever version made it and in whatever order it asks.
   * @returns the address at the TPP that it ends at, if it does
   */
  async goThrough(
    fields: Readonly<Record<string, string>>,
    { decide, until }: { decide: Operation; until: () => boolean },
  ): Promise<string | undefined> {
    for (let page = 0; page < mostPages && !until(); page += 1) {
      const button = buttons.find(({ id }) => this.sees(` id="${id}"`));
      const action = button && findForm(this.#page, button.id)?.action;
      if (button === undefined || action === undefined) break;
      const wanted = button.names.filter((name) => this.sees(` name="${name}"`) && fields[name] !== undefined);
      const filled = Object.fromEntries(wanted.map((name) => [name, fields[name] ?? '']));
      const location = await this.submit(button.operation ?? decide, action, filled);
      if (location !== undefined) return location;
    }
    return undefined;
  }

  /** @returns whether the open page contains this */
  sees(text: string): boolean {
    return this.#page.includes(text);
  }

  async #go(operation: Operation, method: 'GET' | 'POST', path: string, body?: string): Promise<string | undefined> {
    const answer = await this.ask(operation, (origin) => this.#send(origin, method, path, body));
    const { location } = answer.headers;
    if (location === undefined) {
      this.#page = answer.text;
      return undefined;
    }
    if (!location.startsWith('/')) return location;
    return this.#go(operation, 'GET', location);
  }

  async #send(origin: string, method: string, path: string, body: string | undefined): Promise<TestResponse> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await httpsRequest({
      url: new URL(path, origin).href,
      method,
      agent: this.agent,
      headers: {
        cookie: cookie === '' ? undefined : cookie,
        'content-type': body === undefined ? undefined : 'application/x-www-form-urlencoded',
      },
      ...(body !== undefined && { body }),
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }
}

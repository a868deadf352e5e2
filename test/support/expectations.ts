import { expect } from '@jest/globals';
import type { TestResponse } from './https-request.js';
import { type AuthorizationOutcome, toOutcome } from './page-browser.js';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An error of the token endpoint (RFC 6749 s5.2). */
export function expectOAuthError(response: TestResponse, status: number, error: string): void {
  expect({ status: response.status, error: parse(response)['error'] }).toEqual({ status, error });
  expect(response.headers['cache-control']).toContain('no-store');
  expect(response.headers['content-type']).toBe('application/json');
  // %x20-21 / %x23-5B / %x5D-7E: no quote, no backslash, no line break, ASCII.
  expect(parse(response)['error_description']).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}$/);
  expect(parse(response)['error_uri']).toMatch(/^https:\/\/[^/]+\/docs\/errors\/[a-z_]+$/);
  // RFC 6749 s5.2: 401 occurs with invalid_client only.
  expect(status === 401).toBe(error === 'invalid_client');
  expect(Object.keys(parse(response)).filter((name) => !/^error(_description|_uri)?$/.test(name))).toEqual([]);
}

/**
 * An error of the resource APIs: an OBErrorResponse1 with this code among its errors (FP-173).
 * @param code without `UK.OBIE.` in front
 * @param path of the member or header at fault
 */
export function expectObError(response: TestResponse, status: number, code: string | RegExp, path?: string): void {
  expectInteractionId(response);
  const body = parse(response);
  const found = { status: response.status, errors: Array.isArray(body['Errors']) ? body['Errors'] : [] };
  const ErrorCode = typeof code === 'string' ? `UK.OBIE.${code}` : expect.stringMatching(code);
  const item: unknown = expect.objectContaining({ ErrorCode, ...(path === undefined ? {} : { Path: path }) });
  expect({ ...found, ...(found.errors.length === 0 && { text: response.text }) }).toEqual({
    status,
    errors: expect.arrayContaining([item]),
  });
  expectErrorShape(body);
}

/** OBErrorResponse1 by its schema: closed objects, bounded texts. */
export function expectErrorShape(body: Record<string, unknown>): void {
  expect(Object.keys(body).filter((name) => !['Code', 'Id', 'Message', 'Errors'].includes(name))).toEqual([]);
  expectText(body['Code'], 40);
  expectText(body['Id'], 40);
  expectText(body['Message'], 500);
  for (const error of body['Errors'] as Record<string, unknown>[]) {
    expect(Object.keys(error).filter((name) => !['ErrorCode', 'Message', 'Path', 'Url'].includes(name))).toEqual([]);
    expectText(error['ErrorCode'], 128);
    expectText(error['Message'], 500);
    if (error['Path'] !== undefined) expectText(error['Path'], 500);
    expect(error['Url']).toMatch(new RegExp(`^https://[^/]+/docs/errors/${String(error['ErrorCode'])}$`));
  }
}

/** An answer of the resource APIs that has no body: 401, 404, 405, 406, 415. */
export function expectBodiless(response: TestResponse, status: number): void {
  expect({ status: response.status, text: response.text }).toEqual({ status, text: '' });
  expectInteractionId(response);
}

/** Every answer of the api app has it (FP-161, FP-162). */
export function expectInteractionId(response: TestResponse): void {
  expect(response.headers['x-fapi-interaction-id']).toMatch(uuid);
}

function expectText(value: unknown, longest: number): void {
  expect(value).toMatch(new RegExp(`^[^]{1,${longest}}$`));
}

function parse(response: TestResponse): Record<string, unknown> {
  return response.text.startsWith('{') ? response.json() : {};
}

const known = ['error', 'error_description', 'error_uri', 'state', 'iss'];

/** A client, by what it may be answered. */
interface AnsweredClient {
  readonly redirectUri: string;
  readonly provider: { readonly issuer: string };
}

/**
 * An authorization error by the standards (RFC 6749 s4.1.2.1, RFC 9207): at the client's own address, in the fragment,
 * with state and issuer and nothing else.
 * @param expected.state the expected state; undefined: none
 * @param expected.place where; the fragment unless the flow is `code`
 */
export function expectErrorRedirect(
  outcome: AuthorizationOutcome,
  client: AnsweredClient,
  error: string,
  expected: { state: unknown; place?: 'fragment' | 'query' },
): void {
  const { state, place = 'fragment' } = expected;
  const parameters = outcome[place];
  expect({ kind: outcome.kind, status: outcome.status, error: parameters.get('error') }).toEqual({
    kind: 'redirect',
    status: expect.any(Number),
    error,
  });
  expect([302, 303]).toContain(outcome.status);
  const registered = new URL(client.redirectUri);
  expect(outcome.address).toBe(`${registered.origin}${registered.pathname}`);
  for (const [name, value] of registered.searchParams) expect(outcome.query.get(name)).toBe(value);
  expect(parameters.get('state') ?? undefined).toEqual(state);
  expect(parameters.get('iss')).toBe(client.provider.issuer);
  expect(parameters.get('error_description')).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}$/);
  expect([...outcome.fragment.keys()].filter((name) => !known.includes(name))).toEqual([]);
  for (const name of ['code', 'id_token']) expect(outcome.query.has(name)).toBe(false);
  if (place === 'fragment') expect(outcome.query.has('error')).toBe(false);
}

/** The error stays at the bank: the browser is not redirected (RFC 6749 s4.1.2.1). */
export function expectErrorPage(outcome: AuthorizationOutcome, code: string | RegExp, status = 400): void {
  expect({ kind: outcome.kind, status: outcome.status }).toEqual({ kind: 'page', status });
  expect(outcome.html).toContain('id="error"');
  expect(/id="error-code">([^<]*)</.exec(outcome.html)?.[1]).toEqual(
    typeof code === 'string' ? code : expect.stringMatching(code),
  );
  expect(outcome.html).not.toContain('<script');
}

/** @returns where the button of a page that says what happened leads to */
export function backOf({ body }: Pick<AuthorizationOutcome, 'body'>): string | undefined {
  return /id="back-to-tpp" href="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
}

/** The page says what happened, and its button reports it to the TPP. */
export function expectEndPage(
  { kind, status, html, body }: AuthorizationOutcome,
  client: AnsweredClient,
  { error, state, ...expected }: { status: number; error: string; state: unknown },
): void {
  expect({ kind, status }).toEqual({ kind: 'page', ...expected });
  expect(html).toContain('id="outcome"');
  const location = backOf({ body }) ?? 'none:';
  const place = location.includes('#') ? 'fragment' : 'query';
  expectErrorRedirect(toOutcome({ status: 302, headers: { location }, text: '' }), client, error, { state, place });
}

/** The customer is asked to sign in: the request was accepted. */
export function expectSignIn(outcome: AuthorizationOutcome): void {
  expect({ kind: outcome.kind, status: outcome.status, error: outcome.fragment.get('error') }).toEqual({
    kind: 'page',
    status: 200,
    error: null,
  });
  expect(outcome.html).toContain('id="username"');
}

/** A successful hybrid response: everything in the fragment and nothing else. */
export function expectHybridResponse(
  outcome: AuthorizationOutcome,
  client: AnsweredClient,
  claims: Readonly<Record<string, unknown>>,
): void {
  expect({ kind: outcome.kind, error: outcome.fragment.get('error') ?? outcome.query.get('error') }).toEqual({
    kind: 'redirect',
    error: null,
  });
  const registered = new URL(client.redirectUri);
  expect(outcome.address).toBe(`${registered.origin}${registered.pathname}`);
  expect(outcome.query.toString()).toBe(registered.searchParams.toString());
  const state = claims['state'] === undefined ? [] : ['state'];
  expect([...outcome.fragment.keys()].sort()).toEqual(['code', 'id_token', 'iss', ...state].sort());
  expect(outcome.fragment.get('state') ?? undefined).toBe(claims['state']);
  expect(outcome.fragment.get('iss')).toBe(client.provider.issuer);
  expectUnguessable(outcome.fragment.get('code'));
}

/** At least 16 bytes, and length times Shannon entropy of its characters above 96 bits. */
export function expectUnguessable(value: unknown): void {
  const text = String(value);
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const entropy = [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0);
  expect(text.length).toBeGreaterThanOrEqual(16);
  expect(text.length * entropy).toBeGreaterThan(96);
}

/** A limit for what hangs, not a measure. */
const longestWaitMilliseconds = 120_000;

/** For background work: reads again until the value matches. Throws what `read` throws. */
export async function expectEventually<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  let value: Value | undefined;
  await comesToPass(async () => (value = await read()) === expected);
  expect(value).toBe(expected);
}

/** Waits for background work, as `expectEventually` does. Throws if the condition is not met in time. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  if (await comesToPass(isSo)) return;
  throw new Error(`It did not come to pass in ${longestWaitMilliseconds / 1_000} s: ${isSo}`);
}

async function comesToPass(isSo: () => Promise<boolean> | boolean): Promise<boolean> {
  const deadline = Date.now() + longestWaitMilliseconds;
  while (!(await isSo())) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

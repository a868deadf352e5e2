import { expect } from '@jest/globals';
import type { AuthorizationOutcome, Difference, FapiClient } from './fapi-client.js';

const known = ['error', 'error_description', 'error_uri', 'state', 'session_state', 'iss'];

/**
 * An authorization error by the standards (RFC 6749 s4.1.2.1, RFC 9207): at the client's own address, in the fragment,
 * with state and issuer and nothing else.
 * @param expected.state the expected state; undefined: none
 * @param expected.place where; the fragment unless the flow is `code`
 */
export function expectErrorRedirect(
  outcome: AuthorizationOutcome,
  client: FapiClient,
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
  expect(parameters.get('state') ?? undefined).toBe(state);
  expect(parameters.get('iss')).toBe(client.provider.issuer);
  expect(parameters.get('error_description')).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}$/);
  expect([...outcome.fragment.keys()].filter((name) => !known.includes(name))).toEqual([]);
  for (const name of ['code', 'id_token']) expect(outcome.query.has(name)).toBe(false);
  if (place === 'fragment') expect(outcome.query.has('error')).toBe(false);
}

/** The error stays at the bank: the browser is not redirected (RFC 6749 s4.1.2.1). */
export function expectErrorPage(outcome: AuthorizationOutcome, code: string, status = 400): void {
  expect({ kind: outcome.kind, status: outcome.status }).toEqual({ kind: 'page', status });
  expect(/id="error-code">([^<]*)</.exec(outcome.html)?.[1]).toBe(code);
  expect(outcome.html).not.toContain('<script');
}

/** The page says what happened, and its button reports it to the TPP. */
export function expectEndPage(
  { kind, status, html }: AuthorizationOutcome,
  client: FapiClient,
  expected: { status: number; error: string; state: unknown },
): void {
  const back = new URL(/id="back-to-tpp" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? 'none:');
  const told = new URLSearchParams((back.hash || back.search).slice(1));
  const [error, state] = [told.get('error'), told.get('state') ?? undefined];
  expect({ kind, status, error, state }).toEqual({ kind: 'page', ...expected });
  const registered = new URL(client.redirectUri);
  expect(`${back.origin}${back.pathname}`).toBe(`${registered.origin}${registered.pathname}`);
  expect(html).toContain('id="outcome"');
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
export function expectHybridResponse(outcome: AuthorizationOutcome, client: FapiClient, claims: Difference): void {
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

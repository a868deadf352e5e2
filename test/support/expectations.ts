import { expect } from '@jest/globals';
import type { TestResponse } from './https-request.js';

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

import { createPublicKey, type KeyObject } from 'node:crypto';
import { expect } from '@jest/globals';
import { Clock } from '#libs/config';
import { aTestSigningKey, type TestSigningKey } from '../../support/a-signing-key.js';
import type { TestResponse } from '../../support/https-request.js';

/** A certificate with its key, both PEM. */
export interface TransportCertificate {
  cert: string;
  key: string;
}

/** A TPP with everything that it needs for requests. */
export interface RegisteringTpp {
  orgId: string;
  softwareId: string;
  redirectUris: string[];
  certificate: TransportCertificate;
  signingKey: TestSigningKey;
  softwareStatement: string;
}

/** Relative distinguished names in the order of the certificate. */
export type Subject = Record<string, string[]>[];

/** Claims or members that differ; undefined removes one. */
export type Difference = Record<string, unknown>;

/** Options of a request. */
export interface Call {
  method?: string;
  headers?: Record<string, string | string[] | undefined>;
  body?: string | Buffer;
  /** undefined: the first TPP's; null: none */
  certificate?: TransportCertificate | null;
}

/** A registration as answered. */
export type Registered = Record<string, unknown> & { client_id: string; client_secret: string };

/** Runs ahead of the machine's clock by the time that a test sets. */
export class MovableClock extends Clock {
  aheadMilliseconds = 0;
  #heldAt: number | undefined;

  override now(): Date {
    return new Date((this.#heldAt ?? Date.now()) + this.aheadMilliseconds);
  }

  override ofDatabase(): Date {
    return this.now();
  }

  /** Stops the clock during the given work, except for explicit advances. */
  async hold(work: () => Promise<void>): Promise<void> {
    this.#heldAt = Date.now();
    try {
      await work();
    } finally {
      this.#heldAt = undefined;
    }
  }

  /** Advances the clock; key sets and tokens age. */
  advance(seconds: number): void {
    this.aheadMilliseconds += seconds * 1_000;
  }
}

export const encodeJson = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What a client registers that authenticates by private_key_jwt. */
export const privateKeyJwt = {
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_signing_alg: 'PS256',
};

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** `ClientID:ClientSecret` in Base64. */
export function basicOf(client: { client_id: unknown; client_secret?: unknown }): string {
  return Buffer.from(`${String(client.client_id)}:${String(client.client_secret)}`).toString('base64');
}

/** A new key, to sign with and to publish. */
export const aSigningKey = aTestSigningKey;

/** @returns the entry of a key set for this key */
export function aJwk(key: TestSigningKey, members: Difference = { use: 'sig' }): Record<string, unknown> {
  return { ...createPublicKey(key.privateKey).export({ format: 'jwk' }), kid: key.kid, ...members };
}

/** 400 of registration: both vocabularies, no client, nothing to keep (DCR-T078). */
export function expectRefusal(answer: TestResponse, error: string, errorCode?: string, path?: string): void {
  expect([answer.status, answer.text]).toEqual([400, expect.any(String)]);
  const body = answer.json();
  expect(body).toMatchObject({ Code: '400 BadRequest', error, error_description: expect.any(String) });
  const item = {
    ErrorCode: errorCode ?? expect.stringMatching(/^UK\.OBIE\./),
    Message: expect.any(String),
    ...(path === undefined ? {} : { Path: path }),
  };
  expect(body['Errors']).toContainEqual(expect.objectContaining(item));
  expect(body).not.toHaveProperty('client_id');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-fapi-interaction-id']).toMatch(/^[0-9a-f-]{36}$/);
}

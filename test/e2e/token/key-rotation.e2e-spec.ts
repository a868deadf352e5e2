import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPrivateKey } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Config } from '#libs/config';
import { parseSigningKeys } from '#libs/jws';
import { runKeysCommand } from '../../support/apps/commands.js';
import { issueCertificate } from '../../support/apps/certificates.js';
import { httpsRequest } from '../../support/https-request.js';
import { loadPrograms } from '../../support/load-programs.js';
import type { FapiClient } from '../../support/a-client.js';
import { FapiWorld } from '../authorization/fapi-world.js';

const world = new FapiWorld();
const apps: NestFastifyApplication[] = [];
let client: FapiClient;
let file: string;
beforeAll(async () => {
  await world.start();
  client = await world.client({ method: 'tls_client_auth' });
  file = join(world.sandbox.directory, 'rotated-keys.json');
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await world.stop();
});

const keys = (...parameters: string[]): Promise<string> => runKeysCommand([...parameters, '--file', file]);

/** @returns the address at which an app listens from now on */
async function listen(app: NestFastifyApplication): Promise<string> {
  await app.listen(0, '127.0.0.1');
  return `https://localhost:${(app.getHttpServer().address() as { port: number }).port}`;
}

/** Instances started with the current key set. */
async function startInstances(): Promise<{ jwks: () => Promise<JSONWebKeySet>; tokenUrl: string }> {
  const keys = await parseSigningKeys(JSON.parse(await readFile(file, 'utf8')));
  const signing = { ...world.sandbox.config.signing, keys };
  const config = new Config({ ...world.sandbox.config, signing });
  const programs = await loadPrograms();
  const [authorize, token] = [await programs.authorize(config), await programs.token(config)];
  apps.push(authorize, token);
  const [authorizeUrl, tokenUrl] = [await listen(authorize), await listen(token)];
  const agent = world.sandbox.agent;
  return {
    tokenUrl,
    jwks: async () =>
      (await httpsRequest({ url: `${authorizeUrl}/oauth2/jwks`, agent })).json() as unknown as JSONWebKeySet,
  };
}

async function anIdToken(tokenUrl: string): Promise<string> {
  const { code } = await world.authorise(client);
  const response = await client.token(client.exchange(code), { url: `${tokenUrl}/oauth2/token` });
  expect(response.status).toBe(200);
  return String(response.json()['id_token']);
}

describe('npm run keys: a rotation without downtime', () => {
  it('every ID token of every step verifies with the key sets of the instances before, of and after it', async () => {
    await writeFile(file, await readFile(join(world.sandbox.directory, 'bank', 'signing-keys.json')), { mode: 0o600 });
    const states: string[] = [];
    const instances: Awaited<ReturnType<typeof startInstances>>[] = [];
    const run = async (...parameters: string[]) => {
      if (parameters.length > 0) await keys(...parameters);
      states.push(
        (await keys('list'))
          .replaceAll(/(\w+) +PS256 (\S+).*/g, '$1')
          .split('\n')
          .filter((line) => !line.includes('ES256'))
          .join(' '),
      );
      instances.push(await startInstances());
    };
    await run();
    const [, retiring = ''] = /current +PS256 (\S+)/.exec(await keys('list')) ?? [];
    await run('generate');
    await run('promote');
    await run('retire', '--kid', retiring);
    expect(states).toEqual(['current', 'current next', 'current retired', 'current']);

    const idTokens = [];
    for (const { tokenUrl } of instances) idTokens.push(await anIdToken(tokenUrl));
    const sets = await Promise.all(instances.map(({ jwks }) => jwks()));
    for (const [index, idToken] of idTokens.entries()) {
      for (const set of [sets[index - 1], sets[index], sets[index + 1]]) {
        if (set) await jwtVerify(idToken, createLocalJWKSet(set), { issuer: client.provider.issuer });
      }
    }
    const signedBy = idTokens.map((idToken) => decodeProtectedHeader(idToken).kid);
    expect(signedBy.slice(0, 2)).toEqual([retiring, retiring]);
    expect(new Set(signedBy.slice(2)).size).toBe(1);
    expect(signedBy[2]).not.toBe(retiring);
    // Once removed, it is no longer published.
    expect(sets[3]?.keys.map(({ kid }) => kid)).not.toContain(retiring);
    for (const set of sets) expect(JSON.stringify(set)).not.toMatch(/"(?:d|p|q|dp|dq|qi|state)":/);
  });

  it('asks for a certificate and publishes it (RFC 7517 s4.7); the file is its owner’s alone', async () => {
    const request = await keys('generate', '--algorithm', 'PS256', '--subject', 'CN=0123456789ABCDEFGH,O=Bank,C=GB');
    expect(request).toMatch(/^-----BEGIN CERTIFICATE REQUEST-----/);
    const [, kid = ''] = /next +PS256 (\S+)/.exec(await keys('list')) ?? [];
    const stored = JSON.parse(await readFile(file, 'utf8')) as { keys: { kid: string }[] };
    const key = createPrivateKey({ key: stored.keys.find((each) => each.kid === kid) as never, format: 'jwk' });
    const certificate = join(world.sandbox.directory, 'certificate.pem');
    await writeFile(
      certificate,
      await issueCertificate({ profile: 'signing', subject: [{ CN: ['bank'] }], key, days: 1, now: new Date() }),
    );
    expect(await keys('certify', '--kid', kid, '--certificate', certificate)).toMatch(
      new RegExp(`next +PS256 ${kid}$`, 'm'),
    );
    const { jwks } = await startInstances();
    expect((await jwks()).keys.find((each) => each.kid === kid)).toHaveProperty('x5c');
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it('prints usage and does nothing on wrong use', async () => {
    const before = await readFile(file, 'utf8');
    await expect(runKeysCommand([])).rejects.toThrow(/^Usage/);
    await expect(runKeysCommand(['list'])).rejects.toThrow(/--file <file>/);
    await expect(keys('nonsense')).rejects.toThrow(/unknown command 'nonsense'/);
    await expect(keys('list', 'surplus')).rejects.toThrow(/too many arguments/);
    await expect(keys('generate', '--algorithm', 'RS256')).rejects.toThrow(/Allowed choices are PS256, ES256/);
    await expect(keys('generate')).rejects.toThrow(/promote it first/);
    await expect(keys('retire', '--kid', 'nobody')).rejects.toThrow(/no retired key/);
    // A thumbprint may begin with a hyphen (RFC 7638, base64url).
    await expect(keys('retire', '--kid', '-obody')).rejects.toThrow(/no retired key/);
    await expect(runKeysCommand(['list', '--file', '/nowhere'])).rejects.toThrow(/cannot be read/);
    await expect(keys('certify', '--kid', 'nobody', '--certificate', '/nowhere')).rejects.toThrow(
      '/nowhere cannot be read',
    );
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});

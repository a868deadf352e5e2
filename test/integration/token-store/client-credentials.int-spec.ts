import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AccessTokenStore } from '#libs/token-store';
import {
  aClient,
  anAssertion,
  aToken,
  clientId,
  count,
  database,
  inSeconds,
  lookup,
  now,
  tokens,
  useTokenStore,
} from './token-store-world.js';

useTokenStore();

// Tokens that a client gets in its own name (RFC 6749, 4.4).
describe('a client credentials token', () => {
  it('is found with its client while it is active', async () => {
    await expect(tokens.issueAccessToken(aToken('found'), anAssertion())).resolves.toBe('Issued');

    await expect(lookup.find('found')).resolves.toEqual({
      clientId,
      grantType: 'client_credentials',
      scope: ['payments'],
      certificateThumbprint: 'thumbprint-of-the-client',
      expiresAt: inSeconds(300),
      orgId: 'org-1',
      softwareId: 'software-1',
      jwksUri: 'https://keys.example/software-1.jwks',
      signingAlgorithms: ['PS256'],
    });
  });

  it('is found with elliptic curve signatures, if its client signs request objects so', async () => {
    await tokens.issueAccessToken(aToken('curve'));
    const sql = `UPDATE clients SET request_object_signing_alg = 'ES256' WHERE client_id = $1`;
    await database.query('test-elliptic-curve', sql, [clientId]);
    await expect(lookup.find('curve')).resolves.toMatchObject({ signingAlgorithms: ['PS256', 'ES256'] });
  });

  it('is issued without an assertion for the methods that have none', async () => {
    await expect(tokens.issueAccessToken(aToken('no-assertion'))).resolves.toBe('Issued');
    await expect(lookup.find('no-assertion')).resolves.toMatchObject({ clientId });
  });

  it('is issued once for 100 simultaneous uses of one jti on ten instances (RFC 7523 s3 item 7)', async () => {
    const assertion = anAssertion();
    const instances = Array.from({ length: 10 }, () => new AccessTokenStore(database));
    const results = await Promise.all(
      instances.flatMap((instance, number) =>
        Array.from({ length: 10 }, (_, index) =>
          instance.issueAccessToken(aToken(`race-${number}-${index}`), assertion),
        ),
      ),
    );

    expect(count(results, 'Issued')).toBe(1);
    expect(count(results, 'AssertionReplayed')).toBe(99);
    const { rows } = await database.query<{ issued: number }>(
      'test-count-tokens-of-client',
      'SELECT count(*)::int AS issued FROM access_tokens WHERE client_id = $1',
      [clientId],
    );
    expect(rows).toEqual([{ issued: 1 }]);
  });

  it('is issued to each of 100 simultaneous requests with their own assertions, and to no others', async () => {
    const used = anAssertion();
    await tokens.issueAccessToken(aToken('before'), used);
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        tokens.issueAccessToken(aToken(`mixed-${index}`), [used, anAssertion(), undefined][index % 3]),
      ),
    );

    expect(results).toEqual(results.map((_, index) => (index % 3 === 0 ? 'AssertionReplayed' : 'Issued')));
    const found = await Promise.all(results.map((_, index) => lookup.find(`mixed-${index}`)));
    expect(found.map((each) => each !== undefined)).toEqual(results.map((each) => each === 'Issued'));
  });

  it('is not issued for a used assertion that comes together with a new one of the same client', async () => {
    const used = anAssertion();
    await tokens.issueAccessToken(aToken('used'), used);
    // While the first is stored, the others wait for each other.
    const results = await Promise.all([
      tokens.issueAccessToken(aToken('first')),
      tokens.issueAccessToken(aToken('again'), used),
      tokens.issueAccessToken(aToken('beside'), anAssertion()),
    ]);
    expect(results).toEqual(['Issued', 'AssertionReplayed', 'Issued']);
  });

  it('is not issued if the request cannot be stored, while other requests are served', async () => {
    const results = await Promise.allSettled([
      tokens.issueAccessToken(aToken('good-1'), anAssertion()),
      tokens.issueAccessToken(aToken('bad', { clientId: 'not a uuid' }), anAssertion()),
      tokens.issueAccessToken(aToken('good-2'), anAssertion()),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(lookup.find('good-2')).resolves.toMatchObject({ clientId });
  });

  it('is issued to another client with the same jti: a jti is unique per client', async () => {
    const assertion = anAssertion();
    const other = await aClient();
    await expect(tokens.issueAccessToken(aToken('mine'), assertion)).resolves.toBe('Issued');
    await expect(tokens.issueAccessToken(aToken('theirs', { clientId: other }), assertion)).resolves.toBe('Issued');
  });

  it('is not issued for an expired jti whose row is still there', async () => {
    const expired = { jti: randomUUID(), expiresAt: inSeconds(-1) };
    await tokens.issueAccessToken(aToken('first-use'), expired);
    await expect(tokens.issueAccessToken(aToken('second-use'), expired)).resolves.toBe('AssertionReplayed');
  });

  it('is unknown to the lookup if it was never issued', async () => {
    await expect(lookup.find('never issued')).resolves.toBeUndefined();
  });

  it('does not count when it has expired', async () => {
    await tokens.issueAccessToken(aToken('expired', { expiresAt: now }));
    await expect(lookup.find('expired')).resolves.toBeUndefined();
  });

  it.each(['Suspended', 'Deleted'])('does not count while its client is %s', async (status) => {
    const other = await aClient({ status });
    await tokens.issueAccessToken(aToken(`of-${status}`, { clientId: other }));
    await expect(lookup.find(`of-${status}`)).resolves.toBeUndefined();
  });
});

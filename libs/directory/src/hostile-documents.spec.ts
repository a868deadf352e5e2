import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/support/fast-check.js';
import { findVerificationKeys, JwsError, parseKeySet } from '#libs/jws';
import { SoftwareStatementError } from './directory.errors.js';
import { organisationIdentifier } from './organisation-identifier.js';
import { parseSoftwareStatement } from './parse-software-statement.js';
import { parseSoftwareStatementClaims } from './software-statement-claims.js';
import { findSoftwareStatementFaults } from './verify-software-statement.js';

// More runs by hand: FUZZ_RUNS=100000.
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 500);

const good = { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }), use: 'sig' };
const anything = fc.jsonValue({ maxDepth: 4 });

const claimNames = `iss iat exp software_environment software_mode software_id software_client_id software_client_name
  software_client_uri software_redirect_uris software_roles org_id org_name software_jwks_endpoint software_jwks_revoked_endpoint
  org_jwks_endpoint org_status organisation_competent_authority_claims __proto__ constructor toString`.split(/\s+/);
const statement: Record<string, unknown> = {
  iss: 'OpenBanking Ltd',
  iat: 1_795_222_900,
  software_environment: 'sandbox',
  software_mode: 'Test',
  software_id: '4xTq9RbW2mKf7LpZ0sVd1h',
  software_redirect_uris: ['https://tpp.example.com/cb'],
  software_roles: ['PISP'],
  software_jwks_endpoint: 'https://keystore.directory.test/a/b.jwks',
  org_id: '001580000103UAvAAM',
  org_status: 'Active',
};
const rules = {
  keyHosts: ['keystore.directory.test'],
  allowPrivateAddresses: false,
  maxAgeSeconds: 0,
  environments: ['sandbox'],
  furtherKeySets: ['software_jwks_revoked_endpoint', 'org_jwks_endpoint'] as const,
  now: new Date('2026-11-21T08:00:00Z'),
};

describe('documents of strangers', () => {
  it('a key set of any JSON is read or refused, and spoils no good key in it', async () => {
    const member = fc.constantFrom('kty', 'n', 'e', 'crv', 'x', 'y', 'kid', 'use', 'alg', 'x5c', 'k', '__proto__');
    const entry = fc.oneof(anything, fc.dictionary(member, anything), fc.constant({ ...good, x5c: [7] }));
    await fc.assert(
      fc.asyncProperty(anything, fc.array(entry, { maxLength: 8 }), async (document, entries) => {
        try {
          await parseKeySet(document, { maxKeys: 100 });
        } catch (error) {
          expect(error).toBeInstanceOf(JwsError);
        }
        const set = await parseKeySet({ keys: [...entries, good] }, { maxKeys: 100 });
        const found = await findVerificationKeys(set, { algorithm: 'ES256' });
        expect(found.length).toBeGreaterThan(0);
        expect(found.length).toBeLessThanOrEqual(10);
      }),
      { numRuns },
    );
  });

  it('a software statement of any text is read or refused', () => {
    const part = fc.oneof(
      fc.string({ maxLength: 40 }),
      anything.map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        try {
          parseSoftwareStatement(parts.join('.'));
        } catch (error) {
          expect(error).toBeInstanceOf(SoftwareStatementError);
        }
      }),
      { numRuns },
    );
  });

  it('claims of any type are typed or faulty; accepted ones name allowed hosts and contain no deceptive text', () => {
    const hostile = fc.oneof(
      anything,
      fc.webUrl(),
      fc.constantFrom<unknown>(
        'https://keystore.directory.test@evil.example/',
        'https://keystore.directory.test.evil.example/a',
        'https://evil.example#https://keystore.directory.test/',
        'https://KEYSTORE.directory.test:443/a',
        'https://keystore.directory.test:8443/a',
        'TPP \u202egnp.exe',
        'TPP\u0000',
        1e308,
        -1,
      ),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...claimNames), hostile, { maxKeys: 4 }), (difference) => {
        const result = parseSoftwareStatementClaims({ ...statement, ...difference });
        if ('faults' in result) {
          expect(result.faults.length).toBeGreaterThan(0);
          return;
        }
        const { claims } = result;
        if (claims.competentAuthority) organisationIdentifier(claims.competentAuthority);
        for (const text of [claims.orgName, claims.softwareClientName, ...claims.softwareRedirectUris]) {
          expect(text ?? '').not.toMatch(/\p{C}/u);
        }
        if (findSoftwareStatementFaults(claims, rules).length > 0) return;
        const { softwareJwksEndpoint, softwareJwksRevokedEndpoint, orgJwksEndpoint } = claims;
        for (const address of [softwareJwksEndpoint, softwareJwksRevokedEndpoint, orgJwksEndpoint]) {
          if (address !== undefined) expect(new URL(address).host).toBe('keystore.directory.test');
        }
      }),
      { numRuns },
    );
  });

  it.each(['TPP \u{e0041}', 'T\u00adPP', 'TPP\u061c', 'TPP \u202egnp.exe', 'TPP \ue000', 'TPP \u0378', 'TPP \ud800'])(
    'names the claim that has invisible characters: %j',
    (name) => {
      const result = parseSoftwareStatementClaims({ ...statement, software_client_name: name });
      expect(result).toMatchObject({ faults: [{ path: 'software_statement.software_client_name' }] });
    },
  );

  it('of the authorisations of a competent authority, only objects count', () => {
    const authorisations = [null, 'GB', { member_state: 'GB', roles: ['PISP'] }];
    const claims = { ...statement, organisation_competent_authority_claims: { authorisations } };
    expect(parseSoftwareStatementClaims(claims)).toMatchObject({
      claims: { competentAuthority: { authorisations: [{ memberState: 'GB', roles: ['PISP'] }] } },
    });
  });

  it.each([
    ['the FCA', 'FCAGBR', '123456', 'PSDGB-FCA-123456'],
    ['no country', 'FCA', '123456', undefined],
    ['an unknown country', 'FCAXXX', '123456', undefined],
    ['no number', 'FCAGBR', '', undefined],
  ])('an organisation identifier of %s', (_what, authorityId, registrationId, expected) => {
    expect(organisationIdentifier({ authorityId, registrationId })).toBe(expected);
  });
});

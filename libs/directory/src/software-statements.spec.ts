import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Clock, Config } from '#libs/config';
import { createCompactJws } from '#libs/jws';
import { aKeyFinder } from '../../../test/support/a-key-finder.js';
import { toTestSigningKey } from '../../../test/support/a-signing-key.js';
import { Directories } from './directories.service.js';
import type { SoftwareStatementFault } from './directory.errors.js';
import type { KeySets } from './key-sets.service.js';
import type { SoftwareStatement } from './software-statement.js';
import { SoftwareStatements } from './software-statements.service.js';

const now = new Date('2026-11-21T08:00:00Z');
const directoryKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });

const findKeys = await aKeyFinder({ kid: 'dir', use: 'sig', key: directoryKeys.publicKey });

let keyRequests: number;
let environments: string[];

beforeEach(() => {
  keyRequests = 0;
  environments = ['sandbox'];
});

const claims = {
  iss: 'OpenBanking Ltd',
  iat: now.getTime() / 1_000 - 60,
  jti: '9f2c61d07a5b4e13',
  software_environment: 'sandbox',
  software_mode: 'Test',
  software_id: '4xTq9RbW2mKf7LpZ0sVd1h',
  software_client_id: '4xTq9RbW2mKf7LpZ0sVd1h',
  software_client_name: 'Ledger Sync',
  software_redirect_uris: ['https://tpp.example.com/cb'],
  software_roles: ['PISP', 'AISP'],
  software_on_behalf_of_org: null,
  software_jwks_endpoint: 'https://keystore.directory.test/a/b.jwks',
  org_id: '001580000103UAvAAM',
  org_name: 'Example TPP Ltd',
  org_status: 'Active',
  organisation_competent_authority_claims: {
    authority_id: 'FCAGBR',
    registration_id: '123456',
    status: 'Active',
    authorisations: [{ member_state: 'GB', roles: ['PISP'] }],
  },
};

function aStatement(
  difference: Record<string, unknown> = {},
  header: object = {},
  privateKey: KeyObject = directoryKeys.privateKey,
): Promise<string> {
  const key = toTestSigningKey('dir', privateKey);
  return createCompactJws({
    header: { typ: 'JWT', ...header },
    payload: JSON.stringify({ ...claims, ...difference }),
    key,
  });
}

function verify(compact: string): Promise<SoftwareStatement> {
  const directory = {
    trusted: [
      {
        issuer: 'OpenBanking Ltd',
        jwksUri: 'https://keystore.directory.test/keystore/openbanking.jwks',
        keyHosts: ['keystore.directory.test'],
        environments,
        clientTrustAnchors: [],
      },
    ],
    allowPrivateAddresses: false,
    softwareStatementMaxAgeSeconds: 1_800,
    revokedKeysSeconds: 86_400,
    crownDependencyRoles: false,
  };
  const registration = { requireListedCertificate: true };
  const config = Object.assign(Object.create(Config.prototype) as Config, { directory, registration });
  const keySets = {
    findDirectoryKeys: async (...query: Parameters<typeof findKeys>) => {
      keyRequests += 1;
      return findKeys(...query);
    },
  } as unknown as KeySets;
  const clock = Object.assign(new Clock(), { now: () => now });
  return new SoftwareStatements(config, clock, new Directories(config), keySets).verify(compact);
}

async function faultsOf(compact: string): Promise<readonly Partial<SoftwareStatementFault>[]> {
  try {
    await verify(compact);
  } catch (error) {
    expect(error).toMatchObject({ name: 'SoftwareStatementError' });
    return Reflect.get(error as Error, 'faults') as SoftwareStatementFault[];
  }
  throw new Error('The statement was accepted.');
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const invalid = 'invalid_software_statement';
const unapproved = 'unapproved_software_statement';

describe('SoftwareStatements.verify', () => {
  it.each([
    ['Shop Ltd', 'Shop Ltd'],
    [null, undefined],
    ['', undefined],
    [' ', undefined],
    [undefined, undefined],
  ])('says for whom an agent acts, if for anybody: %j', async (software_on_behalf_of_org, expected) => {
    expect((await verify(await aStatement({ software_on_behalf_of_org }))).onBehalfOfOrg).toBe(expected);
  });

  it('returns what the service relies on', async () => {
    const compact = await aStatement();
    expect(await verify(compact)).toMatchObject({
      compact,
      softwareId: '4xTq9RbW2mKf7LpZ0sVd1h',
      softwareClientId: '4xTq9RbW2mKf7LpZ0sVd1h',
      clientName: 'Ledger Sync',
      orgId: '001580000103UAvAAM',
      orgName: 'Example TPP Ltd',
      organisationIdentifier: 'PSDGB-FCA-123456',
      redirectUris: ['https://tpp.example.com/cb'],
      permittedScopes: ['openid', 'accounts', 'payments'],
      jwksUri: 'https://keystore.directory.test/a/b.jwks',
    });
  });

  it('grants in production only roles that the competent authority grants for Great Britain', async () => {
    environments = ['production'];
    const statement = await verify(await aStatement({ software_environment: 'production', software_mode: 'Live' }));
    expect(statement.permittedScopes).toEqual(['openid', 'payments']);
  });

  it('fetches nothing for a statement of another issuer', async () => {
    expect(await faultsOf(await aStatement({ iss: 'Evil Ltd', software_jwks_endpoint: 'https://evil.test/' }))).toEqual(
      [
        expect.objectContaining({
          error: unapproved,
          code: 'Signature.InvalidClaim',
          path: 'software_statement.iss',
        }),
      ],
    );
    expect(keyRequests).toBe(0);
  });

  it('DCR-T064 DCR-T067 refuses another key and a changed payload', async () => {
    const [header, , signature] = (await aStatement()).split('.');
    const payload = Buffer.from(JSON.stringify({ ...claims, org_id: 'other' })).toString('base64url');
    for (const forged of [await aStatement({}, {}, otherKeys.privateKey), `${header}.${payload}.${signature}`]) {
      expect(await faultsOf(forged)).toEqual([
        expect.objectContaining({ error: invalid, code: 'Signature.Invalid', path: 'software_statement' }),
      ]);
    }
  });

  it('DCR-T066 refuses alg none and HS256 with the public key', async () => {
    const publicPem = directoryKeys.publicKey.export({ type: 'spki', format: 'pem' });
    const input = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
    const hmac = createHmac('sha256', publicPem).update(input).digest('base64url');
    for (const forged of [`${encode({ alg: 'none' })}.${encode(claims)}.`, `${input}.${hmac}`]) {
      expect(await faultsOf(forged)).toEqual([
        expect.objectContaining({ error: invalid, code: 'Signature.InvalidClaim' }),
      ]);
    }
  });

  it.each([{ crit: ['b64'] }, { jwk: {} }, { jku: 'https://evil.test' }, { x5u: 'x' }, { x5c: [] }, { typ: 'at+jwt' }])(
    'refuses the header member %j',
    async (header) => {
      expect(await faultsOf(await aStatement({}, header))).toEqual([expect.objectContaining({ error: invalid })]);
    },
  );

  it.each(['', 'a', 'a.b', '..', 'a.b.c.d', 'e30.e30.', 'a'.repeat(40_000), 'W10.W10.AA', '\u0000.\u0000.\u0000'])(
    'refuses %j as malformed',
    async (compact) => {
      expect((await faultsOf(compact))[0]?.error).toBe(invalid);
    },
  );

  it.each<[Record<string, unknown>, string, string, string]>([
    [{ org_status: 'Revoked' }, unapproved, 'Invalid', 'org_status'],
    [{ org_status: 'Withdrawn' }, unapproved, 'Invalid', 'org_status'],
    [{ software_environment: 'production' }, unapproved, 'Invalid', 'software_environment'],
    [
      { organisation_competent_authority_claims: { status: 'Revoked' } },
      unapproved,
      'Invalid',
      'organisation_competent_authority_claims',
    ],
    [{ software_on_behalf_of_org: 'x'.repeat(351) }, invalid, 'Invalid', 'software_on_behalf_of_org'],
    [{ software_client_name: 'x'.repeat(351) }, invalid, 'Invalid', 'software_client_name'],
    [{ iat: now.getTime() / 1_000 + 61 }, invalid, 'Invalid', 'iat'],
    [{ iat: now.getTime() / 1_000 - 1_801 }, invalid, 'Invalid', 'iat'],
    [{ iat: now.getTime() }, invalid, 'Invalid', 'iat'],
    [{ iat: undefined }, invalid, 'Missing', 'iat'],
    [{ exp: now.getTime() / 1_000 }, invalid, 'Invalid', 'exp'],
    [{ nbf: now.getTime() / 1_000 + 61 }, invalid, 'Invalid', 'nbf'],
    [{ software_roles: [] }, invalid, 'Invalid', 'software_roles'],
    [{ software_roles: undefined }, invalid, 'Missing', 'software_roles'],
    [{ software_id: null }, invalid, 'Missing', 'software_id'],
    [{ software_id: 'a b' }, invalid, 'Invalid', 'software_id'],
    [{ org_id: 7 }, invalid, 'Invalid', 'org_id'],
    [{ software_client_name: 'Bank\u202Egro.live' }, invalid, 'Invalid', 'software_client_name'],
    [{ software_client_name: 'a\u0000b' }, invalid, 'Invalid', 'software_client_name'],
    [{ software_client_name: '\ue000\ue001 Bank' }, invalid, 'Invalid', 'software_client_name'],
    [{ software_client_name: 'Bank \u{50000}' }, invalid, 'Invalid', 'software_client_name'],
    [{ software_roles: ['PISP\t'] }, invalid, 'Invalid', 'software_roles'],
    [{ org_id: 'ORG\n1' }, invalid, 'Invalid', 'org_id'],
    [{ software_on_behalf_of_org: 'Shop \u202etl' }, invalid, 'Invalid', 'software_on_behalf_of_org'],
    [{ software_redirect_uris: 'https://x' }, invalid, 'Invalid', 'software_redirect_uris'],
    [{ software_jwks_endpoint: 'http://keystore.directory.test/a' }, invalid, 'Invalid', 'software_jwks_endpoint'],
    [{ software_jwks_endpoint: 'https://evil.test/a' }, invalid, 'Invalid', 'software_jwks_endpoint'],
    [{ software_jwks_endpoint: 'https://127.0.0.1/a' }, invalid, 'Invalid', 'software_jwks_endpoint'],
  ])('DCR-T068 DCR-T069 DCR-T070 refuses %j', async (difference, error, kind, claim) => {
    expect(await faultsOf(await aStatement(difference))).toEqual([
      expect.objectContaining({ error, code: `Field.${kind}`, path: `software_statement.${claim}` }),
    ]);
  });

  it('lists all faults of one step', async () => {
    const faults = await faultsOf(await aStatement({ org_id: undefined, software_id: undefined, software_roles: [] }));
    expect(faults.map(({ path }) => path)).toEqual([
      'software_statement.software_id',
      'software_statement.software_roles',
      'software_statement.org_id',
    ]);
  });
});

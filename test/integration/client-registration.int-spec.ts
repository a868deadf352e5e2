import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import {
  ClientRegistrationService,
  RegistrationError,
  type ClientMetadata,
  type RegisteringSoftware,
  type RegistrationOutcome,
} from '#libs/client-registration';
import { Clock, type Config } from '#libs/config';
import { Database, openPool } from '#libs/persistence';
import { migratedDatabase, type RunDatabase } from '../support/run-database.js';
import { SecretReEncryption } from '../../libs/client-registration/src/administration/secret-re-encryption.service.js';
import { ClientSecrets } from '../../libs/client-registration/src/secrets/client-secrets.service.js';

const secrets = {
  clientSecretPeppers: [{ id: 'p1', key: Buffer.alloc(32, 1) }],
  clientSecretEncryptionKeys: [{ id: 'k1', key: Buffer.alloc(32, 2) }],
};

const config = {
  secrets,
  registration: { issueSecret: 'always' },
  directory: { trusted: [{ issuer: 'directory' }, { issuer: 'other directory' }] },
} as unknown as Config;

let runDatabase: RunDatabase;
let database: Database;
let clients: ClientRegistrationService;

beforeAll(async () => {
  runDatabase = await migratedDatabase();
  const { url } = runDatabase;
  const settings = { url, poolSize: 10, applicationName: 'client-registration' };
  database = new Database(openPool(settings), settings);
  clients = new ClientRegistrationService(new ClientSecrets(config), new Clock(), database);
});

afterAll(async () => {
  await database?.onApplicationShutdown();
  await runDatabase?.drop();
});

const uris = ['https://tpp.example/"quoted",{braces}\\', 'https://tpp.example/ü'];

function aRequest({ jti = randomUUID(), exp = Date.now() / 1000 + 600 } = {}): ClientMetadata {
  return {
    redirectUris: uris,
    grantTypes: ['authorization_code', 'client_credentials'],
    responseTypes: ['code id_token'],
    scope: 'openid payments',
    tokenEndpointAuthMethod: 'private_key_jwt',
    idTokenSignedResponseAlg: 'PS256',
    requestObjectSigningAlg: 'PS256',
    authorizationSignedResponseAlg: 'PS256',
    requirePushedAuthorizationRequests: false,
    request: {
      iss: 'software',
      iat: exp - 600,
      exp,
      aud: 'bank',
      jti,
      applicationType: 'web',
      softwareStatement: 'statement',
      usesOlderSubjectName: false,
    },
  };
}

function aSoftware({ softwareId = 'software', directoryIssuer = 'directory' } = {}): RegisteringSoftware {
  return {
    compact: 'statement',
    softwareId,
    clientName: 'TPP',
    orgId: 'org',
    orgName: 'TPP "Ltd", {UK}',
    redirectUris: uris,
    permittedScopes: [],
    jwksUri: 'https://keys.example/jwks',
    directoryIssuer,
  };
}

/** @returns the client's id, or why it was refused */
async function outcomeOf(outcome: Promise<RegistrationOutcome | undefined>): Promise<string> {
  try {
    return (await outcome)?.registration.clientId ?? 'gone';
  } catch (error) {
    if (error instanceof RegistrationError) return error.message;
    throw error;
  }
}

function register(
  metadata: ClientMetadata,
  {
    maxPerSoftware = 0,
    interactionId = randomUUID(),
    ...software
  }: { softwareId?: string; directoryIssuer?: string; maxPerSoftware?: number; interactionId?: string } = {},
): Promise<string> {
  return outcomeOf(clients.register(metadata, aSoftware(software), { maxPerSoftware, interactionId }));
}

async function replace(
  clientId: string,
  jti: ReturnType<typeof randomUUID>,
  {
    interactionId = randomUUID(),
    exp,
    ...software
  }: { directoryIssuer?: string; interactionId?: string; exp?: number } = {},
): Promise<string> {
  const client = await clients.findClient(clientId);
  if (client === undefined) throw new Error('There is no such client.');
  return outcomeOf(clients.replace(client, aRequest({ jti, exp }), aSoftware(software), interactionId));
}

/** @returns what the audit trail says of a client, in order */
async function auditOf(clientId: string | undefined): Promise<(string | null)[][]> {
  const { rows } = await database.query<{ action: string; interaction_id: string | null }>(
    'test-audit-of-client',
    'SELECT action, interaction_id FROM audit_events WHERE client_id = $1 ORDER BY occurred_at',
    [clientId],
  );
  return rows.map(({ action, interaction_id }) => [action, interaction_id]);
}

const isClientId = (outcome: string): boolean => /^[0-9a-f-]{36}$/.test(outcome);
const jtiUsed = 'jti was used in an earlier registration request.';

describe('registrations of one moment', () => {
  it('are each stored as they were asked for', async () => {
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => register(aRequest())));
    expect(new Set(outcomes.filter(isClientId)).size).toBe(60);
    for (const clientId of outcomes.slice(0, 2)) {
      expect(await clients.findClient(clientId)).toMatchObject({
        redirectUris: uris,
        grantTypes: ['authorization_code', 'client_credentials'],
        responseTypes: ['code id_token'],
        orgName: 'TPP "Ltd", {UK}',
      });
    }
  });

  it('keep every member of the request and of the software statement, and so do replacements', async () => {
    const expectKept = async (clientId: string, metadata: ClientMetadata, software: RegisteringSoftware) => {
      const { request: _, scope, ...agreed } = metadata;
      const { compact: _text, redirectUris: _all, permittedScopes: _roles, ...said } = software;
      expect(await clients.findClient(clientId)).toMatchObject({ ...said, ...agreed, scope: scope.split(' ') });
      const { orgId, softwareId, organisationIdentifier, jwksUri } = software;
      const registration = { clientId, orgId, softwareId, organisationIdentifier, jwksUri, metadata };
      expect(await clients.findRegistration(clientId)).toMatchObject(registration);
    };
    const first: ClientMetadata = {
      ...aRequest(),
      tokenEndpointAuthSigningAlg: 'PS256',
      tlsClientAuthSubjectDn: 'CN=first',
      fapiProfile: 'fapi2-security',
      requirePushedAuthorizationRequests: true,
    };
    const software = {
      ...aSoftware(),
      organisationIdentifier: 'PSDGB-FCA-1',
      onBehalfOfOrg: 'Somebody',
      jwksRevokedUri: 'https://keys.example/revoked',
    };
    const interactionId = randomUUID();
    const { registration } = await clients.register(first, software, { maxPerSoftware: 0, interactionId });
    await expectKept(registration.clientId, first, software);
    const second: ClientMetadata = {
      ...aRequest(),
      redirectUris: ['https://tpp.example/second'],
      grantTypes: ['client_credentials', 'refresh_token'],
      responseTypes: ['code'],
      scope: 'accounts',
      tokenEndpointAuthMethod: 'tls_client_auth',
      tokenEndpointAuthSigningAlg: 'ES256',
      idTokenSignedResponseAlg: 'ES256',
      requestObjectSigningAlg: 'ES256',
      authorizationSignedResponseAlg: 'ES256',
      tlsClientAuthSubjectDn: 'CN=second',
      fapiProfile: 'fapi2-message-signing',
    };
    const renamed = {
      ...software,
      clientName: 'Second',
      orgName: 'Second Ltd',
      organisationIdentifier: 'PSDGB-FCA-2',
      onBehalfOfOrg: 'Somebody else',
      jwksUri: 'https://keys.example/second',
      jwksRevokedUri: 'https://keys.example/revoked-second',
    };
    const client = (await clients.findClient(registration.clientId))!;
    await clients.replace(client, second, renamed, interactionId);
    await expectKept(registration.clientId, second, renamed);
  });

  it('end with the client: one that is suspended or deleted meanwhile is neither replaced nor deleted', async () => {
    for (const status of ['Suspended', 'Deleted']) {
      const clientId = await register(aRequest());
      const client = (await clients.findClient(clientId))!;
      const sql = 'UPDATE clients SET status = $2 WHERE client_id = $1';
      await database.query('test-end-client', sql, [clientId, status]);
      expect(await outcomeOf(clients.replace(client, aRequest(), aSoftware(), randomUUID()))).toBe('gone');
      const isDeleted = database.transaction((runner) => clients.delete(runner, clientId, randomUUID()));
      expect(await isDeleted).toBe(false);
    }
  });

  it('with one jti register one client, and harm nobody else (RFC 7519 s4.1.7)', async () => {
    const twin = aRequest();
    const outcomes = await Promise.all([...Array.from({ length: 20 }, () => register(twin)), register(aRequest())]);
    expect(outcomes.slice(0, 20).filter(isClientId)).toHaveLength(1);
    expect(outcomes.slice(0, 20).filter((outcome) => outcome === jtiUsed)).toHaveLength(19);
    expect(isClientId(outcomes[20] ?? '')).toBe(true);
    expect(await register(twin)).toBe(jtiUsed);
  });

  it('leave out one whose jti was used, and store the others', async () => {
    const used = aRequest();
    expect(isClientId(await register(used))).toBe(true);
    for (const others of [[aRequest()], [aRequest(), aRequest()]]) {
      const outcomes = await Promise.all(
        [...others.slice(1), used, ...others.slice(0, 1)].map((each) => register(each)),
      );
      expect(outcomes.filter(isClientId)).toHaveLength(others.length);
      expect(outcomes).toContain(jtiUsed);
    }
  });

  it('have each the interaction id of their own request in the audit trail', async () => {
    const ids = Array.from({ length: 20 }, () => randomUUID());
    const outcomes = await Promise.all(
      ids.map((interactionId, index) =>
        register(aRequest(), { interactionId, maxPerSoftware: index % 2 === 0 ? 0 : 1e6 }),
      ),
    );
    const events = await Promise.all(outcomes.map((clientId) => auditOf(clientId)));
    expect(events).toEqual(ids.map((interactionId) => [['registration.create', interactionId]]));

    const [clientId = ''] = outcomes;
    const [change, end] = [randomUUID(), randomUUID()];
    await database.query('test-other-scope', `UPDATE clients SET scope = 'openid' WHERE client_id = $1`, [clientId]);
    await replace(clientId, randomUUID(), { interactionId: change });
    await database.transaction((runner) => clients.delete(runner, clientId, end));
    expect(await auditOf(clientId)).toEqual([
      ['registration.create', ids[0]],
      ['registration.change', change],
      ['registration.status', end],
    ]);
    const details = 'SELECT details FROM audit_events WHERE interaction_id = $1';
    const { rows } = await database.query('test-details', details, [change]);
    expect(rows).toEqual([{ details: { secret: false, metadata: true } }]);
  });

  it('may use a jti again that another software used, or that has expired', async () => {
    const jti = randomUUID();
    const expired = aRequest({ jti, exp: Date.now() / 1000 - 1 });
    expect(isClientId(await register(expired))).toBe(true);
    expect(isClientId(await register(aRequest({ jti })))).toBe(true);
    expect(await register(aRequest({ jti }))).toBe(jtiUsed);
    expect(isClientId(await register(aRequest({ jti }), { softwareId: 'other' }))).toBe(true);
  });

  it('may not use a jti again when they have expired themselves since they were verified', async () => {
    const [jti, exp] = [randomUUID(), Date.now() / 1000 - 1];
    const clientId = await register(aRequest({ jti, exp }));
    expect(await register(aRequest({ jti, exp }))).toBe(jtiUsed);
    expect(await replace(clientId, jti, { exp })).toBe(jtiUsed);
  });

  it('may use a jti again that software of another directory used, under whatever software id', async () => {
    const jti = randomUUID();
    const elsewhere = { directoryIssuer: 'other directory' };
    expect(isClientId(await register(aRequest({ jti })))).toBe(true);
    expect(isClientId(await register(aRequest({ jti }), elsewhere))).toBe(true);
    expect(await register(aRequest({ jti }), elsewhere)).toBe(jtiUsed);
  });

  it('share one memory of jti with replacements, for the software of one directory', async () => {
    const elsewhere = { directoryIssuer: 'other directory' };
    const [here, there] = [await register(aRequest()), await register(aRequest(), elsewhere)];
    const jti = randomUUID();
    expect(isClientId(await register(aRequest({ jti, exp: Date.now() / 1000 - 1 })))).toBe(true);
    expect(await replace(here, jti)).toBe(here);
    expect(await replace(there, jti, elsewhere)).toBe(there);
    expect(await replace(here, jti)).toBe(jtiUsed);
    expect(await register(aRequest({ jti }))).toBe(jtiUsed);
  });

  it('never exceed the number of registrations that one software may have', async () => {
    const limit = { softwareId: 'limited', maxPerSoftware: 3 };
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => register(aRequest(), limit)));
    expect(outcomes.filter(isClientId)).toHaveLength(3);
  });

  it('are counted for the software of one directory', async () => {
    const limit = { softwareId: 'everywhere', maxPerSoftware: 1 };
    for (const software of [limit, { ...limit, directoryIssuer: 'other directory' }]) {
      expect(isClientId(await register(aRequest(), software))).toBe(true);
      expect(isClientId(await register(aRequest(), software))).toBe(false);
    }
  });
});

describe('a key that replaces another', () => {
  it('encrypts every secret again that it can read, however many, and tells each of the others once', async () => {
    const requests = Array.from({ length: 101 }, () => aRequest());
    const ids = await Promise.all(
      requests.map((request) => register({ ...request, tokenEndpointAuthMethod: 'client_secret_jwt' })),
    );
    ids.sort();
    const next = { id: 'k2', key: Buffer.alloc(32, 3) };
    const under = (keys: typeof secrets.clientSecretEncryptionKeys, to = database): SecretReEncryption => {
      const changed = { ...config, secrets: { ...secrets, clientSecretEncryptionKeys: keys } } as unknown as Config;
      return new SecretReEncryption(to, new ClientSecrets(changed));
    };
    Logger.overrideLogger(false);
    expect((await under([next]).run()).unreadable).toEqual(ids);
    // A secret that somebody gives meanwhile stays.
    const isNew = `UPDATE clients SET secret_encrypted = 'new' WHERE client_id = $1`;
    const busy = {
      query: async (...asked: Parameters<Database['query']>) => {
        const answer = await database.query(...asked);
        if (asked[0] === 'find-old-secrets') await database.query('test-new-secret', isNew, [ids[0]]);
        return answer;
      },
    } as Database;
    const both = [next, ...secrets.clientSecretEncryptionKeys];
    expect(await under(both, busy).run()).toMatchObject({ reEncrypted: 100, unreadable: [] });
    expect((await clients.findClient(ids[0]!))?.secretEncrypted).toBe('new');
    expect(await under([next]).run()).toMatchObject({ reEncrypted: 0, unreadable: [ids[0]] });
  });
});

describe('a pepper that replaces another', () => {
  it('makes the hash of each client that shows its secret, and of no other', async () => {
    const interactionId = randomUUID();
    const shown = await clients.register(aRequest(), aSoftware(), { maxPerSoftware: 0, interactionId });
    const silent = await clients.register(aRequest(), aSoftware(), { maxPerSoftware: 0, interactionId });
    const next = { id: 'p2', key: Buffer.alloc(32, 9) };
    const under = (clientSecretPeppers: { id: string; key: Buffer }[]): ClientRegistrationService => {
      const changed = { ...config, secrets: { ...secrets, clientSecretPeppers } } as unknown as Config;
      return new ClientRegistrationService(new ClientSecrets(changed), new Clock(), database);
    };
    const isKnown = async (service: ClientRegistrationService, { registration, clientSecret = '' }: typeof shown) =>
      service.isSecretOf(await service.findClient(registration.clientId), clientSecret);
    const both = under([next, ...secrets.clientSecretPeppers]);
    const client = (await both.findClient(shown.registration.clientId))!;
    await both.renewSecretHash(client, shown.clientSecret!);
    expect([await isKnown(both, shown), await isKnown(both, silent)]).toEqual([true, true]);
    expect([await isKnown(under([next]), shown), await isKnown(under([next]), silent)]).toEqual([true, false]);
    // A secret that somebody else gave meanwhile stays.
    await database.query('test-change-secret', 'UPDATE clients SET secret_hash = $2 WHERE client_id = $1', [
      client.clientId,
      Buffer.alloc(32, 7),
    ]);
    await both.renewSecretHash(client, shown.clientSecret!);
    expect((await both.findClient(client.clientId))?.secretHash).toEqual(Buffer.alloc(32, 7));
  });
});

import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/config';
import type { FapiProfile } from '#libs/oauth';
import { isUuid } from '#libs/obie-rules';
import { Batch, Database, type StatementRunner } from '#libs/persistence';
import { createFault, fieldInvalid } from '#libs/error-catalogue';
import type { ClientMetadata } from './client-metadata.js';
import {
  toClientRegistration,
  toRegisteredClient,
  type ClientRegistration,
  type ClientRow,
  type RegisteredClient,
  type RegistrationRow,
} from './client-row.js';
import {
  countClientsSql,
  deleteClientSql,
  findClientsSql,
  findRegistrationSql,
  lockSoftwareSql,
  renewSecretHashSql,
} from './client-sql.js';
import {
  registerClients,
  registrationsOf,
  replaceClient,
  replacementOf,
  type NewClient,
} from './register-clients-sql.js';
import type { RegisteringSoftware } from './registering-software.js';
import { RegistrationError } from './registration.errors.js';
import type { RegistrationClaims } from './request/registration-claims.js';
import { ClientSecrets } from './secrets/client-secrets.service.js';

/** A registration, and its new secret if one was created, which is available only here. */
export interface RegistrationOutcome {
  registration: ClientRegistration;
  clientSecret?: string;
}

interface ReplacedRow {
  is_redeemed: boolean;
  /** null: the client was deleted meanwhile */
  client_id_issued_at: Date | null;
  fapi_profile: FapiProfile | null;
}

/** The registered clients. */
@Injectable()
export class ClientRegistrationService {
  readonly #lookups = new Batch<string, RegisteredClient | undefined>((clientIds) => this.#findTogether(clientIds), {
    maxSize: 100,
  });
  readonly #registrations = new Batch<NewClient, boolean>((clients) => this.#storeTogether(this.database, clients), {
    maxSize: 50,
    keyOf: () => this.database.inBatchesOf(({ clientId }) => clientId),
  });

  constructor(
    private readonly secrets: ClientSecrets,
    private readonly clock: Clock,
    private readonly database: Database,
  ) {}

  /**
   * @param clientId from a request, in any form
   * @returns the client; undefined if there is no active one of that id
   */
  async findClient(clientId: string): Promise<RegisteredClient | undefined> {
    return isUuid(clientId) ? this.#lookups.add(clientId) : undefined;
  }

  /** Look-ups of one turn share a statement, sent after all of them have arrived, so no result is stale. */
  async #findTogether(clientIds: readonly string[]): Promise<(RegisteredClient | undefined)[]> {
    const { rows } = await this.database.query<ClientRow>('find-clients', findClientsSql, [[...new Set(clientIds)]]);
    const clients = new Map(rows.map((row) => [row.client_id, toRegisteredClient(row)]));
    return clientIds.map((clientId) => clients.get(clientId));
  }

  /** @returns the registration of an active client, undefined if there is none */
  async findRegistration(clientId: string): Promise<ClientRegistration | undefined> {
    if (!isUuid(clientId)) return undefined;
    const { rows } = await this.database.query<RegistrationRow>('find-registration', findRegistrationSql, [clientId]);
    return rows[0] && toClientRegistration(rows[0]);
  }

  /**
   * Compares a presented secret in constant time; an absent client costs the same.
   * @param client undefined if there is no such client
   */
  isSecretOf(client: RegisteredClient | undefined, secret: string): boolean {
    return this.secrets.isSecretOf(client, secret);
  }

  /**
   * Hashes the secret with the current pepper when the client presents it, because only the client has it. A secret
   * that changed meanwhile stays.
   */
  async renewSecretHash(client: RegisteredClient, secret: string): Promise<void> {
    const secretHash = this.secrets.renewedHash(client, secret);
    if (secretHash === undefined) return;
    const { applicationName } = this.database;
    const parameters = [client.clientId, client.secretHash, secretHash, this.clock.now(), applicationName];
    await this.database.query('renew-secret-hash', renewSecretHashSql, parameters);
  }

  /**
   * A secret in a replacement must be the client's own (RFC 7592 s2.2).
   * @throws RegistrationError
   */
  verifySecretClaim(client: RegisteredClient, claims: RegistrationClaims): void {
    const secret = claims.get('client_secret');
    if (secret === undefined || (typeof secret === 'string' && this.isSecretOf(client, secret))) return;
    throw RegistrationError.because(fieldInvalid('client_secret', "must be the client's own"));
  }

  /**
   * @param client of the method client_secret_jwt
   * @returns its secret, the key of its HMAC (OIDC Core s9)
   * @throws Error if it cannot be decrypted: a key is missing in the configuration, or the row was changed
   */
  decryptSecret(client: Pick<RegisteredClient, 'clientId' | 'secretEncrypted'>): string {
    return this.secrets.decrypt(client);
  }

  /**
   * Registers a new client (RFC 7591 s3.2.1) and remembers the `jti` of the request until it expires: one statement,
   * shared with the requests of the same moment.
   * @param metadata verified
   * @param software verified
   * @param options.maxPerSoftware most clients of one software of one directory, 0 for any number
   * @param options.interactionId of the request, for the audit event
   * @throws RegistrationError if a request with this `jti` was accepted before, or there are too many clients
   */
  async register(
    metadata: ClientMetadata,
    software: RegisteringSoftware,
    { maxPerSoftware, interactionId }: { maxPerSoftware: number; interactionId: string },
  ): Promise<RegistrationOutcome> {
    const client = this.#createClient(metadata, software, interactionId);
    const isStored =
      maxPerSoftware === 0
        ? await this.#registrations.add(client)
        : await this.database.transaction((runner) => this.#storeIfAllowed(runner, client, maxPerSoftware));
    if (!isStored) throw jwtIdUsed();
    const { clientId, now: clientIdIssuedAt, secret } = client;
    return {
      registration: toRegistration({ clientId, clientIdIssuedAt, metadata, software }),
      ...(secret === undefined ? {} : { clientSecret: secret.secret }),
    };
  }

  #createClient(metadata: ClientMetadata, software: RegisteringSoftware, interactionId: string): NewClient {
    const clientId = randomUUID();
    const { tokenEndpointAuthMethod } = metadata;
    const secret = this.secrets.isIssuedFor(tokenEndpointAuthMethod)
      ? this.secrets.issue(clientId, tokenEndpointAuthMethod)
      : undefined;
    return { clientId, metadata, software, secret, now: this.clock.now(), interactionId };
  }

  async #storeIfAllowed(runner: StatementRunner, client: NewClient, maxPerSoftware: number): Promise<boolean> {
    const { softwareId, directoryIssuer } = client.software;
    // One after the other for each software: two simultaneous ones would both find the last place free.
    await runner.query('lock-software', lockSoftwareSql, [softwareId, directoryIssuer]);
    const software = [softwareId, directoryIssuer];
    const { rows } = await runner.query<{ count: number }>('count-clients', countClientsSql, software);
    if ((rows[0]?.count ?? 0) >= maxPerSoftware) {
      const message = 'The software already has as many registrations as this bank allows.';
      throw RegistrationError.because(createFault('Field.Invalid', message, 'software_statement.software_id'));
    }
    const [isStored = false] = await this.#storeTogether(runner, [client]);
    return isStored;
  }

  /** @returns whether each was stored: only if its jti was new */
  async #storeTogether(runner: StatementRunner, clients: readonly NewClient[]): Promise<boolean[]> {
    const values = registrationsOf(clients, this.database.applicationName);
    const { rows } = await runner.query<{ client_id: string }>(...registerClients.with(values));
    const stored = new Set(rows.map((row) => row.client_id));
    return clients.map(({ clientId }) => stored.has(clientId));
  }

  /**
   * Replaces the metadata of a client (RFC 7592 s2.2). Its id and its secret stay. A client gets a new secret only if
   * it changes to client_secret_jwt, because the old one is stored only as a hash, or if it needs one and has none.
   * @param client the client as it is now
   * @param interactionId of the request, for the audit event
   * @returns undefined if the client was deleted meanwhile
   * @throws RegistrationError if the software belongs to another registration, or the `jti` was used before
   */
  async replace(
    client: RegisteredClient,
    metadata: ClientMetadata,
    software: RegisteringSoftware,
    interactionId: string,
  ): Promise<RegistrationOutcome | undefined> {
    verifySameSoftware(client, software);
    const { clientId } = client;
    const now = this.clock.now();
    const { tokenEndpointAuthMethod } = metadata;
    const needsSecret =
      client.secretHash.length === 0
        ? this.secrets.isIssuedFor(tokenEndpointAuthMethod)
        : tokenEndpointAuthMethod === 'client_secret_jwt' && client.secretEncrypted === undefined;
    const secret = needsSecret ? this.secrets.issue(clientId, tokenEndpointAuthMethod) : undefined;
    const replacement = { clientId, metadata, software, secret, now, interactionId };
    const formerProfile = client.fapiProfile ?? 'fapi1-advanced';
    const values = replacementOf(replacement, formerProfile, this.database.applicationName);
    const { rows } = await this.database.query<ReplacedRow>(...replaceClient.with(values));
    if (rows[0]?.is_redeemed !== true) throw jwtIdUsed();
    const { client_id_issued_at: clientIdIssuedAt, fapi_profile: fapiProfile } = rows[0];
    if (clientIdIssuedAt === null || fapiProfile === null) return undefined;
    return {
      registration: toRegistration({ clientId, clientIdIssuedAt, metadata: { ...metadata, fapiProfile }, software }),
      ...(secret === undefined ? {} : { clientSecret: secret.secret }),
    };
  }

  /**
   * Deletes a client (RFC 7592 s2.3): a tombstone keeps its id. The caller revokes its tokens and codes.
   * @param runner the transaction in which that happens
   * @param interactionId of the request, for the audit event
   * @returns whether there was such a client
   */
  async delete(runner: StatementRunner, clientId: string, interactionId: string): Promise<boolean> {
    const parameters = [clientId, this.clock.now(), interactionId, this.database.applicationName];
    const { rowCount } = await runner.query('delete-client', deleteClientSql, parameters);
    return rowCount === 1;
  }
}

function toRegistration({
  clientId,
  clientIdIssuedAt,
  metadata,
  software,
}: Pick<NewClient, 'clientId' | 'metadata' | 'software'> & { clientIdIssuedAt: Date }): ClientRegistration {
  const { orgId, softwareId, jwksUri, organisationIdentifier } = software;
  return {
    clientId,
    clientIdIssuedAt,
    orgId,
    softwareId,
    ...(organisationIdentifier === undefined ? {} : { organisationIdentifier }),
    jwksUri,
    metadata,
  };
}

/** A registration belongs to one software forever: otherwise a TPP could hand its consents to another. */
function verifySameSoftware(client: RegisteredClient, software: RegisteringSoftware): void {
  const name =
    client.orgId !== software.orgId ? 'org_id' : client.softwareId !== software.softwareId ? 'software_id' : undefined;
  if (name === undefined) return;
  const message = `The ${name} of the software statement must be the one of the registration.`;
  throw RegistrationError.because(createFault('Field.Invalid', message, `software_statement.${name}`));
}

function jwtIdUsed(): RegistrationError {
  return RegistrationError.because(fieldInvalid('jti', 'was used in an earlier registration request'));
}

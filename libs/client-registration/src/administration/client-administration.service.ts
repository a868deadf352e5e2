import { Injectable } from '@nestjs/common';
import type { OAuthClient } from '#libs/oauth';
import { Database, DatabaseReader, membersOf, type RowOf, type StatementRunner } from '#libs/persistence';
import type { ClientStatus } from '../client-status.js';
import { ClientSecrets } from '../secrets/client-secrets.service.js';
import {
  changeSecretSql,
  changeStatusSql,
  listClientsSql,
  lockSecretSql,
  removeClientSql,
  showClientSql,
} from './administration-sql.js';
import { type ClientRule, type ClientRules, clientRules } from './client-rules.js';

/** A client as the bank's operators see it: in any status, without its secret. */
export interface AdministeredClient extends ClientRules {
  clientId: string;
  status: ClientStatus;
  clientName: string;
  orgId: string;
  orgName: string;
  softwareId: string;
  tokenEndpointAuthMethod: string;
  scope: string;
  redirectUris: string[];
  grantTypes: string[];
  jwksUri: string;
  /** `iss` of its software statement */
  directoryIssuer: string;
  clientIdIssuedAt: Date;
  updatedAt: Date;
  deletedAt?: Date;
}

export interface ClientFilter {
  status?: ClientStatus;
  orgId?: string;
  softwareId?: string;
}

/**
 * The bank's own changes of registered clients. They run in the caller's transaction, in which the caller records the
 * actor.
 */
@Injectable()
export class ClientAdministration {
  readonly #secrets: ClientSecrets;

  constructor(
    private readonly database: Database,
    private readonly reader: DatabaseReader,
    secrets: ClientSecrets,
  ) {
    this.#secrets = secrets;
  }

  /** @param filter without a status, it includes tombstones */
  async list({ status, orgId, softwareId }: ClientFilter = {}): Promise<AdministeredClient[]> {
    const parameters = [status ?? null, orgId ?? null, softwareId ?? null];
    const { rows } = await this.reader.query<RowOf<AdministeredClient>>('list-clients', listClientsSql, parameters);
    return rows.map((row) => membersOf<AdministeredClient>(row));
  }

  /** @param clientId a UUID */
  async find(clientId: string): Promise<AdministeredClient | undefined> {
    const { rows } = await this.database.query<RowOf<AdministeredClient>>('show-client', showClientSql, [clientId]);
    return rows[0] && membersOf<AdministeredClient>(rows[0]);
  }

  /**
   * Active to Suspended: after the commit, every instance refuses the client.
   * @returns whether the client was Active
   */
  suspend(runner: StatementRunner, clientId: string, now: Date): Promise<boolean> {
    return this.#changeStatus(runner, [clientId, 'Active', 'Suspended', now]);
  }

  /**
   * Suspended to Active; unexpired tokens are valid again.
   * @returns whether the client was Suspended
   */
  resume(runner: StatementRunner, clientId: string, now: Date): Promise<boolean> {
    return this.#changeStatus(runner, [clientId, 'Suspended', 'Active', now]);
  }

  #changeStatus(
    runner: StatementRunner,
    change: readonly [clientId: string, from: ClientStatus, to: ClientStatus, now: Date],
  ): Promise<boolean> {
    const parameters = [...change, this.database.applicationName];
    return changed(runner.query('change-client-status', changeStatusSql, parameters));
  }

  /**
   * To Deleted, permanently. The caller revokes tokens and codes.
   * @returns whether the client was there
   */
  remove(runner: StatementRunner, clientId: string, now: Date): Promise<boolean> {
    return changed(runner.query('remove-client', removeClientSql, [clientId, now, this.database.applicationName]));
  }

  /**
   * Changes a rule for a client.
   * @param change.value what the operator chose, where there is a choice
   * @returns whether there is such a client, and it can follow the rule
   */
  changeRule(
    runner: StatementRunner,
    { rule, ...change }: { rule: ClientRule; clientId: string; value: string | undefined; now: Date },
  ): Promise<boolean> {
    return changed(runner.query(...clientRules[rule].change.with(change)));
  }

  /**
   * Gives a client a new secret; the old one ends with the transaction.
   * @returns the secret, to be shown once; undefined if there is no such client
   */
  async rotateSecret(runner: StatementRunner, clientId: string, now: Date): Promise<string | undefined> {
    const { rows } = await runner.query<{ token_endpoint_auth_method: OAuthClient['tokenEndpointAuthMethod'] }>(
      'lock-client-secret',
      lockSecretSql,
      [clientId],
    );
    const method = rows[0]?.token_endpoint_auth_method;
    if (method === undefined) return undefined;
    const { secret, secretHash, secretEncrypted } = this.#secrets.issue(clientId, method);
    await runner.query('change-client-secret', changeSecretSql, [
      clientId,
      secretHash,
      secretEncrypted ?? null,
      now,
      this.database.applicationName,
    ]);
    return secret;
  }
}

async function changed(outcome: Promise<{ readonly rowCount: number | null }>): Promise<boolean> {
  const { rowCount } = await outcome;
  return rowCount === 1;
}

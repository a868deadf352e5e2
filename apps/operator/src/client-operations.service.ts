import { Injectable } from '@nestjs/common';
import {
  type AdministeredClient,
  ClientAdministration,
  type ClientFilter,
  type ReEncryption,
  SecretReEncryption,
} from '#libs/client-registration';
import { endApprovalsOfClient, putBackAllReleased } from '#libs/payment-order';
import { Clock, Config } from '#libs/config';
import { countAccessToEnd, endAccessOfClient } from '#libs/access-consent';
import {
  type AuditEvent,
  Database,
  listAuditEventsOfClient,
  readTime,
  recordAuditEvent,
  type StatementRunner,
} from '#libs/persistence';
import { AccessTokenStore } from '#libs/token-store';
import type { RuleCommand } from './command.js';
import { OperatorError } from './operator-error.js';

/** Who requests a change, and why. */
export interface Mandate {
  actor: string;
  reason?: string | undefined;
  /** uses up the request that a second person confirms; the first statement in the transaction of the deed */
  confirm?: (runner: StatementRunner) => Promise<void>;
}

/** Further effects of a change: counts by kind. */
type Effects = Readonly<Record<string, number>>;
type Change<Result> = (runner: StatementRunner, now: Date) => Promise<Result>;

/** Operations of the bank's operators on clients. Each change and its audit event are one transaction. */
@Injectable()
export class ClientOperations {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly clients: ClientAdministration,
    private readonly tokens: AccessTokenStore,
    private readonly reEncryption: SecretReEncryption,
  ) {}

  /** Reads write no audit event. */
  list(filter: ClientFilter = {}): Promise<AdministeredClient[]> {
    return this.clients.list(filter);
  }

  /**
   * @returns the client; of a removed one also how many consents to access the worker has still to end, 0 when it has
   * @throws OperatorError if there is no such client
   */
  async show(clientId: string): Promise<AdministeredClient & { accessConsentsToEnd?: number }> {
    const client = await this.clients.find(clientId);
    if (client === undefined) throw new OperatorError(`There is no client ${clientId}.`, 'refused');
    if (client.status !== 'Deleted') return client;
    return { ...client, accessConsentsToEnd: (await countAccessToEnd(this.database, clientId)) ?? 0 };
  }

  /**
   * @returns what operators did to the client, the oldest first
   * @throws OperatorError if there is no such client
   */
  async history(clientId: string): Promise<AuditEvent[]> {
    await this.show(clientId);
    return listAuditEventsOfClient(this.database, clientId);
  }

  /**
   * Every instance refuses the client from now on, its tokens, its codes and its customers' sign-ins. Its payment
   * orders that await further approvals end; approved ones not yet handed over wait until the client is resumed or an
   * operator decides. If an earlier suspension ended half way, the same command ends the rest before it refuses.
   */
  async suspend(clientId: string, mandate: Mandate): Promise<AdministeredClient> {
    try {
      return await this.#change('suspend', clientId, mandate, async (runner, now) => {
        if (!(await this.clients.suspend(runner, clientId, now))) return undefined;
        return { paymentOrdersEnded: await endApprovalsOfClient(runner, { clientId, now }) };
      });
    } finally {
      while ((await this.#endApprovalsOfSuspended(clientId)) > 0);
    }
  }

  /** One step of a long list, unless somebody resumes the client meanwhile. The worker ends it for a removed client. */
  async #endApprovalsOfSuspended(clientId: string): Promise<number> {
    const client = await this.clients.find(clientId);
    if (client?.status !== 'Suspended') return 0;
    return endApprovalsOfClient(this.database, { clientId, now: await this.#now() });
  }

  /** Payment orders stopped because of the client continue. */
  async resume(clientId: string, mandate: Mandate): Promise<AdministeredClient> {
    const client = await this.#change('resume', clientId, mandate, (runner, now) =>
      this.clients.resume(runner, clientId, now),
    );
    await putBackAllReleased(this.database, await this.#now());
    return client;
  }

  /** As DELETE /register/{ClientId}: leaves a tombstone and ends everything that the client had. */
  remove(clientId: string, mandate: Mandate): Promise<AdministeredClient> {
    return this.#change('remove', clientId, mandate, async (runner, now) => {
      if (!(await this.clients.remove(runner, clientId, now))) return undefined;
      await this.tokens.revokeOfClient(runner, { clientId, now });
      await endAccessOfClient(runner, { clientId, now });
      return { paymentOrdersEnded: await endApprovalsOfClient(runner, { clientId, now }) };
    });
  }

  /**
   * The bank holds the client to another rule from its next request on.
   * @throws OperatorError when this service does not have the profile, or the client authenticates with a secret in
   * FAPI 2.0
   */
  async changeRule({ name: rule, clientId, value, mandate }: RuleCommand): Promise<AdministeredClient> {
    if (rule === 'set-profile' && !this.config.profile.fapiProfiles.some((profile) => profile === value)) {
      throw new OperatorError(`FAPI_PROFILES does not name ${value}.`, 'refused');
    }
    return this.#change(rule, clientId, mandate, (runner, now) =>
      this.clients.changeRule(runner, { rule, clientId, value, now }),
    );
  }

  /** @returns the new secret, this once */
  async rotateSecret(clientId: string, mandate: Mandate): Promise<{ clientId: string; clientSecret: string }> {
    const clientSecret = await this.#audited('rotate-secret', clientId, mandate, (runner, now) =>
      this.clients.rotateSecret(runner, clientId, now),
    );
    return { clientId, clientSecret };
  }

  /** Encrypts all secrets with the current key. */
  async reEncryptSecrets({ actor, reason }: Mandate): Promise<ReEncryption> {
    const outcome = await this.reEncryption.run();
    await recordAuditEvent(this.database, {
      actor,
      action: 'secrets.re-encrypt',
      details: { ...outcome, ...(reason === undefined ? {} : { reason }) },
      occurredAt: await this.#now(),
    });
    return outcome;
  }

  async #change(
    verb: string,
    clientId: string,
    mandate: Mandate,
    change: Change<boolean | Effects | undefined>,
  ): Promise<AdministeredClient> {
    await this.#audited(
      verb,
      clientId,
      mandate,
      async (runner, now) => (await change(runner, now)) || undefined,
      (effects) => (effects === true ? {} : effects),
    );
    return this.show(clientId);
  }

  /**
   * @param describe what the audit event says about the change, besides its reason
   * @throws OperatorError if the change found nothing to change; then nothing is recorded
   */
  async #audited<Result>(
    verb: string,
    clientId: string,
    { actor, reason }: Mandate,
    change: Change<Result | undefined>,
    describe: (result: Result) => Effects = () => ({}),
  ): Promise<Result> {
    return this.database.transaction(async (runner) => {
      const occurredAt = await this.#now(runner);
      const result = await change(runner, occurredAt);
      if (result === undefined) throw await this.#refusal(verb, clientId);
      const details = { ...(reason === undefined ? {} : { reason }), ...describe(result) };
      await recordAuditEvent(runner, { actor, action: `client.${verb}`, clientId, details, occurredAt });
      return result;
    });
  }

  #now(runner: StatementRunner = this.database): Promise<Date> {
    return readTime(runner, this.clock.ofDatabase());
  }

  async #refusal(verb: string, clientId: string): Promise<OperatorError> {
    const { status, tokenEndpointAuthMethod: method } = await this.show(clientId);
    const isOfMethod = verb === 'set-profile' && status !== 'Deleted';
    const why = isOfMethod ? `authenticates with ${method}, which FAPI 2.0 does not allow` : `is ${status}`;
    return new OperatorError(`Client ${clientId} ${why}: ${verb} is not possible.`, 'refused');
  }
}

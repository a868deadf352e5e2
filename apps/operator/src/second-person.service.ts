import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import { Database, DatabaseReader, readTime, recordAuditEvent, type StatementRunner } from '#libs/persistence';
import type { Mandate } from './client-operations.service.js';
import { OperatorError } from './operator-error.js';
import type { ServiceCommand } from './command.js';
import { nameOfActor } from './name-of-actor.js';

/** Commands that end payments or access. */
type CommandForTwo = ServiceCommand & { name: 'reject' | 'conclude' | 'end-access' | 'stop' | 'continue' };

/** @returns whether a second person has to confirm the command, with OPERATOR_FOUR_EYES */
export function isForTwo(command: ServiceCommand): command is CommandForTwo {
  if (command.name === 'stop' || command.name === 'continue') return command.target.scope === 'All';
  return command.name === 'reject' || command.name === 'conclude' || command.name === 'end-access';
}

/** A request that a second person is asked to confirm. */
export interface PendingRequest {
  readonly requestId: string;
  readonly command: CommandForTwo;
  readonly requestedBy: string;
  readonly reason: string;
  readonly expiresAt: Date;
}

/** A request is valid for a day. */
const validMilliseconds = 86_400_000;

/**
 * Four eyes (OPERATOR_FOUR_EYES): commands that end payments or access, or affect all payments, need another person's
 * confirmation. The database account identifies a person: a name that somebody gives, and the account at the terminal
 * (`unshare`, containers), can be anybody's.
 */
@Injectable()
export class SecondPerson {
  readonly isNeeded: boolean;

  constructor(
    private readonly database: Database,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.isNeeded = config.filePayment.needsSecondPerson;
  }

  /** @returns the mandate with the person who really acts */
  async sign<Given extends Mandate>(mandate: Given): Promise<Given> {
    if (!this.isNeeded) return mandate;
    const { rows } = await this.database.query<{ account: string }>('who-acts', 'SELECT session_user AS account', []);
    return { ...mandate, actor: nameOfActor(rows[0]!.account) };
  }

  /** Stores a request for confirmation. */
  async request(command: CommandForTwo, { actor, reason = '' }: Mandate): Promise<object> {
    const requestId = randomUUID();
    const now = await readTime(this.database, this.clock.ofDatabase());
    const expiresAt = new Date(now.getTime() + validMilliseconds);
    await this.database.transaction(async (runner) => {
      await runner.query(
        'create-operator-request',
        `INSERT INTO operator_requests (request_id, command, requested_by, reason, requested_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [requestId, JSON.stringify(command), actor, reason, now, expiresAt],
      );
      const details = { requestId, ...describe(command), ...(reason === '' ? {} : { reason }) };
      await recordAuditEvent(runner, { actor, action: 'operator.request', details, occurredAt: now });
    });
    return { requestId, done: 'requested', confirmWith: `payments confirm ${requestId}`, expiresAt };
  }

  /** @returns the requests that await confirmation, the oldest first, at most 500 */
  async findPending(): Promise<PendingRequest[]> {
    const { rows } = await this.reader.query<PendingRequest & { [column: string]: unknown }>(
      'find-operator-requests',
      `SELECT request_id AS "requestId", command, requested_by AS "requestedBy", reason, expires_at AS "expiresAt"
         FROM operator_requests WHERE confirmed_at IS NULL AND expires_at > $1 ORDER BY requested_at LIMIT 500`,
      [this.clock.ofDatabase()],
    );
    return rows;
  }

  /**
   * Confirms a request and carries it out, once. The first transaction of the deed uses it up: if the database fails
   * before that, it stays open.
   * @param carryOut the requested command, on behalf of the requester
   * @throws OperatorError if there is no such request, the same person made it, or it cannot be carried out
   */
  async confirm(
    requestId: string,
    { actor, reason }: Mandate,
    carryOut: (command: CommandForTwo) => Promise<unknown>,
  ): Promise<unknown> {
    const now = await readTime(this.database, this.clock.ofDatabase());
    const parameters = [requestId, actor, now];
    const { rows } = await this.database.query<{ command: CommandForTwo }>(
      'find-operator-request',
      `SELECT command FROM operator_requests ${confirmable}`,
      parameters,
    );
    const [{ command } = { command: undefined }] = rows;
    if (command === undefined) throw notConfirmable(requestId, actor);
    if (!isForTwo(command))
      throw new TypeError(`The request ${requestId} is for nothing that a second person confirms.`);
    const useUp = async (runner: StatementRunner): Promise<boolean> => {
      const { rowCount } = await runner.query(
        'confirm-operator-request',
        `UPDATE operator_requests SET confirmed_by = $2, confirmed_at = $3 ${confirmable}`,
        parameters,
      );
      if (rowCount !== 1) return false;
      const details = { requestId, ...describe(command), ...(reason !== undefined && { reason }) };
      await recordAuditEvent(runner, { actor, action: 'operator.confirm', details, occurredAt: now });
      return true;
    };
    const confirm = async (runner: StatementRunner): Promise<void> => {
      if (!(await useUp(runner))) throw notConfirmable(requestId, actor);
    };
    try {
      return await carryOut({ ...command, mandate: { ...command.mandate, confirm } } as CommandForTwo);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      // The deed was refused, and its transaction rolled back.
      await this.database.transaction(useUp);
      const message = `${error.message} The request ${requestId} is used up: for another attempt, make a new one.`;
      throw new OperatorError(message, error.reason, { cause: error });
    }
  }
}

const confirmable = `
  WHERE request_id = $1 AND confirmed_at IS NULL AND expires_at > $3
    AND replace(requested_by, ' ', '') <> replace($2, ' ', '')`;

function notConfirmable(requestId: string, actor: string): OperatorError {
  const fault =
    `There is no request ${requestId} that ${actor} can confirm: it must be open, and made by another database ` +
    'account. For another attempt at a request that is used up, make a new one.';
  return new OperatorError(fault, 'refused');
}

/** What the audit event says about a command. */
function describe(command: CommandForTwo): Record<string, unknown> {
  const { name, ...rest } = command;
  const { mandate: _, ...operands } = rest as Record<string, unknown>;
  return { command: name, ...operands };
}

import { Injectable } from '@nestjs/common';
import { AuthorizationSessionService, PaymentApprovalService } from '#libs/authorization-session';
import { Clock, Config } from '#libs/config';
import { ConsentService } from '#libs/consent';
import { eraseOldPaymentFiles } from '#libs/file-payment';
import { Database } from '#libs/persistence';
import { TokenHousekeeping } from '#libs/token-store';

/** Rows of one table ended or removed at once: long lists are worked off in small steps, beside the requests. */
const batchSize = 500;

/** Ends what has expired and removes what nothing needs any more. */
@Injectable()
export class Housekeeping {
  readonly #consents: ConsentService;
  readonly #tokens: TokenHousekeeping;
  readonly #sessions: AuthorizationSessionService;
  readonly #approvals: PaymentApprovalService;
  readonly #database: Database;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(
    consents: ConsentService,
    tokens: TokenHousekeeping,
    sessions: AuthorizationSessionService,
    approvals: PaymentApprovalService,
    database: Database,
    config: Config,
    clock: Clock,
  ) {
    this.#consents = consents;
    this.#tokens = tokens;
    this.#sessions = sessions;
    this.#approvals = approvals;
    this.#database = database;
    this.#config = config;
    this.#clock = clock;
  }

  async run(): Promise<void> {
    await this.#consents.rejectExpired(batchSize);
    await this.#tokens.deleteExpired({ now: this.#clock.now(), batchSize });
    await this.#deleteIdempotencyKeys();
    await this.#eraseFiles();
    await this.#sessions.deleteExpired({ now: this.#clock.now(), batchSize });
    const { approvalSeconds } = this.#config.authorization;
    await this.#approvals.endOverdue({ now: this.#clock.now(), batchSize, approvalSeconds });
  }

  async #eraseFiles(): Promise<void> {
    const { retentionDays } = this.#config.filePayment;
    if (retentionDays === 0) return;
    const now = this.#clock.now();
    const uploadedBefore = new Date(now.getTime() - retentionDays * 86_400_000);
    await eraseOldPaymentFiles(this.#database, { uploadedBefore, limit: batchSize, now });
  }

  async #deleteIdempotencyKeys(): Promise<void> {
    await this.#database.query(
      'delete-expired-idempotency-keys',
      // A key that a request claims anew while we are at it is locked or no longer expired, and stays.
      `DELETE FROM idempotency_keys WHERE expires_at <= $1 AND (client_id, operation, idempotency_key) IN (
         SELECT client_id, operation, idempotency_key FROM idempotency_keys WHERE expires_at <= $1
          ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [this.#clock.now(), batchSize],
    );
  }
}

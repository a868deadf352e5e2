import { Inject, Injectable, Logger, type OnModuleInit, Optional } from '@nestjs/common';
import { AuditNotes } from '#libs/audit';
import { BankAnswerError, BankRefusedError, BankUnavailableError, PsuStates, type PsuState } from '#libs/bank';
import { Config } from '#libs/config';
import { type InvalidGrantError, TemporarilyUnavailableError } from '#libs/oauth';
import { metricsOf, Telemetry } from '#libs/telemetry';
import { RefreshGrantStore } from '#libs/token-store';

/** A customer's approval that a client wants to use. */
export interface UsedApproval {
  readonly psuId: string;
  /** the hash of its code (`hashToken`) */
  readonly grantHash: Buffer;
  readonly clientId: string;
  readonly now: Date;
  readonly interactionId: string;
}

/**
 * Asks the bank, at each use of a code or a refresh token, whether the customer is locked or closed (CVE-2024-8995,
 * CVE-2026-8922: approvals outlived their customers). A locked customer's approvals are refused while the lock lasts;
 * those of a closed one end for good.
 */
@Injectable()
export class CustomerStanding implements OnModuleInit {
  readonly #logger = new Logger('CustomerStanding');
  readonly #answers = new Map<PsuState | 'NotOffered' | 'Unknown', number>();

  constructor(
    // Absent where CUSTOMER_STATE_CHECK is off: this process then has no connection to the bank.
    @Optional() @Inject(PsuStates) private readonly states: PsuStates | undefined,
    private readonly grants: RefreshGrantStore,
    private readonly notes: AuditNotes,
    private readonly config: Config,
    private readonly telemetry: Telemetry,
  ) {}

  onModuleInit(): void {
    if (this.states === undefined) return;
    metricsOf(this.telemetry.registry).counter(
      'open_banking_customer_states_total',
      'Answers of the bank when a code or refresh token was used.',
      ['state'],
      (add) => {
        for (const [state, count] of this.#answers) add({ state: state.toLowerCase() }, count);
      },
    );
  }

  /**
   * @param createRefusal makes the error that refuses the code or the refresh token
   * @throws that error if the bank has locked or closed the customer; TemporarilyUnavailableError if the bank does not
   * answer, and CUSTOMER_STATE_CHECK is `hard`
   */
  async assertGood(
    approval: UsedApproval,
    createRefusal: (reason: 'customer-locked' | 'customer-closed') => InvalidGrantError,
  ): Promise<void> {
    if (this.states === undefined) return;
    const { clientId } = approval;
    const state = await this.#ask(this.states, approval);
    this.#answers.set(state, (this.#answers.get(state) ?? 0) + 1);
    if (state === 'Locked') {
      this.notes.note({ action: 'psu.locked', clientId, reason: 'use of an approval' });
      throw createRefusal('customer-locked');
    }
    if (state === 'Closed') {
      await this.grants.endOfClosedPsu(approval);
      throw createRefusal('customer-closed');
    }
    if (state === 'Unknown' && this.config.bank.customerStateCheck === 'hard') {
      throw new TemporarilyUnavailableError({
        detail: 'the bank does not answer whether the customer is locked or closed',
      });
    }
  }

  async #ask(
    states: PsuStates,
    { psuId, clientId, interactionId }: UsedApproval,
  ): Promise<PsuState | 'NotOffered' | 'Unknown'> {
    try {
      const state = await states.findState({ psuId, call: { interactionId } });
      // A bank that once offered it may have lost a route: the audit trail shows since when nobody was asked.
      if (state === 'NotOffered') this.notes.note({ action: 'psu.state-unknown', clientId, reason: 'not offered' });
      return state;
    } catch (error) {
      const isOfBank = [BankUnavailableError, BankRefusedError, BankAnswerError].some((kind) => error instanceof kind);
      if (!isOfBank) throw error;
      this.#logger.warn({
        message: 'The bank does not answer whether a customer is locked or closed.',
        interactionId,
        error,
      });
    }
    this.notes.note({ action: 'psu.state-unknown', clientId, reason: this.config.bank.customerStateCheck });
    return 'Unknown';
  }
}

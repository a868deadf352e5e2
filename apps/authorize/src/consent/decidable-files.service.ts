import { Injectable } from '@nestjs/common';
import { isAwaitingAuthorisation } from '#libs/customer-session';
import { PaymentAccounts, type PaymentAccount } from '#libs/bank';
import { Clock } from '#libs/config';
import { parseDateTime } from '#libs/obie-rules';
import type { OpenSession } from '../psu-session/open-session.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
import type { Decidable } from './consent-pages.service.js';
import { parsePaymentsToApprove, type PaymentsToApprove } from './payments-to-approve.js';
import { selectAccounts } from './select-accounts.js';

/** Checks whether this PSU can decide on a file now; used by the page, the button and the answer to the challenge. */
@Injectable()
export class DecidableFiles {
  constructor(
    private readonly psuSessions: PsuSessions,
    private readonly paymentAccounts: PaymentAccounts,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the file, asks the bank for the accounts and checks that this PSU can authorise it at all.
   * @returns undefined for a session without intent
   * @throws OAuthError that goes to the TPP
   */
  async getDecidable(open: OpenSession): Promise<Decidable | undefined> {
    const { consent, session, call } = open;
    if (session.consentId === undefined) return undefined;
    const now = this.clock.now();
    // Another session, the TPP or expiry was faster.
    if (consent === undefined || !isAwaitingAuthorisation(consent, now)) {
      return this.psuSessions.leaveByPage(open, { ending: 'ConsentChanged', rejectConsent: false });
    }
    const file = parsePaymentsToApprove(consent);
    await this.#assertInTime(open, file, now);
    const accounts = await this.paymentAccounts.findPaymentAccounts({ psuId: session.psuId ?? '', call });
    return { file, accounts: await this.#getSelectable(open, accounts, file) };
  }

  async #assertInTime(open: OpenSession, { authorisation }: PaymentsToApprove, now: Date): Promise<void> {
    const deadline = parseDateTime(authorisation?.CompletionDateTime ?? '');
    if (deadline === undefined || deadline > now) return;
    await this.psuSessions.leaveByPage(open, { ending: 'TooLate', rejectConsent: true });
  }

  async #getSelectable(
    open: OpenSession,
    accounts: readonly PaymentAccount[],
    file: PaymentsToApprove,
  ): Promise<readonly PaymentAccount[]> {
    const selection = selectAccounts(accounts, file);
    if (selection.outcome === 'Selectable') return selection.accounts;
    return this.psuSessions.leaveByPage(open, { ending: selection.outcome, rejectConsent: true });
  }
}

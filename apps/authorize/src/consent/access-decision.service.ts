import { Injectable } from '@nestjs/common';
import { isAccessDecidable, type AccessToDecide, type SessionChallenge } from '#libs/customer-session';
import { PaymentAccounts, type PaymentAccount } from '#libs/bank';
import { Clock } from '#libs/config';
import { isSameAccount, type AccountIdentification } from '#libs/obie-rules';
import type { OpenSession } from '../psu-session/open-session.js';
import { PsuSessions } from '../psu-session/psu-sessions.service.js';
import { accountsByName, nameOf, nameOfChosen, toObieAccount } from './account-value.js';

/** Accounts of a decision, in the names of OBCashAccount. */
export type ChosenAccounts = NonNullable<SessionChallenge['accounts']>;

/**
 * Checks whether this PSU can decide on the access now; used by the page, the button and the answer to the challenge.
 */
@Injectable()
export class AccessDecision {
  constructor(
    private readonly psuSessions: PsuSessions,
    private readonly accounts: PaymentAccounts,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the accounts that the PSU may choose from
   * @throws OAuthError that goes to the TPP
   */
  async getAccounts(open: OpenSession, access: AccessToDecide): Promise<readonly PaymentAccount[]> {
    await this.assertDecidable(open, access);
    const { psuId = '' } = open.session;
    const accounts = await this.accounts.findPaymentAccounts({ psuId, call: open.call });
    const { debtorAccount } = access.terms;
    if (debtorAccount !== undefined) return this.#getNamed(open, accounts, debtorAccount);
    if (accounts.length > 0) return accounts;
    return this.psuSessions.leaveByPage(open, { ending: 'NoAccountToShare', rejectConsent: true });
  }

  // The page says the same whether it is somebody else's or does not exist.
  async #getNamed(
    open: OpenSession,
    accounts: readonly PaymentAccount[],
    named: AccountIdentification,
  ): Promise<readonly PaymentAccount[]> {
    const account = accounts.find((own) => isUsable(own) && isSameAccount(toObieAccount(own), named));
    if (account !== undefined) return [account];
    return this.psuSessions.leaveByPage(open, { ending: 'AccountNotUsable', rejectConsent: true });
  }

  /**
   * @returns the chosen accounts: the one that the request names, or those in the form; undefined if the form has none
   */
  choose(
    { terms }: AccessToDecide,
    page: { accounts: readonly PaymentAccount[]; sent: readonly string[]; sessionValue: string },
  ): ChosenAccounts | undefined {
    return terms.debtorAccount === undefined ? findChosen(page.sent, page) : page.accounts.map(toChosen);
  }

  /**
   * @throws JourneyEndedError if another session, the TPP or expiry was faster, or somebody else has given this access
   */
  async assertDecidable(open: OpenSession, access: AccessToDecide): Promise<void> {
    const { psuId } = open.session;
    if (isAccessDecidable(access, { psuId, now: this.clock.now() })) return;
    await this.psuSessions.leaveByPage(open, { ending: 'ConsentChanged', rejectConsent: false });
  }

  /** @returns whether the PSU still has the chosen accounts */
  async isStillGood(open: OpenSession, access: AccessToDecide): Promise<boolean> {
    const names = new Set((await this.getAccounts(open, access)).map(nameOf));
    const { accounts = [] } = open.session.challenge ?? {};
    return accounts.every((account) => names.has(nameOfChosen(account)));
  }
}

/**
 * @param sent values of the form
 * @returns the chosen accounts in page order; undefined if there is none or an unknown one
 */
export function findChosen(
  sent: readonly string[],
  { accounts, sessionValue }: { accounts: readonly PaymentAccount[]; sessionValue: string },
): ChosenAccounts | undefined {
  const named = accountsByName(accounts, sessionValue);
  const found = new Set(sent.map((value) => named.get(value)));
  if (found.size === 0 || found.has(undefined)) return undefined;
  return accounts.filter((account) => found.has(account)).map(toChosen);
}

function toChosen({ schemeName, identification, name }: PaymentAccount): ChosenAccounts[number] {
  return { ...toObieAccount({ schemeName, identification }), Name: name };
}

/** For access, an account without enough money is usable. */
function isUsable({ unusable }: PaymentAccount): boolean {
  return unusable === undefined || unusable === 'InsufficientFunds';
}

/** @returns the preselected accounts: those just chosen, or those of the last time */
export function chosenBefore({ session }: OpenSession, { accounts }: AccessToDecide): readonly string[] {
  return (session.challenge?.accounts ?? accounts).map((account) => nameOfChosen(account));
}

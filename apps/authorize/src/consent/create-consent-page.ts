import type { PaymentAccount } from '#libs/bank';
import { parseDecimalNumber } from '#libs/obie-rules';
import type { ConsentPage, JourneyPage, PaymentSummary, ShownAccount, ShownPayment } from '../pages/page-models.js';
import { formatAccount, formatDay, formatMoney, formatPaymentType, formatUnits } from './format.js';
import type { PaymentsToApprove } from './payments-to-approve.js';

/** @returns what the form sends back for an account */
export function accountValue({ schemeName, identification }: PaymentAccount): string {
  return `${schemeName}:${identification}`;
}

/**
 * Puts everything the PSU decides on into words. A single account is chosen already; of several none is, because money
 * should not leave an account that nobody picked.
 */
export function createConsentPage(content: {
  journey: JourneyPage;
  file: PaymentsToApprove;
  accounts: readonly PaymentAccount[];
  /** `debtor_account` of a form that is shown again */
  chosen?: string | undefined;
  /** where further approvers decide */
  approvalsAddress: string;
}): ConsentPage {
  const { journey, file, accounts, chosen, approvalsAddress } = content;
  const isShared = accounts.some(({ approvalsRequired }) => approvalsRequired > 1);
  return {
    ...journey,
    ...createPaymentSummary(file),
    accounts: accounts.map((account) => {
      const isChosen = accounts.length === 1 || accountValue(account) === chosen;
      return toShownAccount({ account, file, isChosen });
    }),
    approvalsAddress: isShared ? approvalsAddress : undefined,
  };
}

/** @returns what everybody sees who decides on a file, the first person and the further ones */
export function createPaymentSummary(file: PaymentsToApprove): PaymentSummary {
  const { payments, currency } = file;
  return {
    total: formatUnits(file.total, currency),
    count: payments.length,
    paymentType: formatPaymentType(file.localInstrument),
    when: describeDay(file),
    fileReference: file.fileReference,
    charges: file.charges.map(({ Amount }) => formatMoney(Amount.Amount, Amount.Currency)),
    payments: payments.map(toShownPayment),
    hasDays: payments.some(({ requestedExecutionDate }) => requestedExecutionDate !== undefined),
    fileHash: file.fileHash.toString('base64url'),
  };
}

function describeDay({ requestedExecutionDate, payments }: PaymentsToApprove): string {
  if (requestedExecutionDate !== undefined) return formatDay(requestedExecutionDate);
  const days = new Set(payments.map(({ requestedExecutionDate: own }) => own && formatDay(own)));
  const [only] = days;
  if (days.size > 1) return 'On the date of each payment';
  return only ?? 'As soon as possible';
}

function toShownPayment(payment: PaymentsToApprove['payments'][number], index: number): ShownPayment {
  const { creditorAccount, amount, currency, reference, unstructured, requestedExecutionDate } = payment;
  return {
    position: index + 1,
    creditorName: creditorAccount.Name,
    creditorAccount: formatAccount(creditorAccount.SchemeName, creditorAccount.Identification),
    reference: reference ?? unstructured ?? '',
    day: requestedExecutionDate === undefined ? '' : formatDay(requestedExecutionDate),
    amount: formatUnits(amount, currency),
  };
}

function toShownAccount(shown: { account: PaymentAccount; file: PaymentsToApprove; isChosen: boolean }): ShownAccount {
  const { account, file, isChosen } = shown;
  return {
    value: accountValue(account),
    name: account.name,
    identification: formatAccount(account.schemeName, account.identification),
    available: formatMoney(account.availableBalance, account.currency),
    notes: createNotes(account, file),
    isChosen,
  };
}

function createNotes({ approvalsRequired, availableBalance }: PaymentAccount, { total }: PaymentsToApprove): string[] {
  const notes: string[] = [];
  if (approvalsRequired > 1) {
    const others = approvalsRequired - 1;
    notes.push(`Needs approval by ${others} more ${others === 1 ? 'person' : 'people'} before any payment is made`);
  }
  // A negative balance has no such number and is below every total.
  const available = parseDecimalNumber(availableBalance);
  if (available === undefined || available < total) notes.push('Not enough money for this file at the moment');
  return notes;
}

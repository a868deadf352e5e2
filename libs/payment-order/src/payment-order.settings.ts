import { constant, format, type Format, group, made, setting, type ValuesOf } from '#libs/config';
import {
  type CutOffCalendar,
  mostPayments,
  parseCutOffTimes,
  parsePaymentLimits,
  type PaymentLimits,
} from '#libs/obie-rules';
import { mostPaymentIds } from './payment-id.js';

/** @returns a format for texts that match a pattern and are then parsed */
const formed = <T>(form: RegExp, must: string, parse: (text: string) => T): Format<T> => ({
  values: '',
  must,
  parse: (text) => (form.test(text) ? parse(text) : format.refuse()),
});
const paymentLimits: Format<PaymentLimits> = formed(
  /^(?:(?:FPS|BACS|CHAPS|BalanceTransfer)=\d{1,13}\.\d{2}(?:,(?!$)|$))*$/,
  'must be limits such as FPS=1000000.00, separated by commas',
  parsePaymentLimits,
);
const cutOffTimes: Format<{ strategy: 'accept' | 'reject'; times: CutOffCalendar['times'] }> = formed(
  /^(?:reject,(?!$))?(?:(?:FPS|BACS|CHAPS|BalanceTransfer)=(?:[01]\d|2[0-3]):[0-5]\d(?:\/daily)?(?:,(?!$)|$))*$/,
  'must be times such as BACS=16:00 or FPS=23:30/daily, separated by commas, after `reject,` if late payments are ' +
    'refused',
  (text) => ({
    strategy: text.startsWith('reject,') ? 'reject' : 'accept',
    times: parseCutOffTimes(text.replace('reject,', '')),
  }),
);
const days = format.list(/^\d{4}-\d{2}-\d{2}$/, 'must be days such as 2030-12-25, separated by commas');

export const filePaymentSettings = group('filePayment', 'Payments', {
  tokenMode: setting(
    'FILE_PAYMENT_TOKEN_MODE',
    "Which token POST /file-payments accepts: `psu_only` that of the customer's approval (the standard), " +
      '`client_only` that of the client, or `either`.',
    format.choice('either', 'psu_only', 'client_only'),
    { default: 'either', weakens: (mode) => mode !== 'psu_only' },
  ),
  /** seconds without progress after which another worker may take a file payment */
  leaseSeconds: constant('PAYMENT_LEASE_SECONDS', format.integer(1, 3_600), '15'),
  /** whether a second person must confirm what operators do to payments for good, or to all payments */
  needsSecondPerson: setting(
    'OPERATOR_FOUR_EYES',
    'Whether a second person must confirm `payments reject`, `payments conclude`, and `payments stop` and `resume` ' +
      'with `--all` (deploy/file-payments.md). Each operator needs a database account.',
    format.flag,
    { default: 'false' },
  ),
  /** number of invalid answers after which a file payment is held */
  faultLimit: constant('PAYMENT_FAULT_LIMIT', format.integer(1, 1_000), '10'),
  /** days after its execution until a payment without a final status is held: BACS and holidays may take that long */
  settlementDays: constant('PAYMENT_SETTLEMENT_DAYS', format.integer(1, 366), '10'),
  chapsCharge: setting(
    'CHAPS_CHARGE',
    'Charge in GBP for a CHAPS payment, or for a file of them, as a decimal.',
    format.matching(/^\d{1,13}\.\d{2}$/, 'must be an amount such as 25.00'),
    { optional: true },
  ),
  cutOff: made(
    [
      setting(
        'CUT_OFF_TIMES',
        'Cut-off times of payment types in London time, separated by commas: ' +
          "`BACS=16:00,CHAPS=17:40,FPS=23:30/daily`. Later payments are made on the scheme's next day; " +
          'with `reject,` before the times they are refused (deploy/file-payments.md).',
        cutOffTimes,
        { default: '' },
      ),
      setting(
        'BANK_HOLIDAYS',
        'Days besides weekends on which schemes do not run: `YYYY-MM-DD`, separated by commas.',
        days,
        {
          default: '',
          check: (each) =>
            each
              .filter((day) => !new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day))
              .map((day) => `names ${day}, which is not a day`),
        },
      ),
    ],
    ({ strategy, times }, holidays) => ({ strategy, calendar: { times, holidays } }),
  ),
});

/** The members of BankRules. */
export const bankRuleSettings = group('bankRules', 'Payments', {
  mostPayments: constant('PAYMENTS_OF_A_FILE', format.integer(1, mostPaymentIds), String(mostPayments)),
  areWalletsPaid: setting(
    'PAY_TO_WALLETS',
    'Whether the bank pays to wallets (`UK.OBIE.Wallet` as the scheme of `CreditorAccount`). Otherwise such ' +
      'payments are refused.',
    format.flag,
    { default: 'false' },
  ),
  limits: setting(
    'PAYMENT_LIMITS',
    'Maximum amount in GBP of a payment of each type, separated by commas; a type that is not named has no limit. A ' +
      'payment above it, or a file with such a payment, is refused.',
    paymentLimits,
    { default: 'FPS=1000000.00,BACS=20000000.00' },
  ),
});

export const reconciliationSettings = group('reconciliation', 'Payments', {
  /** seconds between two rounds; 0: the worker compares nothing, for measurements */
  seconds: constant('RECONCILIATION_SECONDS', format.integer(0, 86_400), '300'),
  /** seconds after the last change of a file payment's status until it is compared with the bank's book */
  delaySeconds: constant('RECONCILIATION_DELAY_SECONDS', format.integer(0, 86_400), '60'),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof filePaymentSettings> {}
  interface Config extends ValuesOf<typeof bankRuleSettings> {}
  interface Config extends ValuesOf<typeof reconciliationSettings> {}
}

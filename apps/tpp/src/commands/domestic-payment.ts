import { callOf } from '#libs/command-line';
import { type Command, type OptionValues, text } from '../cli/command.js';
import { readBody } from '../cli/read-body.js';
import { toInitiation } from '../convert/converted-file.js';
import { JourneyError, UsageError } from '../journey-error.js';
import { type JsonObject, parseJsonObject } from '../json.js';
import { commandOf } from '../purpose.js';
import type { ApiVersion } from '../read-write/api-version.js';

const kind = 'domestic-payment';
const byDefault = { amount: '10.50', to: '20000010000001', name: 'Northern Paper Ltd', reference: 'INV-1001' };

/** Options that contradict a file. */
const ofPayment = [...Object.keys(byDefault), 'local-instrument'];

/** POST /domestic-payment-consents. */
export const domesticConsentCommand: Command = {
  name: commandOf(kind, 'consent'),
  summary: 'stage a consent for one payment',
  operands: [['[file]', 'Data.Initiation (JSON); default: a payment of the options']],
  options: [
    ['--amount <pounds>', `default: ${byDefault.amount}`],
    ['--to <account>', `sort code and account number of the payee, 14 digits; default: ${byDefault.to}`],
    ['--name <text>', `of the payee; default: ${byDefault.name}`],
    ['--reference <text>', `default: ${byDefault.reference}`],
    ['--local-instrument <type>', 'UK.OBIE.FPS (default), UK.OBIE.BACS, UK.OBIE.CHAPS or UK.OBIE.BalanceTransfer'],
    ['--refund', 'ask for the account that pays, to send money back to (ReadRefundAccount)'],
  ],
  async run({ session: open, output, positionals: [file], values }) {
    const given = ofPayment.find((name) => text(values, name) !== undefined);
    if (file !== undefined && given !== undefined) throw new UsageError(`the file has the payment: omit --${given}`);
    const session = await open();
    const payments = await session.payments(kind);
    const { version } = payments;
    const initiation =
      file === undefined ? initiationOf(values, version) : parseJsonObject({ body: await readBody(file) });
    const consent = await session.withAccessToken((accessToken) =>
      payments.createSingleConsent(accessToken, initiation, values['refund'] === true),
    );
    const { ConsentId: consentId, Status: status, Initiation } = consent.Data;
    const { InstructedAmount, CreditorAccount } = Initiation as {
      InstructedAmount: { Amount: string; Currency: string };
      CreditorAccount: { Name: string };
    };
    const what = `${InstructedAmount.Amount} ${InstructedAmount.Currency} to ${CreditorAccount.Name}`;
    await session.folder.update({ lastConsent: kind, [kind]: { consentId, version, consent } });
    await session.folder.noteConsent({ consentId, version, kind, payments: what });
    output.line(`Consent ${consentId}: ${status}`);
    output.line(what);
    output.add({ consent_id: consentId, status });
  },
};

/** GET /domestic-payment-consents/{ConsentId}/funds-confirmation. */
export const domesticFundsCommand: Command = {
  name: commandOf(kind, 'funds-confirmation'),
  summary: 'ask whether the account that pays has the money of the authorised consent',
  async run({ session: open, output }) {
    const session = await open();
    const token = await session.customerToken(kind);
    const consentId = await session.consentId(kind);
    const payments = await session.payments(kind);
    const isAvailable = await payments.confirmFunds(token, consentId);
    output.line(`Consent ${consentId}: the money is ${isAvailable ? '' : 'not '}available`);
    output.add({ consent_id: consentId, available: isAvailable });
  },
};

/** GET /domestic-payments/{DomesticPaymentId}/payment-details. */
export const domesticDetailsCommand: Command = {
  name: commandOf(kind, 'details'),
  summary: "read the payment's status at its scheme, with the reason",
  options: [['--payment <id>', 'default: the last domestic payment']],
  async run({ session: open, output, values }) {
    const session = await open();
    const paymentId = text(values, 'payment') ?? (await session.state())[kind]?.paymentId;
    if (paymentId === undefined)
      throw new JourneyError(`there is no payment yet: run "${callOf('tpp')} domestic-payment pay" first`);
    const payments = await session.payments(kind);
    const { Data } = await session.withAccessToken((accessToken) => payments.readDetails(accessToken, paymentId));
    for (const { Status, StatusUpdateDateTime, StatusDetail = {} } of Data.PaymentStatus) {
      const { StatusReason = '', StatusReasonDescription = '' } = StatusDetail;
      output.line([StatusUpdateDateTime, Status, StatusReason, StatusReasonDescription].join('  ').trimEnd());
    }
    output.add({ payment_order_id: paymentId, details: Data.PaymentStatus });
  },
};

function initiationOf(values: OptionValues, version: ApiVersion): JsonObject {
  const read = (name: keyof typeof byDefault): string => text(values, name) ?? byDefault[name];
  const account = read('to');
  if (!/^\d{14}$/.test(account)) throw new UsageError('--to must be a sort code and an account number, 14 digits');
  const payment = {
    name: read('name'),
    sortCode: account.slice(0, 6),
    accountNumber: account.slice(6),
    amount: read('amount'),
    reference: read('reference'),
  };
  return toInitiation(payment, { version, localInstrument: text(values, 'local-instrument') });
}

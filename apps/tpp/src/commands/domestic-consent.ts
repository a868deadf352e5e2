import { text, type Command, type OptionValues } from '../cli/command.js';
import { readBody } from '../cli/read-body.js';
import { UsageError } from '../journey-error.js';
import { toInitiation } from '../convert/converted-file.js';
import type { ApiVersion } from '../read-write/api-version.js';
import { type JsonObject, parseJsonObject } from '../json.js';
import { commandOf } from '../purpose.js';

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
  async run({ session: open, output, positionals: [file], values, path }) {
    const given = ofPayment.find((name) => text(values, name) !== undefined);
    if (file !== undefined && given !== undefined) throw new UsageError(`the file has the payment: omit --${given}`);
    const session = await open();
    const payments = await session.payments(kind);
    const { version } = payments;
    const initiation =
      file === undefined ? initiationOf(values, version) : parseJsonObject({ body: await readBody(path(file)) });
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

import { text, type Command } from '../cli/command.js';

const defaultReference = 'Purchase';

/** POST /funds-confirmations. */
export const fundsCommand: Command = {
  name: 'funds',
  summary: 'ask whether an amount is available in the account of the funds confirmation consent',
  operands: [['<amount>', 'in GBP, for example 20.00']],
  options: [['--reference <text>', `of the purchase; default: ${defaultReference}`]],
  async run({ session: open, output, values, positionals: [amount = ''] }) {
    const session = await open();
    const [api, token] = [await session.fundsConfirmation(), await session.customerToken('funds')];
    const consentId = await session.consentId('funds');
    const reference = text(values, 'reference') ?? defaultReference;
    const { Data } = await api.ask(token, { consentId, amount, reference });
    output.line(`${amount} GBP: ${Data.FundsAvailable ? 'available' : 'not available'}`);
    output.add({ funds_confirmation_id: Data.FundsConfirmationId, available: Data.FundsAvailable });
  },
};

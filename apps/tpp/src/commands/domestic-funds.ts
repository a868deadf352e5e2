import type { Command } from '../cli/command.js';
import { commandOf } from '../purpose.js';

/** GET /domestic-payment-consents/{ConsentId}/funds-confirmation. */
export const domesticFundsCommand: Command = {
  name: commandOf('domestic-payment', 'funds-confirmation'),
  summary: 'ask whether the account that pays has the money of the authorised consent',
  async run({ session: open, output }) {
    const session = await open();
    const token = await session.customerToken('domestic-payment');
    const consentId = await session.consentId('domestic-payment');
    const payments = await session.payments('domestic-payment');
    const isAvailable = await payments.confirmFunds(token, consentId);
    output.line(`Consent ${consentId}: the money is ${isAvailable ? '' : 'not '}available`);
    output.add({ consent_id: consentId, available: isAvailable });
  },
};

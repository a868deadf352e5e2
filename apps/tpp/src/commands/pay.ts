import { type Command, text } from '../cli/command.js';
import { UsageError } from '../cli/usage-error.js';

/** POST /file-payments. */
export const payCommand: Command = {
  name: 'pay',
  summary: 'Makes the payments of the authorised consent',
  synopsis: '[--consent ID]',
  help: [
    '--consent ID  default: the last consent',
    "Uses the token of the customer's approval, else the client's own.",
  ],
  options: { consent: { type: 'string' } },
  sendsRequest: true,
  async run({ session: open, output, values }) {
    const session = await open();
    const { consentId: last, initiation, psuToken } = await session.state();
    const consentId = text(values, 'consent') ?? last;
    if (consentId === undefined)
      throw new UsageError('there is no consent yet: run "npm run tpp -- consent FILE" first');
    const filePayments = await session.filePayments();
    const accessToken = await session.accessToken();
    // The request repeats the initiation of the consent, member for member.
    const known = consentId === last ? initiation : undefined;
    const Initiation = known ?? (await filePayments.readConsent(accessToken, consentId)).Data.Initiation;
    const isPsuTokenGood = consentId === last && psuToken !== undefined && psuToken.expiresAt > Date.now();
    const { Data } = await filePayments.createFilePayment(isPsuTokenGood ? psuToken.value : accessToken, {
      Data: { ConsentId: consentId, Status: '', Initiation },
    });
    await session.folder.update({ filePaymentId: Data.FilePaymentId });
    output.line(`File payment ${Data.FilePaymentId}: ${Data.Status}`);
    output.add({ file_payment_id: Data.FilePaymentId, status: Data.Status });
    return 0;
  },
};

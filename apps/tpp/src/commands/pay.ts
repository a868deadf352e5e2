import { callOf } from '#libs/command-line';
import { type Command, type CommandCall, text } from '../cli/command.js';
import { isTokenRefused } from '../cli/session.js';
import { JourneyError } from '../journey-error.js';
import type { FilePayment } from '../file-payments/file-payments-client.js';

/** POST /file-payments. */
export const payCommand: Command = {
  name: 'pay',
  summary: 'make the payments of the authorised consent',
  options: [['--consent <id>', 'default: the last consent']],
  note: "Uses the token of the customer's approval, or else the client's own.",
  sendsRequest: true,
  async run(call) {
    const { session: open, output, values } = call;
    const session = await open();
    const { consentId: last, initiation, psuToken } = await session.state();
    const consentId = text(values, 'consent') ?? last;
    if (consentId === undefined)
      throw new JourneyError(`there is no consent yet: run "${callOf('tpp')} consent FILE" first`);
    const filePayments = await session.filePayments();
    // The request repeats the initiation of the consent, member for member.
    const known = consentId === last ? initiation : undefined;
    const Initiation =
      known ??
      (await session.withAccessToken((accessToken) => filePayments.readConsent(accessToken, consentId))).Data
        .Initiation;
    const pay = (accessToken: string): Promise<FilePayment> =>
      filePayments.createFilePayment(accessToken, { Data: { ConsentId: consentId, Status: '', Initiation } });
    const isPsuTokenGood = consentId === last && psuToken !== undefined && psuToken.expiresAt > Date.now();
    const { Data } = isPsuTokenGood
      ? await payAsCustomer(psuToken.value, pay, call)
      : await session.withAccessToken(pay);
    await session.folder.update({ filePaymentId: Data.FilePaymentId });
    await session.folder.noteConsent({
      consentId,
      version: filePayments.version,
      filePaymentId: Data.FilePaymentId,
    });
    output.line(`File payment ${Data.FilePaymentId}: ${Data.Status}`);
    output.add({ payment_order_id: Data.FilePaymentId, status: Data.Status });
    return 0;
  },
};

/** The token of the approval may end early, e.g. if the sandbox let time pass; the approval does not. */
async function payAsCustomer(
  psuToken: string,
  pay: (accessToken: string) => Promise<FilePayment>,
  { session: open, output }: CommandCall,
): Promise<FilePayment> {
  try {
    return await pay(psuToken);
  } catch (error) {
    if (!isTokenRefused(error)) throw error;
  }
  const session = await open();
  await session.folder.update({ psuToken: undefined });
  output.progress("the token of the customer's approval has ended: paying with the client's own");
  return session.withAccessToken(pay);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, text } from '../cli/command.js';
import { UsageError } from '../cli/usage-error.js';
import { versionWords } from '../file-payments/api-version.js';
import { JourneyError } from '../journey-error.js';

const pollMilliseconds = 500;

/** GET /file-payments/{FilePaymentId}, or of the consent before there is a payment. */
export const statusCommand: Command = {
  name: 'status',
  summary: 'show the status of the file payment, or of the consent if there is no payment yet',
  options: [
    ['--consent <id>', 'read a consent; "last" is the last one'],
    ['--payment <id>', 'read a file payment; default: the last one'],
    ['--wait', 'wait until the payments are processed'],
    ['--seconds <n>', 'maximum wait; default: 60'],
  ],
  sendsRequest: true,
  async run({ session: open, output, values }) {
    const session = await open();
    const state = await session.state();
    const filePayments = await session.filePayments();
    const named = text(values, 'consent');
    const filePaymentId = text(values, 'payment') ?? state.filePaymentId;
    if (named !== undefined || filePaymentId === undefined) {
      const consentId = named === undefined || named === 'last' ? state.consentId : named;
      if (consentId === undefined) throw new JourneyError('there is no payment and no consent yet');
      const { Data } = await session.withAccessToken((accessToken) => filePayments.readConsent(accessToken, consentId));
      output.line(`Consent ${consentId}: ${Data.Status}`);
      output.add({ consent_id: consentId, status: Data.Status });
      return 0;
    }
    const seconds = Number(text(values, 'seconds') ?? 60);
    if (!Number.isFinite(seconds)) throw new UsageError('--seconds must be a number');
    const deadline = Date.now() + seconds * 1_000;
    const { InitiationPending: pending } = versionWords[filePayments.version].payment;
    let shown = '';
    for (;;) {
      const { Data } = await session.withAccessToken((accessToken) =>
        filePayments.readFilePayment(accessToken, filePaymentId),
      );
      if (values['wait'] !== true || Data.Status !== pending) {
        output.line(`File payment ${filePaymentId}: ${Data.Status}`);
        output.add({ payment_order_id: filePaymentId, status: Data.Status });
        return 0;
      }
      if (Data.Status !== shown) output.progress(`${Data.Status}: waiting`);
      shown = Data.Status;
      if (Date.now() > deadline) throw new JourneyError(`the payment is ${Data.Status} after ${seconds} s`);
      await sleep(pollMilliseconds);
    }
  },
};

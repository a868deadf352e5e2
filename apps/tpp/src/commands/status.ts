import { setTimeout as sleep } from 'node:timers/promises';
import { callOf } from '#libs/command-line';
import { type Command, text } from '../cli/command.js';
import { JourneyError, UsageError } from '../journey-error.js';
import { versionWords } from '../read-write/api-version.js';
import { commandOf, type PaymentKind } from '../purpose.js';
import { tellPayment } from './pay.js';

const pollMilliseconds = 500;

/**
 * GET /file-payments/{FilePaymentId}, GET /domestic-payments/{DomesticPaymentId}; before there is a payment, GET of its
 * consent.
 */
export function createStatusCommand(kind: PaymentKind): Command {
  const words = kind.replace('-', ' ');
  return {
    name: commandOf(kind, 'status'),
    summary: `show the status of the ${words}, or of the consent if there is no payment yet`,
    options: [
      ['--consent <id>', 'read a consent; "last" is the last one'],
      ['--payment <id>', `read a ${words}; default: the last one`],
      ['--wait', kind === 'file-payment' ? 'wait until the payments are processed' : 'wait until it has settled'],
      ['--seconds <n>', 'maximum wait; default: 60'],
    ],
    async run({ session: open, output, values }) {
      const seconds = Number(text(values, 'seconds') ?? 60);
      if (!Number.isFinite(seconds)) throw new UsageError('--seconds must be a number');
      const session = await open();
      const payments = await session.payments(kind);
      const named = text(values, 'consent');
      const paymentId = text(values, 'payment') ?? (await session.state())[kind]?.paymentId;
      if (named !== undefined || paymentId === undefined) {
        const consentId = await session.consentId(kind, named === 'last' ? undefined : named);
        const { Data } = await session.withAccessToken((accessToken) => payments.readConsent(accessToken, consentId));
        output.line(`Consent ${consentId}: ${Data.Status}`);
        output.add({ consent_id: consentId, status: Data.Status });
        return;
      }
      const deadline = Date.now() + seconds * 1_000;
      const { open: unfinished } = versionWords[payments.version];
      let shown = '';
      for (;;) {
        const payment = await session.withAccessToken((accessToken) => payments.readPayment(accessToken, paymentId));
        const { Status: status } = payment.Data;
        if (values['wait'] !== true || !unfinished.includes(status)) {
          tellPayment(kind, payment, { output });
          if (versionWords[payments.version].failed.includes(status)) {
            const outcomes = kind === 'file-payment' ? 'report' : commandOf(kind, 'details');
            output.line(`Why: ${callOf('tpp')} ${outcomes} --payment ${paymentId}`);
          }
          return;
        }
        if (status !== shown) output.progress(`${status}: waiting`);
        shown = status;
        if (Date.now() > deadline) throw new JourneyError(`the payment is ${status} after ${seconds} s`);
        await sleep(pollMilliseconds);
      }
    },
  };
}

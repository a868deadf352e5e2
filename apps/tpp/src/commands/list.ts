import { alignColumns } from '#libs/command-line';
import { type Command, readCount } from '../cli/command.js';
import type { Session } from '../cli/session.js';
import { UnexpectedStatusError } from '../journey-error.js';
import type { KeptConsent } from '../profile/state.js';

/** A consent, with the status of its payment or its own. */
interface ListedConsent extends KeptConsent {
  readonly status: string;
}

/** Staged consents, each with its current status at the bank. */
export const listCommand: Command = {
  name: 'list',
  summary: 'list the consents staged here, each with the status of its payment or its own',
  options: [['--last <n>', 'maximum number; default: 10']],
  sendsRequest: false,
  async run({ session: open, output, values }) {
    const most = readCount(values, 'last', 10);
    const session = await open();
    const { consents = [] } = await session.state();
    const shown = consents.slice(-most);
    const listed: ListedConsent[] = [];
    const bar = output.bar('asking the bank', shown.length);
    try {
      for (const consent of shown) {
        listed.push({ ...consent, status: await readStatus(session, consent) });
        bar.advance();
      }
    } finally {
      bar.end();
    }
    const titles = ['staged', 'version', 'payments', 'consent', 'payment', 'status'];
    const rows = listed.map(({ at, version, payments, consentId, paymentId = '', status }) => [
      at,
      version,
      payments,
      consentId,
      paymentId,
      status,
    ]);
    output.line(rows.length === 0 ? 'none' : alignColumns([titles, ...rows]).trimEnd());
    output.add({
      consents: listed.map(({ at, version, kind, payments, consentId, paymentId, status }) => ({
        staged_at: at,
        version,
        kind,
        payments,
        consent_id: consentId,
        ...(paymentId !== undefined && { payment_order_id: paymentId }),
        status,
      })),
    });
  },
};

/** A consent that the bank no longer shows to this client must not hide the others. */
async function readStatus(session: Session, consent: KeptConsent): Promise<string> {
  const { kind, consentId, paymentId, version } = consent;
  const payments = await session.payments(kind, version);
  try {
    const { Data } = await session.withAccessToken<{ Data: { Status: string } }>((accessToken) =>
      paymentId === undefined
        ? payments.readConsent(accessToken, consentId)
        : payments.readPayment(accessToken, paymentId),
    );
    return Data.Status;
  } catch (error) {
    if (error instanceof UnexpectedStatusError && error.status < 500) return `refused with ${error.status}`;
    throw error;
  }
}

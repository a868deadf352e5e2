import { alignColumns } from '#libs/command-line';
import { type Command, readCount } from '../cli/command.js';
import type { Session } from '../cli/session.js';
import { UnexpectedStatusError } from '../journey-error.js';
import type { KeptConsent } from '../profile/state.js';

/** A consent, with its status or that of its file payment. */
interface ListedConsent extends KeptConsent {
  readonly status: string;
}

/** Staged consents, each with its current status at the bank. */
export const listCommand: Command = {
  name: 'list',
  summary: 'list the consents staged here, each with the status of its file payment or its own',
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
    const titles = ['staged', 'version', 'file', 'consent', 'file payment', 'status'];
    const rows = listed.map(({ at, version, file, consentId, filePaymentId = '', status }) => [
      at,
      version,
      file,
      consentId,
      filePaymentId,
      status,
    ]);
    output.line(rows.length === 0 ? 'none' : alignColumns([titles, ...rows]).trimEnd());
    output.add({
      consents: listed.map(({ at, version, file, consentId, filePaymentId, status }) => ({
        staged_at: at,
        version,
        file,
        consent_id: consentId,
        ...(filePaymentId !== undefined && { payment_order_id: filePaymentId }),
        status,
      })),
    });
    return 0;
  },
};

/** One that the bank no longer shows to this client must not hide the others. */
async function readStatus(session: Session, { consentId, filePaymentId, version }: KeptConsent): Promise<string> {
  const filePayments = await session.filePayments(version);
  try {
    const { Data } = await session.withAccessToken((accessToken) =>
      filePaymentId === undefined
        ? filePayments.readConsent(accessToken, consentId)
        : filePayments.readFilePayment(accessToken, filePaymentId),
    );
    return Data.Status;
  } catch (error) {
    if (error instanceof UnexpectedStatusError && error.status < 500) return `refused with ${error.status}`;
    throw error;
  }
}

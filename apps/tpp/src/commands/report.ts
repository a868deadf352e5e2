import { writeFile } from 'node:fs/promises';
import { callOf } from '#libs/command-line';
import { type Command, text } from '../cli/command.js';
import { JourneyError } from '../journey-error.js';

/** GET /file-payments/{FilePaymentId}/report-file. */
export const reportCommand: Command = {
  name: 'report',
  summary: 'read the report file: the outcome of each payment',
  options: [
    ['--payment <id>', 'default: the last file payment'],
    ['--out <file>', 'write the report to a file, unchanged'],
  ],
  sendsRequest: true,
  async run({ session: open, output, values, path }) {
    const session = await open();
    const filePaymentId = text(values, 'payment') ?? (await session.state())['file-payment']?.paymentId;
    if (filePaymentId === undefined)
      throw new JourneyError(`there is no payment yet: run "${callOf('tpp')} pay" first`);
    const filePayments = await session.filePayments();
    const { Data } = await session.withAccessToken((accessToken) =>
      filePayments.readReportFile(accessToken, filePaymentId),
    );
    const counts = new Map<string, number>();
    for (const { Status } of Data.DomesticPayments) counts.set(Status, (counts.get(Status) ?? 0) + 1);
    output.line(`Report of ${filePaymentId}: ${Data.Status}`);
    for (const { PaymentId, Status, StatusDetail } of Data.DomesticPayments)
      output.line([PaymentId, Status, StatusDetail?.StatusReason ?? ''].join('  ').trimEnd());
    for (const [status, count] of counts) output.line(`${String(count).padStart(4)} ${status}`);
    const payments = Object.fromEntries(counts);
    output.add({ payment_order_id: filePaymentId, status: Data.Status, payments, outcomes: Data.DomesticPayments });
    const out = text(values, 'out');
    if (out !== undefined) {
      await writeFile(path(out), session.lastExchange?.response.body ?? '');
      output.line(`Written: ${path(out)}`);
    }
    return 0;
  },
};

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { callOf } from '#libs/command-line';
import { type Command, text } from '../cli/command.js';
import type { PaymentOutcome } from '../read-write/payments-client.js';
import { JourneyError } from '../journey-error.js';

/** GET /file-payments/{FilePaymentId}/report-file. */
export const reportCommand: Command = {
  name: 'report',
  summary: 'read the report file: the outcome of each payment',
  options: [
    ['--payment <id>', 'default: the last file payment'],
    ['--out <file>', 'write the report to a file, unchanged'],
  ],
  async run({ session: open, output, values }) {
    const session = await open();
    const filePaymentId = text(values, 'payment') ?? (await session.state())['file-payment']?.paymentId;
    if (filePaymentId === undefined)
      throw new JourneyError(`there is no payment yet: run "${callOf('tpp')} pay" first`);
    const payments = await session.payments('file-payment');
    const { Data } = await session.withAccessToken((accessToken) =>
      payments.readReportFile(accessToken, filePaymentId),
    );
    const counts = new Map<string, number>();
    for (const { Status } of Data.DomesticPayments) counts.set(Status, (counts.get(Status) ?? 0) + 1);
    output.line(`Report of ${filePaymentId}: ${Data.Status}`);
    for (const line of outcomeLines(Data.DomesticPayments)) output.line(line);
    for (const [status, count] of counts) output.line(`${String(count).padStart(4)} ${status}`);
    const told = { payments: Object.fromEntries(counts), outcomes: Data.DomesticPayments };
    output.add({ payment_order_id: filePaymentId, status: Data.Status, ...told });
    const out = text(values, 'out');
    if (out !== undefined) {
      await writeFile(resolve(out), session.lastExchange?.response.body ?? '');
      output.line(`Written: ${resolve(out)}`);
    }
  },
};

/** @returns a line for each payment: the bank's id, yours, and the outcome */
export function outcomeLines(payments: readonly PaymentOutcome[]): string[] {
  const own = payments.map(
    ({ InstructionIdentification, EndToEndIdentification }, index) =>
      InstructionIdentification ?? EndToEndIdentification ?? `payment ${index + 1}`,
  );
  const longest = Math.max(0, ...own.map((name) => name.length));
  return payments.map(({ PaymentId, Status, StatusDetail }, index) =>
    [PaymentId, (own[index] ?? '').padEnd(longest), Status, reasonOf(StatusDetail)].join('  ').trimEnd(),
  );
}

function reasonOf({ StatusReason = '', StatusReasonDescription = '' }: PaymentOutcome['StatusDetail'] = {}): string {
  return [StatusReason, StatusReasonDescription].filter((each) => each !== '').join(': ');
}

import { basename, resolve } from 'node:path';
import { callOf } from '#libs/command-line';
import { type Command, text } from '../cli/command.js';
import { readBody } from '../cli/read-body.js';
import { JourneyError, UsageError } from '../journey-error.js';
import type { ApiVersion } from '../read-write/api-version.js';
import { describePaymentFile } from '../read-write/payment-file.js';
import { checkFile } from './check-file.js';

const kind = 'file-payment';

/** POST /file-payment-consents. */
export const consentCommand: Command = {
  name: 'consent',
  summary: 'stage a consent for a payment file: its hash, number of payments and sum',
  operands: [['<file>', 'the payment file (JSON); later commands remember it']],
  options: [
    ['--reference <text>', 'FileReference of the consent; default: the name of the file'],
    [
      '--date <day>',
      'RequestedExecutionDateTime: the day of payment, such as 2026-12-31; default: as soon as possible',
    ],
    ['--local-instrument <type>', 'UK.OBIE.FPS (default), UK.OBIE.BACS, UK.OBIE.CHAPS or UK.OBIE.BalanceTransfer'],
  ],
  async run({ session: open, output, positionals: [named = ''], values, surroundings }) {
    const file = resolve(named);
    const date = text(values, 'date');
    if (date !== undefined && !/^\d{4}-\d\d-\d\d$/.test(date))
      throw new UsageError('--date must be a day, such as 2026-12-31');
    const body = await readBody(file);
    const content = describePaymentFile(body);
    const session = await open();
    const payments = await session.payments(kind);
    const { version } = payments;
    await assertOfVersion(body, version, named, surroundings.now());
    const reference = text(values, 'reference') ?? basename(file).slice(0, 40);
    const consent = await session.withAccessToken((accessToken) =>
      payments.createFileConsent(accessToken, content, {
        FileReference: reference,
        LocalInstrument: text(values, 'local-instrument') ?? 'UK.OBIE.FPS',
        ...(date !== undefined && { RequestedExecutionDateTime: `${date}T00:00:00+00:00` }),
      }),
    );
    const consentId = consent.Data.ConsentId;
    await session.folder.update({ lastConsent: kind, [kind]: { consentId, version, consent, file } });
    await session.folder.noteConsent({ consentId, version, kind, payments: basename(file) });
    output.line(`Consent ${consentId}: ${consent.Data.Status}`);
    output.line(
      `${content.numberOfTransactions} payments, ${content.controlSum} GBP in all; file hash ${content.fileHash}`,
    );
    output.add({ consent_id: consentId, status: consent.Data.Status, file_hash: content.fileHash });
  },
};

/** POST /file-payment-consents/{ConsentId}/file. */
export const uploadCommand: Command = {
  name: 'upload',
  summary: 'upload the payment file to its consent, byte for byte',
  operands: [['[file]', 'default: the file of the consent']],
  options: [['--consent <id>', 'default: the last consent']],
  async run({ session: open, output, positionals, values }) {
    const session = await open();
    const [name] = positionals;
    const consentId = await session.consentId(kind, text(values, 'consent'));
    const file = name === undefined ? (await session.state())[kind]?.file : resolve(name);
    if (file === undefined) throw new UsageError('name the file: upload FILE');
    const content = describePaymentFile(await readBody(file));
    const payments = await session.payments(kind);
    output.progress(`uploading ${content.body.length} bytes`);
    await session.withAccessToken((accessToken) => payments.uploadFile(accessToken, consentId, content));
    const { Data } = await session.withAccessToken((accessToken) => payments.readConsent(accessToken, consentId));
    output.line(`Uploaded ${content.body.length} bytes. Consent ${consentId}: ${Data.Status}`);
    output.add({ consent_id: consentId, status: Data.Status, bytes: content.body.length });
  },
};

/**
 * A file of another version would be refused only once it is uploaded.
 * @throws JourneyError
 */
async function assertOfVersion(body: Buffer, version: ApiVersion, name: string, now: Date): Promise<void> {
  const { count } = await checkFile({ body, version, localInstrument: undefined, now });
  if (count === 0) return;
  const cure = `${callOf('tpp')} check-file ${name} --version ${version}`;
  const problems = count === 1 ? '1 problem' : `${count} problems`;
  throw new JourneyError(`${name} is not a payment file of v${version}: ${problems}; see "${cure}"`);
}

import { text, type Command } from '../cli/command.js';
import { readBody } from '../cli/read-body.js';
import { UsageError } from '../journey-error.js';
import { describePaymentFile } from '../read-write/payment-file.js';

/** POST /file-payment-consents/{ConsentId}/file. */
export const uploadCommand: Command = {
  name: 'upload',
  summary: 'upload the payment file to its consent, byte for byte',
  operands: [['[file]', 'default: the file of the consent']],
  options: [['--consent <id>', 'default: the last consent']],
  async run({ session: open, output, positionals, values, path }) {
    const session = await open();
    const [name] = positionals;
    const consentId = await session.consentId('file-payment', text(values, 'consent'));
    const file = name === undefined ? (await session.state())['file-payment']?.file : path(name);
    if (file === undefined) throw new UsageError('name the file: upload FILE');
    const content = describePaymentFile(await readBody(file));
    const payments = await session.payments('file-payment');
    output.progress(`uploading ${content.body.length} bytes`);
    await session.withAccessToken((accessToken) => payments.uploadFile(accessToken, consentId, content));
    const { Data } = await session.withAccessToken((accessToken) => payments.readConsent(accessToken, consentId));
    output.line(`Uploaded ${content.body.length} bytes. Consent ${consentId}: ${Data.Status}`);
    output.add({ consent_id: consentId, status: Data.Status, bytes: content.body.length });
  },
};

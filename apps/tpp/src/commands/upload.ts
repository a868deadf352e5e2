import { callOf } from '#libs/command-line';
import { text, type Command } from '../cli/command.js';
import { readBody } from '../cli/read-body.js';
import { JourneyError } from '../journey-error.js';
import { describePaymentFile } from '../file-payments/payment-file.js';

/** POST /file-payment-consents/{ConsentId}/file. */
export const uploadCommand: Command = {
  name: 'upload',
  summary: 'upload the payment file to its consent, byte for byte',
  operands: [['[file]', 'default: the file of the consent']],
  options: [['--consent <id>', 'default: the last consent']],
  sendsRequest: true,
  async run({ session: open, output, positionals, values, path }) {
    const session = await open();
    const state = await session.state();
    const [name] = positionals;
    const file = name === undefined ? state.file : path(name);
    const consentId = text(values, 'consent') ?? state.consentId;
    if (file === undefined || consentId === undefined) {
      throw new JourneyError(`there is no consent yet: run "${callOf('tpp')} consent FILE" first`);
    }
    const content = describePaymentFile(await readBody(file));
    const filePayments = await session.filePayments();
    output.progress(`uploading ${content.body.length} bytes`);
    await session.withAccessToken((accessToken) => filePayments.uploadFile(accessToken, consentId, content));
    const { Data } = await session.withAccessToken((accessToken) => filePayments.readConsent(accessToken, consentId));
    output.line(`Uploaded ${content.body.length} bytes. Consent ${consentId}: ${Data.Status}`);
    output.add({ consent_id: consentId, status: Data.Status, bytes: content.body.length });
    return 0;
  },
};

import { mostPayments } from '#libs/obie-rules';
import type { AreaDocument, Wire } from '../../wire.js';

/** @returns the introduction to file payments in the API document of a version */
export function describeArea(
  version: string,
  stateName: Wire['stateName'],
): Pick<AreaDocument, 'description' | 'tags'> {
  return {
    description:
      `Up to ${mostPayments} payments of one type (FPS, BACS, CHAPS or balance transfer) in one JSON file. ` +
      `Read/Write API v${version}.\n\n` +
      `1. \`POST /file-payment-consents\`: describe the file. The status is ${stateName('AwaitingUpload')}.\n` +
      `2. \`POST …/{ConsentId}/file\`: upload the file. The status becomes ${stateName('AwaitingAuthorisation')}.\n` +
      `3. Send the customer to approve (see Authorisation). The status becomes ${stateName('Authorised')}.\n` +
      `4. \`POST /file-payments\`: make the payments. The status becomes ${stateName('Consumed')}.\n` +
      '5. Read the status and the report file.\n\n' +
      'Sign every POST (`x-jws-signature`) and give it an idempotency key (`x-idempotency-key`): it takes effect ' +
      'once. The bank signs answers that have a body.',
    tags: {
      'File payment consents': 'What the customer is asked to approve: a file of payments.',
      'File payments': 'The payments of an approved file and their outcome.',
    },
  };
}

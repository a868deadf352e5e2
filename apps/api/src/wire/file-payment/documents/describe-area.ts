import type { AreaDocument, Wire } from '../../wire.js';

/** @returns what the API document says of file payments in a version before it comes to the operations */
export function describeArea(
  version: string,
  stateName: Wire['stateName'],
): Pick<AreaDocument, 'description' | 'tags'> {
  return {
    description:
      `Up to 150 payments of one type (FPS, BACS, CHAPS or balance transfer) in one JSON file. Read/Write API v${version}.\n\n` +
      `1. \`POST /file-payment-consents\`: say what the file will be. The state is ${stateName('AwaitingUpload')}.\n` +
      `2. \`POST …/{ConsentId}/file\`: upload it. ${stateName('AwaitingAuthorisation')}.\n` +
      `3. Let the customer approve (see Authorisation). ${stateName('Authorised')}.\n` +
      `4. \`POST /file-payments\`: have the payments made. ${stateName('Consumed')}.\n` +
      '5. Read the state and the report file.\n\n' +
      'Every POST is signed (`x-jws-signature`) and counts once (`x-idempotency-key`). Answers with a body are signed by the bank.',
    tags: {
      'File payment consents': 'What the customer is asked to approve: a file of payments.',
      'File payments': 'The payments of an approved file, and what becomes of them.',
    },
  };
}

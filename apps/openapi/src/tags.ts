const descriptions: Readonly<Record<string, string>> = {
  'Authorization endpoint': "Where the customer's browser goes to sign in and approve.",
  'Keys of the bank': 'What verifies the signatures of the bank.',
  'Token endpoint': 'Tokens for the client itself, and for what a customer has approved.',
  'Pushed authorization requests': 'An authorization request, left at the bank before the customer is sent there.',
  'Tokens in use': 'What a token is worth, and its end.',
  "For the bank's own resource servers": 'Introspection, which no TPP may use.',
  'Account access consents': 'Say what is to be read of accounts, and for how long. Read the state; end the access.',
  'Funds confirmation consents': 'Name the account that is to be asked about, and until when. Read the state; end it.',
  'Funds confirmations': 'Whether an amount is available in the account of a consent: yes or no.',
  'File payment consents': 'What the customer is asked to approve: a file of payments.',
  'File payments': 'The payments of an approved file, and what becomes of them.',
  Discovery: 'Every address and capability of the service.',
  'Client registration': 'How the software of a TPP becomes a client.',
};

/**
 * @returns what the operations of a tag are for
 * @throws TypeError when nobody has said so
 */
export function describeTag(name: string): string {
  const description = descriptions[name];
  if (description === undefined) throw new TypeError(`The tag ${name} has no description.`);
  return description;
}

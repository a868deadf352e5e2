import { format, type Format, group, made, setting, type ValuesOf } from '#libs/config';
import { parseKeySet, type KeySet } from '#libs/jws';

/** Keys that verify reports from others: at least one must be usable. */
const callbackKeys: Format<KeySet> = {
  values: '',
  parse: async (each) => {
    const set = await parseKeySet(JSON.parse(each), { maxKeys: 20 });
    if (!set.signingKeys.jwks().keys.some(({ kid }) => kid !== undefined)) throw new TypeError('no usable key');
    return set;
  },
};

const customerStateCheck = setting(
  'CUSTOMER_STATE_CHECK',
  'Whether the token endpoint asks the bank if the customer is locked or closed (deploy/bank-openapi.yaml, ' +
    'findPsuState). If the bank does not answer, `hard` issues no token (503) and `soft` continues; `off` never asks.',
  format.choice('hard', 'soft', 'off'),
  { default: 'hard', weakens: (check) => check !== 'hard' },
);

export const bankSettings = group('bank', 'Bank', {
  name: setting('BANK_NAME', "The bank's name, shown to customers.", format.text),
  errorNamespace: made(
    [
      setting(
        'BANK_ERROR_NAMESPACE',
        "This bank's word in its own error codes, `UK.<word>.…`: letters and digits.",
        format.matching(/^[0-9A-Za-z]{1,30}$/, 'must be letters and digits'),
        { default: 'Bank' },
      ),
    ],
    (word) => `UK.${word}`,
  ),
  url: setting(
    'BANK_URL',
    "Address of the bank's API for customer authentication, accounts and payments.",
    format.httpsUrl,
  ),
  ca: setting('BANK_CA', "PEM of the CA of the bank's server.", format.certificateText, { file: true }),
  clientCertificate: setting(
    'BANK_CLIENT_CERTIFICATE',
    'PEM of the client certificate that the service presents to the bank.',
    format.certificateText,
    { file: true },
  ),
  clientPrivateKey: setting('BANK_CLIENT_PRIVATE_KEY', 'PEM of its private key.', format.privateKey, {
    secret: true,
    file: true,
    rotation: 'with the certificate, as the bank requires; restart the instances one by one',
  }),
  timeoutMilliseconds: setting(
    'BANK_TIMEOUT_MILLISECONDS',
    'Milliseconds to wait for each answer from the bank.',
    format.integer(100, 60_000),
    { default: '5000' },
  ),
  callsAtOnce: setting(
    'BANK_CALLS_AT_ONCE',
    'The most calls about payments that one worker makes at once.',
    format.integer(1, 500),
    { default: '200' },
  ),
  /** the bank has no challenges: its codes have no dynamic linking */
  unboundOneTimeCodes: setting(
    'UNBOUND_ONE_TIME_CODES',
    'For a bank without challenges (deploy/bank-openapi.yaml, startChallenge) only: whether to accept one-time ' +
      'codes that are not linked to amount and payees (SCA-RTS art. 5). Every start then records a warning.',
    format.flag,
    {
      default: 'false',
      // SCA-RTS art. 5: nothing links such a code to the amount and the payees.
      weakens: (isAccepted) => isAccepted,
    },
  ),
  customerStateCheck,
  /** undefined: the bank sends no reports */
  callbackKeys: setting(
    'BANK_CALLBACK_KEYS',
    "Public JWK set (PS256, ES256) of the bank's payment hub, which may then report outcomes " +
      '(deploy/file-payments.md).',
    callbackKeys,
    { optional: true, file: true },
  ),
});

/** What a process that calls the bank needs. */
export const connectionToBank = ['url', 'ca', 'clientCertificate', 'clientPrivateKey', 'timeoutMilliseconds'] as const;

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof bankSettings> {}
}

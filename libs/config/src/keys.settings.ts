import { bindTransitKeys, parseSigningKeys, type SigningKey } from '#libs/jws';
import * as format from './formats.js';
import { constant, group, made, setting, type Format, type Setting, type ValuesOf } from './setting.js';

const keyEntry = /^[0-9A-Za-z_-]{1,64}:(?:[0-9a-f]{2}){32,}$/i;
const keysOf = 'must be keys of 64 or more hex digits, such as id:hex, separated by commas, each with another id';

const signingKeys: Format<readonly SigningKey[]> = {
  values: '',
  parse: async (each) => {
    const keys = await parseSigningKeys(JSON.parse(each));
    if (!keys.some(({ algorithm }) => algorithm === 'PS256')) throw new TypeError('no PS256 key');
    return keys;
  },
};

const keys = setting('SIGNING_KEYS', 'Private JWK set of the bank (deploy/keys.md).', signingKeys, {
  secret: true,
  file: true,
  rotation: '`npm run keys`: next, current, retired, without downtime',
});
const checkService: NonNullable<Setting<string | undefined>['check']> = (value, read) =>
  value === undefined && read(keys)?.some(({ remote }) => remote !== undefined)
    ? 'must be given for the keys of SIGNING_KEYS that are at a signing service'
    : undefined;
const serviceUrl = setting(
  'SIGNING_SERVICE_URL',
  'Address of a signing service that holds private keys of SIGNING_KEYS (deploy/keys.md): ' +
    '`https://vault.bank.example/v1/transit`.',
  format.httpsUrl,
  { optional: true, check: checkService },
);
const serviceToken = setting(
  'SIGNING_SERVICE_TOKEN',
  'Token for the signing service, for signing with those keys only.',
  format.text,
  {
    optional: true,
    secret: true,
    file: true,
    rotation: 'as the signing service requires; restart the instances one by one',
    check: checkService,
  },
);
const serviceCa = setting(
  'SIGNING_SERVICE_CA',
  "PEM of the CA of the signing service; by default the system's CAs.",
  format.certificateText,
  { optional: true, file: true },
);

/** The keys of a signing service sign there. */
const boundKeys = made([keys, serviceUrl, serviceToken, serviceCa], (all, url, token, ca) =>
  url === undefined || token === undefined ? all : bindTransitKeys(all, { url, token, ca }),
);

const ages: Format<ReadonlyMap<string, number>> = {
  values: '',
  must: 'must be such as v4.0=86400',
  parse: (each) => {
    if (!/^(?:v\d\.\d=\d{1,8}(?:,(?!$)|$))*$/.test(each)) format.refuse();
    return new Map(each.split(',').map((entry) => [entry.split('=')[0] ?? '', Number(entry.split('=')[1])]));
  },
};

export const signingSettings = group('signing', 'Signing', {
  keys: boundKeys,
  organisationId: setting(
    'ORGANISATION_ID',
    "The bank's id at the Open Banking directory, `iss` of response signatures: 18 letters and digits.",
    format.matching(/^[0-9A-Za-z]{18}$/, 'must be 18 letters and digits'),
  ),
  /** named in response signatures */
  trustAnchor: constant('SIGNATURE_TRUST_ANCHOR', format.text, 'openbanking.org.uk'),
  /** form of response signatures: `b64-false` (3.1.2, 3.1.3) or `b64-absent` (3.1.4 and later) */
  responseForm: constant('RESPONSE_SIGNATURE_FORM', format.choice('b64-false', 'b64-absent'), 'b64-false'),
  requestVerification: setting(
    'REQUEST_SIGNATURE_VERIFICATION',
    'A POST whose x-jws-signature is missing or invalid: `enforce` refuses it, `log` accepts it with a warning (the ' +
      'waiver in 3.1 to 3.1.3).',
    format.choice('enforce', 'log'),
    { default: 'enforce', weakens: (verification) => verification === 'log' },
  ),
  /** by version of the Read/Write API; none: any age */
  maxAgeSeconds: constant('REQUEST_SIGNATURE_MAX_AGE_SECONDS', ages, 'v4.0=86400'),
  /** where TPPs find the public keys, if not at the authorization server */
  jwksUri: setting(
    'JWKS_URI',
    "`jwks_uri` in discovery, if TPPs fetch the bank's public keys elsewhere than at `AUTH_URL` + `/oauth2/jwks`. " +
      'That host must publish each key before it signs.',
    format.matching(/^https:\/\/[^\s?#]{1,2000}$/, 'must be an https:// address without query'),
    { optional: true },
  ),
});

const pairwiseSubjectKey = setting(
  'PAIRWISE_SUBJECT_KEY',
  'Key of the pairwise subject identifiers: `id:64 or more hex digits`. Must never change.',
  format.namedKeys(keyEntry, 'must be one key: id:64 or more hex digits'),
  {
    secret: true,
    file: true,
    rotation: 'never: every customer would get a new identifier at every TPP',
    check: (each) => (each.length > 1 ? 'must be one key: every customer has one identifier' : undefined),
  },
);

export const secretSettings = group('secrets', 'Secrets', {
  /** the first hashes, all compare */
  clientSecretPeppers: setting(
    'CLIENT_SECRET_PEPPER',
    'Keys of the hashes of client secrets: `id:64 or more hex digits`, separated by commas. The first one hashes, ' +
      'all of them verify (deploy/keys.md).',
    format.namedKeys(keyEntry, keysOf),
    {
      secret: true,
      file: true,
      rotation:
        '`npm run keys -- secrets`; a hash is renewed when its client uses the secret at registration, or gets a ' +
        'new one',
    },
  ),
  /** the first encrypts, all decrypt */
  clientSecretEncryptionKeys: setting(
    'CLIENT_SECRET_ENCRYPTION_KEYS',
    'AES-256 keys for the secrets of client_secret_jwt clients: `id:64 hex digits`, separated by commas. The first ' +
      'one encrypts, all of them decrypt (deploy/keys.md).',
    format.namedKeys(
      /^[0-9A-Za-z_-]+:[0-9a-f]{64}$/i,
      'must be keys such as id:64 hex digits, separated by commas, each with another id',
    ),
    { secret: true, file: true, rotation: '`npm run keys -- secrets`, then `npm run operator -- secrets re-encrypt`' },
  ),
  pairwiseSubjectKey: made([pairwiseSubjectKey], (all) => all[0] ?? format.refuse()),
  /** of sessions and codes: the first derives, all find what was derived */
  sessionKeys: setting(
    'SESSION_KEYS',
    'Keys from which session cookies and authorization codes are derived: `id:64 or more hex digits`, separated by ' +
      'commas. The first one writes, all of them read (deploy/keys.md).',
    format.namedKeys(keyEntry, keysOf),
    {
      secret: true,
      file: true,
      rotation: '`npm run keys -- secrets`; remove the old key once the longest session has ended',
      // A leaked session key would link customers to their pairwise subjects.
      weakens: (keys, read) =>
        keys.some(({ key }) => read(pairwiseSubjectKey)?.some((other) => other.key.equals(key)) === true),
    },
  ),
  /** of account numbers in the audit trail: the first is used; none: no digests */
  auditDigestKeys: made(
    [
      setting(
        'AUDIT_DIGEST_KEYS',
        "Keys of the audit trail's digests of approved accounts: `id:64 or more hex digits`, separated by commas; " +
          'the first one is used. Without them there are no digests.',
        format.namedKeys(keyEntry, keysOf),
        {
          optional: true,
          secret: true,
          file: true,
          rotation:
            '`npm run keys -- secrets`; keep old keys elsewhere as long as the trail: nobody can check digests without',
        },
      ),
    ],
    (all = []) => all,
  ),
});

declare module './config.js' {
  interface Config extends ValuesOf<typeof signingSettings> {}
  interface Config extends ValuesOf<typeof secretSettings> {}
}

import { authorizationSettings } from '#libs/customer-session';
import { bankSettings, connectionToBank } from '#libs/bank';
import { profileSettings, registrationSettings } from '#libs/client-registration';
import { all, format, group, only, secretSettings, setting, signingSettings, type ValuesOf } from '#libs/config';
import { egressSettings, revocationSettings } from '#libs/directory';
import { introspectionSettings, rateLimitSettings } from '#libs/guards';
import { addressSettings, directorySettings, listenSettings, logSettings, tlsSettings } from '#libs/http-server';
import { consentSettings } from '#libs/consent';
import { idempotencySettings } from '#libs/idempotency';
import { bankRuleSettings, filePaymentSettings } from '#libs/payment-order';
import { databaseSettings, replicaSettings } from '#libs/persistence';
import { adminSettings } from '#libs/telemetry';
import { tracingSettings } from '#libs/tracing';

export const readWriteSettings = group('readWrite', 'Read/Write API', {
  /** versions that are served, e.g. `4.0` */
  versions: setting(
    'READ_WRITE_VERSIONS',
    'Versions of the Read/Write API to serve, separated by commas. Other paths get 404.',
    format.list(['3.1', '4.0'], 'must be 3.1, 4.0 or both, separated by a comma'),
    {
      default: '3.1,4.0',
      check: (each) => (new Set(each).size < each.length ? 'must name each version once' : undefined),
    },
  ),
  /** whether answers show the account that pays */
  isDebtorShown: setting(
    'SHOW_DEBTOR',
    'Whether consents and payments show the debtor account once it is known (`Data.Debtor`).',
    format.flag,
    { default: 'false' },
  ),
});

/** The values that this process takes. */
export const apiSettings = [
  ...all(
    addressSettings,
    tracingSettings,
    logSettings,
    databaseSettings,
    tlsSettings,
    revocationSettings,
    egressSettings,
  ),
  ...all(listenSettings.api, adminSettings.api),
  ...all(introspectionSettings, profileSettings),
  ...all(replicaSettings, signingSettings, readWriteSettings, directorySettings, registrationSettings),
  ...all(idempotencySettings, bankRuleSettings),
  ...only(consentSettings, 'expirySeconds', 'rejectOnFileMismatch'),
  ...only(secretSettings, 'clientSecretPeppers', 'clientSecretEncryptionKeys'),
  ...only(bankSettings, 'name', 'errorNamespace', ...connectionToBank, 'callbackKeys'),
  ...only(authorizationSettings, 'approvalSeconds'),
  ...only(filePaymentSettings, 'tokenMode', 'chapsCharge', 'cutOff'),
  ...only(rateLimitSettings, 'windowSeconds', 'perClient', 'perAddress'),
];

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof readWriteSettings> {}
}

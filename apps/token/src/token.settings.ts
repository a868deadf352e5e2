import { authorizationSettings } from '#libs/customer-session';
import { bankSettings, connectionToBank } from '#libs/bank';
import { profileSettings, registrationSettings } from '#libs/client-registration';
import { all, only, secretSettings, signingSettings, when } from '#libs/config';
import { egressSettings, revocationSettings } from '#libs/directory';
import { introspectionSettings, rateLimitSettings } from '#libs/guards';
import { addressSettings, directorySettings, listenSettings, logSettings, tlsSettings } from '#libs/http-server';
import { databaseSettings } from '#libs/persistence';
import { adminSettings } from '#libs/telemetry';
import { tokenSettings } from '#libs/token-store';
import { tracingSettings } from '#libs/tracing';

/** The values that this process takes. */
export const tokenProcessSettings = [
  ...all(
    addressSettings,
    tracingSettings,
    logSettings,
    databaseSettings,
    tlsSettings,
    revocationSettings,
    egressSettings,
  ),
  ...all(listenSettings.token, adminSettings.token),
  ...all(introspectionSettings, profileSettings),
  ...only(signingSettings, 'keys'),
  ...only(secretSettings, 'clientSecretPeppers', 'clientSecretEncryptionKeys', 'pairwiseSubjectKey'),
  ...only(directorySettings, 'trusted', 'allowPrivateAddresses', 'revokedKeysSeconds'),
  ...only(registrationSettings, 'issueSecret'),
  ...only(bankSettings, 'customerStateCheck'),
  // A bank that is not asked needs no connection.
  ...when(bankSettings.members.customerStateCheck, (check) => check !== 'off', only(bankSettings, ...connectionToBank)),
  ...only(tokenSettings, 'accessTokenSeconds', 'refreshTokenSeconds'),
  ...only(authorizationSettings, 'pushedRequestSeconds', 'allowWithoutIntent'),
  ...only(rateLimitSettings, 'windowSeconds', 'perClient', 'perAddress'),
];

import { authorizationSettings } from '#libs/customer-session';
import { bankSettings, connectionToBank } from '#libs/bank';
import { profileSettings, registrationSettings } from '#libs/client-registration';
import { all, only, secretSettings, signingSettings } from '#libs/config';
import { egressSettings, revocationSettings } from '#libs/directory';
import { introspectionSettings, rateLimitSettings } from '#libs/guards';
import { addressSettings, directorySettings, listenSettings, logSettings, tlsSettings } from '#libs/http-server';
import { filePaymentSettings } from '#libs/payment-order';
import { databaseSettings } from '#libs/persistence';
import { adminSettings } from '#libs/telemetry';
import { tokenSettings } from '#libs/token-store';
import { tracingSettings } from '#libs/tracing';
import { lookSettings } from './look/look.settings.js';

/** The values that this process takes. */
export const authorizeSettings = [
  ...all(
    addressSettings,
    tracingSettings,
    logSettings,
    databaseSettings,
    tlsSettings,
    revocationSettings,
    egressSettings,
  ),
  ...all(listenSettings.authorize, adminSettings.authorize),
  ...all(introspectionSettings, profileSettings),
  ...only(signingSettings, 'keys'),
  ...all(secretSettings, lookSettings, authorizationSettings, rateLimitSettings),
  ...only(bankSettings, 'name', 'errorNamespace', ...connectionToBank, 'unboundOneTimeCodes'),
  ...only(directorySettings, 'trusted', 'allowPrivateAddresses', 'revokedKeysSeconds'),
  ...only(registrationSettings, 'issueSecret'),
  ...only(tokenSettings, 'authorizationCodeSeconds', 'refreshTokenSeconds'),
  ...only(filePaymentSettings, 'cutOff'),
];

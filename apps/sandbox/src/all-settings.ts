import { auditSettings } from '#libs/audit';
import { authorizationSettings } from '#libs/customer-session';
import { bankSettings } from '#libs/bank';
import { profileSettings, registrationSettings } from '#libs/client-registration';
import { all, ownSettings, secretSettings, signingSettings, type Taken } from '#libs/config';
import { consentSettings } from '#libs/consent';
import { egressSettings, revocationSettings } from '#libs/directory';
import { eventSettings } from '#libs/events';
import { introspectionSettings, rateLimitSettings } from '#libs/guards';
import { addressSettings, directorySettings, listenSettings, logSettings, tlsSettings } from '#libs/http-server';
import { idempotencySettings } from '#libs/idempotency';
import { bankRuleSettings, filePaymentSettings, reconciliationSettings } from '#libs/payment-order';
import { databaseSettings, replicaSettings } from '#libs/persistence';
import { adminSettings } from '#libs/telemetry';
import { tokenSettings } from '#libs/token-store';
import { tracingSettings } from '#libs/tracing';
import { apiSettings, readWriteSettings } from '../../api/src/api.settings.js';
import { authorizeSettings } from '../../authorize/src/authorize.settings.js';
import { lookSettings } from '../../authorize/src/look/look.settings.js';
import { operatorSettings } from '../../operator/src/operator.settings.js';
import { tokenProcessSettings } from '../../token/src/token.settings.js';
import { housekeepingSettings, workerSettings } from '../../worker/src/worker.settings.js';

/** Every setting of the service, in the order of deploy/configuration.md: the sandbox is all processes in one. */
export const allSettings: readonly Taken[] = all(
  addressSettings,
  listenSettings.api,
  adminSettings.worker,
  tracingSettings,
  logSettings,
  databaseSettings,
  replicaSettings,
  tlsSettings,
  directorySettings,
  revocationSettings,
  egressSettings,
  signingSettings,
  secretSettings,
  registrationSettings,
  profileSettings,
  introspectionSettings,
  bankSettings,
  lookSettings,
  tokenSettings,
  authorizationSettings,
  consentSettings,
  auditSettings,
  idempotencySettings,
  housekeepingSettings,
  readWriteSettings,
  filePaymentSettings,
  bankRuleSettings,
  reconciliationSettings,
  eventSettings,
  rateLimitSettings,
  ownSettings,
);

/** What each process takes. */
export const settingsOfProcesses = {
  authorize: authorizeSettings,
  token: tokenProcessSettings,
  api: apiSettings,
  worker: workerSettings,
  operator: operatorSettings,
} as const;

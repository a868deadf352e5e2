import { auditSettings } from '#libs/audit';
import { authorizationSettings } from '#libs/customer-session';
import { bankSettings, connectionToBank } from '#libs/bank';
import { all, constant, format, group, only, signingSettings, when, type ValuesOf } from '#libs/config';
import { consentSettings } from '#libs/consent';
import { eventSettings } from '#libs/events';
import { addressSettings, logSettings, tlsSettings } from '#libs/http-server';
import { filePaymentSettings, reconciliationSettings } from '#libs/payment-order';
import { databaseSettings } from '#libs/persistence';
import { adminSettings } from '#libs/telemetry';
import { tracingSettings } from '#libs/tracing';

export const housekeepingSettings = group('', 'Lifetimes', {
  /** seconds between two rounds of housekeeping */
  housekeepingSeconds: constant('HOUSEKEEPING_SECONDS', format.integer(1, 3_600), '30'),
});

/** The values that this process takes. */
export const workerSettings = [
  ...only(addressSettings, 'baseUrl', 'authUrl', 'shutdownDrainSeconds'),
  ...all(adminSettings.worker),
  // It serves no clients: it needs a certificate only if the administration port has TLS.
  ...when(
    adminSettings.worker.members.trustAnchors,
    (anchors) => anchors !== undefined,
    only(tlsSettings, 'certificate', 'privateKey'),
  ),
  ...all(tracingSettings, logSettings, databaseSettings),
  ...only(signingSettings, 'keys'),
  ...only(bankSettings, ...connectionToBank, 'callsAtOnce', 'unboundOneTimeCodes'),
  ...only(authorizationSettings, 'approvalSeconds'),
  ...only(consentSettings, 'retentionDays'),
  ...only(filePaymentSettings, 'leaseSeconds', 'faultLimit', 'settlementDays', 'cutOff'),
  ...all(reconciliationSettings, auditSettings, eventSettings, housekeepingSettings),
];

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof housekeepingSettings> {}
}

import { bankSettings, connectionToBank } from '#libs/bank';
import { profileSettings, registrationSettings } from '#libs/client-registration';
import { all, only, secretSettings } from '#libs/config';
import { filePaymentSettings } from '#libs/payment-order';
import { databaseSettings, replicaSettings } from '#libs/persistence';

/** The values that this process takes. */
export const operatorSettings = [
  ...all(databaseSettings, replicaSettings),
  ...only(secretSettings, 'clientSecretPeppers', 'clientSecretEncryptionKeys'),
  ...only(registrationSettings, 'issueSecret'),
  ...only(profileSettings, 'fapiProfiles'),
  ...only(bankSettings, ...connectionToBank, 'unboundOneTimeCodes'),
  ...only(filePaymentSettings, 'leaseSeconds', 'needsSecondPerson', 'settlementDays'),
];

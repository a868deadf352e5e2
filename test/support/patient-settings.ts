/**
 * Settings of the service for tests, where a machine under load is not a fault: tokens live long enough for a suite to
 * share one, and the bank, which may share its thread with everything else, may take as long as it can be given.
 */
export const patientSettings = { ACCESS_TOKEN_SECONDS: '3600', BANK_TIMEOUT_MILLISECONDS: '60000' } as const;

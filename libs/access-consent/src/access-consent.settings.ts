import { format, group, setting, type ValuesOf } from '#libs/config';

export const accessConsentSettings = group('accessConsent', 'Lifetimes', {
  /** 0: the accounts of consents that have ended are kept */
  retentionDays: setting(
    'ACCESS_CONSENT_RETENTION_DAYS',
    'Days after the end of an account access consent until its accounts are erased (deploy/retention.md). 0: never.',
    format.integer(0, 36_500),
    { default: '2555' },
  ),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof accessConsentSettings> {}
}

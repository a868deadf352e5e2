import { constant, format, group, setting, type ValuesOf } from '#libs/config';

export const consentSettings = group('consent', 'Lifetimes', {
  expirySeconds: setting(
    'CONSENT_EXPIRY_SECONDS',
    'Seconds after which a consent that has not progressed becomes Rejected.',
    format.integer(60, 31_536_000),
    { default: '86400' },
  ),
  /** 0: customer data is kept */
  retentionDays: setting(
    'RETENTION_DAYS',
    'Days after the end of a consent until the personal data in it, its accounts, its file and its payments is ' +
      'erased (deploy/retention.md). 0: never.',
    format.integer(0, 36_500),
    { default: '2555' },
  ),
  /** whether a file that contradicts its consent makes the consent Rejected */
  rejectOnFileMismatch: constant('REJECT_CONSENT_ON_FILE_MISMATCH', format.flag, 'true'),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof consentSettings> {}
}

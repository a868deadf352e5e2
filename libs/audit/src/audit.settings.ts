import { constant, format, group, setting, type ValuesOf } from '#libs/config';

export const auditSettings = group('audit', 'Lifetimes', {
  /** seconds between two seals of the audit trail */
  sealSeconds: constant('AUDIT_SEAL_SECONDS', format.integer(1, 300), '5'),
  retentionDays: setting(
    'AUDIT_RETENTION_DAYS',
    'Days after which audit events are erased, at least a year. 0 keeps them.',
    format.retention(366),
    { default: '2555' },
  ),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof auditSettings> {}
}

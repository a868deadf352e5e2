import { format, group, setting, type ValuesOf } from '#libs/config';

export const idempotencySettings = group('idempotency', 'Lifetimes', {
  retentionSeconds: setting(
    'IDEMPOTENCY_RETENTION_SECONDS',
    'Seconds for which an idempotency key is valid.',
    format.integer(60, 31_536_000),
    { default: '86400' },
  ),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof idempotencySettings> {}
}

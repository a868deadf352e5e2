import { constant, format, group, type ValuesOf } from '#libs/config';

export const idempotencySettings = group('idempotency', 'Lifetimes', {
  /** seconds for which an idempotency key is valid */
  retentionSeconds: constant('IDEMPOTENCY_RETENTION_SECONDS', format.integer(60, 31_536_000), '86400'),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof idempotencySettings> {}
}

import { format, group, setting, type ValuesOf } from '#libs/config';

const host = setting(
  'ADMIN_HOST',
  'Address of the administration ports (`/metrics`, `/health/live`, `/health/ready`).',
  format.text,
  { default: '127.0.0.1' },
);
const listenOn = (port: string) =>
  group('admin', 'Administration', {
    host,
    port: setting('ADMIN_PORT', 'Administration port of this process.', format.integer(0, 65_535), {
      default: port,
      defaults: '`8451` (authorize), `8452` (token), `8453` (api), `8454` (worker)',
    }),
    trustAnchors: setting(
      'ADMIN_TRUST_ANCHORS',
      "PEM of the CAs of operators' and scrapers' certificates. With it, the administration ports have mutual TLS.",
      format.certificates,
      { optional: true, file: true },
    ),
  });

/** Settings of the listener for operators. */
export const adminSettings = {
  authorize: listenOn('8451'),
  token: listenOn('8452'),
  api: listenOn('8453'),
  worker: listenOn('8454'),
};

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof adminSettings.worker> {}
}

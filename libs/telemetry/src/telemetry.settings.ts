import { format, group, made, setting, type ValuesOf } from '#libs/config';

const tls = setting(
  'ADMIN_TLS',
  'TLS of the administration ports: `off`, `one-way` (with TLS_CERTIFICATE) or `mutual`.',
  format.choice('off', 'one-way', 'mutual'),
  { default: 'off' },
);
const trustAnchors = setting(
  'ADMIN_TRUST_ANCHORS',
  "PEM of the CAs of operators' and scrapers' certificates. Needed for mutual.",
  format.certificates,
  {
    optional: true,
    file: true,
    check: (anchors, read) =>
      read(tls) === 'mutual' && anchors === undefined ? 'must be given when ADMIN_TLS is mutual' : undefined,
  },
);

/** Of the listener for operators. */
export const adminSettings = group('admin', 'Administration', {
  host: setting(
    'ADMIN_HOST',
    'Address of the administration ports (`/metrics`, `/health/live`, `/health/ready`).',
    format.text,
    { default: '127.0.0.1' },
  ),
  authorizePort: setting(
    'AUTHORIZE_ADMIN_PORT',
    'Administration port of the authorize app.',
    format.integer(0, 65_535),
    { default: '8451' },
  ),
  tokenPort: setting('TOKEN_ADMIN_PORT', 'Administration port of the token app.', format.integer(0, 65_535), {
    default: '8452',
  }),
  apiPort: setting('API_ADMIN_PORT', 'Administration port of the API app.', format.integer(0, 65_535), {
    default: '8453',
  }),
  workerPort: setting('WORKER_ADMIN_PORT', 'Administration port of the worker.', format.integer(0, 65_535), {
    default: '8454',
  }),
  tls,
  trustAnchors: made([trustAnchors], (each = []) => each),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof adminSettings> {}
}

import { constant, format, group, made, setting, type ValuesOf } from '#libs/config';

const webhookUrl = setting(
  'EVENT_WEBHOOK_URL',
  'Address to which the worker posts events (deploy/file-payments.md). Without it, they are only stored.',
  format.httpsUrl,
  { optional: true },
);
const webhookCa = setting(
  'EVENT_WEBHOOK_CA',
  "PEM of the CA of that address; by default the system's CAs.",
  format.certificateText,
  { optional: true, file: true },
);

export const eventSettings = group('events', 'Events', {
  /** undefined: events are delivered to nobody */
  webhook: made([webhookUrl, webhookCa], (url, ca) =>
    url === undefined ? undefined : { url, ...(ca === undefined ? {} : { ca }) },
  ),
  /** days after which events are deleted, even if undelivered */
  retentionDays: constant('EVENT_RETENTION_DAYS', format.integer(1, 3_650), '30'),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof eventSettings> {}
}

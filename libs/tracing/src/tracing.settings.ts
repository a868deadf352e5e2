import { format, group, made, setting, type ValuesOf } from '#libs/config';

const endpoint = setting(
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'http(s) address of an OpenTelemetry collector (OTLP over HTTP, JSON). This or the next one enables traces.',
  format.matching(/^https?:\/\/\S+$/, 'must be an http(s) address'),
  { optional: true, isOfLibrary: true },
);
const tracesEndpoint = setting(
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'The same for traces only, with the full path.',
  format.matching(/^https?:\/\/\S+$/, 'must be an http(s) address'),
  { optional: true, isOfLibrary: true },
);
const isDisabled = setting('OTEL_SDK_DISABLED', 'Disables tracing, whatever else is set.', format.flag, {
  default: 'false',
  isOfLibrary: true,
});

export const tracingSettings = group('tracing', 'Administration', {
  isOn: made([isDisabled, endpoint, tracesEndpoint], (isOff, one, other) => !isOff && (one ?? other) !== undefined),
  serviceName: setting(
    'OTEL_SERVICE_NAME',
    'Name of this process in traces; by default the name of the application.',
    format.text,
    { optional: true, isOfLibrary: true },
  ),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof tracingSettings> {}
}

import { channel } from 'node:diagnostics_channel';
import type { Span, Tracer } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#libs/config';

/** The parts of OpenTelemetry that are loaded once it is configured. */
interface Tracing {
  readonly api: typeof import('@opentelemetry/api');
  readonly tracer: Tracer;
  readonly stop: () => Promise<void>;
}

let tracing: Tracing | undefined;
const spans = new WeakMap<FastifyRequest, Span>();

/**
 * Begins to trace this process when OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set. Otherwise
 * nothing of OpenTelemetry is loaded. The library reads everything else (sampling, headers, batches, names) from its
 * own OTEL_ variables.
 * @param name of the process, for OTEL_SERVICE_NAME when that is not set
 */
export async function startTracing(config: Config, name: string): Promise<void> {
  if (!config.tracing.isOn || tracing !== undefined) return;
  const [api, { BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const detected = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new NodeTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': config.tracing.serviceName ?? name }).merge(detected),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  tracing = { api, tracer: provider.getTracer('open-banking-provider'), stop: () => provider.shutdown() };
}

/** Sends what is still held. */
export async function stopTracing(): Promise<void> {
  const { stop } = tracing ?? {};
  tracing = undefined;
  await stop?.();
}

/**
 * A span for each request, with its interaction id, as the child of the caller's (traceparent). Adds nothing unless
 * tracing is on. Call it before the routes are made.
 */
export function traceRequests(fastify: FastifyInstance): void {
  if (tracing === undefined) return;
  const { api, tracer } = tracing;
  fastify.addHook('onRequest', (request, reply, done) => {
    const caller = api.propagation.extract(api.context.active(), request.headers);
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'url.scheme': 'https',
      'open_banking.interaction_id': request.interactionId,
    };
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: api.SpanKind.SERVER, attributes }, caller);
    spans.set(request, span);
    reply.raw.once('close', () => {
      const { statusCode, writableFinished } = reply.raw;
      span.setAttribute('http.response.status_code', statusCode);
      if (statusCode >= 500 || !writableFinished) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end();
    });
    api.context.with(api.trace.setSpan(caller, span), done);
  });
  // The connection calls the reader of the body without the context of the request.
  fastify.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else api.context.with(api.trace.setSpan(api.context.active(), span), done);
  });
}

/**
 * Runs a statement in its own span. Without tracing it costs one comparison.
 * @param name of the statement; neither its text nor its values are shown
 */
export async function traceStatement<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  if (tracing === undefined) return run();
  const { api, tracer } = tracing;
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name };
  return tracer.startActiveSpan(name, { kind: api.SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await run();
    } catch (error) {
      span.setStatus({ code: api.SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A request of ours to another server, as far as a trace shows it. */
export interface OutgoingCall {
  /** what is asked for, in words; never an address with somebody's identifier in it */
  readonly name: string;
  readonly method: string;
  /** name and port of the server, nothing else of the address */
  readonly host: string;
  /** whether the server is one of the bank's own, which is told the trace that the call belongs to */
  readonly isOwn: boolean;
}

/** The span of a call, for the one who makes it. */
export interface CallSpan {
  /** headers to send: `traceparent`, where tracing is on and the server the bank's own */
  readonly headers: Readonly<Record<string, string>>;
  /** takes the status of the answer */
  answered(status: number): void;
}

const noSpan: CallSpan = { headers: {}, answered: () => undefined };

/** The outcome of a call. */
export interface CallOutcome {
  /** as in {@link OutgoingCall}: one of few */
  readonly name: string;
  /** undefined: no answer */
  readonly status: number | undefined;
  readonly seconds: number;
}

const calls = channel('open-banking:outgoing-call');

/** Reports every finished call of this process. */
export function listenForCalls(listener: (outcome: CallOutcome) => void): void {
  calls.subscribe((message) => listener(message as CallOutcome));
}

/** Makes a call in its own span, the child of the request's span, and reports it to the counters. */
export async function traceCall<Result>(
  call: OutgoingCall,
  make: (span: CallSpan) => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  let status: number | undefined;
  try {
    return await inSpan(call, ({ headers, answered }) =>
      make({
        headers,
        answered: (given) => {
          status = given;
          answered(given);
        },
      }),
    );
  } finally {
    const seconds = (performance.now() - startedAt) / 1_000;
    if (calls.hasSubscribers) calls.publish({ name: call.name, status, seconds } satisfies CallOutcome);
  }
}

/** Without tracing it costs one comparison. */
async function inSpan<Result>(call: OutgoingCall, make: (span: CallSpan) => Promise<Result>): Promise<Result> {
  if (tracing === undefined) return make(noSpan);
  const { api, tracer } = tracing;
  const [address = '', port] = call.host.split(/:(?=\d+$)/);
  const attributes = {
    'http.request.method': call.method,
    'server.address': address,
    ...(port === undefined ? {} : { 'server.port': Number(port) }),
  };
  return tracer.startActiveSpan(call.name, { kind: api.SpanKind.CLIENT, attributes }, async (span) => {
    const carrier: Record<string, string> = {};
    if (call.isOwn) api.propagation.inject(api.context.active(), carrier);
    const { traceparent } = carrier;
    try {
      return await make({
        // Nothing else that a caller may have sent along: baggage and tracestate end here.
        headers: traceparent === undefined ? {} : { traceparent },
        answered: (status) => {
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
        },
      });
    } catch (error) {
      span.setStatus({ code: api.SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

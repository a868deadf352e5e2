export { listenForCalls, startTracing, stopTracing, traceCall, traceRequests, traceStatement } from './tracing.js';
export type { CallOutcome, CallSpan, OutgoingCall } from './tracing.js';
export { tracingSettings } from './tracing.settings.js';

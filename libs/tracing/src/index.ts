export { startTracing, stopTracing, traceCall, traceRequests, traceStatement } from './tracing.js';
export type { CallSpan, OutgoingCall } from './tracing.js';

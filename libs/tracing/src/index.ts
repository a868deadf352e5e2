export { startTracing, stopTracing, traceRequests, traceStatement } from './tracing.js';

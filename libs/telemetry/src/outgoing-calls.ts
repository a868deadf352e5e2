import { Counter, Histogram, type Registry } from 'prom-client';
import { listenForCalls, type CallOutcome } from '#libs/tracing';

/** Upper bounds in seconds; the bank has five by default (BANK_TIMEOUT_MILLISECONDS). */
const bounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts the answers of other servers: the bank by operation, the receiver of events, directories and authorities. */
export function countOutgoingCalls(registry: Registry): void {
  const requests = new Counter({
    name: 'open_banking_outgoing_requests_total',
    help: 'Requests to other servers by the status of the answer; none: there was no answer in time.',
    labelNames: ['call', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'open_banking_outgoing_request_duration_seconds',
    help: 'Time of a request to another server.',
    labelNames: ['call'],
    buckets: bounds,
    registers: [registry],
  });
  listenForCalls(({ name: call, status, seconds }: CallOutcome) => {
    requests.inc({ call, status: status === undefined ? 'none' : String(status) });
    durations.observe({ call }, seconds);
  });
}

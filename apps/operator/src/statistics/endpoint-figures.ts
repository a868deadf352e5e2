import { availabilityOf, type RecordedDay, round, total } from './recorded-day.js';

/** Areas without endpoints for TPPs: pages, probes, unknown paths. */
const withoutEndpoints = ['none', 'other'];

/**
 * One line for Open Banking Limited: one endpoint on one day, by the names of the ASPSP's template (MI Reporting Data
 * API Specification, 3.1 Performance and Availability, 3.7 Daily Volumes). Times are in milliseconds; no cell may be
 * empty.
 */
export type EndpointFigures = Readonly<Record<(typeof endpointColumns)[number], string | number>>;

export const endpointColumns = [
  'Report Date',
  'Endpoint ID',
  'Up Time',
  'Unplanned Downtime',
  'Average TTLB Response Time',
  'Total Number of API calls',
  'Total TTLB Response Time',
  'Successful API Calls (200, 201 or 204 codes)',
  'Failed API Calls Business Reasons (4xx Codes)',
  'Failed API Calls Technical Reasons (5xx Codes)',
  'Version',
] as const;

const readWriteRoute = /^\/open-banking\/v(\d+\.\d+)\/(?:aisp|pisp|cbpii)(\/.*)$/;

/** @returns the figures of the endpoints that were called */
export function endpointFigures({ day, seconds, ...recorded }: RecordedDay): EndpointFigures[] {
  return recorded.answerSeconds.flatMap((answers) => {
    // Without a route it is an interface of your own, which has no endpoints.
    const { area, method = '', route = '' } = answers.labels;
    const downtime = recorded.downtimeSeconds.find(({ labels }) => labels['area'] === area);
    const ofEndpoint = recorded.requests.filter(
      ({ labels }) => labels['method'] === method && labels['route'] === route,
    );
    const calls = Math.round(total(ofEndpoint));
    if (area === undefined || withoutEndpoints.includes(area) || route === '' || downtime === undefined) return [];
    if (calls === 0) return [];
    const answeredWith = (status: RegExp): number =>
      Math.round(total(ofEndpoint.filter(({ labels }) => status.test(labels['status'] ?? ''))));
    const { uptimePercent, downtimeSeconds } = availabilityOf(downtime, seconds);
    const milliseconds = 1_000 * total([answers]);
    const [, version = 'NULL', path = route] = readWriteRoute.exec(route) ?? [];
    return {
      'Report Date': day,
      'Endpoint ID': `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
      'Up Time': uptimePercent,
      'Unplanned Downtime': downtimeSeconds,
      'Average TTLB Response Time': round(milliseconds / calls, 1),
      'Total Number of API calls': calls,
      'Total TTLB Response Time': Math.round(milliseconds),
      'Successful API Calls (200, 201 or 204 codes)': answeredWith(/^20[014]$/),
      'Failed API Calls Business Reasons (4xx Codes)': answeredWith(/^4/),
      'Failed API Calls Technical Reasons (5xx Codes)': answeredWith(/^5/),
      Version: version,
    };
  });
}

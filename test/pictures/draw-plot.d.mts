/** @returns SVG of the table of cases on a page */
export function drawPlot(page: string): string;

/** @returns SVG of latency against load; undefined if the results lack that case */
export function drawLatency(results: { cases: readonly object[] }): string | undefined;

/** @returns SVG of the processor time of journeys by process; undefined if the results lack one of them */
export function drawJourneys(results: { cases: readonly object[] }): string | undefined;

/** @returns SVG of the cost of a million rows; undefined if the results have none */
export function drawRows(results: { cases: readonly object[] }): string | undefined;

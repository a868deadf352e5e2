/** @returns SVG of the table of cases on a page */
export function drawPlot(page: string): string;

/** @returns SVG of latency against load; undefined if the results lack that case */
export function drawLatency(results: { cases: readonly object[] }): string | undefined;

interface MeasuredCase {
  readonly case: string;
  readonly rps: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly cpu_ms_per_request: number;
  readonly sql_round_trips: number;
  readonly ratios: Readonly<Record<string, number>>;
  readonly cpu_ratios: Readonly<Record<string, number>>;
}

export const titles: Readonly<Record<string, string>>;

export function writeFigures(page: string, results: { readonly cases: readonly MeasuredCase[] }): string;

interface MeasuredJourney {
  readonly case: string;
  readonly [figure: string]: unknown;
}

export function writeJourneys(page: string, results: { readonly cases: readonly MeasuredJourney[] }): string;

export function findMissing(results: { readonly cases: readonly { readonly case: string }[] }): string[];

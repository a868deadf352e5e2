const unitMilliseconds: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
export const longestMilliseconds = 366 * 86_400_000;

/**
 * @param text a number and a unit, e.g. `+90s`, `30m`, `+2h`, `1d`
 * @returns milliseconds; undefined for anything else, for nothing and for more than a year
 */
export function parseDuration(text: string): number | undefined {
  const [, number = '', unit = ''] = /^\+?(\d{1,8})([smhd])$/.exec(text) ?? [];
  const milliseconds = Number(number) * (unitMilliseconds[unit] ?? 0);
  return milliseconds > 0 && milliseconds <= longestMilliseconds ? milliseconds : undefined;
}

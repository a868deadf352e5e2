/** When each major version of Node.js gets its last security fixes (https://github.com/nodejs/release). */
const lastFixes: Readonly<Record<string, string>> = {
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
  26: '2029-04-30',
};

/**
 * @param version as in process.versions.node
 * @returns a line for operators if that Node.js gets no more security fixes
 */
export function unsupportedNode(version: string, now: Date): string | undefined {
  const [major = ''] = version.split('.');
  const last = lastFixes[major];
  if (last === undefined || now < new Date(`${last}T24:00:00Z`)) return undefined;
  return `Node.js ${major} has had no security fixes since ${last}: run this on Node.js 24.`;
}

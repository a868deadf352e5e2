import { isWholeWall, type Finding, type Profile } from './verdict.js';

const titles: Readonly<Record<Profile, string>> = {
  authorize: 'authorize: one-way TLS',
  token: 'token: mutual TLS',
  api: 'api: mutual TLS, discovery for everybody',
};

/** @returns a table for each profile, and the result */
export function formatReport(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ attack }) => attack.length));
  const tables = Object.entries(titles).map(([profile, title]) => {
    const rows = findings.filter((row) => row.profile === profile);
    const lines = rows.map(
      ({ attack, verdict, detail }) => `  ${attack.padEnd(width)}  ${verdict.padEnd(7)}  ${detail}`,
    );
    return [title, ...lines].join('\n');
  });
  return [...tables, conclusion(findings)].join('\n\n');
}

function conclusion(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']): number => findings.filter((row) => row.verdict === verdict).length;
  const [held, holes, failed, left] = [count('held'), count('hole'), count('failed'), count('not run')];
  const numbers = `${held} held, ${holes} holes, ${failed} failed, ${left} not run`;
  return isWholeWall(findings) ? `No hole found: ${numbers}.` : `NOT SAFE: ${numbers}.`;
}

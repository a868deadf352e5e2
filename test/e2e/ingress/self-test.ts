import { expect } from '@jest/globals';
import {
  checkIngress,
  forgeCredentials,
  type AttackGroup,
  type Attacker,
  isWholeWall,
  type Finding,
} from '../../support/apps/ingress-check.js';

/** The self-test, with certificates of unknown authorities that are made once. */
export async function check(attacker: Attacker): Promise<Finding[]> {
  return checkIngress(attacker, new Date(), (like, now) => (forged ??= forgeCredentials(like, now)));
}
let forged: ReturnType<typeof forgeCredentials> | undefined;

/** The findings, in short. */
export function faultsOf(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ verdict }) => verdict !== 'held')
    .map(({ profile, attack, verdict, detail }) => `${profile}: ${attack}: ${verdict}: ${detail}`);
}

/** Runs the self-test, which must fail with this finding. */
export async function expectFound(attacker: Attacker, found: string): Promise<void> {
  expectFinding(await check(attacker), found);
}

export function expectFinding(findings: readonly Finding[], found: string): void {
  expect(isWholeWall(findings)).toBe(false);
  expect(faultsOf(findings)).toContainEqual(expect.stringContaining(found));
}

/** Attacks that end with a time-out. */
const waiting: readonly AttackGroup[] = ['silence', 'sizes', 'flood'];

/** A limit for what hangs, not a measure. */
export const mostPatienceSeconds = 60;

/** Runs the self-test, which must not have this finding; waits longer each time, because the machine may be busy. */
export async function expectNotFound(attacker: Attacker & { patienceSeconds: number }, found: string): Promise<void> {
  const { patienceSeconds } = attacker;
  const faults = faultsOf(await check(attacker));
  const isFound = faults.some((fault) => fault.includes(found));
  const isWaiting = attacker.only?.some((group) => waiting.includes(group)) === true;
  if (isFound && isWaiting && patienceSeconds < mostPatienceSeconds) {
    return expectNotFound({ ...attacker, patienceSeconds: 2 * patienceSeconds }, found);
  }
  expect(faults).not.toContainEqual(expect.stringContaining(found));
}

import { expect } from '@jest/globals';
import { checkIngress } from '../../../apps/ingress-check/src/check-ingress.js';
import { forgeCredentials } from '../../../apps/ingress-check/src/forge-credential.js';
import type { AttackGroup, Attacker } from '../../../apps/ingress-check/src/target.js';
import { isWholeWall, type Finding } from '../../../apps/ingress-check/src/verdict.js';

/** The self-test, with certificates of nobody that are made once. */
export async function check(attacker: Attacker): Promise<Finding[]> {
  return checkIngress(attacker, new Date(), (like, now) => (forged ??= forgeCredentials(like, now)));
}
let forged: ReturnType<typeof forgeCredentials> | undefined;

/** What is not as it should be, in short. */
export function faultsOf(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ verdict }) => verdict !== 'held')
    .map(({ profile, attack, verdict, detail }) => `${profile}: ${attack}: ${verdict}: ${detail}`);
}

/** Makes the self-test, which must not be content and must say this. */
export async function expectFound(attacker: Attacker, found: string): Promise<void> {
  const findings = await check(attacker);
  expect(isWholeWall(findings)).toBe(false);
  expect(faultsOf(findings)).toContainEqual(expect.stringContaining(found));
}

/** Attacks that end when something does not happen in time. */
const waiting: readonly AttackGroup[] = ['silence', 'sizes', 'flood'];

/** A limit for what hangs, not a measure. */
export const mostPatienceSeconds = 60;

/** Makes the self-test, which must not say this: with more and more patience, as a busy machine takes its time. */
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

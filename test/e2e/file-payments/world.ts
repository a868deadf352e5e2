import type { TestTpp } from '../../support/a-tpp.js';
import type { TestSandbox } from '../../support/start-test-sandbox.js';

/** What the tests of a spec share: a sandbox, two TPPs of different organisations. */
export interface World {
  sandbox: TestSandbox;
  tpp: TestTpp;
  otherTpp: TestTpp;
}

/** Gives a suite the world, which exists only while its tests run. */
export type GetWorld = () => World;

/** Where the consents are. */
export const consents = '/file-payment-consents';

/** An id of no resource. */
export const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

/** @returns `Data` of an answer */
export function dataOf(response: { json: () => Record<string, unknown> }): Record<string, unknown> {
  return response.json()['Data'] as Record<string, unknown>;
}

/** @returns ConsentId of an answer */
export function consentIdOf(response: { json: () => Record<string, unknown> }): string {
  return String(dataOf(response)['ConsentId']);
}

/** @returns a date-time so many days from now, with a time zone */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d{3}Z$/, '+00:00');
}

/** @returns the rows with all their columns: for a row that is too short Jest would wait for a callback */
export function table<Row extends readonly unknown[]>(columns: number, rows: readonly Row[]): Row[] {
  return rows.map((row) => Array.from({ length: columns }, (_, index) => row[index]) as unknown as Row);
}

import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** @returns the elements that break a rule, each after the rule's name; how many rules hold; by tags: only their rules */
export async function runAxe(page: Page, tags?: readonly string[]): Promise<{ violations: string[]; passes: number }> {
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(axe.source);
  return page.evaluate(
    async (values) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      const rules = values && { runOnly: { type: 'tag' as const, values } };
      const { violations, passes } = await run({ ...rules, resultTypes: ['violations'] });
      return {
        violations: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        passes: passes.length,
      };
    },
    tags && [...tags],
  );
}

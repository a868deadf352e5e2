import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** @returns the elements that break a rule with one of the tags, each after the rule's name; how many rules hold */
export async function runAxe(page: Page, tags: readonly string[]): Promise<{ violations: string[]; passes: number }> {
  await page.evaluate(axe.source);
  return page.evaluate(
    async (values) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      const { violations, passes } = await run({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] });
      return {
        violations: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        passes: passes.length,
      };
    },
    [...tags],
  );
}

import type { StepResult } from './run-check.js';

/** @returns whether the bank passes */
export function isGood(results: readonly StepResult[]): boolean {
  return results.every(({ outcome }) => outcome === 'passed' || outcome === 'not offered');
}

/** @returns for people: each step with its requests: what was asked, what came and what must come */
export function formatText(results: readonly StepResult[]): string {
  const lines = results.flatMap(({ operation, isOptional, title, outcome, reason, exchanges }) => [
    `${outcome.padEnd(11)} ${operation}${isOptional ? ' (optional)' : ''}: ${title}`,
    ...(reason === undefined ? [] : [`            ${reason}`]),
    ...exchanges.flatMap(({ asked, sent = '', came, mustCome }) =>
      outcome === 'failed'
        ? [
            `              asked     ${asked} ${sent}`.trimEnd(),
            `              came      ${came}`,
            `              must come ${mustCome}`,
          ]
        : [`              ${asked}: ${came.split(' ')[0]} (must: ${mustCome})`],
    ),
  ]);
  const count = (wanted: StepResult['outcome']): string =>
    `${results.filter(({ outcome }) => outcome === wanted).length} ${wanted}`;
  const outcomes = ['passed', 'failed', 'not offered', 'not reached'] as const;
  return [...lines, outcomes.map(count).join(', ')].join('\n');
}

/** @returns a report that build servers read */
export function formatJunit(results: readonly StepResult[]): string {
  const cases = results.map(({ operation, title, outcome, reason = '', exchanges, seconds }) => {
    const details = exchanges
      .map(({ asked, sent = '', came, mustCome }) => `${asked} ${sent}\n${came}\nmust come: ${mustCome}`)
      .join('\n\n');
    const told = {
      passed: '',
      failed: `<failure message="${escape(reason)}">${escape(details)}</failure>`,
      'not offered': '<skipped message="not offered"/>',
      'not reached': `<failure message="${escape(reason)}"/>`,
    }[outcome];
    const attributes = `classname="${operation}" name="${escape(title)}" time="${seconds.toFixed(3)}"`;
    return `  <testcase ${attributes}>${told}</testcase>`;
  });
  const failures = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'not reached').length;
  const skipped = results.filter(({ outcome }) => outcome === 'not offered').length;
  const counts = `tests="${results.length}" failures="${failures}" skipped="${skipped}"`;
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<testsuite name="bank" ${counts}>\n` +
    `${cases.join('\n')}\n` +
    '</testsuite>\n'
  );
}

/** XML 1.0 does not allow most control characters. */
function escape(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, '?').replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

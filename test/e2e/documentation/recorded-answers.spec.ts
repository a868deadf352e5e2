import { describe, expect, it } from '@jest/globals';
import type { TestResponse } from '../../support/https-request.js';
import type { RecordedAnswer } from '../../corpus/normalise.js';
import { DocumentCheck } from './api-document.js';
import { readRecorded, recordedAreas } from './recorded-answers.js';

const check = new DocumentCheck();

function toResponse({ status, headers, body = '' }: RecordedAnswer): TestResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, text, body: Buffer.from(text), json: () => JSON.parse(text) as Record<string, unknown> };
}

/** As generated clients read: every member has its type, and one that is not described is refused. */
describe('the served document describes what was recorded of', () => {
  it.each(recordedAreas)('$area of $version', async (area) => {
    const records = await readRecorded(area);
    const described = records.filter(({ operation }) => operation !== undefined);
    for (const { operation, record } of described) check.check(operation!, toResponse(record));
    expect(described.length).toBeGreaterThan(records.length * 0.9);
  });
});

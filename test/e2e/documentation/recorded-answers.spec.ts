import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { TestResponse } from '../../support/https-request.js';
import type { RecordedAnswer } from '../../corpus/normalise.js';
import { readRecords } from '../../corpus/records.js';
import { DocumentCheck, operationsOf } from './api-document.js';

/** Returns a file as the TPP sent it, with members that no description has. */
const itsOwn = 'Consumed: GET consent/file';
const operations = operationsOf('file-payments');
const check = new DocumentCheck();

/** Values of the forms that the records name. */
const values: readonly [RegExp, string][] = [
  [/<base>/g, 'https://localhost:8443'],
  [/<payment \d+>/g, randomUUID().replaceAll('-', '')],
  [/<[^<>]+>/g, randomUUID()],
  [/0000-00-00T/g, '2030-01-31T'],
  [/fits the body: [^"]*/g, 'header..signature'],
];

function withValues(record: RecordedAnswer): RecordedAnswer {
  const text = values.reduce((said, [form, value]) => said.replace(form, value), JSON.stringify(record));
  return JSON.parse(text) as RecordedAnswer;
}

function toResponse({ status, headers, body = '' }: RecordedAnswer): TestResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, text, body: Buffer.from(text), json: () => JSON.parse(text) as Record<string, unknown> };
}

/** The operation that a recorded request is for; none has an address or a method that does not exist. */
function operationOf({ request }: RecordedAnswer): (typeof operations)[number] | undefined {
  const [sent, path = ''] = request.split(' ');
  return operations.find((each) => {
    const form = each.path.replace(/^.*pisp/, '').replace(/\{\w+\}/g, '[^/]+');
    return each.method === sent && new RegExp(`^${form}$`).test(path);
  });
}

/** As generated clients read: every member has its type, and one that is not described is refused. */
describe('the served document describes what was recorded of', () => {
  it.each(['consents', 'uploads', 'payments', 'headers', 'states'])('%s', async (area) => {
    const records = (await readRecords('v3.1', area)).map(withValues).filter(({ name }) => name !== itsOwn);
    const described = records.flatMap((record) => {
      const operation = operationOf(record);
      return operation === undefined ? [] : [{ operation, response: toResponse(record) }];
    });
    for (const { operation, response } of described) check.check(operation, response);
    expect(described.length).toBeGreaterThan(records.length * 0.9);
  });
});

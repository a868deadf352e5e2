import { randomUUID } from 'node:crypto';
import type { RecordedAnswer } from '../../corpus/normalise.js';
import { readRecords } from '../../corpus/records.js';
import { type Operation, operationsOf } from './api-document.js';

/** The areas of the corpus, each with the document of its answers. */
export const recordedAreas = [
  ...['consents', 'uploads', 'payments', 'headers', 'states'].map((area) => ({
    area,
    version: '3.1',
    document: 'file-payments',
  })),
  { area: 'consents', version: '4.0', document: 'file-payments-4.0' },
  { area: 'domestic-payments', version: '3.1', document: 'domestic-payments' },
  { area: 'domestic-payments', version: '4.0', document: 'domestic-payments-4.0' },
];

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

/** @returns the answers of an area of the corpus, with the operation that each is of: none for an address or method that does not exist */
export async function readRecorded({
  area,
  version,
  document,
}: (typeof recordedAreas)[number]): Promise<{ record: RecordedAnswer; operation: Operation | undefined }[]> {
  const operations = operationsOf(document);
  return (await readRecords(version, area)).map((each) => {
    const record = withValues(each);
    const [sent, path = ''] = record.request.split(' ');
    const operation = operations.find(({ method, path: documented }) => {
      const form = documented.replace(/^.*pisp/, '').replace(/\{\w+\}/g, '[^/]+');
      return method === sent && new RegExp(`^${form}$`).test(path);
    });
    return { record, operation };
  });
}

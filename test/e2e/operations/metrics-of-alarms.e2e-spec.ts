import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { until } from '../../support/expectations.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const deploy = resolve(import.meta.dirname, '../../../deploy');
const read = (path: string): string => readFileSync(join(deploy, path), 'utf8');
const expressions = [
  ...(load(read('prometheus/rules.yaml')) as { groups: { rules: { expr: string }[] }[] }).groups.flatMap(
    ({ rules }) => rules,
  ),
  ...readdirSync(join(deploy, 'grafana')).flatMap((name) =>
    (JSON.parse(read(`grafana/${name}`)) as { panels: { targets: { expr: string }[] }[] }).panels.flatMap(
      ({ targets }) => targets,
    ),
  ),
].map(({ expr }) => expr);

/** Labels that a scrape adds; `le` is of histograms. */
const scrapeLabels = ['job', 'instance', 'le'];
/** What has no sample until something goes wrong; test/architecture/alarms.spec.ts holds their labels to the code. */
const without = [
  'open_banking_housekeeping_failures_total',
  'open_banking_certificate_revocation_unknown_total',
  'open_banking_payment_differences',
  'open_banking_held_payment_orders',
  'open_banking_database_replica_used',
];

let sandbox: TestSandbox;
let tpp: TestTpp;

beforeAll(async () => {
  sandbox = await startTestSandbox({ environment: { BANK_HOLIDAYS: '2099-12-25' } });
  tpp = await aTpp(sandbox);
});

afterAll(async () => {
  tpp?.close();
  await sandbox?.stop();
});

function scrape(): Promise<string> {
  return new Promise((resolveText, reject) => {
    get({ host: '127.0.0.1', port: sandbox.ports.admin, path: '/metrics' }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolveText(text));
    }).on('error', reject);
  });
}

/** The labels of the samples of each metric at `/metrics`. */
function labelsOf(text: string): Map<string, Set<string>> {
  const found = new Map([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => [name, new Set<string>()]));
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const set = found.get(name) ?? found.get(name.replace(/_(?:bucket|sum|count)$/, ''));
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) set?.add(label);
  }
  return found;
}

/** @returns metrics and labels of an expression that are not there */
function missingIn(expression: string, there: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const plain = expression.replace(/"[^"]*"/g, '""');
  const names = [...plain.matchAll(/\b(?<!:)((?:open_banking|process|nodejs)_\w+)(?!:)\b(?:\{([^}]*)\})?/g)];
  return names.flatMap(([, name = '', selector = '']) => {
    const labels = there.get(name) ?? there.get(name.replace(/_(?:bucket|sum|count)$/, ''));
    if (labels === undefined) return [name];
    const grouped = [...plain.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, each = '']) => each.split(', '));
    const selected = [...selector.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, label = '']) => label);
    const asked = [...selected, ...grouped].filter((label) => !scrapeLabels.includes(label));
    return without.includes(name)
      ? []
      : asked.filter((label) => !labels.has(label)).map((label) => `${name}{${label}}`);
  });
}

describe('/metrics of the running service', () => {
  it('has every metric and label that an alarm or a dashboard names', async () => {
    const consent = await tpp.authorise();
    await tpp.exchangeCode(consent);
    const { json } = await tpp.pay(consent);
    const { FilePaymentId: id } = json()['Data'] as { FilePaymentId: string };
    await until(async () => (await tpp.get(`/file-payments/${id}`)).text.includes('InitiationCompleted'));
    await until(async () => (await scrape()).includes('outcome="equal"'));
    const there = labelsOf(await scrape());
    expect(there.size).toBeGreaterThan(40);
    expect([...new Set(expressions.flatMap((each) => missingIn(each, there)))]).toEqual([]);
    // The test can tell.
    expect(missingIn('sum by (colour) (open_banking_queue_depth{flavour="x"})', there)).toEqual([
      'open_banking_queue_depth{flavour}',
      'open_banking_queue_depth{colour}',
    ]);
    expect(missingIn('rate(open_banking_nothing_total[5m])', there)).toEqual(['open_banking_nothing_total']);
  });
});

describe('the processes of a test', () => {
  it('use the database under a role for each of them, as in production', async () => {
    const { rows } = await sandbox.database.query<{ role: string }>(
      `SELECT DISTINCT usename AS role FROM pg_stat_activity
        WHERE application_name IN ('authorize', 'token', 'api', 'worker') ORDER BY 1`,
    );
    expect(rows.map(({ role }) => role)).toEqual(['test_api', 'test_authorize', 'test_token', 'test_worker']);
  });
});

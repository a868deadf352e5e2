import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { expressions } from '../support/apps/operator.js';

const root = resolve(import.meta.dirname, '../..');
const deploy = join(root, 'deploy');
const read = (path: string): string => readFileSync(join(deploy, path), 'utf8');

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: { readonly severity?: string };
}

const rules = (load(read('prometheus/rules.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const alarms = rules.flatMap(({ alert }) => (alert === undefined ? [] : [alert]));
const dashboards = readdirSync(join(deploy, 'grafana'));

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}
const readDashboard = (name: string): Dashboard => JSON.parse(read(`grafana/${name}`)) as Dashboard;

/** Every metric of the code with its labels; a histogram has three names. */
function metricsOfCode(): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const sources = ['apps', 'libs'].flatMap((folder) =>
    (readdirSync(join(root, folder), { recursive: true }) as string[])
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .map((path) => readFileSync(join(root, folder, path), 'utf8')),
  );
  for (const text of sources) {
    for (const [, name = '', rest = ''] of text.matchAll(/'(open_banking_\w+)'(?=([\s\S]{0,400}))/g)) {
      const [, labels = ''] = /\[([^\]]*)\]/.exec(rest.split("'open_banking_", 1)[0] ?? '') ?? [];
      const names = [...labels.matchAll(/'(\w+)'/g)].map(([, label = '']) => label);
      if (!found.has(name)) found.set(name, names);
    }
  }
  found.set('open_banking_http_request_duration_seconds', ['app', 'area', 'method', 'route']);
  return found;
}

const known = metricsOfCode();
const recorded = new Map(
  rules.flatMap(({ record, expr }) =>
    record === undefined ? [] : [[record, /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? []] as const],
  ),
);
/** Metrics of Prometheus itself, of every scrape, and of prom-client. */
const others =
  /^(?:up|process_(?:start_time_seconds|cpu_seconds_total|resident_memory_bytes)|nodejs_eventloop_lag_p99_seconds)$/;
const scrapeLabels = ['job', 'instance', 'pod', 'le'];

/** @returns metrics and labels of an expression that do not exist */
function unknownIn(expression: string): string[] {
  const plain = expression.replace(/"[^"]*"/g, '""');
  const unknown: string[] = [];
  for (const [, name = '', selector = ''] of plain.matchAll(
    /\b((?:(?:area|route):)?open_banking_[\w:]+|up|process_\w+|nodejs_\w+)(?:\{([^}]*)\})?/g,
  )) {
    const bare = name.replace(/_(?:bucket|sum|count)$/, '');
    const labels = known.get(name) ?? known.get(bare) ?? recorded.get(name);
    if (labels === undefined && !others.test(name)) unknown.push(name);
    for (const [, label = ''] of selector.matchAll(/(\w+)\s*(?:=|!)/g)) {
      if (!scrapeLabels.includes(label) && labels?.includes(label) !== true) unknown.push(`${name}{${label}}`);
    }
  }
  return unknown;
}

describe('deploy/prometheus', () => {
  it('names only existing metrics and labels', () => {
    expect(known.size).toBeGreaterThan(20);
    expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
    // Proves that the test can fail.
    expect(unknownIn('rate(open_banking_nothing_total[5m])')).toEqual(['open_banking_nothing_total']);
    expect(unknownIn('open_banking_queue_depth{colour="red"}')).toEqual(['open_banking_queue_depth{colour}']);
    expect(unknownIn('route:open_banking_requests:increase5m{status="500",colour="red"}')).toEqual([
      'route:open_banking_requests:increase5m{colour}',
    ]);
  });

  it('records what the operator command asks for', () => {
    const asked = rules.flatMap(({ record, expr }) => (record?.endsWith(':increase5m') === true ? [expr] : []));
    expect(asked).toEqual(Object.values(expressions));
  });

  it('tests that each alarm fires, and has a runbook for each', () => {
    const { tests } = load(read('prometheus/rules.test.yaml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const fired = tests
      .flatMap((test) => test.alert_rule_test)
      .filter(({ exp_alerts: expected }) => expected.length > 0);
    expect([...new Set(fired.map(({ alertname }) => alertname))].sort()).toEqual([...alarms].sort());
    expect(new Set(alarms).size).toBe(alarms.length);
    const runbooks = read('runbooks.md');
    expect(alarms.filter((alarm) => !runbooks.includes(`\`${alarm}\``))).toEqual([]);
    expect([...runbooks.matchAll(/`(OpenBanking\w+)`/g)].filter(([, name = '']) => !alarms.includes(name))).toEqual([]);
    for (const { alert, labels } of rules) if (alert) expect(labels?.severity).toMatch(/^(?:page|ticket)$/);
  });

  it('scrapes every process, on machines and in Kubernetes, under the jobs that the alarms name', () => {
    const { scrape_configs: jobs } = load(read('prometheus/scrape.yaml')) as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    expect(jobs.map(({ job_name: name }) => name)).toEqual(
      ['authorize', 'token', 'api', 'worker'].map((name) => `open-banking-${name}`),
    );
    for (const { job_name: name } of jobs) {
      expect(rules.find(({ alert }) => alert === 'OpenBankingProcessGone')?.expr).toContain(
        `absent(up{job="${name}"})`,
      );
    }
    const ports = jobs.map(({ static_configs: [first] }) => first?.targets[0]?.split(':')[1]);
    expect(ports).toEqual(['8451', '8452', '8453', '8454']);
    expect(load(read('prometheus/scrape-kubernetes.yaml'))).toMatchObject({
      scrape_configs: [{ kubernetes_sd_configs: [{ role: 'pod', namespaces: { names: ['open-banking'] } }] }],
    });
  });
});

describe('deploy/grafana', () => {
  it('has the dashboards named in the documents', () => {
    const documents = read('observability.md');
    expect(dashboards.filter((name) => !documents.includes(`grafana/${name}`))).toEqual([]);
    expect(dashboards.length).toBeGreaterThanOrEqual(5);
  });

  it.each(dashboards)('%s shows only existing metrics', (name) => {
    const { uid, panels } = readDashboard(name);
    expect(`${uid}.json`).toBe(name);
    expect(panels.length).toBeGreaterThanOrEqual(5);
    expect(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => unknownIn(expr)))).toEqual([]);
  });
});

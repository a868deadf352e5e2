import { describe, expect, it } from '@jest/globals';
import { hasTest } from '../support/has-test.js';

const ingress = 'test/e2e/ingress';
const database = 'test/e2e/database';
const statementPlans = 'test/integration/statement-plans.int-spec.ts';
const roles = 'test/integration/database-roles.int-spec.ts';
const alarms = 'test/architecture/alarms.spec.ts';
const deployment = 'test/architecture/deployment.spec.ts';
const config = 'test/architecture/settings.spec.ts';
const oneMachine = 'test/e2e/process/one-machine.e2e-spec.ts';

/** By file: a promise, and a part of the title of the test that fails without it. */
type Promises = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What this service promises to those who run it. Where one promise has several halves, each has its line. */
const promises: Readonly<Record<string, Promises>> = {
  'the edge': {
    [`${ingress}/shared-limits.e2e-spec.ts`]: {
      'one stranger locks nobody out, not by requests and not by passwords': 'is refused, and nobody else',
      'callers that nobody can tell apart are not counted together':
        'is not counted if callers cannot be distinguished',
      'a forged PROXY header counts for nothing, at the instance and at the ingress':
        'cannot say that it is somebody else',
    },
    'libs/guards/src/rate-limit.spec.ts': {
      'callers that nobody can tell apart are not counted together (the limit itself)':
        'counts nobody by the address of an ingress',
      'an IPv6 network counts as one: the application': 'counts the addresses of one IPv6 network together',
    },
    'libs/http-server/src/proxied-connections.spec.ts': {
      'a PROXY header counts from trusted addresses alone': 'with a forged header, from elsewhere',
    },
    'libs/http-server/src/proxy-header.spec.ts': {
      'a PROXY header of any bytes is read or refused': 'whatever the bytes',
    },
    [config]: {
      'the PROXY protocol needs to know the ingress':
        'takes the PROXY protocol only from the ingress, and only where TLS passes through it',
    },
    [`${ingress}/strangers.e2e-spec.ts`]: {
      'forged addresses in headers count for nothing': 'is not believed who it is by a header',
      'slow and idle connections, and floods of headers, keep nobody out': 'keeps nobody out',
      'slow bodies are bounded in number': 'that never ends a body',
    },
    [`${ingress}/ingress-forms.e2e-spec.ts`]: {
      'forged certificate headers count for nothing': 'leaves no hole, neither in front nor behind',
    },
    'test/e2e/process/ingress.e2e-spec.ts': {
      'forged certificate headers count for nothing at the application': 'trusts only the ingress',
    },
    [`${ingress}/client-networks.e2e-spec.ts`]: {
      'an IPv6 network counts as one: nginx': 'by nginx, in both forms',
      'an IPv6 network counts as one: HAProxy and the Gateway': 'by HAProxy, and by the script of the Gateway',
    },
    [`${ingress}/ingress-files.spec.ts`]: {
      'ingress-check finds a file without limits on the forms': 'all of them are limited in front of it',
      'no key of Envoy’s and the Gateway’s files goes unnoticed': 'the removal of any protection is noticed',
    },
    [`${ingress}/ingress-directives.spec.ts`]: {
      'each directive of the files protects, or says why it need not': 'has every directive of the configuration',
      'HAProxy starts while a name does not resolve': 'starts while the names of its instances do not resolve',
      'nginx has files for its connections': 'may open a file for each connection',
    },
    [`${ingress}/rolling-restart.e2e-spec.ts`]: {
      'a restart of instances loses no request': 'loses no request and drops no sign-in',
    },
  },
  'alarms and dashboards': {
    [alarms]: {
      'each alarm fires, dead processes too, and has a runbook':
        'tests that each alarm fires, and has a runbook for each',
      'each process is missed by its name': 'scrapes every process',
      'alarms name only metrics that there are': 'names only existing metrics and labels',
      'dashboards show only metrics that there are': 'shows only existing metrics',
    },
    'test/e2e/operations/alarms-played.e2e-spec.ts': {
      'promtool finds that each fires when it should': 'holds for promtool',
    },
    'test/e2e/operations/metrics-of-alarms.e2e-spec.ts': {
      'metrics of alarms and dashboards are on /metrics':
        'has every metric and label that an alarm or a dashboard names',
    },
    'test/architecture/documentation.spec.ts': {
      'pictures of dashboards are those that the program draws': 'show only generated pictures',
    },
  },
  'flat queries': {
    [statementPlans]: {
      'each statement is known': 'are all known here',
      'each statement gets at 400,000 rows by a key, or by a list':
        'each statement gets at a table by a key, or by a list',

      'the blocks of each list, housekeeping and command stay below its bound': 'Object.entries(boundedStatements)',
      'housekeeping removes 20,000 rows a second of each kind': 'removes at least 20,000 rows a second',
      'it ends 10,000 consents a second of each kind': 'ends at least 10,000 rows a second',
    },
    'test/integration/housekeeping.int-spec.ts': {
      'housekeeping ends what has expired, and nothing else':
        'ends what has expired, in many batches, and nothing else',
      'housekeeping knows each table whose rows end': 'knows every table whose rows expire',
    },
  },
  'fail-over': {
    [`${database}/split-brain.e2e-spec.ts`]: {
      'a promotion beside a living primary is noticed, and the old one left':
        'the old primary is reported, and never used again',
    },
    [`${database}/failover.e2e-spec.ts`]: { 'nothing acknowledged is lost': 'loses nothing acknowledged' },
    'libs/persistence/src/servers-of-database.spec.ts': {
      'the newest timeline is used': 'the one with the newest timeline is used',
      'a server that lags is refused': 'one that lags behind a timeline seen before is refused',
      'a server of another database is refused': 'one of another database is refused',
    },
    'libs/telemetry/src/readiness.spec.ts': {
      'readiness names the reason': 'names each failed check, with its reason',
      'a load balancer keeps it, if all instances lack the database':
        'is not lost to a failure that all instances share',
    },
    'test/e2e/process/connections.e2e-spec.ts': {
      'an instance without a database still answers 503': 'is answered with 503 and Retry-After by every application',
    },
    [`${database}/read-replica.e2e-spec.ts`]: {
      'a replica that is not used is measured': 'gives the report of a file payment',
    },
    [`${database}/pgbouncer.e2e-spec.ts`]: { 'PgBouncer may stand in between': 'the whole journey works' },
  },
  'least privilege': {
    [config]: {
      'each process demands its own secrets': '%s needs of the secrets %j',
      'each process takes no notice of those of others': 'ignores what belongs to others',
      'no process can use what belongs to others': 'has no value that is made of a setting of others',
      'verify-full is demanded': 'must prove the name of the server',
    },
    [deployment]: {
      'the table of settings is made from the code': 'has a reader for each setting',
      'containers run without rights': 'without rights, on its ports, with its probes',
    },
    'test/e2e/process/production-profile.e2e-spec.ts': {
      'each process runs with its own settings alone': 'runs as separate processes and makes payments',
    },
    [roles]: {
      'a role has the rights that its statements need, and no others': 'are exactly those that its statements need',
      'a role can run all its statements': 'let it run all of its statements',
      'each missing right is noticed': 'are all needed',
      'a process that was broken into cannot do what is another’s': 'UPDATE payment_consents SET status = status',
      'verify-full is what it says: another authority': 'refuses a server of another authority',
    },
    'test/e2e/operations/metrics-of-alarms.e2e-spec.ts': {
      'the journeys of all tests run under these roles': 'use the database under a role for each of them',
    },
    [oneMachine]: {
      'verify-full is what it says: another name': 'refuses a database with another’s certificate',
      'on one machine each process is given its own secrets': 'gives each process its own secrets and no others',
    },
  },
  'crashes and weakenings': {
    'test/e2e/process/crash.e2e-spec.ts': {
      'a SIGKILL loses the failed authentications of the last second at most':
        'keeps all failed authentications but those of its last second',
      'a SIGKILL loses nothing acknowledged': 'loses nothing it has acknowledged',
    },
    'libs/telemetry/src/observe-process.spec.ts': {
      'weakenings are named at start, and by a metric': 'names them in one line of the log, and each in a metric',
    },
    [config]: { 'STRICT refuses them': 'refuses each setting that weakens the security profile' },
    [deployment]: { 'the shipped settings are strict': 'weakens nothing of the security profile' },
  },
  'an operator who follows deploy/': {
    [oneMachine]: {
      'one machine, by the letter, to processes that are ready': 'leads from nothing to four processes that are ready',
      'one machine, by the letter, to a payment': 'makes payments over HAProxy',
    },
    'test/architecture/documented-commands.spec.ts': {
      'every command of every page is one that there is': 'exists',
    },
    'apps/token/src/signing-keys/run-keys-command.spec.ts': {
      'the keys command keeps owner and mode: owner': 'keeps its owner when root replaces it',
      'the keys command keeps owner and mode: mode': 'keeps its mode when it is replaced',
    },
    [deployment]: {
      'the image has a path for keys, housekeeping and operator commands': 'contains the files that the programs read',
      'operators have a pod': 'lets operators have a pod',
      'pods never have more connections than PostgreSQL':
        'never has more pods than a PostgreSQL as it comes has connections',
    },
    'test/e2e/upgrade/upgrade.e2e-spec.ts': {
      'an upgrade under load loses nothing': 'loses nothing, forward and back',
    },
    'test/integration/audit-trail.int-spec.ts': {
      'two workers seal the audit trail once': 'is refused to the one %s if the other has sealed meanwhile',
    },
  },
  'beyond one primary': {
    'test/architecture/statement-forms.spec.ts': {
      'statements keep to forms that a distributed PostgreSQL takes': 'in none but those that are taken all the same',
    },
    'test/architecture/distribution.spec.ts': {
      'statements name the client, or are known to ask all': 'name the client, or are among those that ask all nodes',
    },
    [`${database}/distributed.e2e-spec.ts`]: { 'whole journeys on the cluster': 'makes 150 payments by v%s' },
  },
};

describe.each(Object.entries(promises))('what is promised to those who run the service: %s', (_area, files) => {
  const lines = Object.entries(files).flatMap(([file, rows]) =>
    Object.entries(rows).map((row) => [...row, file] as const),
  );

  it.each(lines)('%s: “%s” in %s', (_promise, test, file) => expect(hasTest(file, test)).toBe(true));

  it('names no promise twice', () => {
    const names = lines.map(([promise]) => promise);
    expect(new Set(names).size).toBe(names.length);
  });
});

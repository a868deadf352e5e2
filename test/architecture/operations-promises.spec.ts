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

/**
 * What this service promises to those who run it, and the test that fails without it: file below test or libs, and a
 * part of its title. Where one promise has several halves, each has its line.
 */
const promises: Readonly<Record<string, readonly (readonly [promise: string, file: string, test: string])[]>> = {
  'the edge': [
    [
      'one stranger locks nobody out, not by requests and not by passwords',
      `${ingress}/shared-limits.e2e-spec.ts`,
      'is refused, and nobody else',
    ],
    [
      'callers that nobody can tell apart are not counted together',
      `${ingress}/shared-limits.e2e-spec.ts`,
      'is not counted if callers cannot be distinguished',
    ],
    [
      'callers that nobody can tell apart are not counted together (the limit itself)',
      'libs/guards/src/rate-limit.spec.ts',
      'counts nobody by the address of an ingress',
    ],
    [
      'a forged PROXY header counts for nothing, at the instance and at the ingress',
      `${ingress}/shared-limits.e2e-spec.ts`,
      'cannot say that it is somebody else',
    ],
    [
      'a PROXY header counts from trusted addresses alone',
      'libs/http-server/src/proxied-connections.spec.ts',
      'with a forged header, from elsewhere',
    ],
    [
      'a PROXY header of any bytes is read or refused',
      'libs/http-server/src/proxy-header.spec.ts',
      'whatever the bytes',
    ],
    [
      'the PROXY protocol needs to know the ingress',
      config,
      'takes the PROXY protocol only from the ingress, and only where TLS passes through it',
    ],
    [
      'forged addresses in headers count for nothing',
      `${ingress}/strangers.e2e-spec.ts`,
      'is not believed who it is by a header',
    ],
    [
      'forged certificate headers count for nothing',
      `${ingress}/ingress-forms.e2e-spec.ts`,
      'leaves no hole, neither in front nor behind',
    ],
    [
      'forged certificate headers count for nothing at the application',
      'test/e2e/process/ingress.e2e-spec.ts',
      'trusts only the ingress',
    ],
    [
      'slow and idle connections, and floods of headers, keep nobody out',
      `${ingress}/strangers.e2e-spec.ts`,
      'keeps nobody out',
    ],
    ['slow bodies are bounded in number', `${ingress}/strangers.e2e-spec.ts`, 'that never ends a body'],
    ['an IPv6 network counts as one: nginx', `${ingress}/client-networks.e2e-spec.ts`, 'by nginx, in both forms'],
    [
      'an IPv6 network counts as one: HAProxy and the Gateway',
      `${ingress}/client-networks.e2e-spec.ts`,
      'by HAProxy, and by the script of the Gateway',
    ],
    [
      'an IPv6 network counts as one: the application',
      'libs/guards/src/rate-limit.spec.ts',
      'counts the addresses of one IPv6 network together',
    ],
    [
      'ingress-check finds a file without limits on the forms',
      `${ingress}/ingress-files.spec.ts`,
      'all of them are limited in front of it',
    ],
    [
      'each directive of the files protects, or says why it need not',
      `${ingress}/ingress-directives.spec.ts`,
      'has every directive of the configuration',
    ],
    [
      'no key of Envoy’s and the Gateway’s files goes unnoticed',
      `${ingress}/ingress-files.spec.ts`,
      'the removal of any protection is noticed',
    ],
    [
      'HAProxy starts while a name does not resolve',
      `${ingress}/ingress-directives.spec.ts`,
      'starts while the names of its instances do not resolve',
    ],
    [
      'nginx has files for its connections',
      `${ingress}/ingress-directives.spec.ts`,
      'may open a file for each connection',
    ],
    [
      'a restart of instances loses no request',
      `${ingress}/rolling-restart.e2e-spec.ts`,
      'loses no request and drops no sign-in',
    ],
  ],
  'alarms and dashboards': [
    [
      'each alarm fires, dead processes too, and has a runbook',
      alarms,
      'tests that each alarm fires, and has a runbook for each',
    ],
    [
      'promtool finds that each fires when it should',
      'test/e2e/operations/alarms-played.e2e-spec.ts',
      'holds for promtool',
    ],
    ['each process is missed by its name', alarms, 'scrapes every process'],
    ['alarms name only metrics that there are', alarms, 'names only existing metrics and labels'],
    ['dashboards show only metrics that there are', alarms, 'shows only existing metrics'],
    [
      'metrics of alarms and dashboards are on /metrics',
      'test/e2e/operations/metrics-of-alarms.e2e-spec.ts',
      'has every metric and label that an alarm or a dashboard names',
    ],
    [
      'pictures of dashboards are those that the program draws',
      'test/architecture/documentation.spec.ts',
      'show only generated pictures',
    ],
  ],
  'flat queries': [
    ['each statement is known', statementPlans, 'are all known here'],
    [
      'each statement gets at 400,000 rows by a key, or by a list',
      statementPlans,
      'each statement gets at a table by a key, or by a list',
    ],
    ['each list, housekeeping and command has a bound of blocks', statementPlans, '...lists, ...housekeeping, ...commands'],
    ['the blocks stay below the bound', statementPlans, 'Object.entries(boundedStatements)'],
    ['housekeeping removes 20,000 rows a second of each kind', statementPlans, 'removes at least 20,000 rows a second'],
    ['it ends 10,000 consents a second of each kind', statementPlans, 'ends at least 10,000 rows a second'],
    [
      'housekeeping ends what has expired, and nothing else',
      'test/integration/housekeeping.int-spec.ts',
      'ends what has expired, in many batches, and nothing else',
    ],
    [
      'housekeeping knows each table whose rows end',
      'test/integration/housekeeping.int-spec.ts',
      'knows every table whose rows expire',
    ],
  ],
  'fail-over': [
    [
      'a promotion beside a living primary is noticed, and the old one left',
      `${database}/split-brain.e2e-spec.ts`,
      'the old primary is reported, and never used again',
    ],
    ['nothing acknowledged is lost', `${database}/failover.e2e-spec.ts`, 'loses nothing acknowledged'],
    [
      'the newest timeline is used',
      'libs/persistence/src/servers-of-database.spec.ts',
      'the one with the newest timeline is used',
    ],
    [
      'a server that lags is refused',
      'libs/persistence/src/servers-of-database.spec.ts',
      'one that lags behind a timeline seen before is refused',
    ],
    [
      'a server of another database is refused',
      'libs/persistence/src/servers-of-database.spec.ts',
      'one of another database is refused',
    ],
    ['readiness names the reason', 'libs/telemetry/src/readiness.spec.ts', 'names each failed check, with its reason'],
    [
      'an instance without a database still answers 503',
      'test/e2e/process/connections.e2e-spec.ts',
      'is answered with 503 and Retry-After by every application',
    ],
    [
      'a load balancer keeps it, if all instances lack the database',
      'libs/telemetry/src/readiness.spec.ts',
      'is not lost to a failure that all instances share',
    ],
    [
      'a replica that is not used is measured',
      `${database}/read-replica.e2e-spec.ts`,
      'gives the report of a file payment',
    ],
    ['PgBouncer may stand in between', `${database}/pgbouncer.e2e-spec.ts`, 'the whole journey works'],
  ],
  'least privilege': [
    ['each process demands its own secrets', config, '%s needs of the secrets %j'],
    ['each process takes no notice of those of others', config, 'ignores what belongs to others'],
    ['no process can use what belongs to others', config, 'has no value that is made of a setting of others'],
    ['the table of settings is made from the code', deployment, 'has a reader for each setting'],
    [
      'each process runs with its own settings alone',
      'test/e2e/process/production-profile.e2e-spec.ts',
      'runs as separate processes and makes payments',
    ],
    [
      'a role has the rights that its statements need, and no others',
      roles,
      'are exactly those that its statements need',
    ],
    ['a role can run all its statements', roles, 'let it run all of its statements'],
    ['each missing right is noticed', roles, 'are all needed'],
    [
      'a process that was broken into cannot do what is another’s',
      roles,
      'UPDATE payment_consents SET status = status',
    ],
    [
      'the journeys of all tests run under these roles',
      'test/e2e/operations/metrics-of-alarms.e2e-spec.ts',
      'use the database under a role for each of them',
    ],
    ['verify-full is demanded', config, 'must prove the name of the server'],
    ['verify-full is what it says: another authority', roles, 'refuses a server of another authority'],
    ['verify-full is what it says: another name', oneMachine, 'refuses a database with another’s certificate'],
    [
      'on one machine each process is given its own secrets',
      oneMachine,
      'gives each process its own secrets and no others',
    ],
    ['containers run without rights', deployment, 'without rights, on its ports, with its probes'],
  ],
  'crashes and weakenings': [
    [
      'a SIGKILL loses the failed authentications of the last second at most',
      'test/e2e/process/crash.e2e-spec.ts',
      'keeps all failed authentications but those of its last second',
    ],
    ['a SIGKILL loses nothing acknowledged', 'test/e2e/process/crash.e2e-spec.ts', 'loses nothing it has acknowledged'],
    [
      'weakenings are named at start, and by a metric',
      'libs/telemetry/src/observe-process.spec.ts',
      'names them in one line of the log, and each in a metric',
    ],
    ['STRICT refuses them', config, 'refuses each setting that weakens the security profile'],
    ['the shipped settings are strict', deployment, 'weakens nothing of the security profile'],
  ],
  'an operator who follows deploy/': [
    [
      'one machine, by the letter, to processes that are ready',
      oneMachine,
      'leads from nothing to four processes that are ready',
    ],
    ['one machine, by the letter, to a payment', oneMachine, 'makes payments over HAProxy'],
    ['every command of every page is one that there is', 'test/architecture/documented-commands.spec.ts', 'exists'],
    [
      'the keys command keeps owner and mode: owner',
      'apps/token/src/signing-keys/run-keys-command.spec.ts',
      'keeps its owner when root replaces it',
    ],
    [
      'the keys command keeps owner and mode: mode',
      'apps/token/src/signing-keys/run-keys-command.spec.ts',
      'keeps its mode when it is replaced',
    ],
    [
      'the image has a path for keys, housekeeping and operator commands',
      deployment,
      'contains the files that the programs read',
    ],
    ['operators have a pod', deployment, 'lets operators have a pod'],
    [
      'pods never have more connections than PostgreSQL',
      deployment,
      'never has more pods than a PostgreSQL as it comes has connections',
    ],
    ['an upgrade under load loses nothing', 'test/e2e/upgrade/upgrade.e2e-spec.ts', 'loses nothing, forward and back'],
    [
      'two workers seal the audit trail once',
      'test/integration/audit-trail.int-spec.ts',
      'is refused to the one %s if the other has sealed meanwhile',
    ],
  ],
  'beyond one primary': [
    [
      'statements keep to forms that a distributed PostgreSQL takes',
      'test/architecture/statement-forms.spec.ts',
      'in none but those that are taken all the same',
    ],
    [
      'statements name the client, or are known to ask all',
      'test/architecture/distribution.spec.ts',
      'name the client, or are among those that ask all nodes',
    ],
    ['whole journeys on the cluster', `${database}/distributed.e2e-spec.ts`, 'makes 150 payments by v%s'],
  ],
};

describe.each(Object.entries(promises))('what is promised to those who run the service: %s', (_area, lines) => {
  it.each(lines)('%s: %s has “%s”', (_promise, file, test) => expect(hasTest(file, test)).toBe(true));

  it('names no promise twice', () => {
    const names = lines.map(([promise]) => promise);
    expect(new Set(names).size).toBe(names.length);
  });
});

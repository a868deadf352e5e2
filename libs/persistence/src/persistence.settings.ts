import { constant, format, group, loadConfig, made, only, setting, type Setting, type ValuesOf } from '#libs/config';

const tls = setting(
  'DATABASE_TLS',
  'TLS to PostgreSQL. `verify-full`: both database URLs must contain `sslmode=verify-full`, and ' +
    '`sslrootcert=<file>` if the system does not trust the CA. `any`: as the URLs say, possibly without TLS.',
  format.choice('verify-full', 'any'),
  { default: 'verify-full', weakens: (tls) => tls === 'any' },
);
const distributed = setting(
  'DATABASE_DISTRIBUTED',
  'Whether rows are distributed over several servers with Citus (deploy/database). The same for every process.',
  format.flag,
  { default: 'false' },
);

type Check = NonNullable<Setting<string | undefined>['check']>;

/** The server's certificate proves its name, unless DATABASE_TLS says otherwise. */
const checkTls: Check = (url, read) => {
  if (typeof url !== 'string' || read(tls) !== 'verify-full') return undefined;
  // If it is given twice, the last one counts.
  const modes = [...url.matchAll(/[?&]sslmode=([^&]*)/g)].map(([, mode]) => mode);
  return modes.at(-1) === 'verify-full'
    ? undefined
    : 'must contain sslmode=verify-full (DATABASE_TLS=any accepts any other value, and weakens the security profile)';
};

const url = setting(
  'DATABASE_URL',
  'It may list the primary and standbys, separated by commas (`postgres://user:password@first:5432,second:5432/name`).',
  format.postgresUrl,
  { secret: true, file: true, check: checkTls },
);

export const databaseSettings = group('database', 'Database', {
  url: made([url, tls], (each) => each),
  poolSize: setting('DATABASE_POOL_SIZE', 'Maximum connections of one process.', format.integer(1, 200), {
    default: '10',
  }),
  preparedStatements: setting(
    'DATABASE_PREPARED_STATEMENTS',
    'Whether to use named prepared statements: false behind a pooler in transaction mode that does not track them ' +
      '(deploy/database).',
    format.flag,
    { default: 'true' },
  ),
  distributed,
  lockTimeoutMilliseconds: made(
    [constant('DATABASE_LOCK_TIMEOUT_SECONDS', format.integer(0, 14), '3')],
    (seconds) => seconds * 1_000,
  ),
});

export const replicaSettings = group('', 'Database', {
  replicaUrl: setting(
    'DATABASE_REPLICA_URL',
    "One streaming replica, for report files and operators' lists (deploy/database). Not with DATABASE_DISTRIBUTED.",
    format.postgresUrl,
    {
      optional: true,
      secret: true,
      file: true,
      check: (url, read) => [
        ...[checkTls(url, read) ?? []].flat(),
        ...(url !== undefined && /^[^?]*,/.test(url.replace(/^[^/]*\/\/(?:[^@/?#]*@)?/, ''))
          ? ['must name one server']
          : []),
        ...(url !== undefined && read(distributed) ? ['must not be given with DATABASE_DISTRIBUTED'] : []),
      ],
    },
  ),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof databaseSettings> {}
  interface Config extends ValuesOf<typeof replicaSettings> {}
}

/**
 * Reads only what migrations and the jobs of operators need, which have none of the service's keys.
 * @returns the postgres:// URL of DATABASE_URL, and whether rows are distributed
 * @throws ConfigError
 */
export async function loadDatabase(
  env?: Readonly<Record<string, string | undefined>>,
): Promise<{ url: string; distributed: boolean }> {
  return (await loadConfig(env, only(databaseSettings, 'url', 'distributed'))).database;
}

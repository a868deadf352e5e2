import { InvalidArgumentError } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';

export interface MigrateActions {
  readonly migrate: (options: { envFile?: string }) => Promise<void>;
  readonly distribute: (options: { envFile?: string }) => Promise<void>;
  readonly grants: (options: { prefix: string; exact?: true }) => void;
}

/** @param actions carry out the commands */
export function createMigrateProgram({ migrate, distribute, grants }: MigrateActions): CommandLineProgram {
  const program = new CommandLineProgram(callOf('migrate'), 'Migrate the database that DATABASE_URL names.');
  program.option(
    '--env-file <file>',
    'file with settings; the environment takes precedence. With a sandbox: --env-file .sandbox/service.env',
  );
  program
    .command('schema', { isDefault: true })
    .description('migrate the database to the newest schema (default)')
    .action(() => migrate(program.opts<{ envFile?: string }>()));
  program
    .command('distribute')
    .description('lay the tables out on a Citus cluster, by client; stop all processes first')
    .action(() => distribute(program.opts<{ envFile?: string }>()));
  program
    .command('grants')
    .description('print SQL that grants each process role the rights that its statements need')
    .option(
      '--prefix <prefix>',
      'prefix of the role names, before the name of the process',
      readPrefix,
      'open_banking_',
    )
    .option('--exact', 'first revoke all other rights of the roles; not while an older version runs')
    .action(grants);
  return program;
}

/** It becomes part of names in SQL, unchanged. */
function readPrefix(text: string): string {
  if (/^[a-z_][a-z0-9_]{0,40}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be lower case letters, digits and underscores.');
}

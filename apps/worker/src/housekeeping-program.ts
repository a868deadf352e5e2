import { InvalidArgumentError } from 'commander';
import { callOf, CommandLineProgram, loadSettingsFile } from '#libs/command-line';
import { isUuid } from '#libs/obie-rules';

/** What to erase, as given on the command line. */
export type HousekeepingWork =
  { readonly name: 'retain'; readonly days: number } | { readonly name: 'erase'; readonly consentId: string };

/** @param run carries it out */
export function createHousekeepingProgram(run: (work: HousekeepingWork) => Promise<void>): CommandLineProgram {
  const program = new CommandLineProgram(
    callOf('housekeeping'),
    'Erase customer data in the database that DATABASE_URL names.',
  );
  program
    .option(
      '--env-file <file>',
      'file with settings; the environment takes precedence. With a sandbox: .sandbox/service.env',
    )
    .hook('preAction', () => loadSettingsFile(program.opts<{ envFile?: string }>().envFile))
    .addHelpText(
      'after',
      '\nConsents that can still change are not touched. Totals, ids and statuses remain (deploy/retention.md).',
    );
  program
    .command('retain')
    .description('erase the customer data of all consents that ended more than the given number of days ago')
    .requiredOption('--days <days>', 'number of days', readDays)
    .action(({ days }: { days: number }) => run({ name: 'retain', days }));
  program
    .command('erase')
    .description('erase the customer data of one consent')
    .requiredOption('--consent <id>', 'ConsentId', readConsentId)
    .action(({ consent }: { consent: string }) => run({ name: 'erase', consentId: consent }));
  return program;
}

function readDays(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 99999 at most.');
}

function readConsentId(text: string): string {
  if (isUuid(text.toLowerCase())) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a UUID.');
}

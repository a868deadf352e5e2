import { type Command as Program, Option } from 'commander';
import type { StatisticsCommand } from '../command.js';
import { readHttpUrl, readPastDay } from '../read-parameters.js';
import type { StatisticsRequest } from './read-statistics.js';

const readDay = (text: string): string => readPastDay(text, new Date());

export function addStatisticsCommand(program: Program, found: (command: StatisticsCommand) => void): void {
  const command: Program = program
    .command('statistics')
    .description('calculate the regulator’s daily figures from what Prometheus has recorded')
    .addOption(new Option('--from <day>', 'the first day').argParser(readDay).makeOptionMandatory())
    .addOption(new Option('--to <day>', 'the last day').argParser(readDay).makeOptionMandatory())
    .option('--prometheus <url>', 'where Prometheus is', readHttpUrl, new URL('http://localhost:9090'))
    .option('--csv', 'print CSV')
    .addOption(
      new Option('--mi', 'print the figures of each endpoint for Open Banking Limited, as CSV').conflicts('csv'),
    )
    .action(({ csv, mi, ...request }: StatisticsRequest & { csv?: boolean; mi?: boolean }) => {
      if (request.from > request.to) return command.error('error: --from must not be after --to.');
      return found({ name: 'statistics', ...request, csv: mi ? 'endpoints' : csv ? 'areas' : undefined });
    });
}

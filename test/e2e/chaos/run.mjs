// npm run chaos -- [--minutes N] [--seed S] [--faults a,b,c]
import { InvalidArgumentError } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';
import { readCommandLine } from '../../support/read-command-line.mjs';
import { runJest } from '../../support/run-jest.mjs';

const matching = (pattern, rule) => (text) => {
  if (!pattern.test(text)) throw new InvalidArgumentError(rule);
  return text;
};

const program = new CommandLineProgram(callOf('chaos'), 'Make payments while faults happen, and check the accounts.')
  .option('--minutes <n>', 'how long', matching(/^\d{1,4}(\.\d+)?$/, 'It must be a number below 10000.'), '1')
  .option('--seed <s>', 'repeat the run with this seed', matching(/^\d{1,9}$/, 'It must be a whole number below 10^9.'))
  .option('--faults <names>', 'only these faults, separated by commas');
await readCommandLine(program);

const { minutes, seed, faults } = program.opts();
runJest(['test/e2e/chaos/chaos.e2e-spec.ts'], {
  CHAOS_SECONDS: String(Math.round(Number(minutes) * 60)),
  ...(seed !== undefined && { CHAOS_SEED: seed }),
  ...(faults !== undefined && { CHAOS_FAULTS: faults }),
});

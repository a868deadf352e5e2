// npm run corpus -- [--record]
import { callOf, CommandLineProgram } from '#libs/command-line';
import { readCommandLine } from '../support/read-command-line.mjs';
import { runJest } from '../support/run-jest.mjs';

const program = new CommandLineProgram(callOf('corpus'), 'Compare the answers to recorded requests.').option(
  '--record',
  'record the answers instead of comparing them',
);
await readCommandLine(program);
runJest(['test/corpus/corpus.e2e-spec.ts'], program.opts().record ? { CORPUS_RECORD: '1' } : {});

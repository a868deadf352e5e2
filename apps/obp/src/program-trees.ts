import type { CommandLineProgram } from '#libs/command-line';
import { createBankProgram } from '../../bank-check/src/bank-program.js';
import { createIngressCheckProgram } from '../../ingress-check/src/ingress-check-program.js';
import { createOperatorProgram } from '../../operator/src/parse-command.js';
import { createSandboxProgram } from '../../sandbox/src/sandbox-program.js';
import { createStartProgram } from '../../sandbox/src/start-program.js';
import { createKeysProgram } from '../../token/src/signing-keys/run-keys-command.js';
import { createConvertProgram } from '../../tpp/src/cli/convert-program.js';
import { createDemoProgram } from '../../tpp/src/cli/demo-program.js';
import { createTppProgram } from '../../tpp/src/cli/tpp-program.js';
import { createHousekeepingProgram } from '../../worker/src/housekeeping-program.js';
import { createMigrateProgram } from '../../worker/src/migrate-program.js';
import type { ProgramName } from './programs.js';

const nothing = async (): Promise<void> => undefined;

/** The commands and options of every program, for help and completion; they must not be run. */
export const programTrees: Readonly<Record<ProgramName, () => CommandLineProgram>> = {
  start: () => createStartProgram(nothing),
  demo: () => createDemoProgram(nothing),
  tpp: () => createTppProgram(nothing),
  convert: () => createConvertProgram(nothing),
  sandbox: () => createSandboxProgram('', nothing),
  operator: () => createOperatorProgram(nothing),
  keys: () => createKeysProgram(nothing),
  migrate: () => createMigrateProgram({ migrate: nothing, distribute: nothing, grants: () => undefined }),
  housekeeping: () => createHousekeepingProgram(nothing),
  bank: () => createBankProgram(nothing),
  'ingress-check': () => createIngressCheckProgram(nothing),
};

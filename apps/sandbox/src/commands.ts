import { endWithReader, explainSystemError, runProgram } from '#libs/command-line';
import { sandboxDirectory } from './sandbox-directory.js';
import { SandboxError } from './sandbox-error.js';
import { createSandboxProgram } from './sandbox-program.js';

endWithReader();
await runProgram(createSandboxProgram(sandboxDirectory(process.env), console.log), (error) =>
  error instanceof SandboxError ? error.message : explainSystemError(error),
);

/** Command lines that tests run within their own process. */
export { runSandboxCommand } from '../../../apps/sandbox/src/run-sandbox-command.js';
export { runKeysCommand } from '../../../apps/token/src/signing-keys/run-keys-command.js';
export { runCli } from '../../../apps/tpp/src/cli/run-cli.js';

import { afterEach, expect, it } from '@jest/globals';
import { CommandLineProgram } from './command-line-program.js';

afterEach(() => {
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
});

it('does nothing while Node.js is told to verify no server', async () => {
  const program = new CommandLineProgram('tool', 'A tool.').action(() => expect(true).toBe(false));
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  await expect(program.run([])).rejects.toThrow('NODE_TLS_REJECT_UNAUTHORIZED=0');
});

import { describe, expect, it } from '@jest/globals';
import { createDemoProgram, type DemoCommand } from './demo-program.js';

/** @returns what the demo is about */
async function read(...parameters: string[]): Promise<DemoCommand | undefined> {
  let demo: DemoCommand | undefined;
  await createDemoProgram(async (command) => void (demo = command)).run(parameters);
  return demo;
}

describe('the demo', () => {
  it('makes a single payment, whether the scope is named or not', async () => {
    const single = { scope: 'payments', kind: 'domestic' };
    expect(await read('--kind', 'domestic')).toEqual(single);
    expect(await read('--scope', 'payments', '--kind', 'domestic')).toEqual(single);
  });

  it('has no kind of account', async () => {
    expect(await read('--scope', 'accounts')).toEqual({ scope: 'accounts', kind: 'file' });
    await expect(read('--scope', 'accounts', '--kind', 'file')).rejects.toThrow('--kind is one of payment');
  });
});

import { afterEach, expect, it, jest } from '@jest/globals';
import { endAtUncaughtErrors } from './end-at-uncaught-errors.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it.each(['uncaughtException', 'unhandledRejection'])(
  '%s ends the command with exit code 1 and shows no row',
  (event) => {
    const listeners = new Map<string | symbol, (...parameters: unknown[]) => void>();
    jest.spyOn(process, 'on').mockImplementation((name, listener) => {
      listeners.set(name, listener);
      return process;
    });
    const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    const write = jest.spyOn(process.stderr, 'write').mockImplementation(((_text: string, written: () => void) => {
      written();
      return true;
    }) as typeof process.stderr.write);
    endAtUncaughtErrors();
    listeners.get(event)?.(
      Object.assign(new Error('new row violates a check'), { detail: 'Failing row contains (secret)' }),
    );
    expect(exit).toHaveBeenCalledWith(1);
    expect(write).toHaveBeenCalledWith(
      expect.stringMatching(/^Error: new row violates a check\n +at /),
      expect.anything(),
    );
    expect(JSON.stringify(write.mock.calls)).not.toContain('secret');
  },
);

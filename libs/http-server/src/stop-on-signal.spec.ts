import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, type INestApplicationContext } from '@nestjs/common';
import { stopOnSignal } from './stop-on-signal.js';

// The limit of the stop must not end the process of the tests ten seconds later.
beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('a process that is started', () => {
  it.each([
    ['SIGTERM', 0, 0],
    ['unhandledRejection', 1, 1],
    ['uncaughtException', 1, 1],
  ])('at %s ends in good order, with exit code %i, whatever its log does', async (event, exitCode, errorsLogged) => {
    const listeners = new Map<string | symbol, (...parameters: unknown[]) => void>();
    jest.spyOn(process, 'on').mockImplementation((name, listener) => {
      listeners.set(name, listener);
      return process;
    });
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {
      throw new Error('ENOSPC: no space left on device, write');
    });
    const close = jest.fn(() => Promise.resolve());
    const exited = new Promise((resolve) => {
      jest.spyOn(process, 'exit').mockImplementation((code) => {
        resolve(code);
        return undefined as never;
      });
    });
    stopOnSignal({ close } as Partial<INestApplicationContext> as INestApplicationContext);
    listeners.get(event)?.(new Error('lost'));
    if (event !== 'SIGTERM') listeners.get(event)?.(new Error('lost, too'));
    expect(await exited).toBe(exitCode);
    expect(close).toHaveBeenCalledTimes(1);
    expect(log).toHaveBeenCalledTimes(errorsLogged * 2);
  });
});

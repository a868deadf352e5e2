import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { startProcess } from './start-process.js';

const events: string[] = [];

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a process that cannot start', () => {
  it('says why, then ends immediately with exit code 1, whatever it has opened', async () => {
    jest.spyOn(process.stderr, 'write').mockImplementation((text, written) => {
      events.push(String(text));
      // Later, as where the log is a pipe.
      if (typeof written === 'function') setTimeout(written, 20);
      return true;
    });
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      events.push(`exit ${code}`);
      return undefined as never;
    });
    await startProcess(() => Promise.reject(new Error('listen EADDRINUSE: address already in use 127.0.0.1:8443')));
    expect(events).toEqual(['listen EADDRINUSE: address already in use 127.0.0.1:8443\n', 'exit 1']);
  });
});

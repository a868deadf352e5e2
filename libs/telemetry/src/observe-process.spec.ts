import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Config } from '#libs/config';
import { observeProcess } from './observe-process.js';
import type { Telemetry } from './telemetry.js';

const configWith = (...weakenings: string[]): Config =>
  ({
    weakenings,
    reads: () => false,
    admin: { host: '127.0.0.1', tls: 'off' },
    signing: { keys: [] },
    directory: { trusted: [] },
    tracing: { isOn: false },
  }) as unknown as Config;

/** What the process wrote, and what it shows to who scrapes it. */
async function observe(config: Config): Promise<{ warnings: unknown[]; metrics: string }> {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const telemetry = await observeProcess<Telemetry>(config, 'api', 0, (created) => Promise.resolve(created));
  return { warnings: warn.mock.calls.map(([first]) => first), metrics: await telemetry.registry.metrics() };
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a process that starts with settings that weaken the security profile', () => {
  it('names them in one line of the log, and each in a metric', async () => {
    const { warnings, metrics } = await observe(configWith('PLAIN_CODE_FLOW', 'CLIENT_CERTIFICATE_REVOCATION'));
    expect(warnings).toEqual([
      expect.objectContaining({ weakenings: ['PLAIN_CODE_FLOW', 'CLIENT_CERTIFICATE_REVOCATION'] }),
    ]);
    expect(metrics).toContain('open_banking_weakened{setting="PLAIN_CODE_FLOW"} 1');
    expect(metrics).toContain('open_banking_weakened{setting="CLIENT_CERTIFICATE_REVOCATION"} 1');
  });

  it('says nothing where there are none', async () => {
    const { warnings, metrics } = await observe(configWith());
    expect(warnings).toEqual([]);
    expect(metrics).not.toContain('open_banking_weakened{');
  });
});

import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Config } from '#libs/config';
import { observeProcess } from './observe-process.js';
import type { Telemetry } from './telemetry.js';

const configWith = (weakenings: readonly string[], holidays?: readonly string[]): Config =>
  ({
    weakenings,
    reads: (setting: string) => setting === 'BANK_HOLIDAYS' && holidays !== undefined,
    filePayment: { cutOff: { calendar: { holidays } } },
    admin: { host: '127.0.0.1' },
    signing: { keys: [] },
    directory: { trusted: [] },
    unknownVariables: [],
    tracing: { isOn: false },
  }) as unknown as Config;

/** The warnings of the process, and its metrics. */
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
    const { warnings, metrics } = await observe(configWith(['PLAIN_CODE_FLOW', 'CLIENT_CERTIFICATE_REVOCATION']));
    expect(warnings).toEqual([
      expect.objectContaining({ weakenings: ['PLAIN_CODE_FLOW', 'CLIENT_CERTIFICATE_REVOCATION'] }),
    ]);
    expect(metrics).toContain('open_banking_weakened{setting="PLAIN_CODE_FLOW"} 1');
    expect(metrics).toContain('open_banking_weakened{setting="CLIENT_CERTIFICATE_REVOCATION"} 1');
  });

  it('says nothing where there are none', async () => {
    const { warnings, metrics } = await observe(configWith([]));
    expect(warnings).toEqual([]);
    expect(metrics).not.toContain('open_banking_weakened{');
  });
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('the end of BANK_HOLIDAYS', () => {
  it.each([
    ['less than 60 days away', [inDays(59), '2020-12-25'], true],
    ['past', ['2020-12-25'], true],
    ['further away', ['2020-12-25', inDays(62), inDays(1)], false],
  ])('is named in one line of the log where it is %s, and counted in a metric', async (_title, holidays, isNamed) => {
    const { warnings, metrics } = await observe(configWith([], holidays));
    expect(warnings).toEqual(isNamed ? [expect.stringContaining('BANK_HOLIDAYS')] : []);
    const [, days] = /^open_banking_bank_holidays_days\{.+\} (.+)$/m.exec(metrics) ?? [];
    expect(Number(days) < 60).toBe(isNamed);
  });

  it.each([[[]], [undefined]])(
    'is not shown if there are none, or only other processes read them: %j',
    async (holidays) => {
      const { warnings, metrics } = await observe(configWith([], holidays));
      expect(warnings).toEqual([]);
      expect(metrics).not.toContain('open_banking_bank_holidays_days{');
    },
  );
});

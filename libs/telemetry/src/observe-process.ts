import { Logger } from '@nestjs/common';
import type { Config } from '#libs/config';
import { startTracing } from '#libs/tracing';
import { startAdminServer } from './admin-server.js';
import { holidaysWarningDays, lastHoliday } from './bank-holidays.js';
import { Telemetry } from './telemetry.js';
import { watchSigningKeys } from './watch-signing-keys.js';

/**
 * Opens the administration port of a process, starts the process, and keeps the port open until it has stopped.
 * @param name of the process: authorize, token, api, worker
 * @param port of administration; 0 stands for any free one
 * @param start creates the application and makes it listen; then the process is ready
 * @throws Error if the port is taken
 */
export async function observeProcess<App>(
  config: Config,
  name: string,
  port: number,
  start: (telemetry: Telemetry) => Promise<App>,
): Promise<App> {
  const telemetry = new Telemetry(config);
  telemetry.watchProcess();
  let state = 'starting';
  telemetry.readiness.add('process', () => {
    if (state !== 'started') throw new Error(state);
  });
  watchSigningKeys(telemetry.readiness, config.signing.keys);
  // Load balancers notice before the listener closes.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => (state = 'stopping'));
  await startTracing(config, name);
  await startAdminServer(config, port, telemetry);
  const app = await start(telemetry);
  state = 'started';
  // After the application has created its logger.
  const { weakenings, unknownVariables } = config;
  if (unknownVariables.length > 0) new Logger('settings').warn(unknownVariables.join(' '));
  if (weakenings.length > 0) {
    const message = 'Settings weaken the security profile (STRICT=true refuses to start with them).';
    new Logger('security-profile').warn({ message, weakenings });
  }
  const holiday = lastHoliday(config, new Date());
  if (holiday !== undefined && holiday.days < holidaysWarningDays) {
    new Logger('bank-holidays').warn(`BANK_HOLIDAYS ends with ${holiday.last}: add those that follow.`);
  }
  return app;
}

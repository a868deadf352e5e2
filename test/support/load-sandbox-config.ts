import { type Config, loadConfig } from '#libs/config';
import { allSettings } from './apps/settings.js';

/** @returns the configuration of all processes, with constants as a test sets them */
export function loadSandboxConfig(environment: Readonly<Record<string, string | undefined>>): Promise<Config> {
  return loadConfig(environment, allSettings, { constants: environment });
}

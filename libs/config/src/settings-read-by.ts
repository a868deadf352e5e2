import type { Config } from './config.js';
import type { Environment } from './environment.dto.js';
import { settingsOfProcesses, settingsOfValues } from './settings-of-processes.js';

/** A program with its own settings. */
export type ProcessName = keyof typeof settingsOfProcesses;

/** @returns whether the process reads a setting; without a process, as in the sandbox, all of them are read */
export function settingsReadBy(process: ProcessName | undefined): Config['reads'] {
  if (process === undefined) return () => true;
  const own = new Set<string>(settingsOfProcesses[process]);
  return (setting) => own.has(setting);
}

/**
 * Removes values of settings that the process does not read. A program that reads such a value was changed without `npm
 * run configuration`, and must not continue with a default.
 * @returns the same configuration
 */
export function withholdOthers(config: Config, process: ProcessName | undefined): Config {
  for (const [path, settings] of Object.entries(settingsOfValues)) {
    const foreign = settings.find((setting) => !config.reads(setting as keyof Environment));
    if (foreign === undefined) continue;
    const [name = '', member] = path.split('.');
    const group: unknown = member === undefined ? config : Reflect.get(config, name);
    if (typeof group !== 'object' || group === null) continue;
    Object.defineProperty(group, member ?? name, {
      enumerable: false,
      get: () => {
        throw new Error(
          `${String(process)} does not read ${foreign}, of which config.${path} is made: npm run configuration`,
        );
      },
    });
  }
  return config;
}

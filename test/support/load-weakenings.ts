import { ConfigError, loadConfig } from '#libs/config';
import { allSettings } from '../../apps/sandbox/src/all-settings.js';

/**
 * @param environment without secrets and files, which weaken nothing
 * @returns the settings that STRICT refuses
 */
export async function weakeningsIn(environment: Readonly<Record<string, string>>): Promise<string[]> {
  const open = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.endsWith('_FILE')));
  try {
    await loadConfig({ ...open, STRICT: 'true' }, allSettings);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.flatMap((problem) => /^(\w+) weakens the security profile/.exec(problem)?.[1] ?? []);
  }
}

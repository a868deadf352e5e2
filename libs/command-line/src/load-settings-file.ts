import { loadEnvFile } from 'node:process';

/** `--env-file` names no file that can be read. */
export class SettingsFileError extends Error {
  override readonly name = 'SettingsFileError';
}

/**
 * Reads the file of `--env-file` into the environment, which takes precedence. Node.js takes the option for its own,
 * wherever it stands, and ends at a missing file, unless `--` stands before the program, as in package.json.
 * @throws SettingsFileError
 */
export function loadSettingsFile(file: string | undefined): void {
  if (file === undefined) return;
  try {
    loadEnvFile(file);
  } catch (error) {
    const message = `The file ${file}, which --env-file names, cannot be read.`;
    throw new SettingsFileError(message, { cause: error });
  }
}

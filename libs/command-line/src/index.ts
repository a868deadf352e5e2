export { alignColumns } from './align-columns.js';
export { callOf, callProgramsBy, CommandLineError, CommandLineProgram } from './command-line-program.js';
export { endAtUncaughtErrors } from './end-at-uncaught-errors.js';
export { endWithReader } from './end-with-reader.js';
export { loadSettingsFile, SettingsFileError } from './load-settings-file.js';
export { makeFolder } from './make-folder.js';
export { repositoryRoot } from './repository-root.js';
export { explainSystemError, runProgram } from './run-program.js';

export { alignColumns } from './align-columns.js';
export { callOf, callProgramsBy, CommandLineError, CommandLineProgram } from './command-line-program.js';

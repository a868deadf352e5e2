export { callOf, callProgramsBy, CommandLineError, CommandLineProgram } from './command-line-program.js';

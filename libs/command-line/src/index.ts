export { CommandLineError, CommandLineProgram } from './command-line-program.js';

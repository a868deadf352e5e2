/** The commands and options of the programs. */
export { programTrees } from '../../../apps/obp/src/program-trees.js';
export { type ProgramName, programs } from '../../../apps/obp/src/programs.js';
export { createOpenapiProgram } from '../../../apps/openapi/src/openapi-program.js';

export { KeySetError, SoftwareStatementError } from './directory.errors.js';
export type { KeySetFault, SoftwareStatementFault } from './directory.errors.js';
export { DirectoryModule } from './directory.module.js';
export { KeySets } from './key-sets.service.js';
export type { VerificationKeyQuery } from './key-sets.service.js';
export { RevocationChecks } from './revocation/revocation-checks.service.js';
export type { SoftwareStatement } from './software-statement.js';
export { SoftwareStatements } from './software-statements.service.js';

export { Directories } from './directories.service.js';
export type { CertificateOwner } from './directories.service.js';
export { KeySetError, SoftwareStatementError } from './directory.errors.js';
export type { KeySetFault, SoftwareStatementFault } from './directory.errors.js';
export { DirectoryModule } from './directory.module.js';
export { KeySets } from './key-sets.service.js';
export type { ClientKeySource, VerificationKeyQuery } from './key-sets.service.js';
export type { SoftwareStatement } from './software-statement.js';
export { SoftwareStatements } from './software-statements.service.js';

/** The sandbox's authority and directory. */
export { revocationAddresses } from '../../../apps/sandbox/src/trust/software-credentials.js';
export { directoryIssuer } from '../../../apps/sandbox/src/trust/software-statement.js';
export { ensureTrustFramework, type TrustFramework } from '../../../apps/sandbox/src/trust/trust-framework.js';

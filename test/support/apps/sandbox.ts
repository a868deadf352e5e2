/** What a sandbox says of itself and of its TPPs. */
export { enrolRegisteredTpps, enrolTpp } from '../../../apps/sandbox/src/enrol-tpps.js';
export { revokeCertificate } from '../../../apps/sandbox/src/revoke-certificate.js';
export {
  describeSandbox,
  readDescription,
  type SandboxDescription,
  type TppDescription,
} from '../../../apps/sandbox/src/sandbox-description.js';
export { sandboxEnvironment } from '../../../apps/sandbox/src/sandbox-environment.js';

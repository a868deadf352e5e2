/** Ports of a sandbox's servers. */
export { isFree } from '../../../apps/sandbox/src/postgres/free-port.js';
export {
  defaultPorts,
  portalRedirectUri,
  portVariables,
  reservePorts,
  sandboxAddress,
  type SandboxPorts,
  sandboxServers,
} from '../../../apps/sandbox/src/sandbox-ports.js';

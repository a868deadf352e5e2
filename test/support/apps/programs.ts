/** The service's programs; they take a while to load. */
export { sandboxApps } from '../../../apps/sandbox/src/sandbox-apps.js';

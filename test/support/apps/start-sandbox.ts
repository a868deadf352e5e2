/** The start of a whole sandbox; takes a while to load. */
export { type EventListener, listenForEvents } from '../../../apps/sandbox/src/events/listen-for-events.js';
export {
  type RunningSandbox,
  startSandbox,
  type StartSandboxOptions,
} from '../../../apps/sandbox/src/start-sandbox.js';
export type { SandboxApps } from '../../../apps/sandbox/src/start-servers.js';

/** The settings of all processes; takes a while to load. */
export { operatorSettings } from '../../../apps/operator/src/operator.settings.js';
export { allSettings, settingsOfProcesses } from '../../../apps/sandbox/src/all-settings.js';

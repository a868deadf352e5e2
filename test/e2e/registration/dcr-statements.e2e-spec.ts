import { afterAll, beforeAll } from '@jest/globals';
import { describeDiscovery } from '../discovery/discovery-statements.js';
import { describeCreation } from './create-statements.js';
import { describeHardening } from './hardening-statements.js';
import { describeManagement } from './management-statements.js';
import { startRegistrationWorld, type RegistrationWorld } from './registration-world.js';
import { describeTrust } from './software-statement-statements.js';
import { describeTokenAuthentication } from './token-authentication-statements.js';

let world: RegistrationWorld | undefined;

// One sandbox for all statements on discovery and registration: starting one costs more than a hundred requests.
beforeAll(async () => {
  world = await startRegistrationWorld({ environment: { LOG_LEVEL: 'debug' } });
}, 120_000);

afterAll(async () => {
  await world?.stop();
}, 60_000);

const getWorld = (): RegistrationWorld => {
  if (!world) throw new Error('The sandbox did not start.');
  return world;
};

describeDiscovery(getWorld);
describeCreation(getWorld);
describeTrust(getWorld);
describeManagement(getWorld);
describeTokenAuthentication(getWorld);
describeHardening(getWorld);

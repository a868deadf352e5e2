import { afterAll, beforeAll } from '@jest/globals';
import { describeDirectory } from './directory-statements.js';
import { describeTrustedDirectories } from './trust-statements.js';
import { startRegistrationWorld, type RegistrationWorld } from './registration-world.js';

let world: RegistrationWorld | undefined;

beforeAll(async () => {
  world = await startRegistrationWorld();
}, 120_000);

afterAll(async () => {
  await world?.stop();
}, 60_000);

const getWorld = (): RegistrationWorld => {
  if (!world) throw new Error('The sandbox did not start.');
  return world;
};

describeDirectory(getWorld);
describeTrustedDirectories(getWorld);

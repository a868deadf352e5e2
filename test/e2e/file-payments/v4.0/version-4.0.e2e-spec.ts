import { afterAll, beforeAll } from '@jest/globals';
import { describeErrors40 } from './errors.js';
import { describeFuzz40 } from './fuzz.js';
import { describeHeaders40 } from './headers.js';
import { describeMembers40 } from './members.js';
import { describeStates40 } from './states.js';
import { describeUnsignedAnswers } from './unsigned-answers.js';
import { describeVersions } from './versions.js';
import { startWorld40, type World40 } from './world-40.js';

let world: World40 | undefined;

beforeAll(async () => {
  world = await startWorld40();
});

afterAll(async () => {
  world?.older.close();
  await world?.sandbox.stop();
});

const getWorld = (): World40 => {
  if (!world) throw new Error('The sandbox did not start.');
  return world;
};

describeVersions(getWorld);
describeStates40(getWorld);
describeErrors40(getWorld);
describeHeaders40(getWorld);
describeMembers40(getWorld);
describeFuzz40(getWorld);
describeUnsignedAnswers(getWorld);

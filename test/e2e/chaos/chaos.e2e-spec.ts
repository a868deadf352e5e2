import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFaults } from './accounting/rules.js';
import { takeLedger } from './accounting/take-ledger.js';
import { StubbornTpp } from './customers/stubborn-tpp.js';
import { drain, drainSeconds } from './drain.js';
import { selectFaults } from './faults/index.js';
import { readOptions } from './options.js';
import { planFaults } from './plan.js';
import { Random } from './random.js';
import { summarise } from './summarise.js';
import { ChaosWorld } from './world/chaos-world.js';
import { wreakHavoc } from './wreak-havoc.js';

const { seconds, seed, faults: names } = readOptions(process.env);
const tppCount = 3;
const timeoutMilliseconds = (2 * seconds + 2 * drainSeconds + 300) * 1_000;

describe('the service under load while everything around it goes wrong', () => {
  const random = new Random(seed);
  const wanted = selectFaults(names);
  let world: ChaosWorld;
  let tpps: StubbornTpp[] = [];

  beforeAll(async () => {
    const all = wanted.map(({ name }) => name);
    world = await ChaosWorld.start({ disk: all.includes('disk-full'), older: all.includes('versions') });
    const dice = Array.from({ length: tppCount }, () => random.fork());
    tpps = await Promise.all(dice.map((own, index) => StubbornTpp.enrol(world, own, index)));
  });

  afterAll(async () => {
    for (const tpp of tpps) tpp.close();
    await world?.stop();
  });

  it(
    'brings every acknowledged payment to its required outcome, once, to the penny',
    async () => {
      console.log(`CHAOS_SEED=${seed} CHAOS_SECONDS=${seconds}`);
      const possible = wanted.filter(({ missing }) => missing?.(world) === undefined);
      for (const { name, missing } of wanted) {
        const reason = missing?.(world);
        if (reason !== undefined) console.log(`The fault ${name} is skipped: ${reason}.`);
      }
      const plan = planFaults(
        random.fork(),
        possible.map(({ name }) => name),
        seconds,
      );
      const endsAt = Date.now() + seconds * 1_000;
      const isOver = (): boolean => Date.now() >= endsAt;
      const scene = { world, tpps };
      const [counts] = await Promise.all([
        wreakHavoc(scene, { plan, faults: possible, isOver }),
        ...tpps.map((each) => each.payUntil(isOver)),
      ]);
      await drain(world, random.fork());
      const ledger = await takeLedger(scene);
      console.log(summarise(ledger, scene, counts));
      expect(findFaults(ledger)).toEqual({});
      expect(ledger.acknowledged.length).toBeGreaterThan(0);
      // Each kind has its half of the orders, once there are many.
      const kinds = new Set(ledger.acknowledged.map(({ kind }) => kind));
      expect(ledger.acknowledged.length < 20 || kinds.size === 2).toBe(true);
    },
    timeoutMilliseconds,
  );
});

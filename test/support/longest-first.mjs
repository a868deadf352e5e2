import TestSequencer from '@jest/test-sequencer';
import { placeInRing } from './long-suites.mjs';

/** Without the times of an earlier run Jest begins with the largest files, and a long suite would be last, alone. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const ranked = super.sort(tests).map((test) => ({ test, place: placeInRing(test.path) }));
    return ranked.toSorted((one, other) => one.place - other.place).map(({ test }) => test);
  }
}

import TestSequencer from '@jest/test-sequencer';
import { longSuites, placeInLongRing } from './long-suites.mjs';

/** Without the times of an earlier run Jest begins with the largest files, and a long suite would be last, alone. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const ranked = super.sort(tests).map((test) => ({ test, rank: placeInLongRing(test.path) }));
    const { length } = longSuites;
    const first = ({ rank }) => (rank === -1 ? length : rank);
    return ranked.toSorted((one, other) => first(one) - first(other)).map(({ test }) => test);
  }
}

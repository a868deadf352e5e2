import { describe, expect, it } from '@jest/globals';
import { AreaAvailability, isAnswer } from './area-availability.js';

function countAll(availability: AreaAvailability, answers: readonly boolean[]): void {
  answers.forEach((isAnswered, index) => availability.count(isAnswered, index * 1_000, index * 1_000 + 500));
}

describe('availability of an area (EBA/GL/2018/07, guideline 2.4)', () => {
  it('is down from the first of five requests in a row without an answer until the next answer', () => {
    const availability = new AreaAvailability();
    countAll(availability, [true, false, false, false, false]);
    expect(availability.isUp).toBe(true);
    expect(availability.downtimeSeconds(10_000)).toBe(0);

    availability.count(false, 5_000, 5_500);
    expect(availability.isUp).toBe(false);
    expect(availability.downtimeSeconds(11_000)).toBe(10);

    availability.count(true, 20_000, 21_000);
    expect(availability.isUp).toBe(true);
    expect(availability.downtimeSeconds(60_000)).toBe(20);
  });

  it('stays up when an answer comes in between', () => {
    const availability = new AreaAvailability();
    countAll(availability, [false, false, false, false, true, false, false, false, false]);
    expect(availability.isUp).toBe(true);
    expect(availability.downtimeSeconds(60_000)).toBe(0);
  });

  it.each([
    [200, 0.2, true],
    [400, 29.9, true],
    [500, 0.1, true],
    [503, 0.1, false],
    [504, 0.1, false],
    [200, 30.1, false],
  ])('status %d after %d s counts as an answer: %s', (status, seconds, expected) => {
    expect(isAnswer(status, seconds)).toBe(expected);
  });
});

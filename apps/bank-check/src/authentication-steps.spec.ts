import { expect, it } from '@jest/globals';
import { authenticationSteps } from './authentication-steps.js';

it('has a step for each value of a binding that must not change', () => {
  const titles = authenticationSteps.map(({ title }) => title).filter((title) => title.includes('than at the start'));
  expect(titles).toEqual(
    ['another total', 'other payees', 'another account'].map(
      (what) => `refuses ${what} than at the start, and then the right values too`,
    ),
  );
});

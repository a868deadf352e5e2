import vm from 'node:vm';
import { expect, it } from '@jest/globals';

it('the code that a test worker keeps has the parameters that it was compiled with', () => {
  const given = [
    ['a', 'b'],
    ['b', 'a'],
  ].map((parameters) => vm.compileFunction('return [a, b];', parameters)(1, 2));
  expect(given).toEqual([
    [1, 2],
    [2, 1],
  ]);
});

import { expect, it } from '@jest/globals';
import { nameOfActor } from './name-of-actor.js';

it.each([' root', 'root\u200b', 'Root', 'ro\u00adot', '\u00a0root\u3000', 'ｒｏｏｔ', 'root\u2800'])(
  'knows one person by %j',
  (name) => expect(nameOfActor(name)).toBe('root'),
);

it('keeps the words of a name apart', () => expect(nameOfActor('Olivia \t Smith')).toBe('olivia smith'));

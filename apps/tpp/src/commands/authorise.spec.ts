import { describe, expect, it } from '@jest/globals';
import { createAuthoriseCommand } from './authorise.js';

/** A TPP that has neither registered nor staged a consent. */
const authoriseAs = (name: string, usernames: readonly string[]) => {
  const session = {
    profile: { customers: usernames.map((username) => ({ username })) },
    state: async () => ({}),
    journeyOf: async () => 'file-payment',
    consentId: () => Promise.reject(new Error('there is no consent yet')),
  };
  return createAuthoriseCommand().run({ values: { as: name }, session: async () => session } as never);
};

describe('authorise --as says before anything else', () => {
  it('that the customers are those of another bank', async () => {
    await expect(authoriseAs('ada', [])).rejects.toThrow('--as signs in customers of the sandbox’s own bank');
  });

  it('that the sandbox has no such customer', async () => {
    await expect(authoriseAs('ada', ['alice', 'bob'])).rejects.toThrow(
      'the sandbox has no customer ada; it has alice, bob',
    );
  });
});

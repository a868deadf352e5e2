import { expect, it } from '@jest/globals';
import { TokenRevocation } from './token-revocation.js';

it.each(['revoke-token', 'revoke-tokens-of-code'])(
  'a token is not said to be revoked where %s fails',
  async (failing) => {
    const failure = new Error('The write failed.');
    const database = {
      query: async (name: string) => {
        if (name === failing) throw failure;
        return { rows: [{ assertion_redeemed: true, code_hash: Buffer.alloc(32) }] };
      },
    };
    const revocation = { tokenHash: Buffer.alloc(32), clientId: 'c', now: new Date(), interactionId: 'i' };
    await expect(new TokenRevocation(database as never).revokeToken(revocation)).rejects.toBe(failure);
  },
);

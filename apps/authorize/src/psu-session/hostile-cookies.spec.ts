import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../test/support/fast-check.js';
import { createApprovalCookie, parseApprovalCookie } from '../approvals/approval-cookie.js';
import { isUuid } from '#libs/obie-rules';
import { createCsrfToken, isCsrfToken } from './csrf-token.js';
import { createSessionCookie, dropOldSessionCookies, parseSessionCookies } from './session-cookie.js';

const value = fc.stringMatching(/^[A-Za-z0-9_-]{43}$/);
const noise = fc.string({ unit: 'binary', maxLength: 60 });

describe('hostile cookie headers', () => {
  it('yield only well-formed sessions', () => {
    fc.assert(
      fc.property(noise, noise, value, fc.uuid(), (before, after, session, sessionId) => {
        const own = createSessionCookie({ sessionId, value: session }, 10).split(';')[0] ?? '';
        for (const header of [before, `${before};${own};${after}`, `${own}${after}`]) {
          for (const held of parseSessionCookies(header)) {
            expect(isUuid(held.sessionId)).toBe(true);
            expect(held.value).toMatch(/^[A-Za-z0-9_-]{43}$/);
          }
          const approval = parseApprovalCookie(header);
          if (approval !== undefined) expect(approval).toMatch(/^[A-Za-z0-9_-]{43}$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are read back as set, and never exceed their limit', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid(), { maxLength: 30 }), value, (ids, session) => {
        const pairs = ids.map((sessionId) => createSessionCookie({ sessionId, value: session }, 10).split(';')[0]);
        const held = parseSessionCookies(pairs.join('; '));
        expect(held.map(({ sessionId }) => sessionId).sort()).toEqual(ids.toSorted());
        expect(held.length - dropOldSessionCookies(held).length).toBeLessThan(8);
        const approval = createApprovalCookie(session, 10).split(';')[0];
        expect(parseApprovalCookie([...pairs, approval].join('; '))).toBe(session);
      }),
    );
  });
});

describe('hostile form tokens', () => {
  it('are refused, except the one of the session', () => {
    fc.assert(
      fc.property(value, fc.option(noise, { nil: undefined }), (session, token) => {
        expect(isCsrfToken(createCsrfToken(session), session)).toBe(true);
        expect(isCsrfToken(token, session)).toBe(false);
      }),
    );
  });
});

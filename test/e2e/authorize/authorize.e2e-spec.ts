import { describe, expect, it } from '@jest/globals';
import { Browser } from './authorize-world.js';
import { describeBoundChallenge } from './bound-challenge.js';
import { describeConsentPage } from './consent-page.js';
import { describeLanguages } from './languages.js';
import { describeLeaving } from './leaving.js';
import { describeRequestErrors } from './request-errors.js';
import { describeSignIn } from './sign-in.js';
import { describeTheWayThrough } from './the-way-through.js';
import { useAuthorizeWorld, world } from './pages-world.js';

useAuthorizeWorld();

describeTheWayThrough();
describeRequestErrors();
describeSignIn();
describeLeaving();
describeLanguages();
describeBoundChallenge();
describeConsentPage();

describe('GET /oauth2/jwks', () => {
  it('publishes public members only, for a while', async () => {
    const answer = await new Browser(world).get('/oauth2/jwks');
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toMatch(/max-age=\d+/);
    const { keys } = JSON.parse(answer.body);
    expect(keys).toEqual([expect.objectContaining({ kid: 'aspsp-1', use: 'sig', alg: 'PS256', kty: 'RSA' })]);
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(keys[0]).not.toHaveProperty(member);
  });
});

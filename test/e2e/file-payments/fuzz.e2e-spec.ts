import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:https';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { aPaymentFile, type ApiVersion } from '../../support/a-payment-file.js';
import { expectInteractionId } from '../../support/expectations.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { bodies } from '../documentation/full-bodies.js';
import { CheckedTpp } from './checked-tpp.js';
import {
  almost,
  anyBody,
  anyRequest,
  expectAnswered,
  fuzzSettings,
  headerValue,
  hostileText,
  wellFormed,
} from './fuzz.js';
import { consentIdOf, consents } from './world.js';
import { useWorld } from './use-world.js';

const world = useWorld();

/** Every request, whatever is in it, is answered as the document says, without a 5xx and with an interaction id. */
describe.each<ApiVersion>(['3.1', '4.0'])('any request at all of %s', (version) => {
  const tpp = () => new CheckedTpp({ ...world().tpp, version });
  const like = (operation: string): fc.Arbitrary<string | Buffer> => {
    const document = bodies[version === '3.1' ? operation : `${operation} ${version}`] as object;
    return fc.oneof(anyBody, almost(document), almost(document));
  };

  it('is answered if it is a consent, and accepted ones can be read', async () => {
    let accepted = 0;
    const property = fc.asyncProperty(like('CreateFilePaymentConsents'), async (sent) => {
      const response = await tpp().post(consents, sent);
      expectAnswered(response);
      if (response.status !== 201) return;
      accepted += 1;
      expect((await tpp().get(`${consents}/${consentIdOf(response)}`)).json()).toEqual(response.json());
    });
    await fc.assert(property, fuzzSettings(300));
    expect(accepted).toBeGreaterThan(2);
  });

  it('is answered if it is a payment', async () => {
    const property = fc.asyncProperty(like('CreateFilePayments'), async (sent) =>
      expectAnswered(await tpp().post('/file-payments', sent)),
    );
    await fc.assert(property, fuzzSettings(200));
  });

  it('is answered if it is a file with the right hash, and accepted ones can be read', async () => {
    let accepted = 0;
    const property = fc.asyncProperty(like('CreateFilePaymentConsentsConsentIdFile'), async (sent) => {
      const uploaded = aPaymentFile({ version, document: sent.toString() });
      const members = { NumberOfTransactions: undefined, ControlSum: undefined, LocalInstrument: undefined };
      const consentId = await tpp().stageConsent(uploaded, members);
      const response = await tpp().upload(consentId, uploaded);
      expectAnswered(response);
      if (response.status !== 200) return;
      accepted += 1;
      expect((await tpp().get(`${consents}/${consentId}/file`)).status).toBe(200);
    });
    await fc.assert(property, fuzzSettings(200));
    expect(accepted).toBeGreaterThan(2);
  });

  it.each(anyRequest)('is answered %s', async (_title, send) => {
    await send(tpp());
  });
});

describe('any request at all', () => {
  it('is answered by the token endpoint', async () => {
    const { tpp } = world();
    const names = ['grant_type', 'scope', 'code', 'redirect_uri', 'client_id', 'client_secret', 'client_assertion'];
    const field = fc.tuple(
      fc.constantFrom(...names, 'client_assertion_type', 'code_verifier', 'x'),
      formValue(tpp.clientId),
    );
    const property = fc.asyncProperty(fc.array(field, { maxLength: 6 }), headerValue, async (fields, authorization) => {
      const body = new URLSearchParams(fields).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expectRefusedToken(await request(tpp.provider.token_endpoint, tpp.agent, { headers, body }));
      const withHeader = { headers: { ...headers, authorization }, body };
      expectRefusedToken(await request(tpp.provider.token_endpoint, tpp.agent, withHeader));
    });
    await fc.assert(property, fuzzSettings(120));
  });

  it('is answered by the registration endpoint', async () => {
    const { tpp } = world();
    const property = fc.asyncProperty(anyBody, headerValue, async (body, authorization) => {
      const url = tpp.provider.registration_endpoint;
      const headers = { 'content-type': 'application/jose' };
      const own = `${url}/${tpp.clientId}`;
      const answers = [
        await request(url, tpp.agent, { headers, body }),
        await request(own, tpp.agent, { method: 'GET', headers: { authorization } }),
      ];
      for (const answer of answers) {
        if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
        expectInteractionId(answer);
      }
    });
    await fc.assert(property, fuzzSettings(80));
  });

  it('is answered by the authorization endpoint and the pages', async () => {
    const { tpp, sandbox } = world();
    const { origin } = new URL(tpp.provider.authorization_endpoint);
    const names = ['client_id', 'response_type', 'scope', 'redirect_uri', 'request', 'state', 'nonce', 'request_uri'];
    const query = fc.array(fc.tuple(fc.constantFrom(...names, 'x'), formValue(tpp.clientId)), { maxLength: 6 });
    const page = fc.constantFrom(
      '/sign-in',
      '/second-factor',
      '/consent',
      '/challenge',
      '/challenge/again',
      '/decline',
    );
    const property = fc.asyncProperty(query, page, headerValue, async (parameters, path, cookie) => {
      const form = new URLSearchParams(parameters).toString();
      const answers = [
        await request(`${tpp.provider.authorization_endpoint}?${form}`, sandbox.agent, {
          method: 'GET',
          headers: { cookie },
        }),
        await request(`${origin}${path}?${form}`, sandbox.agent, { method: 'GET', headers: { cookie } }),
        await request(`${origin}${path}`, sandbox.agent, {
          headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
          body: form,
        }),
      ];
      for (const { status, text } of answers) if (status >= 500) throw new Error(`${status}: ${text}`);
    });
    await fc.assert(property, fuzzSettings(80));
  });
});

function formValue(clientId: string): fc.Arbitrary<string> {
  const known = ['client_credentials', 'authorization_code', 'payments', 'openid payments', 'code id_token', clientId];
  return fc
    .oneof(hostileText, fc.constantFrom(...known, randomUUID(), 'https://tpp-one.example.com/callback', 'e30.e30.AA'))
    .map((text) => wellFormed(text).slice(0, 1_500));
}

function expectRefusedToken({ status, text }: TestResponse): void {
  if (status !== 400 && status !== 401) throw new Error(`${status}: ${text}`);
  expect(JSON.parse(text)).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/) });
}

function request(
  url: string,
  agent: Agent,
  { method = 'POST', headers, body }: { method?: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<TestResponse> {
  return httpsRequest({ url, agent, method, ...(headers && { headers }), ...(body !== undefined && { body }) });
}

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { TestTpp } from '../../support/a-tpp.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import {
  askByBasic,
  askForAuthorization,
  askForToken,
  type PlantedFault,
  push,
  register,
  seconds,
  statementWith,
} from './fault-requests.js';

const ask = ({ agent }: TestTpp, url: string): Promise<TestResponse> => httpsRequest({ url, agent });

/** Faults at the token endpoint, the authorization endpoint and in registration. */
export const oauthFaults: readonly PlantedFault[] = [
  {
    fault: 'an assertion for another bank',
    rule: 'client-assertion.aud',
    says: /https:\/\/other\.bank\.example/,
    plant: (world) => askForToken(world, { claims: { aud: 'https://other.bank.example' } }),
  },
  {
    fault: 'an assertion that is used twice',
    rule: 'client-assertion.jti-reused',
    plant: async (world) => {
      const claims = { jti: randomUUID() };
      await askForToken(world, { claims });
      return askForToken(world, { claims });
    },
  },
  {
    fault: 'a clock two minutes behind',
    rule: 'client-assertion.exp',
    says: /s behind the bank/,
    plant: (world) => askForToken(world, { claims: { iat: seconds() - 120, exp: seconds() - 60 } }),
  },
  {
    fault: 'a clock two minutes ahead',
    rule: 'client-assertion.iat',
    says: /1[12]\d s ahead of the bank/,
    plant: (world) => askForToken(world, { claims: { iat: seconds() + 120, exp: seconds() + 180 } }),
  },
  {
    fault: 'an assertion that is good for two hours',
    rule: 'client-assertion.exp',
    says: /at most 3600 seconds \(60 minutes\)/,
    plant: (world) => askForToken(world, { claims: { exp: seconds() + 7_200 } }),
  },
  {
    fault: 'Basic by a client of another method',
    rule: 'client.method',
    says: /private_key_jwt[^]*client_secret_basic/,
    plant: (world) => askByBasic(world),
  },
  {
    fault: 'two ways of authenticating at once',
    rule: 'client.credentials',
    plant: (world) => askForToken(world, { form: { client_secret: 'x' } }),
  },
  {
    fault: 'a refresh token that nobody issued, by a client without the grant',
    rule: 'grant.type',
    plant: (world) => askForToken(world, { form: { grant_type: 'refresh_token', refresh_token: 'x' } }),
  },
  {
    fault: 'an unknown address',
    rule: 'path.unknown',
    says: /\/oauth2\/tokens/,
    plant: ({ sandbox, tpp }) => ask(tpp, `${sandbox.description.token_endpoint}s?x=secret`),
  },
  {
    fault: 'an unknown address of the authorization endpoint',
    rule: 'path.unknown',
    plant: ({ sandbox, tpp }) => ask(tpp, `${sandbox.description.authorization_endpoint}s`),
  },
  {
    fault: 'GET at the token endpoint',
    rule: 'path.method',
    says: /POST[^]*GET \/oauth2\/token$/,
    plant: ({ sandbox, tpp }) => ask(tpp, sandbox.description.token_endpoint),
  },
  {
    fault: 'an assertion signed with RS256',
    rule: 'client-assertion.alg',
    says: /RS256/,
    plant: (world) => askForToken(world, { header: { alg: 'RS256' } }),
  },
  {
    fault: 'an assertion with a wrong kid',
    rule: 'client-assertion.kid',
    says: /nobody/,
    plant: (world) => askForToken(world, { header: { kid: 'nobody' } }),
  },
  {
    fault: 'an assertion signed with a key that is not published',
    rule: 'client-assertion.signature',
    plant: (world) => askForToken(world, { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }),
  },
  {
    fault: 'a scope that is not registered',
    rule: 'scope',
    says: /fundsconfirmations/,
    plant: async (world) => {
      const registered = await register(world, { claims: { scope: 'openid payments' } });
      const id = String(registered.json()['client_id']);
      const form = { client_id: id, scope: 'fundsconfirmations' };
      return askForToken(world, { claims: { iss: id, sub: id }, form });
    },
  },
  {
    fault: 'a client that does not exist',
    rule: 'client.unknown',
    plant: (world) => {
      const id = randomUUID();
      return askForToken(world, { claims: { iss: id, sub: id }, form: { client_id: id } });
    },
  },
  {
    fault: "another TPP's certificate at the token endpoint",
    rule: 'certificate.owner',
    plant: (world) => askForToken(world, { agent: world.other.agent }),
  },
  {
    fault: 'a code that nobody issued',
    rule: 'grant.code',
    plant: (world) =>
      askForToken(world, {
        form: {
          grant_type: 'authorization_code',
          code: 'x',
          redirect_uri: world.tpp.credentials.redirectUris[0] ?? '',
        },
      }),
  },
  {
    fault: 'a request object that is good for two hours',
    rule: 'request-object.exp',
    says: /at most 3600 seconds \(60 minutes\)/,
    plant: (world) => askForAuthorization(world, { claims: { exp: seconds() + 7_200 } }),
  },
  {
    fault: 'a response_mode that is not offered',
    rule: 'authorization.response_mode',
    says: /fragment[^]*form_post/,
    plant: (world) => askForAuthorization(world, { claims: { response_mode: 'form_post' } }),
  },
  {
    fault: 'a response_type that is not registered',
    rule: 'authorization.response_type',
    says: /code id_token[^]*token/,
    plant: (world) =>
      askForAuthorization(world, { claims: { response_type: 'token' }, query: { response_type: 'token' } }),
  },
  {
    fault: 'an essential acr that this bank does not reach',
    rule: 'authorization.acr',
    says: /urn:openbanking:psd2:sca[^]*urn:example:gold/,
    plant: (world) => {
      const intent = { value: randomUUID(), essential: true };
      const acr = { value: 'urn:example:gold', essential: true };
      return askForAuthorization(world, { claims: { claims: { id_token: { openbanking_intent_id: intent, acr } } } });
    },
  },
  {
    fault: 'a consent that is nobody’s',
    rule: 'request-object.intent',
    plant: (world) => askForAuthorization(world),
  },
  {
    fault: 'a request without a request object',
    rule: 'request.signed',
    plant: ({ sandbox, tpp }) => {
      const url = new URL(sandbox.description.authorization_endpoint);
      url.searchParams.set('client_id', tpp.clientId);
      return ask(tpp, url.href);
    },
  },
  {
    fault: 'a pushed request object for another bank',
    rule: 'request-object.aud',
    plant: (world) => push(world, { aud: 'https://other.bank.example' }),
  },
  {
    fault: 'a request object for another bank',
    rule: 'request-object.aud',
    plant: (world) => askForAuthorization(world, { claims: { aud: 'https://other.bank.example' } }),
  },
  {
    fault: 'a request object of another client',
    rule: 'request-object.client_id',
    plant: (world) => askForAuthorization(world, { claims: { client_id: randomUUID() } }),
  },
  {
    fault: 'a request object without nonce',
    rule: 'request-object.nonce',
    plant: (world) => askForAuthorization(world, { claims: { nonce: undefined } }),
  },
  {
    fault: 'an expired request object',
    rule: 'request-object.exp',
    plant: (world) => askForAuthorization(world, { claims: { nbf: seconds() - 600, exp: seconds() - 300 } }),
  },
  {
    fault: 'a redirect address that is not registered',
    rule: 'authorization.redirect_uri',
    says: /elsewhere\.example/,
    plant: (world) => askForAuthorization(world, { claims: { redirect_uri: 'https://elsewhere.example/cb' } }),
  },
  {
    fault: 'a redirect address that is not registered, in a request sent as a form',
    rule: 'authorization.redirect_uri',
    says: /elsewhere\.example/,
    plant: (world) =>
      askForAuthorization(world, { claims: { redirect_uri: 'https://elsewhere.example/cb' }, isForm: true }),
  },
  {
    fault: 'a request object signed with RS256',
    rule: 'request-object.alg',
    plant: (world) => askForAuthorization(world, { header: { alg: 'RS256' } }),
  },
  {
    fault: 'an expired software statement',
    rule: 'software-statement.exp',
    plant: async (world) =>
      register(world, { claims: { software_statement: await statementWith(world, { exp: seconds() - 60 }) } }),
  },
  {
    fault: 'a redirect address that is missing in the software statement',
    rule: 'registration.redirect_uris',
    says: /elsewhere\.example/,
    plant: (world) => register(world, { claims: { redirect_uris: ['https://elsewhere.example/cb'] } }),
  },
  {
    fault: 'a registration signed with RS256',
    rule: 'registration.alg',
    plant: (world) => register(world, { header: { alg: 'RS256' } }),
  },
  {
    fault: 'a registration for another bank',
    rule: 'registration.aud',
    plant: (world) => register(world, { claims: { aud: 'https://other.bank.example' } }),
  },
  {
    fault: 'a registration signed with a key that is not published',
    rule: 'registration.kid',
    plant: (world) => register(world, { header: { kid: 'nobody' } }),
  },
];

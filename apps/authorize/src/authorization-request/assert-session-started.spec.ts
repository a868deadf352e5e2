import { expect, it } from '@jest/globals';
import type { AuthorizationResponseTarget, PushedRequest } from '#libs/oauth';
import { assertSessionStarted } from './assert-session-started.js';

const target: AuthorizationResponseTarget = { redirectUri: 'https://tpp.example/cb', responseMode: 'query' };

it.each<[string, PushedRequest | undefined, string]>([
  ['by value', undefined, 'invalid_request_object'],
  ['a pushed request object', { kind: 'object', request: 'a.b.c' }, 'invalid_request_object'],
  ['pushed parameters, which are not a request object', { kind: 'parameters', parameters: {} }, 'invalid_request'],
])("another client's consent is redirected: %s", (_what, pushed, error) => {
  expect(() => assertSessionStarted('UnknownConsent', target, { requestUri: undefined, pushed })).toThrow(
    expect.objectContaining({ error, redirect: target }),
  );
});

import { describe, expect, it } from '@jest/globals';
import { isLocalRedirectUri } from './software.js';

describe('redirect URIs that the bank will not register', () => {
  it.each([
    'https://localhost/',
    'https://LOCALHOST:8000/cb',
    'https://app.localhost/',
    'https://127.1/',
    'https://[::1]/',
  ])('are those of this machine: %s', (uri) => expect(isLocalRedirectUri(uri)).toBe(true));

  it.each([
    'https://localhost.example.com/',
    'https://notlocalhost/',
    'https://127.example.com/cb',
    'https://10.0.0.1/',
  ])('are not those of another: %s', (uri) => expect(isLocalRedirectUri(uri)).toBe(false));
});

import { describe, expect, it } from '@jest/globals';
import { httpsRequest } from '../../support/https-request.js';
import { metadata, world } from './siblings-world.js';

/** A deployment without the siblings of the token endpoint. */
export function describeSiblingsSwitchedOff(): void {
  describe('the siblings where they are not configured', () => {
    it('other methods get 405, and discovery names what is there', async () => {
      const client = await world.client({ method: 'tls_client_auth', name: 'Methods' });
      for (const name of ['revocation_endpoint', 'introspection_endpoint']) {
        const response = await httpsRequest({ url: String(metadata[name]), agent: client.agent });
        expect({ name, status: response.status, allow: response.headers.allow }).toEqual({
          name,
          status: 405,
          allow: 'POST',
        });
      }
    });
  });
}

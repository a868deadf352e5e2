import { describe, expect, it } from '@jest/globals';
import type { ClientRegistrationService, RegisteredClient } from '#libs/client-registration';
import type { Clock, Config } from '#libs/config';
import type { Directories, KeySets, SoftwareStatements } from '#libs/directory';
import type { Database } from '#libs/persistence';
import type { AccessTokenStore } from '#libs/token-store';
import { RegistrationService } from './registration.service.js';

/** Deletes a client; the database takes every statement but one. @param written takes the names of those it took */
async function deleteClient(refused?: string, { isActive = true, written = [] as string[] } = {}): Promise<string[]> {
  const write = async (name: string): Promise<object> => {
    if (name === refused) throw new Error(`${name} has failed`);
    written.push(name);
    return { rows: [], rowCount: 0 };
  };
  const database = { transaction: (work: (runner: object) => unknown) => work({ query: write }) };
  const service = new RegistrationService(
    { registration: {} } as Config,
    { ofDatabase: () => undefined } as unknown as Clock,
    database as unknown as Database,
    {} as SoftwareStatements,
    {} as Directories,
    { forget: () => undefined } as unknown as KeySets,
    { delete: async () => write('delete-client').then(() => isActive) } as unknown as ClientRegistrationService,
    { revokeOfClient: () => write('revoke-tokens-of-client') } as unknown as AccessTokenStore,
  );
  await service.delete({ clientId: 'c', jwksUri: 'https://keys.test' } as RegisteredClient, 'i');
  return written;
}

describe('the deletion of a client', () => {
  it('ends tokens, access and approvals', async () => {
    expect(await deleteClient()).toEqual([
      'delete-client',
      'revoke-tokens-of-client',
      'note-access-end',
      'end-approvals-of-client',
    ]);
  });

  it('ends nothing of a client that was suspended meanwhile, and may be resumed', async () => {
    const written: string[] = [];
    await expect(deleteClient(undefined, { isActive: false, written })).rejects.toMatchObject({ status: 401 });
    expect(written).toEqual(['delete-client']);
  });

  it.each(['delete-client', 'revoke-tokens-of-client', 'note-access-end', 'end-approvals-of-client'])(
    'fails with %s',
    async (name) => {
      await expect(deleteClient(name)).rejects.toThrow(`${name} has failed`);
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import type { RegistrationContext } from './registration-context.js';
import { verifyClientName } from './client-name.js';

function faultOf(clientName: string, reservedClientNames: readonly string[] = ['Sandbox Bank']) {
  const outcome = verifyClientName({ software: { clientName }, reservedClientNames } as unknown as RegistrationContext);
  return 'faults' in outcome ? outcome.faults[0] : undefined;
}

describe('the name of a client', () => {
  it.each([
    'Sandbox Bank',
    'SANDBOX BANK',
    ' sandbox  bank ',
    'SandboxBank',
    'Sand box Bank',
    'Sandbox-Bank!',
    'Sandbox Bank Security Team',
    'Log in to Sandbox Bank',
    'Ｓａｎｄｂｏｘ Ｂａｎｋ',
    'Sаndbох Ваnk',
    'Sándbôx Bank',
    'Sandb0x Bank',
    '𝐒𝐚𝐧𝐝𝐛𝐨𝐱 𝐁𝐚𝐧𝐤',
  ])('%s is refused where the bank is Sandbox Bank', (name) => {
    expect(faultOf(name)).toEqual({
      error: 'unapproved_software_statement',
      code: 'Field.Invalid',
      detail: 'software_statement.software_client_name is a name of this bank, or looks like one.',
      path: 'software_statement.software_client_name',
    });
  });

  it.each(['Ledger Sync', 'Sandbox', 'Bank', 'Bank Sandbox', 'Sandbox Banking', 'My Sandbox, your Bank', '...'])(
    '%s is accepted if the bank is Sandbox Bank',
    (name) => {
      expect(faultOf(name)).toBeUndefined();
    },
  );

  it.each([
    ['Lloyds', true],
    ['LIoyds', true],
    ['L1oyds', true],
    ['Lloyds Pharmacy', false],
    ['Floyds', false],
  ])('%s: a name of one word is reserved as a whole', (name, isRefused) => {
    expect(faultOf(name, ['Lloyds']) !== undefined).toBe(isRefused);
  });

  it.each(['RURITANIA', 'RURITANIА', 'ruritania', 'RuritanIa', 'Rurltania'])(
    '%s is refused if the bank is Ruritania, in upper or lower case',
    (name) => {
      expect(faultOf(name, ['Ruritania'])).toBeDefined();
      expect(faultOf(name, ['RURITANIA'])).toBeDefined();
    },
  );

  it('X-5: of the organisation for which it acts is held against them too', () => {
    const software = { clientName: 'PayDay', onBehalfOfOrg: 'Sandbox Bank' };
    const context = { software, reservedClientNames: ['Sandbox Bank'] } as unknown as RegistrationContext;
    expect(verifyClientName(context)).toMatchObject({
      faults: [{ path: 'software_statement.software_on_behalf_of_org', error: 'unapproved_software_statement' }],
    });
  });

  it('is held against every reserved name, of which none need be', () => {
    expect(faultOf('Second Bank', ['First Bank', 'Second Bank'])).toBeDefined();
    expect(faultOf('Sandbox Bank', [])).toBeUndefined();
    expect(faultOf('...', ['!'])).toBeUndefined();
  });
});

import { text, type Command } from '../cli/command.js';
import { UsageError } from '../journey-error.js';
import { parseJsonObject } from '../json.js';
import { journeys } from '../purpose.js';
import { type AuthMethod, type FapiProfile, fapiProfiles, register } from '../oauth/register.js';

/** Dynamic client registration (OBIE DCR 3.2, RFC 7591). */
export const registerCommand: Command = {
  name: 'register',
  summary: 'register the software as a client of the bank, with its software statement',
  options: [
    ['--auth-method <method>', 'private_key_jwt (default) or tls_client_auth'],
    ['--fapi <profile>', `security profile, where the bank lets clients choose: ${fapiProfiles.join(', ')}`],
    ['--jarm', 'register for answers to authorization requests as a JWT: code with response_mode jwt'],
    ['--refresh', 'register for refresh tokens, by which access to accounts lasts beyond one access token'],
    ['--read', 'show the registration instead'],
    ['--delete', 'delete the registration instead; this is final'],
  ],
  async run({ session: open, output, values }) {
    const session = await open();
    if (values['read'] === true || values['delete'] === true) {
      const method = values['delete'] === true ? 'DELETE' : 'GET';
      const response = await session.callRegistration(method);
      if (method === 'DELETE') {
        const ended = Object.fromEntries(Object.keys(journeys).map((journey) => [journey, undefined]));
        await session.folder.update({ clientId: undefined, token: undefined, ...ended });
        output.line('The registration is deleted.');
        return;
      }
      const { client_secret: _secret, ...registration } = parseJsonObject(response);
      output.line(JSON.stringify(registration, undefined, 2));
      output.add({ registration });
      return;
    }
    const authMethod = parseMethod(text(values, 'auth-method'));
    const fapiProfile = parseProfile(text(values, 'fapi'));
    const isJwtResponse = values['jarm'] === true;
    const isRefreshed = values['refresh'] === true;
    const { credentials, client } = session;
    const provider = await session.provider();
    const choices = { fapiProfile, authMethod, isJwtResponse, isRefreshed };
    // Refused before the bank registers a client whose id could not be kept.
    await session.folder.update({});
    const clientId = await register({ client, provider, credentials, ...choices });
    // The state of an earlier client is useless for this one.
    await session.folder.write('state.json', '{}');
    await session.folder.update({ issuer: provider.issuer, clientId, authMethod, fapiProfile });
    output.line(`Registered: client id ${clientId}, ${authMethod}, at ${provider.issuer}`);
    output.add({ client_id: clientId, token_endpoint_auth_method: authMethod, issuer: provider.issuer });
  },
};

function parseProfile(profile: string | undefined): FapiProfile | undefined {
  const known = fapiProfiles.find((name) => name === profile);
  if (known === undefined && profile !== undefined) throw new UsageError(`--fapi must be ${oneOf(fapiProfiles)}`);
  return known;
}

const oneOf = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

function parseMethod(method = 'private_key_jwt'): AuthMethod {
  if (method === 'private_key_jwt' || method === 'tls_client_auth') return method;
  throw new UsageError('--auth-method must be private_key_jwt or tls_client_auth');
}

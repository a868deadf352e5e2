import { createLocalJWKSet, flattenedVerify, type JSONWebKeySet } from 'jose';
import { rewrittenForms } from '#libs/jws';
import { type Command, text } from '../cli/command.js';
import { readBody } from '../cli/read-body.js';
import { UsageError } from '../cli/usage-error.js';
import { expectStatus } from '../journey-error.js';
import { parseJsonObject } from '../json.js';
import type { ProviderKeys } from '../oauth/provider.js';

const critical = ['http://openbanking.org.uk/iat', 'http://openbanking.org.uk/iss', 'http://openbanking.org.uk/tan'];
const understood = Object.fromEntries(critical.map((name) => [name, true]));

/** Whether a detached JWS matches the bytes of a file, or else which other form. */
export const verifyCommand: Command = {
  name: 'verify',
  summary: 'check an x-jws-signature against the bytes of a file, yours or the bank’s',
  operands: [['<file>', 'the body exactly as it was sent or received']],
  options: [
    ['--jws <value>', 'value of x-jws-signature'],
    ['--of <who>', 'whose keys: tpp (default: your published key set) or bank'],
  ],
  sendsRequest: false,
  async run({ session: open, output, positionals, values, path }) {
    const [name] = positionals;
    const jws = text(values, 'jws');
    const whose = text(values, 'of') ?? 'tpp';
    if (name === undefined || jws === undefined) throw new UsageError('name the file and the signature');
    if (whose !== 'tpp' && whose !== 'bank') throw new UsageError('--of must be tpp or bank');
    const [protectedHeader = '', middle, signature = '', ...more] = jws.trim().split('.');
    if (middle !== '' || more.length > 0) throw new UsageError('--jws must be a detached JWS: header..signature');
    const body = await readBody(path(name));
    const session = await open();
    const keys = whose === 'bank' ? await session.keys() : await fetchOwnKeys(session.profile.tpp.jwks_uri, session);
    const header = parseHeader(protectedHeader);
    const check = (bytes: Buffer): Promise<boolean> =>
      fits({ protectedHeader, signature, body: bytes, keys, isRaw: header['b64'] === false });
    output.add({ header });
    if (await check(body)) {
      output.line(`The signature matches the ${body.length} bytes of the file (kid ${String(header['kid'])}).`);
      output.add({ verified: true });
      return 0;
    }
    output.add({ verified: false });
    output.line('The signature does not match the bytes of the file.');
    for (const form of rewrittenForms(body)) {
      if (!(await check(form.body))) continue;
      output.line(
        `It matches the same JSON ${form.name}: sign the bytes that you send, and send the bytes that you signed.`,
      );
      output.add({ fits: form.name });
      return 1;
    }
    output.line(
      'It does not match the same JSON in any usual form either: the body or the key is another one, or the key is ' +
        'not published.',
    );
    return 1;
  },
};

async function fetchOwnKeys(
  url: string,
  { quietClient }: { quietClient: import('../https-client.js').HttpsClient },
): Promise<ProviderKeys> {
  const request = { method: 'GET', url } as const;
  const response = await quietClient.send(request);
  expectStatus(200, request, response);
  return createLocalJWKSet(parseJsonObject<JSONWebKeySet>(response));
}

function parseHeader(protectedHeader: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(protectedHeader, 'base64url').toString()) as Record<string, unknown>;
  } catch (cause) {
    throw new UsageError('the header of the JWS is not base64url-encoded JSON', { cause });
  }
}

async function fits(check: {
  protectedHeader: string;
  signature: string;
  body: Buffer;
  keys: ProviderKeys;
  isRaw: boolean;
}): Promise<boolean> {
  const { protectedHeader, signature, body, keys, isRaw } = check;
  try {
    const payload = isRaw ? body : body.toString('base64url');
    const options = { algorithms: ['PS256', 'ES256'], crit: understood };
    await flattenedVerify({ protected: protectedHeader, payload, signature }, keys, options);
    return true;
  } catch {
    // It does not verify, whatever the reason.
    return false;
  }
}

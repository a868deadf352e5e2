import { rewrittenForms } from '#libs/jws';
import { type Command, text } from '../cli/command.js';
import { readBody } from '../cli/read-body.js';
import { UsageError } from '../journey-error.js';
import { isSignatureOf } from '../read-write/detached-jws.js';
import { fetchProviderKeys } from '../oauth/provider.js';

/** Says whether a detached JWS matches the bytes of a file, or which other form of them. */
export const verifyCommand: Command = {
  name: 'verify',
  summary: 'check an x-jws-signature against the bytes of a file, yours or the bank’s',
  operands: [['<file>', 'the body exactly as it was sent or received']],
  options: [
    ['--jws <value>', 'value of x-jws-signature'],
    ['--of <who>', 'whose keys: tpp (default: your published key set) or bank'],
  ],
  sendsRequest: false,
  async run({ session: open, output, positionals, values }) {
    const [name] = positionals;
    const jws = text(values, 'jws');
    const whose = text(values, 'of') ?? 'tpp';
    if (name === undefined || jws === undefined) throw new UsageError('give the signature: --jws VALUE');
    if (whose !== 'tpp' && whose !== 'bank') throw new UsageError('--of must be tpp or bank');
    const detachedJws = jws.trim();
    const [protectedHeader = '', middle, , ...more] = detachedJws.split('.');
    if (middle !== '' || more.length > 0) throw new UsageError('--jws must be a detached JWS: header..signature');
    const body = await readBody(name);
    const session = await open();
    const { profile, quietClient } = session;
    const keys = await (whose === 'bank' ? session.keys() : fetchProviderKeys(quietClient, profile.tpp.jwks_uri));
    const header = parseHeader(protectedHeader);
    output.add({ header });
    if (await isSignatureOf(detachedJws, body, keys)) {
      output.line(`The signature matches the ${body.length} bytes of the file (kid ${String(header['kid'])}).`);
      output.add({ verified: true });
      return;
    }
    output.add({ verified: false });
    output.isFailed = true;
    output.line('The signature does not match the bytes of the file.');
    for (const form of rewrittenForms(body)) {
      if (!(await isSignatureOf(detachedJws, form.body, keys))) continue;
      output.line(
        `It matches the same JSON ${form.name}: sign the bytes that you send, and send the bytes that you signed.`,
      );
      output.add({ fits: form.name });
      return;
    }
    output.line(
      'It does not match the same JSON in any usual form either: the body or the key is different, or the key is ' +
        'not published.',
    );
  },
};

function parseHeader(protectedHeader: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(protectedHeader, 'base64url').toString()) as Record<string, unknown>;
  } catch (cause) {
    throw new UsageError('the header of the JWS is not base64url-encoded JSON', { cause });
  }
}

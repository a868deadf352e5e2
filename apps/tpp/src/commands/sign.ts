import { type Command, text } from '../cli/command.js';
import { readBody } from '../cli/read-body.js';
import { parseApiVersion } from '../read-write/api-version.js';
import { createDetachedJws } from '../read-write/detached-jws.js';

/** A detached JWS over the bytes of a file, to compare with your own. */
export const signCommand: Command = {
  name: 'sign',
  summary: 'sign the bytes of a file, and print the value of x-jws-signature',
  operands: [['<file>', 'the body to sign, exactly as you will send it: 3.1 signs its bytes, 4.0 its base64url form']],
  sendsRequest: false,
  async run({ session: open, output, positionals: [name = ''], values }) {
    const body = await readBody(name);
    const { credentials } = await open();
    const detachedJws = await createDetachedJws(body, credentials, parseApiVersion(text(values, 'version') ?? '3.1'));
    output.line(detachedJws);
    output.add({ x_jws_signature: detachedJws, bytes: body.length });
  },
};

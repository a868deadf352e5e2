import { text, type Command } from '../cli/command.js';
import { toKept } from '../cli/session.js';

/** Client credentials (RFC 6749 s4.4), bound to the certificate (RFC 8705 s3). */
export const tokenCommand: Command = {
  name: 'token',
  summary: 'get an access token for the client itself (client credentials)',
  options: [
    ['--scope <scope>', 'default: payments'],
    ['--show', 'print the token; otherwise it is only stored'],
  ],
  async run({ session: open, output, values }) {
    const session = await open();
    const scope = text(values, 'scope') ?? 'payments';
    const token = await session.requestToken({ grant_type: 'client_credentials', scope }, session.client);
    await session.folder.update({ token: toKept(token) });
    const { expires_in: seconds, scope: granted } = token;
    output.line(`Token for ${granted}, bound to the certificate, valid for ${seconds} s.`);
    output.add({ token_type: token.token_type, scope: granted, expires_in: seconds });
    if (values['show'] !== true) return;
    output.line(token.access_token);
    output.add({ access_token: token.access_token });
  },
};

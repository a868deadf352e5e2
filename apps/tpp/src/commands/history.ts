import { alignColumns } from '#libs/command-line';
import { type Command, readCount } from '../cli/command.js';

/** The requests that this TPP has sent, from the stored state. */
export const historyCommand: Command = {
  name: 'history',
  summary: 'list the last requests to the bank, with their interaction ids',
  options: [
    ['--refused', 'only refused requests'],
    ['--last <n>', 'maximum number; default: 20'],
  ],
  sendsRequest: false,
  async run({ session: open, output, values }) {
    const most = readCount(values, 'last', 20);
    const { requests = [] } = await (await open()).state();
    const shown = requests.filter(({ isRefused }) => values['refused'] !== true || isRefused).slice(-most);
    const rows = shown.map(({ at, status, method, path, interactionId }) => [
      at,
      String(status),
      method,
      path,
      interactionId,
    ]);
    const titles = ['time', 'status', 'method', 'path', 'interaction id'];
    output.line(rows.length === 0 ? 'none' : alignColumns([titles, ...rows]).trimEnd());
    output.add({
      requests: shown.map(({ at, method, path, status, interactionId }) => ({
        at,
        method,
        path,
        status,
        interaction_id: interactionId,
      })),
    });
  },
};

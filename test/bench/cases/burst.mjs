import { prepareStaging } from './stage-consent.mjs';

export const name = 'burst';
export const check = 'created';
export const requests = { quick: 250, full: 500 };
export const rounds = { quick: 2, full: 7 };
export const warmUp = 250;
export const connections = 100;
export const pace = 2;
export const idle = { quick: 0.5, full: 3 };

/** Consents that arrive at 500 a second after a time without any. Latency is counted from when each was due. */
export async function prepare(bench) {
  const { servers } = await prepareStaging(bench, 'burst');
  return { servers: servers.filter((server) => ['ours', 'floor'].includes(server.name)), verify: async () => {} };
}

import { prepareStaging } from './stage-consent.mjs';

export const name = 'load';
export const check = 'created';
export const requests = { quick: 800, full: 800 };
export const rounds = { quick: 1, full: 5 };
export const warmUp = 100;
export const connections = 100;

/** Consents a second. */
const loads = [100, 200, 400, 600, 800];

/** Consents that arrive evenly, at more and more a second. Latency is counted from when each was due. */
export async function prepare(bench) {
  const { servers } = await prepareStaging(bench, 'load');
  const rows = ['ours', 'floor'].flatMap((name) => {
    const server = servers.find((each) => each.name === name);
    return loads.map((load) => ({
      ...server,
      name: `${name}, ${load} a second`,
      process: name,
      against: name === 'floor' ? `ours, ${load} a second` : null,
      pace: 1_000 / load,
      requests: load,
    }));
  });
  return { servers: rows, verify: async () => {} };
}

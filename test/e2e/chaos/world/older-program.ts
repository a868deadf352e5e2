import { buildProgram, findOlderVersions } from '../../upgrade/older-program.js';

/** The folder of the program of the version before the newest migration; or why there is none. */
export type OlderProgram = { readonly root: string } | { readonly reason: string };

/** Builds it, unless it is already built. */
export async function ensureOlderProgram(): Promise<OlderProgram> {
  const versions = await findOlderVersions();
  if (typeof versions === 'string') return { reason: versions };
  const [before] = versions;
  return before === undefined ? { reason: 'there is no older version' } : { root: await buildProgram(before.commit) };
}

declare global {
  /** of environment.mjs */
  var importOnce: (url: string) => Promise<unknown>;
}

/**
 * Imports a module of ours, and what it imports, once in each of Jest's workers. What a suite imports itself is loaded
 * anew in each suite, and is slow at first. Its objects come from outside the suite, so they are no instances of the
 * suite's own classes, not even of its Array or Error.
 * @param path from this folder
 */
export function importOnce<Module>(path: string): Promise<Module> {
  return globalThis.importOnce(new URL(path, import.meta.url).href) as Promise<Module>;
}

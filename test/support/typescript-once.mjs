/** The compiler, loaded once in each worker: see `moduleNameMapper`. */
export default (await globalThis.importOnce('typescript')).default;

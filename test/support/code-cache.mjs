import { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';

const { compileFunction, SourceTextModule } = vm;
const [functions, modules] = [new Map(), new Map()];

/**
 * Each suite compiles anew what it loads. A worker keeps what V8 made of it for the first one: to read that takes a
 * fraction of the time. By the whole text and the parameters, as V8 itself compares only the length of the text. Not what
 * imports while it runs: it would ask the suite that compiled it first.
 */
const isKept = (code) => !/\bimport\s*\(/.test(code);

vm.compileFunction = (code, parameters, options) => {
  if (!isKept(code)) return compileFunction(code, parameters, options);
  const key = `${parameters}:${code}`;
  const cachedData = functions.get(key);
  const compiled = compileFunction(code, parameters, { ...options, cachedData, produceCachedData: !cachedData });
  if (compiled.cachedData) functions.set(key, compiled.cachedData);
  return compiled;
};

vm.SourceTextModule = class extends SourceTextModule {
  constructor(code, options) {
    super(code, { ...options, cachedData: modules.get(code) });
    if (isKept(code) && !modules.has(code)) modules.set(code, this.createCachedData());
  }
};
syncBuiltinESMExports();

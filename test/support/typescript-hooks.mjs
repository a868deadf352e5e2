import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { swcOptions } from './swc.mjs';

/** Hooks of Node's import(): our sources by the names under which they import each other. */
const isOurs = (url) => url?.endsWith('.ts') && !url.includes('/node_modules/');

export async function resolve(specifier, context, next) {
  if (!isOurs(context.parentURL)) return next(specifier, context);
  const [, library] = /^#libs\/([^/]+)$/.exec(specifier) ?? [];
  if (library !== undefined) {
    return { url: new URL(`../../libs/${library}/src/index.ts`, import.meta.url).href, shortCircuit: true };
  }
  if (/^\.{1,2}\/.*\.js$/.test(specifier)) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(url)) return { url: url.href, shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!isOurs(url)) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), {
    ...swcOptions('typescript', 'es6'),
    filename,
  });
  return { format: 'module', source: code, shortCircuit: true };
}

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

const parsed = new Map<string, ts.SourceFile>();

/** @returns the source, parsed once in each worker: see parse-source.ts */
export function parseSource(file: string): ts.SourceFile {
  const path = resolve(file);
  let source = parsed.get(path);
  if (!source) {
    source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2023, true);
    parsed.set(path, source);
  }
  return source;
}

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RecordedAnswer } from './normalise.js';

type Headers = Readonly<Record<string, string>>;

/** A file of the corpus: most answers have the same headers, so that each says only how its own differ. */
interface RecordFile {
  readonly usualHeaders: Headers;
  readonly answers: readonly (Omit<RecordedAnswer, 'headers'> & {
    headers?: Readonly<Record<string, string | null>>;
  })[];
}

const pathOf = (version: string, area: string): string => join(import.meta.dirname, `v${version}`, `${area}.json`);

/** @returns the recorded answers of an area */
export async function readRecords(version: string, area: string): Promise<RecordedAnswer[]> {
  const { usualHeaders, answers } = JSON.parse(await readFile(pathOf(version, area), 'utf8')) as RecordFile;
  return answers.map(({ name, request, status, headers = {}, body }) => ({
    name,
    request,
    status,
    headers: withDifferences(usualHeaders, headers),
    ...(body === undefined ? {} : { body }),
  }));
}

/** Writes the answers of an area, each on its own line. */
export async function writeRecords(version: string, area: string, answers: readonly RecordedAnswer[]): Promise<void> {
  const usualHeaders = mostFrequent(answers.map(({ headers }) => headers));
  const lines = answers.map(({ name, request, status, headers, body }) => {
    const differences = differencesOf(usualHeaders, headers);
    return JSON.stringify({
      name,
      request,
      status,
      ...(Object.keys(differences).length === 0 ? {} : { headers: differences }),
      ...(body === undefined ? {} : { body }),
    });
  });
  const path = pathOf(version, area);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `{"usualHeaders":${JSON.stringify(usualHeaders)},\n"answers":[\n${lines.join(',\n')}\n]}\n`);
}

function mostFrequent(all: readonly Headers[]): Headers {
  const counts = new Map<string, number>();
  for (const headers of all) counts.set(JSON.stringify(headers), (counts.get(JSON.stringify(headers)) ?? 0) + 1);
  const [[text = '{}'] = []] = [...counts].toSorted(([, one], [, other]) => other - one);
  return JSON.parse(text) as Headers;
}

function differencesOf(usual: Headers, headers: Headers): Record<string, string | null> {
  const names = [...new Set([...Object.keys(usual), ...Object.keys(headers)])];
  const differing = names.filter((name) => usual[name] !== headers[name]);
  return Object.fromEntries(differing.map((name) => [name, headers[name] ?? null]));
}

function withDifferences(usual: Headers, differences: Readonly<Record<string, string | null>>): Headers {
  const entries = Object.entries({ ...usual, ...differences }).filter((entry): entry is [string, string] => {
    const [, value] = entry;
    return value !== null;
  });
  return Object.fromEntries(entries.toSorted());
}

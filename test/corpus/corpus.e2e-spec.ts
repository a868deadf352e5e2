import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aTpp, TestTpp } from '../support/a-tpp.js';
import { startTestSandbox } from '../support/start-test-sandbox.js';
import { consents } from './consents.js';
import { domesticPayments } from './domestic-payments.js';
import type { Area, CorpusWorld, Exchange } from './exchange.js';
import { headers } from './headers.js';
import { normalise, type RecordedAnswer } from './normalise.js';
import { payments } from './payments.js';
import { readRecords, writeRecords } from './records.js';
import { states } from './states.js';
import { uploads } from './uploads.js';

const areas: readonly Area[] = [
  consents('3.1'),
  consents('4.0'),
  uploads,
  payments,
  headers,
  states,
  domesticPayments('3.1'),
  domesticPayments('4.0'),
];
const isRecording = process.env['CORPUS_RECORD'] === '1';
/** Simultaneous requests; more would only wait for each other. */
const atOnce = 8;
/** Maximum differences that a failure shows. */
const mostShown = 5;

let world: CorpusWorld | undefined;
beforeAll(async () => {
  const environment = { CHAPS_CHARGE: '15.00', CUT_OFF_TIMES: 'CHAPS=17:40' };
  const sandbox = await startTestSandbox({ environment });
  const [tpp, otherTpp] = await Promise.all([aTpp(sandbox), aTpp(sandbox, { index: 1 })]);
  world = { sandbox, tpp, otherTpp };
});
afterAll(async () => {
  world?.tpp.close();
  world?.otherTpp.close();
  await world?.sandbox.stop();
});

async function exchange({ name, prepare }: Exchange, { tpp }: CorpusWorld): Promise<RecordedAnswer> {
  const { method, path, body, sender = tpp, ...differences } = await prepare();
  const sent = { ...differences, method };
  const response = body === undefined ? await sender.get(path, sent) : await sender.post(path, body, sent);
  return normalise(name, `${method} ${path}`, response, sender);
}

/** @returns the answers in the order of the exchanges, several of which run at once */
async function exchangeAll(all: readonly Exchange[], found: CorpusWorld): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  const waiting = all.entries();
  const work = async (): Promise<void> => {
    for (const [index, each] of waiting) answers[index] = await exchange(each, found);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answers;
}

/** @returns the recorded and the actual answer of the first exchanges that differ, by their names */
function differencesOf(recorded: readonly RecordedAnswer[], answers: readonly RecordedAnswer[]) {
  const before = new Map(recorded.map((answer) => [answer.name, answer]));
  const differing = answers.filter((answer) => JSON.stringify(answer) !== JSON.stringify(before.get(answer.name)));
  return differing.slice(0, mostShown).map((answer) => ({ recorded: before.get(answer.name), answer }));
}

describe('the answers are those that were recorded, to the byte', () => {
  it.each(areas)('$name of $version', async ({ name, version, exchanges }) => {
    if (world === undefined) throw new Error('The sandbox did not start.');
    const inVersion = (tpp: TestTpp): TestTpp => new TestTpp({ ...tpp, version });
    const ofVersion = { ...world, tpp: inVersion(world.tpp), otherTpp: inVersion(world.otherTpp) };
    const answers = await exchangeAll(await exchanges(ofVersion), ofVersion);
    const names = answers.map((answer) => answer.name);
    expect(names.filter((each, index) => names.indexOf(each) !== index)).toEqual([]);
    if (isRecording) await writeRecords(version, name, answers);
    const recorded = await readRecords(version, name);
    expect(names).toEqual(recorded.map((answer) => answer.name));
    const differences = differencesOf(recorded, answers);
    expect(differences.map(({ answer }) => answer)).toEqual(differences.map((each) => each.recorded));
  });
});

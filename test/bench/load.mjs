// The load generator's process. It prepares the requests of a round, opens the connections, reports ready, and at 'go'
// sends them as fast as the answers arrive, one at a time on each connection, or one every `pace` milliseconds. With a
// `group`, by which the keys are exchanged, or where the server closes it (`isClosed`), each request has a connection
// of its own. It checks all answers after the last one.
// A hand-written HTTP/1.1 client on TLS sockets, because a general client would take processor time from the servers
// under test.
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { answerChecks } from './answer-checks.mjs';

let round;

process.on('message', async (message) => {
  if (message.type === 'prepare') {
    round = await prepare(message.round);
    process.send({ type: 'prepared' });
  } else if (message.type === 'go') {
    try {
      process.send({ type: 'done', ...(await run(round)) });
    } catch (error) {
      process.send({ type: 'failed', message: error.message });
    }
  } else if (message.type === 'stop') {
    process.exit(0);
  }
});
process.on('disconnect', () => process.exit(0));
process.send({ type: 'loaded' });

async function prepare({ port, tls, connections, isClosed, group, pace, requests, bodies, check, expected }) {
  const messages = requests.map(({ method = 'POST', path, headers, body, isChunked }) => {
    const content = typeof body === 'number' ? bodies[body] : Buffer.from(body);
    const length = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': content.length };
    const lines = Object.entries({ host: `localhost:${port}`, ...headers, ...length });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return { head: Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n`), content };
  });
  const lanes = Array.from({ length: connections }, () =>
    isClosed || group !== undefined ? newForEach({ port, group, ...tls }) : keptAlive({ port, ...tls }),
  );
  return { messages, lanes: await Promise.all(lanes), pace, check: answerChecks[check](expected) };
}

async function keptAlive(address) {
  const socket = await open(address);
  return { exchange: exchangeOn(socket), end: () => socket.destroy() };
}

function newForEach(address) {
  const exchange = async (message) => {
    const socket = await open(address);
    const name = address.group && socket.getEphemeralKeyInfo().name;
    if (name !== address.group) throw new Error(`The keys were exchanged by ${name}.`);
    const answer = await exchangeOn(socket)(message);
    socket.destroy();
    return answer;
  };
  return { exchange, end: () => {} };
}

function open({ port, ca, certificate, privateKey, group }) {
  return new Promise((resolve, reject) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      ca,
      cert: certificate,
      key: privateKey,
      ...(group && { ecdhCurve: group }),
    });
    socket.setNoDelay(true);
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
  });
}

async function run({ messages, lanes, pace, check }) {
  const latencies = [];
  const answers = [];
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    lanes.map(async ({ exchange }) => {
      while (next < messages.length) {
        const message = messages[next];
        const dueAt = pace === undefined ? performance.now() : startedAt + next * pace;
        next += 1;
        if (dueAt > performance.now()) await pause(dueAt - performance.now());
        const answer = await exchange(message);
        latencies.push(performance.now() - dueAt);
        answers.push(answer);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const { end } of lanes) end();
  // When the clock has stopped: the processor time of the checks would be taken from the servers under test.
  const taken = pace === undefined ? answers : answers.filter((answer) => !isRefused(answer));
  for (const answer of taken) check(answer);
  const busy = answers.filter((answer) => isRefused(answer) && answer.status === 503);
  return { seconds, latencies, refused: answers.length - taken.length, busy: busy.length };
}

/** A server may refuse what comes too fast, and must say when to try again. */
const isRefused = ({ status, head }) => [429, 503].includes(status) && /\r\nretry-after: *\d/i.test(head);

/** @returns a function that sends one request on the socket and resolves with the whole answer to it */
function exchangeOn(socket) {
  let waiting;
  let received = [];
  let size = 0;
  let wanted;
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('The server closed the connection.')));
  socket.on('data', (chunk) => {
    received.push(chunk);
    size += chunk.length;
    let whole;
    if (wanted === undefined) {
      whole = received.length === 1 ? chunk : Buffer.concat(received);
      const headEnd = whole.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const head = whole.latin1Slice(0, headEnd);
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (length === undefined) {
        waiting.reject(new Error(`The answer has no content-length: ${head}`));
        return;
      }
      wanted = { head, bodyStart: headEnd + 4, total: headEnd + 4 + Number(length) };
    }
    if (size < wanted.total) return;
    whole ??= Buffer.concat(received);
    const { head, bodyStart } = wanted;
    const { resolve } = waiting;
    received = [];
    size = 0;
    wanted = undefined;
    waiting = undefined;
    resolve({ status: Number(head.slice(9, 12)), head, body: whole.utf8Slice(bodyStart) });
  });
  return ({ head, content }) =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      socket.cork();
      socket.write(head);
      socket.write(content);
      socket.uncork();
    });
}

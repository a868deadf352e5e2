import crypto from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const { generateKeyPair, generateKeyPairSync } = crypto;
// Apart: the sandbox asks for its keys asynchronously, and one that earlier suites started keeps them. No test's own key is one of those.
const [testKeyPairs, sandboxKeyPairs] = [[], []];
let [usedByTests, usedBySandboxes] = [0, 0];

/** A new suite begins again with the first key pair: no two of its own are the same. */
export const reuseRsaKeys = () => ([usedByTests, usedBySandboxes] = [0, 0]);

/**
 * A pair of RSA keys takes a third of a second to make, and suites ask for a thousand: they use those of others, also
 * of other workers and earlier runs.
 */
crypto.generateKeyPairSync = (type, options) => {
  if (!isPlain(type, options)) return generateKeyPairSync(type, options);
  const place = usedByTests++;
  return (testKeyPairs[place] ??= read('test', place) ?? keep('test', place, generateKeyPairSync(type, options)));
};

crypto.generateKeyPair = (type, options, callback) => {
  if (!isPlain(type, options)) return generateKeyPair(type, options, callback);
  const place = usedBySandboxes++;
  const known = (sandboxKeyPairs[place] ??= read('sandbox', place));
  if (known !== undefined) return process.nextTick(callback, null, known.publicKey, known.privateKey);
  return generateKeyPair(type, options, (error, publicKey, privateKey) => {
    if (error === null) sandboxKeyPairs[place] = keep('sandbox', place, { publicKey, privateKey });
    callback(error, publicKey, privateKey);
  });
};
crypto.generateKeyPair[promisify.custom] = (type, options) =>
  new Promise((resolve, reject) => {
    crypto.generateKeyPair(type, options, (error, publicKey, privateKey) =>
      error ? reject(error) : resolve({ publicKey, privateKey }),
    );
  });
syncBuiltinESMExports();

const isPlain = (type, options) =>
  type === 'rsa' && options.modulusLength === 2048 && Object.keys(options).length === 1;

const folder = join(import.meta.dirname, '../../node_modules/.cache/test-keys');
mkdirSync(folder, { recursive: true });
const fileOf = (whose, place) => join(folder, `${whose}-${place}.pem`);

function read(whose, place) {
  const file = fileOf(whose, place);
  try {
    const privateKey = crypto.createPrivateKey(readFileSync(file));
    return { publicKey: crypto.createPublicKey(privateKey), privateKey };
  } catch {
    // There is none yet, or the machine stopped while it was written.
    return undefined;
  }
}

function keep(whose, place, pair) {
  const file = fileOf(whose, place);
  writeFileSync(`${file}.${process.pid}`, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
  return pair;
}

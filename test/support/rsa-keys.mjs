import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';

const { generateKeyPair, generateKeyPairSync } = crypto;
// Apart: the sandbox asks for its keys asynchronously, and one that earlier suites started keeps them. No test's own key is one of those.
const [testKeyPairs, sandboxKeyPairs] = [[], []];
let [usedByTests, usedBySandboxes] = [0, 0];

/** A new suite begins again with the first key pair: no two of its own are the same. */
export const reuseRsaKeys = () => ([usedByTests, usedBySandboxes] = [0, 0]);

/** A pair of RSA keys takes a third of a second to make, and suites ask for a thousand: they use those of others. */
crypto.generateKeyPairSync = (type, options) =>
  isPlain(type, options)
    ? (testKeyPairs[usedByTests++] ??= generateKeyPairSync(type, options))
    : generateKeyPairSync(type, options);

crypto.generateKeyPair = (type, options, callback) => {
  const place = isPlain(type, options) ? usedBySandboxes++ : -1;
  const known = sandboxKeyPairs[place];
  if (known !== undefined) return process.nextTick(callback, null, known.publicKey, known.privateKey);
  return generateKeyPair(type, options, (error, publicKey, privateKey) => {
    if (error === null && place !== -1) sandboxKeyPairs[place] = { publicKey, privateKey };
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

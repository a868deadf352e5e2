import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;
const hashes = new Map();

/**
 * The sandbox's bank hashes what a customer enters, which takes a twentieth of a second each time, on purpose. Suites
 * sign in thousands of times with the same few secrets under the same salts: a worker computes each hash once.
 */
crypto.scrypt = (secret, salt, length, ...rest) => {
  const callback = rest.pop();
  const name = JSON.stringify([secret, salt, length, rest]);
  const known = hashes.get(name);
  if (known !== undefined) return process.nextTick(callback, null, Buffer.from(known));
  return scrypt(secret, salt, length, ...rest, (error, hash) => {
    if (error === null) hashes.set(name, Buffer.from(hash));
    callback(error, hash);
  });
};
syncBuiltinESMExports();

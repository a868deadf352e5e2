// Counts SQL round trips and signature operations of the process. To be imported before anything else: the wrappers
// must be in place when other modules bind these functions.
import crypto, { webcrypto } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Client } from 'pg';

export const counters = { sqlRoundTrips: 0, signatures: 0 };

/** Every query of node-postgres, pooled or not, goes through this method and waits for the server once. */
const { query } = Client.prototype;
Client.prototype.query = function countedQuery(...parameters) {
  counters.sqlRoundTrips += 1;
  return query.apply(this, parameters);
};

const { sign, verify } = crypto;
crypto.sign = (...parameters) => {
  counters.signatures += 1;
  return sign(...parameters);
};
crypto.verify = (...parameters) => {
  counters.signatures += 1;
  return verify(...parameters);
};
for (const name of ['createSign', 'createVerify']) {
  const create = crypto[name];
  crypto[name] = (...parameters) => {
    counters.signatures += 1;
    return create(...parameters);
  };
}
syncBuiltinESMExports();

const { subtle } = webcrypto;
const prototype = Object.getPrototypeOf(subtle);
for (const name of ['sign', 'verify']) {
  const operation = prototype[name];
  prototype[name] = function countedOperation(...parameters) {
    counters.signatures += 1;
    return operation.apply(this, parameters);
  };
}

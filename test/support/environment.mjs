import 'reflect-metadata';
import { register } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';
import './code-cache.mjs';
import { reuseRsaKeys } from './rsa-keys.mjs';

register('./typescript-hooks.mjs', import.meta.url);

/** Node's, with a way to modules that a worker loads once for all of its suites: see import-once.ts. */
export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup();
    reuseRsaKeys();
    this.global.importOnce = (url) => import(url);
  }
}

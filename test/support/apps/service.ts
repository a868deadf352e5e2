/** The three applications, each started by itself; they take a while to load. */
export { createApiApp } from '../../../apps/api/src/create-api-app.js';
export { createAuthorizeApp } from '../../../apps/authorize/src/create-authorize-app.js';
export { createTokenApp } from '../../../apps/token/src/create-token-app.js';

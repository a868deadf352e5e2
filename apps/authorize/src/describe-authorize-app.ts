import type { AppDescription } from '#libs/api-description';
import { AuthorizeController } from './authorization-request/authorize.controller.js';
import { JwksController } from './jwks/jwks.controller.js';

/** For the generator of the API documents: what other programs call. The customer's pages are for people. */
export const authorizeAppDescription: AppDescription = {
  server: 'authUrl',
  controllers: [AuthorizeController, JwksController],
};

import { describeOperation, type AppDescription } from '#libs/api-description';
import { AuthorizeController } from './authorization-request/authorize.controller.js';
import {
  ApiAuthorizeByFormOperation,
  ApiAuthorizeOperation,
  ApiKeySetOperation,
} from './documentation/describe-operations.js';
import { JwksController } from './jwks/jwks.controller.js';

// Here and not in the controllers, because this application serves no documents and need not load what generates them.
describeOperation(AuthorizeController, 'authorize', ApiAuthorizeOperation());
describeOperation(AuthorizeController, 'authorizeByForm', ApiAuthorizeByFormOperation());
describeOperation(JwksController, 'getKeys', ApiKeySetOperation());

/** For the generator of the API documents: the endpoints for programs, not the customer's pages. */
export const authorizeAppDescription: AppDescription = {
  server: 'authUrl',
  controllers: [AuthorizeController, JwksController],
};

import type { AppDescription } from '#libs/api-description';
import { IntrospectionController } from './introspection/introspection.controller.js';
import { PushedAuthorizationRequestController } from './pushed-authorization-request/pushed-authorization-request.controller.js';
import { RevocationController } from './revocation/revocation.controller.js';
import { TokenController } from './token/token.controller.js';
import { UserinfoController } from './userinfo/userinfo.controller.js';

/** For the generator of the API documents: every operation that this application can have. */
export const tokenAppDescription: AppDescription = {
  server: 'tokenUrl',
  controllers: [
    TokenController,
    PushedAuthorizationRequestController,
    RevocationController,
    UserinfoController,
    IntrospectionController,
  ],
};

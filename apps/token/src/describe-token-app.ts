import { describeOperation, type AppDescription } from '#libs/api-description';
import {
  ApiIntrospectionOperation,
  ApiPushedAuthorizationRequestOperation,
  ApiRevocationOperation,
  ApiTokenOperation,
  ApiUserinfoOperation,
} from './documentation/describe-operations.js';
import { IntrospectionController } from './introspection/introspection.controller.js';
import { PushedAuthorizationRequestController } from './pushed-authorization-request.controller.js';
import { RevocationController } from './revocation/revocation.controller.js';
import { TokenController } from './token/token.controller.js';
import { UserinfoController } from './userinfo/userinfo.controller.js';

// Here and not in the controllers, because this application serves no documents and need not load what generates them.
describeOperation(TokenController, 'token', ApiTokenOperation());
describeOperation(PushedAuthorizationRequestController, 'push', ApiPushedAuthorizationRequestOperation());
describeOperation(RevocationController, 'revoke', ApiRevocationOperation());
describeOperation(UserinfoController, 'get', ApiUserinfoOperation('get'));
describeOperation(UserinfoController, 'post', ApiUserinfoOperation('post'));
describeOperation(IntrospectionController, 'introspect', ApiIntrospectionOperation());

/** For the generator of the API documents: every possible operation of this application. */
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

import { describeAccess } from './token-store/access.js';
import { describeAuthorizationCodes } from './token-store/authorization-code.js';
import { describeClientCredentials } from './token-store/client-credentials.js';
import { describeDeletionOfAClient } from './token-store/deletion-of-a-client.js';
import { describeHousekeeping } from './token-store/housekeeping.js';
import { describeRevocation } from './token-store/revocation.js';
import { useTokenStore } from './token-store/token-store-world.js';

useTokenStore();

describeClientCredentials();
describeAuthorizationCodes();
describeDeletionOfAClient();
describeRevocation();
describeHousekeeping();
describeAccess();

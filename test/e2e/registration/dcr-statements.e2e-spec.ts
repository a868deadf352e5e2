import { describeDiscovery } from '../discovery/discovery-statements.js';
import { describeCreation } from './create-statements.js';
import { describeHardening } from './hardening-statements.js';
import { describeManagement } from './management-statements.js';
import { describeTrust } from './software-statement-statements.js';
import { describeTokenAuthentication } from './token-authentication-statements.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld({ environment: { LOG_LEVEL: 'debug' } });

describeDiscovery(getWorld);
describeCreation(getWorld);
describeTrust(getWorld);
describeManagement(getWorld);
describeTokenAuthentication(getWorld);
describeHardening(getWorld);

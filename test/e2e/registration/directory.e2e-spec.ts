import { describeDirectory } from './directory-statements.js';
import { describeTrustedDirectories } from './trust-statements.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld();

describeDirectory(getWorld);
describeTrustedDirectories(getWorld);

import { describeLifecycle } from './lifecycle-statements.js';
import { describeRevocation } from './revocation-statements.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld();

describeRevocation(getWorld);
describeLifecycle(getWorld);

import { describeOperator } from './operator-statements.js';
import { describeSettings } from './settings-statements.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld();

describeOperator(getWorld);
describeSettings(getWorld);

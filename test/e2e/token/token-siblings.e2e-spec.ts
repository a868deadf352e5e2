import { describeIntrospection } from './introspection.js';
import { describeRevocation } from './revocation.js';
import { describeSiblingsSwitchedOff } from './siblings-switched-off.js';
import { useTokenSiblings } from './siblings-world.js';
import { describeUserinfo } from './userinfo.js';

useTokenSiblings();

describeRevocation();
describeIntrospection();
describeUserinfo();
describeSiblingsSwitchedOff();

import { exchange, type Answer, type Differences, type Outcome } from '../exchange.js';
import { judge } from '../judge.js';
import { anyProbe, type Attacker, type Target } from '../target.js';
import type { Finding } from '../verdict.js';

/** A name that nobody has (RFC 6761 s6.4). */
const nobody = 'nobody.invalid';

/** Requests for another host than the connection's: 421, whoever gives it (RFC 9110 s15.5.20). */
export async function attackHosts(attacker: Attacker, target: Target): Promise<Finding[]> {
  const { profile, host } = target;
  const { ca, isTerminating } = attacker;
  const credential = profile === 'authorize' ? undefined : attacker.valid;
  const other = attacker.targets.find((candidate) => candidate.host !== host)?.host ?? nobody;
  const send = (differences: Differences): Promise<Outcome> =>
    exchange(target, anyProbe(profile), { ca, credential, ...differences });
  // 400 is what parsers say to a head that makes no sense; from the token app it means that the request was looked at.
  const isHole = ({ status, isFromService }: Answer): boolean =>
    (isTerminating && isFromService) || !(status === 421 || (status === 400 && !isFromService));
  return [
    judge(profile, 'Host of another profile', await send({ hosts: [other] }), isHole),
    judge(profile, 'Host of nobody', await send({ hosts: [nobody] }), isHole),
    judge(profile, 'two Hosts', await send({ hosts: [host, other] }), isHole),
    judge(profile, 'SNI and Host differing', asRefused(await send({ serverName: other })), isHole),
  ];
}

/** For another name another certificate is shown: no connection for a client that looks, and so none for this attack. */
function asRefused(outcome: Outcome): Outcome {
  const isOtherServer = outcome.kind === 'unreachable' && /altname/.test(outcome.reason);
  return isOtherServer ? { kind: 'refused', reason: outcome.reason } : outcome;
}

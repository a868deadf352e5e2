import { exchange, exchangeInPlainText, type Differences } from '../exchange.js';
import { finding, judge, notRun } from '../judge.js';
import { anyProbe, type Attacker, type Target } from '../target.js';
import type { Finding } from '../verdict.js';

/** Every suite of TLS 1.2 and before that OpenSSL has, but for the two that the profile allows (FAPI 1.0 Advanced s8.5). */
const weakSuites = 'ALL:!ECDHE-RSA-AES256-GCM-SHA384:!ECDHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0';
const cannotFinish = 'needs --certificate and --key: the handshake cannot be finished without';

/** The transport itself: old versions, weak suites, no TLS at all. */
export async function attackTls(attacker: Attacker, target: Target): Promise<Finding[]> {
  const { profile } = target;
  const { ca } = attacker;
  const probe = anyProbe(profile);
  const credential = profile === 'authorize' ? undefined : attacker.valid;
  const weak = async (attack: string, tls: NonNullable<Differences['tls']>): Promise<Finding> => {
    if (profile === 'token' && credential === undefined) return notRun(profile, attack, cannotFinish);
    const outcome = await exchange(target, probe, { ca, credential, tls });
    return outcome.kind === 'answered'
      ? finding(profile, attack, 'hole', `${outcome.protocol} with ${outcome.suite}`)
      : judge(profile, attack, outcome, () => true);
  };
  const plain = await exchangeInPlainText(target, probe);
  return [
    await weak('TLS 1.1', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
    await weak('weak suites under TLS 1.2', { minVersion: 'TLSv1', maxVersion: 'TLSv1.2', ciphers: weakSuites }),
    // nginx says in plain text that it wants TLS; nothing of the service may answer there, nor lead elsewhere.
    judge(profile, 'plain HTTP', plain, ({ status, isFromService }) => status !== 400 || isFromService),
  ];
}

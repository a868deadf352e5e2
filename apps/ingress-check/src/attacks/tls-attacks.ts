import { exchange, exchangeInPlainText, type Differences } from '../exchange.js';
import { finding, judge, notRun } from '../judge.js';
import { anyProbe, type Credential, type Target } from '../target.js';
import type { Finding } from '../verdict.js';

/** Every OpenSSL suite up to TLS 1.2 except the two that the profile allows (FAPI 1.0 Advanced s8.5). */
const weakSuites = 'ALL:!ECDHE-RSA-AES256-GCM-SHA384:!ECDHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0';
const cannotFinish = 'needs --certificate and --key: the handshake cannot be finished without';

/** Options of a valid connection. */
export interface Access {
  readonly ca?: string | undefined;
  /** none where the listener asks for none */
  readonly credential?: Credential | undefined;
}

/**
 * The transport itself: old versions, weak suites, no TLS at all.
 * @param of the place that is attacked, in words; nothing for the listener itself
 */
export async function attackTls({ ca, credential }: Access, target: Target, of = ''): Promise<Finding[]> {
  const { profile } = target;
  const probe = anyProbe(profile);
  const isPossible = profile !== 'token' || credential !== undefined;
  const weak = async (attack: string, tls: NonNullable<Differences['tls']>): Promise<Finding> => {
    if (!isPossible) return notRun(profile, attack, cannotFinish);
    const outcome = await exchange(target, probe, { ca, credential, tls });
    return outcome.kind === 'answered'
      ? finding(profile, attack, 'hole', `${outcome.protocol} with ${outcome.suite}`)
      : judge(profile, attack, outcome, () => true);
  };
  const plain = await exchangeInPlainText(target, probe);
  const rows = [
    await weak(`${of}TLS 1.1`, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
    await weak(`${of}weak suites under TLS 1.2`, { minVersion: 'TLSv1', maxVersion: 'TLSv1.2', ciphers: weakSuites }),
    // nginx answers in plain text that it requires TLS; the service must not answer there or redirect.
    judge(profile, `${of}plain HTTP`, plain, ({ status, isFromService }) => status !== 400 || isFromService),
  ];
  if (plain.kind === 'answered') {
    const isNamed = /\d/.test(plain.server);
    rows.push(
      finding(
        profile,
        `${of}version of the server revealed`,
        isNamed ? 'hole' : 'held',
        plain.server || 'nothing told',
      ),
    );
  }
  for (const version of isPossible ? (['TLSv1.2', 'TLSv1.3'] as const) : []) {
    const outcome = await exchange(target, probe, {
      ca,
      credential,
      tls: { minVersion: version, maxVersion: version },
    });
    const isSpoken = outcome.kind === 'answered';
    const detail = isSpoken ? `${outcome.suite}, ${outcome.group}` : outcome.reason;
    rows.push(finding(profile, `${of}control: ${version} is spoken`, isSpoken ? 'held' : 'failed', detail));
  }
  return rows;
}

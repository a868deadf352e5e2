import type { Command, CommandCall } from '../cli/command.js';
import type { Session } from '../cli/session.js';
import { expectStatus, JourneyError, UsageError } from '../journey-error.js';
import { parseJsonObject } from '../json.js';

/** The sandbox's explanation of a refused request. */
export interface ExplainedRefusal {
  interaction_id: string;
  at: string;
  method: string;
  route: string;
  status: number;
  reason: string;
  findings: { rule: string; title: string; section: string; expected: string; got: string; fix: string }[];
}

/** Asks the sandbox why it refused. */
export const whyCommand: Command = {
  name: 'why',
  summary:
    'explain why the sandbox refused a request: rule, section of the standard, expected and received value, the fix',
  operands: [['[interaction-id]', 'x-fapi-interaction-id of the answer; default: your last refused request']],
  note: 'Works for requests from any client. For connections refused before any request, use doctor.',
  sendsRequest: false,
  async run(call) {
    await explainRequest(await call.session(), call.positionals[0], call);
  },
};

/** Prints the explanation of a refused request; without an id, of our last one. */
export async function explainRequest(
  session: Session,
  interactionId: string | undefined,
  { output }: Pick<CommandCall, 'output'>,
): Promise<ExplainedRefusal> {
  const { refusalsUrl } = session.profile;
  if (refusalsUrl === undefined) {
    throw new JourneyError('only a sandbox explains its refusals: ask the bank, and give it the interaction id');
  }
  const id = interactionId ?? (await lastRefused(session));
  if (!/^[\w-]{1,64}$/.test(id)) throw new UsageError('an interaction id is a UUID');
  const request = { method: 'GET', url: `${refusalsUrl}/${id}` } as const;
  const response = await session.browserClient.send(request);
  if (response.status === 404) {
    throw new JourneyError(`the sandbox has no refused request ${id}: it keeps the last 1,000 until it stops`);
  }
  expectStatus(200, request, response);
  const refusal = parseJsonObject<ExplainedRefusal>(response);
  const { method, route, status, at, reason, findings } = refusal;
  output.line(`${method} ${route} was refused with ${status} at ${at}`);
  output.line(`The bank’s log says: ${reason}`);
  for (const { rule, title, section, expected, got, fix } of findings) {
    output.line();
    output.line(`${title} [${rule}]`);
    output.line(`  standard  ${section}`);
    output.line(`  expected  ${expected}`);
    output.line(`  got       ${got}`);
    output.line(`  fix       ${fix}`);
  }
  output.add({ ...refusal });
  return refusal;
}

async function lastRefused(session: Session): Promise<string> {
  const { requests = [] } = await session.state();
  const refused = requests.findLast(({ isRefused }) => isRefused);
  if (refused === undefined) throw new JourneyError('none of your requests was refused: give an interaction id');
  return refused.interactionId;
}

import { type ExplainedRefusal, finding, type Finding } from '#libs/error-catalogue';
import { ObError, BodilessError } from '#libs/error-envelope';
import { RegistrationError } from '#libs/client-registration';
import { SoftwareStatementError } from '#libs/directory';
import { httpStatusOf, listenForRefusals, type Refusal as RefusalReport } from '#libs/http-server';
import { OAuthError } from '#libs/oauth';
import { Refusal } from '../bank/accounts/refusal.js';
import type { HttpsServer } from '../create-https-server.js';
import { explainOAuthRefusal } from './explain-oauth.js';
import { explainRegistrationRefusal } from './explain-registration.js';
import { explainBodiless, explainObError, explainUnknownPath } from './explain-resource.js';
import type { Knowledge, RefusedCase } from './refused-case.js';

/** Refusals that are remembered; the oldest are dropped. */
const mostRefusals = 1_000;

/** Remembers why requests were refused, for the sandbox only: in production nothing listens. */
export class RefusalJournal {
  readonly #refusals = new Map<string, Promise<ExplainedRefusal>>();
  #stop: () => void = () => undefined;

  constructor(private readonly knowledge: Knowledge) {}

  /** Begins to listen to the applications of this process. */
  start(): void {
    this.#stop = listenForRefusals((refusal) => this.#note(refusal));
  }

  /** Stops listening, and waits for explanations under way. */
  async stop(): Promise<void> {
    this.#stop();
    await Promise.allSettled(this.#refusals.values());
  }

  /** @returns the last refusal under that interaction id */
  find(interactionId: string): Promise<ExplainedRefusal> | undefined {
    return this.#refusals.get(interactionId.toLowerCase());
  }

  #note({ request, status, error }: RefusalReport): void {
    const { interactionId, method, routeOptions } = request;
    const refused: RefusedCase = { ...this.knowledge, request, error, now: new Date() };
    const base = {
      interaction_id: interactionId,
      at: refused.now.toISOString(),
      method,
      route: routeOptions.url ?? 'unknown',
      status,
      reason: reasonOf(error),
    };
    const explained = explain(refused).then(
      (findings) => ({ ...base, findings: findings.map((each) => inVersion(each, base.route)) }),
      // If the explanation fails, the refusal is still kept.
      (cause: unknown) => ({
        ...base,
        findings: [finding('other', 'an explanation', `none: ${reasonOf(cause)}`)],
      }),
    );
    const key = interactionId.toLowerCase();
    this.#refusals.delete(key);
    this.#refusals.set(key, explained);
    for (const oldest of this.#refusals.keys()) {
      if (this.#refusals.size <= mostRefusals) break;
      this.#refusals.delete(oldest);
    }
  }
}

async function explain(refused: RefusedCase): Promise<Finding[]> {
  const { error } = refused;
  if (error instanceof OAuthError) return explainOAuthRefusal(refused, error);
  if (error instanceof RegistrationError || error instanceof SoftwareStatementError) {
    return explainRegistrationRefusal(refused, error);
  }
  if (error instanceof Refusal && error.refused !== undefined) {
    const { rule, expected, got } = error.refused;
    return [finding(rule, expected, got)];
  }
  if (error instanceof BodilessError) return explainBodiless(refused, error);
  if (error instanceof ObError) return explainObError(refused, error);
  if (httpStatusOf(error) === 404) return [explainUnknownPath(refused)];
  return [finding('unexpected', 'an answer', reasonOf(error))];
}

/** The rules cite version 3.1, whose sections have the same names in 4.0. */
function inVersion(found: Finding, route: string): Finding {
  if (!route.startsWith('/open-banking/v4.0/')) return found;
  return { ...found, section: found.section.replace(/(?<=Read\/Write profile )3\.1(\.2)?/, '4.0') };
}

function reasonOf(error: unknown): string {
  if (error instanceof ObError)
    return [...new Set([error.message, ...error.faults.map(({ detail }) => detail)])].join(' ').slice(0, 500);
  return error instanceof Error ? error.message.slice(0, 500) : 'unknown';
}

/**
 * Says why a request was refused, to anybody who knows its interaction id. Only the sandbox has this address: the
 * applications of the service cannot serve it.
 */
export function serveRefusals(server: HttpsServer, journal: RefusalJournal): void {
  server.get<{ Params: { interactionId: string } }>(
    '/sandbox/refusals/:interactionId',
    async (request, reply) => (await journal.find(request.params.interactionId)) ?? reply.callNotFound(),
  );
}

export interface CheckResult {
  /** stable name, e.g. `certificate.authority` */
  check: string;
  title: string;
  outcome: 'ok' | 'problem' | 'skipped';
  section: string;
  expected: string;
  got: string;
  fix: string;
}

export function ok(check: string, title: string, got: string): CheckResult {
  return { check, title, outcome: 'ok', section: '', expected: '', got, fix: '' };
}

/** @returns the result of a skipped check, with the reason */
export function skipped(check: string, title: string, why: string): CheckResult {
  return { check, title, outcome: 'skipped', section: '', expected: '', got: why, fix: '' };
}

/** @returns the result of a failed check */
export function problem(
  check: string,
  title: string,
  rest: { section: string; expected: string; got: string; fix: string },
): CheckResult {
  return { check, title, outcome: 'problem', ...rest };
}

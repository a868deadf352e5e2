import { declineReasons, type DeclineReason } from '#libs/customer-session';

/** @returns the reason for declining, if the form has a known one */
export function readDeclineReason(form: ReadonlyMap<string, string>): DeclineReason | undefined {
  return declineReasons.find((reason) => reason === form.get('decline_reason'));
}

import { declineReasons, type DeclineReason } from '#libs/authorization-session';

/** @returns why a customer declines, if a form says so in one of our words */
export function readDeclineReason(form: ReadonlyMap<string, string>): DeclineReason | undefined {
  return declineReasons.find((reason) => reason === form.get('decline_reason'));
}

import type { ObjectForm, PaymentForm } from '#libs/obie-rules';
import { MemberNames } from '../member-names.js';

/** The members that a payment and the objects within it may have. */
export interface KnownMembers {
  readonly item: MemberNames;
  readonly amount: MemberNames;
  /** of debtor and creditor */
  readonly account: MemberNames;
}

/** @returns the rules in which formats differ */
export function rulesOf({ members }: PaymentForm) {
  return {
    longestName: members.CreditorAccount.of.members.Name.longest,
    isEndToEndIdentificationRequired: members.EndToEndIdentification.isRequired === true,
    hasExecutionDate: 'RequestedExecutionDateTime' in members,
  };
}

/** @returns the members of a payment, for a format that allows no others */
export function knownMembersOf(form: PaymentForm): KnownMembers {
  const { InstructedAmount, CreditorAccount } = form.members;
  return { item: namesOf(form), amount: namesOf(InstructedAmount.of), account: namesOf(CreditorAccount.of) };
}

export const namesOf = ({ members }: ObjectForm) => new MemberNames(Object.keys(members));

import type { DeclineReason } from '#libs/customer-session';
import type { PageErrorCode } from '#libs/error-catalogue';
import type { MessageKey } from '../wording/en.js';
import type { Html } from '../wording/words.js';

/** What every page shows around its content. */
export interface PageFrame {
  /** x-fapi-interaction-id, which a PSU can quote to the bank */
  readonly reference: string;
  readonly psuName?: string | undefined;
  /** what the last form has done */
  readonly notice?: MessageKey | undefined;
  /** time of day at which the session ends without activity */
  readonly closesAt?: string | undefined;
  /** gives more time without losing the input on the page */
  readonly moreTimeAddress?: string | undefined;
  /** where the page can be reopened; undefined if it cannot be, or was reopened */
  readonly ownAddress?: string | undefined;
}

/** A mistake in a form. The summary links to the field. */
export interface FormProblem {
  readonly fieldId: string;
  readonly message: MessageKey;
  readonly code: PageErrorCode;
}

/** Who asks. */
export interface Asker {
  readonly clientName: string;
  readonly orgName: string;
  /** of the organisation, in the register of its authority or in the directory */
  readonly registerNumber: string;
  /** for whom an agent acts */
  readonly onBehalfOfOrg?: string | undefined;
}

/** What every page of the journey has: hidden fields of its forms, and the decline button. */
export interface JourneyPage extends PageFrame, Asker {
  readonly sessionId: string;
  readonly csrfToken: string;
  /** the customer has signed in and sees the request */
  readonly isReading: boolean;
  readonly problem?: FormProblem | undefined;
}

export interface SignInPage extends JourneyPage {
  readonly purpose: 'payment' | 'access' | 'funds' | 'identity';
  readonly username: string;
}

/** How the customer confirms: with a code, in the bank's app, or either. */
export interface ChallengeQuestion {
  /** identifies the challenge in the forms */
  readonly challenge: string;
  readonly hasCode: boolean;
  readonly hasPush: boolean;
  readonly words: ChallengeWords;
}

/** The words for the customer's way to confirm. */
export interface ChallengeWords {
  /** what to do */
  readonly how: MessageKey;
  /** where to see the same details */
  readonly compare: MessageKey;
  /** the button that asks again */
  readonly again: MessageKey;
  /** after it */
  readonly asked: MessageKey;
}

/** What a page that waits for an answer has besides its frame. */
export interface ChallengeParts {
  /** undefined: nothing is asked yet */
  readonly question?: ChallengeQuestion | undefined;
  /** the page itself, for reloads */
  readonly ownAddress: string;
  /** where the page's script gets the status */
  readonly statusAddress: string;
}

/** Something that access allows, and what is in it. */
export interface ShownCluster {
  readonly title: string;
  readonly texts: readonly string[];
}

export type SecondFactorPage = JourneyPage & ChallengeParts;

export type ChallengePage = JourneyPage & ChallengeParts & DecisionParts;

/** What is paid. */
export interface ShownTotal {
  readonly total: string;
  readonly count: number;
  /** of the only payment */
  readonly payee: string | undefined;
}

/** What is paid, and to which account if it is one payment. */
export interface ChallengedPayment extends ShownTotal {
  readonly payeeAccount: Pick<ShownPayment, 'creditorAccount' | 'rollNumber' | 'address' | 'parties'> | undefined;
}

interface DecisionParts {
  readonly question: ChallengeQuestion;
  /** undefined if no payment is made */
  readonly payment?: ChallengedPayment | undefined;
  /** from which it is paid */
  readonly account?: Html | undefined;
  /** what the access allows, on which accounts, and its last day; undefined: it has no last day, or does not last */
  readonly access?: {
    /** where a consent asks for it */
    readonly wording?: AccessWording;
    readonly permissions: readonly ShownCluster[];
    readonly accounts?: readonly Html[] | undefined;
    readonly endsOn?: string | undefined;
  };
  /** where the payments can be read again */
  readonly backAddress: string;
}

/** A detail of a payment beyond payee, amount and reference. */
export interface ShownDetail {
  readonly label: string;
  readonly texts: readonly string[];
}

export interface ShownPayment {
  readonly position: number;
  readonly creditorName: string;
  readonly creditorAccount: string;
  /** roll number of a building society: part of the account */
  readonly rollNumber?: string | undefined;
  readonly address: readonly string[];
  /** who else is behind the payment */
  readonly parties: readonly ShownDetail[];
  readonly reference?: string | undefined;
  readonly message?: string | undefined;
  readonly endToEndIdentification?: string | undefined;
  /** the documents that it settles, and regulatory reporting */
  readonly remittance: readonly ShownDetail[];
  /** how it differs from what the app asked for */
  readonly notes: readonly string[];
  /** why a person should check it */
  readonly marks: readonly string[];
  readonly day: string;
  readonly amount: string;
}

export interface ShownAccount {
  /** value of the form field */
  readonly value: string;
  readonly name: string;
  readonly identification: string;
  /** undefined if balances are not shown */
  readonly available?: string | undefined;
  readonly notes: readonly Html[];
  readonly isChosen: boolean;
  /** why it cannot be chosen */
  readonly unusable?: string | undefined;
}

/** A payment to check before the others, or the first of several that belong together. */
export interface ShownStandout {
  /** in the file, from 1 */
  readonly position: number;
  readonly amount: string;
  readonly payeeName: string;
  readonly texts: readonly string[];
}

/** How the payments are sorted: as in the file, or the largest first. */
export type PaymentOrder = 'Place' | 'Amount';

/** A file of payments as shown to the customer who decides on it. */
export interface PaymentSummary {
  readonly total: string;
  readonly count: number;
  readonly paymentType: string;
  readonly when: string;
  /** what may move the day */
  readonly cutOff?: string | undefined;
  readonly fileReference?: string | undefined;
  readonly charges: readonly string[];
  /** whether the app gets the account, to refund to it */
  readonly isRefundable: boolean;
  readonly standouts: readonly ShownStandout[];
  /** how many payments are marked in the list alone */
  readonly furtherMarked: number;
  /** what is said of the file as a whole */
  readonly facts: readonly string[];
  /** whether the bank has not answered all questions about the payees; it may if asked again */
  readonly isCheckOpen: boolean;
  readonly order: PaymentOrder;
  /** of a page that links lead to; undefined if a form must keep the choices on it */
  readonly orderAddress?: string | undefined;
  readonly payments: readonly ShownPayment[];
  /** the only payment, which is shown without a list */
  readonly single?: ShownPayment | undefined;
  /** of the only payment */
  readonly payee?: string | undefined;
  /** whether the payments are for different days */
  readonly hasDays: boolean;
  /** base64url SHA-256 of the list of payments: what the approval is bound to */
  readonly fileHash: string;
}

export interface ConsentPage extends JourneyPage, PaymentSummary {
  /** counts of the payee findings, as the form sends them back */
  readonly payeesShown: string;
  readonly accounts: readonly ShownAccount[];
  /** the only account */
  readonly account?: { readonly name: string; readonly identification: string } | undefined;
  /** where further approvers decide; undefined if no account needs any */
  readonly approvalsAddress?: string | undefined;
  /** by when they must */
  readonly othersDeadline: string;
}

/** Before a decline counts: why, if the customer says so. */
export interface DeclinePage extends PageFrame {
  readonly csrfToken: string;
  readonly action: '/decline' | '/approvals/decline';
  readonly reasons: readonly DeclineReason[];
  readonly sessionId?: string;
  readonly filePaymentId?: string;
}

/** What every page for further approvals carries. */
export interface ApprovalFrame extends PageFrame {
  readonly csrfToken: string;
  /** the page after the sign-in, if not the list */
  readonly landing?: string | undefined;
  readonly problem?: FormProblem | undefined;
}

export interface ApprovalSignInPage extends ApprovalFrame {
  readonly username: string;
  readonly title: MessageKey;
  readonly lead: MessageKey;
  /** the visitor was signed in */
  readonly isEnded: boolean;
}

/** A second factor at the pages for further approvers, for the sign-in or for one decision. */
export type ApprovalChallengePage = ApprovalFrame & ChallengeParts & ApprovalParts;

interface ApprovalParts {
  readonly action: string;
  readonly againAction: string;
  /** undefined for the sign-in */
  readonly payment?: (ChallengedPayment & { readonly filePaymentId: string }) | undefined;
  /** from which it is paid */
  readonly account?: Html | undefined;
  readonly clientName?: string | undefined;
  readonly orgName?: string | undefined;
  readonly registerNumber?: string | undefined;
  readonly onBehalfOfOrg?: string | undefined;
}

/** A file payment in the list of those that wait. */
export interface ShownAwaitingPayment extends ShownTotal {
  readonly address: string;
  readonly clientName: string;
  readonly onBehalfOfOrg?: string | undefined;
  readonly accountName: string;
  /** each in a sentence, in the order they were made */
  readonly decisions: readonly Html[];
  /** who has still to decide */
  readonly missing: Html;
  readonly day: string;
}

export interface ApprovalListPage extends ApprovalFrame {
  readonly waiting: readonly ShownAwaitingPayment[];
  /** sessions of the same customer elsewhere */
  readonly otherSessions: number;
}

/** Where a customer is signed in. */
export interface SessionsPage extends ApprovalFrame {
  readonly sessions: readonly {
    readonly sessionId: string;
    readonly since: string;
    readonly until: string;
    readonly isOwn: boolean;
  }[];
}

/** What has been decided, by the customer alone or by those who share an account with them. */
export interface ShownDecided {
  /** undefined if there is nothing more to read */
  readonly address?: string;
  /** undefined: access */
  readonly file?: ShownTotal;
  /** undefined: a file */
  readonly access?: {
    /** what was asked for, and by whom */
    readonly title: MessageKey;
    /** those that were chosen */
    readonly accounts: readonly { readonly name: string; readonly identification: string }[];
  };
  readonly clientName: string;
  readonly onBehalfOfOrg?: string | undefined;
  readonly accountName?: string | undefined;
  readonly decisions: readonly Html[];
  /** undefined if no further approval is needed */
  readonly missing?: Html;
}

export interface DecidedPage extends ApprovalFrame {
  readonly decided: readonly ShownDecided[];
}

/** An approval that lasts, in words. */
export interface ShownAccess {
  /** names it in the form */
  readonly grant: string;
  /** whether the permissions say what may be seen, not what may be done */
  readonly isReading: boolean;
  readonly clientName: string;
  readonly orgName: string;
  readonly onBehalfOfOrg?: string | undefined;
  readonly permissions: readonly ShownCluster[];
  readonly givenOn: string;
  /** undefined: it lasts until it is withdrawn */
  readonly endsOn?: string | undefined;
  /** undefined if no use is known */
  readonly usedOn?: string | undefined;
  /** those that were chosen */
  readonly accounts?: readonly { readonly name: string; readonly identification: string }[];
  /** whether money is checked for: cards depend on it */
  readonly isFunds: boolean;
  /** when it was ended before its time */
  readonly endedOn?: string | undefined;
}

/** What was asked about the money in an account, and what the bank answered. */
export interface FundsPage extends ApprovalFrame {
  readonly clientName: string;
  readonly orgName: string;
  readonly onBehalfOfOrg?: string | undefined;
  readonly accounts: readonly { readonly name: string; readonly identification: string }[];
  /** undefined: it lasts until it is withdrawn */
  readonly endsAt?: string | undefined;
  readonly endedOn?: string | undefined;
  readonly questions: readonly {
    readonly at: string;
    readonly amount: string;
    readonly reference?: string | undefined;
    readonly answer: MessageKey;
  }[];
  readonly laterAddress?: string | undefined;
  readonly earlierAddress?: string | undefined;
}

/** Asks once more before it ends. */
export interface EndAccessPage extends ApprovalFrame {
  readonly access: ShownAccess;
}

export interface LastingAccessPage extends ApprovalFrame {
  /** what the customer has just ended */
  readonly ended?: ShownAccess | undefined;
  readonly access: readonly ShownAccess[];
}

export interface PaymentApprovalPage extends ApprovalFrame, PaymentSummary, Asker {
  readonly filePaymentId: string;
  /** as on the first approver's page */
  readonly payeesShown: string;
  readonly account: { readonly name: string; readonly identification: string };
  readonly approvals: string;
  /** until when it can be approved; undefined once it cannot */
  readonly deadline?: string | undefined;
  /** what has been decided, each in a sentence */
  readonly decisions: readonly Html[];
  /** its outcome; undefined while this PSU may decide */
  readonly outcome?: MessageKey | undefined;
  /** declined by this PSU, who suspects fraud */
  readonly isFraud: boolean;
}

export interface IdentityPage extends JourneyPage {
  readonly permissions: readonly ShownCluster[];
  /** the last day, where the app may come back without the PSU */
  readonly lastsUntil?: string;
  /** where the PSU can end it sooner */
  readonly accessAddress?: string;
}

/** What the pages of one kind of access say. */
export type AccessWording = Readonly<
  Record<'title' | 'asks' | 'limits' | 'until' | 'accounts' | 'challenge' | 'may' | 'button' | 'next', MessageKey>
>;

/** Access that lasts, as a consent asks for it. */
export interface AccessPage extends JourneyPage {
  readonly wording: AccessWording;
  readonly permissions: readonly ShownCluster[];
  readonly accounts: readonly ShownAccount[];
  /** of the accounts */
  readonly count: number;
  /** false: the request names the account, and the PSU agrees to it or to nothing */
  readonly hasChoice: boolean;
  /** the period whose transactions may be read */
  readonly period: string | undefined;
  /** last day; undefined: it lasts until it is withdrawn */
  readonly endsOn: string | undefined;
  /** where the PSU can end it sooner */
  readonly accessAddress: string;
}

/** The end of a journey that the customer has not chosen. */
export interface EndPage extends PageFrame {
  readonly heading: MessageKey;
  readonly text: MessageKey;
  readonly whatNow: MessageKey;
  /** undefined if nothing went wrong */
  readonly code?: PageErrorCode | undefined;
  readonly clientName: string;
  /** undefined if there is nowhere to go */
  readonly backAddress?: string | undefined;
}

/** At the bare address. */
export interface FrontPage extends PageFrame {
  readonly discoveryAddress: string;
}

/** Where a customer gets more time. */
export interface MoreTimePage extends PageFrame {
  readonly until: string;
}

export interface ErrorPage extends PageFrame {
  readonly heading: MessageKey;
  readonly text: MessageKey;
  readonly code: PageErrorCode;
  /** for the developers of a TPP whose request was refused */
  readonly description?: string | undefined;
}

import type { WrittenEntry } from './error-entry.js';
import { sections } from './standard-sections.js';

const errorPage = [sections.rfc6749Redirect] as const;
const signInAgain = 'The customer corrects the form and sends it again; the TPP has nothing to do.';

/**
 * Error codes that the customer's pages show in addition to those of OAuth. They never occur in a redirect: the
 * customer reads them out to the bank or the TPP. The type of the codes is made from these keys, so no other code can
 * be used. Unless an entry says otherwise, the status is 400 and the section is that of the Customer Experience
 * Guidelines.
 */
export const pageErrors = {
  UsernameMissing: {
    meaning: 'The sign-in form came without a username.',
    causes: ['The customer left the field empty.'],
    remedies: [signInAgain],
  },
  PasswordMissing: {
    meaning: 'The sign-in form came without a password.',
    causes: ['The customer left the field empty.'],
    remedies: [signInAgain],
  },
  OneTimeCodeMissing: {
    meaning: 'The form came without a one-time code.',
    causes: ['The customer left the field empty.'],
    remedies: [signInAgain],
  },
  InvalidCredentials: {
    meaning: 'The bank did not accept the username, the password or the one-time code.',
    causes: ['One of them is wrong. The page does not say which, so that nobody learns half of a credential.'],
    remedies: ['The customer tries again. After several attempts the bank locks the customer.'],
  },
  ChallengeExpired: {
    meaning: 'The customer did not confirm in time.',
    causes: ['The one-time code, or the question in the bank’s app, has expired.'],
    remedies: ['The customer asks for a new one on the same page.'],
  },
  ChallengeRefused: {
    meaning: 'The customer refused in the bank’s app.',
    causes: ['The customer chose to refuse the question that the app showed.'],
    remedies: ['The customer confirms again on the same page, or declines there.'],
  },
  ChallengeUsed: {
    meaning: 'This confirmation was already used.',
    causes: ['The form was sent twice, or from two tabs.'],
    remedies: ['The customer asks for a new confirmation on the same page.'],
  },
  ChallengeChanged: {
    meaning: 'What the customer was confirming has changed.',
    causes: ['The payments or the accounts differ from those that the confirmation was bound to.'],
    remedies: ['The customer reads the page again, then confirms again.'],
  },
  ChallengeReplaced: {
    meaning: 'The form belongs to an earlier confirmation.',
    causes: ['A second tab, or the back button, has asked for a new one since.'],
    remedies: ['The customer uses the newest code or question.'],
  },
  FileChanged: {
    meaning: 'The payments are not the ones that the page showed.',
    causes: ['The file, or what the bank says of its payees, has changed since the page was made.'],
    remedies: ['The customer reads the new page, and decides on that.'],
  },
  DebtorAccountMissing: {
    meaning: 'The customer chose no account to pay from.',
    causes: ['The form was sent without a choice.'],
    remedies: ['The customer chooses an account.'],
  },
  DebtorAccountUnusable: {
    meaning: 'The chosen account cannot make these payments.',
    causes: ['The account was closed or blocked since the page was made, or does not belong to the customer.'],
    remedies: ['The customer chooses another account.'],
  },
  AccountsMissing: {
    meaning: 'The customer chose no account to share.',
    causes: ['The form was sent without a choice.'],
    remedies: ['The customer chooses at least one account, or declines.'],
  },
  SessionUnknown: {
    meaning: 'The browser has no session at the bank for this page.',
    causes: [
      'The session has ended, or the page was opened in another browser than the one that the TPP sent to the bank.',
      'The browser does not send cookies.',
    ],
    remedies: ['The TPP sends the customer to the authorization endpoint again, with a new request object.'],
    sections: errorPage,
  },
  FormRefused: {
    statuses: [403],
    meaning: 'No page of this session made the form.',
    causes: ['Another website sent the form, or the page is older than the session.'],
    remedies: ['The customer opens the page again from the TPP.'],
    sections: errorPage,
  },
  Locked: {
    statuses: [403],
    meaning: 'The bank has locked the customer.',
    causes: ['Too many wrong passwords or codes, or a decision of the bank.'],
    remedies: ['The customer calls the bank.'],
  },
  TooManyRequests: {
    statuses: [429],
    meaning: 'Too many requests came from this address or for this customer.',
    causes: ['A limit of the bank on requests or on sign-ins.'],
    remedies: ['Try again later; Retry-After says after how many seconds.'],
    sections: errorPage,
  },
  NotFound: {
    statuses: [404],
    meaning: 'There is no such page or payment.',
    causes: ['The address is wrong, or the payment belongs to an account that the customer cannot see.'],
    remedies: ['Check the address. Only the authorization endpoint starts an approval.'],
    sections: errorPage,
  },
  RequestUnreadable: {
    statuses: [400, 413],
    meaning: 'The request cannot be read.',
    causes: ['It is too long, not a form in UTF-8, or has a parameter twice.'],
    remedies: ['Send the customer to the bank again. Use request_uri if the address is very long.'],
    sections: errorPage,
  },
} as const satisfies Record<string, WrittenEntry<'statuses' | 'areas' | 'sections'>>;

import type { ErrorEntry } from './error-entry.js';
import { sections } from './standard-sections.js';

const areas = ['authorisation'] as const;
const errorPage = [sections.rfc6749Redirect] as const;
const customer = [sections.customerExperience] as const;
const signInAgain = 'The customer corrects the form and sends it again; the TPP has nothing to do.';

/**
 * Error codes that the customer's pages show in addition to those of OAuth. They never occur in a redirect: the
 * customer reads them out to the bank or the TPP. The type of the codes is made from these keys, so no other code can
 * be used.
 */
export const pageErrors = {
  UsernameMissing: {
    statuses: [400],
    areas,
    meaning: 'The sign-in form came without a username.',
    causes: ['The customer left the field empty.'],
    remedies: [signInAgain],
    sections: customer,
  },
  PasswordMissing: {
    statuses: [400],
    areas,
    meaning: 'The sign-in form came without a password.',
    causes: ['The customer left the field empty.'],
    remedies: [signInAgain],
    sections: customer,
  },
  OneTimeCodeMissing: {
    statuses: [400],
    areas,
    meaning: 'The form came without a one-time code.',
    causes: ['The customer left the field empty.'],
    remedies: [signInAgain],
    sections: customer,
  },
  InvalidCredentials: {
    statuses: [400],
    areas,
    meaning: 'The bank did not accept the username, the password or the one-time code.',
    causes: ['One of them is wrong. The page does not say which, so that nobody learns half of a credential.'],
    remedies: ['The customer tries again. After several attempts the bank locks the customer.'],
    sections: customer,
  },
  ChallengeExpired: {
    statuses: [400],
    areas,
    meaning: 'The customer did not confirm in time.',
    causes: ['The one-time code, or the question in the bank’s app, has expired.'],
    remedies: ['The customer asks for a new one on the same page.'],
    sections: customer,
  },
  ChallengeRefused: {
    statuses: [400],
    areas,
    meaning: 'The customer refused in the bank’s app.',
    causes: ['The customer chose to refuse the question that the app showed.'],
    remedies: ['The customer confirms again on the same page, or declines there.'],
    sections: customer,
  },
  ChallengeUsed: {
    statuses: [400],
    areas,
    meaning: 'This confirmation was already used.',
    causes: ['The form was sent twice, or from two tabs.'],
    remedies: ['The customer asks for a new confirmation on the same page.'],
    sections: customer,
  },
  ChallengeChanged: {
    statuses: [400],
    areas,
    meaning: 'What the customer was confirming has changed.',
    causes: ['The payments or the accounts differ from those that the confirmation was bound to.'],
    remedies: ['The customer reads the page again, then confirms again.'],
    sections: customer,
  },
  ChallengeReplaced: {
    statuses: [400],
    areas,
    meaning: 'The form belongs to an earlier confirmation.',
    causes: ['A second tab, or the back button, has asked for a new one since.'],
    remedies: ['The customer uses the newest code or question.'],
    sections: customer,
  },
  FileChanged: {
    statuses: [400],
    areas,
    meaning: 'The payments are not the ones that the page showed.',
    causes: ['The file, or what the bank says of its payees, has changed since the page was made.'],
    remedies: ['The customer reads the new page, and decides on that.'],
    sections: customer,
  },
  DebtorAccountMissing: {
    statuses: [400],
    areas,
    meaning: 'The customer chose no account to pay from.',
    causes: ['The form was sent without a choice.'],
    remedies: ['The customer chooses an account.'],
    sections: customer,
  },
  DebtorAccountUnusable: {
    statuses: [400],
    areas,
    meaning: 'The chosen account cannot make these payments.',
    causes: ['The account was closed or blocked since the page was made, or does not belong to the customer.'],
    remedies: ['The customer chooses another account.'],
    sections: customer,
  },
  AccountsMissing: {
    statuses: [400],
    areas,
    meaning: 'The customer chose no account to share.',
    causes: ['The form was sent without a choice.'],
    remedies: ['The customer chooses at least one account, or declines.'],
    sections: customer,
  },
  SessionUnknown: {
    statuses: [400],
    areas,
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
    areas,
    meaning: 'No page of this session made the form.',
    causes: ['Another website sent the form, or the page is older than the session.'],
    remedies: ['The customer opens the page again from the TPP.'],
    sections: errorPage,
  },
  Locked: {
    statuses: [403],
    areas,
    meaning: 'The bank has locked the customer.',
    causes: ['Too many wrong passwords or codes, or a decision of the bank.'],
    remedies: ['The customer calls the bank.'],
    sections: customer,
  },
  TooManyRequests: {
    statuses: [429],
    areas,
    meaning: 'Too many requests came from this address or for this customer.',
    causes: ['A limit of the bank on requests or on sign-ins.'],
    remedies: ['Try again later; Retry-After says after how many seconds.'],
    sections: errorPage,
  },
  NotFound: {
    statuses: [404],
    areas,
    meaning: 'There is no such page or payment.',
    causes: ['The address is wrong, or the payment belongs to an account that the customer cannot see.'],
    remedies: ['Check the address. Only the authorization endpoint starts an approval.'],
    sections: errorPage,
  },
  RequestUnreadable: {
    statuses: [400, 413],
    areas,
    meaning: 'The request cannot be read.',
    causes: ['It is too long, not a form in UTF-8, or has a parameter twice.'],
    remedies: ['Send the customer to the bank again. Use request_uri if the address is very long.'],
    sections: errorPage,
  },
} as const satisfies Record<string, ErrorEntry>;

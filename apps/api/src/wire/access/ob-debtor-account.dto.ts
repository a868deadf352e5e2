import { debtorAccountOf } from '../form/debtor-account.js';

/** The account to ask about. */
export class DebtorAccount extends debtorAccountOf('UK.OBIE.SortCodeAccountNumber, UK.OBIE.IBAN or UK.OBIE.BBAN.') {}

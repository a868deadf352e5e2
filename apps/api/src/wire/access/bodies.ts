import { describedClass, type Members } from '#libs/api-description';
import { linksAndMeta, ownConsentId, past } from '../file-payment/dto/answer-parts.js';
import { debtorAccountMembers } from '../form/debtor-account.js';

/** The account to ask about. */
export const namedAccount = debtorAccountMembers('UK.OBIE.SortCodeAccountNumber, UK.OBIE.IBAN or UK.OBIE.BBAN.');

/**
 * @param members of Data
 * @param beside members besides Data, Links and Meta
 * @returns the class of an answer
 */
export function accessAnswerOf(className: string, members: Members, beside: Members = {}) {
  return describedClass(className, {
    ...linksAndMeta,
    Data: { type: describedClass(`${className}Data`, members) },
    ...beside,
  });
}

/** Members of Data of a consent, without its status and what it requests. */
export const consentMembers = { ConsentId: ownConsentId, CreationDateTime: past, StatusUpdateDateTime: past };

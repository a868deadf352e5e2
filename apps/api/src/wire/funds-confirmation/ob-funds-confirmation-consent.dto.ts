import type { Type } from '@nestjs/common';
import { IntersectionType } from '@nestjs/swagger';
import { describeMembers } from '#libs/api-description';
import { ConsentMembers, LinksAndMeta } from '../access/ob-consent-answer.dto.js';
import type { DebtorAccount } from '../access/ob-debtor-account.dto.js';
import { Closed, type WireClass } from '../form/members.js';
import { ObDateTime, ObObject, Optional, Required } from '../form/rules.js';

/** Body of POST /funds-confirmation-consents. */
export interface FundsConfirmationConsentRequest {
  readonly Data: { readonly DebtorAccount: DebtorAccount; readonly ExpirationDateTime?: string };
}

/**
 * @param account the version's class of an account
 * @returns the class of the body
 */
export function createConsentRequest(account: WireClass): new () => FundsConfirmationConsentRequest {
  class OBFundsConfirmationConsent1Data {
    @Required({ description: 'The account to ask about. It must belong to the customer who approves.' })
    @ObObject(() => account)
    DebtorAccount!: DebtorAccount;

    @Optional({
      description: 'When the consent ends; must be in the future. Without it, the consent lasts until it is withdrawn.',
      example: '2035-01-31T00:00:00+00:00',
    })
    @ObDateTime()
    ExpirationDateTime?: string;
  }

  @Closed()
  class OBFundsConfirmationConsent1 {
    @Required()
    @ObObject(() => OBFundsConfirmationConsent1Data)
    Data!: OBFundsConfirmationConsent1Data;
  }
  return OBFundsConfirmationConsent1;
}

/**
 * @param classes the version's classes of status members and account
 * @returns the answer of POST and GET /funds-confirmation-consents
 */
export function createConsentAnswer(classes: { readonly state: Type; readonly debtorAccount: Type }): Type {
  class AskedMembers {}
  describeMembers(AskedMembers, {
    DebtorAccount: { type: classes.debtorAccount, description: 'The account as you named it.' },
    ExpirationDateTime: { required: false, type: 'string', format: 'date-time', description: 'When the consent ends.' },
  });

  class OBFundsConfirmationConsentResponse1Data extends IntersectionType(ConsentMembers, classes.state, AskedMembers) {}

  class OBFundsConfirmationConsentResponse1 extends LinksAndMeta {}
  describeMembers(OBFundsConfirmationConsentResponse1, { Data: { type: OBFundsConfirmationConsentResponse1Data } });
  return OBFundsConfirmationConsentResponse1;
}

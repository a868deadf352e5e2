import { text, type Command } from '../cli/command.js';
import { UsageError } from '../journey-error.js';

const SchemeName = 'UK.OBIE.SortCodeAccountNumber';

/** POST and DELETE /funds-confirmation-consents. */
export const fundsConsentCommand: Command = {
  name: 'funds-consent',
  summary: 'stage a consent to ask whether funds are available; "authorise" and "funds" continue with it',
  operands: [['[account]', "sort code and account number, 14 digits; default: in the sandbox alice's first account"]],
  options: [
    ['--until <date-time>', 'ExpirationDateTime, with a zone; default: until it is withdrawn'],
    ['--withdraw', 'delete the last consent instead (DELETE); its tokens end'],
  ],
  async run({ session: open, output, values, positionals: [named] }) {
    const session = await open();
    const api = await session.fundsConfirmation();
    if (values['withdraw'] === true) {
      const consentId = await session.consentId('funds');
      await session.withAccessToken((accessToken) => api.deleteConsent(accessToken, consentId), 'fundsconfirmations');
      await session.folder.update({ funds: { consentId, version: api.version } });
      output.line(`Consent ${consentId} is withdrawn.`);
      output.add({ consent_id: consentId, withdrawn: true });
      return;
    }
    const Identification = named ?? session.profile.customers[0]?.accounts[0]?.identification;
    if (Identification === undefined) throw new UsageError('name the account: funds-consent ACCOUNT');
    const until = text(values, 'until');
    const { Data } = await session.withAccessToken(
      (accessToken) =>
        api.createConsent(accessToken, {
          DebtorAccount: { SchemeName, Identification },
          ...(until !== undefined && { ExpirationDateTime: until }),
        }),
      'fundsconfirmations',
    );
    const { ConsentId: consentId, Status: status } = Data;
    await session.folder.update({ funds: { consentId, version: api.version }, lastConsent: 'funds' });
    output.line(`Consent ${consentId}: ${status}`);
    output.line(`Account: ${Data.DebtorAccount.Identification}`);
    output.add({ consent_id: consentId, status, account: Data.DebtorAccount.Identification });
  },
};

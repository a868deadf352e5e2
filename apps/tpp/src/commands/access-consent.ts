import { text, type Command } from '../cli/command.js';

const defaultPermissions = 'ReadAccountsDetail,ReadBalances';

/** POST and DELETE /account-access-consents. */
export const accessConsentCommand: Command = {
  name: 'access-consent',
  summary: 'stage a consent to read accounts; "authorise", "accounts" and "balances" continue with it',
  options: [
    ['--permissions <list>', `codes of the standard, separated by commas; default: ${defaultPermissions}`],
    ['--until <date-time>', 'ExpirationDateTime, with a zone; default: until it is withdrawn'],
    ['--withdraw', 'delete the last consent instead (DELETE); its tokens end'],
  ],
  async run({ session: open, output, values }) {
    const session = await open();
    const accountAccess = await session.accountAccess();
    if (values['withdraw'] === true) {
      const consentId = await session.consentId('access');
      await session.withAccessToken((accessToken) => accountAccess.deleteConsent(accessToken, consentId), 'accounts');
      await session.folder.update({ access: { consentId, version: accountAccess.version } });
      output.line(`Consent ${consentId} is withdrawn.`);
      output.add({ consent_id: consentId, withdrawn: true });
      return;
    }
    const until = text(values, 'until');
    const { Data } = await session.withAccessToken(
      (accessToken) =>
        accountAccess.createConsent(accessToken, {
          Permissions: (text(values, 'permissions') ?? defaultPermissions).split(',').map((code) => code.trim()),
          ...(until !== undefined && { ExpirationDateTime: until }),
        }),
      'accounts',
    );
    const { ConsentId: consentId, Status: status } = Data;
    await session.folder.update({ access: { consentId, version: accountAccess.version }, lastConsent: 'access' });
    output.line(`Consent ${consentId}: ${status}`);
    output.line(`Permissions: ${Data.Permissions.join(', ')}`);
    output.add({ consent_id: consentId, status, permissions: Data.Permissions });
  },
};

import {
  accessConsentCommand,
  accountsCommand,
  balancesCommand,
  fundsCommand,
  fundsConsentCommand,
} from '../commands/access.js';
import { createAuthoriseCommand } from '../commands/authorise.js';
import { checkFileCommand } from '../commands/check-file.js';
import { doctorCommand } from '../commands/doctor.js';
import { domesticConsentCommand, domesticDetailsCommand, domesticFundsCommand } from '../commands/domestic-payment.js';
import { consentCommand, uploadCommand } from '../commands/file-payment.js';
import { historyCommand } from '../commands/history.js';
import { listCommand } from '../commands/list.js';
import { createPayCommand } from '../commands/pay.js';
import { registerCommand } from '../commands/register.js';
import { reportCommand } from '../commands/report.js';
import { signCommand } from '../commands/sign.js';
import { createStatusCommand } from '../commands/status.js';
import { tokenCommand } from '../commands/token.js';
import { verifyCommand } from '../commands/verify.js';
import { whyCommand } from '../commands/why.js';
import { commandOf } from '../purpose.js';
import type { Command } from './command.js';

/** In the order of the help: file payments, single payments, accounts, funds, tools. */
export const commands: readonly Command[] = [
  registerCommand,
  tokenCommand,
  consentCommand,
  uploadCommand,
  createAuthoriseCommand(),
  createPayCommand('file-payment'),
  createStatusCommand('file-payment'),
  reportCommand,
  domesticConsentCommand,
  createAuthoriseCommand('domestic-payment'),
  domesticFundsCommand,
  createPayCommand('domestic-payment'),
  createStatusCommand('domestic-payment'),
  domesticDetailsCommand,
  { ...whyCommand, name: commandOf('domestic-payment', whyCommand.name) },
  accessConsentCommand,
  accountsCommand,
  balancesCommand,
  fundsConsentCommand,
  fundsCommand,
  listCommand,
  historyCommand,
  checkFileCommand,
  signCommand,
  verifyCommand,
  doctorCommand,
  whyCommand,
];

/**
 * Every text of the customer's pages in English. ICU MessageFormat: `{name}` is a value, `{count, plural, …}` a number
 * with its noun; `<b>` is strong, `<hidden>` is for screen readers alone. `deploy/pages.md` says how a bank words them
 * its own way.
 */
export const en = {
  'layout.title': '{title} – {bank}',
  'layout.errorTitle': 'Error: {title}',
  'layout.skip': 'Skip to main content',
  'layout.signedInAs': 'Signed in as {name}',
  'layout.sessionEnd': 'If you do nothing, we will sign you out at <b>{time}</b> (UK time).',
  'layout.pageEnd': 'If you do nothing, this page will stop working at <b>{time}</b> (UK time).',
  'layout.moreTime': 'Get more time<hidden> (opens a new tab, and this page stays as it is)</hidden>',
  'layout.reference': 'Reference {reference}',
  'layout.otherLanguage': 'Cymraeg',
  'layout.helpLine': 'Need help? {helpLine}',
  'layout.links': 'About this service',
  'layout.help': 'Help and complaints<hidden> (opens a new tab)</hidden>',
  'layout.privacy': 'Privacy<hidden> (opens a new tab)</hidden>',
  'layout.accessibility': 'Accessibility<hidden> (opens a new tab)</hidden>',

  'common.step': 'Step {step} of {steps}',
  'common.total': '{count, plural, one {{amount}} other {{amount} in # payments}}',
  'common.payTo': '{amount} to {payee}',
  'common.asker': '{client}, {organisation} (<hidden>registration number </hidden>{registerNumber})',
  'common.askerAlone': '{organisation} (<hidden>registration number </hidden>{registerNumber})',
  'common.onBehalfOf': '{agent} on behalf of {principal}',
  'common.approve': 'Approve',
  'common.approveAmount': 'Approve {amount}',
  'common.decline': 'Decline',
  'decline.title': 'Decline this request?',
  'decline.lead': 'Nothing will be approved.',
  'decline.back': 'Go back',
  'decline.why': 'Why are you declining? (optional)',
  'decline.noReason': 'Choose a reason',
  'decline.ChangedMind': 'I have changed my mind',
  'decline.NotRecognised': 'I do not recognise this',
  'decline.WrongDetails': 'Some of the details are wrong',
  'decline.SuspectedFraud': 'I think this is fraud',
  'decline.Other': 'Another reason',
  'common.cancel': 'Cancel and go back',
  'common.signOut': 'Sign out',
  'common.lastOfList': '{others} and {last}',
  'common.lastOfChoice': '{others} or {last}',
  'common.you': 'you',
  'common.moment': '{day} at {time}',
  'common.summary': 'Summary',

  'notice.codeSent': 'We have sent you a new code. The one before no longer works.',
  'notice.newCode': 'Use your card reader or your banking app to get a new code. The one before no longer works.',
  'notice.askedAgain': 'We have asked you again in your banking app.',

  'problem.title': 'There is a problem',
  'problem.usernameMissing': 'Enter your username',
  'problem.passwordMissing': 'Enter your password',
  'problem.wrongCredentials': 'The username or password is wrong. Check both and try again.',
  'problem.codeMissing': 'Enter your one-time code',
  'problem.wrongCode': 'The one-time code is wrong. Check it and try again.',
  'problem.accountMissing': 'Choose the account to pay from',
  'problem.accountUnusable': 'Choose another account. You cannot pay from this one at the moment.',
  'problem.fileChanged': 'This page was out of date. Check what is paid again before you approve.',
  'problem.challengeReplaced': 'This page was out of date. Check what you are approving before you continue.',
  'problem.challengeExpired': 'You did not answer in time, so nothing has been approved. You can try again.',
  'problem.challengeRefused': 'You declined this in your banking app. Nothing has been approved.',
  'problem.challengeUsed':
    'Your code, or your answer in the app, no longer works. Nothing has been approved. You can try again.',

  'signIn.title': 'Sign in',
  'signIn.payment': '<b>{client}</b> is asking you to pay from your account.',
  'signIn.access': '<b>{client}</b> wants to see your account information.',
  'signIn.funds': '<b>{client}</b> wants to check that money is available in your account.',
  'signIn.identity': '<b>{client}</b> is asking you to confirm who you are.',
  'signIn.next': 'Sign in to see the details. Nothing happens until you approve.',
  'signIn.username': 'Username',
  'signIn.password': 'Password',
  'signIn.button': 'Sign in',

  'question.signInTitle': 'Confirm it is you',
  'question.textMessage': 'We have sent you a text message with a code.',
  'question.device': 'Use your card reader or your banking app to get a code.',
  'question.code': 'We have sent you a code.',
  'question.keepSecret': 'It works once, and only for this request. Never share it with anyone, not even with us.',
  'question.app': 'Open your banking app on your phone, check the details and approve.',
  'question.orApp': 'Or approve in your banking app on your phone.',
  'question.waiting': 'We are waiting for your answer in the app.',
  'question.answered': 'I have answered in the app',
  'question.codeLabel': 'One-time code',
  'question.continue': 'Continue',
  'question.again': 'Send a new code',
  'question.againDevice': 'Start again with a new code',
  'question.againApp': 'Ask in the app again',
  'question.first': 'Ask me to confirm',

  'challenge.title': 'Confirm your approval',
  'challenge.access': 'Access for {asker}.',
  'challenge.may': 'They can:',
  'challenge.maySee': 'They can see:',
  'challenge.until': 'They can do this until <b>{day}</b>.',
  'read.accountsOf': '{count, plural, one {For this account:} other {For these accounts:}}',
  'challenge.samePhone': 'Check that your phone shows the same details. If anything is different, decline.',
  'challenge.sameDetails':
    'Check that your phone or card reader shows the same details. If anything is different, decline.',
  'challenge.readPayments': '{count, plural, one {Read the payment again} other {Read the payments again}}',
  'challenge.readDetails': 'Read the details again',

  'moreTime.title': 'You have more time',
  'moreTime.until': 'Your other page now works until <b>{time}</b> (UK time), and for longer if you carry on.',
  'moreTime.next': 'Nothing has changed on your other page. You can close this tab and carry on there.',

  'consent.title': '{count, plural, one {Approve this payment?} other {Approve these payments?}}',
  'consent.onlyAccount': 'Pay from',
  'consent.whichAccount': 'Which account do you want to pay from?',
  'consent.available': 'Available balance: {amount}',
  'consent.othersTitle': 'If the account needs more than one approval',
  'consent.others':
    'After you approve, tell the other approvers that this request is waiting for them. They sign in under {link} ' +
    'and see the same. Nothing will be paid unless everyone approves by <b>{deadline}</b>. If anyone declines, ' +
    '{count, plural, one {the payment will not be made} other {none of the payments will be made}}.',
  'consent.noAccount':
    'You cannot approve this request at the moment, because {count, plural, one {this account cannot} other {none of ' +
    'your accounts can}} pay it. Nothing has been decided.',
  'consent.next':
    'If you approve, we will ask you to confirm with a code or in your banking app. Nothing is approved until you ' +
    'do. Whatever you decide, you will go back to {client}, and we will tell them your decision.',

  'identity.title': 'Confirm who you are?',
  'identity.asks': '<b>{asker}</b> is asking to:',
  'identity.limits':
    'They will not see your name, your password or your account numbers, and they cannot make payments with this.',
  'identity.lasting': 'They can come back without you until <b>{day}</b>. You can end this at any time under {link}.',
  'identity.next':
    'If you approve, we will ask you to confirm with a code or in your banking app. Whatever you decide, you will ' +
    'go back to {client}, and we will tell them your decision.',

  'permission.openid': 'recognise you when you come back, by a number that means nothing to anyone else',
  'permission.accounts': 'ask you later for access to your accounts',
  'permission.fundsconfirmations': 'ask you later whether they may check that money is available',

  'account.unusable.Blocked': 'You cannot pay from this account because it is blocked.',
  'account.unusable.NoPermission': 'You do not have permission to pay from this account.',
  'account.unusable.InsufficientFunds': 'There is not enough money in this account for this request.',
  'account.approvals':
    '{count, plural, one {Needs approval from # more person before anything is paid} other {Needs approval from # ' +
    'more people before anything is paid}}',
  'account.approvalsFrom':
    'Needs {count, plural, one {one more approval} other {# more approvals}} before anything is paid, from {names}',
  'account.notEnough': 'Not enough money for this request at the moment',
  'account.named': '{name} ({identification})',
  'account.card': 'card starting {first}, ending {last}',
  'account.masked': 'ending {digits}',

  'paymentType.FPS': 'Faster Payments',
  'paymentType.BACS': 'Bacs',
  'paymentType.CHAPS': 'CHAPS',
  'paymentType.BalanceTransfer': 'Balance transfers',

  'summary.askedBy': 'Requested by',
  'summary.from': 'From',
  'summary.chooseBelow': 'Choose the account below',
  'summary.when': 'Payment date',
  'summary.soon': 'As soon as possible',
  'summary.days': 'On the date shown for each payment',
  'summary.lookFirst': '{count, plural, one {Check this first} other {Check these first}}',
  'summary.aboutPayees': '{count, plural, one {About the payee} other {About the payees}}',
  'summary.standout': '<b>{amount}</b> to {payee}',
  'summary.furtherMarked':
    '{count, plural, one {# more payment is marked in the list.} other {# more payments are marked in the list.}}',
  'summary.checkAgain': 'Check again',
  'summary.type': 'Payment type',
  'summary.cutOffDaily': '{type} payments approved after {time} are made the next day.',
  'summary.cutOffWorkingDays':
    '{type} payments approved after {time}, at a weekend or on a bank holiday are made on the next working day.',
  'summary.approvals': 'Approvals',
  'summary.deadline': 'Approve by',
  'summary.approvalsOf': '{received} of {required}',
  'summary.fileReference': 'File reference',
  'summary.charge': 'Charge',
  'summary.refunds': 'Refunds',
  'summary.refundAccount':
    'If you approve, {client} will get the name and number of the account you pay from, so that they can refund you.',

  'payments.title': 'All {count} payments',
  'payments.byAmount': 'Sorted by amount, largest first.',
  'payments.byPlace': 'In the order they were sent.',
  'payments.sortByAmount': 'Sort by amount',
  'payments.sortByPlace': 'Sort in the order they were sent',
  'payments.skip': 'Skip the list',
  'payments.position': 'No.',
  'payments.payee': 'To',
  'payments.account': 'Account',
  'payments.reference': 'Reference',
  'payments.day': 'Date',
  'payments.amount': 'Amount',
  'payments.rollNumber': 'Roll number {rollNumber}',
  'payments.message': 'Message {message}',
  'payments.endToEnd': 'End-to-end ID {id}',
  'payments.rollNumberFirst': 'The roll number replaces the reference.',
  'payments.shortened': 'Shortened for {type}: {texts}.',
  'payments.text.payeeName': 'name',
  'payments.text.reference': 'reference',
  'payments.text.remittanceText': 'message',
  'payments.text.endToEndIdentification': 'end-to-end ID',
  'payments.detail.proxy': 'Account alias',
  'payments.detail.agent': 'Payee’s bank',
  'payments.detail.ultimatePayee': 'Final payee',
  'payments.detail.ultimatePayer': 'Paid on behalf of',
  'payments.detail.document': 'Document',
  'payments.detail.documentAmount': 'Document amount',
  'payments.detail.creditorReference': 'Payee’s reference',
  'payments.detail.invoicer': 'Invoice from',
  'payments.detail.invoicee': 'Invoice to',
  'payments.detail.tax': 'Tax',
  'payments.detail.information': 'More information',
  'payments.detail.report': 'Report to the authorities',

  'finding.OtherName': 'The name does not match the account.',
  'finding.Large': 'Much larger than the others.',
  'finding.New': 'Never paid before.',
  'finding.Repeated': '{count, plural, =2 {Twice} other {# times}}: same account, amount and reference ({numbers}).',
  'finding.SeveralAccounts': 'This name has different accounts in this list ({numbers}).',
  'finding.SimilarName': 'The name is similar to the account holder’s: {name}.',
  'finding.RollNumber': 'Goes to roll number {rollNumber}.',
  'finding.Unchecked': 'The name could not be checked.',
  'finding.numbers': 'No. {numbers}',
  'finding.numbersAndMore': 'No. {numbers} and {count} more',
  'finding.all': 'All {total} payments: {what}',
  'finding.some': '{count} of {total} payments: {what}',
  'finding.common.OtherName': 'the name does not match the account.',
  'finding.common.Large': 'much larger than the others.',
  'finding.common.New': 'the payee has never been paid before.',
  'finding.common.Repeated': 'the same payment appears more than once.',
  'finding.common.SeveralAccounts': 'the name has different accounts in this list.',
  'finding.common.SimilarName': 'the name is only similar to the account holder’s.',
  'finding.common.RollNumber': 'goes to a roll number.',
  'finding.common.Unchecked': 'the name could not be checked.',
  'names.checked': 'Names checked with the payees’ banks: {counts}.',
  'names.matches': 'The name matches the account.',
  'names.Match': '{count} matched',
  'names.CloseMatch': '{count} similar',
  'names.NoMatch': '{count} did not match',
  'names.Unavailable': '{count} not checked',
  'names.unavailable':
    '{count, plural, one {We could not check the name with the payee’s bank. Make sure you know this account before ' +
    'you approve.} other {We could not check the names with the payees’ banks. Make sure you know these accounts ' +
    'before you approve.}}',
  'known.unavailable':
    '{count, plural, one {We could not find out whether you have paid this payee before.} other {We could not find ' +
    'out which payees you have paid before.}}',

  'approvalSignIn.title': 'Sign in to approve payments',
  'approvalSignIn.ended':
    'You are signed out, because you did nothing for a while or ended this session elsewhere. Your last step was ' +
    'not carried out. Sign in to carry on.',
  'approvalSignIn.lead':
    'Some accounts need approval from more than one person. Sign in to see the payments waiting for your approval, ' +
    'and the access you have given to apps and websites.',
  'approvalSignIn.accessTitle': 'Sign in to see your open banking connections',
  'approvalSignIn.accessLead': 'See which apps and websites have access to your accounts, and end it if you want to.',
  'approvalSignIn.sessionsLead': 'See where you are signed in, and end any session that you do not recognise.',

  'waiting.title': 'Payments waiting for you',
  'waiting.none': 'No payments are waiting for your approval.',
  'waiting.lead': 'Open a request to see what it pays, then approve or decline it.',
  'waiting.asked': 'Requested by {client} on {day}, from {account}',
  'waiting.otherSessions': 'You are also signed in somewhere else.',
  'waiting.otherSessionsLink': 'See where, and sign out there',
  'waiting.decided': 'Payments and access that you or others have approved or declined',
  'waiting.access': 'Apps that can use your accounts, and how to end their access',
  'waiting.sessions': 'See your sessions and sign out elsewhere',
  'waiting.back': 'Payments waiting for you',

  'file.back': 'All payments waiting for you',
  'file.title': '{count, plural, one {Payment to approve} other {Payments to approve}}',

  'outcome.declined': 'You have declined this request. Nothing will be paid.',
  'outcome.clientGone': 'The company that requested this no longer has permission to. Nothing will be paid.',
  'outcome.failed': 'This request was declined or could not be paid. Nothing will be paid.',
  'outcome.stopped': 'We have stopped this request. Any money that has not left your account will stay there.',
  'outcome.approvedComplete': 'You have approved this request. It has all the approvals it needs.',
  'outcome.approvedWaiting':
    'You have approved this request. Nothing will be paid unless it gets all its approvals by {deadline}.',
  'outcome.complete': 'This request has all the approvals it needs.',
  'outcome.tooLate': 'The time to approve this request has run out.',

  'decided.title': 'What has been decided',
  'decided.none': 'Nothing has been decided yet.',
  'decided.lead':
    'What you have decided, and what others have decided about payments from accounts you share. The latest is first.',
  'decided.asked': 'Requested by {client}, from {account}',
  'decided.askedAlone': 'Requested by {client}',
  'decided.read': 'Let {client} see your account information',
  'decided.funds': 'Let {client} check that money is available',
  'decided.youApproved': 'You approved this on {moment}.',
  'decided.youDeclined': 'You declined this on {moment}.',
  'decided.youDeclinedWhy': 'You declined this on {moment}. Your reason: {reason}.',
  'decided.otherApproved': '{name} approved this on {moment}.',
  'decided.otherDeclined': '{name} declined this on {moment}.',
  'decided.somebodyElse': 'Somebody else',
  'decided.failed': 'Nothing will be paid.',
  'decided.complete': 'It has all the approvals it needs.',
  'decided.closed': 'It can no longer be approved.',
  'decided.missing':
    '{count, plural, one {One more person still has to approve it.} other {# more people still have to approve it.}}',
  'decided.missingAll': 'Waiting for {names}.',
  'decided.missingSome':
    '{count, plural, one {It needs one more approval, from {names}.} other {It needs # more approvals, from {names}.}}',

  'access.title': 'Open banking connections',
  'access.none': 'You have not given any app or website access.',
  'access.lead':
    'You gave these apps access to your accounts. While it is active, they can use it without asking you again. You ' +
    'can end it here, straight away.',
  'access.name': '{client} ({organisation})',
  'access.status': 'Status',
  'access.active': 'Active',
  'access.given': 'You agreed',
  'access.lastUsed': 'Last used',
  'access.neverUsed': 'Never',
  'access.usedSince': '{moment}, or later',
  'access.endsOn': 'Ends',
  'access.ongoing': 'Ongoing, until you end it',
  'access.endedOn': '<b>Inactive.</b> Ended on {day}.',
  'access.end': 'End access<hidden> of {client}</hidden>',
  'access.confirmTitle': 'End this access?',
  'access.confirm': '<b>{client}</b> can then no longer:',
  'access.confirmSee': '<b>{client}</b> can then no longer see:',
  'access.confirmAdvice':
    'Before you end it, contact <b>{client}</b>: tell them, and ask what it means for the service that you get from ' +
    'them.',
  'access.confirmFunds':
    'They can then no longer check that money is available, and card payments that you make with their card may be ' +
    'declined.',
  'access.ended': 'You have ended the access of {client}.',
  'access.endedNext': 'Tell {client} as well, so that they know why their service stops.',
  'access.endedNextFunds': 'Tell {client} as well. If you pay with a card of theirs, those payments may be declined.',
  'access.confirmNext':
    'Access ends straight away, and you cannot undo this here. To give access again, start again in the app or ' +
    'website.',
  'access.keep': 'Keep this access',
  'access.payments': 'You cannot cancel payments here that you have already approved.',

  'funds.link': 'See what {client} asked, and our answers',
  'funds.title': 'Checks that money was available',
  'funds.lead':
    '{app} may ask us whether an amount is available in this account. We answer yes or no, and never tell them your ' +
    'balance.',
  'funds.leadEnded':
    '{app} could ask us whether an amount was available in this account. We answered yes or no, and never told them ' +
    'your balance.',
  'funds.account': 'Account',
  'funds.questions': 'What they asked, and our answers',
  'funds.none': 'They have asked nothing.',
  'funds.yes': 'Yes, available',
  'funds.no': 'No, not available',
  'funds.noAnswer': 'No answer: our systems could not check at that time',
  'funds.reference': 'Their reference: {reference}',
  'funds.earlier': 'Earlier questions',
  'funds.later': 'Later questions',

  'sessions.title': 'Where you are signed in',
  'sessions.lead': 'If you do not recognise one of these, end it, change your password and contact us.',
  'sessions.own': '<b>This session</b>, since {since}. It ends at {until} (UK time) if you do nothing.',
  'sessions.other': 'Another session, since {since}. It ends at {until} (UK time) if nothing happens in it.',
  'sessions.end': 'End this session<hidden> of {since}</hidden>',
  'sessions.endOthers': 'End all other sessions',

  'end.back': 'Go back to {client}',
  'end.Approved.title': 'You have approved this',
  'end.Approved.text': 'We have recorded your approval. It counts once, however often you open this page.',
  'end.Approved.next': 'Go back to the app or website you came from to see what happens next.',
  'end.Declined.title': 'You have declined this request',
  'end.Declined.text': 'Nothing has been approved. This request can no longer be approved.',
  'end.Declined.next': 'If you still want to approve, start again in the app or website you came from.',
  'end.SuspectedFraud.title': 'You have declined this request',
  'end.SuspectedFraud.text':
    'Nothing has been approved. This request can no longer be approved. You told us you think it is fraud.',
  'end.SuspectedFraud.next':
    'Call us now on the number on your card or statement. If anyone has asked you for this by phone or in a ' +
    'message, do not reply, and do not share a code or password with anyone. If you have approved anything else for ' +
    'them, tell us about that first.',
  'end.Ended.title': 'This request has ended',
  'end.Ended.text': 'It has been answered, or its time has run out. It can no longer be approved.',
  'end.Ended.next': 'Go back to the app or website you came from to see what happened to it.',
  'end.Expired.title': 'You ran out of time',
  'end.Expired.text': 'You did nothing for a while, so this page has expired. Nothing has been approved.',
  'end.Expired.next': 'Go back and start again when you are ready. The request is still waiting for you.',
  'end.Locked.title': 'You cannot sign in at the moment',
  'end.Locked.text': 'There were too many wrong attempts, so we have locked your access. Nothing has been approved.',
  'end.Locked.next': 'Contact us to unlock it, then start again in the app or website you came from.',
  'end.ConsentChanged.title': 'This request is no longer waiting for you',
  'end.ConsentChanged.text':
    'It has been answered or withdrawn, or has expired, since you opened it. You have not approved anything here.',
  'end.ConsentChanged.next': 'Go back to the app or website you came from to see what happened to it.',
  'end.ProfileChanged.title': 'This request can no longer be approved',
  'end.ProfileChanged.text':
    'The rules for this app or website have changed since you came here. Nothing has been approved.',
  'end.ProfileChanged.next': 'Go back and start again there. The request is still waiting for you.',
  'end.NotPermitted.title': 'This app or website no longer has permission',
  'end.NotPermitted.text':
    'This app is no longer allowed to make requests. Nothing has been approved, and we will not send you back there.',
  'end.NotPermitted.next': 'You can close this page. If you are not sure about the app or website, contact us.',
  'end.OtherCustomer.title': 'This request is for somebody else',
  'end.OtherCustomer.text':
    'The app or website is asking a different customer from the one who has just signed in. Nothing has been ' +
    'approved, and the request is still waiting.',
  'end.OtherCustomer.next': 'Go back and start again with the username of the customer it is for.',
  'end.NotStrong.title': 'We could not be sure it was you',
  'end.NotStrong.text': 'The app or website needs stronger proof that it is you. Nothing has been approved.',
  'end.NotStrong.next': 'Go back to the app or website you came from. If you need another way to sign in, contact us.',
  'end.NoAccount.title': 'You have no account to pay this from',
  'end.NoAccount.text': 'None of your accounts can be used to pay this. Nothing has been approved.',
  'end.NoAccount.next': 'Go back and choose another account there, or contact us.',
  'end.NoAccountToShare.title': 'You have no account to share',
  'end.NoAccountToShare.text': 'None of your accounts can be shared here. Nothing has been approved.',
  'end.NoAccountToShare.next': 'Go back to the app or website you came from, or contact us.',
  'end.AccountNotUsable.title': 'This account cannot be used',
  'end.AccountNotUsable.text':
    'The app or website asked about an account that is not yours, or that you cannot pay from. Nothing has been ' +
    'approved.',
  'end.AccountNotUsable.next': 'Go back and choose another account there, or contact us.',
  'end.SingleNotPossible.title': 'More than one person must approve this',
  'end.SingleNotPossible.text':
    'The app is asking for your approval alone, but your accounts need more than one. Nothing has been approved.',
  'end.SingleNotPossible.next': 'Go back to the app or website you came from.',
  'end.TooLate.title': 'It is too late to approve this',
  'end.TooLate.text': 'You answered after the app’s deadline. Nothing has been approved.',
  'end.TooLate.next': 'Go back to the app or website you came from and start again.',
  'end.TooMany.title': 'You have asked us too many times',
  'end.TooMany.text': 'We signed you out to keep you safe. Nothing has been approved.',
  'end.TooMany.next':
    'Go back and start again. If you do not get a code, or a question in your banking app, contact us.',
  'end.TooManySignIns.title': 'Too many attempts to sign in',
  'end.TooManySignIns.text':
    'We signed you out to keep you safe. Nothing has been approved, and the request is still waiting.',
  'end.TooManySignIns.next': 'Go back and start again. If you do not know your username or password, contact us.',
  'end.BankAway.title': 'Sorry, our systems are not responding',
  'end.BankAway.text': 'The fault is on our side. Nothing was approved in this step.',
  'end.BankAway.next': 'Go back and try again in a few minutes.',
  'end.Failed.title': 'Sorry, something went wrong',
  'end.Failed.text': 'We cannot tell whether your last step was recorded.',
  'end.Failed.next':
    'Before you try again, look in the app or website you came from. If you need help, tell us the reference below.',

  'front.title': 'Nothing to do here',
  'front.text':
    'We ask for your approval at this address when an app or website sends you here. To start, go to that app or ' +
    'website.',
  'front.developers': 'For developers: {address}',

  'error.developers': 'For the developers of the app you came from: {description}',
  'error.uncertainApproval':
    'We cannot tell whether your decision was recorded. Before you try again, check the payments in the app or ' +
    'website you came from, or contact us. If you need help, tell us the reference below.',
  'error.uncertainWithdrawal':
    'We cannot tell whether the access has ended. Go back and reload the page: it shows any access that remains, ' +
    'and you can end it there. If this happens again, tell us the reference below.',
  'error.invalid.title': 'We cannot process this request',
  'error.invalid.text':
    'The app or website you came from sent a request that is not valid. Go back to it and try again. Nothing has ' +
    'been approved.',
  'error.sessionEnded.title': 'You can no longer use this page',
  'error.sessionEnded.text':
    'You may have finished already, waited too long, or opened the page in another browser. Go back to the app or ' +
    'website you came from and start again.',
  'error.forgedForm.title': 'We cannot accept this form',
  'error.forgedForm.text':
    'It did not come from the page you have open. Nothing has changed. Go back and reload the page.',
  'error.locked.title': 'You cannot sign in at the moment',
  'error.locked.text': 'Your access is locked. Contact us to unlock it. Nothing has been approved.',
  'error.tooMany.title': 'Too many requests',
  'error.tooMany.text':
    'We have had more requests than we can take. This one was not carried out. Wait a minute, then go back and try ' +
    'again.',
  'error.tooManyChallenges.text':
    'We signed you out to keep you safe. This step was not carried out. Sign in to carry on. If you do not get a ' +
    'code, or a question in your banking app, contact us.',
  'error.unavailable.title': 'Sorry, the service is not available',
  'error.unavailable.text':
    'Nothing was approved in this step. Go back to the app or website you came from and try again in a few minutes.',
  'error.failed.title': 'Sorry, something went wrong',
  'error.failed.text':
    'Nothing was approved in this step. Go back to the app or website you came from and try again. If this happens ' +
    'again, tell us the reference below.',
  'error.notFound.title': 'Page not found',
  'error.notFound.text': 'Check the address, or go back to the app or website you came from.',
  'error.unreadable.title': 'We could not read the request',
  'error.unreadable.text': 'Go back to the page you came from and try again.',

  'read.title': '{count, plural, one {Check the account to share} other {Choose the accounts to share}}',
  'read.asks': '<b>{asker}</b> is asking to see:',
  'read.limits': 'They cannot make payments with this, and they will not see your password.',
  'read.until': 'They can see this until <b>{day}</b>.',
  'read.open': 'This access has no end date.',
  'read.end': 'You can end it at any time under {link}.',
  'read.whichAccounts': '{count, plural, one {The account} other {Which accounts?}}',
  'read.next':
    'Next, we ask you to confirm that it is you, with a code or in your banking app. Then you go back to {client}.',
  'read.fromTo': 'Transactions from {from} to {to}.',
  'read.from': 'Transactions from {from}.',
  'read.to': 'Transactions up to {to}.',

  'cluster.accountDetails': 'Your Account Details',
  'cluster.regularPayments': 'Your Regular Payments',
  'cluster.transactions': 'Your Account Transactions',
  'cluster.statements': 'Your Statements',
  'cluster.features': 'Your Account Features and Benefits',
  'cluster.contact': 'Contact and party details',

  'data.ReadAccountsBasic': 'Any other name by which you refer to this account and/or the currency of the account',
  'data.ReadAccountsDetail': 'Your account name, number and sort-code',
  'data.ReadBalances': 'Your account balance',
  'data.ReadPAN': 'Your card number',
  'data.ReadBeneficiariesBasic': 'Payee agreements you have set up',
  'data.ReadBeneficiariesDetail': 'Details of Payee agreements you have set up',
  'data.ReadStandingOrdersBasic': 'Your Standing Orders',
  'data.ReadStandingOrdersDetail': 'Details of your Standing Orders',
  'data.ReadDirectDebits': 'Your Direct Debits',
  'data.ReadScheduledPaymentsBasic': 'Recurring and future dated payments',
  'data.ReadScheduledPaymentsDetail': 'Details of recurring and future dated payments',
  'data.ReadTransactionsBasic': 'Your transactions',
  'data.ReadTransactionsDetail': 'Details of your transactions',
  'data.ReadTransactionsBasicCredits': 'Your incoming transactions',
  'data.ReadTransactionsDetailCredits': 'Details of your incoming transactions',
  'data.ReadTransactionsBasicDebits': 'Your outgoing transactions',
  'data.ReadTransactionsDetailDebits': 'Details of your outgoing transactions',
  'data.ReadStatementsBasic': 'Information contained in your statement',
  'data.ReadStatementsDetail': 'Details of information contained in your statement',
  'data.ReadProducts': 'Product details – fees, charges, interest, benefits/rewards',
  'data.ReadOffers': 'Offers available on your account',
  'data.ReadParty':
    'The name of the account and the full legal names of all parties. This can also include their addresses, ' +
    'telephone numbers and email addresses',
  'data.ReadPartyPSU':
    'The name of the account and your full legal name. This can also include your address, telephone numbers and ' +
    'email address',

  'confirm.title': 'Let them check that money is available?',
  'confirm.asks': '<b>{asker}</b> is asking to be able to:',
  'confirm.funds': 'ask whether an amount is available in your account; the answer is yes or no, never your balance',
  'confirm.limits':
    'They cannot make payments with this, and they will not see your balance, your transactions or your password.',
  'confirm.until': 'They can ask until <b>{day}</b>.',
  'confirm.account': 'The account',
  'problem.accountsMissing': 'Choose at least one account to share',
} as const;

/** Names a text. */
export type MessageKey = keyof typeof en;

import type { MessageKey } from './en.js';

/**
 * Every text of the customer's pages in Welsh; `en.ts` says how they are written. Welsh nouns after a number mutate
 * with it.
 */
export const cy: Readonly<Record<MessageKey, string>> = {
  'layout.title': '{title} – {bank}',
  'layout.errorTitle': 'Gwall: {title}',
  'layout.skip': 'Neidio i’r prif gynnwys',
  'layout.signedInAs': 'Wedi mewngofnodi fel {name}',
  'layout.sessionEnd': 'Os na wnewch chi unrhyw beth, byddwn yn eich allgofnodi am <b>{time}</b> (amser y DU).',
  'layout.pageEnd':
    'Os na wnewch chi unrhyw beth, bydd y dudalen hon yn rhoi’r gorau i weithio am <b>{time}</b> (amser y DU).',
  'layout.moreTime': 'Cael mwy o amser<hidden> (yn agor tab newydd, ac mae’r dudalen hon yn aros fel y mae)</hidden>',
  'layout.reference': 'Cyfeirnod {reference}',
  'layout.otherLanguage': 'English',
  'layout.helpLine': 'Angen help? {helpLine}',
  'layout.links': 'Am y gwasanaeth hwn',
  'layout.help': 'Help a chwynion<hidden> (yn agor tab newydd)</hidden>',
  'layout.privacy': 'Preifatrwydd<hidden> (yn agor tab newydd)</hidden>',
  'layout.accessibility': 'Hygyrchedd<hidden> (yn agor tab newydd)</hidden>',

  'common.step': 'Cam {step} o {steps}',
  'common.total':
    '{count, plural, one {{amount}} two {{amount} mewn # daliad} few {{amount} mewn # thaliad} many {{amount} mewn ' +
    '# thaliad} other {{amount} mewn # taliad}}',
  'common.payTo': '{amount} i {payee}',
  'common.asker': '{client}, {organisation} (<hidden>rhif cofrestru </hidden>{registerNumber})',
  'common.askerAlone': '{organisation} (<hidden>rhif cofrestru </hidden>{registerNumber})',
  'common.onBehalfOf': '{agent} ar ran {principal}',
  'common.approve': 'Cymeradwyo',
  'common.approveAmount': 'Cymeradwyo {amount}',
  'common.decline': 'Gwrthod',
  'decline.title': 'Gwrthod y cais hwn?',
  'decline.lead': 'Ni fydd dim yn cael ei gymeradwyo.',
  'decline.back': 'Ewch yn ôl',
  'decline.why': 'Pam ydych chi’n gwrthod? (dewisol)',
  'decline.noReason': 'Dewiswch reswm',
  'decline.ChangedMind': 'Rwyf wedi newid fy meddwl',
  'decline.NotRecognised': 'Nid wyf yn adnabod hyn',
  'decline.WrongDetails': 'Mae rhai o’r manylion yn anghywir',
  'decline.SuspectedFraud': 'Rwy’n meddwl mai twyll yw hyn',
  'decline.Other': 'Rheswm arall',
  'common.cancel': 'Canslo a mynd yn ôl',
  'common.signOut': 'Allgofnodi',
  'common.lastOfList': '{others}, {last}',
  'common.lastOfChoice': '{others} neu {last}',
  'common.you': 'chi',
  'common.moment': '{day} am {time}',
  'common.summary': 'Crynodeb',

  'notice.codeSent': 'Rydym wedi anfon cod newydd atoch. Nid yw’r un blaenorol yn gweithio mwyach.',
  'notice.newCode':
    'Defnyddiwch eich darllenydd cardiau neu’ch ap bancio i gael cod newydd. Nid yw’r un blaenorol yn gweithio ' +
    'mwyach.',
  'notice.askedAgain': 'Rydym wedi gofyn i chi eto yn eich ap bancio.',

  'problem.title': 'Mae problem',
  'problem.usernameMissing': 'Rhowch eich enw defnyddiwr',
  'problem.passwordMissing': 'Rhowch eich cyfrinair',
  'problem.wrongCredentials':
    'Mae’r enw defnyddiwr neu’r cyfrinair yn anghywir. Gwiriwch y ddau a rhowch gynnig arall arni.',
  'problem.codeMissing': 'Rhowch eich cod untro',
  'problem.wrongCode': 'Mae’r cod untro yn anghywir. Gwiriwch y cod a rhowch gynnig arall arni.',
  'problem.accountMissing': 'Dewiswch y cyfrif i dalu ohono',
  'problem.accountUnusable': 'Dewiswch gyfrif arall. Ni allwch dalu o’r cyfrif hwn ar hyn o bryd.',
  'problem.fileChanged':
    'Nid oedd y dudalen hon yn gyfredol. Gwiriwch eto beth sy’n cael ei dalu cyn i chi gymeradwyo.',
  'problem.challengeReplaced':
    'Nid oedd y dudalen hon yn gyfredol. Gwiriwch yr hyn rydych yn ei gymeradwyo cyn i chi fynd ymlaen.',
  'problem.challengeExpired':
    'Ni wnaethoch ateb mewn pryd, felly nid oes dim wedi’i gymeradwyo. Gallwch roi cynnig arall arni.',
  'problem.challengeRefused': 'Gwnaethoch wrthod hyn yn eich ap bancio. Nid oes dim wedi’i gymeradwyo.',
  'problem.challengeUsed':
    'Nid yw eich cod, neu’ch ateb yn yr ap, yn gweithio mwyach. Nid oes dim wedi’i gymeradwyo. Gallwch roi cynnig ' +
    'arall arni.',

  'signIn.title': 'Mewngofnodi',
  'signIn.payment': 'Mae <b>{client}</b> yn gofyn i chi dalu o’ch cyfrif.',
  'signIn.access': 'Mae <b>{client}</b> eisiau gweld gwybodaeth eich cyfrifon.',
  'signIn.funds': 'Mae <b>{client}</b> eisiau gwirio bod arian ar gael yn eich cyfrif.',
  'signIn.identity': 'Mae <b>{client}</b> yn gofyn i chi gadarnhau pwy ydych chi.',
  'signIn.next': 'Mewngofnodwch i weld y manylion. Ni fydd dim yn digwydd nes i chi gymeradwyo.',
  'signIn.username': 'Enw defnyddiwr',
  'signIn.password': 'Cyfrinair',
  'signIn.button': 'Mewngofnodi',

  'question.signInTitle': 'Cadarnhewch mai chi sydd yno',
  'question.textMessage': 'Rydym wedi anfon neges destun atoch gyda chod.',
  'question.device': 'Defnyddiwch eich darllenydd cardiau neu’ch ap bancio i gael cod.',
  'question.code': 'Rydym wedi anfon cod atoch.',
  'question.keepSecret':
    'Mae’n gweithio unwaith, ac ar gyfer y cais hwn yn unig. Peidiwch byth â’i rannu â neb, hyd yn oed gyda ni.',
  'question.app': 'Agorwch eich ap bancio ar eich ffôn, gwiriwch y manylion a chymeradwywch.',
  'question.orApp': 'Neu cymeradwywch yn eich ap bancio ar eich ffôn.',
  'question.waiting': 'Rydym yn aros am eich ateb yn yr ap.',
  'question.answered': 'Rwyf wedi ateb yn yr ap',
  'question.codeLabel': 'Cod untro',
  'question.continue': 'Parhau',
  'question.again': 'Anfon cod newydd',
  'question.againDevice': 'Dechrau eto gyda chod newydd',
  'question.againApp': 'Gofyn eto yn yr ap',
  'question.first': 'Gofyn i mi gadarnhau',

  'challenge.title': 'Cadarnhewch eich cymeradwyaeth',
  'challenge.access': 'Mynediad i {asker}.',
  'challenge.may': 'Gallant:',
  'challenge.maySee': 'Gallant weld:',
  'challenge.until': 'Gallant wneud hyn tan <b>{day}</b>.',
  'read.accountsOf': '{count, plural, one {Ar gyfer y cyfrif hwn:} other {Ar gyfer y cyfrifon hyn:}}',
  'challenge.samePhone':
    'Gwnewch yn siŵr bod eich ffôn yn dangos yr un manylion. Os oes unrhyw beth yn wahanol, gwrthodwch.',
  'challenge.sameDetails':
    'Gwnewch yn siŵr bod eich ffôn neu eich darllenydd cardiau yn dangos yr un manylion. Os oes unrhyw beth yn ' +
    'wahanol, gwrthodwch.',
  'challenge.readPayments': '{count, plural, one {Darllen y taliad eto} other {Darllen y taliadau eto}}',
  'challenge.readDetails': 'Darllen y manylion eto',

  'moreTime.title': 'Mae gennych fwy o amser',
  'moreTime.until':
    'Bydd eich tudalen arall nawr yn gweithio tan <b>{time}</b> (amser y DU), ac am fwy o amser os byddwch yn parhau.',
  'moreTime.next': 'Nid oes dim wedi newid ar eich tudalen arall. Gallwch gau’r tab hwn a pharhau yno.',

  'consent.title': '{count, plural, one {Cymeradwyo’r taliad hwn?} other {Cymeradwyo’r taliadau hyn?}}',
  'consent.onlyAccount': 'Talu o',
  'consent.whichAccount': 'O ba gyfrif ydych chi am dalu?',
  'consent.available': 'Balans sydd ar gael: {amount}',
  'consent.othersTitle': 'Os oes angen mwy nag un gymeradwyaeth ar y cyfrif',
  'consent.others':
    'Ar ôl i chi gymeradwyo, dywedwch wrth y cymeradwywyr eraill fod y cais hwn yn aros amdanynt. Maen nhw’n ' +
    'mewngofnodi o dan {link} ac yn gweld yr un peth. Ni chaiff dim ei dalu oni bai bod pawb yn cymeradwyo erbyn ' +
    '<b>{deadline}</b>. Os bydd unrhyw un yn gwrthod, {count, plural, one {ni chaiff y taliad ei wneud} other {ni ' +
    'chaiff yr un o’r taliadau ei wneud}}.',
  'consent.noAccount':
    'Ni allwch gymeradwyo’r cais hwn ar hyn o bryd, oherwydd {count, plural, one {ni all y cyfrif hwn} other {ni all ' +
    'yr un o’ch cyfrifon}} ei dalu. Nid oes dim wedi’i benderfynu.',
  'consent.next':
    'Os byddwch yn cymeradwyo, byddwn yn gofyn i chi gadarnhau gyda chod neu yn eich ap bancio. Ni chaiff dim ei ' +
    'gymeradwyo cyn hynny. Beth bynnag fyddwch chi’n ei benderfynu, byddwch yn mynd yn ôl i {client}, a byddwn yn ' +
    'rhoi gwybod iddynt am eich penderfyniad.',

  'identity.title': 'Cadarnhau pwy ydych chi?',
  'identity.asks': 'Mae <b>{asker}</b> yn gofyn am gael:',
  'identity.limits':
    'Ni fyddant yn gweld eich enw, eich cyfrinair na rhifau eich cyfrifon, ac ni allant wneud taliadau gyda hyn.',
  'identity.lasting':
    'Gallant ddod yn ôl heboch chi tan <b>{day}</b>. Gallwch ddod â hyn i ben unrhyw bryd o dan {link}.',
  'identity.next':
    'Os byddwch yn cymeradwyo, byddwn yn gofyn i chi gadarnhau gyda chod neu yn eich ap bancio. Beth bynnag fyddwch ' +
    'chi’n ei benderfynu, byddwch yn mynd yn ôl i {client}, a byddwn yn rhoi gwybod iddynt am eich penderfyniad.',

  'permission.openid': 'eich adnabod pan ddewch yn ôl, drwy rif nad yw’n golygu dim i neb arall',
  'permission.accounts': 'gofyn i chi’n ddiweddarach am fynediad i’ch cyfrifon',
  'permission.fundsconfirmations': 'gofyn i chi’n ddiweddarach a gânt wirio bod arian ar gael',

  'account.unusable.Blocked': 'Ni allwch dalu o’r cyfrif hwn oherwydd ei fod wedi’i rwystro.',
  'account.unusable.NoPermission': 'Nid oes gennych ganiatâd i dalu o’r cyfrif hwn.',
  'account.unusable.InsufficientFunds': 'Nid oes digon o arian yn y cyfrif hwn ar gyfer y cais hwn.',
  'account.approvals':
    '{count, plural, one {Angen cymeradwyaeth # person arall cyn i unrhyw beth gael ei dalu} other {Angen ' +
    'cymeradwyaeth # o bobl eraill cyn i unrhyw beth gael ei dalu}}',
  'account.approvalsFrom':
    'Angen {count, plural, one {un gymeradwyaeth arall} other {# cymeradwyaeth arall}} cyn i unrhyw beth gael ei ' +
    'dalu, gan {names}',
  'account.notEnough': 'Dim digon o arian ar gyfer y cais hwn ar hyn o bryd',
  'account.named': '{name} ({identification})',
  'account.card': 'cerdyn yn dechrau â {first}, yn gorffen â {last}',
  'account.masked': 'yn gorffen â {digits}',

  'paymentType.FPS': 'Taliadau Cyflymach',
  'paymentType.BACS': 'Bacs',
  'paymentType.CHAPS': 'CHAPS',
  'paymentType.BalanceTransfer': 'Trosglwyddo balans',

  'summary.askedBy': 'Ar gais',
  'summary.from': 'O',
  'summary.chooseBelow': 'Dewiswch y cyfrif isod',
  'summary.when': 'Dyddiad talu',
  'summary.soon': 'Cyn gynted â phosibl',
  'summary.days': 'Ar y dyddiad a nodir ar gyfer pob taliad',
  'summary.lookFirst': '{count, plural, one {Gwiriwch hyn yn gyntaf} other {Gwiriwch y rhain yn gyntaf}}',
  'summary.aboutPayees': '{count, plural, one {Am y derbynnydd} other {Am y derbynwyr}}',
  'summary.standout': '<b>{amount}</b> i {payee}',
  'summary.furtherMarked':
    '{count, plural, two {Mae # daliad arall wedi’u marcio yn y rhestr.} few {Mae # thaliad arall wedi’u marcio yn ' +
    'y rhestr.} many {Mae # thaliad arall wedi’u marcio yn y rhestr.} one {Mae # taliad arall wedi’i farcio yn y ' +
    'rhestr.} other {Mae # taliad arall wedi’u marcio yn y rhestr.}}',
  'summary.checkAgain': 'Gwirio eto',
  'summary.type': 'Math o daliad',
  'summary.cutOffDaily': 'Bydd taliadau {type} a gymeradwyir ar ôl {time} yn cael eu gwneud drannoeth.',
  'summary.cutOffWorkingDays':
    'Bydd taliadau {type} a gymeradwyir ar ôl {time}, ar benwythnos neu ar ŵyl banc yn cael eu gwneud ar y diwrnod ' +
    'gwaith nesaf.',
  'summary.approvals': 'Cymeradwyaethau',
  'summary.deadline': 'Cymeradwyo erbyn',
  'summary.approvalsOf': '{received} o {required}',
  'summary.fileReference': 'Cyfeirnod y ffeil',
  'summary.charge': 'Ffi',
  'summary.refunds': 'Ad-daliadau',
  'summary.refundAccount':
    'Os byddwch yn cymeradwyo, bydd {client} yn cael enw a rhif y cyfrif rydych yn talu ohono, er mwyn gallu eich ' +
    'ad-dalu.',

  'payments.title':
    '{count, plural, two {Y # daliad} few {Y # thaliad} many {Y # thaliad} other {Pob un o’r # taliad}}',
  'payments.byAmount': 'Wedi’u trefnu yn ôl swm, y mwyaf yn gyntaf.',
  'payments.byPlace': 'Yn y drefn y cawsant eu hanfon.',
  'payments.sortByAmount': 'Trefnu yn ôl swm',
  'payments.sortByPlace': 'Trefnu fel y cawsant eu hanfon',
  'payments.skip': 'Neidio dros y rhestr',
  'payments.position': 'Rhif',
  'payments.payee': 'I',
  'payments.account': 'Cyfrif',
  'payments.reference': 'Cyfeirnod',
  'payments.day': 'Dyddiad',
  'payments.amount': 'Swm',
  'payments.rollNumber': 'Rhif rôl {rollNumber}',
  'payments.message': 'Neges {message}',
  'payments.endToEnd': 'ID o’r dechrau i’r diwedd {id}',
  'payments.rollNumberFirst': 'Mae’r rhif rôl yn cymryd lle’r cyfeirnod.',
  'payments.shortened': 'Wedi’u byrhau ar gyfer {type}: {texts}.',
  'payments.text.payeeName': 'enw',
  'payments.text.reference': 'cyfeirnod',
  'payments.text.remittanceText': 'neges',
  'payments.text.endToEndIdentification': 'ID o’r dechrau i’r diwedd',
  'payments.detail.proxy': 'Enw arall ar y cyfrif',
  'payments.detail.agent': 'Banc y derbynnydd',
  'payments.detail.ultimatePayee': 'Derbynnydd terfynol',
  'payments.detail.ultimatePayer': 'Talwyd ar ran',
  'payments.detail.document': 'Dogfen',
  'payments.detail.documentAmount': 'Swm y ddogfen',
  'payments.detail.creditorReference': 'Cyfeirnod y derbynnydd',
  'payments.detail.invoicer': 'Anfoneb gan',
  'payments.detail.invoicee': 'Anfoneb i',
  'payments.detail.tax': 'Treth',
  'payments.detail.information': 'Rhagor o wybodaeth',
  'payments.detail.report': 'Adroddiad i’r awdurdodau',

  'finding.OtherName': 'Nid yw’r enw’n cyfateb i’r cyfrif.',
  'finding.Large': 'Llawer mwy na’r lleill.',
  'finding.New': 'Heb ei dalu o’r blaen.',
  'finding.Repeated':
    '{count, plural, =2 {Ddwywaith} few {# gwaith} many {# gwaith} other {# gwaith}}: yr un cyfrif, swm a ' +
    'chyfeirnod ({numbers}).',
  'finding.SeveralAccounts': 'Mae gan yr enw hwn wahanol gyfrifon yn y rhestr hon ({numbers}).',
  'finding.SimilarName': 'Mae’r enw’n debyg i enw deiliad y cyfrif: {name}.',
  'finding.RollNumber': 'Yn mynd i rif rôl {rollNumber}.',
  'finding.Unchecked': 'Nid oedd modd gwirio’r enw.',
  'finding.numbers': 'Rhif {numbers}',
  'finding.numbersAndMore': 'Rhif {numbers} a {count} arall',
  'finding.all': 'Pob un o’r {total} taliad: {what}',
  'finding.some': '{count} o {total} taliad: {what}',
  'finding.common.OtherName': 'nid yw’r enw’n cyfateb i’r cyfrif.',
  'finding.common.Large': 'llawer mwy na’r lleill.',
  'finding.common.New': 'nid yw’r derbynnydd wedi’i dalu o’r blaen.',
  'finding.common.Repeated': 'mae’r un taliad yn ymddangos fwy nag unwaith.',
  'finding.common.SeveralAccounts': 'mae gan yr enw wahanol gyfrifon yn y rhestr hon.',
  'finding.common.SimilarName': 'nid yw’r enw ond yn debyg i enw deiliad y cyfrif.',
  'finding.common.RollNumber': 'yn mynd i rif rôl.',
  'finding.common.Unchecked': 'nid oedd modd gwirio’r enw.',
  'names.checked': 'Enwau a wiriwyd gyda banciau’r derbynwyr: {counts}.',
  'names.matches': 'Mae’r enw’n cyfateb i’r cyfrif.',
  'names.Match': '{count} yn cyfateb',
  'names.CloseMatch': '{count} yn debyg',
  'names.NoMatch': '{count} heb fod yn cyfateb',
  'names.Unavailable': '{count} heb eu gwirio',
  'names.unavailable':
    '{count, plural, one {Nid oedd modd i ni wirio’r enw gyda banc y derbynnydd. Gwnewch yn siŵr eich bod yn ' +
    'adnabod y cyfrif hwn cyn i chi gymeradwyo.} other {Nid oedd modd i ni wirio’r enwau gyda banciau’r derbynwyr. ' +
    'Gwnewch yn siŵr eich bod yn adnabod y cyfrifon hyn cyn i chi gymeradwyo.}}',
  'known.unavailable':
    '{count, plural, one {Nid oedd modd i ni weld a ydych wedi talu’r derbynnydd hwn o’r blaen.} other {Nid oedd ' +
    'modd i ni weld pa dderbynwyr rydych wedi’u talu o’r blaen.}}',

  'approvalSignIn.title': 'Mewngofnodi i gymeradwyo taliadau',
  'approvalSignIn.ended':
    'Rydych wedi’ch allgofnodi, oherwydd na wnaethoch unrhyw beth am ychydig neu eich bod wedi dod â’r sesiwn hon i ' +
    'ben yn rhywle arall. Ni chafodd eich cam olaf ei gyflawni. Mewngofnodwch i barhau.',
  'approvalSignIn.lead':
    'Mae angen cymeradwyaeth mwy nag un person ar rai cyfrifon. Mewngofnodwch i weld y taliadau sy’n aros am eich ' +
    'cymeradwyaeth, a’r mynediad rydych wedi’i roi i apiau a gwefannau.',
  'approvalSignIn.accessTitle': 'Mewngofnodi i weld eich cysylltiadau bancio agored',
  'approvalSignIn.accessLead':
    'Gweld pa apiau a gwefannau sydd â mynediad i’ch cyfrifon, a dod ag ef i ben os dymunwch.',
  'approvalSignIn.sessionsLead':
    'Gweld ymhle rydych wedi mewngofnodi, a dod ag unrhyw sesiwn nad ydych yn ei hadnabod i ben.',

  'waiting.title': 'Taliadau sy’n aros amdanoch',
  'waiting.none': 'Nid oes unrhyw daliadau’n aros am eich cymeradwyaeth.',
  'waiting.lead': 'Agorwch gais i weld beth mae’n ei dalu, yna ei gymeradwyo neu ei wrthod.',
  'waiting.asked': 'Ar gais {client} ar {day}, o {account}',
  'waiting.otherSessions': 'Rydych hefyd wedi mewngofnodi yn rhywle arall.',
  'waiting.otherSessionsLink': 'Gweld ymhle, ac allgofnodi yno',
  'waiting.decided': 'Taliadau a mynediad rydych chi neu eraill wedi’u cymeradwyo neu eu gwrthod',
  'waiting.access': 'Apiau sy’n gallu defnyddio eich cyfrifon, a sut i ddod â’u mynediad i ben',
  'waiting.sessions': 'Gweld eich sesiynau ac allgofnodi mewn mannau eraill',
  'waiting.back': 'Taliadau sy’n aros amdanoch',

  'file.back': 'Pob taliad sy’n aros amdanoch',
  'file.title': '{count, plural, one {Taliad i’w gymeradwyo} other {Taliadau i’w cymeradwyo}}',

  'outcome.declined': 'Rydych wedi gwrthod y cais hwn. Ni chaiff dim ei dalu.',
  'outcome.clientGone': 'Nid oes gan y cwmni a ofynnodd am hyn ganiatâd mwyach. Ni chaiff dim ei dalu.',
  'outcome.failed': 'Cafodd y cais hwn ei wrthod neu nid oedd modd ei dalu. Ni chaiff dim ei dalu.',
  'outcome.stopped': 'Rydym wedi atal y cais hwn. Bydd unrhyw arian nad yw wedi gadael eich cyfrif yn aros yno.',
  'outcome.approvedComplete': 'Rydych wedi cymeradwyo’r cais hwn. Mae ganddo’r holl gymeradwyaethau sydd eu hangen.',
  'outcome.approvedWaiting':
    'Rydych wedi cymeradwyo’r cais hwn. Ni chaiff dim ei dalu oni bai ei fod yn cael ei holl gymeradwyaethau erbyn ' +
    '{deadline}.',
  'outcome.complete': 'Mae gan y cais hwn yr holl gymeradwyaethau sydd eu hangen.',
  'outcome.tooLate': 'Mae’r amser i gymeradwyo’r cais hwn wedi dod i ben.',

  'decided.title': 'Yr hyn sydd wedi’i benderfynu',
  'decided.none': 'Nid oes dim wedi’i benderfynu eto.',
  'decided.lead':
    'Yr hyn rydych chi wedi’i benderfynu, a’r hyn y mae eraill wedi’i benderfynu am daliadau o gyfrifon rydych yn ' +
    'eu rhannu. Y diweddaraf sy’n gyntaf.',
  'decided.asked': 'Ar gais {client}, o {account}',
  'decided.askedAlone': 'Ar gais {client}',
  'decided.read': 'Caniatáu i {client} weld gwybodaeth eich cyfrifon',
  'decided.funds': 'Caniatáu i {client} wirio bod arian ar gael',
  'decided.youApproved': 'Gwnaethoch gymeradwyo hyn ar {moment}.',
  'decided.youDeclined': 'Gwnaethoch wrthod hyn ar {moment}.',
  'decided.youDeclinedWhy': 'Gwnaethoch wrthod hyn ar {moment}. Eich rheswm: {reason}.',
  'decided.otherApproved': 'Gwnaeth {name} gymeradwyo hyn ar {moment}.',
  'decided.otherDeclined': 'Gwnaeth {name} wrthod hyn ar {moment}.',
  'decided.somebodyElse': 'rhywun arall',
  'decided.failed': 'Ni chaiff dim ei dalu.',
  'decided.complete': 'Mae ganddo’r holl gymeradwyaethau sydd eu hangen.',
  'decided.closed': 'Nid oes modd ei gymeradwyo mwyach.',
  'decided.missing':
    '{count, plural, one {Mae angen i un person arall ei gymeradwyo o hyd.} other {Mae angen i # o bobl eraill ei ' +
    'gymeradwyo o hyd.}}',
  'decided.missingAll': 'Yn aros am {names}.',
  'decided.missingSome':
    '{count, plural, one {Mae angen un gymeradwyaeth arall, gan {names}.} other {Mae angen # cymeradwyaeth arall, ' +
    'gan {names}.}}',

  'access.title': 'Cysylltiadau bancio agored',
  'access.none': 'Nid ydych wedi rhoi mynediad i unrhyw ap na gwefan.',
  'access.lead':
    'Rhoesoch fynediad i’ch cyfrifon i’r apiau hyn. Tra bydd yn weithredol, gallant ei ddefnyddio heb ofyn i chi ' +
    'eto. Gallwch ddod ag ef i ben yma, ar unwaith.',
  'access.name': '{client} ({organisation})',
  'access.status': 'Statws',
  'access.active': 'Gweithredol',
  'access.given': 'Gwnaethoch gytuno',
  'access.lastUsed': 'Defnyddiwyd ddiwethaf',
  'access.neverUsed': 'Heb ei ddefnyddio',
  'access.usedSince': '{moment}, neu’n hwyrach',
  'access.endsOn': 'Daw i ben',
  'access.ongoing': 'Parhaus, nes i chi ddod ag ef i ben',
  'access.endedOn': '<b>Anweithredol.</b> Daeth i ben ar {day}.',
  'access.end': 'Dod â’r mynediad i ben<hidden> ar gyfer {client}</hidden>',
  'access.confirmTitle': 'Dod â’r mynediad hwn i ben?',
  'access.confirm': 'Yna ni all <b>{client}</b> mwyach:',
  'access.confirmSee': 'Yna ni all <b>{client}</b> weld mwyach:',
  'access.confirmAdvice':
    'Cyn i chi ddod ag ef i ben, cysylltwch â <b>{client}</b>: dywedwch wrthynt, a gofynnwch beth mae’n ei olygu ' +
    'i’r gwasanaeth a gewch ganddynt.',
  'access.confirmFunds':
    'Yna ni allant wirio mwyach bod arian ar gael, a gellir gwrthod taliadau a wnewch gyda’u cerdyn.',
  'access.ended': 'Rydych wedi dod â mynediad {client} i ben.',
  'access.endedNext': 'Dywedwch wrth {client} hefyd, fel eu bod yn gwybod pam mae eu gwasanaeth yn dod i ben.',
  'access.endedNextFunds':
    'Dywedwch wrth {client} hefyd. Os ydych yn talu â cherdyn ganddynt, gellir gwrthod y taliadau hynny.',
  'access.confirmNext':
    'Daw i ben ar unwaith, ac ni allwch ddadwneud hyn yma. I roi mynediad eto, dechreuwch eto yn yr ap neu’r wefan.',
  'access.keep': 'Cadw’r mynediad hwn',
  'access.payments': 'Ni allwch ganslo yma daliadau rydych wedi’u cymeradwyo’n barod.',

  'funds.link': 'Gweld beth ofynnodd {client}, a’n hatebion',
  'funds.title': 'Gwiriadau bod arian ar gael',
  'funds.lead':
    'Caiff {app} ofyn i ni a oes swm ar gael yn y cyfrif hwn. Rydym yn ateb oes neu nac oes, a byth yn dweud eich ' +
    'balans wrthynt.',
  'funds.leadEnded':
    'Câi {app} ofyn i ni a oedd swm ar gael yn y cyfrif hwn. Roeddem yn ateb oedd neu nac oedd, ac ni ddywedom ' +
    'erioed eich balans wrthynt.',
  'funds.account': 'Cyfrif',
  'funds.questions': 'Beth ofynnwyd, a’n hatebion',
  'funds.none': 'Nid ydynt wedi gofyn dim.',
  'funds.yes': 'Oes, ar gael',
  'funds.no': 'Nac oes, ddim ar gael',
  'funds.noAnswer': 'Dim ateb: ni allai ein systemau wirio ar y pryd',
  'funds.reference': 'Eu cyfeirnod: {reference}',
  'funds.earlier': 'Cwestiynau cynharach',
  'funds.later': 'Cwestiynau diweddarach',

  'sessions.title': 'Ymhle rydych wedi mewngofnodi',
  'sessions.lead':
    'Os nad ydych yn adnabod un o’r rhain, dewch â hi i ben, newidiwch eich cyfrinair a chysylltwch â ni.',
  'sessions.own': '<b>Y sesiwn hon</b>, ers {since}. Daw i ben am {until} (amser y DU) os na wnewch chi unrhyw beth.',
  'sessions.other': 'Sesiwn arall, ers {since}. Daw i ben am {until} (amser y DU) os na wneir unrhyw beth ynddi.',
  'sessions.end': 'Dod â’r sesiwn hon i ben<hidden>, sesiwn {since}</hidden>',
  'sessions.endOthers': 'Dod â phob sesiwn arall i ben',

  'end.back': 'Mynd yn ôl i {client}',
  'end.Approved.title': 'Rydych wedi cymeradwyo hyn',
  'end.Approved.text':
    'Rydym wedi cofnodi eich cymeradwyaeth. Mae’n cyfrif unwaith, faint bynnag o weithiau y byddwch yn agor y ' +
    'dudalen hon.',
  'end.Approved.next': 'Ewch yn ôl i’r ap neu’r wefan y daethoch ohoni i weld beth sy’n digwydd nesaf.',
  'end.Declined.title': 'Rydych wedi gwrthod y cais hwn',
  'end.Declined.text': 'Nid oes dim wedi’i gymeradwyo. Nid oes modd cymeradwyo’r cais hwn mwyach.',
  'end.Declined.next': 'Os ydych yn dal eisiau cymeradwyo, dechreuwch eto yn yr ap neu’r wefan y daethoch ohoni.',
  'end.SuspectedFraud.title': 'Rydych wedi gwrthod y cais hwn',
  'end.SuspectedFraud.text':
    'Nid oes dim wedi’i gymeradwyo. Nid oes modd cymeradwyo’r cais hwn mwyach. Dywedasoch wrthym eich bod yn meddwl ' +
    'mai twyll ydyw.',
  'end.SuspectedFraud.next':
    'Ffoniwch ni nawr, ar y rhif sydd ar eich cerdyn neu’ch cyfriflen. Os oes rhywun wedi gofyn i chi am hyn ar y ' +
    'ffôn neu mewn neges, peidiwch ag ateb, a pheidiwch â rhoi cod na chyfrinair i neb. Os ydych wedi cymeradwyo ' +
    'unrhyw beth arall iddynt, dywedwch hynny wrthym yn gyntaf.',
  'end.Ended.title': 'Mae’r cais hwn wedi dod i ben',
  'end.Ended.text': 'Cafodd ei ateb, neu mae ei amser ar ben. Nid oes modd ei gymeradwyo mwyach.',
  'end.Ended.next': 'Ewch yn ôl i’r ap neu’r wefan y daethoch ohoni i weld beth ddigwyddodd iddo.',
  'end.Expired.title': 'Daeth eich amser i ben',
  'end.Expired.text':
    'Ni wnaethoch unrhyw beth am ychydig, felly mae’r dudalen hon wedi dod i ben. Nid oes dim wedi’i gymeradwyo.',
  'end.Expired.next': 'Ewch yn ôl a dechreuwch eto pan fyddwch yn barod. Mae’r cais yn dal i aros amdanoch.',
  'end.Locked.title': 'Ni allwch fewngofnodi ar hyn o bryd',
  'end.Locked.text':
    'Bu gormod o gynigion anghywir, felly rydym wedi cloi eich mynediad. Nid oes dim wedi’i gymeradwyo.',
  'end.Locked.next': 'Cysylltwch â ni i’w ddatgloi, yna dechreuwch eto yn yr ap neu’r wefan y daethoch ohoni.',
  'end.ConsentChanged.title': 'Nid yw’r cais hwn yn aros amdanoch mwyach',
  'end.ConsentChanged.text':
    'Cafodd ei ateb neu ei dynnu’n ôl, neu daeth i ben, ers i chi ei agor. Nid ydych wedi cymeradwyo dim yma.',
  'end.ConsentChanged.next': 'Ewch yn ôl i’r ap neu’r wefan y daethoch ohoni i weld beth ddigwyddodd iddo.',
  'end.ProfileChanged.title': 'Ni ellir cymeradwyo’r cais hwn mwyach',
  'end.ProfileChanged.text':
    'Mae’r rheolau ar gyfer yr ap neu’r wefan hon wedi newid ers i chi ddod yma. Nid oes dim wedi’i gymeradwyo.',
  'end.ProfileChanged.next': 'Ewch yn ôl a dechreuwch eto yno. Mae’r cais yn dal i aros amdanoch.',
  'end.NotPermitted.title': 'Nid oes gan yr ap neu’r wefan hon ganiatâd mwyach',
  'end.NotPermitted.text':
    'Ni chaiff yr ap hwn wneud ceisiadau mwyach. Nid oes dim wedi’i gymeradwyo, ac ni fyddwn yn eich anfon yn ôl yno.',
  'end.NotPermitted.next': 'Gallwch gau’r dudalen hon. Os nad ydych yn siŵr am yr ap neu’r wefan, cysylltwch â ni.',
  'end.OtherCustomer.title': 'Mae’r cais hwn ar gyfer rhywun arall',
  'end.OtherCustomer.text':
    'Mae’r ap neu’r wefan yn gofyn i gwsmer gwahanol i’r un sydd newydd fewngofnodi. Nid oes dim wedi’i gymeradwyo, ' +
    'ac mae’r cais yn dal i aros.',
  'end.OtherCustomer.next': 'Ewch yn ôl a dechreuwch eto gydag enw defnyddiwr y cwsmer y mae ar ei gyfer.',
  'end.NotStrong.title': 'Ni allem fod yn siŵr mai chi sydd yno',
  'end.NotStrong.text': 'Mae angen prawf cryfach mai chi sydd yno ar yr ap neu’r wefan. Nid oes dim wedi’i gymeradwyo.',
  'end.NotStrong.next':
    'Ewch yn ôl i’r ap neu’r wefan y daethoch ohoni. Os oes angen ffordd arall o fewngofnodi arnoch, cysylltwch â ni.',
  'end.NoAccount.title': 'Nid oes gennych gyfrif i dalu hyn ohono',
  'end.NoAccount.text': 'Ni ellir defnyddio’r un o’ch cyfrifon i dalu hyn. Nid oes dim wedi’i gymeradwyo.',
  'end.NoAccount.next': 'Ewch yn ôl a dewiswch gyfrif arall yno, neu cysylltwch â ni.',
  'end.NoAccountToShare.title': 'Nid oes gennych gyfrif i’w rannu',
  'end.NoAccountToShare.text': 'Ni ellir rhannu’r un o’ch cyfrifon yma. Nid oes dim wedi’i gymeradwyo.',
  'end.NoAccountToShare.next': 'Ewch yn ôl i’r ap neu’r wefan y daethoch ohoni, neu cysylltwch â ni.',
  'end.AccountNotUsable.title': 'Nid oes modd defnyddio’r cyfrif hwn',
  'end.AccountNotUsable.text':
    'Gofynnodd yr ap neu’r wefan am gyfrif nad yw’n perthyn i chi, neu na allwch dalu ohono. Nid oes dim wedi’i ' +
    'gymeradwyo.',
  'end.AccountNotUsable.next': 'Ewch yn ôl a dewiswch gyfrif arall yno, neu cysylltwch â ni.',
  'end.SingleNotPossible.title': 'Rhaid i fwy nag un person gymeradwyo hyn',
  'end.SingleNotPossible.text':
    'Mae’r ap yn gofyn am eich cymeradwyaeth chi’n unig, ond mae angen mwy nag un ar eich cyfrifon. Nid oes dim ' +
    'wedi’i gymeradwyo.',
  'end.SingleNotPossible.next': 'Ewch yn ôl i’r ap neu’r wefan y daethoch ohoni.',
  'end.TooLate.title': 'Mae’n rhy hwyr i gymeradwyo hyn',
  'end.TooLate.text': 'Gwnaethoch ateb ar ôl terfyn amser yr ap. Nid oes dim wedi’i gymeradwyo.',
  'end.TooLate.next': 'Ewch yn ôl i’r ap neu’r wefan y daethoch ohoni a dechreuwch eto.',
  'end.TooMany.title': 'Rydych wedi gofyn i ni ormod o weithiau',
  'end.TooMany.text': 'Gwnaethom eich allgofnodi i’ch cadw’n ddiogel. Nid oes dim wedi’i gymeradwyo.',
  'end.TooMany.next':
    'Ewch yn ôl a dechreuwch eto. Os na fyddwch yn cael cod, neu gwestiwn yn eich ap bancio, cysylltwch â ni.',
  'end.TooManySignIns.title': 'Gormod o gynigion i fewngofnodi',
  'end.TooManySignIns.text':
    'Gwnaethom eich allgofnodi i’ch cadw’n ddiogel. Nid oes dim wedi’i gymeradwyo, ac mae’r cais yn dal i aros.',
  'end.TooManySignIns.next':
    'Ewch yn ôl a dechreuwch eto. Os nad ydych yn gwybod eich enw defnyddiwr neu’ch cyfrinair, cysylltwch â ni.',
  'end.BankAway.title': 'Mae’n ddrwg gennym, nid yw ein systemau’n ateb',
  'end.BankAway.text': 'Mae’r nam ar ein hochr ni. Ni chafodd dim ei gymeradwyo yn y cam hwn.',
  'end.BankAway.next': 'Ewch yn ôl a rhowch gynnig arall arni ymhen ychydig funudau.',
  'end.Failed.title': 'Mae’n ddrwg gennym, aeth rhywbeth o’i le',
  'end.Failed.text': 'Ni allwn ddweud a gafodd eich cam olaf ei gofnodi.',
  'end.Failed.next':
    'Cyn i chi roi cynnig arall arni, edrychwch yn yr ap neu’r wefan y daethoch ohoni. Os oes angen help arnoch, ' +
    'rhowch y cyfeirnod isod i ni.',

  'front.title': 'Dim byd i’w wneud yma',
  'front.text':
    'Gofynnwn am eich cymeradwyaeth yn y cyfeiriad hwn pan fydd ap neu wefan yn eich anfon yma. I ddechrau, ewch ' +
    'i’r ap neu’r wefan honno.',
  'front.developers': 'I ddatblygwyr: {address}',

  'error.developers': 'I ddatblygwyr yr ap y daethoch ohono: {description}',
  'error.uncertainApproval':
    'Ni allwn ddweud a gafodd eich penderfyniad ei gofnodi. Cyn i chi roi cynnig arall arni, gwiriwch y taliadau yn ' +
    'yr ap neu’r wefan y daethoch ohoni, neu cysylltwch â ni. Os oes angen help arnoch, rhowch y cyfeirnod isod i ' +
    'ni.',
  'error.uncertainWithdrawal':
    'Ni allwn ddweud a yw’r mynediad wedi dod i ben. Ewch yn ôl ac ail-lwythwch y dudalen: mae’n dangos y mynediad ' +
    'sydd ar ôl, a gallwch ddod ag ef i ben yno. Os bydd hyn yn digwydd eto, rhowch y cyfeirnod isod i ni.',
  'error.invalid.title': 'Ni allwn brosesu’r cais hwn',
  'error.invalid.text':
    'Anfonodd yr ap neu’r wefan y daethoch ohoni gais nad yw’n ddilys. Ewch yn ôl yno a rhowch gynnig arall arni. ' +
    'Nid oes dim wedi’i gymeradwyo.',
  'error.sessionEnded.title': 'Ni allwch ddefnyddio’r dudalen hon mwyach',
  'error.sessionEnded.text':
    'Efallai eich bod wedi gorffen yn barod, wedi aros yn rhy hir, neu wedi agor y dudalen mewn porwr arall. Ewch ' +
    'yn ôl i’r ap neu’r wefan y daethoch ohoni a dechreuwch eto.',
  'error.forgedForm.title': 'Ni allwn dderbyn y ffurflen hon',
  'error.forgedForm.text':
    'Ni ddaeth o’r dudalen sydd gennych ar agor. Nid oes dim wedi newid. Ewch yn ôl ac ail-lwythwch y dudalen.',
  'error.locked.title': 'Ni allwch fewngofnodi ar hyn o bryd',
  'error.locked.text': 'Mae eich mynediad wedi’i gloi. Cysylltwch â ni i’w ddatgloi. Nid oes dim wedi’i gymeradwyo.',
  'error.tooMany.title': 'Gormod o geisiadau',
  'error.tooMany.text':
    'Rydym wedi cael mwy o geisiadau nag y gallwn eu derbyn. Ni chafodd yr un hwn ei gyflawni. Arhoswch funud, yna ' +
    'ewch yn ôl a rhowch gynnig arall arni.',
  'error.tooManyChallenges.text':
    'Gwnaethom eich allgofnodi i’ch cadw’n ddiogel. Ni chafodd y cam hwn ei gyflawni. Mewngofnodwch i barhau. Os na ' +
    'fyddwch yn cael cod, neu gwestiwn yn eich ap bancio, cysylltwch â ni.',
  'error.unavailable.title': 'Mae’n ddrwg gennym, nid yw’r gwasanaeth ar gael',
  'error.unavailable.text':
    'Ni chafodd dim ei gymeradwyo yn y cam hwn. Ewch yn ôl i’r ap neu’r wefan y daethoch ohoni a rhowch gynnig ' +
    'arall arni ymhen ychydig funudau.',
  'error.failed.title': 'Mae’n ddrwg gennym, aeth rhywbeth o’i le',
  'error.failed.text':
    'Ni chafodd dim ei gymeradwyo yn y cam hwn. Ewch yn ôl i’r ap neu’r wefan y daethoch ohoni a rhowch gynnig ' +
    'arall arni. Os bydd hyn yn digwydd eto, rhowch y cyfeirnod isod i ni.',
  'error.notFound.title': 'Heb ddod o hyd i’r dudalen',
  'error.notFound.text': 'Gwiriwch y cyfeiriad, neu ewch yn ôl i’r ap neu’r wefan y daethoch ohoni.',
  'error.unreadable.title': 'Nid oedd modd i ni ddarllen y cais',
  'error.unreadable.text': 'Ewch yn ôl i’r dudalen y daethoch ohoni a rhowch gynnig arall arni.',

  'read.title': '{count, plural, one {Gwiriwch y cyfrif i’w rannu} other {Dewiswch y cyfrifon i’w rhannu}}',
  'read.asks': 'Mae <b>{asker}</b> yn gofyn am gael gweld:',
  'read.limits': 'Ni allant wneud taliadau gyda hyn, ac ni fyddant yn gweld eich cyfrinair.',
  'read.until': 'Gallant weld hyn tan <b>{day}</b>.',
  'read.open': 'Nid oes dyddiad gorffen i’r mynediad hwn.',
  'read.end': 'Gallwch ddod â hyn i ben unrhyw bryd o dan {link}.',
  'read.whichAccounts': '{count, plural, one {Y cyfrif} other {Pa gyfrifon?}}',
  'read.next':
    'Nesaf, byddwn yn gofyn i chi gadarnhau mai chi sydd yno, gyda chod neu yn eich ap bancio. Yna byddwch yn mynd ' +
    'yn ôl i {client}.',
  'read.fromTo': 'Trafodion o {from} i {to}.',
  'read.from': 'Trafodion o {from}.',
  'read.to': 'Trafodion hyd at {to}.',

  'cluster.accountDetails': 'Manylion eich Cyfrif',
  'cluster.regularPayments': 'Eich Taliadau Rheolaidd',
  'cluster.transactions': 'Trafodion eich Cyfrif',
  'cluster.statements': 'Eich Cyfriflenni',
  'cluster.features': 'Nodweddion a Buddion eich Cyfrif',
  'cluster.contact': 'Manylion cyswllt a phartïon',

  'data.ReadAccountsBasic': 'Unrhyw enw arall sydd gennych ar y cyfrif hwn a/neu arian cyfred y cyfrif',
  'data.ReadAccountsDetail': 'Enw, rhif a chod didoli eich cyfrif',
  'data.ReadBalances': 'Balans eich cyfrif',
  'data.ReadPAN': 'Rhif eich cerdyn',
  'data.ReadBeneficiariesBasic': 'Cytundebau â derbynwyr taliadau rydych wedi’u trefnu',
  'data.ReadBeneficiariesDetail': 'Manylion cytundebau â derbynwyr taliadau rydych wedi’u trefnu',
  'data.ReadStandingOrdersBasic': 'Eich Archebion Sefydlog',
  'data.ReadStandingOrdersDetail': 'Manylion eich Archebion Sefydlog',
  'data.ReadDirectDebits': 'Eich Debydau Uniongyrchol',
  'data.ReadScheduledPaymentsBasic': 'Taliadau cylchol a thaliadau i ddod',
  'data.ReadScheduledPaymentsDetail': 'Manylion taliadau cylchol a thaliadau i ddod',
  'data.ReadTransactionsBasic': 'Eich trafodion',
  'data.ReadTransactionsDetail': 'Manylion eich trafodion',
  'data.ReadTransactionsBasicCredits': 'Eich trafodion i mewn',
  'data.ReadTransactionsDetailCredits': 'Manylion eich trafodion i mewn',
  'data.ReadTransactionsBasicDebits': 'Eich trafodion allan',
  'data.ReadTransactionsDetailDebits': 'Manylion eich trafodion allan',
  'data.ReadStatementsBasic': 'Gwybodaeth yn eich cyfriflen',
  'data.ReadStatementsDetail': 'Manylion y wybodaeth yn eich cyfriflen',
  'data.ReadProducts': 'Manylion cynnyrch – ffioedd, taliadau, llog, buddion/gwobrau',
  'data.ReadOffers': 'Cynigion sydd ar gael ar eich cyfrif',
  'data.ReadParty':
    'Enw’r cyfrif ac enwau cyfreithiol llawn pob parti. Gall hyn hefyd gynnwys eu cyfeiriadau, rhifau ffôn a ' +
    'chyfeiriadau e-bost',
  'data.ReadPartyPSU':
    'Enw’r cyfrif a’ch enw cyfreithiol llawn. Gall hyn hefyd gynnwys eich cyfeiriad, rhifau ffôn a chyfeiriad e-bost',

  'confirm.title': 'Caniatáu gwirio bod arian ar gael?',
  'confirm.asks': 'Mae <b>{asker}</b> yn gofyn am gael:',
  'confirm.funds': 'gofyn a oes swm ar gael yn eich cyfrif; yr ateb yw oes neu nac oes, a byth eich balans',
  'confirm.limits':
    'Ni allant wneud taliadau gyda hyn, ac ni fyddant yn gweld eich balans, eich trafodion na’ch cyfrinair.',
  'confirm.until': 'Gallant ofyn tan <b>{day}</b>.',
  'confirm.account': 'Y cyfrif',
  'problem.accountsMissing': 'Dewiswch o leiaf un cyfrif i’w rannu',
};

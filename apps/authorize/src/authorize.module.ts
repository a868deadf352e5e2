import { Module, type DynamicModule } from '@nestjs/common';
import { AuditModule, KeysRecord } from '#libs/audit';
import { CustomerSessionModule } from '#libs/customer-session';
import { PaymentOrderModule } from '#libs/payment-order';
import { BackChannelModule } from '#libs/back-channel';
import { BankModule } from '#libs/bank';
import { ClientRegistrationModule } from '#libs/client-registration';
import { ConfigModule, type Clock, type Config } from '#libs/config';
import { DirectoryModule } from '#libs/directory';
import { RateLimitModule } from '#libs/guards';
import { PersistenceModule } from '#libs/persistence';
import { Telemetry, TelemetryModule } from '#libs/telemetry';
import { TokenStoreModule } from '#libs/token-store';
import { ApprovalChallenge } from './approvals/approval-challenge.service.js';
import { ApprovalPages } from './approvals/approval-pages.service.js';
import { ApprovalSignInController } from './approvals/approval-sign-in.controller.js';
import { ApprovalVisits } from './approvals/approval-visits.service.js';
import { FundsHistoryController } from './approvals/funds-history.controller.js';
import { LastingAccessController } from './approvals/lasting-access.controller.js';
import { OwnOverviewController } from './approvals/own-overview.controller.js';
import { PaymentApprovalsController } from './approvals/payment-approvals.controller.js';
import { AuthorizationEndpoint } from './authorization-request/authorization-endpoint.service.js';
import { AuthorizeController } from './authorization-request/authorize.controller.js';
import { PushedAuthorizationRequestController } from './authorization-request/pushed-request.controller.js';
import { ChallengeController } from './challenge/challenge.controller.js';
import { ChallengeDesk } from './challenge/challenge-desk.service.js';
import { ChallengePages } from './challenge/challenge-pages.service.js';
import { UnboundCodeWarning } from './challenge/unbound-code-warning.service.js';
import { AuthorizationCompletion } from './consent/authorization-completion.service.js';
import { AccessDecision } from './consent/access-decision.service.js';
import { DecidableFiles } from './consent/decidable-files.service.js';
import { ConsentPages } from './consent/consent-pages.service.js';
import { PayeeAnswersDesk } from './consent/payee-answers.service.js';
import { ConsentController } from './consent/consent.controller.js';
import { FrontController } from './front/front.controller.js';
import { JwksController } from './jwks/jwks.controller.js';
import { PageRenderer } from './pages/page-renderer.js';
import { AssetsController } from './pages/assets.controller.js';
import { JourneyEnds } from './psu-session/journey-ends.service.js';
import { MoreTimeController } from './psu-session/more-time.controller.js';
import { PsuSessions } from './psu-session/psu-sessions.service.js';
import { SecondFactorController } from './sign-in/second-factor.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { OverAllLimit } from './sign-in/over-all-limit.service.js';
import { SignInLimitGuard } from './sign-in/sign-in-limit.guard.js';
import { SignInLimits } from './sign-in/sign-in-limits.service.js';
import { SignInPages } from './sign-in/sign-in-pages.service.js';

@Module({})
export class AuthorizeModule {
  // oxlint-disable-next-line max-lines-per-function -- a list of providers
  static forRoot({
    config,
    renderer,
    telemetry,
    clock,
  }: {
    config: Config;
    renderer: PageRenderer;
    telemetry: Telemetry;
    clock?: Clock | undefined;
  }): DynamicModule {
    return {
      module: AuthorizeModule,
      imports: [
        ConfigModule.forRoot(config, clock),
        PersistenceModule.forRoot({ ...config.database, applicationName: 'authorize' }),
        AuditModule,
        TelemetryModule.forRoot(telemetry),
        RateLimitModule.forRoot(config),
        BackChannelModule,
        BankModule,
        DirectoryModule,
        ClientRegistrationModule,
        CustomerSessionModule,
        PaymentOrderModule,
        TokenStoreModule,
      ],
      controllers: [
        FrontController,
        AuthorizeController,
        PushedAuthorizationRequestController,
        SignInController,
        SecondFactorController,
        ConsentController,
        ChallengeController,
        MoreTimeController,
        ApprovalSignInController,
        PaymentApprovalsController,
        LastingAccessController,
        FundsHistoryController,
        OwnOverviewController,
        JwksController,
        AssetsController,
      ],
      providers: [
        KeysRecord,
        { provide: PageRenderer, useValue: renderer },
        AuthorizationEndpoint,
        PsuSessions,
        JourneyEnds,
        ChallengeDesk,
        ChallengePages,
        UnboundCodeWarning,
        SignInPages,
        SignInLimitGuard,
        PayeeAnswersDesk,
        ConsentPages,
        OverAllLimit,
        SignInLimits,
        DecidableFiles,
        AccessDecision,
        AuthorizationCompletion,
        ApprovalVisits,
        // The list of approvals asks it for the page of the sign-in.
        ApprovalSignInController,
        ApprovalPages,
        ApprovalChallenge,
      ],
    };
  }
}

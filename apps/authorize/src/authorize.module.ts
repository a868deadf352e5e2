import { Module, type DynamicModule } from '@nestjs/common';
import { AuditModule } from '#libs/audit';
import { AuthorizationSessionModule } from '#libs/authorization-session';
import { BankModule } from '#libs/bank';
import { ClientRegistrationModule } from '#libs/client-registration';
import { ConfigModule, type Clock, type Config } from '#libs/config';
import { DirectoryModule } from '#libs/directory';
import { RateLimitModule } from '#libs/guards';
import { PersistenceModule } from '#libs/persistence';
import { Telemetry, TelemetryModule } from '#libs/telemetry';
import { TokenStoreModule } from '#libs/token-store';
import { ApprovalSignIn } from './approvals/approval-sign-in.service.js';
import { ApprovalVisits } from './approvals/approval-visits.service.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { LastingAccess } from './approvals/lasting-access.service.js';
import { PaymentApprovals } from './approvals/payment-approvals.service.js';
import { AuthorizationEndpoint } from './authorization-request/authorization-endpoint.service.js';
import { AuthorizeController } from './authorization-request/authorize.controller.js';
import { AuthorizationCompletion } from './consent/authorization-completion.service.js';
import { ConsentDecision } from './consent/consent-decision.service.js';
import { ConsentController } from './consent/consent.controller.js';
import { JwksController } from './jwks/jwks.controller.js';
import { PageRenderer } from './pages/page-renderer.js';
import { StylesheetController } from './pages/stylesheet.controller.js';
import { PsuSessions } from './psu-session/psu-sessions.service.js';
import { SecondFactor } from './sign-in/second-factor.service.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInLimitGuard } from './sign-in/sign-in-limit.guard.js';
import { SignInPages } from './sign-in/sign-in-pages.service.js';
import { SignIn } from './sign-in/sign-in.service.js';

@Module({})
export class AuthorizeModule {
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
        BankModule,
        DirectoryModule,
        ClientRegistrationModule,
        AuthorizationSessionModule,
        TokenStoreModule,
      ],
      controllers: [
        AuthorizeController,
        SignInController,
        ConsentController,
        ApprovalsController,
        JwksController,
        StylesheetController,
      ],
      providers: [
        { provide: PageRenderer, useValue: renderer },
        AuthorizationEndpoint,
        PsuSessions,
        SignInPages,
        SignIn,
        SecondFactor,
        SignInLimitGuard,
        ConsentDecision,
        AuthorizationCompletion,
        ApprovalVisits,
        ApprovalSignIn,
        PaymentApprovals,
        LastingAccess,
      ],
    };
  }
}

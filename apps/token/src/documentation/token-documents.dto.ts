import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { oauthLimits } from '#libs/oauth';

const clientIdDescription = 'Id of the client. Optional with Basic or a client assertion.';
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** How a client authenticates in the form. */
class ClientAuthenticationForm {
  @ApiPropertyOptional({ minLength: 1, maxLength: oauthLimits.clientId, description: clientIdDescription })
  client_id?: string;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: oauthLimits.clientSecret,
    description: 'For client_secret_post. With client_secret_basic, send it in the Authorization header instead.',
  })
  client_secret?: string;

  @ApiPropertyOptional({
    maxLength: oauthLimits.clientAssertion,
    description:
      'For private_key_jwt and client_secret_jwt: a JWT whose iss and sub are the client id, aud the issuer or the ' +
      'token endpoint, with jti (used once) and exp.',
  })
  client_assertion?: string;

  @ApiPropertyOptional({ enum: [assertionType], description: 'Together with client_assertion.' })
  client_assertion_type?: string;
}

/** Form of a token request. */
export class TokenRequestForm extends ClientAuthenticationForm {
  @ApiProperty({
    enum: ['authorization_code', 'client_credentials', 'refresh_token'],
    description: 'client_credentials for the payments APIs; authorization_code after the customer has approved.',
  })
  grant_type!: string;

  @ApiPropertyOptional({
    maxLength: oauthLimits.scope,
    description: 'Scopes separated by spaces, for client_credentials. A code has the scope that the customer approved.',
    example: 'payments',
  })
  scope?: string;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: oauthLimits.code,
    description: 'For authorization_code. Can be used once.',
  })
  code?: string;

  @ApiPropertyOptional({
    maxLength: oauthLimits.redirectUri,
    description: 'For authorization_code: the redirect_uri of the authorization request, character by character.',
  })
  redirect_uri?: string;

  @ApiPropertyOptional({
    minLength: 43,
    maxLength: oauthLimits.codeVerifier,
    description: 'For authorization_code: if the request object had a code_challenge (PKCE).',
  })
  code_verifier?: string;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: oauthLimits.token,
    description: 'For refresh_token. Can be used once if the bank rotates refresh tokens.',
  })
  refresh_token?: string;
}

const plain = (parameter: string): string =>
  `${parameter} Only for clients of fapi2-security, without request; otherwise it belongs into the request object.`;

/** Form of a pushed authorization request (RFC 9126 section 2.1 and 3). */
export class PushedAuthorizationRequestForm extends ClientAuthenticationForm {
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: oauthLimits.requestObject,
    description:
      'The request object of the authorization endpoint, with code_challenge and code_challenge_method S256 (PKCE). ' +
      'Parameters beside it do not count. A client of fapi2-security may send its parameters without it.',
  })
  request?: string;

  @ApiPropertyOptional({ enum: ['code'], description: plain('The flow.') })
  response_type?: string;

  @ApiPropertyOptional({ enum: ['query', 'jwt', 'query.jwt'], description: plain('How the response is returned.') })
  response_mode?: string;

  @ApiPropertyOptional({ maxLength: oauthLimits.redirectUri, description: plain('A registered address.') })
  redirect_uri?: string;

  @ApiPropertyOptional({ example: 'openid payments', description: plain('Scopes separated by spaces.') })
  scope?: string;

  @ApiPropertyOptional({ description: plain('Comes back with the response.') })
  state?: string;

  @ApiPropertyOptional({ description: plain('Comes back in the ID token.') })
  nonce?: string;

  @ApiPropertyOptional({ pattern: '^[A-Za-z0-9_-]{43}$', description: plain('PKCE (RFC 7636).') })
  code_challenge?: string;

  @ApiPropertyOptional({ enum: ['S256'], description: plain('Required with code_challenge.') })
  code_challenge_method?: string;

  @ApiPropertyOptional({
    description: plain('JSON text; names the consent in id_token.openbanking_intent_id.value.'),
    example: '{"id_token":{"openbanking_intent_id":{"value":"01890a5d-ac96-774b-bcce-b302099a8057","essential":true}}}',
  })
  claims?: string;
}

/** Answer to a pushed authorization request (RFC 9126 section 2.2). */
export class PushedAuthorizationResponseDocument {
  @ApiProperty({
    pattern: '^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{43}$',
    description: 'Send it to the authorization endpoint with client_id and nothing else. Can be used once.',
  })
  request_uri!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Seconds.' })
  expires_in!: number;
}

/** Form of a revocation. */
export class RevocationRequestForm extends ClientAuthenticationForm {
  @ApiProperty({ minLength: 1, description: 'Access token or refresh token.' })
  token!: string;

  @ApiPropertyOptional({ description: 'Not needed. The service ignores it.' })
  token_type_hint?: string;
}

/** Form of an introspection. */
export class IntrospectionRequestForm {
  @ApiProperty({ minLength: 1, description: 'The access token to introspect.' })
  token!: string;

  @ApiPropertyOptional({ description: 'Not needed. The service ignores it.' })
  token_type_hint?: string;
}

/** Answer of the token endpoint (RFC 6749 section 5.1). */
export class TokenResponseDocument {
  @ApiProperty({ enum: ['bearer'], description: 'Compare it case-insensitively.' })
  token_type!: string;

  @ApiProperty({
    minLength: 43,
    maxLength: oauthLimits.token,
    description: 'Opaque. Bound to the client certificate of this connection, and valid only with it.',
  })
  access_token!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Seconds.' })
  expires_in!: number;

  @ApiProperty({ description: 'The granted scopes.' })
  scope!: string;

  @ApiPropertyOptional({ description: 'After a code with the scope openid: signed JWT (OpenID Connect).' })
  id_token?: string;

  @ApiPropertyOptional({
    description: "Present only if the customer's approval lasts and the client registered the grant.",
  })
  refresh_token?: string;

  @ApiProperty({
    format: 'date-time',
    description: 'When the customer approved; for a token without a customer, when it was issued.',
  })
  consented_on!: string;
}

/** The answer for a token that is not valid says nothing else. */
export class InactiveToken {
  @ApiProperty({ type: 'boolean', description: 'Always false.' })
  active!: boolean;
}

class Confirmation {
  @ApiProperty({ description: 'SHA-256 of the certificate to which the token is bound, in base64url.' })
  'x5t#S256'!: string;
}

/** The answer for a valid token (RFC 7662 section 2.2). */
@ApiExtraModels(Confirmation)
export class ActiveToken {
  @ApiProperty({ type: 'boolean', description: 'Always true.' })
  active!: boolean;

  @ApiProperty({ format: 'uri', description: 'Issuer.' })
  iss!: string;

  @ApiProperty()
  client_id!: string;

  @ApiProperty({ enum: ['bearer'] })
  token_type!: string;

  @ApiProperty()
  scope!: string;

  @ApiProperty({ type: 'integer', description: 'Issued at: seconds since 1970.' })
  iat!: number;

  @ApiProperty({ type: 'integer', description: 'Expires at: seconds since 1970.' })
  exp!: number;

  @ApiProperty({ type: Confirmation, description: 'Compare it with the certificate of your own connection.' })
  cnf!: Confirmation;

  @ApiPropertyOptional({ description: "The bank's own id of the customer." })
  sub?: string;

  @ApiPropertyOptional({ description: 'The consent that the customer approved.' })
  openbanking_intent_id?: string;

  @ApiPropertyOptional({
    type: 'array',
    items: {
      type: 'object',
      required: ['type', 'api_version', 'permissions', 'accounts'],
      properties: {
        type: { type: 'string', enum: ['account-access', 'funds-confirmation'] },
        api_version: { type: 'string', examples: ['4.0'] },
        permissions: { type: 'array', items: { type: 'string' }, examples: [['ReadAccountsDetail', 'ReadBalances']] },
        accounts: { type: 'array', items: { type: 'object', additionalProperties: true } },
        expiration_date_time: { type: 'string', format: 'date-time' },
        transaction_from_date_time: { type: 'string', format: 'date-time' },
        transaction_to_date_time: { type: 'string', format: 'date-time' },
      },
    },
    description: 'The access that the customer has approved: which data of which accounts (RFC 9396 section 9.2).',
  })
  authorization_details?: readonly object[];
}

/** Claims of the customer. */
export class UserinfoDocument {
  @ApiProperty({ description: 'The customer, under an id that only your organisation gets (pairwise).' })
  sub!: string;
}

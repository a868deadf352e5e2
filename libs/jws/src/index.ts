import { provideBase64OfBytes } from './base64-of-bytes.js';

export { createCompactJws } from './create-compact-jws.js';
export { createDetachedJws } from './create-detached-jws.js';
export { DetachedJwsError, JwsError } from './errors.js';
export { findVerificationKeys, importPublicKey, keyThumbprint, parseKeySet } from './key-set.js';
export { parseCompactJws, parseJsonPayload } from './parse-compact-jws.js';
export { parseJsonObject } from './parse-json-object.js';
export { hmacSecretKey, isChainOfKey, parseSigningKeys } from './signing-key.js';
export { bindTransitKeys, SigningUnavailableError } from './transit-signer.js';
export { verifyDetachedJws } from './verify-detached-jws.js';
export { keyIdOf, verifyJwsSignature } from './verify-jws-signature.js';
export { verifyJwtHeader } from './verify-jwt-header.js';
export type { AsymmetricAlgorithm } from './algorithms.js';
export type { DetachedJwsForm } from './detached-header.js';
export type { DetachedJwsErrorCode } from './errors.js';
export type { KeySet, VerificationKey } from './key-set.js';
export type { ParsedJws } from './parse-compact-jws.js';
export type { PublicJwk, SigningKey } from './signing-key.js';
export { rewrittenForms } from './rewritten-forms.js';

// Before anything is signed or verified.
provideBase64OfBytes();

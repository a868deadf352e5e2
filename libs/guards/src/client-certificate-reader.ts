import { createHash, X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import {
  certificateThumbprint,
  forwardedCertificateHeaders,
  parseForwardedCertificate,
  verifyCertificateChain,
  type CertificateChainCheck,
  type ForwardedCertificateFormat,
} from '#libs/certificates';
import { Clock, Config } from '#libs/config';
import { AddressList, type ClientCertificate } from '#libs/http-server';
import { countHeaderLines } from './api-request.js';
import { CertificateRevocation } from './certificate-revocation.js';

/** Maximum cached certificates for each purpose and source, about 10 KB each. */
const maxRemembered = 1_000;

/**
 * The only place that reads a client certificate, whether TLS ends in this process or at an
 * ingress that forwards the certificate. An untrusted certificate counts as none and never causes an error.
 */
@Injectable()
export class ClientCertificateReader {
  readonly #tpps: Authorities;
  readonly #resourceServers: Authorities;
  readonly #ingress: Authorities;
  readonly #ingressAddresses: AddressList;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly revocation: CertificateRevocation,
  ) {
    const { clientTrustAnchors, ingressTrustAnchors, ingressAddresses } = config.tls;
    this.#tpps = new Authorities(clientTrustAnchors);
    this.#resourceServers = new Authorities(config.introspection?.trustAnchors ?? []);
    this.#ingress = new Authorities(ingressTrustAnchors);
    this.#ingressAddresses = new AddressList(ingressAddresses);
  }

  /** @returns the verified, currently valid certificate of the TPP, if it presented one */
  read(request: FastifyRequest): ClientCertificate | undefined {
    return this.#read(request, this.#tpps);
  }

  /** @returns the same, unless it is revoked; without a promise if that is known */
  readUnrevoked(request: FastifyRequest): ClientCertificate | undefined | Promise<ClientCertificate | undefined> {
    return this.#readUnrevoked(request, this.#tpps);
  }

  /** @returns the same for a resource server of the bank, whose authorities differ from those of TPPs */
  readResourceServer(request: FastifyRequest): ClientCertificate | undefined | Promise<ClientCertificate | undefined> {
    return this.#readUnrevoked(request, this.#resourceServers);
  }

  #readUnrevoked(
    request: FastifyRequest,
    authorities: Authorities,
  ): ClientCertificate | undefined | Promise<ClientCertificate | undefined> {
    const found = this.#read(request, authorities);
    if (found === undefined) return undefined;
    const mayRely = this.revocation.mayRelyOn(found.path);
    if (typeof mayRely === 'boolean') return judge(found, mayRely, authorities);
    return mayRely.then((isGood) => judge(found, isGood, authorities));
  }

  #read(request: FastifyRequest, authorities: Authorities): DatedCertificate | undefined {
    const source = this.config.tls.clientCertificateSource;
    return source === 'tls'
      ? this.#peer(request.raw.socket, authorities)
      : this.#forwarded({ request, format: source, authorities });
  }

  /**
   * The certificate of this connection, verified once. Its dates are checked on every request, because a connection may
   * outlive it.
   */
  #peer(socket: Socket, authorities: Authorities): DatedCertificate | undefined {
    const { bySocket } = authorities;
    if (!bySocket.has(socket)) bySocket.set(socket, this.#verifyPeer(socket, authorities));
    return this.#ifCurrent(bySocket.get(socket));
  }

  /**
   * `authorized` alone proves nothing: on a resumed session it can be true with no certificate at all, and it counts
   * every authority that the listener knows. So the certificate itself must be there, too, and its chain is verified
   * here with the stricter rules of this service.
   */
  #verifyPeer(socket: Socket, { trustAnchors, peersBefore }: Authorities): DatedCertificate | undefined {
    if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) return undefined;
    const known = this.#ifCurrent(peersBefore.get(certificate.fingerprint256));
    if (known !== undefined) return known;
    const found = this.#verify({ certificate, intermediates: intermediatesOf(socket) }, trustAnchors);
    if (found !== undefined) peersBefore.set(certificate.fingerprint256, found);
    return found;
  }

  /**
   * Accepts a forwarded certificate only from the ingress, identified by address and by its own certificate, and
   * verifies the chain again.
   */
  #forwarded(shown: {
    request: FastifyRequest;
    format: ForwardedCertificateFormat;
    authorities: Authorities;
  }): DatedCertificate | undefined {
    const { request, format, authorities } = shown;
    const { socket, rawHeaders } = request.raw;
    // The peer of the connection is the ingress itself.
    if (!this.#ingressAddresses.has(socket.remoteAddress) || this.#peer(socket, this.#ingress) === undefined) {
      return undefined;
    }
    // If there are two lines, the client may have sent one. Node joins them into one value.
    if (countHeaderLines(rawHeaders, forwardedCertificateHeaders[format][0] ?? '') > 1) return undefined;
    // An ingress that lets a header of another form through may also let the configured one through.
    if (foreignHeaders[format].some((name) => (request.headers[name] ?? '') !== '')) return undefined;
    const { forwardedBefore, trustAnchors } = authorities;
    const key = keyOfForwarded(format, request.headers);
    const known = this.#ifCurrent(forwardedBefore.get(key));
    if (known !== undefined) return known;
    const forwarded = parseForwardedCertificate(format, request.headers);
    const found = forwarded && this.#verify(forwarded, trustAnchors);
    // Cache only valid certificates, so that invalid ones cannot displace them.
    if (found !== undefined) forwardedBefore.set(key, found);
    return found;
  }

  #ifCurrent(found: DatedCertificate | undefined): DatedCertificate | undefined {
    const now = this.clock.now().getTime();
    return found !== undefined && found.notBefore <= now && now <= found.notAfter ? found : undefined;
  }

  #verify(
    shown: { certificate: X509Certificate; intermediates: readonly X509Certificate[] },
    trustAnchors: readonly X509Certificate[],
  ): DatedCertificate | undefined {
    const path = findPath({ ...shown, trustAnchors, now: this.clock.now() });
    if (path === undefined) return undefined;
    const { certificate } = shown;
    return {
      certificate,
      path,
      thumbprint: certificateThumbprint(certificate),
      // The path is valid while all its certificates are: an authority may expire before the certificates that it
      // issued.
      notBefore: Math.max(...path.map(({ validFrom }) => Date.parse(validFrom))),
      notAfter: Math.min(...path.map(({ validTo }) => Date.parse(validTo))),
    };
  }
}

/** The trust anchors for one purpose, and the certificates that were found valid for it. */
class Authorities {
  readonly trustAnchors: readonly X509Certificate[];
  /** undefined: checked, and not trusted */
  readonly bySocket = new WeakMap<Socket, DatedCertificate | undefined>();
  /** Certificates that an ingress forwarded, by the header's digest: parsed and verified once. */
  readonly forwardedBefore = new LRUCache<string, DatedCertificate>({ max: maxRemembered });
  /**
   * Certificates of earlier connections, by their SHA-256, so that a new connection costs little more than its
   * handshake.
   */
  readonly peersBefore = new LRUCache<string, DatedCertificate>({ max: maxRemembered });

  constructor(pems: readonly string[]) {
    this.trustAnchors = pems.map((pem) => new X509Certificate(pem));
  }
}

/** For each form, the headers of the other forms. */
const foreignHeaders: Readonly<Record<ForwardedCertificateFormat, readonly string[]>> = {
  'client-cert': headersBut('client-cert'),
  nginx: headersBut('nginx'),
  envoy: headersBut('envoy'),
};

function headersBut(format: ForwardedCertificateFormat): readonly string[] {
  return Object.values(forwardedCertificateHeaders)
    .flat()
    .filter((name) => !forwardedCertificateHeaders[format].includes(name));
}

/**
 * The revoked certificate may be that of an authority, and may have been replaced: the next connection may present
 * another path.
 */
function judge(found: DatedCertificate, isGood: boolean, { peersBefore }: Authorities): ClientCertificate | undefined {
  if (isGood) return found;
  peersBefore.delete(found.certificate.fingerprint256);
  return undefined;
}

/** Milliseconds since the epoch, read once, because reading them from the certificate costs more than the check. */
interface DatedCertificate extends ClientCertificate {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** An untrusted, invalid or unsuitable certificate counts as none. */
function findPath(check: CertificateChainCheck): readonly X509Certificate[] | undefined {
  try {
    return verifyCertificateChain(check);
  } catch {
    // Any failure counts, including errors of OpenSSL.
    return undefined;
  }
}

/**
 * A digest of the headers from which the certificate is read. Repeated headers are arrays and differ from single ones.
 */
function keyOfForwarded(format: ForwardedCertificateFormat, headers: FastifyRequest['headers']): string {
  const values = forwardedCertificateHeaders[format].map((name) => headers[name] ?? null);
  // @cryptography SHA-256 | none | recognising a certificate that an ingress forwarded
  return createHash('sha256').update(JSON.stringify(values)).digest('base64');
}

/** The certificates that the peer sent in addition to its own. */
function intermediatesOf(socket: TLSSocket): X509Certificate[] {
  const found: X509Certificate[] = [];
  let current = socket.getPeerCertificate(true);
  while (current.issuerCertificate !== undefined && current.issuerCertificate !== current && found.length < 10) {
    current = current.issuerCertificate;
    found.push(new X509Certificate(current.raw));
  }
  return found;
}

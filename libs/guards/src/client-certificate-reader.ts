import { X509Certificate } from 'node:crypto';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  certificateThumbprint,
  parseForwardedCertificate,
  verifyCertificateChain,
  type CertificateChainCheck,
} from '#libs/certificates';
import { Clock, Config } from '#libs/config';
import type { ClientCertificate } from '#libs/http-server';
import { CertificateRevocation } from './certificate-revocation.js';

/**
 * The one place where a client certificate is read, whichever of the two ways TLS ends: in this process, or at an
 * ingress that passes the certificate on. Whatever cannot be trusted is no certificate, never an error.
 */
@Injectable()
export class ClientCertificateReader {
  readonly #config: Config;
  readonly #clock: Clock;
  readonly #revocation: CertificateRevocation;
  readonly #clientTrustAnchors: readonly X509Certificate[];
  readonly #peerTrustAnchors: readonly X509Certificate[];
  readonly #ingressAddresses: BlockList;
  /** undefined: looked at, and not to be relied on */
  readonly #bySocket = new WeakMap<Socket, DatedCertificate | undefined>();

  constructor(config: Config, clock: Clock, revocation: CertificateRevocation) {
    const { clientTrustAnchors, ingressTrustAnchors, clientCertificateSource, ingressAddresses } = config.tls;
    this.#config = config;
    this.#clock = clock;
    this.#revocation = revocation;
    this.#clientTrustAnchors = toCertificates(clientTrustAnchors);
    // Behind an ingress the peer of the connection is the ingress itself.
    this.#peerTrustAnchors =
      clientCertificateSource === 'tls' ? this.#clientTrustAnchors : toCertificates(ingressTrustAnchors);
    this.#ingressAddresses = parseAddresses(ingressAddresses);
  }

  /** @returns the verified, currently valid certificate of the client, if it showed one */
  read(request: FastifyRequest): ClientCertificate | undefined {
    return this.#read(request);
  }

  /** @returns as read, unless it was revoked; at once where that is known */
  readUnrevoked(request: FastifyRequest): ClientCertificate | undefined | Promise<ClientCertificate | undefined> {
    const found = this.#read(request);
    if (found === undefined) return undefined;
    const mayRely = this.#revocation.mayRelyOn(found.path);
    if (typeof mayRely === 'boolean') return mayRely ? found : undefined;
    return mayRely.then((isGood) => (isGood ? found : undefined));
  }

  #read(request: FastifyRequest): DatedCertificate | undefined {
    const source = this.#config.tls.clientCertificateSource;
    return source === 'tls' ? this.#peer(request.raw.socket) : this.#forwarded(request, source);
  }

  /** The certificate of this connection, verified once; its dates count on every request, for a connection may outlive them. */
  #peer(socket: Socket): DatedCertificate | undefined {
    if (!this.#bySocket.has(socket)) this.#bySocket.set(socket, this.#verifyPeer(socket));
    const found = this.#bySocket.get(socket);
    const now = this.#clock.now().getTime();
    return found !== undefined && found.notBefore <= now && now <= found.notAfter ? found : undefined;
  }

  /**
   * `authorized` alone proves nothing: on a resumed session it can be true with no certificate at all. So the
   * certificate itself must be there, too, and its chain is verified here with the stricter rules of this service.
   */
  #verifyPeer(socket: Socket): DatedCertificate | undefined {
    if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) return undefined;
    return this.#verify({ certificate, intermediates: intermediatesOf(socket) }, this.#peerTrustAnchors);
  }

  /** A forwarded certificate counts only from the ingress: by address, by its own certificate, and the chain is verified here again. */
  #forwarded(request: FastifyRequest, format: 'client-cert' | 'nginx' | 'envoy'): DatedCertificate | undefined {
    const { socket } = request.raw;
    if (!this.#isIngressAddress(socket.remoteAddress) || this.#peer(socket) === undefined) return undefined;
    const forwarded = parseForwardedCertificate(format, request.headers);
    return forwarded && this.#verify(forwarded, this.#clientTrustAnchors);
  }

  #verify(
    shown: { certificate: X509Certificate; intermediates: readonly X509Certificate[] },
    trustAnchors: readonly X509Certificate[],
  ): DatedCertificate | undefined {
    const path = findPath({ ...shown, trustAnchors, now: this.#clock.now() });
    if (path === undefined) return undefined;
    const { certificate } = shown;
    return {
      certificate,
      path,
      thumbprint: certificateThumbprint(certificate),
      notBefore: Date.parse(certificate.validFrom),
      notAfter: Date.parse(certificate.validTo),
    };
  }

  #isIngressAddress(address: string | undefined): boolean {
    if (address === undefined) return false;
    const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
    return isIP(plain) !== 0 && this.#ingressAddresses.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  }
}

/** Milliseconds since the epoch, read once: taking them from the certificate costs more than the whole check. */
interface DatedCertificate extends ClientCertificate {
  /** up to the trust anchor */
  readonly path: readonly X509Certificate[];
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Not from a trusted authority, not valid, or not for this use: the same as no certificate. */
function findPath(check: CertificateChainCheck): readonly X509Certificate[] | undefined {
  try {
    return verifyCertificateChain(check);
  } catch {
    // Whatever it is that cannot be verified: OpenSSL's own errors count, too.
    return undefined;
  }
}

function toCertificates(pems: readonly string[]): X509Certificate[] {
  return pems.map((pem) => new X509Certificate(pem));
}

/** Everything that the peer sent besides its own certificate. */
function intermediatesOf(socket: TLSSocket): X509Certificate[] {
  const found: X509Certificate[] = [];
  let current = socket.getPeerCertificate(true);
  while (current.issuerCertificate !== undefined && current.issuerCertificate !== current && found.length < 10) {
    current = current.issuerCertificate;
    found.push(new X509Certificate(current.raw));
  }
  return found;
}

function parseAddresses(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

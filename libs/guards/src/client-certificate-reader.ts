import { X509Certificate } from 'node:crypto';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { certificateThumbprint, parseForwardedCertificate, verifyCertificateChain } from '#libs/certificates';
import { Clock, Config } from '#libs/config';
import type { ClientCertificate } from '#libs/http-server';

/**
 * The one place where a client certificate is read, whichever of the two ways TLS ends: in this process, or at an
 * ingress that passes the certificate on. Whatever cannot be trusted is no certificate, never an error.
 */
@Injectable()
export class ClientCertificateReader {
  readonly #config: Config;
  readonly #clock: Clock;
  readonly #trustAnchors: readonly X509Certificate[];
  readonly #ingressAddresses: BlockList;
  readonly #bySocket = new WeakMap<Socket, ClientCertificate>();

  constructor(config: Config, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
    this.#trustAnchors = config.tls.clientTrustAnchors.map((pem) => new X509Certificate(pem));
    this.#ingressAddresses = parseAddresses(config.tls.ingressAddresses);
  }

  /** @returns the verified, currently valid certificate of the client, if it showed one */
  read(request: FastifyRequest): ClientCertificate | undefined {
    const source = this.#config.tls.clientCertificateSource;
    const found = source === 'tls' ? this.#peer(request.raw.socket) : this.#forwarded(request, source);
    // A connection may outlive the certificate that opened it.
    return found !== undefined && isValidAt(found.certificate, this.#clock.now()) ? found : undefined;
  }

  /**
   * `authorized` alone proves nothing: on a resumed session it can be true with no certificate at all. So the
   * certificate itself must be there, too.
   */
  #peer(socket: Socket): ClientCertificate | undefined {
    if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
    const known = this.#bySocket.get(socket);
    if (known !== undefined) return known;
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) return undefined;
    const read = { certificate, thumbprint: certificateThumbprint(certificate) };
    this.#bySocket.set(socket, read);
    return read;
  }

  /** A forwarded certificate counts only from the ingress: by address, by its own certificate, and the chain is verified here again. */
  #forwarded(request: FastifyRequest, format: 'client-cert' | 'nginx' | 'envoy'): ClientCertificate | undefined {
    const { socket } = request.raw;
    if (!this.#isIngressAddress(socket.remoteAddress) || this.#peer(socket) === undefined) return undefined;
    const forwarded = parseForwardedCertificate(format, request.headers);
    if (forwarded === undefined) return undefined;
    try {
      verifyCertificateChain({ ...forwarded, trustAnchors: this.#trustAnchors, now: this.#clock.now() });
    } catch {
      // Not from a trusted authority, or not valid: the same as no certificate.
      return undefined;
    }
    return { certificate: forwarded.certificate, thumbprint: certificateThumbprint(forwarded.certificate) };
  }

  #isIngressAddress(address: string | undefined): boolean {
    if (address === undefined) return false;
    const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
    return isIP(plain) !== 0 && this.#ingressAddresses.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  }
}

function isValidAt(certificate: X509Certificate, now: Date): boolean {
  return Date.parse(certificate.validFrom) <= now.getTime() && now.getTime() <= Date.parse(certificate.validTo);
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

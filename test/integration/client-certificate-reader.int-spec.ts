import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { Clock, Config } from '#libs/config';
import { CertificateRevocation, ClientCertificateReader } from '#libs/guards';
import { issueCertificate, type Issuer } from '../support/apps/certificates.js';

const day = 86_400_000;
const now = new Date('2026-11-21T08:00:00Z');
const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

let ingressAuthority: Issuer;
let authority: Issuer;
let ingress: X509Certificate;
let client: X509Certificate;
let time: Date;
let asked: (readonly X509Certificate[])[];
let isRevoked: boolean;
let reader: ClientCertificateReader;

const anAuthority = async (name: string, days: number): Promise<Issuer> => {
  const pem = key.export({ type: 'pkcs8', format: 'pem' });
  const subject = [{ CN: [name] }];
  const certificate = await issueCertificate({ profile: 'authority', subject, key, days, now });
  return { certificate, privateKey: createPrivateKey(pem) };
};

const issue = async (issuer: Issuer, name: string): Promise<X509Certificate> =>
  new X509Certificate(
    await issueCertificate({ profile: 'transport', subject: [{ CN: [name] }], key, issuer, days: 30, now }),
  );

class Revocation extends CertificateRevocation {
  override mayRelyOn(path: readonly X509Certificate[]): boolean {
    asked.push(path);
    return !isRevoked;
  }
}

beforeAll(async () => {
  ingressAuthority = await anAuthority('Ingress CA', 365);
  // It expires before the certificates that it has issued.
  authority = await anAuthority('TPP CA', 10);
  ingress = await issue(ingressAuthority, 'ingress');
  client = await issue(authority, 'client');
});

beforeEach(() => {
  time = now;
  asked = [];
  isRevoked = false;
  reader = createReader('nginx');
});

function createReader(clientCertificateSource: 'nginx' | 'tls'): ClientCertificateReader {
  const tls = {
    clientTrustAnchors: [authority.certificate],
    ingressTrustAnchors: [ingressAuthority.certificate],
    clientCertificateSource,
    ingressAddresses: ['127.0.0.1'],
  };
  const config = Object.assign(Object.create(Config.prototype) as Config, { tls });
  const clock = Object.assign(new Clock(), { now: () => time });
  return new ClientCertificateReader(config, clock, new Revocation());
}

/** A request as it comes from the ingress, over its own connection. */
function aRequest(header: string | string[], peer = ingress, authorized = true): FastifyRequest {
  const socket = Object.create(TLSSocket.prototype) as TLSSocket;
  const own = { authorized, remoteAddress: '127.0.0.1' };
  for (const [name, value] of Object.entries(own)) Object.defineProperty(socket, name, { value });
  socket.getPeerX509Certificate = () => peer;
  socket.getPeerCertificate = (() => ({})) as unknown as TLSSocket['getPeerCertificate'];
  const rawHeaders = [header].flat().flatMap((value) => ['SSL-Client-Cert', value]);
  return { raw: { socket, rawHeaders }, headers: { 'ssl-client-cert': header } } as unknown as FastifyRequest;
}

/** A request of a client itself; each connection reads the certificate again. */
const aRequestOf = (certificate: X509Certificate, authorized = true): FastifyRequest =>
  aRequest([], new X509Certificate(certificate.raw), authorized);

const escaped = (): string => encodeURIComponent(client.toString());

describe('a certificate that an ingress passes on', () => {
  it('is parsed and verified once, and asked about every time', async () => {
    const first = await reader.readUnrevoked(aRequest(escaped()));
    const second = await reader.readUnrevoked(aRequest(escaped()));
    expect(first?.certificate.raw).toEqual(client.raw);
    // The same object: what was read out of it, such as the addresses of revocation lists, is remembered with it.
    expect(second?.certificate).toBe(first?.certificate);
    expect(asked).toHaveLength(2);
    isRevoked = true;
    expect(await reader.readUnrevoked(aRequest(escaped()))).toBeUndefined();
  });

  it('counts no longer than every certificate above it', () => {
    expect(reader.read(aRequest(escaped()))).toBeDefined();
    time = new Date(now.getTime() + 11 * day);
    expect(Date.parse(client.validTo)).toBeGreaterThan(time.getTime());
    expect(reader.read(aRequest(escaped()))).toBeUndefined();
  });

  it('counts only from the ingress, however often it was seen before', () => {
    expect(reader.read(aRequest(escaped()))).toBeDefined();
    expect(reader.read(aRequest(escaped(), client))).toBeUndefined();
    expect(reader.read(aRequest([escaped(), escaped()]))).toBeUndefined();
    expect(reader.read(aRequest(`${escaped()}x`))).toBeUndefined();
  });
});

describe('a certificate of the connection itself', () => {
  beforeEach(() => {
    reader = createReader('tls');
  });

  it('is verified once for all connections, and asked about every time', async () => {
    const first = await reader.readUnrevoked(aRequestOf(client));
    const second = await reader.readUnrevoked(aRequestOf(client));
    expect(first?.certificate.raw).toEqual(client.raw);
    expect(second?.certificate).toBe(first?.certificate);
    expect(asked).toHaveLength(2);
    isRevoked = true;
    expect(await reader.readUnrevoked(aRequestOf(client))).toBeUndefined();
  });

  it('is verified again after a certificate of its path was revoked: a later connection may show another path', async () => {
    const before = await reader.readUnrevoked(aRequestOf(client));
    isRevoked = true;
    expect(await reader.readUnrevoked(aRequestOf(client))).toBeUndefined();
    isRevoked = false;
    const after = await reader.readUnrevoked(aRequestOf(client));
    expect(after?.thumbprint).toBe(before?.thumbprint);
    expect(after?.path).not.toBe(before?.path);
  });

  it('counts no longer than every certificate above it, and not if the handshake says that it does not', () => {
    expect(reader.read(aRequestOf(client))).toBeDefined();
    expect(reader.read(aRequestOf(client, false))).toBeUndefined();
    time = new Date(now.getTime() + 11 * day);
    expect(reader.read(aRequestOf(client))).toBeUndefined();
  });

  it('is good only for the purpose of its authority', () => {
    expect(reader.read(aRequestOf(client))).toBeDefined();
    expect(reader.readResourceServer(aRequestOf(client))).toBeUndefined();
    expect(reader.read(aRequestOf(ingress))).toBeUndefined();
  });
});

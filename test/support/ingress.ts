import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Agent, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';

/** The forms in which an ingress forwards the client's certificate. */
export type ForwardedForm = 'client-cert' | 'nginx' | 'envoy';

/** @returns the header with which an ingress passes a certificate on */
export function forwardedCertificate(form: ForwardedForm, pem: string): Record<string, string> {
  const certificate = new X509Certificate(pem);
  const escaped = encodeURIComponent(certificate.toString());
  switch (form) {
    case 'client-cert':
      return { 'client-cert': `:${certificate.raw.toString('base64')}:` };
    case 'nginx':
      return { 'ssl-client-cert': escaped };
    case 'envoy':
      return { 'x-forwarded-client-cert': `Hash=ignored;Cert="${escaped}"` };
  }
}

/** An ingress that ends TLS: requests the client's certificate and forwards it in a header. */
export class Ingress {
  private constructor(private readonly server: Server) {}

  /**
   * @param options.certificate its server certificate
   * @param options.clientAuthority PEM of the authority of the clients' certificates
   * @param options.upstream address of the application
   * @param options.agent with which it connects to the application
   */
  static async start(options: {
    certificate: string;
    privateKey: string;
    clientAuthority: string;
    form: ForwardedForm;
    upstream: string;
    agent: Agent;
  }): Promise<Ingress> {
    const { certificate, privateKey, clientAuthority, form, upstream, agent } = options;
    const tls = {
      cert: certificate,
      key: privateKey,
      ca: [clientAuthority],
      requestCert: true,
      rejectUnauthorized: true,
    };
    const server = createServer(tls, (incoming, outgoing) => {
      const { socket } = incoming;
      const peer = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
      const forwarded = peer ? forwardedCertificate(form, peer.toString()) : {};
      const headers = { ...incoming.headers, ...forwarded };
      const onward = request(`${upstream}${incoming.url}`, { method: incoming.method, headers, agent }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.writeHead(502).end());
      incoming.pipe(onward);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Ingress(server);
  }

  /** Its address. */
  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

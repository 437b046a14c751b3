import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

type Refusal = { readonly responseCode: number; readonly message: string };

type MailServerParts = {
  /** What it says to the next mails in place of taking them. */
  readonly refuses?: readonly Refusal[];
  /** Its certificate. Default: it encrypts nothing. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** From the first byte on, and not once it is asked to. */
  readonly isSecure?: boolean;
  /** Default: one that is free. */
  readonly port?: number;
};

/** A mail server on loopback. */
export async function mailServer({
  refuses = [],
  tls,
  isSecure = false,
  port: wanted = 0,
}: MailServerParts = {}) {
  const mails: string[] = [];
  const logins: string[] = [];
  /** What came unencrypted. */
  const inClear: ('login' | 'mail')[] = [];
  let said = '';
  const left = [...refuses];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    secure: isSecure,
    ...tls,
    ...(tls ? {} : { disabledCommands: ['STARTTLS'] }),
    onAuth({ username = '', password = '' }, { secure }, done) {
      if (!secure) inClear.push('login');
      logins.push(`${username}:${password}`);
      done(null, { user: username });
    },
    onData(stream, { secure }, done) {
      if (!secure) inClear.push('mail');
      let mail = '';
      stream.on('data', (chunk: Buffer) => (mail += chunk.toString('utf8')));
      stream.on('end', () => {
        const refusal = left.shift();
        if (refusal) return done(Object.assign(new Error(refusal.message), refusal));
        mails.push(mail);
        done();
      });
    },
  });
  // Whoever does not trust it hangs up.
  server.on('error', () => undefined);
  if (!tls)
    server.server.on('connection', (socket: Socket) => socket.on('data', (chunk) => (said += String(chunk))));
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  /** All that it was told, where it encrypts nothing. */
  const heard = () => said;
  return { url: `smtp://127.0.0.1:${port}`, mails, logins, inClear, heard };
}

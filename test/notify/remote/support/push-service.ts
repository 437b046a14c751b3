import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a browser shows. */
export type Shown = { readonly title: string; readonly body: string; readonly question?: string };

/** A push service on loopback, and what it was sent, as it came. */
export async function pushService() {
  const received: { path: string; headers: IncomingHttpHeaders; body: Buffer; at: number }[] = [];
  const state: { status: number; headers: Record<string, string>; text: string } = {
    status: 201,
    headers: {},
    text: '',
  };
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      received.push({ path: request.url ?? '', headers: request.headers, body, at: Date.now() });
      response.writeHead(state.status, state.headers).end(state.text);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, received, state };
}

/** A browser that has subscribed there, and reads what is sent to it (RFC 8291, RFC 8292). */
export function pushedBrowser(origin: string, path = '/push/1') {
  const keys = createECDH('prime256v1');
  const own = keys.generateKeys();
  const auth = randomBytes(16);
  const subscription = {
    endpoint: `${origin}${path}`,
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
  };
  const read = (message: Buffer): Shown => {
    const [salt, sender] = [message.subarray(0, 16), message.subarray(21, 86)];
    // Of one record, from a key of 65 bytes, and no longer than every service takes.
    if (
      message.readUInt32BE(16) < message.length - 86 ||
      message.readUInt8(20) !== 65 ||
      message.length > 4_096
    )
      throw new Error('It is none of RFC 8291');
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender]);
    const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32));
    const derived = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), length));
    const sealed = message.subarray(86);
    const opening = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
    opening.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')) as Shown;
  };
  return { subscription, read };
}

/** Whether the sender has proved that it has the private part of a key, to this service. */
export function isSignedFor(authorization: string | undefined, key: string, origin: string): boolean {
  const [, token = '', named] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  const [head, claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
  const isGenuine = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { aud, sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as {
    aud?: string;
    sub?: string;
    exp?: number;
  };
  const lastsS = (exp ?? 0) - Date.now() / 1_000;
  const isCurrent = lastsS > 0 && lastsS <= 86_400;
  return isGenuine && named === key && aud === origin && isCurrent && /^(?:https|mailto):/.test(sub ?? '');
}

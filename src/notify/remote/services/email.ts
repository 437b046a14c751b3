import { createTransport } from 'nodemailer';
import { sha256 } from '../../../lib/digest.ts';
import { cleanLine } from '../../../lib/text/hidden-characters.ts';
import { codeOf } from '../../../lib/system-error.ts';
import { DeliveryError } from '../delivery-error.ts';
import { placeOf } from '../channel-place.ts';
import { isOwnMachine } from '../own-machine.ts';
import { bodyText, type Message } from '../message.ts';
import { secretsOfLogin, withoutSecrets } from '../without-secrets.ts';
import type { RemoteChannel } from '../remote-channel.ts';

/** What mails need. */
export type EmailParts = {
  readonly name: string;
  /** `smtps://host:465`, or `smtp://host:587`. */
  readonly url: URL;
  readonly login: { readonly user: string; readonly password: string | undefined } | undefined;
  readonly from: string;
  readonly to: readonly string[];
};

/** How long a mail server may take, in ms: with each of its steps, and with all of them. */
const LIMIT_MS = 20_000;
/** How long it may take to hang up after that, in ms. */
const CLOSE_MS = 250;
const MAX_SAID = 160;

/** Sends mails: those about one request are one conversation, and one that was sent twice is known by its id. */
export function email({ name, url, login, from, to }: EmailParts): RemoteChannel {
  const isSecure = url.protocol === 'smtps:';
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  return {
    name,
    service: 'email',
    place: placeOf('email', ...to.toSorted()),
    async send(message, signal) {
      const transport = createTransport({
        host,
        port: Number(url.port) || (isSecure ? 465 : 587),
        secure: isSecure,
        // Nothing goes over a network in the clear.
        requireTLS: !isSecure && !isOwnMachine(host),
        ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password ?? '' } }),
        connectionTimeout: LIMIT_MS,
        greetingTimeout: LIMIT_MS,
        socketTimeout: LIMIT_MS,
        socketCloseTimeout: CLOSE_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      // One that always says a little more is never silent: no step of it takes too long.
      const whole = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
      try {
        await transport.sendMail({ ...mailOf(message, { from, to }), signal: whole });
        return {
          said: `${url.host} has taken it for ${to.length === 1 ? '1 address' : `${to.length} addresses`}`,
        };
      } catch (error) {
        if (signal.aborted) throw new DeliveryError(`${url.host} was not waited for any longer`);
        if (whole.aborted)
          throw new DeliveryError(`${url.host} has not taken it within ${LIMIT_MS / 1_000} s`);
        throw failure(url.host, error, login);
      } finally {
        transport.close();
      }
    },
  };
}

function mailOf(message: Message, { from, to }: Pick<EmailParts, 'from' | 'to'>) {
  const about =
    message.request === undefined ? {} : { references: idOf(sha256(message.request).slice(0, 32)) };
  return {
    from,
    to: [...to],
    subject: message.title,
    text: bodyText(message) || message.title,
    messageId: idOf(message.id),
    ...about,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function idOf(text: string): string {
  return `<${text}@clifford.invalid>`;
}

function failure(host: string, error: unknown, login: EmailParts['login']): DeliveryError {
  const status =
    error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
      ? error.responseCode
      : undefined;
  const said = error instanceof Error && status !== undefined ? error.message : '';
  const safe = login?.password ? withoutSecrets(said, secretsOfLogin(login.user, login.password)) : said;
  const code = codeOf(error);
  const why =
    status === undefined
      ? `cannot be reached${code === undefined ? '' : ` (${code})`}`
      : `refused it: ${cleanLine(safe, MAX_SAID)}`;
  return new DeliveryError(`${host} ${why}`, {
    ...(status === undefined ? {} : { kind: `${host} ${status}` }),
    isRefusal: status !== undefined && status >= 500,
  });
}

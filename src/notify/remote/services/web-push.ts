import webPush from 'web-push';
import { clip } from '../../../lib/text/clip.ts';
import { pushKeys } from '../../../workflow/push/push-keys.ts';
import {
  removePushSubscriptions,
  validPushSubscriptions,
  type CheckedPushPlace,
  type PushSubscription,
} from '../../../workflow/push/push-subscriptions.ts';
import { DeliveryError } from '../delivery-error.ts';
import { bodyText, type Message } from '../message.ts';
import { secretsOfUrl } from '../without-secrets.ts';
import { postBytes } from '../post-json.ts';
import type { RemoteChannel } from '../remote-channel.ts';

/** How long a push service keeps a message for a browser that is away, in seconds. */
const KEPT_S = 86_400;
/** So much of a message is shown, in characters: all of it, encrypted, has 4,096 bytes at most. */
const MAX_TITLE = 200;
const MAX_BODY = 600;
/** What sends: push services want an address that says so. */
const SUBJECT = 'https://www.npmjs.com/package/clifford';

/** No channel of the configuration can have a name with a blank. */
const PAGE = 'the page';

/**
 * Calls the browsers that have asked for it on the page. What is said is encrypted for each of them: the push service in
 * between learns when, to whom and how long, and not what.
 */
export function webPushChannel(parts: CheckedPushPlace): RemoteChannel {
  return {
    name: PAGE,
    service: 'web-push',
    hasReceivers: async () => (await validPushSubscriptions(parts)).length > 0,
    async send(message, signal) {
      const subscriptions = await validPushSubscriptions(parts);
      const keys = await pushKeys(parts.env);
      const vapidDetails = { subject: SUBJECT, ...keys };
      const outcomes = await Promise.allSettled(
        subscriptions.map((each) => pushTo(each, message, { parts, vapidDetails, signal })),
      );
      const taken = outcomes.filter((each) => each.status === 'fulfilled' && each.value).length;
      const failed = outcomes.find((each) => each.status === 'rejected');
      // Told again it would come twice to those who have it.
      if (taken === 0) throw failed?.reason ?? new DeliveryError('no browser is there any more');
      return { said: `told ${taken} of ${subscriptions.length} browsers` };
    },
  };
}

type Push = {
  readonly parts: CheckedPushPlace;
  readonly vapidDetails: {
    readonly subject: string;
    readonly publicKey: string;
    readonly privateKey: string;
  };
  readonly signal: AbortSignal;
};

/** @returns whether it was taken. @throws {DeliveryError} */
async function pushTo(
  { endpoint, p256dh, auth }: PushSubscription,
  message: Message,
  { parts, vapidDetails, signal }: Push,
): Promise<boolean> {
  const isWanted = message.request !== undefined || message.kind === 'waiting';
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    payloadOf(message),
    {
      vapidDetails,
      TTL: KEPT_S,
      urgency: isWanted ? 'high' : 'normal',
      // What is told again takes the place of what waits there undelivered.
      topic: message.tag === '' ? undefined : message.tag.replaceAll(/[^\w-]/g, '-').slice(0, 32),
    },
  );
  const url = new URL(endpoint);
  const { status, refusal } = await postBytes({
    url,
    body: new Uint8Array(body ?? []),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    secrets: secretsOfUrl(url),
    signal,
  });
  // The browser has forgotten it, or its user has taken it back.
  const isGone = status === 404 || status === 410;
  if (isGone) await removePushSubscriptions(parts, (each) => each.endpoint === endpoint);
  else if (refusal) throw refusal;
  return !isGone;
}

function payloadOf({ title, request, ...message }: Message): string {
  return JSON.stringify({
    title: clip(title, MAX_TITLE),
    // It is answered where it is shown: on the page.
    body: clip(bodyText({ ...message, title, hint: '', link: undefined }), MAX_BODY),
    ...(request === undefined ? {} : { question: request }),
  });
}

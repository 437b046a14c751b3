import { z } from 'zod';
import { count } from '../../lib/text/count.ts';
import { duration } from '../../lib/time/duration.ts';
import { observation } from '../descriptor.ts';
import { durationMsSchema, nameSchema, textSchema } from '../field-schemas.ts';

/** `channel` is its name in the configuration, `service` what it goes through: `telegram`, `email`, …; `here`: a program of this machine. */
const channelShape = { channel: nameSchema, service: nameSchema };

/** A digest of where its messages go: which bot, chat or address. What a service calls a message is known there alone. */
const placeShape = { place: nameSchema.optional() };

/** Facts about calling a human who is elsewhere. Subject: the task where it is about one, else the stream. */
export const notifyEvents = {
  /**
   * A service has taken a message. `about` is the kind of the notification; `requests` are those it tells of, `ref` how the
   * service names the message at `place`: a reply to it names it, too. `failures` are tasks that it says have failed, each with the attempt that
   * did. `showsCall`: the whole of the tool call that waits stood in it, so
   * that a yes to it is for that call. `sentAt`: when that was, where the log may have taken the event later.
   */
  'notify.sent': observation({
    data: () =>
      z.strictObject({
        ...channelShape,
        ...placeShape,
        about: nameSchema,
        requests: z.array(nameSchema).optional(),
        failures: z.array(z.strictObject({ task: nameSchema, attempt: z.int().nonnegative() })).optional(),
        ref: nameSchema.optional(),
        showsCall: z.literal(true).optional(),
        sentAt: z.iso.datetime().optional(),
      }),
    text: ({ channel, service, about, requests = [] }) =>
      `${about} to ${channel} (${service})${requests.length > 1 ? `: ${count(requests.length, 'request')}` : ''}`,
  }),
  /** The message that told of a request says how that ended, and can be answered no more. */
  'notify.settled': observation({
    data: () => z.strictObject({ ...channelShape, ...placeShape, request: nameSchema, ref: nameSchema }),
    text: ({ channel, service, request }) => `${channel} (${service}) says how ${request} ended`,
  }),
  /** A channel does not work. Said once until it works again, or fails for another reason. */
  'notify.failed': observation({
    data: () => z.strictObject({ ...channelShape, why: textSchema, retryMs: durationMsSchema.optional() }),
    title: 'Channel failed',
    text: ({ channel, service, why, retryMs }) =>
      `${channel} (${service}): ${why}${retryMs === undefined ? '' : `; tried again in ${duration(retryMs)}`}`,
  }),
  /** Somebody who may not, answered. `sender` as the service names them; `times`: how often since it was said last. */
  'notify.refused': observation({
    data: () =>
      z.strictObject({ ...channelShape, sender: nameSchema, why: textSchema, times: z.int().positive() }),
    title: 'Reply refused',
    text: ({ channel, sender, why, times }) =>
      `${channel}: ${sender} ${why}${times === 1 ? '' : ` (${times} times)`}`,
  }),
};

import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';
import { webServer, type Answer } from './web-server.ts';

const paramsSchema = z.looseObject({
  channel: z.string().optional(),
  text: z.string().optional(),
  ts: z.string().optional(),
  thread_ts: z.string().optional(),
});
/** A call of the Web API. */
export type SlackApiCall = z.infer<typeof paramsSchema> & { readonly method: string };

const blocksSchema = z.array(
  z.looseObject({
    type: z.string(),
    elements: z
      .array(
        z.looseObject({ value: z.string().max(2_000), text: z.looseObject({ text: z.string().max(75) }) }),
      )
      .max(25)
      .optional(),
    text: z.looseObject({ text: z.string().max(3_000) }).optional(),
  }),
);

/**
 * Speaks as Slack does, as far as https://docs.slack.dev describes it: the Web API, and Socket Mode, whose envelopes come
 * again until they are acknowledged.
 */
export async function slackServer({ token, appToken }: { token: string; appToken: string }) {
  const calls: SlackApiCall[] = [];
  const acknowledged: string[] = [];
  const sockets = new Set<WebSocket>();
  const troubles: Answer[] = [];
  let connections = 0;
  let nextTs = 1;
  const { url, server } = await webServer(({ path, body, headers }) =>
    answer(path, body, headers['authorization']),
  );
  const webSockets = new WebSocketServer({ server, path: '/link' });
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate();
    webSockets.close();
  });
  webSockets.on('connection', (socket) => {
    sockets.add(socket);
    connections += 1;
    socket.on('close', () => sockets.delete(socket));
    socket.on('message', (data: Buffer) => {
      acknowledged.push(
        z.object({ envelope_id: z.string() }).parse(JSON.parse(data.toString('utf8'))).envelope_id,
      );
    });
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
  });

  const ok = (more: object) => ({ json: { ok: true, ...more } });
  const fits = (body: string) =>
    blocksSchema.optional().safeParse(paramsSchema.parse(JSON.parse(body))['blocks']).success;
  const answer = (path: string, body: string, authority: unknown): Answer => {
    const method = path.replace('/api/', '');
    calls.push({ method, ...paramsSchema.parse(JSON.parse(body)) });
    const needed = method === 'apps.connections.open' ? appToken : token;
    if (authority !== `Bearer ${needed}`) return { json: { ok: false, error: 'invalid_auth' } };
    switch (method) {
      case 'apps.connections.open':
        return ok({ url: `${url.replace('http', 'ws')}/link?ticket=1` });
      case 'chat.postMessage': {
        if (troubles.length > 0) return troubles.shift();
        if (!fits(body)) return { json: { ok: false, error: 'invalid_blocks' } };
        const ts = `1700000000.${String(nextTs).padStart(6, '0')}`;
        nextTs += 1;
        return ok({ ts, channel: 'C1' });
      }
      case 'chat.update':
        return fits(body) ? ok({}) : { json: { ok: false, error: 'invalid_blocks' } };
      default:
        return { json: { ok: false, error: 'unknown_method' } };
    }
  };
  const send = (envelope: object) => {
    for (const socket of sockets) socket.send(JSON.stringify(envelope));
  };
  return {
    url,
    calls,
    acknowledged,
    troubles,
    posted: () => calls.filter(({ method }) => method === 'chat.postMessage'),
    connected: () => sockets.size,
    connections: () => connections,
    buttons: () =>
      calls
        .flatMap(({ blocks }) => blocksSchema.safeParse(blocks).data ?? [])
        .flatMap(({ elements = [] }) => elements)
        .map(({ value, text }) => ({ value, label: text.text })),
    press: (
      id: string,
      value: string,
      { user, ts, channel = 'C1' }: { user: string; ts: string; channel?: string },
    ) =>
      send({
        type: 'interactive',
        envelope_id: id,
        accepts_response_payload: true,
        payload: {
          type: 'block_actions',
          user: { id: user, username: 'x', team_id: 'T1' },
          container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
          actions: [{ type: 'button', action_id: 'clifford-0', block_id: 'b', value }],
        },
      }),
    write: (
      id: string,
      text: string,
      {
        user,
        thread,
        channel = 'C1',
        subtype,
      }: { user: string; thread: string; channel?: string; subtype?: string },
    ) =>
      send({
        type: 'events_api',
        envelope_id: id,
        accepts_response_payload: false,
        payload: {
          type: 'event_callback',
          event: {
            type: 'message',
            ...(subtype === undefined ? {} : { subtype }),
            ...(subtype === 'file_share' ? { files: [{ id: 'F1' }] } : {}),
            user,
            text,
            channel,
            ts: '1700000001.000001',
            thread_ts: thread,
            channel_type: 'channel',
          },
        },
      }),
    disconnect: () => send({ type: 'disconnect', reason: 'refresh_requested', debug_info: {} }),
    cut: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}

import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Hono } from 'hono';
import { endpoints, liveQuerySchema } from '../api/endpoints.ts';
import { openApi } from '../api/open-api.ts';
import { addEndpoints, guardedApp, noAddress } from './guarded-app.ts';
import type { AppEnv, Gate } from './guards/gate.ts';
import { apiHeaders } from './guards/security-headers.ts';
import { actHandlers } from './handlers/act.ts';
import { callsHandlers } from './handlers/calls.ts';
import { changesHandlers } from './handlers/changes.ts';
import { decideAllHandlers } from './handlers/decide-all.ts';
import { decideHandlers } from './handlers/decide.ts';
import type { Handlers } from './handlers/handlers.ts';
import { lookBackHandlers } from './handlers/look-back.ts';
import { lookHandlers } from './handlers/look.ts';
import { lookingHandlers } from './handlers/looking.ts';
import { pushHandlers } from './handlers/push.ts';
import { revealHandlers } from './handlers/reveal.ts';
import { taskHandlers } from './handlers/task.ts';
import type { LiveHub } from './live/live-hub.ts';
import type { PageFiles } from './page-files.ts';
import { parse } from './read-request.ts';
import { refuse } from './refuse.ts';
import { sendPage } from './send-page.ts';
import type { Serving } from './serving.ts';

type AppDeps = {
  readonly serving: Serving;
  readonly hub: LiveHub;
  readonly gate: Gate;
  /** `undefined`: it was not built. */
  readonly page: () => PageFiles | undefined;
  /** Told of what is refused and of bugs. It never has a token in it. */
  readonly report: (problem: unknown) => void;
  /** Told of what ends it: the log is another one. */
  readonly fail: (error: unknown) => void;
  /** The part of the path of a request that is about this project. Default: all of it. */
  readonly getPath?: (request: Request) => string;
};

/** Answers everything about one project, and sends its page. */
export function createApp({ serving, hub, page, fail, ...guarded }: AppDeps): Hono<AppEnv> {
  const app = guardedApp({
    ...guarded,
    refused: ({ body }, error) => {
      if (body.error.code === 'LOG_REPLACED') fail(error);
    },
  });
  const handlers: Handlers = {
    ...lookHandlers(serving),
    ...lookBackHandlers(serving),
    ...callsHandlers(serving),
    ...changesHandlers(serving),
    ...taskHandlers(serving),
    ...decideHandlers(serving),
    ...decideAllHandlers(serving),
    ...revealHandlers(serving),
    ...actHandlers(serving),
    ...lookingHandlers(serving),
    ...pushHandlers(serving),
  };
  addEndpoints(app, endpoints, handlers);
  app.get('/api/openapi.json', () => Response.json(openApi(serving.version), { headers: apiHeaders }));
  app.get('/api/events', (c) => {
    const follows = parse(liveQuerySchema, c.req.query(), 'query');
    hub.open(c.env.outgoing, {
      caller: c.get('caller'),
      follows,
      lastId: c.req.header('last-event-id'),
      headers: apiHeaders,
    });
    return RESPONSE_ALREADY_SENT;
  });
  app.get('*', (c) => sendPage(c.req.path, page(), 'project') ?? refuse(noAddress(c)));
  return app;
}

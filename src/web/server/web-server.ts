import { realpathSync } from 'node:fs';
import { createApp } from './app.ts';
import { Gate } from './guards/gate.ts';
import { listen, type ListenOptions } from './listen.ts';
import { OpenStreams } from './live/open-streams.ts';
import { pageIn } from './page-files.ts';
import { serveProject, type ServedOptions } from './served-project.ts';
import { Authenticator } from './tokens/authenticator.ts';
import { newToken, readTokens } from './tokens/named-tokens.ts';

/** How to serve a project. */
export type WebServerOptions = ListenOptions &
  ServedOptions & {
    /** Who answers with the token of this start, as the log names them. */
    readonly by: string;
    /** The folder of the built page. */
    readonly pageFolder: string;
  };

/** A server that is listening. */
export type WebServer = {
  /** Without the token: `http://127.0.0.1:4400/`. */
  readonly url: string;
  readonly port: number;
  /** Of this start: it may decide. */
  readonly token: string;
  /** How many streams are open. */
  readonly streams: () => number;
  /** Rejects when it cannot go on: the log is another one. */
  readonly failed: Promise<never>;
  /** Ends all streams and connections. Safe to call twice. */
  readonly close: () => Promise<void>;
};

/**
 * Serves the page and the API of a project, until it is closed.
 *
 * @throws {CliffordError} `PORT_TAKEN`, `HOST_UNUSABLE`, `CERTIFICATE_UNREADABLE`.
 */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  const { project, env, tls, report } = options;
  const token = newToken();
  const root = realpathSync(project.root);
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const authenticator = new Authenticator({
    own: { token, name: options.by },
    named: () => readTokens(env, root),
  });
  const streams = new OpenStreams();
  const served = await serveProject(options, {
    streams,
    ended: (identities) => authenticator.ended(identities),
    fail,
  });
  const page = pageIn(options.pageFolder);
  try {
    const { url, port, close } = await listen(options, ({ hosts, noteKnown }) => {
      const gate = new Gate({ authenticator, hosts, noteKnown, isTls: tls !== undefined });
      return createApp({ ...served, gate, page, report, fail }).fetch;
    });
    return {
      url,
      port,
      token,
      streams: () => streams.count,
      failed,
      close: async () => {
        // Streams first: a connection that has one does not end by itself.
        served.end();
        await close();
        await served.close();
      },
    };
  } catch (error) {
    served.end();
    await served.close();
    throw error;
  }
}

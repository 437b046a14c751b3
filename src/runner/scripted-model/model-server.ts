import type { Conversation } from './conversation.ts';
import { Exchanges, type Exchange } from './exchanges.ts';
import { ScriptedModel } from './scripted-model.ts';
import type { Script, Scripts } from './script.ts';
import { writeJson } from './write-answer.ts';

// An import would look at all that it has, which loads Node's own `fetch`, too: that takes longer than Node's start.
const { createServer } = process.getBuiltinModule('node:http');

/** A model that does what a script says, in the words of four providers. Loopback only. */
export type ModelServer = {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** What no test wants: tools that were not offered, unknown paths, prompts without a script. */
  readonly surprises: readonly string[];
  /**
   * The latest state of the conversation with this key, or of the latest at all.
   *
   * @throws {Error} when there was none.
   */
  readonly conversation: (key?: string) => Conversation;
  /** Waits until an exchange is like this, unless there was one. */
  readonly until: (is: (exchange: Exchange) => boolean) => Promise<Exchange>;
  /** Lets stalled conversations go on. */
  readonly release: () => void;
  readonly close: () => Promise<void>;
};

/** Options of {@link startModelServer}. */
export type ModelServerOptions = {
  /** One script for all conversations, or one for each text that a first prompt may contain. */
  readonly script: Script | Scripts;
  /** 0, the default: any that is free. */
  readonly port?: number;
  readonly onExchange?: (exchange: Exchange) => void;
};

/** Starts a scripted model on loopback. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const exchanges = new Exchanges();
  if (options.onExchange) exchanges.subscribe(options.onExchange);
  const model = new ScriptedModel(options.script, exchanges);
  const server = createServer((request, response) => {
    model.handle(request, response).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      exchanges.surprises.push(why);
      exchanges.record({ path: request.url ?? '', answered: why });
      // Which no client tries again: the test is to fail now.
      const body = { error: { message: why } };
      if (response.headersSent) response.destroy();
      else writeJson(response, { status: 400, headers: {}, body });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    exchanges: exchanges.all,
    surprises: exchanges.surprises,
    conversation: (key) => exchanges.conversation(key),
    until: (is) => exchanges.until(is),
    release: () => model.release(),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

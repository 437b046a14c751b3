import type { IncomingMessage, ServerResponse } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { chatCompletions } from './chat-completions.ts';
import { conversationOf, type Conversation } from './conversation.ts';
import type { Exchange, Exchanges } from './exchanges.ts';
import { generateContent } from './generate-content.ts';
import { messages } from './messages.ts';
import type { Protocol } from './protocol.ts';
import { replyTo, sideReply, type Reply } from './reply.ts';
import { responses } from './responses.ts';
import { ScriptPlayer } from './script-player.ts';
import type { Script, Scripts } from './script.ts';
import { writeEvents, writeJson } from './write-answer.ts';

const protocols: readonly Protocol[] = [chatCompletions, responses, messages, generateContent];

/** A request that has been read, and where its answer goes. */
type Asked = {
  readonly protocol: Protocol;
  readonly path: string;
  readonly body: unknown;
  readonly conversation: Conversation;
  readonly response: ServerResponse;
};

/** Answers requests as the scripts say. */
export class ScriptedModel {
  readonly #exchanges: Exchanges;
  readonly #players: readonly (readonly [string, ScriptPlayer])[];
  #gate = Promise.withResolvers<void>();

  constructor(script: Script | Scripts, exchanges: Exchanges) {
    this.#exchanges = exchanges;
    const scripts = isScript(script) ? { '': script } : script;
    this.#players = Object.entries(scripts).map(([key, one]) => [key, new ScriptPlayer(one)]);
  }

  /** Lets stalled conversations go on. */
  release(): void {
    this.#gate.resolve();
    this.#gate = Promise.withResolvers();
  }

  /**
   * Answers one request, or leaves it without an answer as long as the script wants.
   *
   * @throws {Error} when it cannot be read, or the script wants a tool that it does not offer.
   */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path } = new URL(request.url ?? '/', 'http://model');
    const counting = protocols.find(({ counts }) => counts?.path.test(path))?.counts;
    const protocol = protocols.find((one) => one.path.test(path));
    if (request.method !== 'POST' || !(counting ?? protocol)) return this.#notFound(request, path, response);
    const body: unknown = await readJson(request);
    if (!protocol) {
      this.#exchanges.record({ path, body, answered: 'side' });
      return writeJson(response, { status: 200, headers: {}, body: counting?.body });
    }
    const conversation = conversationOf(protocol.read(body, path));
    const asked = { protocol, path, body, conversation, response };
    // Titles and the like are asked for without tools.
    if (conversation.tools.length > 0) return this.#play(asked);
    this.#saw(asked, 'side');
    return give(asked, sideReply('A task of a sprint'));
  }

  async #play(asked: Asked): Promise<void> {
    const { protocol, conversation, response } = asked;
    const found = this.#players.find(([key]) => conversation.prompt.includes(key));
    if (!found) throw new Error(`no script for the prompt: ${conversation.prompt.slice(-200)}`);
    const [key, player] = found;
    for (;;) {
      const turn = await player.next(conversation);
      if ('stall' in turn) {
        const released = this.#gate.promise;
        this.#saw(asked, 'stalled', key);
        await released;
        player.release(turn);
      } else if ('fail' in turn) {
        player.hasFailed(turn);
        this.#saw(asked, turn.fail.kind, key);
        return writeJson(response, protocol.refuse(turn.fail));
      } else {
        const reply = replyTo(turn, conversation);
        this.#saw(asked, reply.calls.map(({ tool }) => tool.name).join(', ') || 'text', key);
        return give(asked, reply);
      }
    }
  }

  #saw({ path, body, conversation }: Asked, answered: string, key?: Exchange['key']): void {
    this.#exchanges.record({ path, body, conversation, answered, key });
  }

  #notFound({ method, url }: IncomingMessage, path: string, response: ServerResponse): void {
    this.#exchanges.record({ path, answered: 'not found' });
    // Some look whether anybody is there before they begin.
    if (method === 'POST') this.#exchanges.surprises.push(`unknown path ${url}`);
    writeJson(response, { status: 404, headers: {}, body: { error: { message: `no ${path}` } } });
  }
}

async function give({ protocol, conversation, response }: Asked, reply: Reply): Promise<void> {
  if (conversation.request.stream) return writeEvents(response, protocol.events(reply), reply.paceMs);
  return writeJson(response, { status: 200, headers: {}, body: protocol.json(reply) });
}

function isScript(script: Script | Scripts): script is Script {
  return typeof script === 'function' || Array.isArray(script) || 'resumedBy' in script;
}

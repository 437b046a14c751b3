import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { isOwnAddress } from '../../../lib/net/own-address.ts';
import { printedWord } from '../../../lib/text/shell-word.ts';
import type { Caller } from '../callers/caller.ts';
import { refusal } from '../refuse.ts';
import type { Refusal } from '../refusal.ts';
import type { Authenticator } from '../tokens/authenticator.ts';
import { RequestLimits } from './limit-requests.ts';
import type { OwnHosts } from './own-hosts.ts';

/** What is known of a request once it has passed; `passed`: in front of the app already. */
export type AppEnv = {
  Bindings: HttpBindings & { readonly passed?: Caller };
  Variables: { caller: Caller };
};

type GateDeps = {
  readonly authenticator: Authenticator;
  readonly hosts: OwnHosts;
  readonly isTls: boolean;
  /** Is told of connections by which valid tokens come. */
  readonly noteKnown: (connection: Socket) => void;
};

/** What every request to the API has to pass, whichever project it is about: one for each server, which counts requests. */
export class Gate {
  readonly #deps: GateDeps;
  readonly #limits = new RequestLimits();

  constructor(deps: GateDeps) {
    this.#deps = deps;
  }

  /** Who sends a request. @throws {Refusal} 401, 403, 429. */
  async pass(c: Context<AppEnv>): Promise<Caller> {
    const { hosts, authenticator, isTls, noteKnown } = this.#deps;
    const host = c.req.header('host') ?? '';
    if (!hosts.isOwnOrigin(c.req.header('origin'), host) || isForeignFetch(c)) throw foreignOrigin();
    const { socket } = c.env.incoming;
    const identified = await authenticator.identify(c.req.header('authorization'));
    if (identified.is === 'known') {
      noteKnown(socket);
      this.#limits.noteValid(identified.identity);
      const isHere = isOwnAddress(socket.remoteAddress);
      return { ...identified.identity, socket, isHere, isPrivate: isHere || isTls };
    }
    this.#limits.noteWrong(socket.remoteAddress ?? '');
    throw identified.is === 'expired' ? tokenExpired(identified.name) : noToken(identified.is);
  }
}

/** Of what a browser says itself: a page of somebody else's sends it. */
function isForeignFetch(c: Context<AppEnv>): boolean {
  const site = c.req.header('sec-fetch-site');
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function foreignOrigin(): Refusal {
  return refusal(
    403,
    'ORIGIN_FOREIGN',
    'Cannot take a request of a page of another origin',
    'Open the address that clifford serve has printed, or name yours: clifford serve --name <origin>',
  );
}

function noToken(is: 'missing' | 'unknown'): Refusal {
  const why = is === 'missing' ? 'it has no token' : 'its token is none of this server, or has been revoked';
  return refusal(
    401,
    'TOKEN_NEEDED',
    `Cannot answer this request: ${why}`,
    'Open the address that clifford serve has printed: the token of another start is not valid any more',
  );
}

function tokenExpired(name: string): Refusal {
  return refusal(
    401,
    'TOKEN_EXPIRED',
    `Cannot answer this request: the time of the token ${name} is over`,
    `Make another one: clifford serve token revoke ${printedWord(name)}, then clifford serve token add`,
  );
}

import { timingSafeEqual } from 'node:crypto';
import { CliffordError } from '../../../errors.ts';
import { sha256 } from '../../../lib/digest.ts';
import { isExpired, type Access, type NamedToken } from './named-tokens.ts';

/** Whose token it is. */
export type Identity = {
  /** As the log names who answers with it. */
  readonly name: string;
  readonly may: Access;
  readonly expiresAt?: string | undefined;
  /** Of its token. */
  readonly digest: string;
  /** It was made to be shared, or for another device; `false`: it is that of this start. */
  readonly isNamed: boolean;
};

/** What a request says of who sent it. */
export type Identified =
  | { readonly is: 'known'; readonly identity: Identity }
  | { readonly is: 'missing' | 'unknown' }
  | { readonly is: 'expired'; readonly name: string };

type AuthenticatorDeps = {
  /** The token of this start, and who has it. */
  readonly own: { readonly token: string; readonly name: string };
  /** Those that were made for the project, as they are now. */
  readonly named: () => Promise<readonly NamedToken[]>;
};

/** Longer ones are none of ours. */
const LONGEST = 256;

/** Says whose token a request has. Tokens are compared by their digests, in constant time, each with every one. */
export class Authenticator {
  readonly #own: Identity;
  readonly #named: AuthenticatorDeps['named'];

  constructor({ own, named }: AuthenticatorDeps) {
    this.#own = { name: own.name, may: 'decide', digest: sha256(own.token), isNamed: false };
    this.#named = named;
  }

  /**
   * @param header - `Authorization`, as it came.
   * @throws {CliffordError} `TOKENS_UNREADABLE`.
   */
  async identify(header: string | undefined): Promise<Identified> {
    const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(header ?? '') ?? [];
    if (token === undefined || token.length > LONGEST)
      return { is: header === undefined ? 'missing' : 'unknown' };
    const digest = sha256(token);
    if (isSame(this.#own, digest)) return { is: 'known', identity: this.#own };
    const matching = (await this.#named()).filter((each) => isSame(each, digest));
    const [found] = matching;
    if (!found) return { is: 'unknown' };
    if (isExpired(found)) return { is: 'expired', name: found.name };
    const { name, may, expiresAt } = found;
    return { is: 'known', identity: { name, may, expiresAt, digest, isNamed: true } };
  }

  /** Those of these whose tokens are not valid any more: all that were made, where nobody can say which are. */
  async ended<T extends Identity>(identities: readonly T[]): Promise<T[]> {
    const others = identities.filter(({ digest }) => digest !== this.#own.digest);
    if (others.length === 0) return [];
    let named: readonly NamedToken[];
    try {
      named = await this.#named();
    } catch (error) {
      // Whoever asks again is told why.
      if (error instanceof CliffordError) return others;
      throw error;
    }
    return others.filter(({ digest }) => {
      const now = named.find((each) => each.digest === digest);
      return now === undefined || isExpired(now);
    });
  }
}

function isSame({ digest }: { readonly digest: string }, other: string): boolean {
  return timingSafeEqual(Buffer.from(digest), Buffer.from(other));
}

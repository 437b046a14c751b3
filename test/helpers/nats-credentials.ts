import { nkeys } from '@nats-io/transport-node';

const NO_LIMITS = { subs: -1, data: -1, payload: -1 };

/** An account of a server that knows no users itself, but trusts an operator, who has signed it: it signs its users. */
export class NatsAccount {
  readonly #key = nkeys.createAccount();
  /** For the configuration of the server. */
  readonly config: string;

  constructor() {
    const operator = nkeys.createOperator();
    const limits = { ...NO_LIMITS, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
    const stored = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
    // A server keeps streams only where one account is its own, which may have none.
    const system = nkeys.createAccount().getPublicKey();
    const accounts = [
      [system, { type: 'account', limits }],
      [this.#key.getPublicKey(), { type: 'account', limits: { ...limits, ...stored } }],
    ] as const;
    const preload = accounts.map(([account, nats]) => `${account}: ${signed(operator, account, { nats })}`);
    const own = signed(operator, operator.getPublicKey(), { nats: { type: 'operator' } });
    this.config =
      `operator: ${own}\nsystem_account: ${system}\n` +
      `resolver: MEMORY\nresolver_preload: { ${preload.join(', ')} }`;
  }

  /** What a user has in a `.creds` file. `lives`: how long it is good for, in seconds; `may`: its permissions, if it has not all. */
  credentials({ lives, may }: { readonly lives?: number; readonly may?: object } = {}): string {
    const user = nkeys.createUser();
    const jwt = signed(this.#key, user.getPublicKey(), {
      ...(lives !== undefined && { exp: Math.floor(Date.now() / 1_000) + lives }),
      nats: { type: 'user', ...NO_LIMITS, ...may },
    });
    const seed = Buffer.from(user.getSeed()).toString();
    return (
      `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n` +
      `-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`
    );
  }
}

/** A statement about a key, signed by another one, or by itself. */
function signed(
  issuer: nkeys.KeyPair,
  sub: string,
  { nats, ...claims }: { readonly nats: object; readonly exp?: number },
): string {
  const iat = Math.floor(Date.now() / 1_000);
  const parts = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    { jti: sub, iat, iss: issuer.getPublicKey(), sub, ...claims, nats: { ...nats, version: 2 } },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
}

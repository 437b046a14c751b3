/** Which server has a log, how it lets one in, and what the project is called there. */
export type LogAddress = {
  /** The log in messages, without secrets: `nats://host:4222/project`. */
  readonly name: string;
  /** Letters, digits, `_` and `-`. */
  readonly project: string;
  /** One or several of a cluster: `host:4222`. */
  readonly servers: readonly string[];
  /** Whether the connection has to be encrypted. A server may ask for it in any case. */
  readonly isEncrypted?: boolean | undefined;
  /** Files in PEM: whom to trust, and who one is. Default: whom the system trusts, and nobody. */
  readonly tls?: {
    readonly ca?: string | undefined;
    readonly cert?: string | undefined;
    readonly key?: string | undefined;
  };
  /** Default: none. */
  readonly login?: Login | undefined;
};

/** How a server lets somebody in. Files are absolute. */
export type Login =
  | { readonly credentialsFile: string }
  | { readonly nkeyFile: string }
  | { readonly user: string; readonly password: string }
  | { readonly token: string };

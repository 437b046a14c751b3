/** How an agent CLI is made to start its MCP servers without asking a model anything. */
export type ModelFreeStart = {
  /** How it is called, made from how it would be called for a run. */
  readonly args: (launch: { readonly args: readonly string[] }) => readonly string[];
  /** Added to the environment of the launch. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is written to its stdin, which stays open. */
  readonly input?: (projectRoot: string) => string;
  /** Whether its user is logged in, where a line that it prints says so. */
  readonly isLoggedIn?: (line: string) => boolean | undefined;
  /** It starts no server for somebody who is not. */
  readonly needsLogin?: true;
};

/** How Clifford introduces itself there. */
export const clientInfo = { name: 'clifford-doctor', title: 'Clifford', version: '0' };

/** Requests as JSON-RPC over lines. */
export function requestLines(...messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
}

/** These flags out of an argument list, each with its value; of those with a value that fits. */
export function pickedFlags(args: readonly string[], flags: readonly string[], fits = /^/): string[] {
  return args.flatMap((arg, index) => {
    const [flag = '', inline] = arg.split(/=(.*)/s, 2);
    const value = inline ?? args[index + 1];
    if (!flags.includes(flag) || value === undefined || !fits.test(value)) return [];
    return inline === undefined ? [arg, value] : [arg];
  });
}

/** How far a human's yes reaches. */
export type GrantScope =
  | { readonly kind: 'task'; readonly stream: string; readonly taskId: string }
  | { readonly kind: 'sprint'; readonly stream: string }
  | { readonly kind: 'always' };

/** A yes of a human that holds for later calls of the same tool, too. */
export type GrantedRule = {
  readonly id: string;
  /** The server's id and the tool's own name, letter by letter: no patterns. */
  readonly server: string;
  readonly tool: string;
  /** Digest of the definition that the human saw. */
  readonly definitionDigest: string;
  readonly scope: GrantScope;
  readonly by: string;
  /** ISO 8601, UTC. */
  readonly at: string;
};

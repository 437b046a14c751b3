import type { RawObject } from '../server/manager-event.ts';

/** The agent's client, as far as it may be asked something. */
export type AskableClient = {
  /** What it said it can do, in `initialize`. */
  readonly capabilities: () => RawObject;
  /** The revision of MCP that it speaks. */
  readonly protocol: () => string;
  /** Sends it a request. Rejects with the abort reason, or with the error the client answers. */
  readonly request: (method: string, params: RawObject, signal: AbortSignal) => Promise<RawObject>;
};

/** Whether a client says that it can show a person a form. */
export function offersForms({ elicitation }: RawObject): boolean {
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  // One that names no mode means forms.
  return 'form' in elicitation || Object.keys(elicitation).length === 0;
}

import type { AskableClient } from '../elicitation/askable-client.ts';
import type { Caller } from '../call/place-of-call.ts';
import type { RawObject } from '../server/manager-event.ts';
import type { Session } from './session.ts';

/** The agent's side, as the gateway needs it. */
export type GatewayDeps = {
  readonly session: Session;
  /** The project, opened, and who the agent is. */
  readonly caller: () => Promise<Caller>;
  readonly client: AskableClient & {
    /** Sends a notification. */
    readonly notify: (method: string, params?: RawObject) => Promise<void>;
  };
  /** Keeps the server open until this is done, and reports it when it fails. */
  readonly background: (work: Promise<unknown>) => void;
};

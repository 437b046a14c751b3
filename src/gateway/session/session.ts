import type { AgentContext } from '../../workflow/project/agent.ts';
import type { ClarificationSwitch } from './clarification-switch.ts';
import type { SessionPlace } from './session-place.ts';
import type { SharedVerification } from '../call/running-verification.ts';
import { readWaitSettings, type WaitSettings } from '../wait/wait-settings.ts';
import type { Waiters } from '../wait/waiters.ts';

/**
 * What Clifford remembers of one client while it is connected. Lost with the process: everything that
 * has to last is in the log.
 */
export type Session = SessionPlace &
  AgentContext & {
    /** Why it is being ended. */
    endedBecause: string | undefined;
    /** Aborts when it is being ended: for what goes on between two calls. */
    readonly ending: AbortController;
    readonly waitSettings: WaitSettings;
    /** How long the shortest call lasted that its client gave up because of a time-out, in ms. */
    gaveUpAfterMs: number | undefined;
    /** Made by the first call that waits: a start needs neither. */
    waiters: Waiters | undefined;
    /** What a human has to do before the servers of `mcp.json` can be used. Only where there is such a file. */
    gatewayNotice: (() => Promise<string | undefined>) | undefined;
    clarificationSwitch: ClarificationSwitch | undefined;
    /** Questions that its client shows, or whose form its user has closed. */
    readonly elicited: Set<string>;
    /** Of its tasks, by stream and task. */
    readonly verifications: Map<string, SharedVerification>;
  };

export function createSession(place: SessionPlace): Session {
  return {
    ...place,
    waitSettings: readWaitSettings(place),
    lastStream: undefined,
    ownTask: undefined,
    endedBecause: undefined,
    ending: new AbortController(),
    gaveUpAfterMs: undefined,
    waiters: undefined,
    gatewayNotice: undefined,
    clarificationSwitch: undefined,
    elicited: new Set(),
    verifications: new Map(),
  };
}

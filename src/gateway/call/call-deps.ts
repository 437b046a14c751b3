import type { CallPlace } from './tool.ts';
import type { GateDecision } from '../policy/gate-call.ts';
import type { RawObject } from '../server/manager-event.ts';
import type { CallsAtWork } from './running-calls.ts';
import type { CallPolicy } from '../session/policy-in-force.ts';
import type { Target } from './target.ts';

/** What a call needs beside its target. */
export type CallDeps = {
  readonly policy: CallPolicy;
  /** What the target is by now: it may have changed while a human was asked. `undefined`: it is gone. */
  readonly current: () => Target | undefined;
  /** Resolves when the definitions of tools that were listed so far are kept. */
  readonly remembered?: () => Promise<void>;
  readonly atWork: CallsAtWork;
  readonly maxResultBytes: number;
};

/** A call that was judged, and whose arguments fit. */
export type CheckedCall = {
  readonly target: Target;
  readonly args: RawObject;
  /** Of server, tool and arguments. */
  readonly digest: string;
  readonly place: CallPlace;
  readonly decision: GateDecision;
  /** What the agent says of the call, where a human has asked. */
  readonly said?: string | undefined;
};

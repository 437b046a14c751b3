import type { Socket } from 'node:net';
import { CliffordError } from '../../../errors.ts';
import type { Caller, Place } from './caller.ts';
import { likelyDeciderOf } from './decider.ts';

/** So long what was found out of a connection is told again, in ms: how a state is shown may be asked ten times a second. */
const TOLD_MS = 5_000;

type Told = { readonly at: number; readonly whyNot: string | undefined };

/** By the folder of the project: the agent of one is none that another knows. */
const told = new WeakMap<Socket, Map<string, Told>>();

/**
 * Why nothing is decided with the requests of a connection, for whoever is about to try; `undefined`: it is, as far as can
 * be told now.
 */
export function whyNoDecision(caller: Caller, place: Place): string | undefined {
  const { dir } = place.project;
  const ofSocket = told.get(caller.socket) ?? new Map<string, Told>();
  const before = ofSocket.get(dir);
  if (before && performance.now() - before.at < TOLD_MS) return before.whyNot;
  const whyNot = refusalToDecide(caller, place);
  const at = performance.now();
  told.set(caller.socket, ofSocket.set(dir, { at, whyNot }));
  if (whyNot === undefined) lately.set(tokenIn(caller, place), at);
  return whyNot;
}

/** When something could last be decided with a token from here or from elsewhere, by project. */
const lately = new Map<string, number>();
const MOST_LATELY = 1_000;

/**
 * The same, for whoever is only told of it: what could be decided with the token a moment ago is taken to be so on its next
 * connection. A decision, and what only who decides may see, is looked up for each.
 */
export function whyNoDecisionLately(caller: Caller, place: Place): string | undefined {
  const key = tokenIn(caller, place);
  if (performance.now() - (lately.get(key) ?? -Infinity) < TOLD_MS) return undefined;
  if (lately.size > MOST_LATELY) lately.clear();
  return whyNoDecision(caller, place);
}

function tokenIn({ digest, isHere }: Caller, { project }: Place): string {
  return `${digest} ${isHere} ${project.dir}`;
}

function refusalToDecide(caller: Caller, place: Place): string | undefined {
  try {
    likelyDeciderOf(caller, place).requireHuman('decide here');
    return undefined;
  } catch (error) {
    if (error instanceof CliffordError && error.code === 'NOT_A_HUMAN') return error.inOneLine;
    throw error;
  }
}

import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { dismissRequest } from '../../workflow/requests/answer.ts';
import { requestById } from '../../workflow/requests/find-request.ts';

/** A call that waits for a human's word, and what may come to decide it. */
export type Settling = {
  readonly project: Project;
  readonly request: RequestState;
  /** Whether the policy leaves it to a human. What it throws leaves it to one. */
  readonly isLeftToHuman: () => boolean | Promise<boolean>;
  /** Each calls what it is given when the policy may say something else, until what it returns is called. */
  readonly changes: readonly ((look: () => void) => () => void)[];
  /** Nobody waits any more. */
  readonly signal: AbortSignal;
  /** How the log says that the question has ended by itself. */
  readonly settledBy: { readonly by: string; readonly via: string };
};

/**
 * Waits for the human, but no longer than the policy leaves it to one: a rule that was granted for another call, or
 * was changed in `mcp.json`, decides at once, and the question is dismissed.
 */
export async function unlessSettled<Ended>(
  { project, request, isLeftToHuman, changes, signal, settledBy }: Settling,
  wait: (signal: AbortSignal) => Promise<Ended>,
): Promise<Ended | { readonly is: 'settled' }> {
  const settled = new AbortController();
  const look = async () => {
    const isOpen = requestById(project.state, request.id)?.phase === 'open';
    if (isOpen && !(await isLeftToHuman())) settled.abort('the policy now decides it');
  };
  const see = () => void look().catch(() => undefined);
  const release = changes.map((onChange) => onChange(see));
  // It may have happened while the question was being recorded.
  see();
  try {
    return await wait(AbortSignal.any([signal, settled.signal]));
  } catch (error) {
    if (!settled.signal.aborted || signal.aborted) throw error;
    await dismissRequest(project, request.id, { ...settledBy, reason: 'the policy now decides it' });
    return { is: 'settled' };
  } finally {
    for (const each of release) each();
  }
}

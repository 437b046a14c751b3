import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { dismissRequest } from '../../workflow/requests/answer.ts';
import { approve, deny } from '../../workflow/requests/approval.ts';
import { recordDelivery } from '../../workflow/requests/deliver.ts';
import type { Cli } from '../cli.ts';
import { callLines } from '../text/approval-lines.ts';
import { yesOrNo } from '../input/yes-or-no.ts';

/** The call that is decided about. */
export type CallAtHand = {
  readonly stream: string;
  readonly callDigest: string;
  readonly agentId: string;
  /** Aborts when the call is over, however it was decided. */
  readonly signal: AbortSignal;
};

/** What became of a call at the terminal. */
export type HowDecided = 'over' | 'denied' | 'stop';

/**
 * Shows a call whenever a human is asked about it, and takes yes or no from the terminal; somebody else may be faster.
 * Returns when the call is over, with `denied` when it is by the person at the terminal, or with `stop` when they do not
 * want it any more.
 */
export async function decideAtTerminal(
  cli: Cli,
  project: Project,
  { stream, callDigest, agentId, signal }: CallAtHand,
): Promise<HowDecided> {
  let how: HowDecided = 'over';
  const seen = new Set<string>();
  const asked = ({ streams }: ProjectState) =>
    [...(streams.get(stream)?.requests.values() ?? [])].find(
      ({ id, phase, asked: { approval } }) =>
        phase === 'open' && approval?.callDigest === callDigest && !seen.has(id),
    );
  for (;;) {
    const request = await untilOver(project, asked, signal);
    if (!request) return how;
    seen.add(request.id);
    const { approval } = request.asked;
    if (approval) cli.printLines(callLines(approval, cli));
    const answer = await yesOrNo(cli, 'Allow this call?', { signal });
    const decision = { by: cli.by, via: 'cli' } as const;
    if (answer === 'yes') await approve(project, request.id, { ...decision, scope: 'once' });
    else if (answer === 'no') {
      const { accepted } = await deny(project, request.id, decision);
      if (accepted) how = 'denied';
    } else if (!isEnded(project, request)) {
      await withdraw(project, request, { ...decision, agentId });
      return 'stop';
    }
  }
}

async function untilOver(
  project: Project,
  probe: (state: ProjectState) => RequestState | undefined,
  signal: AbortSignal,
): Promise<RequestState | undefined> {
  try {
    return await project.until(probe, { signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

function isEnded({ state }: Project, { stream, id }: RequestState): boolean {
  return state.streams.get(stream)?.requests.get(id)?.phase !== 'open';
}

/** Nobody waits for it any more; who typed the command knows. */
async function withdraw(
  project: Project,
  request: RequestState,
  { agentId, ...decision }: { by: string; via: 'cli'; agentId: string },
): Promise<void> {
  await dismissRequest(project, request.id, { ...decision, reason: 'the command that called was ended' });
  await recordDelivery(project, [request], agentId);
}

import { subjectOf } from '../../events/envelope.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import type { Project } from '../../workflow/project/project.ts';
import { homeStream } from '../../workflow/sprint/home-stream.ts';
import { ownTask } from '../../workflow/task/own-task.ts';
import type { Session } from '../../gateway/session/session.ts';

export type Greeting = {
  readonly agent: Agent;
  readonly session: Session;
  readonly client: { readonly name: string; readonly version: string };
  /** The MCP version agreed on. */
  readonly protocol: string;
};

/** Records that an agent's MCP client has introduced itself: about its task, else about its stream. */
export async function recordConnected(
  project: Project,
  { agent, session, client, protocol }: Greeting,
): Promise<void> {
  const own = ownTask(await project.refresh(), agent, session);
  const stream = own?.sprint.id ?? (await homeStream(project, agent, session));
  const { name, version } = client;
  await project.record(stream, [
    {
      type: 'agent.connected',
      subject: subjectOf(stream, own?.task.id),
      data: {
        runId: agent.runId,
        client: { name, version },
        protocol,
      },
    },
  ]);
}

import { MARKS } from '../agents/custom.ts';
import type { AcpStart, AgentAdapter, KnownAgent } from '../agents/agent-adapter.ts';

/** A known agent that is spoken with over the Agent Client Protocol instead of its command line. */
export function acpAdapter({ name, title, connects }: KnownAgent, start: AcpStart): AgentAdapter {
  const { resumes, launch } = start;
  return { name, title, connects, resumes, launch, createParser: undefined, speech: start };
}

/** Any agent that speaks the protocol, by a command line of the user's own. `args`: without the executable; `{model}` is replaced. */
export function acpCommandAdapter(args: readonly string[]): AgentAdapter {
  return {
    name: 'command',
    title: 'Agent command',
    connects: 'perhaps',
    resumes: 'untested',
    createParser: undefined,
    speech: { takesMcp: true, namesOwnTool: () => false },
    launch({ args: more, model = '' }) {
      const named = args.map((arg) => arg.replaceAll(MARKS.model, () => model));
      return { args: [...named, ...more], input: undefined, keepsStdin: true, env: {} };
    },
  };
}

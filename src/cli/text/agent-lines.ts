import { stripAgentText } from '../../tui/sanitise.ts';
import { oneLine } from './visible.ts';
import { splitLines } from './split-lines.ts';

/** What an agent wrote, as the runner tells it. */
export type AgentText = {
  readonly task: string;
  readonly runId: string;
  readonly channel: 'stdout' | 'stderr';
  readonly text: string;
};

/** Gives out what agents write line by line, without what could move the cursor or colour the screen. */
export function agentLines(onLine: (task: string, line: string) => void): {
  take: (output: AgentText) => void;
  end: () => void;
} {
  const splitters = new Map<string, ReturnType<typeof splitLines>>();
  return {
    take: ({ task, runId, channel, text }) => {
      const key = `${runId} ${channel}`;
      const splitter =
        splitters.get(key) ?? splitLines((line) => onLine(oneLine(task), stripAgentText(line)));
      splitters.set(key, splitter);
      splitter.push(text);
    },
    end: () => {
      for (const { end } of splitters.values()) end();
      splitters.clear();
    },
  };
}

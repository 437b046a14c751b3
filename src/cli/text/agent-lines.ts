import { lastOverwrite, stripAgentText } from '../../lib/text/sanitise.ts';
import { oneLine } from '../../lib/text/visible.ts';
import { splitLines } from '../../lib/text/split-lines.ts';

/** What an agent wrote, as the runner tells it. */
export type AgentText = {
  readonly task: string;
  readonly runId: string;
  readonly channel: 'stdout' | 'stderr';
  readonly text: string;
};

/**
 * Gives out what agents write line by line, without what could move the cursor or colour the screen: at once all
 * lines that a text ends, since a write of each costs more than everything else done with it.
 */
export function agentLines(onLines: (task: string, lines: readonly string[]) => void): {
  take: (output: AgentText) => void;
  end: () => void;
} {
  const splitters = new Map<string, ReturnType<typeof lineGatherer>>();
  return {
    take: ({ task, runId, channel, text }) => {
      const key = `${runId} ${channel}`;
      const splitter = splitters.get(key) ?? lineGatherer((lines) => onLines(oneLine(task), lines));
      splitters.set(key, splitter);
      splitter.push(text);
    },
    end: () => {
      for (const { end } of splitters.values()) end();
      splitters.clear();
    },
  };
}

function lineGatherer(onLines: (lines: readonly string[]) => void): ReturnType<typeof splitLines> {
  let lines: string[] = [];
  const { push, end } = splitLines((line) => lines.push(stripAgentText(lastOverwrite(line))));
  const give = () => {
    if (lines.length > 0) onLines(lines);
    lines = [];
  };
  return {
    push: (text) => {
      push(text);
      give();
    },
    end: () => {
      end();
      give();
    },
  };
}

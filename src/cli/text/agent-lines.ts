import type { Secrets } from '../../events/secrets/redaction.ts';
import { StreamRedactor } from '../../events/secrets/stream-redactor.ts';
import { seenLine } from '../../lib/text/sanitise.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { LineSplitter } from '../../lib/text/line-splitter.ts';

/** What an agent wrote, as the runner tells it. */
export type AgentText = {
  readonly task: string;
  readonly runId: string;
  readonly channel: 'stdout' | 'stderr';
  readonly text: string;
};

/** What is known of one output of an attempt. */
type Channel = {
  readonly task: string;
  readonly redactor: StreamRedactor;
  readonly splitter: LineSplitter;
};

/** Longest part of a line that is kept waiting for its end, in UTF-16 units. */
const MAX_WAITING = 8_192;

/**
 * Gives out what agents write line by line, secrets replaced as in their transcripts, without what could move the cursor or
 * colour the screen: at once all lines that a text ends, since a write of each costs more than everything else done with it.
 */
export function agentLines(
  secrets: Secrets,
  onLines: (task: string, lines: readonly string[]) => void,
): {
  take: (output: AgentText) => void;
  end: () => void;
} {
  const channels = new Map<string, Channel>();
  const give = (task: string, lines: readonly string[]) => {
    if (lines.length > 0) onLines(task, lines.map(seenLine));
  };
  return {
    take: ({ task, runId, channel, text }) => {
      const key = `${runId} ${channel}`;
      const known = channels.get(key) ?? {
        task: visibleLine(task),
        redactor: new StreamRedactor(secrets),
        splitter: new LineSplitter(MAX_WAITING),
      };
      channels.set(key, known);
      give(known.task, known.splitter.take(known.redactor.push(text)));
    },
    end: () => {
      for (const { task, redactor, splitter } of channels.values()) {
        give(task, splitter.take(redactor.end()));
        give(task, splitter.rest());
      }
      channels.clear();
    },
  };
}

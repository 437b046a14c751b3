import { useState } from 'react';
import type { CallLine } from '../../api/tool-call.ts';
import { clockTime, dayAndTime } from '../../../lib/time/clock-text.ts';
import { toolName } from '../../../views/calls/call-facts.ts';
import { AgentLine, Exact } from '../parts/agent-text.tsx';
import { StateSign, toneOf } from '../parts/state-sign.tsx';
import { WholeCall } from './whole-call.tsx';

type CallItemProps = {
  readonly line: CallLine;
  readonly sprint: string;
  readonly task: string;
  /** A moment of the past. */
  readonly at: number | undefined;
};

/** A call of a tool in a line, and whole once somebody wants that. */
export function CallItem({ line, ...place }: CallItemProps) {
  const { at, standing, title, args } = line;
  // What is not open is not read: there may be hundreds.
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details className="tool-call" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="tool-call-line">
          <StateSign word={standing} />
          <span className="tool-call-name">
            <AgentLine text={toolName(line)} />
          </span>
          <span className={`tool-call-word tone-${toneOf(standing)}`}>{standing}</span>
          <time className="tool-call-time number" dateTime={at} title={dayAndTime(at)}>
            {clockTime(at)}
          </time>
          <span className="tool-call-args">
            <Exact text={title ?? args} />
          </span>
        </summary>
        {isOpen && <WholeCall line={line} {...place} />}
      </details>
    </li>
  );
}

import { commandField } from '../../../../events/call-fields.ts';
import { withoutField } from '../../../../views/calls/args-besides.ts';
import { saidOfCall } from '../../../../views/calls/said-of-call.ts';
import type { SentCall, SentQuestion } from '../../../api/question.ts';
import { AgentLine, AgentText } from '../../parts/agent-text.tsx';
import { Notice } from '../../parts/notice.tsx';
import { AboutCall } from './about-call.tsx';
import { Command } from './command.tsx';
import { Explanation } from './explanation.tsx';
import { Arguments } from './arguments.tsx';
import { PatchLines } from '../../changes/diff-lines.tsx';
import { FileChange } from './file-change.tsx';
import type { Revealing } from './reveal.tsx';
import { textsShown } from './shown-changes.ts';

/** What a card has of a call as a human is changing it. */
type EditedCard = Pick<SentCall, 'changes' | 'unclear'> & { readonly args: unknown };

type CallCardProps = Revealing & {
  readonly call: SentCall;
  readonly question: SentQuestion;
  /** As a human is changing it. */
  readonly edited?: EditedCard | undefined;
};

/** Everything a human has to see of a call to decide about it. */
export function CallCard({ call, question, edited, whole, reveal }: CallCardProps) {
  const { change, explanation, changes, cut, hidden } = call;
  const shown = edited?.changes ?? whole?.changes ?? changes;
  const args = edited ? edited.args : (whole ?? call).args;
  const { unclear } = edited ?? call;
  const line = commandField(call.agent === undefined ? undefined : call.tool, args);
  // Behind what it is about it would be read last; what a server's tool means by such an argument nobody knows.
  const isSaid = !edited && call.agent !== undefined && (line !== undefined || shown.length > 0);
  const said = isSaid ? saidOfCall(args) : undefined;
  const others = withoutField(withoutField(args, line?.name), said?.name);
  return (
    <div className="call">
      {change !== undefined && (
        <Notice tone="bad" icon="warning">
          <strong>This tool is not what it was</strong> when somebody looked at it last: see the end.
        </Notice>
      )}
      {said && (
        <div className="said-of" role="group" aria-label="What its agent says">
          <p className="label">Its agent says</p>
          <q>
            <AgentLine text={said.text} />
          </q>
        </div>
      )}
      {/* Also while it is changed, in a field that shows some of its lines: without what was said of it as it was. */}
      {(line || (question.command && !edited)) && (
        <Command line={line?.command} parts={edited ? undefined : question.command} />
      )}
      {edited && question.command && (
        <Notice tone="wait" icon="warning">
          What the command may do was looked at as the agent wrote it, and is not as you change it
        </Notice>
      )}
      {explanation && <Explanation {...explanation} />}
      {question.reason !== undefined && <AgentText text={question.reason} />}
      {shown.map((each, at) => (
        <FileChange key={at} change={each} />
      ))}
      {unclear !== undefined && (
        <Notice tone="wait" icon="warning">
          <AgentLine text={unclear} />
        </Notice>
      )}
      {cut !== undefined && !whole && (
        <Notice tone="wait" icon="warning">
          Too long to show: here are {cut}
        </Notice>
      )}
      {hidden !== undefined && !whole && (
        <Notice tone="wait" icon="warning">
          {hidden}
          {reveal}
        </Notice>
      )}
      {others !== undefined && (
        <Arguments args={others} shownElsewhere={textsShown(shown, args)} changes={shown} />
      )}
      <AboutCall call={call} command={question.command} />
      {question.offer && question.offer.length > 0 && (
        <section className="said">
          <p className="label">A rule that would have said the same</p>
          <pre>
            <AgentText text={question.offer.join('\n')} />
          </pre>
        </section>
      )}
      {change !== undefined && (
        <section>
          <h3>What has changed in its definition</h3>
          <figure className="diff">
            <PatchLines text={change} />
          </figure>
        </section>
      )}
    </div>
  );
}

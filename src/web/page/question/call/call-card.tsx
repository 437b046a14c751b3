import { rulesAskingNow } from '../../../../views/asking-rule.ts';
import { patchesShown } from '../../../../views/patches-shown.ts';
import { trustText } from '../../../../views/trust-text.ts';
import type { ReactNode } from 'react';
import { commandField } from '../../../../events/call-fields.ts';
import { isJsonObject } from '../../../../lib/json/json-object.ts';
import type { Revealed, SentCall, SentChange, SentQuestion } from '../../../api/question.ts';
import { AgentLine, AgentText, Exact } from '../../parts/agent-text.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Command } from './command.tsx';
import { Arguments } from './arguments.tsx';
import { PatchLines } from '../../changes/diff-lines.tsx';
import { FileChange } from './file-change.tsx';

type CallCardProps = {
  readonly call: SentCall;
  readonly question: SentQuestion;
  /** As a human is changing it; its arguments are absent where they stand elsewhere. */
  readonly edited?: { readonly args: unknown; readonly changes: readonly SentChange[] } | undefined;
  /** With what was hidden; a text says why it cannot be shown. */
  readonly revealed: Revealed | string | undefined;
  /** Shows what is hidden. */
  readonly reveal: ReactNode;
};

/** Everything a human has to see of a call to decide about it. */
export function CallCard({ call, question, edited, revealed, reveal }: CallCardProps) {
  const { change, explanation, changes, cut, hidden } = call;
  const whole = typeof revealed === 'object' && revealed.args !== undefined ? revealed : undefined;
  const shown = edited?.changes ?? whole?.changes ?? changes;
  const args = edited ? edited.args : (whole ?? call).args;
  const line = commandField(call.agent === undefined ? undefined : call.tool, args);
  const others = withoutField(args, line?.name);
  return (
    <div className="call">
      {change !== undefined && (
        <Notice tone="bad" icon="warning">
          <strong>This tool is not what it was</strong> when somebody looked at it last: see the end.
        </Notice>
      )}
      {!edited && (line || question.command) && <Command line={line?.command} parts={question.command} />}
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
      {call.unclear !== undefined && !edited && (
        <Notice tone="wait" icon="warning">
          <AgentLine text={call.unclear} />
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
        <Arguments args={others} shownElsewhere={textsOf(shown, args)} changes={shown} />
      )}
      <Facts call={call} command={question.command} />
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

function Explanation({ question, words }: NonNullable<SentCall['explanation']>) {
  return (
    <section className="said">
      <p className="label">You asked</p>
      <AgentText text={question} />
      <p className="label">The agent says</p>
      {words === '' ? <em>nothing since</em> : <AgentText text={words} />}
    </section>
  );
}

/** What its title, and what stands below that, does not say: whose tool it is, what is said of it, and why it is asked about. */
function Facts({ call, command }: Pick<CallCardProps, 'call'> & Pick<SentQuestion, 'command'>) {
  const { server, tool, agent, isTrusted, rule, risk, hints } = call;
  const askingNow = rulesAskingNow(command?.parts ?? [], rule);
  const others = hints.filter(
    (hint) => hint !== risk && !(risk === 'may destroy' && hint === 'may change things'),
  );
  return (
    <dl className="facts">
      {agent === undefined ? (
        <>
          <dt>Server</dt>
          <dd>
            <AgentLine text={server} /> ({trustText(isTrusted)})
          </dd>
        </>
      ) : (
        <>
          <dt>Kind</dt>
          <dd>
            <Exact text={tool} />
          </dd>
          <dt>Agent</dt>
          <dd>
            <AgentLine text={agent} />, a tool of its own
          </dd>
        </>
      )}
      {others.length > 0 && (
        <>
          <dt>{isTrusted ? 'It says' : 'It claims'}</dt>
          <dd>{others.join(', ')}</dd>
        </>
      )}
      <dt>{askingNow.length > 0 ? 'Rule that asked' : 'Rule'}</dt>
      <dd>
        <AgentLine text={rule} />
      </dd>
      {askingNow.length > 0 && (
        <>
          <dt>What asks now</dt>
          <dd>
            <AgentLine text={askingNow.join(', ')} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** Its other arguments; `undefined`: there are none. What is shown by itself is none of them. */
function withoutField(args: unknown, name: string | undefined): unknown {
  if (name === undefined || !isJsonObject(args)) return args;
  const others = Object.entries(args).filter(([each]) => each !== name);
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

/** The texts of files that are shown line by line: they need not stand among the arguments once more. */
function textsOf(changes: readonly SentChange[], args: unknown): ReadonlySet<string> {
  const sides = changes.flatMap(({ lines }) => {
    const side = (without: 'added' | 'removed') =>
      lines.flatMap(({ is, text }) => (is === without ? [] : [text])).join('\n');
    return [side('removed'), side('added')].flatMap((text) => [text, `${text}\n`]);
  });
  return new Set([...sides, ...patchesShown(args, changes)]);
}

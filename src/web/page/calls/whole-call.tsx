import type { CallLine, SentToolCall } from '../../api/tool-call.ts';
import { callFacts } from '../../../views/calls/call-facts.ts';
import { useSession } from '../context.ts';
import { Facts } from '../parts/facts.tsx';
import { useRead } from '../parts/use-read.ts';
import { Arguments } from '../question/call/arguments.tsx';
import { FileChange } from '../question/call/file-change.tsx';
import { textsShown } from '../question/call/shown-changes.ts';

type WholeCallProps = {
  readonly line: CallLine;
  readonly sprint: string;
  readonly task: string;
  /** A moment of the past. */
  readonly at: number | undefined;
};

/** What a call is, who decided on it, what came of it, what it makes of files, and all that it was called with. */
export function WholeCall({ line: { version, standing }, sprint, task, at }: WholeCallProps) {
  const { api } = useSession();
  const { value: call, error } = useRead(JSON.stringify([sprint, task, version, standing, at]), () =>
    api.call(sprint, version, { task, until: at }),
  );
  if (!call) return <p className="tool-call-whole muted">{error ?? 'Reading…'}</p>;
  const { args, ranWith, changes } = call;
  return (
    <div className="call tool-call-whole">
      <Facts facts={callFacts(call)} />
      {changes.map((change, place) => (
        <FileChange key={place} change={change} />
      ))}
      {ranWith !== undefined && (
        <Said name="Arguments as they were changed" args={ranWith} changes={changes} />
      )}
      <Said
        name={ranWith === undefined ? 'Arguments' : 'Arguments of its agent'}
        args={args}
        changes={ranWith === undefined ? changes : []}
      />
    </div>
  );
}

type SaidProps = { readonly name: string } & Pick<SentToolCall, 'args' | 'changes'>;

function Said({ name, args, changes }: SaidProps) {
  return (
    <section className="call-arguments" aria-label={name}>
      <p className="label">{name}</p>
      <Arguments args={args} shownElsewhere={textsShown(changes, args)} changes={changes} />
    </section>
  );
}

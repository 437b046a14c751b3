import { useId } from 'react';
import { shownJson } from '../../../../lib/json/shown-json.ts';
import { editedTexts, type EditedText } from '../../../../views/calls/edited-texts.ts';
import { LineComparison } from '../../../../views/changes/compare-lines.ts';
import { diffRows } from '../../../../views/changes/diff-rows.ts';
import { DiffLines } from '../../changes/diff-lines.tsx';
import { ExactPath } from '../../parts/agent-text.tsx';
import { withJson, withText, withTexts, type EditedCall } from './edited-call.ts';

type EditFieldsProps = {
  /** Of an agent's own tool. */
  readonly kind: string | undefined;
  readonly call: EditedCall;
  /** Of files as they are shown, by the paths that the call has for them. */
  readonly pathOf: (path: string) => string;
  readonly onChange: (call: EditedCall) => void;
};

/** What a human changes of a call: its new texts, each as it is, or all of its arguments as JSON. */
export function EditFields({ kind, call, pathOf, onChange }: EditFieldsProps) {
  const [command] = editedTexts(kind, call.asked);
  if (call.texts)
    return call.texts.map((text, at) => (
      <EditText
        key={text.places[0]?.keys.join(' ')}
        text={text}
        was={text.path === undefined ? command?.text : undefined}
        isFirst={at === 0}
        pathOf={pathOf}
        onChange={(words) => onChange(withText(call, at, words))}
      />
    ));
  return <EditJson call={call} onChange={(json) => onChange(withJson(call, json))} />;
}

/** Changes between the new texts alone and all fields, where there are both. */
export function FieldsButton({ kind, call, onChange }: Omit<EditFieldsProps, 'pathOf'>) {
  const other = call.texts ? { ...call, texts: undefined } : withTexts(kind, call);
  const name = call.texts ? 'All fields…' : nameOf(other);
  return (
    name && (
      <button type="button" className="button plain" onClick={() => onChange(other)}>
        {name}
      </button>
    )
  );
}

function nameOf({ texts }: EditedCall): string | undefined {
  const isOfFile = texts?.some(({ path }) => path !== undefined);
  return texts && (isOfFile ? 'The new text alone' : 'The command alone');
}

type EditTextProps = Pick<EditFieldsProps, 'pathOf'> & {
  readonly text: EditedText;
  /** As it was asked about; `undefined`: what differs is seen elsewhere. */
  readonly was: string | undefined;
  readonly isFirst: boolean;
  readonly onChange: (text: string) => void;
};

function EditText({ text: { path, text, isPart }, was, isFirst, pathOf, onChange }: EditTextProps) {
  const id = useId();
  return (
    <div className="edit">
      <label className="label" htmlFor={id}>
        {path === undefined ? (
          'The command that runs in its place'
        ) : (
          <>
            {isPart ? 'The text in place of the old one in ' : 'The new text of '}
            <span className="mono">
              <ExactPath path={pathOf(path)} />
            </span>
          </>
        )}
      </label>
      <CodeField id={id} text={text} isFirst={isFirst} onChange={onChange} />
      {was !== undefined && <Difference was={was} now={text} />}
    </div>
  );
}

function EditJson({
  call,
  onChange,
}: {
  readonly call: EditedCall;
  readonly onChange: (json: string) => void;
}) {
  const id = useId();
  const hint = useId();
  const isValid = call.args !== undefined;
  return (
    <div className="edit">
      <label className="label" htmlFor={id}>
        All arguments that it runs with, as JSON
      </label>
      <CodeField
        id={id}
        text={call.json}
        isFirst
        onChange={onChange}
        {...(isValid ? {} : { problem: hint })}
      />
      {!isValid && (
        <p id={hint} className="edit-problem">
          This is no JSON object yet
        </p>
      )}
      <Difference was={shownJson(call.asked)} now={call.args ? shownJson(call.args) : call.json} />
    </div>
  );
}

/** The lines that differ from what was asked about. */
function Difference({ was, now }: { readonly was: string; readonly now: string }) {
  const lines = new LineComparison().between(was, now, { isWhole: true });
  if (was === now || typeof lines === 'string') return null;
  const changed = lines.filter(({ is }) => is !== 'kept');
  return (
    <figure className="diff">
      <DiffLines stretches={[{ isFolded: false, lines: diffRows(changed, undefined) }]} />
    </figure>
  );
}

type CodeFieldProps = {
  readonly id: string;
  readonly text: string;
  readonly isFirst: boolean;
  /** The id of what says what is wrong with it. */
  readonly problem?: string;
  readonly onChange: (text: string) => void;
};

function CodeField({ id, text, isFirst, problem, onChange }: CodeFieldProps) {
  return (
    <textarea
      id={id}
      className="field mono"
      rows={4}
      spellCheck={false}
      autoCapitalize="off"
      autoCorrect="off"
      autoComplete="off"
      // Whoever wants to change it writes next.
      autoFocus={isFirst}
      aria-invalid={problem !== undefined}
      aria-describedby={problem}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

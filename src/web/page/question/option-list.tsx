import { useDeferredValue, useId, useState } from 'react';
import { AgentLine, AgentText } from '../parts/agent-text.tsx';
import type { FormQuestion } from './form-question.ts';

/** So many are in the page at once: more are found by their words. */
const MOST_SHOWN = 60;
/** From so many on there is a field to find some. */
const MANY = 15;

type OptionListProps = {
  readonly question: FormQuestion;
  readonly chosen: readonly number[];
  readonly isDisabled: boolean;
  readonly onChoose: (at: number) => void;
  /** The keys 1 to 9 choose, which is said beside each. */
  readonly hasKeys: boolean;
};

/** What there is to choose from. */
export function OptionList({
  question: { options, isMultiple },
  chosen,
  isDisabled,
  onChoose,
  hasKeys,
}: OptionListProps) {
  const name = useId();
  const [words, setWords] = useState('');
  const wanted = useDeferredValue(words.toLowerCase());
  const found = options.flatMap((option, at) => (matches(option, wanted) ? [{ option, at }] : []));
  // What is chosen stays in sight, whatever is looked for.
  const hidden = chosen.filter((at) => !found.slice(0, MOST_SHOWN).some((each) => each.at === at));
  const shown = [
    ...hidden.flatMap((at) => {
      const option = options[at];
      return option ? [{ option, at }] : [];
    }),
    ...found.slice(0, MOST_SHOWN),
  ];
  const left = found.length - Math.min(found.length, MOST_SHOWN);
  return (
    <div className="options">
      {options.length > MANY && (
        <input
          className="field"
          type="search"
          value={words}
          placeholder={`Find one of ${options.length.toLocaleString('en')} options`}
          aria-label="Find an option"
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      {shown.map(({ option, at }) => (
        <div key={at} className="option">
          <label className="option-choice">
            <input
              type={isMultiple ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen.includes(at)}
              disabled={isDisabled}
              onChange={() => onChoose(at)}
            />
            <span className="option-words">
              <span className="option-label">
                <AgentText text={option.label} />
                {option.isRecommended && <span className="badge tone-good">recommended</span>}
              </span>
              {option.description !== undefined && (
                <span className="muted">
                  <AgentText text={option.description} />
                </span>
              )}
            </span>
            {hasKeys && at < 9 && <kbd aria-hidden="true">{at + 1}</kbd>}
          </label>
          {option.preview !== undefined && (
            <details className="option-preview">
              <summary className="label">How it would look</summary>
              <pre tabIndex={0}>
                <AgentText text={option.preview} />
              </pre>
            </details>
          )}
        </div>
      ))}
      {left > 0 && (
        <p className="muted" role="status">
          {left.toLocaleString('en')} more: write a part of the one you mean
        </p>
      )}
      {found.length === 0 && (
        <p className="muted" role="status">
          No option has <AgentLine text={words} />
        </p>
      )}
    </div>
  );
}

function matches({ label, description = '' }: FormQuestion['options'][number], wanted: string): boolean {
  return wanted === '' || label.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted);
}

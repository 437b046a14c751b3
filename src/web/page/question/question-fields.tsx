import { useId, type ReactNode } from 'react';
import { isUnseen } from '../../../lib/text/hidden-characters.ts';
import { Markdown, MarkdownLine } from '../markdown/markdown.tsx';
import { AgentText } from '../parts/agent-text.tsx';
import type { Draft, Part } from './draft.ts';
import { choose, isSaid, partAt, withPart, type FormQuestion } from './form-question.ts';
import { LineField } from './line-field.tsx';
import { OptionList } from './option-list.tsx';

type QuestionFieldsProps = {
  readonly questions: readonly FormQuestion[];
  /** What is said about the question, of which there is one. */
  readonly about: ReactNode;
  readonly draft: Draft;
  /** It was to be sent as it is: what is missing is said where it is. */
  readonly isSent: boolean;
  readonly isDisabled: boolean;
  readonly onDraft: (draft: Draft) => void;
};

/** The questions of a request, one below the other, with what is answered so far. */
export function QuestionFields({
  questions,
  about,
  draft,
  isSent,
  isDisabled,
  onDraft,
}: QuestionFieldsProps) {
  return questions.map((question, at) => (
    <Fields
      // They do not change their places.
      key={at}
      at={at}
      question={question}
      number={questions.length > 1 ? `${at + 1} of ${questions.length}` : undefined}
      about={about}
      part={partAt(draft, at)}
      isMissing={isSent && !isDisabled && question.isRequired && !isSaid(partAt(draft, at))}
      isDisabled={isDisabled}
      onPart={(part) => onDraft(withPart(draft, at, part))}
    />
  ));
}

type FieldsProps = {
  /** Its position, from 0. */
  readonly at: number;
  readonly question: FormQuestion;
  readonly number: string | undefined;
  readonly about: ReactNode;
  readonly part: Part;
  readonly isMissing: boolean;
  readonly isDisabled: boolean;
  readonly onPart: (part: Part) => void;
};

function Fields({ at, question, number, about, part, isMissing, isDisabled, onPart }: FieldsProps) {
  const id = useId();
  const { title, text, options, isMultiple, takesWords, isRequired, program } = question;
  const isOneOf = options.length > 0;
  const isAside = !isMultiple && part.chosen.length > 0 && !isUnseen(part.words);
  const write = (words: string) => onPart({ chosen: isMultiple ? part.chosen : [], words });
  return (
    <fieldset
      className="asked"
      data-question={at}
      aria-labelledby={title === undefined ? `${id}-text` : `${id}-title`}
      aria-describedby={isMissing ? `${id}-missing` : undefined}
    >
      {(number !== undefined || title !== undefined) && (
        <div className="asked-head">
          {number !== undefined && <span className="label number">{number}</span>}
          {title !== undefined && (
            <h3 id={`${id}-title`}>
              <MarkdownLine text={title} />
            </h3>
          )}
          {!isRequired && <span className="label">may be left out</span>}
        </div>
      )}
      {text !== '' && (
        <div className="asked-text" id={`${id}-text`}>
          {program === undefined ? <Markdown text={text} /> : <AgentText text={text} />}
        </div>
      )}
      {about}
      {isMissing && (
        <p id={`${id}-missing`} className="edit-problem">
          {isOneOf ? 'Nothing is chosen yet' : 'Nothing is written yet'}
        </p>
      )}
      {isOneOf && (
        <>
          {isMultiple && <p className="label">Several may be chosen</p>}
          <OptionList
            question={question}
            chosen={part.chosen}
            isDisabled={isDisabled}
            hasKeys={number === undefined && !isDisabled}
            onChoose={(option) => onPart(choose(part, option, isMultiple))}
          />
        </>
      )}
      {takesWords && !(isDisabled && part.words === '') && (
        <div className={isAside ? 'own-words is-aside' : 'own-words'}>
          <label className="label" htmlFor={`${id}-own`}>
            {labelOf(question)}
          </label>
          {program === 'asks-secret' || program === 'asks-key' ? (
            <LineField
              id={`${id}-own`}
              text={part.words}
              isSecret={program === 'asks-secret'}
              isDisabled={isDisabled}
              onChange={write}
            />
          ) : (
            <textarea
              id={`${id}-own`}
              className="field"
              value={part.words}
              disabled={isDisabled}
              rows={isOneOf ? 1 : 3}
              onChange={(event) => write(event.target.value)}
            />
          )}
          {isAside && <p className="label">Not sent: an option is chosen</p>}
        </div>
      )}
    </fieldset>
  );
}

/** What the field for the reader's own words is called. */
function labelOf({ options, isMultiple, program }: FormQuestion): string {
  if (options.length > 0) return isMultiple ? 'What else there is to say' : 'Or in your own words';
  return program === 'asks-key' ? 'Or another key' : 'Your answer';
}

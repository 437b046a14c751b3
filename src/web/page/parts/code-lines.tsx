import { Exact } from './agent-text.tsx';

/** A text of others in lines, character by character. */
export function CodeLines({ text }: { readonly text: string }) {
  return (
    <pre>
      {text.split('\n').map((line, at) => (
        <span key={at} className="code-line">
          <Exact text={line} />
        </span>
      ))}
    </pre>
  );
}

/** What a state is for the reader, which decides its colour. */
export type Tone = 'calm' | 'go' | 'wait' | 'good' | 'bad';

type Look = { readonly tone: Tone; readonly sign: Sign };

const looks: Readonly<Record<string, Look>> = {
  pending: { tone: 'calm', sign: 'ring' },
  active: { tone: 'go', sign: 'arc' },
  merging: { tone: 'go', sign: 'arc' },
  retrying: { tone: 'go', sign: 'arc' },
  idle: { tone: 'calm', sign: 'bars' },
  paused: { tone: 'wait', sign: 'bars' },
  blocked: { tone: 'wait', sign: 'ask' },
  done: { tone: 'good', sign: 'check' },
  failed: { tone: 'bad', sign: 'cross' },
  skipped: { tone: 'calm', sign: 'dash' },
  cancelled: { tone: 'calm', sign: 'cross' },
  // Of calls of tools.
  open: { tone: 'go', sign: 'arc' },
  runs: { tone: 'go', sign: 'arc' },
  waits: { tone: 'wait', sign: 'ring' },
  asks: { tone: 'wait', sign: 'ask' },
  denied: { tone: 'wait', sign: 'cross' },
  queried: { tone: 'wait', sign: 'ask' },
  changed: { tone: 'calm', sign: 'check' },
  late: { tone: 'wait', sign: 'cross' },
  unasked: { tone: 'wait', sign: 'alert' },
  ended: { tone: 'calm', sign: 'cross' },
};

type Sign = 'ring' | 'arc' | 'bars' | 'ask' | 'check' | 'cross' | 'dash' | 'alert';

const inner: Readonly<Record<Exclude<Sign, 'ring' | 'arc'>, string>> = {
  bars: 'M6.4 5.6v4.8M9.6 5.6v4.8',
  ask: 'M6.4 6.4a1.65 1.65 0 1 1 2.3 1.6c-.5.2-.7.5-.7 1M8 10.9h.01',
  check: 'm5.4 8.2 1.8 1.8 3.4-3.8',
  cross: 'm6.1 6.1 3.8 3.8M9.9 6.1 6.1 9.9',
  dash: 'M5.8 8h4.4',
  alert: 'M8 4.8v3.8M8 11.1h.01',
};

function lookOf(word: string): Look {
  return (Object.hasOwn(looks, word) ? looks[word] : undefined) ?? { tone: 'calm', sign: 'ring' };
}

/** The colour of a word that a state has for people. */
export function toneOf(word: string): Tone {
  return lookOf(word).tone;
}

/** The sign of a state: its word has to stand beside it, or be its name. */
export function StateSign({ word, size = 16 }: { readonly word: string; readonly size?: number }) {
  const { tone, sign } = lookOf(word);
  const isWhole = sign !== 'ring' && sign !== 'arc';
  return (
    <svg
      className={`sign tone-${tone}${word === 'active' ? ' turns' : ''}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
    >
      {sign === 'ring' && <circle cx="8" cy="8" r="5.75" strokeWidth="1.5" strokeDasharray="2.2 1.4" />}
      {sign === 'arc' && (
        <>
          <circle cx="8" cy="8" r="5.75" strokeWidth="1.5" opacity="0.3" />
          <path d="M8 2.25A5.75 5.75 0 0 1 13.75 8" strokeWidth="1.75" strokeLinecap="round" />
        </>
      )}
      {isWhole && (
        <>
          <circle cx="8" cy="8" r="6.5" fill="currentColor" stroke="none" />
          <path
            d={inner[sign]}
            stroke="var(--surface)"
            strokeWidth="1.6"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </>
      )}
    </svg>
  );
}

type BadgeProps = {
  readonly word: string;
  /** It is of a moment of the past. */
  readonly isPast?: boolean;
};

/** A state as sign and word. Of what went on in the past it says that it did. */
export function StateBadge({ word, isPast = false }: BadgeProps) {
  const tone = toneOf(word);
  return (
    <span className={`badge tone-${tone}`}>
      <StateSign word={word} size={14} />
      {isPast && (tone === 'go' || tone === 'wait') && 'was '}
      {word}
    </span>
  );
}

/** Drawn on 16 × 16, with strokes of 1.5. */
const paths = {
  inbox: 'M2.5 9.5h3l1 2h3l1-2h3M2.5 9.5v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3M2.5 9.5l2-6h7l2 6',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  on: 'M6.5 3.5 11 8l-4.5 4.5',
  close: 'm4 4 8 8M12 4l-8 8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  down: 'm4 6 4 4 4-4',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM8 1.2v1.3M8 13.5v1.3M1.2 8h1.3M13.5 8h1.3M3.2 3.2l.9.9M11.9 11.9l.9.9M3.2 12.8l.9-.9M11.9 4.1l.9-.9',
  moon: 'M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1Z',
  system: 'M2.5 3.5h11v7h-11zM6 13.5h4M8 10.5v3',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1 1.5H3L4 11ZM6.7 14.2a1.5 1.5 0 0 0 2.6 0',
  play: 'M5 3.5v9l7.5-4.5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  stop: 'M4 4h8v8H4z',
  retry: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.6h-2.6',
  skip: 'M3.5 4v8L9 8zM11.5 4v8',
  note: 'M3 12.5 3.6 10l7-7 2.4 2.4-7 7zM9.3 4.3l2.4 2.4',
  previous: 'M9.5 4 5.5 8l4 4M13 4 9 8l4 4',
  next: 'm6.5 4 4 4-4 4M3 4l4 4-4 4',
  history: 'M8 4.5V8l2.3 1.4M2.7 6.2A5.5 5.5 0 1 1 2.6 9.5M2.5 3.2v3h3',
  offline:
    'M2.5 6.2A8.8 8.8 0 0 1 6 4.2M13.5 6.2a8.8 8.8 0 0 0-4-2.1M4.8 8.9a5 5 0 0 1 2-1.3M8 12.5h.01M2.5 2.5l11 11',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  warning: 'M8 2.5 14 13H2zM8 6.5v3M8 11.3h.01',
  info: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM8 7.3v3.2M8 5.2h.01',
  check: 'm3.5 8.5 3 3 6-7',
  ask: 'M5.8 6a2.2 2.2 0 1 1 3.1 2c-.6.3-.9.7-.9 1.4M8 12h.01',
  terminal: 'm3 4.5 3.5 3.5L3 11.5M8 11.5h5',
} as const;

export type IconName = keyof typeof paths;

/** A small picture beside words, or in a button that has a name of its own: it says nothing to who hears the page. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
      <path
        d={paths[name]}
        strokeWidth={name === 'more' ? 2.2 : 1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

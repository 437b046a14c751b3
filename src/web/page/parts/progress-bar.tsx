type ProgressBarProps = {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** Skipped, cancelled. */
  readonly otherwise: number;
  /** They wait for a human. */
  readonly blocked: number;
};

/** How much of something is done, and what holds the rest up. What it says stands beside it in words. */
export function ProgressBar({ total, ...parts }: ProgressBarProps) {
  const { done, failed, otherwise, blocked } = parts;
  return (
    <span className="progress" aria-hidden="true">
      {Object.entries({ good: done, bad: failed, calm: otherwise, wait: blocked }).map(
        ([tone, count]) =>
          count > 0 && (
            <span key={tone} className={`part-${tone}`} style={{ width: `${(100 * count) / total}%` }} />
          ),
      )}
    </span>
  );
}

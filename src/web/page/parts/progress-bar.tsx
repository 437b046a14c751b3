type ProgressBarProps = {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** Skipped, cancelled. */
  readonly otherwise: number;
};

/** How much of something is done. What it says stands beside it in words. */
export function ProgressBar({ done, total, failed, otherwise }: ProgressBarProps) {
  const part = (count: number) => `${(100 * count) / Math.max(1, total)}%`;
  return (
    <span className="progress" aria-hidden="true">
      <span className="progress-done" style={{ width: part(done) }} />
      {failed > 0 && <span className="progress-failed" style={{ width: part(failed) }} />}
      {otherwise > 0 && <span className="progress-otherwise" style={{ width: part(otherwise) }} />}
    </span>
  );
}

import { CliffordError } from '../../errors.ts';

/**
 * An append that failed, and nobody knows whether its events are in the log, now or in a moment. The same events can be
 * appended again with `isRetry`. Recovery `reopen`: this handle takes nothing more, another one does.
 */
export class OutcomeUnknownError extends CliffordError {
  override readonly name = 'OutcomeUnknownError';
}

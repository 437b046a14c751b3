import { CliffordError } from '../../errors.ts';

/** A service did not take what it was sent. The message names no address and no secret. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** How long the service wants to be left alone, in ms. */
  readonly retryAfterMs: number | undefined;
  /** The same again would be refused again: something has to be changed first. */
  readonly isRefusal: boolean;
  /** What went wrong, without the words of the service, in which the time or an id may stand. */
  readonly kind: string;

  constructor(
    message: string,
    {
      retryAfterMs,
      isRefusal = false,
      kind = message,
      cause,
    }: { retryAfterMs?: number | undefined; isRefusal?: boolean; kind?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
    this.isRefusal = isRefusal;
    this.kind = kind;
  }
}

/**
 * What went wrong with a service, whatever it was: what nobody has thought of is its trouble alone, and none of other channels.
 *
 * @throws {CliffordError} what is not its trouble, such as a log that cannot be written.
 */
export function asDeliveryError(error: unknown, service: string): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (error instanceof CliffordError) throw error;
  const name = error instanceof Error ? error.name : typeof error;
  return new DeliveryError(`${service} did what is not understood (${name})`, {
    isRefusal: true,
    cause: error,
  });
}

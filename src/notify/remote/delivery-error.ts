/** A service did not take what it was sent. The message names no address and no secret. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** How long the service wants to be left alone, in ms. */
  readonly retryAfterMs: number | undefined;
  /** The same again would be refused again: something has to be changed first. */
  readonly isRefusal: boolean;

  constructor(
    message: string,
    {
      retryAfterMs,
      isRefusal = false,
      cause,
    }: { retryAfterMs?: number | undefined; isRefusal?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
    this.isRefusal = isRefusal;
  }
}

/** Waits for `work`, and says once that it takes longer than it should: after so many ms. */
export async function tellWhenLate<T>(work: Promise<T>, afterMs: number, tell: () => void): Promise<T> {
  const timer = setTimeout(tell, afterMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

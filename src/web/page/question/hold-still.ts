/** So long nothing has pushed it when it has come to rest, in ms. */
const REST_MS = 150;

/** What a reader does who does not merely go on with what they did. */
const begun = ['pointerdown', 'keydown', 'click'] as const;

/**
 * Has something that scrolls stay where it is until whatever scrolled it has come to rest, or its reader does something else: the swing of
 * a finger or a wheel goes on over what has taken the place of what it was made on.
 *
 * @returns Ends that.
 */
export function holdStill(body: HTMLElement): () => void {
  const { scrollTop: top } = body;
  const controller = new AbortController();
  const { signal } = controller;
  const end = () => controller.abort();
  let timer = setTimeout(end, REST_MS);
  signal.addEventListener('abort', () => clearTimeout(timer));
  const hold = () => {
    body.scrollTo({ top, behavior: 'instant' });
    clearTimeout(timer);
    timer = setTimeout(end, REST_MS);
  };
  body.addEventListener('scroll', hold, { signal, passive: true });
  body.addEventListener('wheel', hold, { signal, passive: true });
  for (const type of begun)
    document.addEventListener(type, (event) => isRepeated(event) || end(), { signal, capture: true });
  return end;
}

function isRepeated(event: Event): boolean {
  return event instanceof KeyboardEvent && event.repeat;
}

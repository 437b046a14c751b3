/** What stands at the upper edge of something that scrolls: where it begins, from that edge on, and how high it is, in pixels. */
type Place = { readonly element: Element; readonly top: number; readonly height: number };

/**
 * Has what stands at the upper edge of something that scrolls stay there when that becomes wider or narrower: lines break elsewhere then,
 * and what nobody has read would be above it. What is itself broken anew begins there.
 *
 * @returns Does that: it is to be called whenever something has been scrolled, or may have become another size.
 */
export function keepPlace(body: HTMLElement): () => void {
  // With its scroll bar: that comes and goes with what is shown.
  let width = body.offsetWidth;
  let place = placeIn(body);
  return () => {
    if (body.offsetWidth !== width && place) goBackTo(place, body);
    width = body.offsetWidth;
    place = placeIn(body);
  };
}

function placeIn(body: HTMLElement): Place | undefined {
  const edge = body.getBoundingClientRect();
  const found = document.elementFromPoint(edge.left + edge.width / 2, edge.top + 1);
  let element = found && body.contains(found) ? found : body;
  // Between two of its parts is what follows.
  for (;;) {
    const part = Array.from(element.children).find((each) => each.getBoundingClientRect().bottom > edge.top);
    if (!part) break;
    element = part;
  }
  return element === body ? undefined : standing(element, edge);
}

function goBackTo(place: Place, body: HTMLElement): void {
  if (!body.contains(place.element)) return;
  const { top, height } = standing(place.element, body.getBoundingClientRect());
  const wanted = height === place.height ? place.top : Math.max(place.top, 0);
  body.scrollTo({ top: body.scrollTop + top - wanted });
}

function standing(element: Element, edge: DOMRect): Place {
  const { top, height } = element.getBoundingClientRect();
  return { element, top: top - edge.top, height };
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { openPage } from '../../test/web/page/browser.ts';

/** So often it is looked whether a moment is drawn, in ms: it is measured in the page. */
const LOOK_MS = 5;
/** A moment that is not drawn by then never is. */
const LONGEST_MS = 20_000;

/** Where one went, and how long it took from the press until it was drawn, in ms. */
export type Seek = { readonly version: number; readonly ms: number };

/** What of a past is looked at: the slider, and where it is on the page. */
export type PastPage = {
  /** Version of the last event. */
  readonly length: number;
  readonly goByKey: (key: string) => Promise<Seek>;
  /** @param share - 0 to 1, of the slider. */
  readonly goBySlider: (share: number) => Promise<Seek>;
  readonly close: () => Promise<void>;
};

/**
 * Notes when a key or a button was pressed last, and in which frame the slider, what the sprint was then and the event in the list
 * agreed: a task of its own behind that frame, once it is painted.
 */
const watch = `
  const slider = document.querySelector('.past input');
  for (const type of ['keydown', 'pointerdown'])
    addEventListener(type, ({ timeStamp }) => (globalThis.pressedAt = timeStamp), true);
  const versionOf = (row) => Number(/^Event (\\d+),/.exec(row?.querySelector('time').title)?.[1]);
  // A call and what came of it are a row.
  const isDrawn = () => {
    const row = document.querySelector('.event-list [aria-current]')?.parentElement;
    const [own, newer] = [row, row?.previousElementSibling].map(versionOf);
    const isAt = own <= slider.value && (newer > slider.value || (!newer && slider.value === slider.max));
    return isAt && slider.getAttribute('aria-valuetext').startsWith('event ' + slider.value + ',');
  };
  const look = () => {
    if (globalThis.pressedAt !== undefined && globalThis.drawn === undefined && slider.value !== globalThis.before && isDrawn()) {
      globalThis.drawn = 0;
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (globalThis.drawn = performance.now());
      port2.postMessage(0);
    }
    requestAnimationFrame(look);
  };
  look();
`;

/** Opens the past of a sprint in a browser, at an event. Close it. */
export async function openPast(browser: Browser, address: string, at: number): Promise<PastPage> {
  const { page, close } = await openPage(browser);
  await page.goto(`${address}&at=${at}`);
  const slider = page.getByRole('slider', { name: 'Moment' });
  await slider.waitFor();
  await page.locator('.event-list [aria-current]').waitFor();
  await page.evaluate(watch);
  return {
    length: Number(await slider.getAttribute('max')),
    goByKey: (key) => seek(page, slider, () => page.keyboard.press(key)),
    goBySlider: async (share) => {
      const box = await slider.boundingBox();
      if (!box) throw new Error('The slider is not seen');
      return seek(page, slider, () => page.mouse.click(box.x + share * box.width, box.y + box.height / 2));
    },
    close,
  };
}

async function seek(page: Page, slider: Locator, press: () => Promise<void>): Promise<Seek> {
  await page.evaluate(
    `globalThis.before = document.querySelector('.past input').value, globalThis.pressedAt = globalThis.drawn = undefined`,
  );
  await press();
  for (const end = performance.now() + LONGEST_MS; performance.now() < end;) {
    const ms = await page.evaluate<number>(`globalThis.drawn ? globalThis.drawn - globalThis.pressedAt : 0`);
    if (ms > 0) return { version: Number(await slider.inputValue()), ms };
    await pause(LOOK_MS);
  }
  throw new Error(`Event ${await slider.inputValue()} was not drawn within ${LONGEST_MS} ms`);
}

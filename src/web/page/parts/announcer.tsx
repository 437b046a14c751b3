import { Store, useStore } from '../connection/store.ts';

const said = new Store('');

/** Says something to who hears the page. */
export function announce(text: string): void {
  // The same words again would not be heard.
  said.value = said.value === text ? `${text}\u00A0` : text;
}

/** Where that is said. */
export function Announcer() {
  return (
    <p className="unseen" role="status" aria-live="polite">
      {useStore(said)}
    </p>
  );
}

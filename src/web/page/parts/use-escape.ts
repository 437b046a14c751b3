import { useKeys } from './use-keys.ts';

/** Has Escape go one step back as long as what calls this is drawn, unless something else took it, and not close the dialog around it. */
export function useEscape(onBack: () => void): void {
  useKeys((event) => {
    // One that ends writing with an input method is no step back.
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    onBack();
  });
}

import { useEscape } from './use-escape.ts';

/** Leads one step back within a dialog, also by Escape. */
export function BackButton({ onBack }: { readonly onBack: () => void }) {
  useEscape(onBack);
  return (
    <button type="button" className="button plain" onClick={onBack}>
      Back
    </button>
  );
}

import { useEscape } from './use-escape.ts';

type BackButtonProps = {
  readonly onBack: () => void;
  /** It has the keyboard, since nothing else is there to be used yet. */
  readonly isFirst?: boolean;
};

/** Leads one step back within a dialog, also by Escape. */
export function BackButton({ onBack, isFirst = false }: BackButtonProps) {
  useEscape(onBack);
  return (
    <button type="button" className="button plain" autoFocus={isFirst} onClick={onBack}>
      Back
    </button>
  );
}

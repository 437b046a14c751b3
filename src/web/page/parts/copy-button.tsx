import { useState } from 'react';
import { tell } from '../shell/toasts.tsx';

/** Copies a line, to be pasted in a shell. */
export function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Without TLS a browser does not let a page do that.
      tell('This browser does not let the page copy: mark it by hand', { isBad: true });
    }
  };
  return (
    <button type="button" className="button plain" onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}

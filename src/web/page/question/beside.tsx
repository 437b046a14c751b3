import type { ReactNode } from 'react';
import { useEscape } from '../parts/use-escape.ts';
import '../look/beside.css';

type BesideProps = {
  readonly labelledBy: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A request that stands beside what is looked at, for who looks on. */
export function Beside({ labelledBy, onClose, children }: BesideProps) {
  useEscape(onClose);
  return (
    <aside className="question-beside" aria-labelledby={labelledBy}>
      {children}
    </aside>
  );
}

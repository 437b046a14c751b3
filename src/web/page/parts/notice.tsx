import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import type { Tone } from './state-sign.tsx';

type NoticeProps = {
  readonly tone: Tone;
  readonly icon: IconName;
  /** It is said at once to who hears the page. */
  readonly isUrgent?: boolean;
  readonly children: ReactNode;
};

/** Something that is said to the reader, apart from the rest. */
export function Notice({ tone, icon, isUrgent = false, children }: NoticeProps) {
  return (
    <div className={`notice tone-${tone}`} role={isUrgent ? 'alert' : undefined}>
      <Icon name={icon} />
      <div className="notice-words">{children}</div>
    </div>
  );
}

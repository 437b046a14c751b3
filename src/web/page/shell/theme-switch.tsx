import { useState } from 'react';
import { Icon } from '../parts/icon.tsx';

const KEY = 'clifford.theme';
const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const icons = { system: 'system', light: 'sun', dark: 'moon' } as const;

/** Light, dark, or as the system is. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(
    () => themes.find((each) => each === document.documentElement.dataset['theme']) ?? 'system',
  );
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  const apply = () => {
    setTheme(next);
    if (next === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // A browser that keeps nothing: until the page is loaded anew.
    }
  };
  return (
    <button
      type="button"
      className="button plain square"
      aria-label={`Colours: ${theme}. Change to ${next}`}
      onClick={apply}
    >
      <Icon name={icons[theme]} />
    </button>
  );
}

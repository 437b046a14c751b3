// Before anything is drawn, so that nobody who chose the dark is dazzled.
try {
  const theme = localStorage.getItem('clifford.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing: the theme of the system.
}

/** Gives the keyboard to the content of the page: what had it is not there any more, or is passed over. */
export function focusMain(): void {
  document.getElementById('main')?.focus();
}

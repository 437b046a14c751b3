/** Whether this browser is to be called when something waits. Shown where the server can. */
export function PushSwitch() {
  return null;
}

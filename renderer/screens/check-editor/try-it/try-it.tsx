/** Runs the check as it is typed, before it is saved. */
export function TryIt() {
  return null;
}

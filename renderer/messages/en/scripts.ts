export const scripts = {
  keys: 'Ctrl+Space offers words; Escape, then Tab leaves',
  problems: (label: string) => `What is wrong with ${label}`,
  atLine: (line: number) => `Line ${line}`,
  unreadable: (text: string) =>
    text.trim() === '' ? 'Something is missing here' : `Unexpected ${text.trim()}`,
  ofCheck: 'of the check',
  ofAccount: 'of the account',
  secretOfAccount: 'secret of the account',
};

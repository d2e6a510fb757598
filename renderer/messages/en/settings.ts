/** What the frame around the pages of the settings says; each page has a file of its own. */
export const settings = {
  title: 'Settings',
  pages: {
    keys: 'API keys',
    snippets: 'Snippets',
    variables: 'Variables',
  },
};

/** What the frame around the pages of the settings says; each page has a file of its own. */
export const settings = {
  title: 'Settings',
  pages: {
    channels: 'Alert channels',
    alerting: 'Alert policy',
    keys: 'API keys',
    snippets: 'Snippets',
    variables: 'Variables',
    health: 'Health and disk',
    about: 'About',
  },
};

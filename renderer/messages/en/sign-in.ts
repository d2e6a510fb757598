export const signIn = {
  title: 'Sign in to Watchpost',
  key: 'API key',
  keyHint: 'It begins with wp_ and was shown once, at the first start.',
  submit: 'Sign in',
  byLink: 'Without a key',
  byLinkText: 'On the machine that runs Watchpost, this prints a link that signs you in:',
  command: 'node bin/watchpost.js open',
  signingIn: 'Signing in…',
  linkFailed: 'This link does not sign in any more.',
};

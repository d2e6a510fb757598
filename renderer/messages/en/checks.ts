export const checks = {
  title: 'Checks',
  emptyTitle: 'Nothing is monitored yet',
  emptyText: 'Create the first check through the API; this page shows it at once.',
  emptyAction: 'Read how',
};

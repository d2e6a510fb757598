import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usedText } from '#renderer/messages/variables.ts';
import type { UsersView, UserView } from '#shared/variables/uses.ts';
import styles from './used-by.module.css';
import { type Used, usersQuery } from './users-query.ts';

/** What uses a variable or a snippet, with the way to each. */
export function UsedBy({ of }: { of: Used }) {
  const { data, error } = useQuery(usersQuery(of));
  return (
    <section className={styles.usedBy} aria-label={usedText.label}>
      <h2 className={styles.head}>{usedText.label}</h2>
      {error !== null && <p>{error.message}</p>}
      {data?.total === 0 && <p className={styles.nobody}>{usedText.nobody}</p>}
      {data !== undefined && data.total > 0 && <Users {...data} />}
    </section>
  );
}

export function Users({ total, users }: UsersView) {
  const others = total - users.length;
  return (
    <ul className={styles.users}>
      {users.map((user) => (
        <li key={`${user.kind} ${user.id}`} className={styles.user}>
          <UserLink user={user} />
          <span className={styles.kind}>{usedText.kinds[user.kind]}</span>
        </li>
      ))}
      {others > 0 && <li className={styles.kind}>{usedText.others(others)}</li>}
    </ul>
  );
}

function UserLink({ user: { kind, id, name } }: { user: UserView }) {
  switch (kind) {
    case 'check':
      return (
        <Link to="/checks/$checkId" params={{ checkId: id }}>
          {name}
        </Link>
      );
    case 'group':
      return (
        <Link to="/groups/$groupId" params={{ groupId: id }} search={{ tab: 'settings' }}>
          {name}
        </Link>
      );
    case 'snippet':
      return (
        <Link to="/settings/snippets/$snippetId" params={{ snippetId: id }}>
          {name}
        </Link>
      );
  }
}

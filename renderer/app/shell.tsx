import { Link, Outlet } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { PLACES } from './navigation.ts';
import { SessionEnded } from './session-ended.tsx';
import styles from './shell.module.css';

/** What stands around every screen: the places to go, and who is signed in. */
export function Shell() {
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {text.shell.skip}
      </a>
      <header className={styles.top}>
        <Brand />
        <AccountMenu
          withPlaces
          trigger={
            <Button kind="quiet" isIcon aria-label={text.shell.menu}>
              <MenuIcon size={20} aria-hidden />
            </Button>
          }
        />
      </header>
      <div className={styles.side}>
        <Brand />
        <nav aria-label={text.shell.navigation} className={styles.places}>
          {PLACES.map(({ to, label, icon: Icon }) => (
            <Link key={to} to={to} className={styles.place} activeOptions={{ exact: to === '/' }}>
              <Icon size={16} strokeWidth={1.5} aria-hidden />
              {label}
            </Link>
          ))}
        </nav>
        <div className={styles.foot}>
          <AccountMenu
            trigger={
              <Button kind="quiet" className={styles.account ?? ''}>
                {text.shell.account}
              </Button>
            }
          />
        </div>
      </div>
      <main id="content" className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
      <SessionEnded />
    </div>
  );
}

function Brand() {
  return (
    <Link to="/" className={styles.brand}>
      {text.shell.name}
    </Link>
  );
}

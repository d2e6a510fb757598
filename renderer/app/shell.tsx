import { Link, Outlet } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { nameOf } from './keys.ts';
import { PLACES } from './navigation.ts';
import { Overlays, openPalette } from './overlays.tsx';
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
        <div className={styles.tools}>
          <Button kind="quiet" isIcon aria-label={text.shell.palette} onClick={openPalette}>
            <Search size={20} strokeWidth={1.5} aria-hidden />
          </Button>
          <AccountMenu
            withPlaces
            trigger={
              <Button kind="quiet" isIcon aria-label={text.shell.menu}>
                <MenuIcon size={20} strokeWidth={1.5} aria-hidden />
              </Button>
            }
          />
        </div>
      </header>
      <header className={styles.side}>
        <Brand />
        <button type="button" className={styles.search} onClick={openPalette}>
          <Search size={16} strokeWidth={1.5} aria-hidden />
          {text.shell.search}
          <kbd className={styles.kbd}>{nameOf('mod+k').join(' ')}</kbd>
        </button>
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
      </header>
      <main id="content" className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
      <Overlays />
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

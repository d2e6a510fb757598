import { Link, Outlet } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { useEffect } from 'react';
import { startLive } from '#renderer/api/live.ts';
import { useSummary } from '#renderer/api/summary.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { StateIcon } from '#renderer/parts/state-icon.tsx';
import type { CheckState } from '#shared/summaries/check-state.ts';
import { AccountMenu } from './account-menu.tsx';
import { useFavicon } from './favicon.ts';
import { nameOf } from './keys.ts';
import { PLACES } from './navigation.ts';
import { Overlays, openPalette } from './overlays.tsx';
import { SessionEnded } from './session-ended.tsx';
import styles from './shell.module.css';

/** What stands around every screen: the places to go, and who is signed in. */
export function Shell() {
  useEffect(startLive, []);
  const summary = useSummary();
  const counts = summary.kind === 'ready' ? summary.counts : undefined;
  useFavicon(counts);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {text.shell.skip}
      </a>
      <header className={styles.top}>
        <Brand counts={counts} />
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
        <Brand counts={counts} />
        <button type="button" className={styles.search} onClick={openPalette}>
          <Search size={16} strokeWidth={1.5} aria-hidden />
          {text.shell.search}
          <kbd className={styles.kbd}>{nameOf('mod+k').join(' ')}</kbd>
        </button>
        <nav aria-label={text.shell.navigation} className={styles.places}>
          {PLACES.map(({ to, label, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              className={styles.place}
              activeOptions={{ exact: to === '/', includeSearch: false }}
            >
              <Icon size={16} strokeWidth={1.5} aria-hidden />
              {label}
              {to === '/' && counts !== undefined && counts.failing > 0 && (
                <span className={styles.count}>
                  <span className={styles.unseen}>{text.shell.failing}</span> {counts.failing}
                </span>
              )}
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

function Brand({ counts }: { counts: Record<CheckState, number> | undefined }) {
  const worst = counts && (['failing', 'degraded'] as const).find((state) => counts[state] > 0);
  return (
    <Link to="/" className={styles.brand}>
      <StateIcon state={worst ?? 'passing'} isNamed={worst !== undefined} />
      {text.shell.name}
    </Link>
  );
}

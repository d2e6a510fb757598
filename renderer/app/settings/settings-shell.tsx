import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { text } from '#renderer/messages/messages.ts';
import { SelectField } from '#renderer/parts/select.tsx';
import { SETTINGS_PAGES } from './settings-pages.ts';
import styles from './settings-shell.module.css';

/** The pages of the settings: a list beside the one that is open, a choice above it where there is no room. */
export function SettingsShell() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const open = SETTINGS_PAGES.find(({ to }) => pathname.startsWith(to)) ?? SETTINGS_PAGES[0];
  return (
    <div className={styles.settings}>
      <nav className={styles.list} aria-label={text.settings.title}>
        {SETTINGS_PAGES.map(({ to, label }) => (
          <Link key={to} to={to} className={styles.page}>
            {label}
          </Link>
        ))}
      </nav>
      <div className={styles.choice}>
        <SelectField
          label={text.settings.title}
          value={open.to}
          options={SETTINGS_PAGES.map(({ to, label }) => [to, label] as const)}
          onChange={(to) => void navigate({ to })}
        />
      </div>
      <div className={styles.content}>
        <Outlet />
      </div>
    </div>
  );
}

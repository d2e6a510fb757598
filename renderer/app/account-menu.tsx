import { useNavigate } from '@tanstack/react-router';
import { BookOpen, LogOut, MonitorX } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { leave, signOut } from '#renderer/api/access.ts';
import { api } from '#renderer/api/client.ts';
import { queryClient } from '#renderer/api/queries.ts';
import { text } from '#renderer/messages/messages.ts';
import { Confirm } from '#renderer/parts/confirm.tsx';
import { forgetDrafts } from '#renderer/parts/form/draft.ts';
import { Menu, MenuChoice, MenuItem, MenuLine, MenuLink } from '#renderer/parts/menu.tsx';
import { toastFailure } from '#renderer/parts/toast.tsx';
import { setTheme, storedTheme, THEMES } from '#renderer/theme/theme.ts';
import { PLACES } from './navigation.ts';

interface AccountMenuProps {
  trigger: ReactElement<Record<string, unknown>>;
  /** On phones, where no navigation stands beside the screen. */
  withPlaces?: boolean;
}

/** Theme, API page and signing out. */
export function AccountMenu({ trigger, withPlaces = false }: AccountMenuProps) {
  const navigate = useNavigate();
  const [theme, setShown] = useState(storedTheme);
  const [isAsking, setAsking] = useState(false);
  const leaveBy = async (act: () => Promise<unknown>) => {
    try {
      await act();
      queryClient.clear();
      forgetDrafts();
      await navigate({ to: '/sign-in' });
    } catch (error) {
      toastFailure(error);
    }
  };
  const everywhere = () =>
    leaveBy(async () => {
      await api('DELETE /app/sign-ins');
      leave();
    });
  return (
    <>
      <Menu trigger={trigger} align="end">
        {withPlaces &&
          PLACES.map(({ to, label, icon: Icon }) => (
            <MenuItem
              key={to}
              icon={<Icon size={16} strokeWidth={1.5} aria-hidden />}
              onSelect={() => void navigate({ to })}
            >
              {label}
            </MenuItem>
          ))}
        {withPlaces && <MenuLine />}
        <MenuChoice
          label={text.shell.theme}
          value={theme}
          options={THEMES.map((one) => [one, text.shell.themes[one]] as const)}
          onChange={(next) => {
            setTheme(next);
            setShown(next);
          }}
        />
        <MenuLine />
        <MenuLink href="/docs" icon={<BookOpen size={16} strokeWidth={1.5} aria-hidden />}>
          {text.shell.apiReference}
        </MenuLink>
        <MenuLine />
        <MenuItem
          icon={<LogOut size={16} strokeWidth={1.5} aria-hidden />}
          onSelect={() => void leaveBy(signOut)}
        >
          {text.shell.signOut}
        </MenuItem>
        <MenuItem
          icon={<MonitorX size={16} strokeWidth={1.5} aria-hidden />}
          onSelect={() => setAsking(true)}
        >
          {text.shell.signOutEverywhere}
        </MenuItem>
      </Menu>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void everywhere()}
        title={text.shell.signOutEverywhereQuestion}
        text={text.shell.signOutEverywhereText}
        action={text.shell.signOutEverywhere}
      />
    </>
  );
}

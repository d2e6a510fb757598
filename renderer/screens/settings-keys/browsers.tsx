import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';
import { keysText } from '#renderer/messages/appliance.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { Cell, Table } from '#renderer/parts/table.tsx';
import { Tag } from '#renderer/parts/tag.tsx';
import { Ago } from '#renderer/parts/time.tsx';
import { toast, toastFailure } from '#renderer/parts/toast.tsx';
import styles from './keys-screen.module.css';
import { signInsQuery } from './queries.ts';

const words = keysText;
const HEADS = [
  { label: words.browser },
  { label: words.signedInBy, isMinor: true },
  { label: words.lastSeen },
  { label: '' },
];

/** Who is signed in at the interface; each can be signed out from here. */
export function Browsers() {
  const { data } = useQuery(signInsQuery);
  const queries = useQueryClient();
  const signOut = async (id: string) => {
    try {
      await api('DELETE /app/sign-ins/{id}', { params: { id } });
      toast(words.signedOut);
    } catch (error) {
      toastFailure(error);
    }
    await queries.invalidateQueries({ queryKey: ['sign-ins'] });
  };
  if (data === undefined || data.length === 0) return null;
  return (
    <section className={styles.browsers} aria-label={words.browsers}>
      <h2>{words.browsers}</h2>
      <Table label={words.browsers} heads={HEADS}>
        {data.map(({ id, browser, keyName, used_at, isCurrent }) => (
          <tr key={id}>
            <Cell>
              {shortName(browser)} {isCurrent && <Tag>{words.this}</Tag>}
            </Cell>
            <Cell isMinor>{keyName ?? words.link}</Cell>
            <Cell>
              <Ago at={used_at} />
            </Cell>
            <Cell>
              <Button
                aria-label={words.signOutBrowser(shortName(browser))}
                onClick={() => void signOut(id)}
              >
                {words.signOut}
              </Button>
            </Cell>
          </tr>
        ))}
      </Table>
    </section>
  );
}

const PRODUCTS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['HeadlessChrome/', 'Headless Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const;

/** `Firefox, Linux`; what is not known as it names itself. */
function shortName(userAgent: string): string {
  const product = PRODUCTS.find(([sign]) => userAgent.includes(sign))?.[1];
  const system = SYSTEMS.find((name) => userAgent.includes(name));
  const known = [product, system].filter(Boolean).join(', ');
  return known || userAgent || text.parts.none;
}

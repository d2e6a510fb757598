import type { ReactNode } from 'react';
import styles from './table.module.css';

interface Head {
  /** Empty over buttons. */
  label: string;
  /** Not there where there is no room: on phones. */
  isMinor?: boolean;
  /** Of numbers, which are compared. */
  isNumber?: boolean;
}

/** A few rows with columns, all there: not for lists of hundreds. */
export function Table({
  label,
  heads,
  children,
}: {
  /** What it lists, for those who do not see it. */
  label: string;
  heads: readonly Head[];
  children: ReactNode;
}) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {heads.map((head) =>
            head.label === '' ? (
              <td key="" />
            ) : (
              <th key={head.label} scope="col" className={classOf(head)}>
                {head.label}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** A cell of a row; `isMinor` and `isNumber` as of its column's head. */
export function Cell({ children, ...look }: Omit<Head, 'label'> & { children: ReactNode }) {
  return <td className={classOf(look)}>{children}</td>;
}

function classOf({ isMinor = false, isNumber = false }: Omit<Head, 'label'>): string {
  return [isMinor && styles.minor, isNumber && styles.number].filter(Boolean).join(' ');
}

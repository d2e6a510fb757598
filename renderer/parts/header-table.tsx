import styles from './header-table.module.css';

interface HeaderTableProps {
  headers: Readonly<Record<string, string | readonly string[]>>;
  label: string;
}

/** Header fields, or any names with values, to read. */
export function HeaderTable({ headers, label }: HeaderTableProps) {
  const rows = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one, index) => ({ key: `${name} ${index}`, name, value: one })),
  );
  return (
    <table className={styles.headers} aria-label={label}>
      <tbody>
        {rows.map(({ key, name, value }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

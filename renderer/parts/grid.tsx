import type { ComponentProps } from 'react';

/*
 * A list with columns whose rows are there only near the window. It says its roles itself: a table element would
 * count the rows that it has. `aria-rowcount` of the grid and `aria-rowindex` of each row say what is not there.
 */
const ROLES = {
  grid: { role: 'grid' },
  rows: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  rowHead: { role: 'rowheader' },
  cell: { role: 'gridcell' },
} as const;

type DivProps = ComponentProps<'div'>;

export const Grid = (props: DivProps) => <div {...ROLES.grid} {...props} />;
export const GridRows = (props: DivProps) => <div {...ROLES.rows} {...props} />;
export const GridRow = (props: DivProps) => <div {...ROLES.row} {...props} />;
export const GridHead = (props: DivProps) => <div {...ROLES.head} {...props} />;
export const GridRowHead = (props: DivProps) => <div {...ROLES.rowHead} {...props} />;
export const GridCell = (props: DivProps) => <div {...ROLES.cell} {...props} />;

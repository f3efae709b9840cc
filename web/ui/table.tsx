import type { ReactNode } from 'react';
import { cx } from './class-names.ts';

export interface TableColumn {
  head: string;
  wide?: boolean | undefined;
}

export interface TableProps {
  /** The accessible name of the table. */
  caption: string;
  columns: readonly TableColumn[];
  /** Each row has one cell per column. The first is its name. */
  rows: ReadonlyArray<{ key: string; cells: readonly ReactNode[] }>;
  foot?: readonly ReactNode[] | undefined;
  className?: string | undefined;
}

function Cells({ cells, columns }: { cells: readonly ReactNode[]; columns: readonly TableColumn[] }) {
  return columns.map(({ head, wide }, index) =>
    index === 0 ? (
      <th key={head} scope="row">
        {cells[index]}
      </th>
    ) : (
      <td key={head} className={wide ? 'tbl__wide' : undefined}>
        {cells[index]}
      </td>
    ),
  );
}

export function Table({ caption, columns, rows, foot, className }: TableProps) {
  return (
    <table className={cx('tbl', className)}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, wide }) => (
            <th key={head} scope="col" className={wide ? 'tbl__wide' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            <Cells cells={cells} columns={columns} />
          </tr>
        ))}
      </tbody>
      {foot && (
        <tfoot>
          <tr>
            <Cells cells={foot} columns={columns} />
          </tr>
        </tfoot>
      )}
    </table>
  );
}

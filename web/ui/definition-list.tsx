import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

export interface DefinitionItem {
  name: string;
  value: ReactNode;
}

export function DefinitionList({
  items,
  strong,
  className,
}: {
  items: readonly DefinitionItem[];
  strong?: boolean | undefined;
  className?: string | undefined;
}) {
  return (
    <dl className={cx('facts num', strong && 'facts--strong', className)} style={{ whiteSpace: 'normal' }}>
      {items.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The lines of a payment (You get, Fee) and its total (You pay). `live` announces changes to screen readers. */
export function PriceSummary({
  items,
  total,
  live,
  className,
}: {
  items: readonly DefinitionItem[];
  total: DefinitionItem;
  live?: boolean | undefined;
  className?: string | undefined;
}) {
  return (
    <dl className={cx('sum', className)} aria-live={live ? 'polite' : undefined}>
      {items.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div className="sum__total">
        <dt>{total.name}</dt>
        <dd>{total.value}</dd>
      </div>
    </dl>
  );
}

export interface ReceiptCardProps {
  title: string;
  icon?: IconName | undefined;
  status?: ReactNode;
  amount?: string | undefined;
  line?: ReactNode;
  lineEnd?: ReactNode;
  end?: ReactNode;
  className?: string | undefined;
}

export function ReceiptCard({ title, icon, status, amount, line, lineEnd, end, className }: ReceiptCardProps) {
  return (
    <div className={cx('slip', className)}>
      <div className="slip__row slip__row--cap">
        <span className="slip__cap">
          {icon && <Icon name={icon} />}
          <span className="one-line">{title}</span>
        </span>
        {status && <span className="num">{status}</span>}
      </div>
      {amount && (
        <div className="slip__row">
          <span className="slip__amount">{amount}</span>
          {end}
        </div>
      )}
      {line && (
        <div className="slip__row slip__line">
          <span>{line}</span>
          <span className="num">{lineEnd}</span>
        </div>
      )}
    </div>
  );
}

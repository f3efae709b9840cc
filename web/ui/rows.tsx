import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { UiLink } from './link.tsx';

export function Rows({
  children,
  closed,
  className,
  label,
}: {
  children: ReactNode;
  closed?: boolean | undefined;
  className?: string | undefined;
  label?: string | undefined;
}) {
  return (
    <ul className={cx('rows', closed && 'rows--closed', className)} aria-label={label}>
      {children}
    </ul>
  );
}

export function Glyph({ icon }: { icon: IconName }) {
  return (
    <span className="glyph">
      <Icon name={icon} />
    </span>
  );
}

export interface RowProps {
  title: ReactNode;
  sub?: ReactNode;
  lead?: ReactNode;
  end?: ReactNode;
  href?: string | undefined;
  className?: string | undefined;
}

export function Row({ title, sub, lead, end, href, className }: RowProps) {
  return (
    <li className={cx('row', !lead && 'row--bare', className)}>
      {lead}
      <div className="min-w-0">
        {href === undefined ? (
          <bdi className="row__title one-line">{title}</bdi>
        ) : (
          <UiLink href={href} className="row__title row__link one-line">
            <bdi>{title}</bdi>
          </UiLink>
        )}
        {sub && <span className="row__sub one-line">{sub}</span>}
      </div>
      {end}
    </li>
  );
}

export interface AmountRowProps extends Omit<RowProps, 'end'> {
  icon?: IconName | undefined;
  /** Formatted with sign and two decimals: `−$12.40`. */
  amount: string;
  status: string;
  void?: boolean | undefined;
}

export function AmountRow({ icon, amount, status, void: isStruck, lead, className, ...row }: AmountRowProps) {
  return (
    <Row
      {...row}
      className={cx(isStruck && 'row--void', className)}
      lead={lead ?? (icon && <Glyph icon={icon} />)}
      end={
        <span className="row__end num">
          <span>{amount}</span>
          <small>{status}</small>
        </span>
      }
    />
  );
}

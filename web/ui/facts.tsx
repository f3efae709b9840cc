import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

export interface Fact {
  name: string;
  value: ReactNode;
}

export function FactList({
  facts,
  strong,
  className,
}: {
  facts: readonly Fact[];
  strong?: boolean | undefined;
  className?: string | undefined;
}) {
  return (
    <dl className={cx('facts num', strong && 'facts--strong', className)} style={{ whiteSpace: 'normal' }}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The lines of a payment (You get, Fee) and its total (You pay). `live` announces changes to screen readers. */
export function Sum({
  lines,
  total,
  live,
  className,
}: {
  lines: readonly Fact[];
  total: Fact;
  live?: boolean | undefined;
  className?: string | undefined;
}) {
  return (
    <dl className={cx('sum', className)} aria-live={live ? 'polite' : undefined}>
      {lines.map(({ name, value }) => (
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

export interface SlipProps {
  title: string;
  icon?: IconName | undefined;
  word?: ReactNode;
  amount?: string | undefined;
  line?: ReactNode;
  lineEnd?: ReactNode;
  end?: ReactNode;
  className?: string | undefined;
}

export function Slip({ title, icon, word, amount, line, lineEnd, end, className }: SlipProps) {
  return (
    <div className={cx('slip', className)}>
      <div className="slip__row slip__row--cap">
        <span className="slip__cap">
          {icon && <Icon name={icon} />}
          <span className="one-line">{title}</span>
        </span>
        {word && <span className="num">{word}</span>}
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

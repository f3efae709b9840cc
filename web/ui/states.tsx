import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { CSSProperties, ReactNode } from 'react';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import * as texts from './texts.ts';

export function EmptyState({ line, more, action }: { line: string; more?: ReactNode; action?: ReactNode }) {
  return (
    <div className="state">
      <p className="state__line">{line}</p>
      {more && <p className="state__more">{more}</p>}
      {action}
    </div>
  );
}

export interface ErrorStateProps {
  title?: string | undefined;
  more?: ReactNode;
  retryText?: string | undefined;
  onRetry?: (() => void) | undefined;
  /** The address to reload without script. */
  retryHref?: string | undefined;
  busy?: boolean | undefined;
  /** The request id, by which support can find the error. */
  requestId?: string | undefined;
}

export function ErrorState({
  title = texts.genericError,
  more,
  retryText = texts.tryAgain,
  onRetry,
  retryHref,
  busy,
  requestId,
}: ErrorStateProps) {
  return (
    <div className="state" role="alert">
      <p className="state__line">{title}</p>
      {more && <p className="state__more">{more}</p>}
      {retryHref !== undefined ? (
        <Button href={retryHref} icon="refresh">
          {retryText}
        </Button>
      ) : (
        onRetry && (
          <Button icon="refresh" onClick={onRetry} busy={busy} busyText={texts.trying}>
            {retryText}
          </Button>
        )
      )}
      {requestId && <p className="text-small text-muted">{formatText(texts.requestReference, { requestId })}</p>}
    </div>
  );
}

/**
 * Appears only after 150 ms, so that fast responses do not flicker. It is hidden from screen readers, so set aria-busy
 * on the region.
 */
export function Skeleton({
  shape = 'block',
  className,
  style,
}: {
  shape?: 'block' | 'text' | 'round' | undefined;
  className?: string | undefined;
  style?: CSSProperties | undefined;
}) {
  return (
    <span
      aria-hidden="true"
      className={cx('skeleton', shape !== 'block' && `skeleton--${shape}`, className)}
      style={style}
    />
  );
}

export function SkeletonRows({
  count = 4,
  label = texts.loading,
}: {
  count?: number | undefined;
  label?: string | undefined;
}) {
  return (
    <div aria-busy="true">
      <span className="sr-only" role="status">
        {label}
      </span>
      <ul className="rows" aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows without identity
          <li className="row" key={index}>
            <Skeleton shape="round" style={{ width: 44, height: 44 }} />
            <span>
              <Skeleton shape="text" style={{ width: '46%' }} />
              <Skeleton shape="text" style={{ width: '72%' }} />
            </span>
            <Skeleton shape="text" style={{ width: 56 }} />
          </li>
        ))}
      </ul>
    </div>
  );
}

export function SkeletonCards({
  count = 4,
  ratio = '4 / 5',
  className,
}: {
  count?: number | undefined;
  ratio?: string | undefined;
  className?: string | undefined;
}) {
  return (
    <div aria-busy="true" className={className}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards without identity
        <div key={index}>
          <Skeleton style={{ aspectRatio: ratio }} />
          <Skeleton shape="text" style={{ width: '60%', marginTop: 14 }} />
          <Skeleton shape="text" style={{ width: '36%' }} />
        </div>
      ))}
    </div>
  );
}

export type BannerKind = 'notice' | 'success' | 'warn' | 'error' | 'offline' | 'test';
const bannerIcons: Record<BannerKind, IconName> = {
  notice: 'info',
  success: 'check',
  warn: 'warning',
  error: 'warning',
  offline: 'globe',
  test: 'info',
};

export function Banner({
  kind = 'notice',
  children,
  action,
  inline,
  center,
}: {
  kind?: BannerKind | undefined;
  children: ReactNode;
  action?: ReactNode;
  inline?: boolean | undefined;
  center?: boolean | undefined;
}) {
  return (
    <div
      className={cx(
        'banner',
        `banner--${kind}`,
        (inline || kind === 'error') && 'banner--inline',
        center && 'banner--center',
      )}
      role={kind === 'error' ? 'alert' : 'status'}
    >
      <Icon name={bannerIcons[kind]} size={20} />
      <div className="banner__words">{children}</div>
      {action && <div className="banner__act">{action}</div>}
    </div>
  );
}

export function Spinner({
  label = texts.loading,
  size = 18,
}: {
  label?: string | undefined;
  size?: number | undefined;
}) {
  return (
    <span role="status" className="inline-grid">
      <span className="spinner" style={{ width: size, height: size }} />
      <span className="sr-only">{label}</span>
    </span>
  );
}

export function Progress({
  label,
  name = label,
  value,
  max = 100,
  text,
  action,
}: {
  label: string;
  name?: string | undefined;
  /** Absent if the progress is unknown. */
  value?: number | undefined;
  max?: number | undefined;
  text?: string | undefined;
  action?: ReactNode;
}) {
  return (
    <div className="progress">
      <div className="progress__words">
        <span className="one-line">{label}</span>
        <span className="num text-muted">
          {text ?? (value === undefined ? '' : `${Math.round((value / max) * 100)} %`)}
        </span>
      </div>
      <progress className="progress__bar" aria-label={name} max={max} value={value} />
      {action}
    </div>
  );
}

import type { CSSProperties, ReactNode } from 'react';
import { cx } from './class-names.ts';
import * as texts from './texts.ts';

export function Stats({
  children,
  label,
  className,
}: {
  children: ReactNode;
  label: string;
  className?: string | undefined;
}) {
  return (
    <section className={cx('stats', className)} aria-label={label}>
      {children}
    </section>
  );
}

export function StatCard({
  name,
  value,
  note,
  noteMuted = true,
}: {
  name: string;
  value: string;
  note?: ReactNode;
  noteMuted?: boolean | undefined;
}) {
  const signs: CustomProperties = { '--signs': value.length };
  return (
    <div className="stat">
      <p className="stat__name">{name}</p>
      <p className="stat__value" style={signs}>
        {value}
      </p>
      {note && <p className={cx('stat__note num', noteMuted && 'stat__note--muted')}>{note}</p>}
    </div>
  );
}

export interface ChartBar {
  label: string;
  value: number;
  text: string;
  tick?: string | undefined;
}

export interface BarChartProps {
  caption: string;
  bars: readonly ChartBar[];
  /** The maximum of the scale and its label. Default: the largest value. */
  max?: number | undefined;
  maxText?: string | undefined;
  /** The index of the highlighted bar. Default: the last. */
  highlightIndex?: number | undefined;
  heads?: readonly [string, string] | undefined;
}

type CustomProperties = CSSProperties & Record<`--${string}`, number>;

export function BarChart({
  caption,
  bars,
  max,
  maxText,
  highlightIndex = bars.length - 1,
  heads = [texts.when, texts.amount],
}: BarChartProps) {
  const top = Math.max(max ?? 0, ...bars.map((bar) => bar.value), 1);
  const columns: CustomProperties = { '--n': Math.max(bars.length, 1) };
  return (
    <figure className="chart">
      <div className="bars" style={columns} aria-hidden="true">
        {maxText && (
          <span className={cx('bars__max', highlightIndex < bars.length / 2 && 'bars__max--end')}>{maxText}</span>
        )}
        {bars.map((bar, index) => {
          const height: CustomProperties = { '--h': (bar.value / top) * 100 };
          return (
            <span
              key={bar.label}
              className={cx('bars__bar', index === highlightIndex && 'bars__bar--now')}
              style={height}
              title={`${bar.label}: ${bar.text}`}
            >
              {index === highlightIndex && (
                <b className={cx('bars__figure', index < bars.length / 2 && 'bars__figure--start')}>{bar.text}</b>
              )}
            </span>
          );
        })}
      </div>
      <div className="bars__axis" style={columns} aria-hidden="true">
        {bars.map((bar) => (
          <span key={bar.label}>{bar.tick}</span>
        ))}
      </div>
      {/* A table is as wide as its caption, so the wrapper hides it. */}
      <div className="sr-only">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{heads[0]}</th>
              <th scope="col">{heads[1]}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.label}>
                <th scope="row">{bar.label}</th>
                <td>{bar.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

export interface SmallChart {
  name: string;
  text: string;
  /** A description of the chart for screen readers. */
  summary: string;
  values: readonly number[];
}

/** Small charts side by side on a common scale, whose maximum is written once. A table must show the same data. */
export function SmallCharts({
  charts,
  max,
  maxText,
  from,
  to,
}: {
  charts: readonly SmallChart[];
  max: number;
  maxText: string;
  from: string;
  to: string;
}) {
  return (
    <div className="kinds">
      {charts.map(({ name, text, summary, values }, chartIndex) => {
        const columns: CustomProperties = { '--n': Math.max(values.length, 1) };
        return (
          <div className="kind" key={name}>
            <p className="kind__head">
              <span className="kind__name">{name}</span>
              <span className="num">{text}</span>
            </p>
            <div className="bars" style={columns} role="img" aria-label={summary}>
              {chartIndex === 0 && <span className="bars__max">{maxText}</span>}
              {values.map((value, index) => {
                const height: CustomProperties = { '--h': (value / max) * 100 };
                return (
                  <span
                    // biome-ignore lint/suspicious/noArrayIndexKey: bars have only a position
                    key={index}
                    className={cx('bars__bar', index === values.length - 1 && 'bars__bar--now')}
                    style={height}
                  />
                );
              })}
            </div>
            <p className="kind__span" aria-hidden="true">
              <span>{from}</span>
              <span>{to}</span>
            </p>
          </div>
        );
      })}
    </div>
  );
}

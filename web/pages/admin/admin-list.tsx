import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { formatNodes } from '../../ui/format-nodes.ts';
import { moveFocus } from '../../ui/keys.ts';
import { FocusedHeading } from '../../ui/label.tsx';
import * as texts from './texts.ts';

export function AdminList({
  title,
  back,
  children,
}: {
  title: string;
  back?: { href: string; label: string };
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys in addition to the links, which are reached without them
    <div className="grid max-w-[860px] content-start gap-4 pt-5 lg:pt-8" onKeyDown={moveFocus}>
      {back && (
        <p className="-mb-2">
          <Button icon="chevron-left" variant="quiet" href={back.href} className="-ml-2.5">
            {back.label}
          </Button>
        </p>
      )}
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <FocusedHeading>{title}</FocusedHeading>
        <p className="text-small text-muted max-lg:hidden" aria-hidden="true">
          {formatNodes(texts.listKeysHint, { nextKey: <kbd>J</kbd>, previousKey: <kbd>K</kbd>, openKey: <kbd>↵</kbd> })}
        </p>
      </div>
      {children}
    </div>
  );
}

export function StateChips<T extends string>({
  path,
  states,
  current,
  count,
}: {
  path: string;
  states: Readonly<Record<T, string>>;
  current: T;
  count: number | undefined;
}) {
  const entries = Object.entries<string>(states);
  return (
    <Chips label={texts.filter}>
      {entries.map(([state, label], index) => (
        <ChipLink key={state} href={index === 0 ? path : `${path}?state=${state}`} current={state === current}>
          {label}
          {state === current && count !== undefined && <span className="num">{count.toLocaleString('en-US')}</span>}
        </ChipLink>
      ))}
    </Chips>
  );
}

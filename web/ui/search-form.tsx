// The search field: a GET form that works without script. It is separate from the other fields because every page has
// it.
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import * as texts from './texts.ts';

export function SearchForm(props: {
  action: string;
  name?: string | undefined;
  placeholder: string;
  label?: string | undefined;
  defaultValue?: string | undefined;
  className?: string | undefined;
  maxLength?: number | undefined;
  children?: ReactNode;
}) {
  const { action, name = 'q', placeholder, label = texts.search, defaultValue, maxLength, className, children } = props;
  return (
    <search className={className}>
      <form action={action} method="get" className="search">
        <Icon name="search" />
        <input
          className="search__input"
          type="search"
          name={name}
          aria-label={label}
          placeholder={placeholder}
          defaultValue={defaultValue}
          maxLength={maxLength}
          enterKeyHint="search"
          autoComplete="off"
        />
        {children}
      </form>
    </search>
  );
}

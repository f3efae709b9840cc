// The search line: a GET form, so it needs no script. Apart from the other fields, since it is on every page and they are not.
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

export function SearchForm(props: {
  action: string;
  name?: string | undefined;
  placeholder: string;
  label?: string | undefined;
  defaultValue?: string | undefined;
  className?: string | undefined;
  maxLength?: number | undefined;
  /** Hidden fields, of what it is searched in. */
  children?: ReactNode;
}) {
  const { action, name = 'q', placeholder, label = 'Search', defaultValue, maxLength, className, children } = props;
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

// The room of those at the door: top bar, page, footer. Apart from the other (shell.tsx), so that nobody inside carries it.
// Plain markup: it works hydrated and without script. Pages bring their own h1.
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { type LinkComponent, LinkProvider, UiLink } from './link.tsx';
import { Wordmark } from './logo.tsx';
import { SearchForm } from './search-form.tsx';
import { Page, type PageProps, Skip } from './shell.tsx';

export interface ShellSearch {
  action: string;
  placeholder: string;
  name?: string | undefined;
  /** The page with the search field, for widths that have no room for it. Default: `action`. */
  href?: string | undefined;
}

export interface VisitorShellProps extends PageProps {
  linkComponent?: LinkComponent | undefined;
  /** An <AgeNotice/>, until it is answered. */
  ageNotice?: ReactNode;
  banner?: ReactNode;
  search?: ShellSearch | undefined;
  homeHref?: string | undefined;
  loginHref: string;
  /** More at the right end, before the log in link. */
  topRight?: ReactNode;
  footer?: ReactNode;
}

export function VisitorShell(props: VisitorShellProps) {
  const {
    linkComponent = 'a',
    ageNotice,
    banner,
    search,
    homeHref = '/',
    loginHref,
    topRight,
    footer,
    ...page
  } = props;
  return (
    <LinkProvider component={linkComponent}>
      <Skip />
      {ageNotice}
      {banner}
      <header className="vtop">
        <UiLink href={homeHref} aria-label="Stagedoor, home">
          <Wordmark />
        </UiLink>
        <span className="vtop__space" />
        {search && (
          <>
            <SearchForm action={search.action} name={search.name} placeholder={search.placeholder} />
            <IconButton className="vtop__search" icon="search" label="Search" href={search.href ?? search.action} />
          </>
        )}
        {topRight}
        <UiLink className="btn btn--quiet" href={loginHref}>
          Log in
        </UiLink>
      </header>
      <Page {...page} />
      {footer}
    </LinkProvider>
  );
}

/** Legal and help links under a visitor's page. */
export function Footer({
  links,
  children,
}: {
  links: ReadonlyArray<{ href: string; label: string }>;
  children?: ReactNode;
}) {
  return (
    <footer className="footer">
      <nav aria-label="About">
        <ul className="footer__links">
          {links.map((link) => (
            <li key={link.href}>
              <UiLink href={link.href}>{link.label}</UiLink>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </footer>
  );
}

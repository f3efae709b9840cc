// The layout of visitors' pages. It is separate from shell.tsx so that logged-in users do not load it. It works with
// and without script.
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './class-names.ts';
import { type LinkComponent, LinkProvider, UiLink } from './link.tsx';
import { Wordmark } from './logo.tsx';
import { SearchForm } from './search-form.tsx';
import { PageMain, type PageProps, SkipLink } from './shell.tsx';
import * as texts from './texts.ts';

export interface ShellSearch {
  action: string;
  placeholder: string;
  name?: string | undefined;
  maxLength?: number | undefined;
  href?: string | undefined;
}

interface PlainLink {
  href: string;
  label: string;
}

export interface VisitorShellProps extends PageProps {
  nav?: readonly PlainLink[] | undefined;
  current?: string | undefined;
  linkComponent?: LinkComponent | undefined;
  ageNotice?: ReactNode;
  banner?: ReactNode;
  search?: ShellSearch | undefined;
  homeHref?: string | undefined;
  loginHref: string;
  topRight?: ReactNode;
  footer?: ReactNode;
}

export function VisitorShell(props: VisitorShellProps) {
  const {
    linkComponent = 'a',
    nav,
    current,
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
      <SkipLink />
      {ageNotice}
      {banner}
      <header className="vtop" data-lazy-frame>
        <UiLink href={homeHref} aria-label={texts.stagedoorHome}>
          <Wordmark />
        </UiLink>
        {nav && (
          <nav className="vtop__nav" aria-label={texts.mainNavigation}>
            {nav.map(({ href, label }) => (
              <UiLink key={href} href={href} aria-current={href === current ? 'page' : undefined}>
                {label}
              </UiLink>
            ))}
          </nav>
        )}
        <span className="vtop__space" />
        {search && (
          <>
            <SearchForm
              action={search.action}
              name={search.name}
              placeholder={search.placeholder}
              maxLength={search.maxLength}
            />
            <IconButton
              className="vtop__search"
              icon="search"
              label={texts.search}
              href={search.href ?? search.action}
            />
          </>
        )}
        <UiLink className="btn btn--quiet" href={loginHref}>
          {texts.logIn}
        </UiLink>
        {topRight}
      </header>
      <PageMain {...page} />
      {footer}
    </LinkProvider>
  );
}

export function Footer({
  links,
  legalLinks,
  children,
}: {
  links: readonly PlainLink[];
  legalLinks: readonly PlainLink[];
  children?: ReactNode;
}) {
  return (
    <footer className="footer">
      <Links label={texts.more} links={links} isFirst />
      <Links label={texts.legalTexts} links={legalLinks} />
      {children}
    </footer>
  );
}

function Links({ label, links, isFirst = false }: { label: string; links: readonly PlainLink[]; isFirst?: boolean }) {
  return (
    <nav aria-label={label}>
      <ul className={cx('footer__links', isFirst && 'footer__links--first')}>
        {links.map((link) => (
          <li key={link.href}>
            <UiLink href={link.href}>{link.label}</UiLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

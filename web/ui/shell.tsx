// The two rooms every page stands in: VisitorShell for those at the door, AppShell (rail, tab bar, right rail) for those inside.
// Both are plain markup: they work hydrated and without script. Pages bring their own h1.
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { type LinkComponent, LinkProvider, UiLink } from './link.tsx';
import { Mark, Wordmark } from './logo.tsx';
import { SearchForm } from './search-form.tsx';

export interface ShellSearch {
  action: string;
  placeholder: string;
  name?: string | undefined;
  /** The page with the search field, for widths that have no room for it. Default: `action`. */
  href?: string | undefined;
}

/** full: edge to edge padding; wide: up to 1240 px; column: 640 px centred; bleed: no padding, the page brings its own. */
export type PageWidth = 'full' | 'wide' | 'column' | 'bleed';

interface PageProps {
  width?: PageWidth | undefined;
  /** No room below: for pages that fill the window, such as a thread. */
  flush?: boolean | undefined;
  children: ReactNode;
}

function Page({ width = 'full', flush, children }: PageProps) {
  return (
    <main id="main" tabIndex={-1} className={cx('page', width !== 'full' && `page--${width}`, flush && 'page--flush')}>
      {children}
    </main>
  );
}

function Skip() {
  return (
    <a className="skip" href="#main">
      Skip to content
    </a>
  );
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

export interface NavItem {
  href: string;
  label: string;
  icon: IconName;
  /** What stands at its end, such as a Count. */
  badge?: ReactNode;
  /** Not in the tab bar of phones, which has room for five. */
  isRailOnly?: boolean | undefined;
  /** On phones in the top bar instead. */
  isInTopBar?: boolean | undefined;
}

function NavLink({ item, current }: { item: NavItem; current: string }) {
  return (
    <UiLink href={item.href} className="nav-item" aria-current={item.href === current ? 'page' : undefined}>
      <Icon name={item.icon} />
      <span className="nav-item__word one-line">{item.label}</span>
      {item.badge}
    </UiLink>
  );
}

export interface AppShellProps extends PageProps {
  linkComponent?: LinkComponent | undefined;
  /** Five for phones, at most. */
  items: readonly NavItem[];
  /** The href of the item the page belongs to. */
  current: string;
  homeHref?: string | undefined;
  /** One figure as a link, e.g. the balance: right of the top bar, foot of the rail. */
  topRight?: ReactNode;
  /** At the foot of the rail and in the top bar, e.g. alerts. */
  footerItem?: NavItem | undefined;
  search?: ShellSearch | undefined;
  rightRail?: ReactNode;
  rightRailLabel?: string | undefined;
  banner?: ReactNode;
  /** Leaves the top bar out on phones, for pages with their own (a thread, an editor). */
  bare?: boolean | undefined;
  /** Leaves the tab bar out as well, for a place one goes back from (a thread, a checkout). */
  tabless?: boolean | undefined;
}

export function AppShell(props: AppShellProps) {
  const {
    linkComponent = 'a',
    items,
    current,
    homeHref = '/',
    topRight,
    footerItem,
    search,
    rightRail,
    rightRailLabel = 'More',
    banner,
    bare,
    tabless,
    ...page
  } = props;
  const searchItem: NavItem | undefined = search && {
    href: search.href ?? search.action,
    label: 'Search',
    icon: 'search',
  };
  return (
    <LinkProvider component={linkComponent}>
      <Skip />
      <div className={cx('app', rightRail !== undefined && 'app--right', tabless && 'app--tabless')}>
        <nav className="rail" aria-label="Main">
          <UiLink className="rail__home" href={homeHref} aria-label="Stagedoor, home">
            <Mark size={32} />
          </UiLink>
          {items.map((item) => (
            <NavLink key={item.href} item={item} current={current} />
          ))}
          <span className="rail__space" />
          {searchItem && <NavLink item={searchItem} current={current} />}
          {footerItem && <NavLink item={footerItem} current={current} />}
          {topRight && <div className="rail__figure">{topRight}</div>}
        </nav>
        <div className="min-w-0">
          {!bare && (
            <header className="topbar">
              <UiLink href={homeHref} aria-label="Stagedoor, home">
                <Wordmark />
              </UiLink>
              <span className="topbar__space" />
              {searchItem && <IconButton icon="search" label="Search" href={searchItem.href} />}
              {items
                .filter((item) => item.isInTopBar)
                .map((item) => (
                  <NavLink key={item.href} item={item} current={current} />
                ))}
              {topRight && <div className="topbar__right">{topRight}</div>}
            </header>
          )}
          {banner}
          <Page {...page} />
        </div>
        {rightRail !== undefined && (
          <aside className="right-rail" aria-label={rightRailLabel}>
            {rightRail}
          </aside>
        )}
      </div>
      {!tabless && (
        <nav className="tabbar" aria-label="Main">
          {items
            .filter((item) => !item.isRailOnly && !item.isInTopBar)
            .map((item) => (
              <NavLink key={item.href} item={item} current={current} />
            ))}
        </nav>
      )}
    </LinkProvider>
  );
}

/** The decision of a page: fixed above the tab bar on a phone, in place on a desk. */
export function ActionBar({ children }: { children: ReactNode }) {
  return <div className="action-bar">{children}</div>;
}

/** Actions that stay under the top edge while the page scrolls. */
export function StickyBar({ children }: { children: ReactNode }) {
  return <div className="sticky-bar">{children}</div>;
}

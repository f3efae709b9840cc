// The room of those inside: rail, tab bar, right rail; and what it has in common with that of visitors (visitor-shell.tsx).
// Plain markup: it works hydrated and without script. Pages bring their own h1.
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { type LinkComponent, LinkProvider, UiLink } from './link.tsx';
import { Mark, Wordmark } from './logo.tsx';

/** full: edge to edge padding; wide: up to 1240 px; column: 640 px centred; bleed: no padding, the page brings its own. */
export type PageWidth = 'full' | 'wide' | 'column' | 'bleed';

export interface PageProps {
  width?: PageWidth | undefined;
  /** No room below: for pages that fill the window, such as a thread. */
  flush?: boolean | undefined;
  /** Another page is on its way: this one takes no more input. */
  isLeaving?: boolean | undefined;
  children: ReactNode;
}

export function Page({ width = 'full', flush, isLeaving, children }: PageProps) {
  return (
    <main
      id="main"
      tabIndex={-1}
      inert={isLeaving}
      className={cx('page', width !== 'full' && `page--${width}`, flush && 'page--flush')}
    >
      {children}
    </main>
  );
}

export function Skip() {
  return (
    <a className="skip" href="#main">
      Skip to content
    </a>
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
  /** The page with the search field. */
  searchHref?: string | undefined;
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
    searchHref,
    rightRail,
    rightRailLabel = 'More',
    banner,
    bare,
    tabless,
    ...page
  } = props;
  const searchItem: NavItem | undefined =
    searchHref === undefined ? undefined : { href: searchHref, label: 'Search', icon: 'search' };
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

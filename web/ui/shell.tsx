// The layout of logged-in pages, and the parts shared with visitor-shell.tsx. It works with and without script. Pages
// provide their own h1.
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { type LinkComponent, LinkProvider, UiLink } from './link.tsx';
import { LogoMark, Wordmark } from './logo.tsx';
import * as texts from './texts.ts';

/** full: with padding, over the whole width. wide: up to 1240 px. column: 640 px centered. bleed: no padding. */
export type PageWidth = 'full' | 'wide' | 'column' | 'bleed';

export interface PageProps {
  width?: PageWidth | undefined;
  flush?: boolean | undefined;
  /** Another page is loading, so this one accepts no input. */
  isLeaving?: boolean | undefined;
  children: ReactNode;
}

export function PageMain({ width = 'full', flush, isLeaving, children }: PageProps) {
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

export function SkipLink() {
  return (
    <a className="skip" href="#main">
      {texts.skipToContent}
    </a>
  );
}

export interface NavItem {
  href: string;
  label: string;
  icon: IconName;
  badge?: ReactNode;
  isRailOnly?: boolean | undefined;
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
  /** At most five are visible in the tab bar of phones. */
  items: readonly NavItem[];
  current: string;
  homeHref?: string | undefined;
  topRight?: ReactNode;
  footerItem?: NavItem | undefined;
  searchHref?: string | undefined;
  rightRail?: ReactNode;
  rightRailLabel?: string | undefined;
  banner?: ReactNode;
  /** Hides the top bar on phones, for pages with their own, such as a thread or an editor. */
  bare?: boolean | undefined;
  /** Also hides the tab bar, for pages with a back button, such as a thread or a checkout. */
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
    rightRailLabel = texts.more,
    banner,
    bare,
    tabless,
    ...page
  } = props;
  const searchItem: NavItem | undefined =
    searchHref === undefined ? undefined : { href: searchHref, label: texts.search, icon: 'search' };
  return (
    <LinkProvider component={linkComponent}>
      <SkipLink />
      <div className={cx('app', rightRail !== undefined && 'app--right', tabless && 'app--tabless')}>
        <nav className="rail" aria-label={texts.mainNavigation}>
          <UiLink className="rail__home" href={homeHref} aria-label={texts.stagedoorHome}>
            <LogoMark size={32} />
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
              <UiLink href={homeHref} aria-label={texts.stagedoorHome}>
                <Wordmark />
              </UiLink>
              <span className="topbar__space" />
              {searchItem && <IconButton icon="search" label={texts.search} href={searchItem.href} />}
              {items
                .filter((item) => item.isInTopBar)
                .map((item) => (
                  <NavLink key={item.href} item={item} current={current} />
                ))}
              {topRight && <div className="topbar__right">{topRight}</div>}
            </header>
          )}
          {banner}
          <PageMain {...page} />
        </div>
        {rightRail !== undefined && (
          <aside className="right-rail" aria-label={rightRailLabel}>
            {rightRail}
          </aside>
        )}
      </div>
      {!tabless && (
        <nav className="tabbar" aria-label={texts.mainNavigation}>
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

/** The primary action of a page: fixed above the tab bar on phones, in the content on wide screens. */
export function ActionBar({ children }: { children: ReactNode }) {
  return <div className="action-bar">{children}</div>;
}

export function StickyBar({ children }: { children: ReactNode }) {
  return <div className="sticky-bar">{children}</div>;
}

// The link of all UI components. A hydrated app provides its router's link through <LinkProvider>, otherwise it is a
// plain <a>.
import { type ComponentProps, type ComponentType, createContext, createElement, type ReactNode, use } from 'react';

export type LinkProps = ComponentProps<'a'> & {
  href: string;
  /** Keeps the scroll position, because the content that changes is below the link. */
  keepsScroll?: boolean | undefined;
};
export type LinkComponent = ComponentType<LinkProps> | 'a';

const LinkContext = createContext<LinkComponent>('a');

export function LinkProvider({ component, children }: { component: LinkComponent; children: ReactNode }) {
  return <LinkContext value={component}>{children}</LinkContext>;
}

export function UiLink(props: LinkProps) {
  const component = use(LinkContext);
  if (component !== 'a') return createElement(component, props);
  const { keepsScroll: _, ...anchor } = props;
  return <a {...anchor} />;
}

// The one way primitives make a link. A hydrated app hands in its router's link through <LinkProvider>; without it, it is a plain <a>.
import { type ComponentProps, type ComponentType, createContext, createElement, type ReactNode, use } from 'react';

export type LinkProps = ComponentProps<'a'> & {
  href: string;
  /** The window stays where it is scrolled to: what changes lies below the link. */
  keepsPlace?: boolean | undefined;
};
export type LinkComponent = ComponentType<LinkProps> | 'a';

const LinkContext = createContext<LinkComponent>('a');

export function LinkProvider({ component, children }: { component: LinkComponent; children: ReactNode }) {
  return <LinkContext value={component}>{children}</LinkContext>;
}

export function UiLink(props: LinkProps) {
  const component = use(LinkContext);
  if (component !== 'a') return createElement(component, props);
  const { keepsPlace: _, ...anchor } = props;
  return <a {...anchor} />;
}

// The one way primitives make a link. A hydrated app hands in its router's link through <LinkProvider>; without it, it is a plain <a>.
import { type ComponentProps, type ComponentType, createContext, createElement, type ReactNode, use } from 'react';

export type LinkProps = ComponentProps<'a'> & { href: string };
export type LinkComponent = ComponentType<LinkProps> | 'a';

const LinkContext = createContext<LinkComponent>('a');

export function LinkProvider({ component, children }: { component: LinkComponent; children: ReactNode }) {
  return <LinkContext value={component}>{children}</LinkContext>;
}

export function UiLink(props: LinkProps) {
  return createElement(use(LinkContext), props);
}

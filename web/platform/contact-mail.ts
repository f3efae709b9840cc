import { useRouteLoaderData } from 'react-router';

/** Returns the support address, or an empty string if the root loader failed. */
export function useContactMail(): string {
  const root: unknown = useRouteLoaderData('root');
  const isKnown =
    typeof root === 'object' && root !== null && 'contactMail' in root && typeof root.contactMail === 'string';
  return isKnown ? String(root.contactMail) : '';
}

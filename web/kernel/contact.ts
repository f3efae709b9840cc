/** Where people reach us: the document knows it. */
import { useRouteLoaderData } from 'react-router';

/** The address for mails to us; empty where the document itself failed. */
export function useContactMail(): string {
  const root: unknown = useRouteLoaderData('root');
  const isKnown =
    typeof root === 'object' && root !== null && 'contactMail' in root && typeof root.contactMail === 'string';
  return isKnown ? String(root.contactMail) : '';
}

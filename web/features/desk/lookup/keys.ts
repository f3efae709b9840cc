/** The shortcuts / and Ctrl+K open the search on every admin page. */
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';

const isWritten = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('textarea, select, input:not([type="radio"], [type="checkbox"])');

function isAsked({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !altKey && !shiftKey;
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isWritten(target);
}

export function useSearchKeys(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isAsked(event) || document.querySelector('[role="dialog"], dialog[open]')) return;
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>(
        `form[action="${DESK_PATHS.adminSearch}"] input[name="q"]`,
      );
      if (!field) return void navigate(DESK_PATHS.adminSearch);
      field.focus();
      field.select();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [navigate]);
}

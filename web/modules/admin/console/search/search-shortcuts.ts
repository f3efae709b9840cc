/** The shortcuts / and Ctrl+K open the search on every admin page. */
import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';

const isTextInput = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('textarea, select, input:not([type="radio"], [type="checkbox"])');

function isSearchShortcut({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !altKey && !shiftKey;
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isTextInput(target);
}

export function useSearchKeys(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (!isSearchShortcut(event) || document.querySelector('[role="dialog"], dialog[open]')) return;
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>(
        `form[action="${ADMIN_PATHS.adminSearch}"] input[name="q"]`,
      );
      if (!field) return void navigate(ADMIN_PATHS.adminSearch);
      field.focus();
      field.select();
    };
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, [navigate]);
}

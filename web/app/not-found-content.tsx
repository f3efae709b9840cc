import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { SEARCH_LENGTH } from '@stagedoor/contract/shared/limits.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { Button } from '../ui/button.tsx';
import { SearchForm } from '../ui/search-form.tsx';

export function NotFoundContent() {
  return (
    <div className="grid justify-items-start gap-5 py-12 lg:py-24 [.page--bleed>&]:px-(--edge)">
      <p className="display d1">Page not found</p>
      <p className="max-w-[40ch] text-lead text-muted">This page may have been removed, or the link may be wrong.</p>
      <SearchForm
        action={PATHS.home}
        name="search"
        label="Search creators"
        placeholder="Search name, category or city"
        maxLength={SEARCH_LENGTH}
        className="w-full max-w-[480px]"
      />
      <p className="flex flex-wrap gap-3 pt-3">
        <Button href={PATHS.home}>Go to home</Button>
        <Button href={PUBLIC_PATHS.works}>See all posts</Button>
      </p>
    </div>
  );
}

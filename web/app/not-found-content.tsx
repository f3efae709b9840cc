import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { SEARCH_LENGTH } from '@stagedoor/contract/shared/limits.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { Button } from '../ui/button.tsx';
import { SearchForm } from '../ui/search-form.tsx';
import * as texts from './texts.ts';

export function NotFoundContent() {
  return (
    <div className="grid justify-items-start gap-5 py-12 lg:py-24 [.page--bleed>&]:px-(--edge)">
      <p className="display d1">{texts.missingPageTitle}</p>
      <p className="max-w-[40ch] text-lead text-muted">{texts.missingPageHint}</p>
      <SearchForm
        action={PATHS.home}
        name="search"
        label={texts.searchCreators}
        placeholder={texts.searchPlaceholder}
        maxLength={SEARCH_LENGTH}
        className="w-full max-w-[480px]"
      />
      <p className="flex flex-wrap gap-3 pt-3">
        <Button href={PATHS.home}>{texts.goToHome}</Button>
        <Button href={PUBLIC_PATHS.works}>{texts.seeAllPosts}</Button>
      </p>
    </div>
  );
}

import { LIBRARY_TYPES } from '@stagedoor/contract/content/media.ts';
import { type SubmitEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { buildAddress } from '../../../../platform/address.ts';
import { usePendingLocation } from '../../../../platform/pending-location.ts';
import { ChipLink, Chips } from '../../../../ui/chips.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import * as texts from '../texts.ts';
import { LIBRARY_PATH, type LibraryFilterState, MEDIA_TYPE_LABELS, USE_LABELS } from './queries.ts';

const USE_FILTERS = ['all', 'used', 'unused'] as const;
const omitDefault = (value: string) => (value === 'all' || value === '' ? undefined : value);

function SearchForm({ search, value }: { search: URLSearchParams; value: string }) {
  const navigate = useNavigate();
  const [text, setText] = useState(value);
  const submitSearch = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void navigate(buildAddress(LIBRARY_PATH, search, { search: omitDefault(text.trim()) }), {
      preventScrollReset: true,
    });
  };
  return (
    <search>
      <form className="search" action={LIBRARY_PATH} onSubmit={submitSearch}>
        <Icon name="search" />
        <input
          className="search__input"
          type="search"
          name="search"
          aria-label={texts.searchLibrary}
          placeholder={texts.titleTagOrFileName}
          enterKeyHint="search"
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}

/** Each filter link builds on the pending address, so that quick presses add up. */
export function LibraryFilters({ filters }: { filters: LibraryFilterState }) {
  const search = new URLSearchParams(usePendingLocation().search);
  return (
    <div className="grid grid-cols-1 gap-3 lg:grid-cols-[minmax(0,1fr)_320px] lg:items-center">
      <Chips label={texts.type}>
        {LIBRARY_TYPES.map((type) => (
          <ChipLink
            key={type}
            href={buildAddress(LIBRARY_PATH, search, { type: omitDefault(type) })}
            current={filters.type === type}
          >
            {MEDIA_TYPE_LABELS[type]}
          </ChipLink>
        ))}
      </Chips>
      <SearchForm key={filters.search} search={search} value={filters.search} />
      <Chips label={texts.usage}>
        {USE_FILTERS.map((use) => (
          <ChipLink
            key={use}
            href={buildAddress(LIBRARY_PATH, search, { use: omitDefault(use) })}
            current={filters.use === use}
          >
            {USE_LABELS[use]}
          </ChipLink>
        ))}
      </Chips>
    </div>
  );
}

import { LIBRARY_TYPES } from '@stagedoor/contract/media.ts';
import { type SubmitEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { addressWith } from '../../kernel/address.ts';
import { useThere } from '../../kernel/there.ts';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { Icon } from '../../ui/icon.tsx';
import { type Filters, LIBRARY_PATH, TYPE_WORDS, USE_WORDS } from './queries.ts';

const USES = ['all', 'used', 'unused'] as const;
const orNone = (value: string) => (value === 'all' || value === '' ? undefined : value);

function Search({ search, value }: { search: URLSearchParams; value: string }) {
  const navigate = useNavigate();
  const [text, setText] = useState(value);
  const find = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void navigate(addressWith(LIBRARY_PATH, search, { search: orNone(text.trim()) }), { preventScrollReset: true });
  };
  return (
    <search>
      <form className="search" action={LIBRARY_PATH} onSubmit={find}>
        <Icon name="search" />
        <input
          className="search__input"
          type="search"
          name="search"
          aria-label="Search titles, tags and file names"
          placeholder="Title, tag or file name"
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
export function LibraryFilters({ filters }: { filters: Filters }) {
  const search = new URLSearchParams(useThere().search);
  return (
    <div className="grid grid-cols-1 gap-3 lg:grid-cols-[minmax(0,1fr)_320px] lg:items-center">
      <Chips label="Type">
        {LIBRARY_TYPES.map((type) => (
          <ChipLink
            key={type}
            href={addressWith(LIBRARY_PATH, search, { type: orNone(type) })}
            current={filters.type === type}
          >
            {TYPE_WORDS[type]}
          </ChipLink>
        ))}
      </Chips>
      <Search key={filters.search} search={search} value={filters.search} />
      <Chips label="Usage">
        {USES.map((use) => (
          <ChipLink
            key={use}
            href={addressWith(LIBRARY_PATH, search, { use: orNone(use) })}
            current={filters.use === use}
          >
            {USE_WORDS[use]}
          </ChipLink>
        ))}
      </Chips>
    </div>
  );
}

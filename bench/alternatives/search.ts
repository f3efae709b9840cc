/**
 * The search of creators by lists of terms, compared with a trigram index of PostgreSQL (pg_trgm) on the text of the
 * profile: all terms by LIKE, most followed first, or if nothing is found the most similar texts.
 */
import { type Database, runSql } from '../../server/platform/database/db.ts';
import { makeSearchedCreators, SEARCHES } from '../fixtures/searched-creators.ts';
import type { BenchContext } from '../harness/context.ts';
import { vacuumDatabase, withDatabase } from '../harness/database.ts';
import type { Figure } from '../harness/report.ts';
import {
  calculateRatio,
  formatSamples,
  getCpuMs,
  interleave,
  type LoadSample,
  summarizeRatios,
  toRatio,
} from '../harness/rounds.ts';

const SHOWN = 12;
/** Finds a typing error in a name of five letters. A higher threshold finds fewer, a lower one reads more profiles. */
const SIMILARITY = 0.4;

const TRIGRAM_SEARCH = `
  create schema bench;
  create index creators_trigrams on creators using gin (search_text gin_trgm_ops) where is_listed;
  create function bench.search_trigrams(p_search text, p_max int) returns table (id uuid)
    language plpgsql stable set pg_trgm.word_similarity_threshold = ${SIMILARITY} as $$
  declare
    v_search text := unaccent_lower(p_search);
    v_matches text := (select string_agg(format('search_text like %L', '%' || word || '%'), ' and ') from regexp_split_to_table(v_search, '\\s+') word);
  begin
    return query execute format('select user_id from creators where is_listed and %s order by follower_count desc, user_id desc limit %s', v_matches, p_max);
    if not found then
      return query execute format('select user_id from creators where is_listed and %1$L <%% search_text
        order by word_similarity(%1$L, search_text) desc, follower_count desc limit %2$s', v_search, p_max);
    end if;
  end $$`;

const SIDES = {
  ours: {
    name: 'bench-search-terms',
    text: `select u.name from search_creators($1, array(select '%' || w || '%' from regexp_split_to_table($1, '\\s+') w), null, false, 0, null::smallint,
        null::uuid, $2, null, '{}'::uuid[], null, false) with ordinality as f (id, part, rank, position) join users u on u.id = f.id order by position`,
  },
  trigrams: {
    name: 'bench-search-trigrams',
    text: `select u.name from bench.search_trigrams($1, $2) with ordinality as f (id, position) join users u on u.id = f.id order by position`,
  },
} as const;

type Side = keyof typeof SIDES;

async function listNames(db: Database, side: Side, typed: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>({ ...SIDES[side], values: [typed, SHOWN] });
  return rows.map(({ name }) => name);
}

async function countFound(db: Database, side: Side): Promise<number> {
  let found = 0;
  for (const [typed, name] of Object.values(SEARCHES).flat())
    if ((await listNames(db, side, typed)).includes(name)) found += 1;
  return found;
}

/** Repeats all searches of a kind, so that each has the same weight. */
const createVariant =
  ({ postgres }: BenchContext, db: Database, side: Side, kind: string) =>
  async (seconds: number): Promise<LoadSample> => {
    const end = performance.now() + seconds * 1_000;
    const before = postgres.cpuMs();
    let count = 0;
    while (count === 0 || performance.now() < end)
      for (const [typed] of SEARCHES[kind] ?? []) {
        await listNames(db, side, typed);
        count += 1;
      }
    const cpuMs = (postgres.cpuMs() - before) / count;
    return { rate: count / seconds, cpuMs, nodeMs: 0, p50Ms: 0, p99Ms: 0, count };
  };

/** Mean CPU of all searches in each round. */
function averageKinds(samples: Readonly<Record<string, LoadSample[]>>, side: Side, rounds: number): number[] {
  const kinds = Object.entries(SEARCHES);
  const total = kinds.reduce((sum, [, searches]) => sum + searches.length, 0);
  return Array.from({ length: rounds }, (_, round) =>
    kinds.reduce(
      (sum, [kind, { length }]) => sum + ((samples[`${kind}, ${side}`]?.[round]?.cpuMs ?? Number.NaN) * length) / total,
      0,
    ),
  );
}

export async function measureSearchAlternatives(context: BenchContext): Promise<Figure[]> {
  const { options, postgres, logProgress } = context;
  const creators = options.isQuick ? 10_000 : 100_000;
  logProgress(`making ${creators.toLocaleString('en')} creators`);
  const url = await postgres.createMigrated('search_alternatives');
  await withDatabase(url, async (db) => {
    await makeSearchedCreators(db, creators);
    await runSql(db, TRIGRAM_SEARCH);
  });
  await vacuumDatabase(url);
  return withDatabase(url, async (db) => {
    const runs: Record<string, (seconds: number) => Promise<LoadSample>> = {};
    for (const kind of Object.keys(SEARCHES))
      for (const side of ['ours', 'trigrams'] as const)
        runs[`${kind}, ${side}`] = createVariant(context, db, side, kind);
    const samples = await interleave(options, runs, logProgress);
    const [own, other] = [
      averageKinds(samples, 'ours', options.rounds),
      averageKinds(samples, 'trigrams', options.rounds),
    ];
    const ratio = summarizeRatios(own.map((cpuMs, round) => cpuMs / (other[round] ?? Number.NaN)));
    const format = (cpuMs: readonly number[]) => `${summarizeRatios(cpuMs).value.toFixed(2)} ms`;
    const [found, foundByTrigrams] = [await countFound(db, 'ours'), await countFound(db, 'trigrams')];
    const total = Object.values(SEARCHES).flat().length;
    return [
      {
        name: `search over ${creators.toLocaleString('en')} creators: lists of terms ÷ pg_trgm`,
        ours: format(own),
        limit: format(other),
        ratio,
        aim: { atMost: 0.33 },
      },
      ...Object.keys(SEARCHES).flatMap((kind): Figure[] => {
        const [terms, trigrams] = [samples[`${kind}, ours`], samples[`${kind}, trigrams`]];
        if (!terms || !trigrams) return [];
        const kindRatio = calculateRatio(terms, trigrams, getCpuMs);
        const name = `search, ${kind}: lists of terms ÷ pg_trgm`;
        return [{ name, ours: formatSamples(terms), limit: formatSamples(trigrams), ratio: kindRatio }];
      }),
      {
        name: `search: expected creators among the first ${SHOWN} ÷ pg_trgm`,
        ours: `${found} of ${total}`,
        limit: `${foundByTrigrams} of ${total}`,
        ratio: toRatio(found / foundByTrigrams),
      },
    ];
  });
}

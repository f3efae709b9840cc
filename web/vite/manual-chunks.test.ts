import { build, type Plugin } from 'vite';
import { expect, test } from 'vitest';
import { type Chunk, createManualChunks } from './manual-chunks.ts';

const SOURCES: Record<string, string> = {
  '/web/app/one.ts': "import { said } from '/web/ui/said.ts'; console.log('one', said); import('/web/app/two.ts');",
  '/web/app/two.ts': "import { kept } from '/web/ui/kept.ts'; console.log('two', kept); import('/web/app/three.ts');",
  '/web/app/three.ts':
    "import { said } from '/web/ui/said.ts'; import { kept } from '/web/ui/kept.ts'; say(said, kept);",
  '/web/ui/said.ts': "export const said = ['said'];",
  '/web/ui/kept.ts': "export const kept = ['kept'];",
};

const sources: Plugin = {
  name: 'sources',
  enforce: 'pre',
  resolveId: (id) => (id in SOURCES ? id : undefined),
  load: (id) => SOURCES[id],
};

async function buildChunks(chunks: readonly Chunk[]): Promise<Record<string, string>> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [sources, createManualChunks(chunks)],
    build: { write: false, rolldownOptions: { input: '/web/app/one.ts' } },
  });
  if (!('output' in built)) throw new Error('one build makes one output');
  return Object.fromEntries(built.output.flatMap((one) => (one.type === 'chunk' ? [[one.name, one.code]] : [])));
}

test('a chunk contains the modules of its patterns except the excluded ones', async () => {
  const chunks = await buildChunks([
    { name: 'shared', include: [/\/web\/ui\/[\w-]+\.ts$/], exclude: [/\/web\/ui\/kept\.ts$/] },
  ]);
  expect(chunks.shared).toContain('said');
  expect(chunks.shared).not.toContain('kept');
});

test('a pattern that matches no module fails the build with an explanation', async () => {
  const pattern = /\/web\/ui\/said\.ts$/;
  await expect(
    buildChunks([
      { name: 'shared', include: [pattern, /\/web\/ui\/gone\.ts$/] },
      { name: 'other', include: [pattern], exclude: [/\/web\/ui\/lost\.ts$/] },
    ]),
  ).rejects.toThrow(
    String.raw`web/vite/manual-chunks.ts: of the chunk "shared", /\/web\/ui\/gone\.ts$/ matches no module; of the chunk "other", /\/web\/ui\/lost\.ts$/ matches no module: name the files as they are called now, or take them out`,
  );
});

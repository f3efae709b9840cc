/**
 * Checks the size of the script that a page loads before hydration, as compressed for transfer and without headers,
 * against a budget.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLIENT = fileURLToPath(new URL('../../web/build/client/', import.meta.url));

/**
 * Budgets in bytes by the last route of a page. Of the first one, 103,000 bytes are React, the router and the query
 * cache.
 */
const BUDGETS: Readonly<Record<string, number>> = {
  '../pages/home': 139_900,
  '../pages/fan/feed': 166_800,
  '../pages/fan/chat-thread': 211_200,
};

type BuildPart = { module: string; imports?: string[]; parentId?: string };
type BuildManifest = { entry: BuildPart; routes: Record<string, BuildPart> };

function getTransferSize(folder: string, path: string): number {
  const file = join(folder, path);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}

function readManifest(folder: string): { manifest: BuildManifest; path: string } {
  const name = readdirSync(join(folder, 'assets')).find((file) => /^manifest-[\w-]+\.js$/.test(file));
  if (!name) throw new Error('The build of the pages has no manifest.');
  const text = readFileSync(join(folder, 'assets', name), 'utf8');
  const manifest: BuildManifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  return { manifest, path: join('assets', name) };
}

export function calculateWeight(folder: string, routeId: string): number {
  const { manifest, path } = readManifest(folder);
  const parts: BuildPart[] = [manifest.entry];
  for (let id: string | undefined = routeId; id !== undefined; ) {
    const route: BuildPart | undefined = manifest.routes[id];
    if (!route) throw new Error(`The build of the pages has no route ${id}.`);
    parts.push(route);
    id = route.parentId;
  }
  const files = new Set([path, ...parts.flatMap(({ module, imports = [] }) => [module, ...imports])]);
  return [...files].reduce((sum, file) => sum + getTransferSize(folder, file), 0);
}

export function checkBundleBudget(folder = CLIENT): string[] {
  return Object.entries(BUDGETS).flatMap(([route, budget]) => {
    const weight = calculateWeight(folder, route);
    return weight <= budget
      ? []
      : [`${route} has ${weight} bytes of script before it is alive, and may have ${budget}`];
  });
}

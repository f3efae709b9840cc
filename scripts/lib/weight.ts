/**
 * Checks the size of the script that a page loads before hydration, as compressed for transfer and without headers,
 * against a budget.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLIENT = fileURLToPath(new URL('../../web/build/client/', import.meta.url));

/**
 * Budgets in bytes by the last route of a page. Of the first one, 93,000 bytes are React, the router and the query
 * cache.
 */
const BUDGETS: Readonly<Record<string, number>> = {
  '../pages/home': 125_000,
  '../pages/fan/feed': 147_000,
  '../pages/fan/chat-thread': 186_000,
};

type Part = { module: string; imports?: string[]; parentId?: string };
type Manifest = { entry: Part; routes: Record<string, Part> };

function sizeOf(folder: string, path: string): number {
  const file = join(folder, path);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}

function readManifest(folder: string): { manifest: Manifest; path: string } {
  const name = readdirSync(join(folder, 'assets')).find((file) => /^manifest-[\w-]+\.js$/.test(file));
  if (!name) throw new Error('The build of the pages has no manifest.');
  const text = readFileSync(join(folder, 'assets', name), 'utf8');
  const manifest: Manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  return { manifest, path: join('assets', name) };
}

export function weightOf(folder: string, routeId: string): number {
  const { manifest, path } = readManifest(folder);
  const parts: Part[] = [manifest.entry];
  for (let id: string | undefined = routeId; id !== undefined; ) {
    const route: Part | undefined = manifest.routes[id];
    if (!route) throw new Error(`The build of the pages has no route ${id}.`);
    parts.push(route);
    id = route.parentId;
  }
  const files = new Set([path, ...parts.flatMap(({ module, imports = [] }) => [module, ...imports])]);
  return [...files].reduce((sum, file) => sum + sizeOf(folder, file), 0);
}

export function checkWeight(folder = CLIENT): string[] {
  return Object.entries(BUDGETS).flatMap(([route, budget]) => {
    const weight = weightOf(folder, route);
    return weight <= budget
      ? []
      : [`${route} has ${weight} bytes of script before it is alive, and may have ${budget}`];
  });
}

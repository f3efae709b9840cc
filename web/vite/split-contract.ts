/**
 * Client build only: a page that calls a route loads its method and path, not its schemas. Each contract file is split
 * into a module with zod and one without, so browsers load zod only with forms that use a schema.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ESTree, type Plugin, parseSync, transformWithOxc, Visitor } from 'vite';

const CONTRACT_FILE = /\/contract\/[\w-]+\/[\w-]+\.ts$/;
const WEB_FILE = /\/web\/(?:app|modules|platform|pages)\/[\w/-]+\.tsx?$/;
const PLAIN = '?plain';
const SCHEMAS = '?schemas';
const SCHEMA_LIBRARY = /^zod(?:\/|$)/;

const CLIENT_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  route: ['method', 'path', 'idempotent'],
  event: ['name'],
  signal: ['signal'],
};
/** The removed properties. Client code must not read them through the declaration. */
const SCHEMA_PARTS = new Set(['params', 'query', 'body', 'response', 'payload']);

type Declaration = { name: string; isExported: boolean; text: string; needs: Set<string> };
type Import = { source: string; imported: string; local: string };
type Parts = { imports: Import[]; declarations: Declaration[]; schemaNames: Set<string> };

function listNames(program: ESTree.Program): Set<string> {
  const names = new Set<string>();
  const properties = new Set<number>();
  new Visitor({
    MemberExpression(node) {
      if (!node.computed) properties.add(node.property.start);
    },
    Property(node) {
      if (!node.computed && !node.shorthand) properties.add(node.key.start);
    },
    Identifier(node) {
      if (!properties.has(node.start)) names.add(node.name);
    },
  }).visit(program);
  return names;
}

function toValueText(init: ESTree.Expression, code: string): string {
  const text = code.slice(init.start, init.end);
  if (init.type !== 'CallExpression' && init.type !== 'NewExpression') return text;
  const clientProperties = init.callee.type === 'Identifier' ? CLIENT_PROPERTIES[init.callee.name] : undefined;
  const [spec] = init.arguments;
  if (!clientProperties || spec?.type !== 'ObjectExpression') return `/* @__PURE__ */ (() => ${text})()`;
  const properties = spec.properties.filter(
    (property) =>
      property.type === 'Property' &&
      property.key.type === 'Identifier' &&
      clientProperties.includes(property.key.name),
  );
  return `({ ${properties.map(({ start, end }) => code.slice(start, end)).join(', ')} })`;
}

function parseDeclarations(
  node: ESTree.Statement | ESTree.Directive,
  code: string,
  isExported: boolean,
  file: string,
): Declaration[] {
  const toDeclaration = (name: string, text: string): Declaration => ({
    name,
    isExported,
    text,
    needs: listNames(parseSync(file, text, { lang: 'js' }).program),
  });
  if ((node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id)
    return [toDeclaration(node.id.name, code.slice(node.start, node.end))];
  if (node.type !== 'VariableDeclaration')
    throw new Error(`${file}: a contract file declares constants, functions and classes only`);
  return node.declarations.map(({ id, init }) => {
    if (id.type !== 'Identifier' || !init) throw new Error(`${file}: a contract constant has a name and a value`);
    return toDeclaration(id.name, `const ${id.name} = ${toValueText(init, code)};`);
  });
}

function parseImports(node: ESTree.ImportDeclaration): Import[] {
  return node.specifiers.map(({ local, ...specifier }) => ({
    source: node.source.value,
    local: local.name,
    imported:
      specifier.type === 'ImportSpecifier'
        ? specifier.imported.type === 'Identifier'
          ? specifier.imported.name
          : specifier.imported.value
        : '*',
  }));
}

const partsByFile = new Map<string, Promise<Parts>>();

function getParts(file: string): Promise<Parts> {
  const parts = partsByFile.get(file) ?? readParts(file);
  partsByFile.set(file, parts);
  return parts;
}

async function readParts(file: string): Promise<Parts> {
  const { code } = await transformWithOxc(await readFile(file, 'utf8'), file);
  const parts: Parts = { imports: [], declarations: [], schemaNames: new Set() };
  for (const node of parseSync(file, code, { lang: 'js' }).program.body) {
    if (node.type === 'ImportDeclaration') parts.imports.push(...parseImports(node));
    else if (node.type !== 'ExportNamedDeclaration')
      parts.declarations.push(...parseDeclarations(node, code, false, file));
    else if (node.declaration) parts.declarations.push(...parseDeclarations(node.declaration, code, true, file));
    else if (node.specifiers.length > 0) throw new Error(`${file}: a contract file exports what it declares`);
  }
  for (const { source, imported, local } of parts.imports) {
    if (SCHEMA_LIBRARY.test(source)) parts.schemaNames.add(local);
    else if (
      source.startsWith('.') &&
      (await getParts(path.resolve(path.dirname(file), source))).schemaNames.has(imported)
    )
      parts.schemaNames.add(local);
  }
  let before = -1;
  while (before !== parts.schemaNames.size) {
    before = parts.schemaNames.size;
    for (const { name, needs } of parts.declarations)
      if ([...needs].some((need) => parts.schemaNames.has(need))) parts.schemaNames.add(name);
  }
  return parts;
}

function formatImports(imports: readonly Import[], needed: ReadonlySet<string>): string[] {
  return imports
    .filter(({ local }) => needed.has(local))
    .map(({ source, imported, local }) =>
      imported === '*'
        ? `import * as ${local} from '${source}';`
        : `import { ${imported} as ${local} } from '${source}';`,
    );
}

export async function buildModuleText(file: string, half: string): Promise<string> {
  const { imports, declarations, schemaNames } = await getParts(file);
  const ownPath = `./${path.basename(file)}`;
  const isSchema = ({ name }: Declaration) => schemaNames.has(name);
  if (half === '') {
    const joinNames = (list: readonly Declaration[]) =>
      list.flatMap(({ name, isExported }) => (isExported ? [name] : [])).join(', ');
    return `export { ${joinNames(declarations.filter((one) => !isSchema(one)))} } from '${ownPath}${PLAIN}';
export { ${joinNames(declarations.filter(isSchema))} } from '${ownPath}${SCHEMAS}';`;
  }
  const selected = declarations.filter((one) => isSchema(one) === (half === SCHEMAS));
  const others = declarations.filter((one) => !selected.includes(one));
  const needed = new Set(selected.flatMap(({ needs }) => [...needs]));
  const fromPlain = others.filter(({ name }) => needed.has(name)).map(({ name }) => name);
  return [
    ...formatImports(imports, needed),
    fromPlain.length > 0 ? `import { ${fromPlain.join(', ')} } from '${ownPath}${PLAIN}';` : '',
    ...selected.map(({ text }) => text),
    `export { ${selected.map(({ name }) => name).join(', ')} };`,
  ].join('\n');
}

export function findForbiddenAccess(code: string, file: string): string | undefined {
  const { program } = parseSync(file, code, { lang: 'js' });
  const contractNames = new Set(
    program.body
      .filter((node) => node.type === 'ImportDeclaration')
      .filter(({ source }) => source.value.startsWith('@stagedoor/contract/'))
      .flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name)),
  );
  let access: string | undefined;
  new Visitor({
    MemberExpression({ object, property }) {
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return;
      if (contractNames.has(object.name) && SCHEMA_PARTS.has(property.name)) access = `${object.name}.${property.name}`;
    },
  }).visit(program);
  return access;
}

export function splitContract(): Plugin {
  return {
    name: 'contract-parts',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      order: 'pre',
      filter: { id: /\/contract\/[\w/-]+\.ts(?:\?(?:plain|schemas))?$/ },
      handler: async (id) => {
        const [file = '', query] = id.split('?');
        if (!CONTRACT_FILE.test(file)) return null;
        return { code: await buildModuleText(file, query ? `?${query}` : ''), moduleSideEffects: false };
      },
    },
    transform: {
      filter: { id: WEB_FILE },
      handler(code, id) {
        const access = findForbiddenAccess(code, id);
        if (access)
          this.error(`${access}: a browser has no schemas of a route; export the schema itself and import that`);
      },
    },
  };
}

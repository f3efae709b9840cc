/**
 * Checks the hooks in the code against the manifests: `provides` names those that a module defines, `implements` those
 * that it registers. The hook `wallet.tipGuard` is registered by `registerTipGuard`.
 */
import type { Codebase } from './codebase.ts';
import { toModuleName } from './module-folders.ts';
import { stripComments } from './source-rules.mjs';

type Occurrence = { readonly module: string; readonly name: string; readonly position: string };
type Hook = Occurrence & { readonly registerName: string };

const DEFINITION = /\bdefine(?:Keyed)?Hook(?:<[^;]*?>)?\(\s*'([\w.-]+)'/g;
const EXPORT = /\bexport (?:const|function) (register\w+)/g;
const CALL = /(?<!function )\b(register[A-Z]\w*)\(/g;

const toPascalCase = (name: string) => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
const toCamelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function listOccurrences({ sources }: Codebase, pattern: RegExp): Occurrence[] {
  return sources.flatMap(({ path, text }) => {
    const code = stripComments(text);
    return [...code.matchAll(pattern)].map(({ 1: name = '', index }) => ({
      module: toModuleName(path),
      name,
      position: `${path}:${code.slice(0, index).split('\n').length}`,
    }));
  });
}

/** The line of `key` in the manifest of a module, or else that of its name. */
function findManifestLine({ manifests }: Codebase, module: string, key: 'provides' | 'implements') {
  const manifest = manifests.find(({ path }) => path.endsWith(`/${module}/manifest.ts`));
  const lines = manifest?.text.split('\n') ?? [];
  const findLine = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line)) + 1;
  const line = findLine(new RegExp(`^  ${key}: `));
  const path = manifest?.path ?? `server/modules/<domain>/${module}/manifest.ts`;
  return { hasKey: line > 0, position: `${path}:${line || findLine(/\bname: '/) || 1}` };
}

export function checkHooks(codebase: Codebase): string[] {
  const breaches: string[] = [];
  const report = (breach: string) => void breaches.push(breach);
  const addTo = (module: string, key: 'provides' | 'implements', name: string) => {
    const { hasKey, position } = findManifestLine(codebase, module, key);
    return hasKey ? `add '${name}' to ${key} in ${position}` : `add ${key}: ['${name}'], after ${position}`;
  };
  const owners = [{ name: 'platform', provides: codebase.platform.provides }, ...codebase.modules];
  const hooks: Hook[] = listOccurrences(codebase, DEFINITION).map((definition) => ({
    ...definition,
    registerName: `register${toPascalCase(definition.name.slice(definition.name.indexOf('.') + 1))}`,
  }));
  const hooksByName = new Map(hooks.map((hook) => [hook.name, hook]));
  const hooksByRegisterName = new Map(hooks.map((hook) => [hook.registerName, hook]));
  const exports = listOccurrences(codebase, EXPORT);
  const calls = listOccurrences(codebase, CALL).flatMap(({ name, ...call }) => {
    const hook = hooksByRegisterName.get(name);
    return hook ? [{ ...call, hook }] : [];
  });

  for (const hook of hooks) {
    const { module, name, position, registerName } = hook;
    const other = hooksByRegisterName.get(registerName);
    if (other !== hook) report(`${position}: ${name} and ${other?.name} are both registered by ${registerName}`);
    if (!/^\w+\.\w+$/.test(name) || !name.startsWith(`${toCamelCase(module)}.`))
      report(`${position}: the name of the hook ${name} must be ${toCamelCase(module)}.<name>`);
    if (!exports.some((one) => one.module === module && one.name === registerName))
      report(`${position}: ${name} cannot be registered; export const ${registerName} = <hook>.register`);
    if (!owners.some((owner) => owner.name === module && owner.provides.includes(name)))
      report(`${position}: ${module} provides the hook ${name}; ${addTo(module, 'provides', name)}`);
    if (!calls.some((call) => call.hook === hook))
      report(`${position}: no module implements the hook ${name}; delete it, or call ${registerName}`);
  }
  for (const { name: module, provides } of owners)
    for (const name of provides)
      if (hooksByName.get(name)?.module !== module)
        report(
          `${findManifestLine(codebase, module, 'provides').position}: ${module} provides ${name}, and its code has no defineHook('${name}')`,
        );

  for (const { name: module, dependsOn, implements: implemented } of codebase.modules) {
    const ownCalls = calls.filter((call) => call.module === module && call.hook.module !== module);
    for (const { hook, position } of new Map(ownCalls.map((call) => [call.hook.name, call])).values())
      if (!implemented.includes(hook.name))
        report(`${position}: ${module} implements the hook ${hook.name}; ${addTo(module, 'implements', hook.name)}`);
    for (const name of implemented) {
      const { position } = findManifestLine(codebase, module, 'implements');
      const hook = hooksByName.get(name);
      if (!hook) report(`${position}: ${module} implements ${name}, which no module provides`);
      else if (hook.module !== 'platform' && !dependsOn.includes(hook.module))
        report(`${position}: ${module} implements ${name} of ${hook.module}, which its dependsOn does not name`);
      else if (!ownCalls.some((call) => call.hook === hook))
        report(`${position}: ${module} implements ${name}, and its code does not call ${hook.registerName}`);
    }
  }
  return breaches;
}

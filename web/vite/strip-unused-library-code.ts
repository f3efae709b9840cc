/**
 * Client build only: removes library code that the app never uses. An omitted function keeps its name with an empty
 * body, and the minifier drops what only it used (docs/adr/0009).
 */
import { type ESTree, type Plugin, parseSync, Visitor } from 'vite';

export interface Omission {
  readonly label: string;
  readonly module: RegExp;
  /** The names of its functions, or `Name.prototype` for all methods of a prototype. */
  readonly functions: readonly string[];
  /** Code of the value that each function returns instead. Default: nothing. */
  readonly returnValue?: string;
  /** Matches code that would need the functions. Such code fails the build. */
  readonly usage?: RegExp;
}

const REACT_DOM = /\/react-dom\/cjs\/react-dom-client\.production\.js$/;
const router = (file: string) => new RegExp(String.raw`/react-router/dist/production/lib/${file}\.js$`);
/** Libraries that mention these names without needing them. */
const LIBRARIES = /\/node_modules\/(?:react|react-dom|react-router)\//;

export const OMISSIONS: readonly Omission[] = [
  {
    label: 'view transitions',
    module: REACT_DOM,
    usage: /\bViewTransition\b|\baddTransitionType\b/,
    functions: [
      ...['trackEnterViewTransitions', 'pushViewTransitionCancelableScope', 'applyViewTransitionToHostInstances'],
      ...['commitEnterViewTransitions', 'commitExitViewTransitions', 'commitNestedViewTransitions'],
      ...['restoreViewTransitionOnHostInstances', 'restoreEnterOrExitViewTransitions', 'restoreNestedViewTransitions'],
      ...['measureViewTransitionHostInstancesRecursive', 'measureNestedViewTransitions', 'scheduleViewTransitionEvent'],
      ...['startViewTransition', 'createViewTransitionInstance', 'ViewTransitionPseudoElement.prototype'],
      ...['getViewTransitionName', 'getViewTransitionClassName', 'restoreViewTransitionName'],
    ],
  },
  {
    label: 'references to fragments',
    module: REACT_DOM,
    usage: /\bFragment\$?\d*, \{\s*ref\b/,
    functions: [
      'FragmentInstance.prototype',
      'commitNewChildToFragmentInstances',
      'commitFragmentInstanceInsertionEffects',
      'commitFragmentInstanceDeletionEffects',
    ],
  },
  {
    label: 'stacks of components, which minified names make worthless',
    module: REACT_DOM,
    functions: ['getStackByFiberInDevAndProd'],
    returnValue: '""',
  },
  {
    label: 'the fetching of files ahead',
    module: REACT_DOM,
    usage:
      /\b(?:preinit(?:Module)?|preloadModule|prefetchDNS|preconnect)\b|\{[^}]*\bpreload\b[^}]*\} from ['"]react-dom['"]/,
    functions: ['preinitStyle', 'preinitScript', 'preinitModuleScript', 'preload', 'preloadModule', 'preconnectAs'],
  },
  {
    label: 'states of form actions',
    module: REACT_DOM,
    usage: /\buseActionState\b/,
    functions: ['mountActionState', 'updateActionState', 'rerenderActionState'],
  },
  {
    label: 'lists of suspense',
    module: REACT_DOM,
    usage: /\bSuspenseList\b/,
    functions: ['updateSuspenseListComponent', 'initSuspenseListRenderState'],
  },
  {
    label: 'fetchers',
    module: router('router/router'),
    usage: /\buseFetchers?\b/,
    functions: ['handleFetcherAction', 'handleFetcherLoader'],
  },
  {
    label: 'instrumentation',
    module: router('router/instrumentation'),
    usage: /\binstrumentations\b/,
    functions: ['getRouteInstrumentationUpdates', 'instrumentClientSideRouter'],
  },
  {
    // The first manifest contains the whole route table (react-router.config.ts).
    label: 'the discovery of routes',
    module: router('dom/ssr/fog-of-war'),
    functions: ['fetchAndApplyManifestPatches', 'getPatchRoutesOnNavigationFunction', 'useFogOFWarDiscovery'],
  },
];

type Range = { readonly start: number; readonly end: number };

function findPrototype({ expression }: ESTree.ExpressionStatement): string | undefined {
  if (expression.type !== 'AssignmentExpression' || expression.left.type !== 'MemberExpression') return undefined;
  const { object } = expression.left;
  if (object.type !== 'MemberExpression' || object.object.type !== 'Identifier') return undefined;
  return object.property.type === 'Identifier' ? `${object.object.name}.${object.property.name}` : undefined;
}

/** Returns a library's code without the omitted functions. Throws if one of them is missing or occurs twice. */
export function removeOmitted(code: string, file: string, { functions, returnValue }: Omission): string {
  const found = new Map<string, Range[]>(functions.map((name) => [name, []]));
  new Visitor({
    FunctionDeclaration({ id, body }: ESTree.Function) {
      if (id && body) found.get(id.name)?.push(body);
    },
    ExpressionStatement(node) {
      found.get(findPrototype(node) ?? '')?.push(node);
    },
  }).visit(parseSync(file, code, { lang: 'js' }).program);
  const cuts = [...found].flatMap(([name, ranges]) => {
    const isClass = name.endsWith('.prototype');
    if (ranges.length === 0 || (ranges.length > 1 && !isClass))
      throw new Error(
        `web/vite/strip-unused-library-code.ts: ${file} has ${ranges.length} functions of the name ${name}`,
      );
    const text = isClass ? '' : returnValue ? `{ return ${returnValue}; }` : '{}';
    return ranges.map(({ start, end }) => ({ start, end, text }));
  });
  return cuts
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), code);
}

export function findOmittedUse(code: string, id: string): string | undefined {
  if (LIBRARIES.test(id)) return undefined;
  return OMISSIONS.find(({ usage }) => usage?.test(code))?.label;
}

export function stripUnusedLibraryCode(): Plugin {
  const unseen = new Set(OMISSIONS);
  return {
    name: 'left-out',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /\.[jt]sx?$/ },
      handler(code, id) {
        const omittedUse = findOmittedUse(code, id);
        if (omittedUse)
          this.error(
            `${id} asks for ${omittedUse}, which web/vite/strip-unused-library-code.ts leaves out of browsers`,
          );
        const omissions = OMISSIONS.filter(({ module }) => module.test(id));
        for (const omission of omissions) unseen.delete(omission);
        if (omissions.length === 0) return null;
        return omissions.reduce((text, omission) => removeOmitted(text, id, omission), code);
      },
    },
    generateBundle() {
      const stale = [...unseen].map(({ label }) => label);
      if (stale.length > 0)
        this.error(`web/vite/strip-unused-library-code.ts: the files of ${stale.join(', ')} are called otherwise now`);
    },
  };
}

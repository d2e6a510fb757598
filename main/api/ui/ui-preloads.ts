/** What the build of the interface says of a file that it made, by the source of it. */
export type Manifest = Readonly<
  Record<string, { file: string; css?: string[]; imports?: string[] }>
>;

const INTERFACE = 'interface.tsx';

/** The screens that links lead to: home, a check, a result. */
const SCREENS: readonly (readonly [RegExp, string])[] = [
  [/^\/$/, 'screens/checks/checks-screen.tsx'],
  [/^\/checks\/(?!new$)[^/]+$/, 'screens/check/check-screen.tsx'],
  [/^\/checks\/[^/]+\/results\/[^/]+$/, 'screens/result/result-screen.tsx'],
];

/** The first question of every page but this one. */
const SIGN_IN_PAGE = '/sign-in';
const ACCESS = '<link rel="preload" as="fetch" crossorigin href="/app/sign-in">';

/**
 * The document for an address, which names what its scripts would ask for only once they run: a browser far away
 * begins to load all of it at once.
 */
export function preloading(document: string, manifest: Manifest): (path: string) => string {
  const withScreen = (screen?: string) => {
    const links = linksOf(document, manifest, screen === undefined ? [] : [screen]);
    return document.replace('</head>', `${links}</head>`);
  };
  const others = withScreen();
  const screens = SCREENS.map(([path, screen]) => [path, withScreen(screen)] as const);
  return (path) => {
    const found = screens.find(([pattern]) => pattern.test(path))?.[1] ?? others;
    return path === SIGN_IN_PAGE ? found : found.replace('</head>', `${ACCESS}\n</head>`);
  };
}

function linksOf(document: string, manifest: Manifest, screens: readonly string[]): string {
  const chunks = [...filesOf(manifest, [INTERFACE, ...screens])].flatMap(
    (name) => manifest[name] ?? [],
  );
  const styles = chunks.flatMap(({ css = [] }) => css);
  const links = [
    ...styles.map((path) => `<link rel="stylesheet" crossorigin href="/${path}">\n`),
    ...chunks.map(
      ({ file }) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">\n`,
    ),
  ];
  return links.filter((link) => !document.includes(/href="[^"]+"/.exec(link)?.[0] ?? '')).join('');
}

/** Chunks with all that they import, which comes before them: what styles they have wins over the styles of that. */
function filesOf(manifest: Manifest, names: readonly string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const other of manifest[name]?.imports ?? []) visit(other);
    files.add(name);
  };
  for (const name of names) visit(name);
  return files;
}

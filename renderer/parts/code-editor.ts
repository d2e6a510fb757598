import { autocompletion, type Completion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript, localCompletionSource } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  ensureSyntaxTree,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export type CodeLanguage = 'json' | 'javascript' | 'typescript' | 'text';

/** What is wrong at a place of a text: line and column from 1. */
export interface CodeProblem {
  line: number;
  column?: number | null;
  message: string;
}

export interface CodeOptions {
  value: string;
  language: CodeLanguage;
  label: string;
  isReadOnly: boolean;
  /** Px. */
  maxHeight: number;
  minHeight: number;
  onChange(value: string): void;
  /**
   * Words that may stand at the cursor, after the text before it on its line; `isAsked`: somebody asked for
   * them, rather than just typed.
   */
  complete(before: string, isAsked: boolean): Promise<readonly Completion[]>;
  /** The end of the text before the cursor that a word replaces. */
  typed?: RegExp | undefined;
}

export interface CodeEditor {
  /** Replaces the text, unless it is the one that is there, or one that was told and is older than that. */
  show(value: string): void;
  /** Marks problems at their lines, in place of those before. */
  mark(problems: readonly CodeProblem[]): void;
  /** The place of the first thing that the language cannot read. */
  unreadable(): { line: number; column: number; text: string } | null;
  /** Puts the cursor at a place, and the focus there. */
  goTo(place: Pick<CodeProblem, 'line' | 'column'>): void;
  close(): void;
}

/** Longer texts have no colours: to parse them would hold up the page. */
const MAX_COLOURED = 300_000;

const LANGUAGES: Record<CodeLanguage, () => Extension> = {
  json,
  javascript: () => javascript(),
  typescript: () => javascript({ typescript: true }),
  text: () => [],
};

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.regexp], color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.propertyName, tags.function(tags.variableName)], color: 'var(--code-name)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
]);

/**
 * Opens an editor in an element. It lives in a shadow root of that element: there its styles are style sheets
 * made by script, while in the page they would be style elements, which the policy of the page refuses.
 */
export function openCodeEditor(host: HTMLElement, options: CodeOptions): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  // What was told and not shown back yet: a page that lags shows a text that is older than what was typed.
  let told: readonly string[] = [];
  let isShowing = false;
  const onChange = (text: string) => {
    if (isShowing) return;
    told = [...told, text];
    options.onChange(text);
  };
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.value,
      extensions: extensionsOf({ ...options, onChange }),
    }),
  });
  // What has the focus set to the element, such as a form with a field that is wrong, means the editor.
  host.focus = () => view.focus();
  return {
    show(value) {
      const isThere = value === view.state.doc.toString();
      const at = told.indexOf(value);
      told = isThere ? [] : told.slice(at + 1);
      if (isThere || at !== -1) return;
      told = [];
      isShowing = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
      isShowing = false;
    },
    mark(problems) {
      const diagnostics = problems.map((problem) => {
        const { from, to } = placeOf(view.state, problem);
        return { from, to, severity: 'error' as const, message: problem.message };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    unreadable: () => unreadableIn(view.state),
    goTo(place) {
      const { from } = placeOf(view.state, place);
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    },
    close: () => view.destroy(),
  };
}

/** From a place to the end of its line; places that are not in the text are at its end. */
function placeOf({ doc }: EditorState, { line, column }: Pick<CodeProblem, 'line' | 'column'>) {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const at = Math.min(from + Math.max(0, (column ?? 1) - 1), to);
  // The end of a line has nothing to underline: the whole of it is.
  return { from: at === to ? from : at, to };
}

/** A text that takes longer is not looked at. */
const PARSE_MS = 200;

function unreadableIn(state: EditorState) {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS);
  let at: { from: number; to: number } | null = null;
  tree?.iterate({
    enter: ({ type, from, to }) => {
      if (at === null && type.isError) at = { from, to };
      return at === null;
    },
  });
  if (at === null) return null;
  const { from, to } = at as { from: number; to: number };
  const line = state.doc.lineAt(from);
  const text = state.sliceDoc(from, Math.min(to, line.to)).slice(0, 40);
  return { line: line.number, column: from - line.from + 1, text };
}

/** Escape, then Tab leaves the editor; before, and once more was written, Tab indents. */
const TAB_LEAVES: Extension = [
  keymap.of([
    {
      key: 'Escape',
      run(view) {
        view.setTabFocusMode(true);
        return false;
      },
    },
  ]),
  EditorView.updateListener.of(({ docChanged, view }) => {
    if (docChanged) view.setTabFocusMode(false);
  }),
  EditorView.domEventHandlers({
    blur(_event, view) {
      view.setTabFocusMode(false);
    },
  }),
];

const TYPED = /[\w$]*$/;

function extensionsOf(options: CodeOptions): Extension[] {
  const { language, label, isReadOnly, onChange, complete, value, typed = TYPED } = options;
  const isColoured = value.length <= MAX_COLOURED;
  const isScript = language === 'javascript' || language === 'typescript';
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    highlightSelectionMatches(),
    isColoured ? [LANGUAGES[language](), syntaxHighlighting(COLOURS)] : [],
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorState.readOnly.of(isReadOnly),
    isScript && !isReadOnly ? [lintGutter(), indentOnInput(), keymap.of(lintKeymap)] : [],
    // Tab leaves a text that is only read.
    keymap.of([
      ...completionKeymap,
      // Ctrl+Enter belongs to the form around it.
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
      ...historyKeymap,
      ...searchKeymap,
      ...(isReadOnly ? [] : [indentWithTab]),
    ]),
    // After the keys of the list of words, which Escape closes first.
    isReadOnly ? [] : TAB_LEAVES,
    autocompletion({
      icons: false,
      override: [
        async ({ state, pos, explicit }) => {
          const line = state.doc.lineAt(pos);
          const before = state.sliceDoc(line.from, pos);
          const [word = ''] = typed.exec(before) ?? [];
          const found = await complete(before, explicit);
          return found.length === 0 ? null : { from: pos - word.length, options: [...found] };
        },
        ...(isScript ? [localCompletionSource] : []),
      ],
    }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) onChange(state.doc.toString());
    }),
    themeOf(options),
  ];
}

function themeOf({ maxHeight, minHeight }: CodeOptions): Extension {
  return EditorView.theme({
    '&': { fontSize: '12.5px', color: 'var(--text)', backgroundColor: 'var(--panel)' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': {
      fontFamily: 'var(--mono)',
      lineHeight: '18px',
      maxHeight: `${maxHeight}px`,
      minHeight: `${minHeight}px`,
      overflow: 'auto',
    },
    '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--faint)', border: 'none' },
    '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 12px' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
      { backgroundColor: 'light-dark(#cfe5de, #2a4a42)' },
    '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selected)' },
    '.cm-panels, .cm-tooltip': {
      backgroundColor: 'var(--panel)',
      color: 'var(--text)',
      border: '1px solid var(--line)',
    },
    '.cm-lintRange-error': {
      backgroundImage: 'none',
      textDecoration: 'underline wavy var(--failing-bar)',
      textDecorationSkipInk: 'none',
    },
    '.cm-gutter-lint': { width: '20px' },
    '.cm-lint-marker-error': {
      content: 'none',
      width: '10px',
      height: '10px',
      margin: '1px 0 0 5px',
    },
    '.cm-lint-marker-error::before': {
      content: '""',
      display: 'block',
      height: '10px',
      borderRadius: '5px',
      backgroundColor: 'var(--failing-bar)',
    },
    '.cm-diagnostic-error': { borderLeft: '3px solid var(--failing-bar)' },
    '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
    '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
    'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      backgroundColor: 'var(--accent)',
      color: 'var(--on-accent)',
    },
  });
}

import { autocompletion, type Completion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export type CodeLanguage = 'json' | 'javascript' | 'text';

export interface CodeOptions {
  value: string;
  language: CodeLanguage;
  label: string;
  isReadOnly: boolean;
  /** Px. */
  maxHeight: number;
  minHeight: number;
  onChange(value: string): void;
  /** Words that may stand at the cursor, after the text before it on its line. */
  complete(before: string): readonly Completion[];
}

export interface CodeEditor {
  /** Replaces the text, unless it is the one that is there. */
  show(value: string): void;
  close(): void;
}

/** Longer texts have no colours: to parse them would hold up the page. */
const MAX_COLOURED = 300_000;

const LANGUAGES: Record<CodeLanguage, () => Extension> = {
  json,
  javascript: () => javascript(),
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
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({ doc: options.value, extensions: extensionsOf(options) }),
  });
  return {
    show(value) {
      if (value === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
    },
    close: () => view.destroy(),
  };
}

function extensionsOf(options: CodeOptions): Extension[] {
  const { language, label, isReadOnly, onChange, complete, value } = options;
  const isColoured = value.length <= MAX_COLOURED;
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
    // Tab leaves a text that is only read.
    keymap.of([
      ...completionKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...searchKeymap,
      ...(isReadOnly ? [] : [indentWithTab]),
    ]),
    autocompletion({
      override: [
        ({ state, pos }) => {
          const line = state.doc.lineAt(pos);
          const before = state.sliceDoc(line.from, pos);
          const [word = ''] = /[\w$]*$/.exec(before) ?? [];
          const found = complete(before);
          return found.length === 0 ? null : { from: pos - word.length, options: [...found] };
        },
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
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      backgroundColor: 'var(--accent)',
      color: 'var(--on-accent)',
    },
  });
}

import { createRequire } from 'node:module';
import type { MarkdownIt } from 'markdown-it';
import { LruMap } from '#main/platform/lru-map.ts';
import { atPace } from '#main/platform/yielding.ts';
import { type Html, trusted } from './html.ts';

/** Loaded with the first text: it takes 2 MB. */
const load = createRequire(import.meta.url);

/** Texts that are remembered as markup; one is at most some kilobytes. */
const MAX_REMEMBERED = 500;

/**
 * Makes markup of what people wrote of incidents and maintenance. Markup in a text shows as it was typed;
 * images are left as text, so that no page of ours loads what somebody else can count.
 */
export class Markdown {
  readonly #known = new LruMap<Html>(MAX_REMEMBERED);
  #parser: MarkdownIt | undefined;

  /** Renders texts ahead, with rests in between: some hundred long ones would hold up the actors. */
  prepare(texts: readonly string[]): Promise<void> {
    return atPace(this.#renderEach(texts.slice(0, MAX_REMEMBERED)));
  }

  *#renderEach(texts: readonly string[]): Generator<void, void> {
    for (const text of texts) {
      this.render(text);
      yield;
    }
  }

  render(text: string): Html {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#parser ??= createParser();
    const made = trusted(this.#parser.render(text));
    this.#known.set(text, made);
    return made;
  }
}

function createParser(): MarkdownIt {
  const createMarkdown = load('markdown-it') as typeof import('markdown-it').default;
  const parser = createMarkdown({ html: false, linkify: true, breaks: true, maxNesting: 20 });
  // The alignment of a column would be an inline style.
  parser.disable(['image', 'table']);
  parser.linkify.set({ fuzzyLink: false, fuzzyIP: false, fuzzyEmail: false });
  parser.validateLink = (url) => /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(url.trim());
  // A page has a heading of its own above each text: those within come below it.
  parser.renderer.rules.heading_open = () => '<p><strong>';
  parser.renderer.rules.heading_close = () => '</strong></p>';
  parser.renderer.rules.link_open = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet('rel', 'nofollow noopener noreferrer');
    return self.renderToken(tokens, index, options);
  };
  return parser;
}

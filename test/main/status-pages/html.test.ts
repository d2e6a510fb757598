import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { contentPolicy, documentHeaders } from '#main/status-pages/html/frame.ts';
import { html, trusted } from '#main/status-pages/html/html.ts';
import { Markdown } from '#main/status-pages/html/markdown.ts';
import { cpuMsOf } from '../../fixtures/cpu-time.ts';
import { INJECTIONS } from '../../fixtures/injections.ts';

describe('the template', () => {
  test.each<[string, unknown, string]>([
    ['text is escaped', `<b a="1" b='2'>&`, '&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;'],
    ['a number stands as it is', 99.81, '99.81'],
    ['nothing stands as nothing', [null, undefined, false, ''], ''],
    ['zero is something', 0, '0'],
    ['markup of a template stays', html`<b>${'<'}</b>`, '<b>&lt;</b>'],
    ['trusted markup stays', trusted('<br>'), '<br>'],
    ['a list stands as its members', ['<', html`<br>`], '&lt;<br>'],
    ['what cannot be printed goes', 'a\0\x08\x7fb\uffff\n', 'ab\n'],
    ['half a character is replaced', 'a\ud800', 'a\ufffd'],
  ])('%s', (_, value, text) => {
    expect(html`<p title="${value as string}">${value as string}</p>`.text).toBe(
      `<p title="${text}">${text}</p>`,
    );
  });

  test('refuses an attribute without quotes', () => {
    expect(() => html`<p title=${'x'}>`).toThrow('An attribute without quotes: <p title=');
    expect(() => html`<p>a = ${'x'}</p>`).not.toThrow();
  });

  test.each(INJECTIONS)('adds no element and no attribute, whatever stands in it: %j', (text) => {
    const { text: made } = html`<p title="${text}" lang='${text}'><b>${text}</b></p>`;
    const { documentElement: root } = new DOMParser().parseFromString(made, 'text/xml');
    expect(root?.attributes.length).toBe(2);
    expect(root?.childNodes.length).toBe(1);
    expect(root?.firstChild?.childNodes.length).toBe(1);
  });
});

describe('markdown', () => {
  const markdown = new Markdown();
  const LINK = 'rel="nofollow noopener noreferrer"';

  test.each([
    ['a paragraph', 'one\ntwo', '<p>one<br>\ntwo</p>\n'],
    ['emphasis', '**a** _b_ ~~c~~', '<p><strong>a</strong> <em>b</em> <s>c</s></p>\n'],
    ['a link', '[a](https://b.example/c)', `<p><a href="https://b.example/c" ${LINK}>a</a></p>\n`],
    [
      'an address',
      'see https://b.example',
      `<p>see <a href="https://b.example" ${LINK}>https://b.example</a></p>\n`,
    ],
    ['a mail address', '[a](mailto:b@c.de)', `<p><a href="mailto:b@c.de" ${LINK}>a</a></p>\n`],
    ['a heading', '# a', '<p><strong>a</strong></p>'],
    ['a list', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n'],
    ['markup as it was typed', '<b>a</b>', '<p>&lt;b&gt;a&lt;/b&gt;</p>\n'],
    ['a link to elsewhere as text', '[a](/b)', '<p>[a](/b)</p>\n'],
    [
      'an image as a link',
      '![a](https://b.example/c.png)',
      `<p>!<a href="https://b.example/c.png" ${LINK}>a</a></p>\n`,
    ],
  ])('renders %s', (_, text, expected) => {
    expect(markdown.render(text).text).toBe(expected);
  });

  const ELEMENTS = /^\/?(?:p|br|a|strong|em|s|ul|ol|li|pre|code|blockquote|hr)$/;
  test.each(INJECTIONS)('has only elements of its own, whatever is written: %j', (text) => {
    const { text: made } = markdown.render(text);
    for (const [, name = '', rest = ''] of made.matchAll(/<([^\s>]*)([^>]*)>/g)) {
      expect(name).toMatch(ELEMENTS);
      expect(rest).toMatch(
        /^$|^ href="(?:https?|mailto):[^"<>]*"(?: title="[^"<>]*")? rel="[a-z ]+"$|^ class="language-[^"<>]*"$/,
      );
    }
  });

  test('a long text of brackets takes no second', () => {
    const took = cpuMsOf(() => {
      for (const part of ['[', '*a', '`', '> ', '[](', '**', '- ']) {
        markdown.render(part.repeat(10_000 / part.length));
      }
    });
    expect(took).toBeLessThan(1_000);
  });
});

describe('the policy of a document', () => {
  test('names the origins of images, each once', () => {
    const policy = contentPolicy([
      'https://a.example/x.png',
      'https://a.example/y.png',
      'http://b.example:8080/z',
      null,
    ]);
    expect(policy).toContain("img-src 'self' https://a.example http://b.example:8080;");
  });

  test.each([
    'https://a.example;script-src/x',
    'javascript:alert(1)',
    'data:image/png,x',
    "https://'unsafe-inline'/x",
    'nonsense',
  ])('has no room for %j', (address) => {
    expect(contentPolicy([address])).toBe(contentPolicy());
  });

  test('allows no script or style within a document, and no frame around it', () => {
    const { 'content-security-policy': policy } = documentHeaders();
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });
});

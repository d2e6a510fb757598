/** A value as it stands in Markdown: on one line, without a link or an image whose words hide where it leads. */
export function markdownText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(/\](?=[(:])/g, ']\\');
}

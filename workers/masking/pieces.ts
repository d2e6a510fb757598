/**
 * Lengths in which texts are looked for. A bounded number of them bounds what a place of a text
 * costs, however many secrets begin alike.
 */
const PIECE_CHARS = [4, 5, 6, 7, 8, 10, 12, 15, 19, 24, 30, 38, 48, 64] as const;

/**
 * Texts of a few lengths that stand for a text of any: where they are hidden, it is. Together they
 * cover it from end to end, so that of a longer one also a part is hidden: of 39 characters the
 * first and the last 38, of 200 every 64.
 *
 * @param text of at least 4 characters
 */
export function piecesOf(text: string): string[] {
  const length = PIECE_CHARS.findLast((chars) => chars <= text.length) ?? text.length;
  const pieces: string[] = [];
  for (let from = 0; from + length <= text.length; from += length) {
    pieces.push(text.slice(from, from + length));
  }
  if (text.length % length !== 0) pieces.push(text.slice(-length));
  return pieces;
}

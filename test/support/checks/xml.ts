/** Whether a text is well-formed XML, as far as figures need it: one root, tags that match, quoted attributes, no bare & or <. */

const TAG = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[A-Za-z][\w:-]*=(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const BARE = /[<]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/;

/** What is wrong with the text; undefined where nothing is. */
export function findXmlError(text: string): string | undefined {
  const open: string[] = [];
  let roots = 0;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('<', at);
    const words = text.slice(at, next < 0 ? text.length : next);
    if (BARE.test(words)) return `bare character near ${words.slice(0, 40)}`;
    if (open.length === 0 && words.trim() !== '') return `text outside the root: ${words.slice(0, 40)}`;
    if (next < 0) break;
    TAG.lastIndex = next;
    const match = TAG.exec(text);
    if (!match) return `no tag: ${text.slice(next, next + 40)}`;
    const [whole, closing, name, attributes, empty] = match;
    if (BARE.test(attributes)) return `bare character in ${whole}`;
    if (open.length === 0 && !closing && roots++ > 0) return `second root ${whole}`;
    if (closing) {
      if (open.pop() !== name) return `unexpected ${whole}`;
    } else if (!empty) open.push(name);
    at = TAG.lastIndex;
  }
  if (open.length > 0) return `${open.join(', ')} not closed`;
  return roots === 1 ? undefined : 'no root';
}

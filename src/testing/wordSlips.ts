import ts from 'typescript';

/** The strings a program holds, and the built ones with `*` for what is filled in: `change.kind.*`. */
export function stringsOf(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    // A type names what may be written, it does not write it.
    if (ts.isLiteralTypeNode(node)) return;
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node)) {
      found.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('*'));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('any.tsx', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX));
  return found;
}

/** The holes of a message with their kind: `{amount}`, `{count, plural, …}`. Chinese needs no plural. */
export function holesOf(message: string): string[] {
  return [...new Set([...message.matchAll(/\{\s*(\w+)\s*[,}]/g)].map(([, name]) => name ?? ''))].sort();
}

const Han = '\\p{Script=Han}';
/** What looks wrong in a Chinese sentence, whatever it says. */
export const chineseSlips: [what: string, slip: RegExp][] = [
  ['a comma, colon, semicolon, question or exclamation mark of ASCII', new RegExp(`${Han}[,:;?!]|[,:;?!]${Han}`, 'u')],
  ['a full stop of ASCII', new RegExp(`${Han}\\.(?:\\s|$)`, 'u')],
  ['brackets or straight quotes of ASCII', new RegExp(`${Han}[("]|[)"]${Han}`, 'u')],
  ['three dots for an ellipsis', /\.\.\./],
  ['a space within Chinese', new RegExp(`${Han} ${Han}`, 'u')],
  ['a space beside a Chinese mark', /[，。：；？！、（）“”] | [，。：；？！、（）“”]/],
  ['a figure or a Latin word without its space', new RegExp(`${Han}[A-Za-z0-9]|[A-Za-z0-9]${Han}`, 'u')],
  ['the familiar address', /你/],
];

import { Anchor } from '@mantine/core';
import { lexer, type Token, type Tokens } from 'marked';
import { useMemo } from 'react';

import classes from './Markdown.module.css';

/**
 * A Markdown text as elements of React, so that nothing in it can become HTML of its own. Headings can be linked to.
 * Links to other files of the documentation are shown as their text, since those are not here.
 */
export function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => lexer(text), [text]);
  return <div className={classes.text}>{all(tokens)}</div>;
}

function all(tokens: readonly Token[] = []) {
  return tokens.map((token, index) => <Part key={index} token={token} />);
}

/** What a heading is linked by: `Read a low rate` is `read-a-low-rate`. */
export function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}\s-]/gu, '').trim().replace(/\s+/g, '-');
}

function Part({ token }: { token: Token }) {
  switch (token.type) {
    case 'heading': {
      const { depth, text, tokens } = token as Tokens.Heading;
      const Heading = `h${Math.min(depth, 4)}` as 'h2';
      return <Heading id={anchorOf(text)}>{all(tokens)}</Heading>;
    }
    case 'paragraph':
      return <p>{all(token.tokens)}</p>;
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      const List = ordered ? 'ol' : 'ul';
      return (
        <List>
          {items.map((item, index) => (
            <li key={index}>{all(item.tokens)}</li>
          ))}
        </List>
      );
    }
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{all(token.tokens)}</blockquote>;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'strong':
      return <strong>{all(token.tokens)}</strong>;
    case 'em':
      return <em>{all(token.tokens)}</em>;
    case 'link':
      return <MarkdownLink token={token as Tokens.Link} />;
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'space':
      return null;
    case 'text':
      return token.tokens ? all(token.tokens) : (token as Tokens.Text).text;
    default:
      return token.raw;
  }
}

function MarkdownLink({ token: { href, tokens } }: { token: Tokens.Link }) {
  if (href.startsWith('#')) return <Anchor href={href}>{all(tokens)}</Anchor>;
  if (!/^https?:\/\//.test(href)) return all(tokens);
  return (
    <Anchor href={href} target="_blank" rel="noreferrer">
      {all(tokens)}
    </Anchor>
  );
}

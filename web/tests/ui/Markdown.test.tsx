import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { anchorOf, Markdown } from '~/ui/Markdown';

import { draw } from '../render';

test('headings can be linked to', () => {
  draw(<Markdown text={'## Read a low rate\n\nText with `code` and **weight**.'} />);
  expect(screen.getByRole('heading', { name: 'Read a low rate' })).toHaveAttribute('id', 'read-a-low-rate');
  expect(screen.getByText('code').tagName).toBe('CODE');
  expect(screen.getByText('weight').tagName).toBe('STRONG');
});

test('HTML is shown as text', () => {
  const { container } = draw(<Markdown text={'<script>alert(1)</script>\n\nand <img src=x onerror=alert(2)> here'} />);
  expect(container.querySelector('script, img')).toBeNull();
  expect(container).toHaveTextContent('<script>alert(1)</script>');
  expect(container).toHaveTextContent('<img src=x onerror=alert(2)>');
});

test('only links that lead somewhere are links', () => {
  draw(<Markdown text={'[there](resume.md#x) [here](#part) [site](https://example.org) [evil](javascript:alert(1))'} />);
  expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['here', '#part'],
    ['site', 'https://example.org'],
  ]);
});

test('lists and code', () => {
  draw(<Markdown text={'1. one\n2. two\n\n- a\n\n```yaml\nkey: <b>\n```'} />);
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['one', 'two', 'a']);
  expect(screen.getByText('key: <b>')).toBeInTheDocument();
});

test('anchors keep letters of any language', () => expect(anchorOf('À lire : d’abord !')).toBe('à-lire-dabord'));

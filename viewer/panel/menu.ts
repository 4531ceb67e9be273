/** The button that shows, in a window with no room for them, the cards that are otherwise beside the picture. */
import { element } from './transport.js';

/** Makes the button work: it opens the menu, and whatever is chosen there closes it. */
export function connectMenu(): void {
  const button = element('menu');
  const show = (open: boolean) => {
    document.body.dataset.menu = open ? 'open' : 'closed';
    button.setAttribute('aria-expanded', String(open));
  };
  button.addEventListener('click', () => show(document.body.dataset.menu !== 'open'));
  element('side').addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('button')) show(false);
  });
}

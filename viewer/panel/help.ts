/** What pointer and keys do, shown by the button with the question mark or by that key. */
import { element } from './transport.js';

/** Opens the list, or closes it. */
export function toggleHelp(): void {
  const list = element<HTMLDialogElement>('help');
  if (list.open) list.close();
  else list.showModal();
}

element('help-open').addEventListener('click', toggleHelp);

/** Contacts of the coupled solver that are carried over from the substep before. */
import { expect, it } from 'vitest';
import { ContactList } from '../../../src/solvers/coupled/contacts/contact-list.js';
import type { OldSides } from '../../../src/solvers/coupled/soft/old-sides.js';

/** Sides with room for so many more. */
function sidesFor(count: number): OldSides {
  let made = 0;
  return { add: () => (made < count ? made++ : -1) } as unknown as OldSides;
}

/** Three contacts put aside: rigid bodies 0 and 1, flesh 2 on body 0, flesh 2 on flesh 3. */
function listOfThree(): ContactList {
  const contacts = new ContactList(8);
  contacts.add(10, 0, 1);
  const one = contacts.add(20, 2, 0);
  contacts.sideA[one] = 0;
  const both = contacts.add(30, 2, 3);
  contacts.sideA[both] = 1;
  contacts.sideB[both] = 2;
  contacts.remember();
  contacts.clear();
  return contacts;
}

it('are all there again where there is room', () => {
  const contacts = listOfThree();
  contacts.addOld(Float64Array.of(0), 100, sidesFor(3));
  expect(contacts.count).toBe(3);
  expect(contacts.missed).toBe(0);
  expect([...contacts.sideA.subarray(0, 3)]).toEqual([-1, 0, 1]);
  expect([...contacts.sideB.subarray(0, 3)]).toEqual([-1, -1, 2]);
});

it('of flesh that find no room for their sides are dropped and counted: without a side they would be those of a rigid body', () => {
  const contacts = listOfThree();
  contacts.addOld(Float64Array.of(0), 100, sidesFor(0));
  expect(contacts.count).toBe(1);
  expect(contacts.key[0]).toBe(10);
  expect(contacts.missed).toBe(2);
});

it('of two fleshes are dropped where there is room for one of them only', () => {
  const contacts = listOfThree();
  contacts.addOld(Float64Array.of(0), 100, sidesFor(2));
  expect(contacts.count).toBe(2);
  expect([...contacts.key.subarray(0, 2)]).toEqual([10, 20]);
  expect(contacts.missed).toBe(1);
});

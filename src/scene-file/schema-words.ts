/** The words schemas of scene files are made of: numbers, vectors and lists, each with a description for editors and people. */
import * as v from 'valibot';

/** The fields of a type, one schema each: types and files cannot drift apart without the compiler saying so. */
export type Fields<Type> = { readonly [Name in keyof Required<Type>]: v.GenericSchema };

export const said = <Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text));
export const finite = () => v.pipe(v.number(), v.finite());
export const number = (text: string) => said(finite(), text);
export const word = (text: string) => said(v.string(), text);
export const flag = (text: string) => said(v.boolean(), text);
export const oneOf = <const Names extends readonly string[]>(names: Names, text: string) =>
  said(v.picklist(names), text);
export const numbers = (text: string) => said(v.array(finite()), text);
export const indices = (text: string) => said(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), text);
export const integers = (text: string) => said(v.array(v.pipe(v.number(), v.integer())), text);
export const pair = (text: string) => said(v.strictTuple([finite(), finite()]), text);
export const vector = (text: string) => said(v.strictTuple([finite(), finite(), finite()]), text);
export const quaternion = (text: string) => said(v.strictTuple([finite(), finite(), finite(), finite()]), text);
